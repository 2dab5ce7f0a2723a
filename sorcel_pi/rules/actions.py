"""The legal actions of a position, and what each leads to.

An action is one step, one placement, the early end of a turn, or a pass.  `play` checks and
returns the next position, `resolve` the consequences as well; both leave their argument as it is.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ..errors import IllegalActionError
from .board import Board, Layout
from .cascade import Consequence, new, settle_pushes, stray_events
from .hexgrid import EAST, spaces_of
from .position import SIDES, Coins, Position, RuleSet, Side


@dataclass(frozen=True, slots=True)
class Step:
    """An own piece goes from `origin` to the adjacent empty hex `target` (numbers of spaces)."""

    origin: int
    target: int


@dataclass(frozen=True, slots=True)
class Placement:
    """A Shif from the reserve is put on `space`; `coins` only where more than the stake is paid."""

    space: int
    coins: int | None = None


@dataclass(frozen=True, slots=True)
class EndTurn:
    """The turn is ended although steps are left."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Neither a step nor a placement is possible."""


Action = Step | Placement | EndTurn | Pass


class Reason(StrEnum):
    """Why a game is over."""

    SENTINELS = "sentinels"
    """The loser has no Sentinel in play."""
    DETAINED = "detained"
    """Too many of the loser's pieces are detained."""
    BLOCKED = "blocked"
    """Neither side could begin a turn with a step or a placement: a draw."""
    REPETITION = "repetition"
    """The same turn began for the third time: a draw (house rule)."""
    RESIGNATION = "resignation"
    """The loser resigned."""
    AGREEMENT = "agreement"
    """The players agreed a draw."""


class Outcome(NamedTuple):
    """How a game ended: `winner` is None for a draw."""

    winner: Side | None
    reason: Reason

    @property
    def word(self) -> str:
        """`light`, `dark` or `draw`."""
        return "draw" if self.winner is None else self.winner.word


class Cascade(NamedTuple):
    """An action resolved: its consequences in rule order, and the position after it."""

    before: Position
    action: Action
    consequences: tuple[Consequence, ...]
    after: Position


def outcome(position: Position) -> Outcome | None:
    """Return how the game has ended in `position`, or None while it goes on.

    Repetition, resignation and agreement are matters of a `Game`, which knows its past.
    """
    loser = position.loser
    if loser is not None:
        bare = not position.pieces[2 * loser] & position.board.hexes
        return Outcome(loser.other, Reason.SENTINELS if bare else Reason.DETAINED)
    if position.steps_made == 0 and not any(_can_begin(position, side) for side in SIDES):
        return Outcome(None, Reason.BLOCKED)
    return None


class LegalActions:
    """The legal actions of `position`: iterable in the order of their texts, countable, testable.

    >>> from sorcel_pi import standard_board, start_position
    >>> actions = LegalActions(start_position(standard_board()))
    >>> actions.count(), Step(5, 11) in actions
    (19, False)
    """

    __slots__ = ("position",)

    def __init__(self, position: Position) -> None:
        """Look at `position`."""
        self.position = position

    def __iter__(self) -> Iterator[Action]:
        """Yield the actions, sorted as text; plain placements only, as raises are many."""
        yield from _listed(self.position)

    def __len__(self) -> int:
        """Return how many there are."""
        return self.count()

    def count(self) -> int:
        """Return how many there are, without making them."""
        return _count(self.position)

    def __bool__(self) -> bool:
        """Whether there is any: false exactly when the game is over."""
        return _count(self.position) > 0

    def __contains__(self, action: object) -> bool:
        """Whether `action` may be played; a placement may pay more than the stake."""
        return (
            isinstance(action, Step | Placement | EndTurn | Pass)
            and why_not(self.position, action) is None
        )

    def __repr__(self) -> str:
        """Name the position."""
        return f"LegalActions({self.position!r})"


def legal_actions(position: Position) -> LegalActions:
    """Return the view of the legal actions of `position`; empty when the game is over."""
    return LegalActions(position)


def play(position: Position, action: Action) -> Position:
    """Return the position after `action`; `IllegalActionError` says why when it is not legal."""
    return resolve(position, action).after


def resolve(position: Position, action: Action) -> Cascade:
    """Return `action` with all its consequences; `IllegalActionError` when it is not legal.

    `CascadeError` is raised when the pushes do not come to rest; no such position is known.
    """
    reason = why_not(position, action)
    if reason is not None:
        raise IllegalActionError(reason)
    return _resolve(position, action)


