"""Pushes: small positions by hand, and crowded ones beside the plain rules."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorcel_pi import (
    Board,
    CascadeError,
    Consequence,
    Event,
    Layout,
    Piece,
    Position,
    RuleSet,
    Side,
    Step,
    hexgrid,
    legal_actions,
    parse_action,
    parse_position,
    perft,
    resolve,
    spaces_of,
    standard_board,
)
from sorcel_pi.rules import turn
from sorcel_pi.rules.cascade import settle_pushes

from .kit import SEEDS
from .plain import PlainBoard

GRID = standard_board().grid


def told(code: str, action: str) -> str:
    """Return the consequences of `action`, such as `push c4 d5, off i9`."""
    position = parse_position(code)
    cascade = resolve(position, parse_action(position.board, action))
    return ", ".join(" ".join(each.as_row(GRID)) for each in cascade.consequences)


# In all of these Light has a Sentinel on a1 and Dark one on i9, far away from what happens.
@pytest.mark.parametrize(
    ("what", "code", "action", "consequences"),
    [
        (
            "nobody is near",
            "4s/6/7/8/9/8/7/1F4/S4 l 1/0 5/6 -",
            "b2b3",
            "",
        ),
        (
            "one space straight away from the hex that was entered, not from the step's origin",
            "5/5s/6f/8/9/8/1F2f2/1S4/S4 l 1/0 5/4 -",
            "c2c3",
            "",
        ),
        (
            "the edge takes a Shif into the reserve",
            "4s/6/7/8/9/8/7/1F4/Sf3 l 1/0 5/5 -",
            "b2b3",
            "off a2, stray b3",
        ),
    ],
)
def test_by_hand(what: str, code: str, action: str, consequences: str) -> None:
    assert told(code, action) == consequences, what
