"""The legal actions of a position, and what each leads to.

An action is one step, one placement, the early end of a turn, or a pass.  `play` checks and
returns the next position, `resolve` the consequences as well; both leave their argument as it is.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ..errors import IllegalActionError
from .board import Board
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


class RefusalReason(StrEnum):
    """Why an action is not legal."""

    OVER = "over"
    OUTSIDE = "outside"
    """There is no space of that number."""
    NOT_YOURS = "not_yours"
    """The side to move has no piece in play where the step begins."""
    FAR = "far"
    """The step does not go to a neighbour."""
    HOLE = "hole"
    """The step goes to a detaining space."""
    TAKEN = "taken"
    """The step goes to a space that is not empty."""
    NO_STEP = "no_step"
    """No step is left in this turn."""
    STEPPED = "stepped"
    """A placement is a whole turn, and a step was made."""
    NO_RESERVE = "no_reserve"
    POOR = "poor"
    """The purse does not hold the stake."""
    NOT_BESIDE = "not_beside"
    """The placement is not on an empty hex next to an own Sentinel in play."""
    NO_COINS = "no_coins"
    """Coins are paid in a game without coins."""
    RAISE = "raise"
    """The coins are not more than the stake, or more than the purse holds."""
    NO_STEP_YET = "no_step_yet"
    """A turn cannot be ended before a step."""
    ALL_STEPPED = "all_stepped"
    """There is nothing to end: all steps are made."""
    NO_EARLY_END = "no_early_end"
    """A house rule."""
    CAN_BEGIN = "can_begin"
    """A side passes only if it can neither step nor place."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an action of `side` is not legal, and what about it: spaces as numbers, and coins.

    A step goes from `origin` to `target`, a placement to `target`.  What does not belong to the
    reason is None.
    """

    reason: RefusalReason
    side: Side
    origin: int | None = None
    target: int | None = None
    coins: int | None = None
    stake: int | None = None
    purse: int | None = None
    outcome: Outcome | None = None


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
    refusal = why_not(position, action)
    if refusal is not None:
        raise IllegalActionError(format_refusal(position.board, refusal))
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


def why_not(position: Position, action: Action) -> Refusal | None:
    """Return why `action` is not legal in `position`, or None if it is.

    >>> from sorcel_pi import standard_board, start_position
    >>> why_not(start_position(standard_board()), EndTurn()).reason
    <RefusalReason.NO_STEP_YET: 'no_step_yet'>
    """
    ended = outcome(position)
    if ended is not None:
        return Refusal(RefusalReason.OVER, position.side, outcome=ended)
    match action:
        case Step():
            return _why_no_step(position, action)
        case Placement():
            return _why_no_placement(position, action)
        case EndTurn():
            reason = _why_no_end(position)
        case _:
            reason = _why_no_pass(position)
    return None if reason is None else Refusal(reason, position.side)


def format_refusal(board: Board, refusal: Refusal) -> str:
    """Return a refusal in English, as `IllegalActionError` says it.

    >>> from sorcel_pi import parse_action, standard_board, start_position
    >>> board = standard_board()
    >>> format_refusal(board, why_not(start_position(board), parse_action(board, "c3e5")))
    'c3e5: e5 is not next to c3'
    """
    names, ended = board.grid.names, refusal.outcome
    origin, target = refusal.origin, refusal.target
    if refusal.reason is RefusalReason.OUTSIDE:
        numbers = " and ".join(str(space) for space in (origin, target) if space is not None)
        return f"spaces are numbered 0 to {len(names) - 1}, not {numbers}"
    return _ENGLISH[refusal.reason].format(
        side=refusal.side.word,
        at=None if origin is None else names[origin],
        to=None if target is None else names[target],
        coins=refusal.coins,
        stake=refusal.stake,
        purse=refusal.purse,
        ended=None if ended is None else f"{ended.word}, {ended.reason}",
    )


_ENGLISH = {
    RefusalReason.OVER: "the game is over ({ended})",
    RefusalReason.NOT_YOURS: "{at}{to}: {side} has no piece in play on {at}",
    RefusalReason.FAR: "{at}{to}: {to} is not next to {at}",
    RefusalReason.HOLE: "{at}{to}: {to} is a detaining space, which no piece steps into",
    RefusalReason.TAKEN: "{at}{to}: {to} is not empty",
    RefusalReason.NO_STEP: "{at}{to}: {side} has no step in this turn",
    RefusalReason.STEPPED: "+{to}: a placement is a whole turn, and {side} has made a step",
    RefusalReason.NO_RESERVE: "+{to}: {side} has no Shif in reserve",
    RefusalReason.POOR: "+{to}: {side}'s purse holds {purse}, the stake is {stake}",
    RefusalReason.NOT_BESIDE: "+{to}: not an empty hex next to a Sentinel of {side} in play",
    RefusalReason.NO_COINS: "+{to}={coins}: coins are paid in Ahumm only",
    RefusalReason.RAISE: "+{to}={coins}: a raise is more than the stake ({stake}) and at most the "
    "purse ({purse})",
    RefusalReason.NO_STEP_YET: "end: a turn can be ended early only after a step",
    RefusalReason.ALL_STEPPED: "end: no steps are left",
    RefusalReason.NO_EARLY_END: "end: a house rule says that all steps are taken",
    RefusalReason.CAN_BEGIN: "pass: a side that can step or place must not pass",
}


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


def _why_no_step(position: Position, step: Step) -> Refusal | None:
    reason = _step_obstacle(position, step.origin, step.target)
    if reason is None:
        return None
    return Refusal(reason, position.side, origin=step.origin, target=step.target)


def _step_obstacle(position: Position, origin: int, target: int) -> RefusalReason | None:
    board, grid = position.board, position.board.grid
    if not (0 <= origin < grid.n and 0 <= target < grid.n):
        return RefusalReason.OUTSIDE
    if not position.in_play(position.side) >> origin & 1:
        return RefusalReason.NOT_YOURS
    if not grid.adjacent[origin] >> target & 1:
        return RefusalReason.FAR
    if not board.hexes >> target & 1:
        return RefusalReason.HOLE
    if position.occupied >> target & 1:
        return RefusalReason.TAKEN
    return None if position.steps_left else RefusalReason.NO_STEP


def _why_no_placement(position: Position, placement: Placement) -> Refusal | None:
    reason = _placement_obstacle(position, placement)
    if reason is None:
        return None
    side, coins = position.side, position.coins
    stake, purse = (None, None) if coins is None else (coins.stake, coins[side])
    space, paid = placement.space, placement.coins
    return Refusal(reason, side, target=space, coins=paid, stake=stake, purse=purse)


def _placement_obstacle(position: Position, placement: Placement) -> RefusalReason | None:
    side, coins, space = position.side, position.coins, placement.space
    if not 0 <= space < position.board.grid.n:
        return RefusalReason.OUTSIDE
    if position.steps_made:
        return RefusalReason.STEPPED
    if not position.reserve[side]:
        return RefusalReason.NO_RESERVE
    if coins is not None and coins[side] < coins.stake:
        return RefusalReason.POOR
    if not spots(position, side) >> space & 1:
        return RefusalReason.NOT_BESIDE
    if placement.coins is None:
        return None
    if coins is None:
        return RefusalReason.NO_COINS
    return None if coins.stake < placement.coins <= coins[side] else RefusalReason.RAISE


def _why_no_end(position: Position) -> RefusalReason | None:
    if not position.steps_made:
        return RefusalReason.NO_STEP_YET
    if not position.steps_left:
        return RefusalReason.ALL_STEPPED
    return None if position.rules.early_end else RefusalReason.NO_EARLY_END


def _why_no_pass(position: Position) -> RefusalReason | None:
    begins = position.steps_made or can_begin(position, position.side)
    return RefusalReason.CAN_BEGIN if begins else None


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
