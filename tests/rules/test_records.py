"""Records of games: written, read back, and refused with the line that is wrong."""

import pytest

from sorcel_pi import (
    AHUMM,
    CascadeError,
    Game,
    IllegalActionError,
    ImpossiblePositionError,
    Layout,
    NotationError,
    Outcome,
    Reason,
    RuleSet,
    Side,
    SorcelError,
    format_record,
    parse_position,
    parse_record,
    rule_set_from_text,
    standard_board,
    start_position,
)
from sorcel_pi.rules import game as module
from sorcel_pi.rules.board import make_board

START = start_position(standard_board())
WON = "5/6/7/8/9/8/7/6/1SF1s l 1/0 5/6 -"

RECORD = """\
[Board "standard"]
[Rules "egressian"]
[Light "Ann"]
[Result "*"]

1. c3d4 c4d5 end
2. +h5
3. b3b2
"""


def game_of(*texts: str, start: str | None = None) -> Game:
    game = Game(START if start is None else parse_position(start), {"Light": "Ann"})
    for text in texts:
        game.play(text)
    return game


def same(one: Game, other: Game) -> bool:
    return (one.start, one.actions, one.position, one.outcome, one.headers) == (
        other.start,
        other.actions,
        other.position,
        other.outcome,
        other.headers,
    )


# -- written and read -----------------------------------------------------------------------------


def test_a_record() -> None:
    game = game_of("c3d4", "c4d5", "end", "+h5", "b3b2")
    assert game.record() == format_record(game) == RECORD
    assert same(parse_record(RECORD), game)


def test_a_record_without_actions() -> None:
    assert same(parse_record(Game(START).record()), Game(START))


@pytest.mark.parametrize(
    "text",
    [
        RECORD.replace("\n", "\r\n"),
        RECORD.rstrip(),
        "\n\n  " + RECORD.replace('"]', '"]  \n'),
        RECORD.replace("1. c3d4 c4d5 end\n2. +h5\n3. b3b2", "c3d4\n\nc4d5 2 end 7... +h5 b3b2"),
        RECORD.replace("c4d5", "{the } c4d5 {{\n pass [x] \n}").replace("h5", "h5{}"),
        RECORD.replace('[Result "*"]\n', ""),
    ],
)
def test_records_written_by_hand(text: str) -> None:
    assert same(parse_record(text), game_of("c3d4", "c4d5", "end", "+h5", "b3b2"))


@pytest.mark.parametrize(
    "name",
    ['Ann "the \\ pusher"', "tab\tand\nline", "a\u2028b\x85c\x00d", "  spaces  ", "Jürgen ⬡", ""],
)
def test_any_text_in_a_header(name: str) -> None:
    game = Game(START, {"Light": name})
    assert same(parse_record(game.record()), game)


def test_a_record_of_a_custom_board_and_start() -> None:
    board = make_board('my "own"\nboard', 3, 1 << 9, Layout(1, 2, 1 << 18, 1 << 17))
    rules = rule_set_from_text("ahumm shifs=4 repetition=yes")
    game = Game(start_position(board, rules, begins=Side.DARK))
    game.play(next(iter(game.legal_actions)))
    again = parse_record(game.record())
    assert same(again, game)
    assert (again.start.board, again.start.rules) == (board, rules)
    assert '[BoardSide "3"]' in game.record()
    assert '[Start "' in game.record()


def test_a_record_of_a_board_without_holes() -> None:
    board = make_board("bare", 3, 0, Layout(1, 2, 1 << 18, 1 << 17))
    game = Game(start_position(board))
    assert same(parse_record(game.record()), game)


def test_a_record_under_rules_with_fewer_shifs_than_the_board_shows() -> None:
    rules = RuleSet(shifs=1)
    game = Game(parse_position("5/2ss2/7/8/9/8/7/6/SF3 l 1/0 0/1 -", rules=rules))
    assert same(parse_record(game.record()), game)


def test_a_record_that_starts_in_the_middle_of_a_turn() -> None:
    game = game_of("a2a3", start="5/2ss2/7/8/9/8/7/6/SF3 l 2/1 5/6 -")
    assert same(parse_record(game.record()), game)


def test_an_end_on_the_board() -> None:
    game = game_of("a3a4", start=WON)
    assert game.record().endswith('[Result "light"]\n[Reason "sentinels"]\n\n1. a3a4\n')
    assert same(parse_record(game.record()), game)


def test_a_resignation() -> None:
    game = game_of("c3d4")
    game.resign(Side.LIGHT)
    again = parse_record(game.record())
    assert again.outcome == Outcome(Side.DARK, Reason.RESIGNATION)
    assert same(again, game)


def test_a_resignation_in_ahumm_pays_the_pot_out() -> None:
    game = Game(start_position(standard_board(), AHUMM))
    game.play("+b2=3")
    game.resign(Side.DARK)
    assert same(parse_record(game.record()), game)
    assert parse_record(game.record()).position.coins == (20, 20, 0, 3)


def test_an_agreed_draw() -> None:
    game = game_of("c3d4", "end")
    game.agree_draw()
    assert same(parse_record(game.record()), game)


