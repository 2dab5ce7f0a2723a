"""House rules: each changes what it says and nothing else, and bad ones are refused by name."""

import pytest

from sorcel_pi import (
    AHUMM,
    EGRESSIAN,
    EndTurn,
    Game,
    IllegalActionError,
    ImpossiblePositionError,
    NotationError,
    Outcome,
    Reason,
    RuleSet,
    Side,
    format_position,
    legal_actions,
    outcome,
    parse_action,
    parse_position,
    play,
    resolve,
    rule_set_from_text,
    standard_board,
    start_position,
)
from sorcel_pi.rules.position import rule_set_from_data

BOARD = standard_board()


def told(code: str, action: str, rules: RuleSet) -> str:
    """Return the consequences of `action`, such as `push c4 d5, off i9`."""
    cascade = resolve(parse_position(code, rules=rules), parse_action(BOARD, action))
    return ", ".join(" ".join(each.as_row(BOARD.grid)) for each in cascade.consequences)


# -- what they change -----------------------------------------------------------------------------


def test_shifs_in_total() -> None:
    assert start_position(BOARD, RuleSet(shifs=4)).reserve == (1, 1)
    none_left = start_position(BOARD, RuleSet(shifs=3))
    assert len(legal_actions(none_left)) == 14
    with pytest.raises(IllegalActionError, match=r"\+b2: light has no Shif in reserve"):
        play(none_left, parse_action(BOARD, "+b2"))


def test_fewer_shifs_than_the_start_shows_are_refused() -> None:
    with pytest.raises(ImpossiblePositionError, match=r"Light has 3 Shifs .* at most 2"):
        start_position(BOARD, RuleSet(shifs=2))


@pytest.mark.parametrize(
    ("held", "detained", "over"),
    [("7", 1, True), ("f6", 2, True), ("7", 2, False), ("f6", 3, False), ("f6", 8, False)],
)
def test_detained_pieces_that_lose(held: str, detained: int, over: bool) -> None:
    """A push detains a Dark Shif on c1; another may be held on g3 before."""
    reserve = 4 if held == "f6" else 5
    code = f"5/6/{held}/8/9/8/1f1F3/s1S3/5 l 1/0 5/{reserve} -"
    before = parse_position(code, rules=RuleSet(detained=detained))
    after = play(before, parse_action(BOARD, "c4c3"))
    assert outcome(after) == (Outcome(Side.LIGHT, Reason.DETAINED) if over else None)


def test_a_placed_shif_pushes_nobody() -> None:
    assert told("5/6/7/8/9/8/7/2f3/S1s2 l 0/0 6/5 -", "+a2", EGRESSIAN) == ""


def test_a_placed_shif_may_push_and_heads_east() -> None:
    rules = rule_set_from_text("placement_pushes=yes")
    # East a3 comes before north-east b3, though north-east would come first clockwise from west.
    assert told("5/6/7/8/9/8/7/2f3/S1s2 l 0/0 6/5 -", "+a2", rules) == "push a3 a4, push b3 c4"
    # Pushed over the edge by a placement: that ends the game, and the turn stays as it is.
    after = play(parse_position("5/6/7/8/9/8/7/6/2S1s l 0/0 6/6 -", rules=rules), A4)
    assert outcome(after) == Outcome(Side.LIGHT, Reason.SENTINELS)
    assert format_position(after) == "5/6/7/8/9/8/7/6/2SF1 l 0/0 5/6 -"


A4 = parse_action(BOARD, "+a4")


def test_the_winner_by_a_placement_takes_the_pot() -> None:
    rules = rule_set_from_text("ahumm placement_pushes=yes")
    before = parse_position("5/6/7/8/9/8/7/6/2S1s l 0/0 6/6 20/20/0/1", rules=rules)
    assert play(before, A4).coins == (20, 20, 0, 1)


def test_ending_a_turn_early() -> None:
    step = parse_action(BOARD, "c3d4")
    assert EndTurn() in legal_actions(play(start_position(BOARD), step))
    after = play(start_position(BOARD, RuleSet(early_end=False)), step)
    assert EndTurn() not in list(legal_actions(after))
    with pytest.raises(IllegalActionError, match="end: a house rule says that all steps are taken"):
        play(after, EndTurn())


def there_and_back(rules: RuleSet, times: int) -> Game:
    """Step out and back with both sides; after each time the start stands again."""
    game = Game(start_position(BOARD, rules))
    for text in times * ["b3b2", "b2b3", "end", "h7h8", "h8h7", "end"]:
        game.play(text)
    return game


