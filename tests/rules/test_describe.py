"""Positions and cascades in words."""

import pytest

from sorcel_pi import (
    AHUMM,
    EndTurn,
    Pass,
    Placement,
    Step,
    parse_action,
    parse_position,
    resolve,
    standard_board,
    start_position,
)
from sorcel_pi.rules.describe import (
    describe_action,
    describe_cascade,
    describe_coins,
    describe_position,
    describe_turn,
)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Step(13, 21), "the Light Shif steps from c3 to d4"),
        (Step(30, 31), "the Light piece steps from e5 to e6"),  # not legal, and no error either
        (Placement(12), "Light places a Shif on c2"),
        (Placement(12, 3), "Light places a Shif on c2 and pays 3 coins"),
        (Placement(12, 1), "Light places a Shif on c2 and pays 1 coin"),
        (EndTurn(), "Light ends the turn"),
        (Pass(), "Light passes"),
    ],
)
def test_actions(action: Step | Placement | EndTurn | Pass, words: str) -> None:
    assert describe_action(start_position(standard_board()), action) == words


def test_every_kind_of_consequence() -> None:
    code = "5/6/6f/8/9/4FfF1/F2FF2/1S2sS/1fs2 l 4/0 1/3 -"
    cascade = resolve(parse_position(code), parse_action(standard_board(), "b6a5"))
    told = describe_cascade(cascade)
    assert told[0] == "the Light Sentinel steps from b6 to a5"
    assert "the Dark Shif on d5 is pushed into e5 and detained" not in told  # it is Light's
    assert told[1] == "the Light Shif on d5 is pushed into e5 and detained"
    assert told[3] == "the Dark Sentinel on b5 is pushed to c5"
    assert told[4] == "the Light Shif detained in e5 comes off the board"
    assert told[7] == "the Light Shif on d7 is no longer connected and comes off the board"


def test_positions() -> None:
    assert describe_position(start_position(standard_board(), AHUMM)) == (
        "Light to act, 3 steps left. Light Sentinel on b3 and b4. Light Shif on c3, c4 and c5. "
        "Dark Sentinel on h6 and h7. Dark Shif on g5, g6 and g7. "
        "In reserve: Light 3 Shifs, Dark 3 Shifs. Purses: Light 20, Dark 20; pot 0, stake 1."
    )
    held = "F4/2s1S1/2Ss3/4f3/9/8/F6/6/5 l 1/0 4/5 -"
    assert "Light Shif on i5. Light Shif detained in c1. " in describe_position(
        parse_position(held)
    )


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("5/2ss2/2fff2/8/9/3F4/3FF2/2SS2/5 l 2/1 3/3 -", "Light to act, 2 steps left and 1 made"),
        ("F4/2s1S1/2Ss3/4f3/9/8/F6/6/5 l 1/0 4/5 -", "Light to act, 1 step left"),
        ("5/6/7/8/9/8/2FFF2/2SS2/5 l 2/1 3/6 -", "Light has won (sentinels)"),
        ("1s3/s5/7/2f5/4S4/8/7/6/2S2 l 0/0 6/5 1/1/38/5", "The game is drawn (blocked)"),
    ],
)
def test_whose_turn_it_is(code: str, words: str) -> None:
    assert describe_turn(parse_position(code)) == words


def test_without_a_pot_there_are_no_coins() -> None:
    assert describe_coins(start_position(standard_board())) == ""
