"""What hands have to do for an action, in an order that a person would choose without the lights.

From a cascade and the wood to a list of moves: the step or placement, pieces moved one at a time,
lines shoved with a finger.  Each is possible when its turn comes.
"""

from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from ..rules.actions import Cascade, Placement, Step
from ..rules.cascade import Consequence, Event
from ..rules.hexgrid import HexGrid


class Move(NamedTuple):
    """Wooden `pieces` go to `target` (None: off the board), or one space on in a `direction`.

    `acts` marks the step or placement itself.
    """

    pieces: tuple[int, ...]
    target: int | None
    direction: int | None = None
    acts: bool = False


def by_the_rules(
    cascade: Cascade, truth: Mapping[int, int], actor: int, rng: Random, shoves: float
) -> list[Move]:
    """Return the moves push by push, the farthest piece of a line first, or a line shoved."""
    grid = cascade.before.board.grid
    at = dict(truth)
    moves = [_acting(cascade, at, actor)]
    for push in _pushes(cascade.consequences, grid):
        far = push[0]
        if far.event is Event.RELEASE:
            moves.append(Move((at.pop(far.origin),), None))
            push = push[1:]
        if push[0].cause is not None and rng.random() < shoves:
            line = tuple(at.pop(event.origin) for event in reversed(push))
            moves.append(
                Move(line, push[-1].target, grid.direction(push[0].cause, push[-1].origin))
            )
            for number, event in zip(line, reversed(push), strict=True):
                if event.target is not None:
                    at[event.target] = number
            continue
        for event in push:
            number = at.pop(event.origin)
            moves.append(Move((number,), event.target))
            if event.target is not None:
                at[event.target] = number
    return moves


def to_the_end(
    cascade: Cascade, truth: Mapping[int, int], actor: int, rng: Random, *, foes_first: bool
) -> list[Move] | None:
    """Return the moves with each piece moved once, to where it ends; None where that is no way.

    With `foes_first` pieces of the other side may be moved before the step.
    """
    before = cascade.before
    at = dict(truth)
    step = _acting(cascade, at, actor)
    stood = {number: space for space, number in at.items()}
    for event in cascade.consequences:
        number = at.pop(event.origin)
        if event.target is not None:
            at[event.target] = number
    ends = {number: space for space, number in at.items()}
    todo = [Move((n,), ends.get(n)) for n, space in stood.items() if ends.get(n) != space]
    taken = set(truth)
    place = {number: space for space, number in truth.items()}
    foes = before.in_play(before.side.other) | before.detained
    order: list[Move] = []
    acted = False
    while todo or not acted:
        ready = [d for d in todo if d.target is None or d.target not in taken]
        if not acted:
            ready = [d for d in ready if d.pieces[0] != actor and foes >> stood[d.pieces[0]] & 1]
            free = step.target not in taken
            if free and not (foes_first and ready and rng.random() < 0.5):
                ready = [step]
        if not ready:
            return None
        move = rng.choice(ready)
        if move.acts:
            acted = True
        else:
            todo.remove(move)
        order.append(move)
        number = move.pieces[0]
        if number in place:
            taken.discard(place[number])
        if move.target is not None:
            place[number] = move.target
            taken.add(move.target)
    return order


def _acting(cascade: Cascade, at: dict[int, int], actor: int) -> Move:
    """Return the move of the step or placement, and let it happen in `at`."""
    action = cascade.action
    if isinstance(action, Step):
        del at[action.origin]
        at[action.target] = actor
        return Move((actor,), action.target, acts=True)
    assert isinstance(action, Placement)
    at[action.space] = actor
    return Move((actor,), action.space, acts=True)


def _pushes(events: tuple[Consequence, ...], grid: HexGrid) -> list[list[Consequence]]:
    """Return the consequences push by push: a push ends with the piece next to its cause."""
    pushes: list[list[Consequence]] = []
    push: list[Consequence] = []
    for event in events:
        push.append(event)
        near = event.cause is None or grid.distance(event.cause, event.origin) == 1
        if near and event.event is not Event.RELEASE:
            pushes.append(push)
            push = []
    return pushes