def resolve_all(position: Position) -> list[Cascade]:
    """Return every legal action of `position` with its consequences, sorted as text."""
    return [_resolve(position, action) for action in _listed(position)]


def perft(position: Position, depth: int) -> int:
    """Return the number of sequences of exactly `depth` legal actions.

    A game that ended earlier counts nothing, one that ends at `depth` counts one.
    """
    if depth <= 0:
        return 1
    if depth == 1:
        return _count(position)
    if depth == 2:
        return sum(map(_count, _successors(position)))
    below = depth - 1
    return sum(perft(after, below) for after in _successors(position))


def why_not(position: Position, action: Action) -> str | None:
    """Return why `action` is not legal in `position`, or None if it is."""
    ended = outcome(position)
    if ended is not None:
        return f"the game is over ({ended.word}, {ended.reason})"
    match action:
        case Step():
            return _why_no_step(position, action)
        case Placement():
            return _why_no_placement(position, action)
        case EndTurn():
            return _why_no_end(position)
        case Pass():
            if _can_begin(position, position.side) or position.steps_made:
                return "pass: a side that can step or place must not pass"
            return None


# -- what is possible -----------------------------------------------------------------------------


def _can_place(rules: RuleSet, side: Side, shifs: int, coins: Coins | None) -> bool:
    """Whether `side`, with `shifs` on the board, has another in reserve and can pay for it."""
    return shifs.bit_count() < rules.shifs and (coins is None or coins[side] >= coins.stake)


def _spots(position: Position, side: Side) -> int:
    """Return the mask of hexes on which `side` could place a Shif at the beginning of a turn."""
    board, rules, pieces, _, _, _, coins = position
    if not _can_place(rules, side, pieces[2 * side + 1], coins):
        return 0
    empty = board.hexes & ~position.occupied
    return board.grid.adjacent_to[pieces[2 * side] & board.hexes] & empty


def _can_step(position: Position, side: Side) -> bool:
    """Whether any piece of `side` in play has an empty hex next to it."""
    board, grid = position.board, position.board.grid
    empty = board.hexes & ~position.occupied
    return grid.exits[position.in_play(side)] & empty * grid.lanes != 0


def _can_begin(position: Position, side: Side) -> bool:
    """Whether `side`, taken as if it began a turn now, has a step or a placement."""
    return bool(
        (position.shifs_in_play(side) and _can_step(position, side)) or _spots(position, side)
    )


def _may_end(position: Position) -> bool:
    return position.steps_made > 0 and position.steps_left > 0 and position.rules.early_end


def _count(position: Position) -> int:
    """Return how many actions are legal."""
    board, rules, (ls, lf, ds, df), side, left, made, coins = position
    grid, hexes = board.grid, board.hexes
    light, dark, occupied = ls & hexes, ds & hexes, ls | lf | ds | df
    held = occupied & ~hexes
    if not light or not dark or (held.bit_count() >= rules.detained and position.loser is not None):
        return 0
    empty = hexes & ~occupied
    total = 0
    if left:
        own = (ds | df if side else ls | lf) & hexes
        total = (grid.exits[own] & empty * grid.lanes).bit_count()
    if made:
        return total + (1 if left and rules.early_end else 0)
    if _can_place(rules, side, df if side else lf, coins):
        total += (grid.adjacent_to[dark if side else light] & empty).bit_count()
    return total or int(_can_begin(position, side.other))


def _listed(position: Position) -> Iterator[Action]:
    """Yield the legal actions sorted as text: placements, then steps, `end` among the e-steps."""
    if outcome(position) is not None:
        return
    board = position.board
    grid = board.grid
    found = False
    if position.steps_made == 0:
        spots = _spots(position, position.side)
        found = spots != 0
        yield from (Placement(k) for k in sorted(spaces_of(spots), key=grid.names.__getitem__))
    empty = board.hexes & ~position.occupied
    own = position.in_play(position.side) if position.steps_left else 0
    ending = _may_end(position)
    for origin in grid.by_name:
        if not own >> origin & 1:
            continue
        if ending and grid.names[origin] > "end":
            yield EndTurn()
            ending = False
        for target, bit, _ in grid.steps[origin]:
            if bit & empty:
                found = True
                yield Step(origin, target)
    if ending:
        yield EndTurn()
    elif not found and position.steps_made == 0:
        yield Pass()


