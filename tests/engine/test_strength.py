"""How strong the levels are: long matches, with the engine in C where nothing else is said."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sorcel_pi import Position
from sorcel_pi.engine import (
    CASUAL,
    LEVELS,
    Engine,
    Level,
    LevelPlayer,
    Result,
    Score,
    match,
    openings,
)
from sorcel_pi.engine.native import Library
from sorcel_pi.engine.values import load_weights, weights_from_text

from .kit import BOARD, RULES

EGRESSIAN = RULES[0]
SEED = 2_024


def player(at: Level, seed: int, library: Library | None) -> LevelPlayer:
    if library is None:
        return LevelPlayer(at, BOARD, EGRESSIAN, seed=seed, native=False)
    return LevelPlayer(at, BOARD, EGRESSIAN, seed=seed, library=library)


def fair_starts(library: Library, seed: int) -> Iterator[Position]:
    return openings(BOARD, EGRESSIAN, seed, judge=Engine(BOARD, EGRESSIAN, library=library))


def score(
    first: Level, second: Level, games: int, library: Library, *, python: bool = False
) -> Score:
    """Return the score of `first`, which thinks in Python if so wanted, against `second`."""
    one = player(first, SEED, None if python else library)
    other = player(second, SEED + 10_000, library)
    found = match(one, other, fair_starts(library, SEED), games)
    one.close()
    other.close()
    print(f"{one.name} - {other.name}: {found}")
    return found


def test_a_high_level_beats_a_low_one(library: Library) -> None:
    assert score(LEVELS[6], LEVELS[2], 20, library).share > 0.7


def test_a_match_can_be_repeated(library: Library) -> None:
    assert score(LEVELS[2], LEVELS[1], 10, library) == score(LEVELS[2], LEVELS[1], 10, library)


def test_the_low_levels_of_c_and_python_play_the_same_games(library: Library) -> None:
    """Python and C are one engine: with the same seeds they play the same actions."""
    games: list[list[object]] = []

    def actions_of(result: Result, _: Score) -> None:
        games[-1].append(result.game.actions)

    for native in (None, library):
        games.append([])
        one, other = player(LEVELS[2], 5, native), player(LEVELS[3], 6, native)
        match(one, other, fair_starts(library, 3), 2, follow=actions_of)
    assert games[0] == games[1]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(2, 10))
def test_each_level_is_stronger_than_the_one_below(library: Library, number: int) -> None:
    """At least 60 Elo in 400 games, and the interval above 0."""
    found = score(LEVELS[number - 1], LEVELS[number - 2], 400, library)
    middle, low, _ = found.elo
    assert middle >= 60
    assert low > 0


@pytest.mark.slow
def test_the_casual_stand_in(library: Library) -> None:
    assert score(LEVELS[0], CASUAL, 400, library).share <= 0.3
    assert score(LEVELS[4], CASUAL, 400, library).share >= 0.9


@pytest.mark.slow
def test_c_and_python_are_as_strong(library: Library) -> None:
    found = score(LEVELS[4], LEVELS[4], 400, library, python=True)
    assert 0.45 <= found.share <= 0.55


@pytest.mark.slow
def test_the_weights_are_better_than_those_set_by_hand_and_than_the_pool(library: Library) -> None:
    from .tune import against

    shipped = load_weights()
    share = against(shipped, load_weights("weights_by_hand"), 400, 1_000, 77)
    print(f"against the weights set by hand: {share:.1%}")
    assert share >= 0.76  # 200 Elo
    for path in sorted((Path(__file__).parent / "pool").glob("*.json")):
        share = against(weights_from_text(path.read_text()), shipped, 400, 1_000, 78)
        print(f"{path.stem}: {share:.1%} against the weights")
        assert share <= 0.55