def test_the_third_repetition_may_draw() -> None:
    rules = RuleSet(repetition=True)
    assert there_and_back(rules, 1).outcome is None
    game = there_and_back(rules, 2)
    assert game.outcome == Outcome(None, Reason.REPETITION)
    assert game.legal_actions == ()
    with pytest.raises(IllegalActionError, match=r"b3b2: the game is over \(draw, repetition\)"):
        game.play("b3b2")


def test_repetition_can_be_taken_back_and_comes_again() -> None:
    game = there_and_back(RuleSet(repetition=True), 2)
    game.undo()
    assert game.outcome is None
    game.play("end")
    assert game.outcome == Outcome(None, Reason.REPETITION)


def test_repetition_asks_for_the_same_side_and_the_beginning_of_a_turn() -> None:
    game = Game(start_position(BOARD, RuleSet(repetition=True)))
    turns = ["b3b2 b2b3 b3b2", "h7h8 h8h7 h7h8", "b2b3 b3b2 b2b3", "h8h7 h7h8 h8h7"]
    for text in " ".join(turns).split():
        game.play(text)
        assert game.outcome is None


def test_repetition_is_off_by_default() -> None:
    assert there_and_back(EGRESSIAN, 5).outcome is None


# -- how they are written -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("", EGRESSIAN),
        ("egressian", EGRESSIAN),
        (" ahumm ", AHUMM),
        ("name=ahumm", AHUMM),
        ("stake=2", RuleSet(stake=2)),
        ("ahumm shifs=5 early_end=no", RuleSet("ahumm", shifs=5, early_end=False)),
        (
            "egressian repetition=YES placement_pushes=true",
            RuleSet(repetition=True, placement_pushes=True),
        ),
        ("detained=8", RuleSet(detained=8)),
        ("shifs=99 detained=101", RuleSet(shifs=99, detained=101)),
        ("ahumm purse=0", RuleSet("ahumm", purse=0)),
    ],
)
def test_texts(text: str, rules: RuleSet) -> None:
    assert rule_set_from_text(text) == rules
    assert rule_set_from_text(str(rules)) == rules


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("chess", "rule set 'chess': the rule sets are egressian and ahumm"),
        ("egressian ahumm", "house rule 'ahumm': expected key=value"),
        ("egressian color=red", "'color' is not a house rule; they are shifs, detained,"),
        ("stake=1 stake=2", "house rule 'stake' is given twice"),
        ("shifs=100", "rule shifs: '100' is not a whole number from 0 to 99"),
        ("shifs=-1", "rule shifs: '-1' is not"),
        ("shifs=yes", "rule shifs: 'True' is not"),
        ("shifs=²", "rule shifs: '²' is not"),
        ("shifs=٣", "rule shifs: '٣' is not"),
        ("shifs=", "rule shifs: '' is not"),
        ("detained=0", "rule detained: '0' is not a whole number from 1 to 8"),
        ("detained=9", "rule detained: '9' is not a whole number from 1 to 8"),
        ("stake=0", "rule stake: '0' is not"),
        ("purse=1000001", "rule purse: '1000001' is not"),
        ("purse=" + "9" * 5000, r"rule purse: '9999.*9' is not"),
        ("early_end=1", "rule early_end: '1' is not yes or no"),
        ("early_end=maybe", "rule early_end: 'maybe' is not yes or no"),
        ("=", "'' is not a house rule"),
    ],
)
def test_bad_texts(text: str, complaint: str) -> None:
    with pytest.raises(NotationError, match=complaint):
        rule_set_from_text(text)


def test_data_as_from_json() -> None:
    assert rule_set_from_data({"name": "ahumm", "stake": 2}) == RuleSet("ahumm", stake=2)
    for bad in ({"stake": 2.0}, {"shifs": None}, {"shifs": [6]}, {"early_end": 1}, {"name": 3}):
        with pytest.raises(NotationError):
            rule_set_from_data(bad)
    with pytest.raises(NotationError, match="rule stake: something too large to show is not"):
        rule_set_from_data({"stake": 10**5000})


def test_equal_rule_sets_are_equal_values() -> None:
    assert len({RuleSet(), EGRESSIAN, rule_set_from_text("egressian"), AHUMM}) == 2
    assert repr(AHUMM).startswith("RuleSet(name='ahumm', shifs=6,")
