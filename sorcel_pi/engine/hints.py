"""Hints with a reason: what a turn does, threatens or prevents, found by replaying the rules.

A hint is given in three presses: first which piece, then the whole turn, then why.  No reason is
taken from a value: each names a turn that leads to it, so that it can be replayed and shown on the
board.  Where nothing of the kind can be said, there is no reason.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..errors import IllegalActionError
from ..rules.actions import (
    Action,
    Placement,
    Step,
    legal_actions,
    outcome,
    play,
    resolve,
)
from ..rules.cascade import Consequence, Event
from ..rules.describe import count
from ..rules.hexgrid import HexGrid
from ..rules.movegen import next_turn
from ..rules.position import Position, Side
from .thinking import Engine, Limits, Thought

NODES = {"C": (240_000, 80_000), "Python": (30_000, 10_000)}
"""Nodes for the turn itself, and for each look at what it threatens or prevents."""
MOST_NAMED = 3


class Why(StrEnum):
    """What kind of reason it is."""

    WINS = "wins"
    """The turn wins the game."""
    DOES = "does"
    """It costs the other side pieces."""
    THREATENS_WIN = "threatens to win"
    """The next turn would win if the other side did nothing."""
    THREATENS = "threatens"
    """The next turn would cost the other side pieces if that did nothing."""
    PREVENTS_LOSS = "prevents the loss"
    """Without it the other side would win in its next turn."""
    PREVENTS = "prevents"
    """Without it the other side's next turn would cost pieces, and now does not."""
    STRENGTHENS = "strengthens"
    """A Shif comes into play, and every turn has a step more."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason: in `position` the actions `turn` lead to `consequences`, which are what matters.

    `position` is the one of the hint (wins, does, strengthens), the one after the turn with the
    other side's turn left out (threatens), or the one of the hint with the own turn left out
    (prevents).
    """

    why: Why
    position: Position
    turn: tuple[Action, ...]
    consequences: tuple[Consequence, ...] = ()

    def __str__(self) -> str:
        """Say it, without capital letter and full stop."""
        grid = self.position.board.grid
        told = _listed([consequence_words(grid, each) for each in self.consequences[:MOST_NAMED]])
        match self.why:
            case Why.WINS:
                return f"wins: {told}" if told else "wins"
            case Why.DOES:
                return told
            case Why.THREATENS_WIN:
                return f"threatens to win: {told}" if told else "threatens to win"
            case Why.PREVENTS_LOSS:
                return f"prevents a loss: {told}" if told else "prevents a loss"
            case Why.STRENGTHENS:
                steps = self.position.shifs_in_play(self.position.side) + 1
                return f"gives {count(steps, 'step')} a turn"
            case _:
                return f"{self.why} this: {told}"


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint for the side to act in `position`: `turn` is all that is left of its turn."""

    position: Position
    turn: tuple[Action, ...]
    thought: Thought
    reasons: tuple[Reason, ...]

    @property
    def piece(self) -> int | None:
        """The first press: the space of the piece that acts first; None if it comes from elsewhere.

        See `places`: the piece is in reserve. Otherwise the turn is only ended or passed.
        """
        first = self.turn[0]
        return first.origin if isinstance(first, Step) else None

    @property
    def places(self) -> bool:
        """Whether the turn is the placement of a Shif."""
        return isinstance(self.turn[0], Placement)

    @property
    def why(self) -> str:
        """The third press: the reasons in words, empty if there are none."""
        return "; ".join(map(str, self.reasons))


def hint(
    engine: Engine,
    position: Position,
    *,
    past: Sequence[Position] = (),
    nodes: tuple[int, int] | None = None,
) -> Hint | None:
    """Return a hint for the side to act; None when the game is over.

    >>> from sorcel_pi import parse_position
    >>> position = parse_position("5/6/fSff3/1F1sF3/1S1F5/1s1F1f2/1F5/1F4/5 l 6/0 0/2 -")
    >>> engine = Engine(position.board, position.rules, native=False)
    >>> found = hint(engine, position, nodes=(3000, 1000))
    >>> found.why != ""
    True
    """
    if outcome(position) is not None:
        return None
    for_turn, for_look = nodes or NODES[engine.name]
    turn, thought, after = whole_turn(engine, position, for_turn, past)
    return Hint(position, turn, thought, reasons_of(engine, position, turn, after, for_look))


def whole_turn(
    engine: Engine, position: Position, nodes: int, past: Sequence[Position] = ()
) -> tuple[tuple[Action, ...], Thought, Position]:
    """Return the best turn to its end, the first thought about it, and the position after it."""
    first: Thought | None = None
    done: list[Action] = []
    line: list[Action] = []
    side = position.side
    while position.side == side and outcome(position) is None:
        if not line:
            thought = engine.think(position, Limits(nodes=nodes), past=past)
            first = first or thought
            line = list(thought.line)
        done.append(line.pop(0))
        position = play(position, done[-1])
    assert first is not None
    return tuple(done), first, position


def reasons_of(
    engine: Engine, position: Position, turn: Sequence[Action], after: Position, nodes: int
) -> tuple[Reason, ...]:
    """Return what speaks for a `turn` of `position` that leads to `after`."""
    side = position.side
    harm = harm_to(consequences_of(position, turn), side.other)
    ended = outcome(after)
    if ended is not None:
        won = ended.winner == side
        return (Reason(Why.WINS, position, tuple(turn), harm),) if won else ()
    if harm:
        return (Reason(Why.DOES, position, tuple(turn), harm),)
    reasons = [*_threats(engine, after, side, nodes), *_prevented(engine, position, after, nodes)]
    if isinstance(turn[0], Placement):
        reasons.append(Reason(Why.STRENGTHENS, position, tuple(turn)))
    return tuple(reasons)


def _threats(engine: Engine, after: Position, side: Side, nodes: int) -> Iterable[Reason]:
    """Yield what the next turn would do if the other side did nothing."""
    free = skipped(after)
    if free is None:
        return
    turn, _, end = whole_turn(engine, free, nodes)
    ended = outcome(end)
    harm = harm_to(consequences_of(free, turn), side.other)
    if ended is not None and ended.winner == side:
        yield Reason(Why.THREATENS_WIN, free, turn, harm)
    elif harm:
        yield Reason(Why.THREATENS, free, turn, harm)


def _prevented(engine: Engine, position: Position, after: Position, nodes: int) -> Iterable[Reason]:
    """Yield what the other side would do if this turn were left out, and cannot do now."""
    if position.steps_made:
        return  # the turn cannot be left out any more
    idle = skipped(position)
    if idle is None:
        return
    side = position.side
    turn, _, end = whole_turn(engine, idle, nodes)
    ended, harm = outcome(end), harm_to(consequences_of(idle, turn), side)
    lost = ended is not None and ended.winner == side.other
    if not lost and not harm:
        return
    reply, _, then = whole_turn(engine, after, nodes)
    if lost:
        now = outcome(then)
        if (now is None or now.winner != side.other) and not still_wins(after, turn):
            yield Reason(Why.PREVENTS_LOSS, idle, turn, harm)
        return
    still = lost_pieces(harm_to(consequences_of(after, reply), side))
    still |= lost_pieces(harm_to(consequences_of(after, turn), side))
    saved = tuple(each for each in harm if (each.piece, each.origin) not in still)
    if len(saved) == len(harm) and not still:
        yield Reason(Why.PREVENTS, idle, turn, saved)


def skipped(position: Position) -> Position | None:
    """Return `position` with the turn that begins there left out; None where nobody could act."""
    after = next_turn(position)
    return after if outcome(after) is None and legal_actions(after) else None


def still_wins(position: Position, turn: Sequence[Action]) -> bool:
    """Whether `turn`, as far as it can be played in `position`, wins for the side to act."""
    side = position.side
    try:
        for action in turn:
            position = play(position, action)
    except IllegalActionError:
        pass
    ended = outcome(position)
    return ended is not None and ended.winner == side


def consequences_of(position: Position, turn: Sequence[Action]) -> list[Consequence]:
    """Return what `turn` leads to, as far as it can be played in `position`."""
    found: list[Consequence] = []
    for action in turn:
        try:
            cascade = resolve(position, action)
        except IllegalActionError:
            break
        found += cascade.consequences
        position = cascade.after
    return found


def harm_to(consequences: Iterable[Consequence], side: Side) -> tuple[Consequence, ...]:
    """Return those that take a piece of `side` out of play."""
    harmful = (Event.DETAIN, Event.OFF, Event.STRAY)
    return tuple(c for c in consequences if c.event in harmful and c.piece.side == side)


def lost_pieces(consequences: Iterable[Consequence]) -> set[tuple[object, int]]:
    """Return which piece is lost from where."""
    return {(each.piece, each.origin) for each in consequences}


_WORDS = {
    Event.DETAIN: "the {piece} on {origin} is detained in {target}",
    Event.OFF: "the {piece} on {origin} is pushed off the board",
    Event.STRAY: "the {piece} on {origin} is cut off",
}


def consequence_words(grid: HexGrid, consequence: Consequence) -> str:
    """Return what happens to the piece, such as `the Dark Shif on f6 is detained in e5`."""
    target = consequence.target
    return _WORDS[consequence.event].format(
        piece=consequence.piece.word,
        origin=grid.names[consequence.origin],
        target="" if target is None else grid.names[target],
    )


def _listed(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
