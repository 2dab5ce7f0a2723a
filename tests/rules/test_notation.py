"""Actions and position codes as text: read, written, and refused with text and place."""

import re

import pytest

from sorcel_pi import (
    AHUMM,
    EGRESSIAN,
    Coins,
    EndTurn,
    IllegalActionError,
    ImpossiblePositionError,
    Layout,
    NotationError,
    Pass,
    Placement,
    Position,
    RuleSet,
    Step,
    format_action,
    format_position,
    legal_actions,
    outcome,
    parse_action,
    parse_position,
    play,
    standard_board,
    start_position,
)
from sorcel_pi.rules.actions import Action
from sorcel_pi.rules.board import make_board
from sorcel_pi.rules.position import Side, check_position

BOARD = standard_board()
START = "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -"
FAR = make_board("far", 8, 0, Layout(1 << 9, 0, 1 << 160, 0))


# -- actions --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("c3d4", Step(13, 21)),
        ("+c4", Placement(14)),
        ("+c4=3", Placement(14, 3)),
        ("+c4=0", Placement(14, 0)),
        ("+c4=9999999", Placement(14, 9999999)),
        ("end", EndTurn()),
        ("pass", Pass()),
    ],
)
def test_actions(text: str, action: Action) -> None:
    assert parse_action(BOARD, text) == action
    assert format_action(BOARD, action) == text


def test_numbers_of_two_digits() -> None:
    grid = FAR.grid
    step = Step(grid.number("h15"), grid.number("h14"))
    assert format_action(FAR, step) == "h15h14"
    assert parse_action(FAR, "h15h14") == step
    assert parse_action(FAR, "+o15") == Placement(grid.n - 1)


BAD_ACTIONS = [
    *("", "c3", "c3-d4", "C3D4", "c3d4 ", " c3d4", "c3d4\n", "END", "++c4", "+c4=", "+c4=-1"),
    *("+c4=1.5", "+c4=12345678", "c3d4=2", "c²d4", "c٣d4", "+c4=٣", "c3d4\0", "p3q4", "c003d4"),
]


@pytest.mark.parametrize("text", BAD_ACTIONS)
def test_bad_actions(text: str) -> None:
    with pytest.raises(
        NotationError, match=re.escape(f"action {text!r}: expected a step (c3d4), a")
    ):
        parse_action(BOARD, text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("c3d9", "'d9' is not a space of a board of side 5"),
        ("j1a1", "'j1' is not a space"),
        ("+i4", "'i4' is not a space"),
        ("c03d4", "'c03' is not a space"),
        ("+c4=03", "coins '03': expected a whole number without leading zeros"),
    ],
)
def test_actions_off_the_board(text: str, complaint: str) -> None:
    with pytest.raises(NotationError, match=re.escape(f"action {text!r}: {complaint}")):
        parse_action(BOARD, text)


def test_a_long_text_is_shortened() -> None:
    with pytest.raises(NotationError) as caught:
        parse_action(BOARD, "c3" * 100_000)
    assert len(str(caught.value)) < 200


# -- why not --------------------------------------------------------------------------------------

MIDDLE = "5/2ss2/2fff2/8/9/3F4/3FF2/2SS2/5 l 2/1 3/3 -"


@pytest.mark.parametrize(
    ("code", "action", "complaint"),
    [
        (START, "g5f5", "g5f5: light has no piece in play on g5"),
        (START, "d4d5", "d4d5: light has no piece in play on d4"),
        (START, "c3e4", "c3e4: e4 is not next to c3"),
        (START, "c3c3", "c3c3: c3 is not next to c3"),
        (START, "c4d5", None),
        (START, "c3c4", "c3c4: c4 is not empty"),
        (MIDDLE, "d4d3", "d4d3: d3 is a detaining space, which no piece steps into"),
        (START, "+c6", r"+c6: not an empty hex next to a Sentinel of light in play"),
        (START, "+c3", r"+c3: not an empty hex"),
        (START, "end", "end: a turn can be ended early only after a step"),
        (START, "pass", "pass: a side that can step or place must not pass"),
        (MIDDLE, "+b2", r"+b2: a placement is a whole turn, and light has made a step"),
        (MIDDLE, "pass", "pass: a side that can step or place must not pass"),
        (MIDDLE, "end", None),
        ("5/2ss2/7/8/9/8/7/6/S4 l 0/0 6/6 -", "a1a2", "a1a2: light has no step in this turn"),
        ("5/6/7/8/9/8/7/6/SF3 l 0/1 5/6 -", "a1b1", "the game is over (light, sentinels)"),
    ],
)
def test_why_an_action_is_not_legal(code: str, action: str, complaint: str | None) -> None:
    position = parse_position(code)
    if complaint is None:
        assert parse_action(BOARD, action) in legal_actions(position)
        return
    with pytest.raises(IllegalActionError, match=re.escape(complaint)):
        play(position, parse_action(BOARD, action))


