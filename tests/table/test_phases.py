"""The table of phases: each can be left, the referee keeps to it, the drawing in docs is true."""

from pathlib import Path

import pytest

from sorcel_pi import Game, parse_position
from sorcel_pi.table.referee.diagram import lines
from sorcel_pi.table.referee.phases import MODES, TRANSITIONS, Asking, Cause, Over, Playing
from sorcel_pi.table.referee.referee import Referee
from tests.table.contacts import START

DOCS = Path(__file__).parents[2] / "docs"


def test_the_diagram_in_the_documentation_is_the_table() -> None:
    page = (DOCS / "table.md").read_text(encoding="utf-8")
    assert "```mermaid\n" + "\n".join(lines()) + "\n```" in page


def test_every_phase_can_be_reached_and_left() -> None:
    reached = {
        phase for causes in TRANSITIONS.values() for after in causes.values() for phase in after
    }
    assert reached == set(TRANSITIONS) == set(MODES)
    assert all(
        set(after) != {phase}
        for phase, causes in TRANSITIONS.items()
        for after in [[follower for followers in causes.values() for follower in followers]]
    )


def test_the_referee_goes_nowhere_that_the_table_does_not_lead() -> None:
    referee = Referee(Game(parse_position(START)))
    with pytest.raises(AssertionError):
        referee._enter(Asking((), False, 0.0, Playing()), Cause.SEVERAL)
    with pytest.raises(AssertionError):
        referee._enter(Over(0.0), Cause.STANDS)