def test_a_draw_by_repetition() -> None:
    game = Game(start_position(standard_board(), RuleSet(repetition=True)))
    for text in 2 * ["b3b2", "b2b3", "end", "h7h8", "h8h7", "end"]:
        game.play(text)
    assert '[Reason "repetition"]' in game.record()
    assert same(parse_record(game.record()), game)
    with pytest.raises(IllegalActionError, match=r"line 10: b3b2: the game is over \(draw, rep"):
        parse_record(game.record() + "5. b3b2")


# -- refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "error", "complaint"),
    [
        ('[Board "standard"]\n', "", NotationError, "line 4: the header Board is missing"),
        ('[Rules "egressian"]\n', "", NotationError, "line 4: the header Rules is missing"),
        ("standard", "other", NotationError, "line 1: board 'other': only the standard board"),
        ("egressian", "chess", NotationError, "line 2: rule set 'chess'"),
        ("egressian", "egressian shifs=2", ImpossiblePositionError, "line 2: Light has 3 Shifs"),
        ('"Ann"', "Ann", NotationError, r"line 3: '\[Light Ann\]': expected \[Name \"text\"\]"),
        ('"Ann"]', '"Ann"', NotationError, "line 3: .*expected"),
        ('"Ann"', r'"A\nn\q"', NotationError, "line 3: .*expected"),
        ('"Ann"', '"Ann" "Bo"', NotationError, "line 3: .*expected"),
        ("Light", "Lïght", NotationError, "line 3: .*expected"),
        ("Light", "Rules", NotationError, "line 3: the header Rules is given twice"),
        ('Light "Ann"', 'Start "5"', NotationError, "line 3: position code '5': expected five"),
        (
            'Light "Ann"',
            'Start "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 2/0 3/3 -"',
            ImpossiblePositionError,
            "line 3: position code .*: steps 2/0",
        ),
        ('Light "Ann"', 'BoardSide "5"', NotationError, "line 1: board 'standard': only"),
        ("c4d5", "c4", NotationError, "line 6: action 'c4': expected a step"),
        ("c4d5", "c4e9", IllegalActionError, "line 6: c4e9: e9 is not next to c4 in 5/"),
        ("+h5", "+h5=2", IllegalActionError, "line 7: .*coins are paid in Ahumm only"),
        ("c4d5", "{c4d5", NotationError, "line 6: a comment begins here and has no }"),
        ("*", "light", ImpossiblePositionError, "line 4: Result 'light': the actions lead to '.'"),
        ("*", "1-0", ImpossiblePositionError, "line 4: Result '1-0'"),
        (
            '"*"]',
            '"dark"]\n[Reason "sentinels"]',
            ImpossiblePositionError,
            "line 4: Result 'dark': the actions lead to",
        ),
        ('"*"]', '"*"]\n[Reason "resignation"]', ImpossiblePositionError, "line 5: Reason 'resign"),
        (
            '"*"]',
            '"draw"]\n[Reason "resignation"]',
            ImpossiblePositionError,
            "line 4: Result 'draw'",
        ),
        (
            '[Result "*"]',
            '[Reason "agreement"]',
            ImpossiblePositionError,
            "line 4: Reason 'agreement': the actions lead to",
        ),
    ],
)
def test_what_is_refused(old: str, new: str, error: type[SorcelError], complaint: str) -> None:
    assert old in RECORD
    with pytest.raises(error, match=complaint):
        parse_record(RECORD.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "error", "complaint"),
    [
        ('"3"', '"9"', NotationError, "line 2: BoardSide '9': expected a whole number from 3 to 8"),
        ('"3"', '"٣"', NotationError, "line 2: BoardSide '٣'"),
        ('"c3"', '"c9"', NotationError, "line 3: 'c9' is not a space of a board of side 3"),
        ("Ff1", "Ff2", NotationError, "line 4: row a 'Ff2': has 4 spaces"),
        ("Ss2", "SS2", ImpossiblePositionError, "line 4: start: Dark has 0 Sentinels"),
        ('[BoardDetaining "c3"]\n', "", NotationError, "line 1: board 'own': only the standard"),
    ],
)
def test_custom_boards_refused(
    old: str, new: str, error: type[SorcelError], complaint: str
) -> None:
    record = (
        '[Board "own"]\n[BoardSide "3"]\n[BoardDetaining "c3"]\n'
        '[BoardStart "3/4/5/Ss2/Ff1"]\n[Rules "egressian"]\n'
    )
    assert parse_record(record).position.board.name == "own"
    with pytest.raises(error, match=complaint):
        parse_record(record.replace(old, new))


def test_an_empty_record() -> None:
    with pytest.raises(NotationError, match="line 1: the header Board is missing: a record names"):
        parse_record("")
    with pytest.raises(NotationError, match="line 1: the header Board is missing"):
        parse_record("c3d4")


def test_a_cascade_without_an_end_names_its_line_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: object) -> None:
        raise CascadeError("a cascade was still going on after 10000 entries")

    monkeypatch.setattr(module, "resolve", endless)
    with pytest.raises(CascadeError, match="line 6: a cascade was still going on"):
        parse_record(RECORD)