@pytest.mark.parametrize("action", [Step(-1, 0), Step(0, 61), Placement(-1), Placement(61)])
def test_numbers_beyond_the_board(action: Action) -> None:
    position = parse_position(START)
    assert action not in legal_actions(position)
    with pytest.raises(IllegalActionError, match="spaces are numbered 0 to 60"):
        play(position, action)


def test_no_end_without_steps_left() -> None:
    position = parse_position(MIDDLE)._replace(steps_left=0)
    assert EndTurn() not in legal_actions(position)
    with pytest.raises(IllegalActionError, match="end: no steps are left"):
        play(position, EndTurn())


def test_other_things_are_not_legal_either() -> None:
    view = legal_actions(parse_position(START))
    assert "c3d4" not in view
    assert None not in view
    assert repr(view).startswith("LegalActions(Position(")


# -- position codes -------------------------------------------------------------------------------


def test_a_code_with_purses_is_ahumm_by_itself() -> None:
    assert parse_position(START).rules == EGRESSIAN
    ahumm = parse_position(START.replace("-", "20/20/0/1"))
    assert (ahumm.rules, ahumm.coins) == (AHUMM, Coins(20, 20, 0, 1))


def test_a_detained_piece_is_shown_in_its_hole() -> None:
    position = parse_position("5/2ss2/2ff3/8/4f4/8/2FFF2/2SS2/5 l 3/0 3/3 -")
    assert BOARD.grid.names_of(position.detained) == ("e5",)
    assert position.shifs_in_play(Side.DARK) == 2


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        (
            "",
            "expected five fields separated by single spaces (rows, side, steps, reserves, coins)",
        ),
        (START + " ", "expected five fields"),
        (START.replace(" l ", "  l "), "not 6"),
        (START.replace(" l ", "\tl "), "not 4"),
        ("5 l 3/0 3/3 -", "rows '5': expected 9 rows on a board of side 5, not 1"),
        (START.replace("5/2ss2", "5/2ss3", 1), "row h '2ss3': has 7 spaces, expected 6"),
        (START.replace("5/2ss2", "5/2ss1", 1), "row h '2ss1': has 5 spaces, expected 6"),
        (START.replace("/9/", "/09/"), "row e '09': '09' is not a number of empty spaces"),
        (START.replace("/9/", "/0/"), "row e '0': '0' is not a number"),
        (START.replace("/9/", "/100/"), "row e '100': '100' is not a number"),
        (START.replace("/9/", "/S²S/"), "row e 'S²S': '²' is not S, F, s, f or a number"),
        (START.replace("/9/", "/٩/"), "'٩' is not S, F, s, f or a number"),
        (START.replace("/9/", "/x8/"), "'x' is not S, F, s, f or a number"),
        (START.replace("/9/", "//"), "row e '': has 0 spaces, expected 9"),
        (START.replace("/9/", "/" + "F" * 9999 + "/"), "has 9999 spaces, expected 9"),
        (START.replace(" l ", " L "), "side 'L': expected l or d"),
        (START.replace(" l ", " ld "), "side 'ld': expected l or d"),
        (START.replace("3/0", "3"), "steps left/made '3': expected number/number"),
        (START.replace("3/0", "3/0/0"), "steps left/made '3/0/0'"),
        (START.replace("3/0", "03/0"), "steps left/made '03/0'"),
        (START.replace("3/0", "-3/0"), "steps left/made '-3/0'"),
        (START.replace("3/3", "3/x"), "reserves '3/x': expected number/number"),
        (START.replace("3/3", "3/" + "9" * 5000), "reserves '3/9999"),
        (START.replace("-", "20/20/0"), "coins '20/20/0': expected number/number/number/number"),
        (START.replace("-", "0"), "coins '0'"),
    ],
)
def test_codes_that_cannot_be_read(code: str, complaint: str) -> None:
    with pytest.raises(NotationError, match=re.escape(complaint)) as caught:
        parse_position(code)
    assert str(caught.value).startswith("position code '")


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        (
            "5/1sss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -",
            "Dark has 3 Sentinels, expected at most 2",
        ),
        (START.replace("3/3", "2/3"), "reserves: light shows 3 Shifs and has 2 in reserve"),
        (
            START.replace("3/3", "3/4"),
            "reserves: dark shows 3 Shifs and has 4 in reserve, expected 6",
        ),
        ("5/2ss2/2fff2/F7/9/8/2FF3/2SS2/5 l 3/0 3/3 -", "Light's Shif is not connected: f2"),
        (
            START.replace("3/0", "2/0"),
            "steps 2/0: light has 3 Shifs in play, so a turn begins with 3/0",
        ),
        (
            START.replace("3/0", "0/3"),
            "steps 0/3: no step is possible, so the turn would have ended",
        ),
        ("5/6/7/8/9/8/2s4/ff4/Sf3 l 1/1 6/3 -", "steps 1/1: no step is possible"),
        (
            START.replace("-", "20/20/0/0"),
            "coins 20/20/0/0: purses and pot are at least 0, the stake",
        ),
        ("5/6/7/8/9/8/7/6/S3F l 1/0 5/6 -", "Light's Shif is not connected: a5"),
    ],
)
def test_codes_that_cannot_stand(code: str, complaint: str) -> None:
    with pytest.raises(ImpossiblePositionError, match=re.escape(complaint)) as caught:
        parse_position(code)
    assert str(caught.value).startswith(f"position code '{code[:30]}")


