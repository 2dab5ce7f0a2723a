"""The search: the best turn by iterative deepening over steps, on the rules' own move generator.

Principal variation search with a transposition table, killers, history and late move reductions.
One action is one ply, so the side to act may stay the same, and then nothing is negated; depth
counts steps, `end` costs the steps that it gives up, a placement a whole turn.  It knows neither
levels nor protocols.  `engine/sorcel_engine/engine.c` is the same search, node for node.
"""

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from ..rules.actions import Action, EndTurn, Pass, Placement, Step
from ..rules.board import Board
from ..rules.hexgrid import spaces_of
from ..rules.movegen import after_placement, can_begin, next_turn, spots, stepper
from ..rules.position import Position, RuleSet, Side
from .values import PLIES, WIN, Values, Weights

INFINITE = 32_000
MAX_PLY = 96
MOST_HELPERS = 2
MAX_ENTRIES = 30_000
"""Entries of the table: some 1 000 bytes each, so that it fits a machine of 512 MB."""
EXACT, AT_LEAST, AT_MOST = range(3)
PLACE, END, PASS = range(3)

Move = tuple[int, int, int, int]
"""A step: mask of origin and target, target, heading, a number of its own from 0 on.

Other actions have a mask of 0: (0, space, `PLACE`, -1), (0, 0, `END`, -2) and (0, 0, `PASS`, -3).
"""
END_MOVE: Move = (0, 0, END, -2)
PASS_MOVE: Move = (0, 0, PASS, -3)
TurnKey = tuple[object, ...]


class Think(NamedTuple):
    """What one search is asked for.

    `past` are turn starts of the game: one that comes again counts as a draw.  `limit` is in
    nodes.  `noise` disturbs all values by `seed`; a `blind` search does not look at the reply.
    `toll` is taken off the value of a placement in the root position (what it costs in Ahumm).
    """

    root: Position
    past: Sequence[Position] = ()
    limit: int = 1 << 60
    noise: int = 0
    seed: int = 0
    blind: bool = False
    toll: int = 0


class Iteration(NamedTuple):
    """What deepening found: `line` is empty if it was stopped before anything was found."""

    line: tuple[Action, ...]
    value: int
    finished: bool


class SearchStoppedError(Exception):
    """The search was stopped or has used its nodes up."""