def _why_no_step(position: Position, step: Step) -> str | None:
    board, grid = position.board, position.board.grid
    if not (0 <= step.origin < grid.n and 0 <= step.target < grid.n):
        return f"spaces are numbered 0 to {grid.n - 1}, not {step.origin} and {step.target}"
    text = f"{grid.names[step.origin]}{grid.names[step.target]}"
    origin, target = grid.names[step.origin], grid.names[step.target]
    if not position.in_play(position.side) >> step.origin & 1:
        return f"{text}: {position.side.word} has no piece in play on {origin}"
    if not grid.adjacent[step.origin] >> step.target & 1:
        return f"{text}: {target} is not next to {origin}"
    if not board.hexes >> step.target & 1:
        return f"{text}: {target} is a detaining space, which no piece steps into"
    if position.occupied >> step.target & 1:
        return f"{text}: {target} is not empty"
    if not position.steps_left:
        return f"{text}: {position.side.word} has no step in this turn"
    return None


def _why_no_placement(position: Position, placement: Placement) -> str | None:
    grid, side, coins = position.board.grid, position.side, position.coins
    if not 0 <= placement.space < grid.n:
        return f"spaces are numbered 0 to {grid.n - 1}, not {placement.space}"
    text = f"+{grid.names[placement.space]}"
    if position.steps_made:
        return f"{text}: a placement is a whole turn, and {side.word} has made a step"
    if not position.reserve[side]:
        return f"{text}: {side.word} has no Shif in reserve"
    if coins is not None and coins[side] < coins.stake:
        return f"{text}: {side.word}'s purse holds {coins[side]}, the stake is {coins.stake}"
    if not _spots(position, side) >> placement.space & 1:
        return f"{text}: not an empty hex next to a Sentinel of {side.word} in play"
    if placement.coins is None:
        return None
    if coins is None:
        return f"{text}={placement.coins}: coins are paid in Ahumm only"
    if not coins.stake < placement.coins <= coins[side]:
        return (
            f"{text}={placement.coins}: a raise is more than the stake ({coins.stake}) and at most "
            f"the purse ({coins[side]})"
        )
    return None


def _why_no_end(position: Position) -> str | None:
    if not position.steps_made:
        return "end: a turn can be ended early only after a step"
    if not position.rules.early_end:
        return "end: a house rule says that all steps are taken"
    return None


# -- what it leads to -----------------------------------------------------------------------------


def _resolve(position: Position, action: Action) -> Cascade:
    """Resolve an action that is known to be legal."""
    events: list[Consequence] = []
    match action:
        case Step(origin, target):
            heading = position.board.grid.neighbours[origin].index(target)
            after = _stepper(position, events)(1 << origin | 1 << target, target, heading)
        case Placement(space, coins):
            after = _after_placement(position, space, coins, events)
        case _:
            after = _next_turn(position)
    return Cascade(position, action, tuple(events), after)


def _successors(position: Position) -> Iterator[Position]:
    """Yield the position after each legal action, in no certain order, for `perft`."""
    board, _, (ls, lf, ds, df), side, left, made, _ = position
    if not ls or not ds or position.loser is not None:
        return
    found = False
    if made == 0:
        for space in spaces_of(_spots(position, side)):
            found = True
            yield _after_placement(position, space)
    elif _may_end(position):
        yield _next_turn(position)
    if left:
        step = _stepper(position)
        steps = board.grid.steps
        empty = board.hexes & ~(ls | lf | ds | df)
        own = (ds | df if side else ls | lf) & board.hexes
        while own:
            origin = own & -own
            own ^= origin
            for target, bit, heading in steps[origin.bit_length() - 1]:
                if bit & empty:
                    found = True
                    yield step(origin | bit, target, heading)
    if not found and made == 0 and _can_begin(position, side.other):
        yield _next_turn(position)


