"""A game against the computer in a real browser, by somebody who sees only the page."""

from pathlib import Path
from random import Random

import pytest

from sorcel_pi import EndTurn, Pass, Placement, Side, Step, resolve_all
from tests.web.browser import PHONE, Person, Sit
from tests.web.table import Table
from tests.web.test_quick_hands import stands
from tests.web.test_quick_play import tray


@pytest.fixture(name="quick")
def _quick() -> bool:
    return True


def begin(person: Person, level: int = 1) -> None:
    """Begin a game as a newcomer does."""
    person.page.click("#first-computer")
    person.page.select_option("#new-level", str(level))
    person.page.click("#play-begin")
    person.until(lambda: person.table.state()["seats"] == [None, level])
    person.until(lambda: person.table.state()["mode"] == "PLAY")


def play(person: Person, rng: Random, *, hands: bool) -> None:
    """Play an action that pushes if there is one; with `hands` every piece is moved as on wood."""
    table = person.table
    count = len(table.game.actions)
    cascades = [c for c in resolve_all(table.game.position) if not isinstance(c.action, Pass)]
    action = max(cascades, key=lambda c: (len(c.consequences), rng.random())).action
    names = table.game.start.board.grid.names
    if isinstance(action, EndTurn):
        person.page.click("#end-turn")
    elif hands and isinstance(action, Step):
        person.move(names[action.origin], names[action.target])
    elif hands and isinstance(action, Placement):
        person.place(names[action.space], "F")
    else:
        assert isinstance(action, Step | Placement)
        last = action.target if isinstance(action, Step) else action.space
        first = person.spot(action.origin) if isinstance(action, Step) else tray(person, 0)
        person.page.mouse.click(*first)
        person.page.mouse.click(*person.spot(last))
    if hands:
        person.follow_lights()
    table.until(lambda: len(table.game.actions) > count)


def wait_for_the_computer(person: Person, *, hands: bool) -> None:
    """Wait until it is the person's turn again; with `hands` carry out what the lights ask for."""
    table = person.table
    while table.game.outcome is None and table.game.position.side is Side.DARK:
        state = table.state()
        if hands and state["words"][0][0] == "go.bring":
            person.place(state["words"][0][1]["to"], "f")
        elif hands and state["lit"]:
            person.follow_light()
        person.page.wait_for_timeout(50)


def play_on(person: Person, turns: int, *, hands: bool = False) -> None:
    rng = Random(1)
    for _ in range(turns):
        while person.table.game.outcome is None and person.table.game.position.side is Side.LIGHT:
            play(person, rng, hands=hands)
        wait_for_the_computer(person, hands=hands)
        if person.table.game.outcome is not None:
            return


def test_a_newcomer_plays_three_turns_against_the_computer(
    table: Table, sit: Sit, shots: Path
) -> None:
    person = sit(first=True)
    person.page.wait_for_selector("#first-computer")
    person.shot(shots, "first-visit")
    begin(person)
    play_on(person, 3)
    person.until(lambda: "Computer, level 1" in person.page.inner_text("#seats"))
    person.shot(shots, "computer")
    assert any(cascade.before.side is Side.DARK for cascade in table.game.cascades)
    table.until(lambda: stands(table))
    assert person.page.locator("#resign-1").count() == 0


def test_a_take_back_is_of_the_persons_last_action(table: Table, sit: Sit) -> None:
    person = sit(first=True, size=PHONE)
    begin(person)
    play_on(person, 1)
    count = len(table.game.actions)
    person.page.click("#take-back")
    table.until(lambda: len(table.game.actions) < count)
    table.until(lambda: table.game.position.side is Side.LIGHT and stands(table))


def test_as_on_wood_the_lights_lead_what_the_computer_plays(table: Table, sit: Sit) -> None:
    person = sit(first=True)
    begin(person)
    person.page.click("#quick")
    table.until(lambda: not table.screen_board.quick)
    play_on(person, 1, hands=True)
    assert table.game.position.side is Side.LIGHT
    assert any(cascade.before.side is Side.DARK for cascade in table.game.cascades)


@pytest.mark.slow
@pytest.mark.parametrize("hands", [False, True])
def test_a_whole_game_against_the_computer(table: Table, sit: Sit, hands: bool) -> None:
    person = sit(first=True)
    begin(person)
    if hands:
        person.page.click("#quick")
        table.until(lambda: not table.screen_board.quick)
    play_on(person, 100, hands=hands)
    assert table.game.outcome is not None
    person.until(lambda: "has won" in person.words)
