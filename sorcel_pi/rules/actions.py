"""The legal actions of a position, and what each leads to.

An action is one step, one placement, the early end of a turn, or a pass.  `play` checks and
returns the next position, `resolve` the consequences as well; both leave their argument as it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ..errors import IllegalActionError
from .cascade import Consequence
from .hexgrid import spaces_of
from .movegen import (
    after_placement,
    can_begin,
    count,
    is_blocked,
    may_end,
    next_turn,
    spots,
    stepper,
    successors,
)
from .position import Position, Side


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
    if is_blocked(position):
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
        return count(self.position)

    def __bool__(self) -> bool:
        """Whether there is any: false exactly when the game is over."""
        return count(self.position) > 0

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
        return count(position)
    if depth == 2:
        return sum(map(count, successors(position)))
    below = depth - 1
    return sum(perft(after, below) for after in successors(position))


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
        case _:
            return _why_no_pass(position)


# -- which are legal ------------------------------------------------------------------------------


def _listed(position: Position) -> Iterator[Action]:
    """Yield the legal actions sorted as text: placements, then steps, `end` among the e-steps."""
    if outcome(position) is not None:
        return
    board = position.board
    grid = board.grid
    found = False
    if position.steps_made == 0:
        places = spots(position, position.side)
        found = places != 0
        yield from (Placement(k) for k in sorted(spaces_of(places), key=grid.names.__getitem__))
    empty = board.hexes & ~position.occupied
    own = position.in_play(position.side) if position.steps_left else 0
    ending = may_end(position)
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
    if not spots(position, side) >> placement.space & 1:
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
    if not position.steps_left:
        return "end: no steps are left"
    if not position.rules.early_end:
        return "end: a house rule says that all steps are taken"
    return None


def _why_no_pass(position: Position) -> str | None:
    if position.steps_made or can_begin(position, position.side):
        return "pass: a side that can step or place must not pass"
    return None


def _resolve(position: Position, action: Action) -> Cascade:
    """Resolve an action that is known to be legal."""
    events: list[Consequence] = []
    match action:
        case Step(origin, target):
            heading = position.board.grid.neighbours[origin].index(target)
            after = stepper(position, events)(1 << origin | 1 << target, target, heading)
        case Placement(space, coins):
            after = after_placement(position, space, coins, events)
        case _:
            after = next_turn(position)
    return Cascade(position, action, tuple(events), after)
