"""Perft: how many sequences of exactly so many actions there are."""

import pytest

from sorcel_pi import (
    AHUMM,
    EGRESSIAN,
    Pass,
    RuleSet,
    legal_actions,
    parse_position,
    perft,
    play,
    resolve_all,
    rule_set_from_text,
    standard_board,
    start_position,
)

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


def test_to_pass_is_one_action() -> None:
    cornered = parse_position("5/6/7/8/9/8/2s4/ff4/Sf3 l 0/0 6/3 -")
    assert list(legal_actions(cornered)) == [Pass()]
    after = play(cornered, Pass())
    assert perft(cornered, 1) == 1
    assert [perft(cornered, depth + 1) for depth in (1, 2)] == [perft(after, d) for d in (1, 2)]


def test_a_game_in_which_nobody_can_begin_has_no_leaves() -> None:
    blocked = parse_position("4s/6/7/8/9/8/7/6/S4 l 0/0 0/0 -", rules=RuleSet(shifs=0, detained=2))
    assert blocked.loser is None
    assert [perft(blocked, depth) for depth in range(4)] == [1, 0, 0, 0]


def test_a_game_that_is_over_has_no_leaves() -> None:
    over = parse_position("5/6/7/8/9/8/2FFF2/2SS2/5 l 2/1 3/6 -")
    assert [perft(over, depth) for depth in range(4)] == [1, 0, 0, 0]


@pytest.mark.parametrize("rules", ["early_end=no", "placement_pushes=yes", "ahumm purse=1"])
def test_house_rules_beside_actions_played_one_by_one(rules: str) -> None:
    start = start_position(standard_board(), rule_set_from_text(rules))
    layer = [start]
    for depth in (1, 2, 3):
        layer = [cascade.after for position in layer for cascade in resolve_all(position)]
        assert perft(start, depth) == len(layer)
