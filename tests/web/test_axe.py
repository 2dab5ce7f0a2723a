"""Nothing is found by axe: in no dialog, at no size, in no language and under no theme."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from sorcel_pi import Game, Side, parse_position
from sorcel_pi.messages.catalogue import languages
from sorcel_pi.rulebook.pages import LANGUAGES
from tests.web.browser import DESKTOP, PHONE, Person, Sit
from tests.web.positions import CHAIN, SMALL
from tests.web.table import Table
from tests.web.test_page import add

TINY = (320, 256)


def found(page: Page) -> list[tuple[str, str]]:
    """Return what axe finds, each rule with the first place."""
    broken = Axe().run(page).response["violations"]
    return [(each["id"], each["nodes"][0]["html"][:300]) for each in broken]


MORE = ("play-computer", "position")
"""Dialogs behind further buttons."""


def dialogs(person: Person) -> Iterator[str]:
    """Open one dialog after the other, and yield the name of each while it is open."""
    page = person.page
    yield "page"
    person.click("c3")
    yield "lifted"
    page.keyboard.press("Escape")
    page.click("#more summary")
    yield "more"
    for way in ("open-settings", "open-lights", "new-game", "resign-0", "draw", "abandon", *MORE):
        page.click(f"#{way}")
        page.wait_for_selector("dialog[open]")
        if way == "new-game":
            page.select_option("#new-rules", "ahumm")
            page.click("#dialog summary")
        yield way
        page.click("#dialog-close")
    page.click("#open-games")
    page.wait_for_selector("#dialog .games")
    yield "games"
    page.click("#dialog .games button >> nth=0")
    page.wait_for_selector("#replay-told")
    yield "replay"
    page.click("#dialog-close")


def on_another_board(table: Table, person: Person) -> str:
    game = {"do": "new_game", "board": SMALL, "rules": "egressian", "light": "A", "dark": "B"}
    assert table.post("/api/do", game, Cookie=table.token()).status == 200
    person.until(lambda: table.state()["board"] == "small" and table.state()["mode"] == "PLAY")
    person.page.click("#open-lesson")
    person.page.wait_for_selector("#lesson-new")
    return "lesson-other-board"


def look_everywhere(
    table: Table, sit: Sit, shots: Path, tag: str, size: tuple[int, int], language: str, theme: str
) -> None:
    """Let axe see every dialog there is, and keep a picture of each."""
    game = Game(parse_position(CHAIN), {"Light": "Ada", "Dark": "Bo"})
    game.play("d5e6")
    game.resign(Side.DARK)
    add(table, game)

    def check(person: Person, name: str) -> None:
        person.page.wait_for_timeout(250)  # what glides has come to rest
        person.shot(shots, f"axe-{tag}-{name}")
        assert found(person.page) == [], name

    def come(**how: bool) -> Person:
        person = sit(size=size, language=language, waits=False, **how)
        person.page.evaluate("t => localStorage.setItem('sorcel.theme', t)", theme)
        person.page.evaluate("dispatchEvent(new Event('sorcel-looks'))")
        person.page.wait_for_selector("#table .spot")
        return person

    visitor = come(first=True)
    visitor.page.wait_for_selector("#lesson-begin")
    check(visitor, "first-visit")
    onlooker = come(code=False)
    check(onlooker, "onlooker")
    onlooker.page.click("#need-code")
    check(onlooker, "code")
    person = come()
    person.page.wait_for_selector("#take-back")
    for name in dialogs(person):
        check(person, name)
    check(person, on_another_board(table, person))
    for tongue in LANGUAGES:
        person.page.goto(f"{person.url}rules-{tongue}.html")
        check(person, f"rules-{tongue}")


def test_axe_finds_nothing_in_any_dialog(table: Table, sit: Sit, shots: Path) -> None:
    look_everywhere(table, sit, shots, "once", DESKTOP, "en", "light")


SIZES = {"desktop": DESKTOP, "phone": PHONE, "tiny": TINY}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "language", "theme"),
    list(product(SIZES, languages(), ("light", "dark", "contrast"))),
)
def test_axe_finds_nothing_anywhere(
    table: Table, sit: Sit, shots: Path, size: str, language: str, theme: str
) -> None:
    look_everywhere(table, sit, shots, f"{size}-{language}-{theme}", SIZES[size], language, theme)