class PythonSearch:
    """The search in Python: any board, any rule set.

    `begin` and then `deepen` to depth 1, 2, 3 ...; `stop`, from another thread, ends it within
    some milliseconds.  The table is kept from one think to the next.
    """

    name = "Python"

    def __init__(self, board: Board, rules: RuleSet, weights: Weights | None = None) -> None:
        """Prepare for games on `board` under `rules`."""
        self.board, self.rules = board, rules
        self.values = Values(board, rules, weights)
        self.nodes = 0
        self._stop = False
        self._table: dict[object, tuple[int, int, int, Move]] = {}
        grid = board.grid
        number = iter(range(6 * grid.n))
        self._moves: tuple[tuple[tuple[int, Move], ...], ...] = tuple(
            tuple(
                (bit, (1 << k | bit, target, heading, next(number)))
                for target, bit, heading in grid.steps[k]
            )
            for k in range(grid.n)
        )
        self._history = [[0] * (6 * grid.n) for _ in (0, 1)]

    def forget(self) -> None:
        """Forget all games."""
        self._table.clear()
        self._history = [[0] * len(each) for each in self._history]

    def stop(self) -> None:
        """Let the search end soon; may be called from any thread."""
        self._stop = True

    def close(self) -> None:
        """Let go of nothing: there is nothing to let go of."""

    def begin(self, think: Think) -> None:
        """Begin a search."""
        self._root = think.root
        self._limit, self._toll = think.limit, think.toll
        self._blind_to = think.root.side.other if think.blind else None
        self.values.disturb(think.noise, think.seed)
        self._past = {_turn_key(position) for position in think.past if not position.steps_made}
        self._path: list[TurnKey | None] = [None] * (MAX_PLY + 2)
        self._killers: list[tuple[Move | None, Move | None]] = [(None, None)] * (MAX_PLY + 2)
        self._lines: list[list[Move]] = [[] for _ in range(MAX_PLY + 2)]
        self._history = [[value >> 2 for value in each] for each in self._history]
        self.nodes = 0
        self._stop = False

    def win(self, budget: int) -> tuple[Action, ...]:
        """Return a turn that wins, found with at most `budget` nodes; empty if none was found.

        Tries turns made of walks: a piece goes over hexes beside no foe until it comes to one
        beside a foe, and so on with the same or another piece.  Of other quiet steps, which only
        help, there are at most `MOST_HELPERS`.  Most wins have none, and a turn of five steps then
        takes some hundred nodes where all of its ends are a hundred thousand.
        """
        self._budget = budget
        left = self._root.steps_left
        try:
            for helpers in range(min(MOST_HELPERS + 1, left)):
                for steps in range(helpers + 1, left + 1):
                    self._tried: set[object] = set()
                    found = self._win_by_walks(self._root, steps, helpers)
                    if found:
                        return tuple(action_of(self.board, move) for move in found)
        except SearchStoppedError:
            pass
        return ()

    def _win_by_walks(self, position: Position, steps: int, helpers: int) -> tuple[Move, ...]:
        board, _, (ls, lf, ds, df), side, _, _, _ = position
        for origin in spaces_of(((ds | df) if side else (ls | lf)) & board.hexes):
            if found := self._walks_of(position, origin, steps, helpers):
                return found
        return self._helped(position, steps, helpers) if helpers and steps > 1 else ()

    def _walks_of(
        self, position: Position, origin: int, steps: int, helpers: int
    ) -> tuple[Move, ...]:
        """Return the moves of a win that begins with a walk of the piece on `origin`."""
        hexes, side = self.board.hexes, position.side
        hot = self._beside_foes(position)  # walking moves no foe
        seen = 1 << origin
        walks: list[tuple[Position, int, tuple[Move, ...]]] = [(position, origin, ())]
        for here, at, way in walks:  # which grows meanwhile
            empty = hexes & ~here.occupied
            for bit, move in self._moves[at]:
                is_hot = hot & bit
                if not bit & empty or (not is_hot and (len(way) + 1 >= steps or seen & bit)):
                    continue
                child = self._tried_step(here, move)
                loser, path = child.loser, (*way, move)
                if loser is side.other:
                    return path
                if loser is not None or child.side is not side:
                    continue
                if is_hot:
                    rest = steps - len(path)
                    if rest and self._is_new(child, helpers):
                        more = self._win_by_walks(child, rest, helpers)
                        if more:
                            return (*path, *more)
                elif child.in_play(side) & bit:
                    seen |= bit
                    walks.append((child, move[1], path))
        return ()

    def _helped(self, position: Position, steps: int, helpers: int) -> tuple[Move, ...]:
        """Return the moves of a win that begins with a quiet step of any piece."""
        side = position.side
        cold = self.board.hexes & ~position.occupied & ~self._beside_foes(position)
        for origin in spaces_of(position.in_play(side)):
            for bit, move in self._moves[origin]:
                if not bit & cold:
                    continue
                child = self._tried_step(position, move)
                if (
                    child.loser is None
                    and child.side is side
                    and self._is_new(child, helpers - 1)
                    and (more := self._win_by_walks(child, steps - 1, helpers - 1))
                ):
                    return (move, *more)
        return ()

    def _beside_foes(self, position: Position) -> int:
        return self.board.grid.adjacent_to[position.in_play(position.side.other)]

    def _tried_step(self, position: Position, move: Move) -> Position:
        self.nodes += 1
        if self.nodes >= self._budget or self._stop:
            raise SearchStoppedError
        return stepper(position)(move[0], move[1], move[2])

    def _is_new(self, position: Position, helpers: int) -> bool:
        """Whether this position was not tried yet with so many helping steps left."""
        key = (_key(position), helpers)
        if key in self._tried:
            return False
        self._tried.add(key)
        return True

    def deepen(self, depth: int) -> Iteration:
        """Search to `depth` steps."""
        finished = True
        value = self._best = -INFINITE
        try:
            value = self._search(self._root, -INFINITE, INFINITE, depth, 0)
        except SearchStoppedError:
            finished, value = False, self._best
        line = [action_of(self.board, move) for move in self._lines[0]]
        return Iteration(tuple(line), value, finished)

    def _quiesce(self, position: Position, alpha: int, beta: int, ply: int, more: int) -> int:
        """Return the value when only steps that cost the foe something are looked at."""
        self.nodes += 1
        board, _, (ls, lf, ds, df), side, _, _, _ = position
        loser = position.loser
        if loser is not None:
            return ply - WIN if loser == side else WIN - ply
        best = self.values.of(position)
        if best >= beta or more <= 0 or ply >= MAX_PLY:
            return best
        alpha = max(alpha, best)
        hexes = board.hexes
        own, foes = (ds | df, ls | lf) if side else (ls | lf, ds | df)
        hot = board.grid.adjacent_to[foes & hexes] & hexes & ~(own | foes)
        own &= hexes
        if not hot:
            return best
        before = _material(hexes, ls, lf) if side else _material(hexes, ds, df)
        step = None
        while own:
            low = own & -own
            own ^= low
            for bit, (swap, target, heading, _) in self._moves[low.bit_length() - 1]:
                if not bit & hot:
                    continue
                if step is None:
                    step = stepper(position)
                child = step(swap, target, heading)
                ls, lf, ds, df = child[2]
                if (_material(hexes, ls, lf) if side else _material(hexes, ds, df)) >= before:
                    self.nodes += 1
                    continue
                if child[3] == side:
                    value = self._quiesce(child, alpha, beta, ply + 1, more - 1)
                else:
                    value = -self._quiesce(child, -beta, -alpha, ply + 1, 0)
                if value > best:
                    best = value
                    alpha = max(alpha, value)
                    if value >= beta:
                        return best
        return best

    def _search(self, position: Position, alpha: int, beta: int, depth: int, ply: int) -> int:
        _, _, pieces, side, left, made, coins = position
        self._lines[ply] = []
        if side is self._blind_to:
            return self._quiesce(position, alpha, beta, ply, 0)
        if depth <= 0 or ply >= MAX_PLY or position.loser is not None:
            return self._quiesce(position, alpha, beta, ply, min(left, 4))
        self.nodes += 1
        if self.nodes >= self._limit or self._stop:
            raise SearchStoppedError
        key: object = (pieces, side, left, made > 0) if coins is None else _key(position)
        if not made and self._comes_again(position, ply):
            return 0
        if made:
            self._path[ply] = None
        wide, floor, known = beta - alpha > 1, alpha, None
        entry = self._table.get(key)
        if entry is not None:
            value, deep, bound, known = entry
            if value > WIN - PLIES:
                value -= ply
            elif value < PLIES - WIN:
                value += ply
            if (
                not wide
                and deep >= depth
                and (bound == EXACT or (value >= beta if bound == AT_LEAST else value <= alpha))
            ):
                return value
        best, chosen = self._best_of(position, alpha, beta, depth, ply, known)
        value = best
        if best > WIN - PLIES:
            value += ply
        elif best < PLIES - WIN:
            value -= ply
        if len(self._table) >= MAX_ENTRIES:
            self._table.clear()
        bound = AT_LEAST if best >= beta else AT_MOST if best <= floor else EXACT
        if chosen is not None:
            self._table[key] = value, depth, bound, chosen
        return best

    def _best_of(
        self, position: Position, alpha: int, beta: int, depth: int, ply: int, known: Move | None
    ) -> tuple[int, Move | None]:
        """Return the best value and its move: 0 and None for a game that is blocked."""
        _, _, (ls, lf, ds, df), side, left, _, _ = position
        hexes, grid = self.board.hexes, self.board.grid
        hot = grid.adjacent_to[((ls | lf) if side else (ds | df)) & hexes]
        moves = self._sorted_moves(position, hot, ply, known)
        if not moves:
            return 0, None
        search, step = self._search, stepper(position) if left else None
        wide, ply_1 = beta - alpha > 1, ply + 1
        best, chosen = -INFINITE, moves[0][1]
        for index, (_, move) in enumerate(moves):
            swap, target, heading, _ = move
            toll = less = 0
            quiet = False
            if swap:
                assert step is not None
                child, cost = step(swap, target, heading), 1
                quiet = not hot >> target & 1
            elif heading == PLACE:
                child, cost = after_placement(position, target), max(left, 2)
                toll = 0 if ply else self._toll
            else:
                child, cost = next_turn(position), max(left, 1)
            if index >= 4 and depth >= 2:
                less = (2 if index >= 12 else 1) if quiet else int(index >= 12)
                if wide and less > 1:
                    less = 1
            deep, low, high = depth - cost, alpha + toll, beta + toll
            if child[3] is side:
                if not index:
                    value = search(child, low, high, deep, ply_1)
                else:
                    value = search(child, low, low + 1, deep - less, ply_1)
                    if less and value > low:
                        value = search(child, low, low + 1, deep, ply_1)
                    if low < value < high and wide:
                        value = search(child, low, high, deep, ply_1)
            elif not index:
                value = -search(child, -high, -low, deep, ply_1)
            else:
                value = -search(child, -low - 1, -low, deep - less, ply_1)
                if less and value > low:
                    value = -search(child, -low - 1, -low, deep, ply_1)
                if low < value < high and wide:
                    value = -search(child, -high, -low, deep, ply_1)
            value -= toll
            if value > best:
                best, chosen = value, move
                if not ply:
                    self._best = best
                if value > alpha:
                    alpha = value
                    self._lines[ply] = [move, *self._lines[ply_1]]
                if value >= beta:
                    self._remember(side, move, depth, ply)
                    break
        return best, chosen

    def _sorted_moves(
        self, position: Position, hot: int, ply: int, known: Move | None
    ) -> list[tuple[int, Move]]:
        """Return (rank, move) of all legal actions, the most promising first."""
        board, _, (ls, lf, ds, df), side, left, made, _ = position
        hexes = board.hexes
        empty = hexes & ~(ls | lf | ds | df)
        history = self._history[side]
        killer, other = self._killers[ply]
        moves: list[tuple[int, Move]] = []
        if left:
            own = (ds | df if side else ls | lf) & hexes
            while own:
                low = own & -own
                own ^= low
                for bit, move in self._moves[low.bit_length() - 1]:
                    if bit & empty:
                        rank = history[move[3]]
                        if bit & hot:
                            rank += 1 << 20
                        if move is known:
                            rank = 1 << 30
                        elif move is killer:
                            rank += 1 << 22
                        elif move is other:
                            rank += 1 << 21
                        moves.append((rank, move))
        if made:
            if left and self.rules.early_end:
                rank = 2000 if left == 1 else 1 << 19
                moves.append((1 << 30 if known is END_MOVE else rank, END_MOVE))
        else:
            for space in spaces_of(spots(position, side)):
                move = (0, space, PLACE, -1)
                moves.append((1 << 30 if move == known else 1 << 18, move))
            if not moves and can_begin(position, side.other):
                moves.append((0, PASS_MOVE))
        moves.sort(key=_RANK, reverse=True)
        return moves

    def _comes_again(self, position: Position, ply: int) -> bool:
        """Whether the turn that begins with `position` began before, in the game or the line."""
        key = _turn_key(position)
        self._path[ply] = key
        return ply > 0 and (key in self._past or key in self._path[:ply])

    def _remember(self, side: Side, move: Move, depth: int, ply: int) -> None:
        """Note that `move` was good enough."""
        if move[0]:
            history = self._history[side]
            history[move[3]] += depth * depth
            if history[move[3]] > 1 << 18:
                self._history[side] = [value >> 1 for value in history]
        killer, _ = self._killers[ply]
        if move != killer:
            self._killers[ply] = move, killer


_RANK = itemgetter(0)


def _material(hexes: int, sentinels: int, shifs: int) -> int:
    """Return what captures take from: Sentinels in play most, then detained pieces, then Shifs."""
    held = ((sentinels | shifs) & ~hexes).bit_count()
    return 8 * (sentinels & hexes).bit_count() - 4 * held + (shifs & hexes).bit_count()


def _key(position: Position) -> tuple[object, ...]:
    """Return what makes two positions of one game the same in the table, coins included."""
    return (
        position.pieces,
        position.side,
        position.steps_left,
        position.steps_made > 0,
        (position.coins),
    )


def _turn_key(position: Position) -> TurnKey:
    return position.pieces, position.side, position.coins


def action_of(board: Board, move: Move) -> Action:
    """Return the action that a move stands for."""
    swap, target, kind, _ = move
    if swap:
        return Step((swap ^ 1 << target).bit_length() - 1, target)
    if kind == PLACE:
        return Placement(target)
    return EndTurn() if kind == END else Pass()
