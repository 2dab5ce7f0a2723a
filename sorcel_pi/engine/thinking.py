"""The engine: thinks about positions of one board and rule set, in C where that can be used.

It deepens until it is stopped, has used up its time, nodes or depth, or sees the end of the game,
and keeps its table from one think to the next.  Levels, hints and protocols stand on it.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

from ..rules.actions import Action, legal_actions, outcome
from ..rules.board import Board
from ..rules.game import Game
from ..rules.position import Position, RuleSet
from .native import Library, NativeSearch, find_library
from .search import PythonSearch, Think
from .values import PLIES, WIN, Weights, chance, is_standard

MAX_DEPTH = 64
WIN_NODES = 5_000
"""What a look for a win in this very turn may take, and at most half of all nodes."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a think ends: after so many nodes, seconds or steps of depth, whichever is first."""

    nodes: int | None = None
    seconds: float | None = None
    depth: int | None = None


@dataclass(frozen=True, slots=True)
class Manner:
    """How a think is weak: `noise` on all values, the same within a think, and no eye for replies.

    `noise` is in units of the values (a Shif is some 100); `seed` says which noise.
    """

    noise: int = 0
    seed: int = 0
    blind: bool = False

    @property
    def is_weak(self) -> bool:
        """Whether it is weak at all; who is does not look for a win in the turn by itself."""
        return self.noise > 0 or self.blind


class Thought(NamedTuple):
    """What thinking has led to.

    `line` is the best line: the actions of the turn first, then what is expected; empty only when
    the game is over.  `value` is for the side to act, `depth` the last depth that was finished.
    """

    line: tuple[Action, ...]
    value: int
    depth: int
    nodes: int
    seconds: float

    @property
    def chance(self) -> float:
        """The share of games that the side to act wins, from 0 to 1."""
        return chance(self.value)

    @property
    def ends_in(self) -> int | None:
        """In how many actions the game is won (lost if below zero), where that is seen."""
        if abs(self.value) <= WIN - PLIES:
            return None
        plies = WIN - abs(self.value)
        return plies if self.value > 0 else -plies


NOTHING = Thought((), 0, 0, 0, 0.0)
Follow = Callable[[Thought], None]


class Engine:
    """An engine for one board and rule set.

    >>> from sorcel_pi import parse_position, format_action
    >>> code = "5/6/fSff3/1F1sF3/1S1F5/1s1F1f2/1F5/1F4/5 l 6/0 0/2 -"
    >>> position = parse_position(code)
    >>> engine = Engine(position.board, position.rules)
    >>> thought = engine.think(position, Limits(nodes=2000))
    >>> len(thought.line) > 0 and thought.nodes <= 2000
    True
    """

    def __init__(
        self,
        board: Board,
        rules: RuleSet,
        *,
        weights: Weights | None = None,
        native: bool | None = None,
        library: Library | None = None,
    ) -> None:
        """Choose the search: in C if it can be used, unless `native` is False.

        With `native` True the engine in C is wanted, and `OSError` says why it cannot be had.
        """
        self.board, self.rules = board, rules
        self.search = make_search(board, rules, weights, native, library)
        self._stopped = threading.Event()

    @property
    def name(self) -> str:
        """`C` or `Python`."""
        return self.search.name

    def forget(self) -> None:
        """Forget all games, so that the next think depends on nothing before."""
        self.search.forget()

    def close(self) -> None:
        """Free the memory."""
        self.search.close()

    def stop(self) -> None:
        """End the think that is going on, or else the next one; from any thread."""
        self._stopped.set()
        self.search.stop()

    @property
    def stopped(self) -> bool:
        """Whether it was stopped and is not ready again."""
        return self._stopped.is_set()

    def ready(self) -> None:
        """Take a `stop` back that came when nothing was thought about."""
        self._stopped.clear()

    def think(
        self,
        position: Position,
        limits: Limits,
        *,
        past: Sequence[Position] = (),
        manner: Manner | None = None,
        follow: Follow | None = None,
    ) -> Thought:
        """Return the best line in `position`; `follow` is told after every depth.

        `past` are the positions of the game so far: a turn that begins as before counts as a draw.
        After `stop` it returns within some milliseconds, and until `ready` does not think at all.
        """
        if outcome(position) is not None:
            return NOTHING
        manner = manner or Manner()
        nodes = 1 << 60 if limits.nodes is None else max(limits.nodes, 1)
        begun = perf_counter()
        search, toll = self.search, toll_of(position)
        search.begin(Think(position, past, nodes, manner.noise, manner.seed, manner.blind, toll))
        timer = None
        if limits.seconds is not None:
            timer = threading.Timer(limits.seconds, search.stop)
            timer.daemon = True
            timer.start()
        try:
            won = () if manner.is_weak else search.win(min(nodes // 2, WIN_NODES))
            if won:
                thought = Thought(
                    won, WIN - len(won), len(won), search.nodes, perf_counter() - begun
                )
                if follow is not None:
                    follow(thought)
            else:
                thought = self._deepen(limits.depth or MAX_DEPTH, begun, follow)
        finally:
            if timer is not None:
                timer.cancel()
        if thought.line:
            return thought
        first = next(iter(legal_actions(position)))  # stopped before anything was found
        return Thought((first,), 0, 0, search.nodes, perf_counter() - begun)

    def _deepen(self, depth: int, begun: float, follow: Follow | None) -> Thought:
        thought = NOTHING
        for deep in range(1, min(depth, MAX_DEPTH) + 1):
            if self._stopped.is_set():
                break
            found = self.search.deepen(deep)
            took, nodes = perf_counter() - begun, self.search.nodes
            if found.line:
                reached = deep if found.finished else thought.depth
                thought = Thought(found.line, found.value, reached, nodes, took)
            else:
                thought = thought._replace(nodes=nodes, seconds=took)
            if not found.finished:
                break
            if follow is not None:
                follow(thought)
            if abs(found.value) > WIN - PLIES:
                break
        return thought


Search = PythonSearch | NativeSearch


def make_search(
    board: Board,
    rules: RuleSet,
    weights: Weights | None = None,
    native: bool | None = None,
    library: Library | None = None,
) -> Search:
    """Return the search in C where it can be used and is not unwanted, else the one in Python."""
    if native is not False:
        found: Library | str = find_library() if library is None else library
        if not is_standard(board):
            found = "it plays on the standard board only"
        if isinstance(found, Library):
            return NativeSearch(found, board, rules, weights)
        if native:
            raise OSError(f"the engine in C cannot be used: {found}")
    return PythonSearch(board, rules, weights)


def toll_of(position: Position) -> int:
    """Return what a placement costs in Ahumm, in units of the values; 0 where nothing is paid.

    A coin goes into the pot and comes back with the game.  What is lost with the rest of the games
    is weighed against what there is to win: the pot, and ten stakes for what the other will pay.
    """
    coins = position.coins
    if coins is None:
        return 0
    at_stake = coins.pot + 10 * coins.stake
    return min(400 * coins.stake // at_stake, 100)


def past_of(game: Game) -> list[Position]:
    """Return the beginnings of the turns of `game` before now."""
    return [each.before for each in game.cascades if not each.before.steps_made]
