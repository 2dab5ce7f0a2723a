"""What simulated people choose to play: anything, or what hurts most.

A choice is a function of the position and a source of chance; it knows no table.
"""

from collections.abc import Callable, Sequence
from random import Random

from ..rules.actions import Action, Cascade, EndTurn, Placement, Step, resolve_all
from ..rules.cascade import Consequence, Event
from ..rules.hexgrid import spaces_of
from ..rules.position import Position, Side

Choice = Callable[[Position, Random, int], Action]
"""From a position, chance, and the mask of spaces on which nothing can be placed, to an action."""

MOST_RAISED = 3


def choose_random(position: Position, rng: Random, avoid: int = 0) -> Action:
    """Return any legal action; half of the early ends of a turn are thought over again."""
    cascades = _playable(position, avoid)
    action = rng.choice(cascades).action
    if isinstance(action, EndTurn) and rng.random() < 0.5:
        action = rng.choice(cascades).action
    return _raised(position, action, rng)


def choose_greedy(position: Position, rng: Random, avoid: int = 0) -> Action:
    """Return the action that hurts the enemy most at once, or else leads towards them."""
    cascades = _playable(position, avoid)
    best = max(cascades, key=lambda cascade: _worth(cascade) + rng.random() * 1.5)
    return _raised(position, best.action, rng)


CHOICES: dict[str, Choice] = {"random": choose_random, "greedy": choose_greedy}


def _playable(position: Position, avoid: int) -> Sequence[Cascade]:
    """Return what can be played on a table where nothing can be placed on `avoid`."""
    cascades = resolve_all(position)
    if not avoid:
        return cascades
    rest = [
        c for c in cascades if not (isinstance(c.action, Placement) and avoid >> c.action.space & 1)
    ]
    return rest or cascades


def _raised(position: Position, action: Action, rng: Random) -> Action:
    """Let a player of Ahumm pay more than the stake now and then."""
    coins = position.coins
    if not isinstance(action, Placement) or coins is None or rng.random() < 0.7:
        return action
    most = min(coins[position.side], coins.stake + MOST_RAISED)
    if most <= coins.stake:
        return action
    return Placement(action.space, rng.randint(coins.stake + 1, most))


_HURTS = {
    Event.PUSH: 1.0,
    Event.DETAIN: 9.0,
    Event.RELEASE: 4.0,
    Event.OFF: 8.0,
    Event.STRAY: 6.0,
}


def _worth(cascade: Cascade) -> float:
    """Return how much an action pleases somebody who looks one action ahead."""
    before, after, action = cascade.before, cascade.after, cascade.action
    side = before.side
    if after.loser is not None:
        return 1000.0 if after.loser is side.other else -1000.0
    worth = sum(_value(event, side) for event in cascade.consequences)
    worth += len(cascade.consequences)
    if isinstance(action, Placement):
        worth += 3.0 - 0.5 * before.shifs_in_play(side)
    elif isinstance(action, EndTurn):
        worth -= 1.0
    elif isinstance(action, Step) and not cascade.consequences:
        worth += 0.6 * (_far(before, action.origin) - _far(before, action.target))
    return worth


def _value(event: Consequence, side: Side) -> float:
    value = _HURTS[event.event] * (2.0 if event.piece.is_sentinel else 1.0)
    return value if event.piece.side is not side else -1.2 * value


def _far(position: Position, space: int) -> int:
    """Return how far the nearest enemy in play is from `space`."""
    distance = position.board.grid.distance
    foes = spaces_of(position.in_play(position.side.other))
    return min((distance(space, foe) for foe in foes), default=0)
