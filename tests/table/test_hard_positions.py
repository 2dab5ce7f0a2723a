"""The positions that were found to be hard, each played through on perfect contacts."""

from sorcel_pi import Piece, format_action, legal_actions, parse_action, parse_position, resolve
from sorcel_pi.table.referee.inference import open_action
from sorcel_pi.table.sensing.debouncer import Buttons
from sorcel_pi.table.tracking.pieces import NEW, TrackedPiece
from sorcel_pi.table.view import Mode

from .story import Story, carry_out

NUDGE = "2fff/1fss2/2f4/3f4/9/3FF3/4F2/2S1SF/2F1F l 1/5 0/0 -"
LIFTED = "2ff1/1ff2f/2f1s2/3s4/9/4FF2/2F4/S2FSF/4F l 5/0 0/0 -"


def test_an_enemy_nudge_that_is_part_of_one_legal_action_does_not_begin_it() -> None:
    story = Story(NUDGE).move("f5", "g6").wait(4)
    assert story.played == []
    assert story.referee.open is None
    story.move("g6", "f5").settle()
    assert story.stands()


def test_lifting_alone_gives_the_board_after_another_action() -> None:
    story = Story(LIFTED).lift("d5").wait(4)
    assert story.played == []
    story.drop("d5").settle()
    assert story.played == [] and story.stands()


def test_the_same_board_by_two_ways_is_told_apart_by_the_steps() -> None:
    code = "5/6/2S4/fs1F1F2/s1S6/8/7/6/5 l 2/1 4/5 -"
    one = carry_out(Story(code), "g5g4").settle()
    two = carry_out(carry_out(Story(code), "e3e4").settle(), "g5g4").settle()
    assert one.played == ["g5g4"] and one.stands()
    assert two.played == ["e3e4", "g5g4"] and two.stands()


def test_a_cascade_that_brings_the_stepped_piece_back_is_not_a_take_back() -> None:
    for code, text in (
        ("5/6/7/5F2/2f6/1S1Sf3/2f1f2/1Fs3/2ffs l 2/1 4/0 -", "b2c2"),
        ("5/6/7/8/9/1S1Ff3/1F1F3/SFf1f1/fsFFs l 6/0 0/2 -", "c2c3"),
    ):
        story = carry_out(Story(code), text).settle()
        assert story.done == [text] and story.stands()


def test_same_contacts_different_pieces() -> None:
    for text in ("h5i5", "h6i7"):
        story = carry_out(Story("1s3/1SF3/4S2/2f5/3sF4/8/7/6/5 l 1/0 4/5 -"), text).settle()
        assert story.done == [text]
        assert story.stands() or story.game.outcome is not None


def test_a_step_that_was_taken_back_by_button_does_not_count_again() -> None:
    code = "5/6/2sf3/1S6/f1f6/1F1F4/7/Ss4/1f3 l 2/0 4/2 -"
    story = Story(code).move("b1", "a1").settle().press(Buttons.LIGHT, 2.2).wait(5)
    assert story.played == []
    assert story.is_in(Mode.RESTORE) or story.referee.open is None
    story.lead()
    assert story.played == [] and story.stands()


def test_two_placements_of_two_sides_a_quarter_of_a_second_apart() -> None:
    story = Story("5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -")
    story.add("b5", Piece.LIGHT_SHIF, wait=0.25).add("i8", Piece.DARK_SHIF).settle()
    assert story.played == ["+b5", "+i8"] and story.stands()


def test_the_stepped_piece_strays_at_once() -> None:
    story = Story("3s1/3s2/2ff3/4f3/3F5/8/2F1F2/2SSF1/5 l 2/2 2/3 -")
    story.move("e4", "f5", wait=0.2).off("f5").lead()
    assert story.played == ["e4f5"] and story.stands()


def test_a_removed_piece_and_its_successor_in_one_hand() -> None:
    story = Story("5/3s2/2fsff1/3f4/9/2FS4/3F3/3S2/3F1 d 4/0 3/2 -")
    carry_out(story, "f5e4", first=["a4", "b4"]).settle()
    assert story.done == ["f5e4"] and story.stands()


def test_the_next_action_restores_the_board_that_was() -> None:
    story = Story("3f1/3s2/7/2fF4/9/3S1S2/7/6/5 d 1/0 5/4 -")
    carry_out(story, "h7g6").settle()
    assert story.done == ["h7g6"] and story.stands()
    carry_out(story, "e4f5").settle()
    assert story.done == ["h7g6", "e4f5"] and story.stands()


def test_every_action_of_a_board_where_a_shif_leaves_and_a_sentinel_is_asked_for() -> None:
    code = "FFF2/1S1SfF/3f1s1/3Ff1f1/5s3/8/7/6/5 d 4/0 1/2 -"
    position = parse_position(code)
    for action in legal_actions(position):
        text = format_action(position.board, action)
        story = carry_out(Story(code), text).settle()
        assert story.done[0] == text
        assert story.stands() or story.game.outcome is not None


def test_a_stepped_shif_that_strays_may_be_put_back_where_it_came_from() -> None:
    code = "5/4s1/7/4f1f1/4ffS2/6FS/4sf1/6/4f d 5/0 5/0 -"
    story = Story(code).move("f8", "e8").settle()
    assert story.referee.open is not None
    story.lift("e8").drop("f8").settle()
    assert story.played == [] and story.stands()


def test_guidance_to_a_dead_contact_can_end() -> None:
    code = "5/6/7/4FF2/5S3/3Fs3/4F2/4S1/2f1s l 3/0 2/5 -"
    f7 = 1 << parse_position(code).board.grid.number("f7")
    story = Story(code, dead=f7).lead()
    assert story.referee.masked == f7
    assert story.stands()
    story.move("c5", "c4").settle().lead()
    assert story.played == ["c5c4"]
    assert story.stands()


def test_like_pieces_that_tie_are_moved_as_the_rules_moved_them() -> None:
    position = parse_position("5/6/6F/2F5/4f1f2/6S1/3sfF1/1SsF2/4f d 3/0 2/2 -")
    action = parse_action(position.board, "b3a3")
    option = open_action(position, action, TrackedPiece(NEW, Piece.DARK_SENTINEL))
    assert len(resolve(position, action).consequences) > 1
    story = carry_out(Story(position), "b3a3").settle()
    assert story.done == ["b3a3"] and story.stands()
    assert option.hints
