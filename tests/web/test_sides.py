"""Two browsers, each of which holds one side of a board on the screen."""

from pathlib import Path

import pytest

from sorcel_pi import Side
from sorcel_pi.web.holders import GONE_S, Holders
from tests.web.browser import Person, Sit
from tests.web.table import Table
from tests.web.test_quick_hands import played


@pytest.fixture(name="quick", params=[True, False], ids=["quick", "as on wood"])
def _quick(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def two(sit: Sit) -> tuple[Person, Person]:
    """Let two browsers sit down, the first at Light, the second at Dark."""
    people = sit(), sit()
    for side, person in enumerate(people):
        person.page.evaluate("document.getElementById('more').open = true")
        person.page.click(f"#side-{side}")
        person.page.wait_for_selector(f"#side-{side}[aria-pressed=true]")
    for person in people:
        person.until(lambda: all(person.table.state()["held"]))  # noqa: B023
    return people


def step(person: Person, origin: str, target: str) -> None:
    person.page.mouse.click(*person.spot(origin))
    person.page.wait_for_timeout(140)
    person.page.mouse.move(*person.spot(target), steps=3)
    person.page.mouse.click(*person.spot(target))
    person.page.wait_for_timeout(460)


def test_each_plays_only_its_own_side(table: Table, sit: Sit, shots: Path) -> None:
    light, dark = two(sit)
    step(dark, "c4", "d4")  # not its piece
    assert not played(table)
    assert dark.page.is_disabled("#end-turn")
    assert dark.page.locator("#resign-0").count() == 0
    step(light, "c4", "d4")
    table.until(lambda: len(table.game.actions) == 1)
    light.shot(shots, "sides")
    light.page.click("#end-turn")
    table.until(lambda: table.game.position.side is Side.DARK)
    step(light, "g6", "f6")
    assert len(table.game.actions) == 2
    step(dark, "g6", "f6")
    table.until(lambda: len(table.game.actions) == 3)


def test_what_concerns_both_is_offered(table: Table, sit: Sit) -> None:
    light, dark = two(sit)
    step(light, "c4", "d4")
    table.until(lambda: len(table.game.actions) == 1)
    light.page.click("#take-back")
    dark.page.click("#offer-no")
    table.until(lambda: table.state()["offer"] is None)
    assert len(table.game.actions) == 1
    light.page.click("#take-back")
    light.page.wait_for_selector("#offer-no")
    assert light.page.locator("#offer-yes").count() == 0  # nobody accepts their own
    dark.page.click("#offer-yes")
    table.until(lambda: len(table.game.actions) == 0)
    if not table.screen_board.quick:
        light.follow_lights()
    light.until(lambda: table.state()["mode"] == "PLAY")
    dark.page.click("#draw")
    dark.page.click("#dialog .main")
    light.page.click("#offer-yes")
    table.until(lambda: table.game.outcome is not None)


def test_an_offer_is_of_the_position_that_it_was_made_in(table: Table, sit: Sit) -> None:
    light, dark = two(sit)
    step(light, "c4", "d4")
    table.until(lambda: len(table.game.actions) == 1)
    dark.page.click("#take-back")
    light.page.wait_for_selector("#offer-yes")
    step(light, "d4", "d5")
    table.until(lambda: len(table.game.actions) == 2)
    table.until(lambda: table.state()["offer"] is None)


def test_a_browser_that_is_gone_holds_its_side_for_a_minute() -> None:
    holders = Holders()
    holders.joined("ada")
    holders.joined("ada")  # a second page
    assert holders.take("ada", Side.DARK)
    holders.left("ada", 0.0)
    assert not holders.pass_time(2 * GONE_S)
    holders.left("ada", 100.0)
    assert not holders.pass_time(100.0 + GONE_S - 1)
    holders.joined("ada")  # a reload
    assert not holders.pass_time(100.0 + 2 * GONE_S)
    holders.left("ada", 300.0)
    assert not holders.may("ben", Side.DARK)
    assert holders.pass_time(300.0 + GONE_S)
    assert holders.take("ben", Side.DARK)
