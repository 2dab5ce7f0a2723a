"""The questions that the table asks where a dead contact leaves two actions possible."""

import pytest

from sorcel_pi import Piece, parse_position
from sorcel_pi.rules.hexgrid import mask_of
from sorcel_pi.table.lights.plan import plan_lights
from sorcel_pi.table.lights.signs import Role
from sorcel_pi.table.sensing.debouncer import Buttons
from sorcel_pi.table.view import Mode

from .story import Story

START = "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -"


def deaf_at(*names: str, code: str = START) -> Story:
    """Return a table whose contacts at `names` are dead and known to be."""
    dead = mask_of(map(parse_position(code).board.grid.number, names))
    return Story(code, masked=dead, dead=dead)


def lit(story: Story) -> set[str]:
    """Return the names of the spaces that are lit as a candidate now."""
    lamps = plan_lights(story.view, story.now).lamps
    names = story.grid.names
    return {names[space] for space, lamp in lamps.items() if lamp.role is Role.ASK_CANDIDATE}


def press_at(story: Story, *names: str, down_s: float = 0.1) -> Story:
    """Press the mover's button as soon as `names` are lit."""
    for _ in range(100):
        if lit(story) == set(names):
            return story.press(Buttons.LIGHT, down_s)
        story.wait(0.05)
    raise AssertionError(f"{names} are never lit, but {story.view.candidates}")


@pytest.mark.parametrize(("light", "played"), [("b4", "b4b5"), ("b5", "+b5")])
def test_a_piece_from_nowhere_beside_a_dead_contact_is_asked_about(light: str, played: str) -> None:
    story = deaf_at("b4")
    if played == "b4b5":
        story.move("b4", "b5")
    else:
        story.add("b5", Piece.LIGHT_SHIF)
    story.settle()
    assert story.is_in(Mode.ASK)
    press_at(story, light).settle()
    assert story.played == [played]
    assert story.stands()


def test_a_step_onto_a_dead_contact_is_asked_after_a_while() -> None:
    story = deaf_at("d4")
    story.move("c4", "d4").settle()
    assert not story.is_in(Mode.ASK)
    story.wait(2.5)
    assert story.is_in(Mode.ASK)
    press_at(story, "d4").settle()
    assert story.played == ["c4d4"]


def test_the_candidate_that_was_lit_as_the_button_went_down_is_meant() -> None:
    story = asked_twice()
    # It is let go only when the next one is lit.
    press_at(story, "b4", down_s=1.3).settle()
    assert story.played == ["b4b5"]


def test_a_button_that_was_down_before_the_question_does_not_answer_it() -> None:
    story = deaf_at("b4")
    story.buttons = Buttons.LIGHT
    story.move("b4", "b5").wait(0.4)
    assert story.is_in(Mode.ASK)
    story.buttons = Buttons.NONE
    story.wait(0.1)
    assert story.is_in(Mode.ASK)
    assert story.played == []


def test_lifting_something_else_drops_the_question() -> None:
    story = asked_twice()
    story.lift("c3")
    assert not story.is_in(Mode.ASK)
    story.drop("c3").settle()
    assert story.is_in(Mode.ASK), "and what stands there is asked about again"


def test_a_candidate_shows_no_fault_while_it_is_asked_about() -> None:
    story = asked_twice()
    dead = story.grid.number("b4")
    roles = set()
    for _ in range(50):
        lamp = plan_lights(story.view, story.now).lamps.get(dead)
        roles.add(lamp.role if lamp is not None else None)
        story.wait(0.05)
    assert roles == {Role.ASK_CANDIDATE, None}


def test_the_button_asks_about_placements_on_dead_contacts() -> None:
    story = deaf_at("a2")
    story.press(Buttons.LIGHT)
    assert story.is_in(Mode.ASK)
    press_at(story, "a2").settle()
    assert story.played == ["+a2"]


ROW = ("a1", "a2", "a3", "a4", "a5")


def test_a_step_from_one_dead_contact_to_another_is_asked_for_by_the_button() -> None:
    story = deaf_at("c4", "d4")
    story.move("c4", "d4").wait(5)
    assert story.played == [] and not story.is_in(Mode.ASK)
    story.press(Buttons.LIGHT)
    assert not story.view.may_end, "before the first step the turn cannot be ended"
    press_at(story, "d4").settle()
    assert story.played == ["c4d4"]
    assert story.stands()


@pytest.mark.parametrize(("where", "last"), [(("d4",), "c4d4"), (ROW, "end")])
def test_then_the_end_of_the_turn_is_one_more_answer(where: tuple[str, ...], last: str) -> None:
    story = deaf_at("c4", "d4")
    story.move("c3", "c2").settle()
    if last != "end":
        story.move("c4", "d4").wait(1)
    story.press(Buttons.LIGHT)
    assert story.view.may_end
    press_at(story, *where).settle()
    assert story.played == ["c3c2", last]
    assert story.stands()


def test_the_page_answers_by_number() -> None:
    story = deaf_at("c4", "d4")
    story.move("c3", "c2").settle().press(Buttons.LIGHT)
    story.events += story.referee.choose(story.now, 7)
    assert story.is_in(Mode.ASK), "there is no such answer"
    story.events += story.referee.choose(story.now, 1)
    assert story.settle().played == ["c3c2", "end"]


def asked_twice() -> Story:
    """Return a table that asks: a placement on b5, or the step from b4 whose contact is dead."""
    story = deaf_at("b4")
    story.move("b4", "b5").settle()
    assert story.view.candidates == tuple(map(story.grid.number, ("b5", "b4")))
    return story
