"""The page beside a board of wood: drivers of the Pi on a simulated matrix and a kept SPI bus."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from sorcel_pi.app import App
from sorcel_pi.config.schema import Config, ContactsConfig, PixelsConfig
from sorcel_pi.config.wiring import contact_order, light_order
from sorcel_pi.rules.board import standard_board
from sorcel_pi.rules.hexgrid import spaces_of
from sorcel_pi.table.commands import ShowCode
from sorcel_pi.table.companion import Companion
from sorcel_pi.table.lights.layout import code_rows
from sorcel_pi.web.controller import CODE_PAUSE_S, CODE_S
from tests.drivers.test_pixels import Wire
from tests.drivers.wired import FakeLgpio
from tests.web.browser import Person
from tests.web.table import Table

CONTACTS, PIXELS = ContactsConfig(driver="gpio"), PixelsConfig(driver="spi")
CONFIG = Config(contacts=CONTACTS, pixels=PIXELS)
BOARD = standard_board()
READ_MS = 1000
"""Longer than digits are dark when they blink."""


class Wood(Table):
    """A board whose contacts and lights are at the ends of wires."""

    def __init__(self, folder: Path, lgpio: FakeLgpio, wire: Wire) -> None:
        """Put the pieces up."""
        self._lgpio, self._wire = lgpio, wire
        self._stand(BOARD.start.occupied)
        super().__init__(folder, contacts=CONTACTS, pixels=PIXELS)

    def stand(self, spaces: int) -> None:
        """Let pieces stand on these spaces and on no others.

        That is done between two scans: changed by this thread while one is read, half of the
        contacts would seem to have moved before the other half, as no hand could do it.
        """
        self.run(lambda app: self._stand(spaces))

    def _stand(self, spaces: int) -> None:
        places = contact_order(CONFIG, BOARD)
        self._lgpio.wiring.close_places(sum(1 << places[space] for space in spaces_of(spaces)))

    def lit(self) -> set[int]:
        """Return the spaces whose lights were sent a colour last."""
        frame = self._wire.frame("GRB")
        return {space for space, k in enumerate(light_order(CONFIG, BOARD)) if any(frame[k])}


@pytest.fixture
def wood(tmp_path: Path, lgpio: FakeLgpio, wire: Wire) -> Iterator[Wood]:
    made = Wood(tmp_path, lgpio, wire)
    try:
        made.until(lambda: made.state().get("mode") == "PLAY")
        yield made
    finally:
        made.close()


def read_code(wood: Wood, person: Person) -> str:
    """Read the code as somebody at the board does: how many lights of each row are on."""
    seen: set[int] = set()
    for _ in range(READ_MS // 50):
        seen |= wood.lit()
        person.page.wait_for_timeout(50)
    rows = code_rows(BOARD.grid)
    assert seen <= {space for row in rows for space in row}, "nothing else is shown meanwhile"
    return "".join(str(len(seen & set(row))) for row in rows)


def test_the_code_that_the_lights_show_gives_the_controls(wood: Wood, browser: Browser) -> None:
    person = Person(browser, wood, code=False)
    page = person.page
    assert page.locator("#take-back").count() == 0
    page.click("#need-code")
    page.click("#show-code")
    wood.until(lambda: any("code of this table" in line for line in wood.lines))
    person.until(lambda: wood.lit() <= {space for row in code_rows(BOARD.grid) for space in row})
    code = read_code(wood, person)
    assert not person.lit(for_ms=500), "who only looks at the page does not see it"
    wrong = code[:-1] + ("0" if code[-1] != "0" else "1")
    page.fill("input.code", wrong)
    page.press("input.code", "Enter")
    person.until(lambda: "not the code" in page.inner_text("#dialog"))
    assert wood.post("/api/do", {"do": "take_back"}).status == 403
    page.fill("input.code", code)
    page.press("input.code", "Enter")
    page.wait_for_selector("#take-back")
    assert code == wood.page.auth.code
    page.click("#more summary")
    page.click("#resign-1")
    page.click("#dialog .main")
    person.sees("Light has won")
    person.close()


def code_of(wood: Wood, table: Companion) -> str:
    """Return the code that a companion shows, when all is told that it has led to so far."""
    code = wood.run(lambda app: table.view(app.clock.now()).code)
    wood.run(lambda app: None)
    return str(code)


def test_a_lesson_hides_the_code(wood: Wood) -> None:
    played, cookie = wood.app.table, wood.token()
    wood.run(wood.page._light_code)
    wood.until(lambda: code_of(wood, played) == wood.page.auth.code)
    for step in ("move", "stop"):
        command = {"do": "lesson", "step": step}
        assert wood.post("/api/do", command, Cookie=cookie).status == 200
        wood.until(lambda: (wood.app.table is played) is (step == "stop"))  # noqa: B023
        assert not code_of(wood, wood.app.table) and not code_of(wood, played)


def test_who_only_looks_sees_no_code_however_long_it_is_shown(wood: Wood) -> None:
    wood.app.commands.put(ShowCode("1234"))
    wood.until(lambda: code_of(wood, wood.app.table) == "1234")
    assert set(json.loads(wood.page.broadcast.latest("frame") or "")["c"]) == {"0"}
    wood.app.commands.put(ShowCode(""))
    wood.until(lambda: set(json.loads(wood.page.broadcast.latest("frame") or "")["c"]) != {"0"})


def test_the_code_is_shown_again_soon(wood: Wood) -> None:
    def later(app: App) -> None:
        wood.page._code_shown_s -= 15.0

    for call in (wood.page._light_code, wood.page._light_code, later, wood.page._light_code):
        wood.run(call)
    assert CODE_S < CODE_PAUSE_S
    assert len([line for line in wood.lines if "code of this table" in line]) == 2


def test_a_board_that_cannot_be_read_says_why(
    wood: Wood, browser: Browser, lgpio: FakeLgpio
) -> None:
    person = Person(browser, wood)
    person.sees("Light: 3 steps")
    lgpio.wiring.error = OSError(5, "Input/output error")
    person.sees("cannot be read just now")
    person.until(lambda: "Input/output error" in person.page.inner_text("#why"))
    lgpio.wiring.error = None
    person.sees("Light: 3 steps")
    person.until(lambda: not person.page.inner_text("#why"))
    person.close()


def test_a_step_on_the_wood_is_seen_on_the_page(wood: Wood, browser: Browser) -> None:
    person = Person(browser, wood, code=False)
    c4, d4 = BOARD.grid.number("c4"), BOARD.grid.number("d4")
    wood.stand(BOARD.start.occupied & ~(1 << c4))
    person.sees("put it down on a lit hex")
    wood.stand(BOARD.start.occupied & ~(1 << c4) | 1 << d4)
    person.sees("2 steps left")
    assert "Shif" in person.label(d4) and "empty" in person.label(c4)
    assert person.page.locator('#table [data-spot="t0"]').count() == 0, "no piece can be moved here"
    person.close()


def test_the_lesson_runs_on_the_wood(wood: Wood, browser: Browser) -> None:
    person = Person(browser, wood, first=True)
    page = person.page
    page.wait_for_selector("#lesson-begin")
    assert "click" not in page.inner_text("#dialog").lower(), "pieces of wood are lifted by hand"
    page.click("#lesson-begin")
    person.sees("move it from c4 to d4")
    c4, d4 = BOARD.grid.number("c4"), BOARD.grid.number("d4")
    wood.stand(BOARD.start.occupied & ~(1 << c4))
    person.sees("put it down on a lit hex")
    wood.stand(BOARD.start.occupied & ~(1 << c4) | 1 << d4)
    person.until(lambda: "Well done" in page.inner_text("#lesson"))
    page.click("#lesson-next")
    wood.until(lambda: wood.game.start.occupied != BOARD.start.occupied)
    person.sees("Setting up")
    wood.stand(wood.game.start.occupied)
    person.sees("from f5 to g6")
    page.click("#lesson-stop")
    wood.stand(BOARD.start.occupied)
    person.sees("Light: 3 steps")
    assert wood.game.actions == ()
    person.close()
