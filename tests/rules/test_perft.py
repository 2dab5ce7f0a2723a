"""Perft: how many sequences of exactly so many actions there are."""

import pytest

from sorcel_pi import AHUMM, RuleSet, parse_position, perft, standard_board, start_position
from sorcel_pi.rules.position import EGRESSIAN

from .kit import DENSE

START = (1, 19, 347, 6_494, 123_416, 2_434_254, 47_837_608)


@pytest.mark.parametrize("depth", range(6))
def test_start(depth: int) -> None:
    assert perft(start_position(standard_board()), depth) == START[depth]


@pytest.mark.slow
@pytest.mark.parametrize("rules", [EGRESSIAN, AHUMM], ids=str)
def test_start_to_depth_six(rules: RuleSet) -> None:
    assert perft(start_position(standard_board(), rules), 6) == START[6]


@pytest.mark.parametrize("code", DENSE)
def test_dense(code: str) -> None:
    position = parse_position(code)
    assert tuple(perft(position, depth) for depth in (1, 2, 3)) == DENSE[code]


@pytest.mark.parametrize("depth", range(1, 5))
def test_ahumm(depth: int) -> None:
    assert perft(start_position(standard_board(), AHUMM), depth) == START[depth]


def test_a_game_that_is_over_has_no_leaves() -> None:
    over = parse_position("5/6/7/8/9/8/2FFF2/2SS2/5 l 2/1 3/6 -")
    assert [perft(over, depth) for depth in range(4)] == [1, 0, 0, 0]
