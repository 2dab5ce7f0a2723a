"""Presses: short on release, held when their time is up, both together, and the menu."""

import pytest

from sorcel_pi import Side
from sorcel_pi.table.sensing.buttons import ButtonReader, Press
from sorcel_pi.table.sensing.debouncer import Buttons, Sensed

L, D, M = Buttons.LIGHT, Buttons.DARK, Buttons.MENU
NONE = Buttons.NONE


def presses(*course: tuple[float, Buttons]) -> list[Press]:
    """Return the presses of a course of (seconds, what is down)."""
    controls, now, found = ButtonReader(), 0.0, []
    for seconds, down in course:
        for _ in range(round(seconds / 0.01)):
            found += controls.feed(Sensed(now, 0, 0, 0, down, 0, 0, 0))
            now += 0.01
    return found


@pytest.mark.parametrize(
    ("course", "expected"),
    [
        ([(0.2, L), (0.1, NONE)], [Press.LIGHT]),
        ([(0.2, D), (0.1, NONE)], [Press.DARK]),
        ([(1.9, L), (0.1, NONE)], [Press.LIGHT]),
        ([(2.1, L), (0.1, NONE)], [Press.HOLD_LIGHT]),
        ([(9.0, D), (0.1, NONE)], [Press.HOLD_DARK]),
        ([(0.2, L), (0.1, L | D), (0.1, NONE)], [Press.BOTH]),
        ([(0.2, L), (0.1, L | D), (0.1, D), (0.1, NONE)], [Press.BOTH]),
        ([(1.5, L), (2.9, L | D), (0.1, NONE)], [Press.BOTH]),
        ([(1.5, L), (3.1, L | D), (0.1, NONE)], [Press.HOLD_BOTH]),
        ([(0.1, L | D), (4.0, L), (0.1, NONE)], [Press.BOTH]),
        (
            [(3.1, L | D), (3.0, D), (0.1, NONE), (0.1, D), (0.1, NONE)],
            [Press.HOLD_BOTH, Press.DARK],
        ),
        ([(0.2, M), (0.1, NONE)], [Press.MENU]),
        ([(5.2, M), (0.1, NONE)], [Press.HOLD_MENU]),
        ([(0.2, M | L), (0.1, NONE)], [Press.MENU, Press.LIGHT]),
        ([(0.1, L), (0.1, NONE), (0.1, L), (0.1, NONE)], [Press.LIGHT, Press.LIGHT]),
    ],
)
def test_presses(course: list[tuple[float, Buttons]], expected: list[Press]) -> None:
    assert presses(*course) == expected


def test_a_hold_is_shown_while_it_fills_and_no_longer() -> None:
    controls = ButtonReader()
    controls.feed(Sensed(1.0, 0, 0, 0, D, 0, 0, 0))
    hold = controls.hold
    assert hold is not None
    assert (hold.side, hold.since_s, hold.needed_s) == (Side.DARK, 1.0, 2.0)
    assert controls.next_deadline() == 3.0
    controls.feed(Sensed(3.0, 0, 0, 0, D, 0, 0, 0))
    assert controls.hold is None
    assert controls.next_deadline() is None


def test_a_press_says_whose_it_is() -> None:
    assert Press.HOLD_LIGHT.side is Side.LIGHT
    assert Press.BOTH.side is None
    assert Press.HOLD_MENU.held
    assert not Press.MENU.held