def test_the_rule_set_decides_about_coins_and_totals() -> None:
    with pytest.raises(ImpossiblePositionError, match="the rule set ahumm needs purses, pot and"):
        parse_position(START, rules=AHUMM)
    with pytest.raises(ImpossiblePositionError, match="the rule set egressian has no purses, pot"):
        parse_position(START.replace("-", "20/20/0/1"), rules=EGRESSIAN)
    with pytest.raises(ImpossiblePositionError, match="light shows 3 Shifs and has 3 in reserve"):
        parse_position(START, rules=RuleSet(shifs=7))
    with pytest.raises(ImpossiblePositionError, match="expected 2 in total"):
        parse_position(START, rules=RuleSet(shifs=2))


def test_a_game_that_is_over_may_have_any_steps() -> None:
    won = parse_position("5/6/7/8/9/8/2FFF2/2SS2/5 l 2/0 3/6 -")
    assert outcome(won) is not None
    assert format_position(won) == "5/6/7/8/9/8/2FFF2/2SS2/5 l 2/0 3/6 -"


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"steps_left": -1, "steps_made": 1}, "steps -1/1: below zero"),
        ({"pieces": Layout(1 << 61, 0, 2, 0)}, "a piece is beyond the 61 spaces of the board"),
        ({"pieces": Layout(3, 0, 2, 0)}, "two pieces stand on a2"),
        ({"pieces": Layout(1, 0b11111110, 1 << 60, 0)}, "Light has 7 Shifs on the board, expected"),
        ({"coins": Coins(1, 1, -1, 1)}, "the rule set egressian has no purses"),
        ({"rules": AHUMM, "coins": Coins(1, 1, -1, 1)}, "coins 1/1/-1/1: purses and pot are"),
    ],
)
def test_positions_put_together_by_hand(changes: dict[str, object], complaint: str) -> None:
    position: Position = start_position(BOARD)._replace(**changes)  # type: ignore[arg-type]
    with pytest.raises(ImpossiblePositionError, match=re.escape(complaint)):
        check_position(position)


def test_a_drawing_of_the_board() -> None:
    position = parse_position("5/2ss2/2ff3/8/4f4/8/2FF3/2SS2/5 l 2/0 4/3 -")
    assert str(position).splitlines() == [
        "i          .   .   .   .   .",
        "h        .   .   s   s   .   .",
        "g      o   .   f   f   .   .   o",
        "f    .   .   o   .   .   o   .   .",
        "e  .   .   .   .  (f)  .   .   .   .",
        "d    .   .   o   .   .   o   .   .",
        "c      o   .   F   F   .   .   o",
        "b        .   .   S   S   .   .",
        "a          .   .   .   .   .",
    ]
    placed = {BOARD.grid.names[space]: piece.word for space, piece in position.placed()}
    assert placed["e5"] == "Dark Shif"
    assert placed["b3"] == "Light Sentinel"
    assert [position.piece_at(k) for k in (0, 13)] == [None, position.piece_at(14)]
