"""Boards on which the contacts of neighbours overlap: what slides closes the next one first."""

import pytest

from sorcel_pi import Piece, parse_position
from sorcel_pi.rules.board import standard_board
from sorcel_pi.table.sensing.debouncer import Buttons

from .story import Story

START = "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -"
ALL = dict(enumerate(standard_board().grid.adjacent))
TWO_LINES = "2f2/2ssf1/2f4/4f3/3f5/8/2FFF2/1FSSF1/3F1 d 2/3 0/1 -"
"""e4d4 pushes c4 and b4 on, so that a4 falls, and c3 and b2 on toward a1."""


class Overlapping(Story):
    """A table on which each contact overlaps with all around it."""

    def __init__(self, code: str) -> None:
        super().__init__(code, overlaps=ALL)

    def slide(self, *names: str, both_s: float = 0.1, wait: float = 0.2) -> "Overlapping":
        """Move the pieces of a line on by one: the contact of the last name closes first.

        Those between stay closed, and the first opens `both_s` later.
        """
        spaces = [self.grid.number(name) for name in names]
        pieces = [self.wood[space] for space in spaces[:-1]]
        self.wood[spaces[-1]] = pieces[-1]
        self.wait(both_s)
        del self.wood[spaces[0]]
        self.wood |= dict(zip(spaces[1:], pieces, strict=True))
        self.wait(wait)
        return self

    def push_over(self, *names: str, wait: float = 0.2) -> "Overlapping":
        """Shove a line over the edge: only the contact of the first name opens."""
        spaces = [self.grid.number(name) for name in names]
        pieces = [self.wood.pop(space) for space in spaces]
        self.wood |= dict(zip(spaces[1:], pieces, strict=False))
        self.wait(wait)
        return self


@pytest.mark.parametrize("both_s", [0.0, 0.15, 1.0])
def test_a_slide_is_one_step(both_s: float) -> None:
    story = Overlapping(START)
    story.slide("b4", "b5", both_s=both_s).settle()
    assert story.played == ["b4b5"]
    assert story.stands()


def test_a_placement_beside_an_own_piece_counts_when_that_does_not_follow() -> None:
    story = Overlapping(START)
    story.add("b5", Piece.LIGHT_SHIF).wait(0.5)
    assert story.played == []
    story.wait(1.0)
    assert story.played == ["+b5"]


def test_slides_with_a_pushed_piece_in_the_hand() -> None:
    story = Overlapping(TWO_LINES)
    story.lift("a4")
    story.slide("e4", "d4", both_s=0.3)
    story.slide("b4", "a4").slide("c4", "b4").slide("b2", "a1").slide("c3", "b2").settle()
    assert story.played == ["e4d4"]
    assert story.stands()


@pytest.mark.parametrize("rest_s", [0.12, 0.8])
@pytest.mark.parametrize("both_s", [0.01, 0.03])
def test_a_line_over_the_edge_and_another_that_closes_its_far_contact_first(
    rest_s: float, both_s: float
) -> None:
    # Right after the step, what leaves is no piece that slides back.
    story = Overlapping(TWO_LINES)
    story.move("e4", "d4", wait=rest_s)
    story.push_over("c4", "b4", "a4")
    story.slide("c3", "b2", "a1", both_s=both_s)
    story.wait(3.0)
    assert story.played == ["e4d4"]
    assert story.stands()


def test_a_line_whose_far_contact_closes_first_with_an_empty_hand() -> None:
    story = Overlapping(TWO_LINES)
    story.move("e4", "d4").settle()
    story.slide("c3", "b2", "a1", both_s=0.03)
    assert story.referee.state.in_hand == ()
    story.push_over("c4", "b4", "a4").wait(3.0)
    assert story.played == ["e4d4"]
    assert story.stands()


def test_a_piece_that_is_put_back_and_its_neighbour_that_steps_on() -> None:
    story = Overlapping(START)
    story.move("c4", "c4", wait=0.28)
    story.move("c3", "d4").settle()
    assert story.played == ["c3d4"]
    assert story.stands()


def test_a_newcomer_counts_before_the_press_that_follows() -> None:
    code = "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 20/20/0/1"
    assert parse_position(code).coins is not None
    story = Overlapping(code)
    story.add("b5", Piece.LIGHT_SHIF, wait=0.9)
    story.press(Buttons.LIGHT).settle()
    assert story.played == ["+b5"], "and it is not the next placement that is raised"
