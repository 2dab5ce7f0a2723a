"""Wins in the turn: none is missed from 10 000 nodes on."""

import pytest

from sorcel_pi import Position, outcome, play
from sorcel_pi.engine import Engine, Limits
from sorcel_pi.engine.native import Library, NativeSearch
from sorcel_pi.engine.puzzles import load_puzzles

from .kit import BOARD, RULES
from .test_hints import positions_of_games

NODES = (10_000, 30_000, 100_000)


def misses(engine: Engine, positions: list[Position], nodes: int) -> int:
    """Return in how many positions no win in the turn is found; each one found is replayed."""
    missed = 0
    for position in positions:
        engine.forget()
        thought = engine.think(position, Limits(nodes=nodes))
        if thought.ends_in is None or not 0 < thought.ends_in <= max(position.steps_left, 1):
            missed += 1
            continue
        after = position
        for action in thought.line[: thought.ends_in]:
            after = play(after, action)
        ended = outcome(after)
        assert len(thought.line) < thought.ends_in or (
            ended is not None and ended.winner == position.side
        )
    return missed


def with_a_win(library: Library, positions: list[Position]) -> list[Position]:
    """Return those in which some turn wins: all turns are looked at."""
    search = NativeSearch(library, BOARD, RULES[0], table_bits=4)
    found = []
    for position in positions:
        count, _ = search.wins(position, 1)
        assert count >= 0
        found += [position] * count
    return found


def test_no_win_is_missed(library: Library) -> None:
    positions = with_a_win(library, positions_of_games(library, 120, 31))
    assert len(positions) >= 5
    assert misses(Engine(BOARD, RULES[0], library=library), positions, NODES[0]) == 0


def test_puzzles_are_solved_in_python() -> None:
    positions = [puzzle.position for puzzle in load_puzzles()[::8]]
    assert misses(Engine(BOARD, RULES[0], native=False), positions, NODES[0]) == 0


@pytest.mark.slow
def test_no_win_is_missed_in_500_turns(library: Library) -> None:
    turns = positions_of_games(library, 500, 2_024)
    positions = with_a_win(library, turns)
    engine = Engine(BOARD, RULES[0], library=library)
    for nodes in NODES:
        missed = misses(engine, positions, nodes)
        print(f"{missed} of {len(positions)} wins in {len(turns)} turns missed at {nodes} nodes")
        assert missed == 0
