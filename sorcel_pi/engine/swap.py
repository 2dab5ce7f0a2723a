"""The swap: who plays second may change seats before the own first turn.

Between strong players the first turn is worth the game, so it is made fair as people cut a cake:
one chooses a first turn that is worth about the same to both, the other chooses the seat.  On the
standard board those turns are data (`openings.json`, by `make openings`); elsewhere some are tried.
"""

import json
import random
from collections.abc import Sequence
from functools import cache
from importlib import resources

from ..rules.actions import Action, legal_actions, outcome, play
from ..rules.board import standard_board
from ..rules.notation import parse_action
from ..rules.position import EGRESSIAN, Position, start_position
from .thinking import Engine, Limits

LOOK = Limits(nodes=30_000)
"""The look at the position that decides on a swap: the same at all levels, as it is taken once."""
EVEN = 25
"""The value for the side to act after a first turn from which both sides won as many games."""
TRIED = 60
"""First turns that are tried where there is no data."""


def wants_swap(engine: Engine, position: Position, limits: Limits = LOOK) -> bool:
    """Whether who is to act in `position`, after the first turn, would rather have the other seat.

    Below `EVEN` the other seat is better.
    """
    return engine.think(position, limits).value < EVEN


def first_turn(
    engine: Engine, position: Position, limits: Limits, rng: random.Random
) -> tuple[Action, ...]:
    """Return a first turn that is worth about the same to both sides, another one every time."""
    if position == start_position(standard_board()) and position.rules == EGRESSIAN:
        return rng.choice(fair_first_turns())
    return _tried(engine, position, limits, rng)


@cache
def fair_first_turns() -> tuple[tuple[Action, ...], ...]:
    """Return the first turns of the standard game from which both sides won as many games."""
    text = resources.files(__package__).joinpath("openings.json").read_text()
    board = standard_board()
    return tuple(
        tuple(parse_action(board, word) for word in str(turn).split())
        for turn in json.loads(text)["dark_share"]
    )


def _tried(
    engine: Engine, position: Position, limits: Limits, rng: random.Random
) -> tuple[Action, ...]:
    """Return the fairest of some random first turns."""
    share = Limits(nodes=max((limits.nodes or 60_000) // TRIED, 300))
    best: tuple[int, tuple[Action, ...]] | None = None
    for _ in range(TRIED):
        turn, after = random_turn(position, rng)
        if outcome(after) is not None:
            continue
        off = abs(engine.think(after, share).value - EVEN)
        if best is None or off < best[0]:
            best = off, turn
    return best[1] if best is not None else random_turn(position, rng)[0]


def random_turn(position: Position, rng: random.Random) -> tuple[tuple[Action, ...], Position]:
    """Return a whole turn at random, and the position after it."""
    side, turn = position.side, list[Action]()
    while position.side == side and outcome(position) is None:
        action = rng.choice(list(legal_actions(position)))
        position = play(position, action)
        turn.append(action)
    return tuple(turn), position


def all_first_turns(position: Position) -> dict[Position, tuple[Action, ...]]:
    """Return every position that a first turn can lead to, with a shortest way to it."""
    side = position.side
    ends: dict[Position, tuple[Action, ...]] = {}
    ways: dict[Position, tuple[Action, ...]] = {position: ()}
    front: Sequence[Position] = [position]
    while front:
        following = []
        for here in front:
            for action in legal_actions(here):
                after = play(here, action)
                if after.side != side:
                    ends.setdefault(after, (*ways[here], action))
                elif outcome(after) is None and after not in ways:
                    ways[after] = (*ways[here], action)
                    following.append(after)
        front = following
    return ends
