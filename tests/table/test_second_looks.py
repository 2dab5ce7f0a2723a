"""What once went wrong at the table although every case had its test."""

import pytest

from sorcel_pi import Piece, parse_position
from sorcel_pi.rules.board import standard_board
from sorcel_pi.rules.hexgrid import mask_of
from sorcel_pi.table.sensing.debouncer import Buttons, Scan
from sorcel_pi.table.timing import Timing
from sorcel_pi.table.view import Mode

from .rig import Rig
from .story import Story

START = "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -"
GRID = standard_board().grid
BOTH = Buttons.LIGHT | Buttons.DARK


@pytest.mark.parametrize("gap_s", [0.03, 0.09, 0.13, 0.15])
def test_overlapping_contacts_and_a_next_player_who_does_not_wait(gap_s: float) -> None:
    code = "1s3/f5/1sff1f1/4F3/5S3/8/1S5/F5/5 d 2/2 4/2 -"
    story = Story(code, overlaps=dict(enumerate(GRID.adjacent)))
    story.move("g5", "f5").settle()
    pushed = story.view.next
    assert pushed is not None and pushed.origin is not None and pushed.target is not None
    story.lift(GRID.names[pushed.origin]).drop(GRID.names[pushed.target], wait=gap_s)
    story.lift("g8")
    assert story.done == ["g5f5"]
    assert [piece.letter for piece in story.referee.state.in_hand] == ["f"]
    story.drop("g8").settle()
    assert story.stands()


def test_a_near_piece_that_is_held_for_long_and_put_back() -> None:
    story = Story("5/6/2sf3/1S6/f1f6/1F1F4/7/Ss4/1f3 l 2/0 4/2 -")
    story.move("b1", "c2").settle()
    story.lift("b2").wait(3.2).drop("b2")
    story.wait(3).lead()
    assert story.stands(), "wood and belief agree when the lights have gone quiet"


def test_a_near_piece_that_is_held_for_long_and_carried_through() -> None:
    story = Story("5/6/2sf3/1S6/f1f6/1F1F4/7/Ss4/1f3 l 2/0 4/2 -")
    story.move("b1", "c2").settle().off("a2").lift("b2").wait(3.2).drop("a2").settle()
    assert story.played == ["b1c2"]
    assert story.stands()


def test_a_button_that_was_down_as_the_line_broke_holds_nothing() -> None:
    rig = Rig(START)
    rig.put_down("b4", "b5")
    rig.run(1.0)
    assert len(rig.game.actions) == 1
    now, closed = rig.table.now, rig.table.scan().closed
    for _ in range(10):
        now += 0.01
        rig.companion.step(Scan(now, closed, Buttons.LIGHT), now)
    for _ in range(300):
        now += 0.01
        rig.companion.step(None, now)
    for _ in range(100):
        now += 0.01
        rig.companion.step(Scan(now, closed), now)
    assert len(rig.game.actions) == 1


def test_a_power_cut_after_a_take_back_by_hand_plays_nothing() -> None:
    story = Story("5/6/F6/1s1f4/2F6/1S6/1FSff2/FsFf2/1f3 d 5/0 1/1 -")
    story.move("f5", "e4").move("f3", "g4").move("e4", "f5").wait(3)
    assert story.done == []
    story.referee.restore(story.referee.dump(), story.now)
    story.wait(3)
    assert story.done == []


def test_a_touched_piece_stays_where_it_stepped() -> None:
    code = "3s1/2s3/1f2ff1/8/9/3F4/3FSF1/6/1S2F d 2/1 2/3 -"
    story = Story(code, timing=Timing(touch_move=True))
    story.move("h6", "h7").settle().move("h7", "g6").settle()
    opened = story.referee.open
    assert opened is not None
    assert GRID.names[opened.acted_on] == "h7"


def test_a_gap_in_a_question_of_the_next_game_ends_no_game() -> None:
    dead = 1 << GRID.number("b4")
    story = Story("2f2/2ss2/2f1f2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -", masked=dead, dead=dead)
    story.game.resign(story.game.position.side)
    story.referee.finish(story.now)
    for space in list(story.wood):
        story.off(GRID.names[space], wait=0.05)
    story.wood |= Story(START).wood
    story.settle().wait(3)
    assert story.is_in(Mode.CONFIRM)
    story.game = type(story.game)(parse_position(START))
    story.referee.new_game(story.game, story.now)
    story.settle().move("b4", "b5").settle()
    assert story.is_in(Mode.ASK)
    story.referee.blind()
    story.wait(1)
    assert not story.is_in(Mode.OVER)


def test_a_new_game_after_the_board_was_cleared_unseen() -> None:
    story = Story(START)
    story.move("c4", "d4").settle().move("c5", "d5").settle()
    assert story.played == ["c4d4", "c5d5"]
    story.wood.clear()
    story.referee.blind()
    story.wait(0.5)
    story.referee.restore(story.referee.dump(), story.now)
    story.wood |= Story(START).wood
    story.referee.blind()
    story.wait(3)
    assert story.is_in(Mode.CONFIRM)


def test_a_question_about_an_unseen_step_can_be_dismissed() -> None:
    dead = 1 << GRID.number("d4")
    story = Story(START, masked=dead, dead=dead)
    story.lift("c4").wait(3)
    assert story.is_in(Mode.ASK)
    story.press(Buttons.LIGHT, 2.2)
    assert not story.is_in(Mode.ASK)
    story.drop("c4").settle()
    assert story.played == []


def test_accepting_ends_the_complaint() -> None:
    story = Story(START)
    story.move("g5", "f5").settle()
    assert story.view.astray >> story.grid.number("f5") & 1
    story.press(BOTH, 3.2)
    assert story.view.astray == 0


def test_in_ahumm_the_button_asks_when_it_has_gone_through_the_purse() -> None:
    code = "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 2/20/18/1"
    dead = 1 << GRID.number("a2")
    story = Story(code, masked=dead, dead=dead)
    story.add("a2", Piece.LIGHT_SHIF).settle()
    for _ in range(3):
        story.press(Buttons.LIGHT).wait(0.3)
        if story.is_in(Mode.ASK):
            break
    assert story.is_in(Mode.ASK)
    story.press(Buttons.LIGHT).settle()
    assert story.played == ["+a2"]


def test_the_page_asks_about_unseen_steps_before_it_ends_the_turn() -> None:
    dead = mask_of(map(GRID.number, ("c4", "d4")))
    story = Story(START, masked=dead, dead=dead)
    story.move("c3", "c2").settle().move("c4", "d4").settle()
    story.events += story.referee.end_turn(story.now)
    assert story.view.may_end
    story.events += story.referee.choose(story.now, 0)
    assert story.settle().played == ["c3c2", "c4d4"]