def _stepper(
    position: Position, events: list[Consequence] | None = None
) -> Callable[[int, int, int], Position]:
    """Return the function from (bits of origin and target, target, heading) to what a step leads to.

    What happens is appended to `events`.  All that the steps of a position share is worked out
    here, once, as most steps push nobody and then need little more.
    """
    board, rules, (ls, lf, ds, df), side, left, made, coins = position
    hexes, adjacent, loose = board.hexes, board.grid.adjacent, board.grid.loose
    sentinels, shifs, foe_sentinels, foe_shifs = (ds, df, ls, lf) if side else (ls, lf, ds, df)
    foes = (foe_sentinels | foe_shifs) & hexes
    foe_strays = loose[foe_sentinels & hexes, foe_shifs & hexes]
    if left > 1:
        turn = (side, left - 1, made + 1)
    else:
        turn = (side.other, (foe_shifs & hexes).bit_count(), 0)
    turn_side, turn_left, turn_made = turn

    def step(swap: int, target: int, heading: int) -> Position:
        if sentinels & swap:
            tall, short = sentinels ^ swap, shifs
        else:
            tall, short = sentinels, shifs ^ swap
        if side:
            pieces = new(Layout, (foe_sentinels, foe_shifs, tall, short))
        else:
            pieces = new(Layout, (tall, short, foe_sentinels, foe_shifs))
        if adjacent[target] & foes:
            return _settled(position, settle_pushes(board, pieces, target, heading, events), events)
        if foe_strays or loose[tall & hexes, short & hexes]:
            return _settled(position, pieces, events)
        # Nobody is pushed or taken off: nothing is lost, and who has stepped can step back.
        return new(Position, (board, rules, pieces, turn_side, turn_left, turn_made, coins))

    return step


def _settled(position: Position, pieces: Layout, events: list[Consequence] | None) -> Position:
    """Return what a step of `position` leads to when its pushes have led to `pieces`."""
    board, rules, _, side, left, made, coins = position
    pieces = _connected(board, pieces, events)
    after = new(Position, (board, rules, pieces, side, left - 1, made + 1, coins))
    if after.loser is not None:
        return _paid_out(after)
    ls, lf, ds, df = pieces
    grid, hexes = board.grid, board.hexes
    if left > 1:
        empty = hexes & ~(ls | lf | ds | df)
        if grid.exits[(ds | df if side else ls | lf) & hexes] & empty * grid.lanes:
            return after
    steps = ((lf if side else df) & hexes).bit_count()
    return new(Position, (board, rules, pieces, side.other, steps, 0, coins))


def _after_placement(
    position: Position,
    space: int,
    coins: int | None = None,
    events: list[Consequence] | None = None,
) -> Position:
    """Return the position after a legal placement; what happens is appended to `events`."""
    board, side, purses = position.board, position.side, position.coins
    if purses is not None:
        purses = _paid(purses, side, coins)
    masks = list(position.pieces)
    masks[2 * side + 1] |= 1 << space
    pieces = Layout._make(masks)
    if position.rules.placement_pushes:
        pieces = settle_pushes(board, pieces, space, EAST, events)
    pieces = _connected(board, pieces, events)
    after = position._replace(pieces=pieces, coins=purses)
    return _paid_out(after) if after.loser is not None else _next_turn(after)


def _connected(board: Board, pieces: Layout, events: list[Consequence] | None) -> Layout:
    """Return the layout that the proximity rule leaves of `pieces`."""
    grid, hexes = board.grid, board.hexes
    ls, lf, ds, df = pieces
    light = grid.loose[ls & hexes, lf & hexes]
    dark = grid.loose[ds & hexes, df & hexes]
    if not light | dark:
        return pieces
    if events is not None:
        events += stray_events(board, pieces, light | dark)
    return new(Layout, (ls, lf ^ light, ds, df ^ dark))


def _next_turn(position: Position) -> Position:
    """Return `position` with the other side's turn begun."""
    board, rules, pieces, side, _, _, coins = position
    other = SIDES[1 - side]
    steps = (pieces[2 * other + 1] & board.hexes).bit_count()
    return Position(board, rules, pieces, other, steps, 0, coins)


def _paid(coins: Coins, side: Side, amount: int | None) -> Coins:
    """Return the coins after `side` has paid `amount`, or the stake, into the pot."""
    paid = coins.stake if amount is None else amount
    light, dark = (coins.light, coins.dark - paid) if side else (coins.light - paid, coins.dark)
    return Coins(light, dark, coins.pot + paid, paid)


def _paid_out(position: Position) -> Position:
    """Return a position that is lost with the pot, where there is one, in the winner's purse."""
    loser, coins = position.loser, position.coins
    if coins is None or loser is None:
        return position
    return position._replace(coins=award_pot(coins, loser.other))


def award_pot(coins: Coins, winner: Side) -> Coins:
    """Return the coins after `winner` has taken the pot."""
    light = coins.light + (0 if winner else coins.pot)
    dark = coins.dark + (coins.pot if winner else 0)
    return Coins(light, dark, 0, coins.stake)
