"""Waiting times: from the config, and for contacts that tell late."""

from dataclasses import replace

import pytest

from sorcel_pi.app import companion_of, timing_of
from sorcel_pi.config.schema import Config, ContactsConfig, TableConfig
from sorcel_pi.rules.board import standard_board
from sorcel_pi.rules.game import Game
from sorcel_pi.rules.position import EGRESSIAN, start_position
from sorcel_pi.table.timing import HALL_LATENCY_S, Timing


def test_the_times_are_those_of_the_config() -> None:
    assert timing_of(Config()) == Timing()
    assert timing_of(Config(table=TableConfig(settle_s=0.5))) == Timing(settle_s=0.5)


def test_contacts_that_tell_late_have_times_that_allow_for_it() -> None:
    late = Config(contacts=ContactsConfig(latency_s=HALL_LATENCY_S))
    usual, made = Timing(), timing_of(late)
    assert made.settle_s == pytest.approx(usual.settle_s + 0.075)
    assert made.shove_s == pytest.approx(usual.shove_s + 0.075)
    assert made.shove_far_s == pytest.approx(usual.shove_far_s + 0.075)
    assert made.landed_s == pytest.approx(usual.landed_s - 0.075)
    assert made.slide_s == pytest.approx(0.1)
    others = replace(
        made,
        slide_s=usual.slide_s,
        settle_s=usual.settle_s,
        shove_s=usual.shove_s,
        shove_far_s=usual.shove_far_s,
        landed_s=usual.landed_s,
    )
    assert others == usual
    assert usual.with_latency(0.2).landed_s > 0


def test_contacts_that_tell_late_look_as_if_they_overlapped() -> None:
    board = standard_board()
    game = Game(start_position(board, EGRESSIAN))
    usual = companion_of(Config(), game)
    assert not any(usual.referee.overlaps.values())
    late = companion_of(Config(contacts=ContactsConfig(latency_s=HALL_LATENCY_S)), game)
    assert late.referee.overlaps == dict(enumerate(board.grid.adjacent))
