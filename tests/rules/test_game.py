"""A game: playing, taking back, resigning, agreeing, and what is refused when."""

import pytest

from sorcel_pi import (
    EndTurn,
    Game,
    IllegalActionError,
    NotationError,
    Outcome,
    Pass,
    Reason,
    Side,
    Step,
    legal_actions,
    parse_position,
    standard_board,
    start_position,
)
from sorcel_pi.rules.actions import Action
from sorcel_pi.rules.position import PIECES, SIDES, sentinel, shif

START = start_position(standard_board())


def played(*texts: str) -> Game:
    game = Game(START)
    for text in texts:
        game.play(text)
    return game


def test_a_new_game() -> None:
    game = Game(START)
    assert (game.position, game.actions, game.cascades, game.outcome) == (START, (), (), None)
    assert list(game.legal_actions) == list(legal_actions(START))


def test_actions_are_played_as_values_or_texts() -> None:
    assert played("c3d4").position == Game(START).play(Step(13, 21)).after
    game = played("c3d4", "end")
    assert game.actions == (Step(13, 21), EndTurn())
    assert game.cascades[0].before is START
    assert game.cascades[1].after is game.position


@pytest.mark.parametrize(
    ("action", "error", "complaint"),
    [
        ("c3", NotationError, "action 'c3': expected a step"),
        ("c3d9", NotationError, "'d9' is not a space"),
        ("c3c4", IllegalActionError, r"c3c4: c4 is not empty in 5/2ss2/\S+ l 3/0 3/3 -"),
        (Pass(), IllegalActionError, "must not pass in 5/2ss2"),
    ],
)
def test_a_refused_action_changes_nothing(
    action: Action | str, error: type[Exception], complaint: str
) -> None:
    game = Game(START)
    with pytest.raises(error, match=complaint):
        game.play(action)
    assert (game.position, game.actions) == (START, ())


def test_undo() -> None:
    game = played("c3d4", "end")
    assert game.undo().action == EndTurn()
    assert game.undo().action == Step(13, 21)
    assert game.position == START
    with pytest.raises(IllegalActionError, match="there is no action to take back"):
        game.undo()


def test_a_draw_can_be_agreed_and_taken_back() -> None:
    game = played("c3d4")
    game.agree_draw()
    assert game.outcome == Outcome(None, Reason.AGREEMENT)
    assert game.outcome.word == "draw"
    assert game.legal_actions == ()
    with pytest.raises(IllegalActionError, match=r"end: the game is over \(draw, agreement\)"):
        game.play("end")
    game.undo()
    assert game.position == START
    assert game.legal_actions


@pytest.mark.parametrize("side", SIDES)
def test_resigning(side: Side) -> None:
    game = played("c3d4")
    position = game.position
    game.resign(side)
    assert game.outcome == Outcome(side.other, Reason.RESIGNATION)
    assert game.position == position  # no pot to pay out
    with pytest.raises(IllegalActionError, match=f"game is over .{side.other.word}. already"):
        game.resign(side)
    with pytest.raises(IllegalActionError, match="already"):
        game.agree_draw()


def test_a_game_that_is_over_on_the_board() -> None:
    game = Game(parse_position("5/6/7/8/9/8/7/6/1SF1s l 1/0 5/6 -"))
    game.play("a3a4")
    assert game.outcome == Outcome(Side.LIGHT, Reason.SENTINELS)
    with pytest.raises(IllegalActionError, match=r"a4a3: the game is over \(light, sentinels\)"):
        game.play("a4a3")
    with pytest.raises(IllegalActionError, match="over"):
        game.resign(Side.DARK)
    game.undo()
    assert game.outcome is None


def test_headers_are_the_callers_own() -> None:
    headers = {"Light": "Ann"}
    game = Game(START, headers)
    headers["Light"] = "Bo"
    assert game.headers == {"Light": "Ann"}


@pytest.mark.parametrize("name", ["", "Two words", "Result", "Board", "1st", "Jürgen", "a]", "a\n"])
def test_names_of_headers(name: str) -> None:
    with pytest.raises(NotationError, match="expected a name of ASCII letters"):
        Game(START, {name: "x"})
    game = Game(START)
    game.headers[name] = "x"
    with pytest.raises(NotationError, match="expected a name of ASCII letters"):
        game.record()


def test_pieces_and_sides() -> None:
    assert [piece.letter for piece in PIECES] == list("SFsf")
    assert [piece.word for piece in PIECES] == [
        "Light Sentinel",
        "Light Shif",
        "Dark Sentinel",
        "Dark Shif",
    ]
    assert [piece.side for piece in PIECES] == [Side.LIGHT, Side.LIGHT, Side.DARK, Side.DARK]
    assert [piece.is_sentinel for piece in PIECES] == [True, False, True, False]
    assert [(sentinel(side), shif(side)) for side in SIDES] == [PIECES[:2], PIECES[2:]]
    assert [(side.word, side.letter, side.other.word) for side in SIDES] == [
        ("light", "l", "dark"),
        ("dark", "d", "light"),
    ]
