"""Calibration on the page: the same questions as in the terminal, answered in either place."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from sorcel_pi.calibration.interview import Answer
from sorcel_pi.calibration.wiring import usual_layouts
from sorcel_pi.config.load import load_config
from sorcel_pi.config.wiring import contact_order, light_order
from sorcel_pi.messages.catalogue import render
from sorcel_pi.messages.message import Message
from tests.web.browser import DESKTOP, PHONE, chromium

from .person import BOARD, GRID, N
from .sitting import LONGEST_S, Sat, sat_down

PACKAGE = Path(__file__).parents[2] / "sorcel_pi"
TEXTS = json.loads((PACKAGE / "messages/texts.json").read_text(encoding="utf-8"))
PLACES = Random(3).sample(range(64), N)
LAYOUT = usual_layouts(GRID)[9]


@pytest.fixture
def sat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sat]:
    with sat_down(tmp_path, monkeypatch, PLACES, LAYOUT) as started:
        yield started


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


class Looker:
    """A page that is open: the newest message of each kind, and what is answered."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.newest: dict[str, Any] = {}

    def hear(self) -> None:
        message = json.loads(self.line.recv(timeout=LONGEST_S))
        self.newest[message["t"]] = message

    def until(self, key: str) -> dict[str, Any]:
        """Wait until the text with this key is asked, and return the message."""
        while self.asked != key:
            self.hear()
        message: dict[str, Any] = self.newest["calibration"]
        return message

    @property
    def asked(self) -> str:
        words = self.newest.get("calibration", {}).get("words")
        return "" if words is None else words[0][0] if words else "over"

    def answer(self, word: str, *, number: int | None = None) -> None:
        asked = self.newest["calibration"]["number"] if number is None else number
        self.line.send(json.dumps({"do": "answer", "number": asked, "word": word}))


@contextmanager
def looking(sat: Sat, cookie: str = "") -> Iterator[Looker]:
    with sat.open(cookie) as line:
        yield Looker(line)


@pytest.fixture
def page(sat: Sat) -> Iterator[Looker]:
    """A page that has entered the code."""
    with looking(sat, sat.token()) as looker:
        yield looker


def test_a_whole_calibration_by_the_page_and_the_terminal(sat: Sat, page: Looker) -> None:
    message = page.until("cal.empty")
    assert message["answers"] == ["go_on", "end"] and message["of"] == N
    page.answer("go_on")
    dead, again = GRID.number("c3"), GRID.number("e5")
    laid: list[int] = []
    while page.asked in ("cal.empty", "cal.contact"):
        message = page.newest["calibration"]
        space = message["space"]
        if space is not None and (not laid or space != laid[-1]):
            laid.append(space)
            sat.lay()
            if space == dead:
                page.answer("dead")
            elif space == again and laid.count(space) == 1:
                sat.typed.put("b")  # the terminal asks for the one before again
            else:
                sat.lay(space)
        page.hear()
    assert laid.count(again) == laid.count(again - 1) == 2
    message = page.until("cal.light")
    while page.asked == "cal.light":
        (space,) = sat.until(sat.lit)
        sat.lay()
        if space == dead:
            page.answer("dark")
        else:
            sat.lay(space)
        number = page.newest["calibration"]["number"]
        while page.newest["calibration"]["number"] == number:
            page.hear()
    page.until("cal.right")
    page.answer("yes")
    page.until("over")
    assert page.newest["calibration"]["said"][-1][0] == "cal.written"
    sat.thread.join(LONGEST_S)
    config = load_config(sat.path)
    order = contact_order(config, BOARD)
    assert [order[k] for k in range(N) if k != dead] == [PLACES[k] for k in range(N) if k != dead]
    assert config.table.masked == ("c3",)
    assert [LAYOUT[light] for light in light_order(config, BOARD)] == list(range(N))
    # Both places said the same.
    for key, gaps in page.newest["calibration"]["said"]:
        assert render(Message(key, gaps)) in sat.said


def test_contacts_are_shown_live(sat: Sat, page: Looker) -> None:
    page.until("cal.empty")
    sat.lay(7)
    while page.newest.get("contacts", {}).get("places") != [PLACES[7]]:
        page.hear()
    assert page.newest["contacts"] | {"t": ""} == {
        "t": "",
        "read": True,
        "spaces": [],
        "places": [PLACES[7]],
    }


def test_looking_needs_no_code_and_answering_does(sat: Sat) -> None:
    with looking(sat) as page:
        number = page.until("cal.empty")["number"]
        assert page.newest["hello"]["may"] is False
        command = {"do": "answer", "number": number, "word": "go_on"}
        assert sat.post("/api/do", command).status == 403
        page.answer("go_on")
        with pytest.raises(ConnectionClosed):
            page.until("cal.contact")
    with looking(sat) as page:
        assert page.until("cal.empty")["number"] == number
        assert sat.post("/api/do", command, sat.token()).status == 200
        page.until("cal.contact")


def test_an_answer_to_an_earlier_question_does_not_count(sat: Sat, page: Looker) -> None:
    number = page.until("cal.empty")["number"]
    page.answer("go_on")
    assert page.until("cal.contact")["space"] == 0
    page.answer("dead", number=number)
    page.answer("yes")  # nothing that is asked
    page.answer("dead")
    page.answer("dead")  # pressed twice
    while page.newest["calibration"]["space"] != 1:
        page.hear()
    page.answer("back")
    while page.newest["calibration"]["space"] != 0:
        page.hear()
    assert page.newest["calibration"]["dead"] == []


def test_it_is_ended_on_the_page_and_gone_on_with(sat: Sat, page: Looker) -> None:
    page.until("cal.empty")
    page.answer("go_on")
    page.until("cal.contact")
    page.answer("dead")
    while page.newest["calibration"]["space"] != 1:
        page.hear()
    page.answer("end")
    page.until("over")
    sat.thread.join(LONGEST_S)
    assert sat.said[-1] == "Interrupted; the same command goes on from here."
    progress = json.loads((sat.path.parent / "state/calibration.json").read_text("utf-8"))
    assert progress["dead_contacts"] == ["a1"]


def test_every_text_is_there() -> None:
    asked = {f"answer.{answer.value}" for answer in Answer}
    for name in (
        "calibration/wiring",
        "calibration/overlap",
        "calibration/interview",
        "commands/calibrate",
    ):
        source = (PACKAGE / f"{name}.py").read_text(encoding="utf-8")
        asked |= set(re.findall(r"\bmessage\(\s*\"([\w.]+)\"", source))
    assert len(asked) > 25
    assert asked - TEXTS["en"].keys() == set()


# -- in a browser ---------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_in_a_browser(sat: Sat, browser: Browser, tmp_path: Path, size: tuple[int, int]) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, locale="en")
    context.set_default_timeout(LONGEST_S * 1000)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"http://{sat.host}/")
    page.wait_for_function("() => document.querySelector('#words').textContent.startsWith('Take')")
    assert page.locator("[data-answer]").count() == 0  # who looks has no answers
    page.click("#need-code")
    page.fill("#dialog input", sat.code)
    page.keyboard.press("Enter")
    page.click('[data-answer="go_on"]')
    page.wait_for_selector('.mark.asked[data-mark="a1"]')
    for space in range(8):
        name = GRID.names[space]
        page.wait_for_selector(f'.mark.asked[data-mark="{name}"]')
        assert page.inner_text("#words") in sat.said
        sat.lay()
        if space == 5:
            page.click('[data-answer="dead"]')
        else:
            sat.lay(space)
    page.wait_for_selector(f'.mark.asked[data-mark="{GRID.names[8]}"]')
    row, column = divmod(PLACES[7], 8)
    page.wait_for_function(
        "text => document.querySelector('#closed').textContent === text",
        arg=f"Closed: row {row}, column {column}.",
    )
    assert page.locator(".mark.known").count() == 7 and page.locator(".mark.dead").count() == 1
    assert "8 of 61" in page.inner_text("#calibration")
    assert page.inner_text("#why").startswith(f"{GRID.names[7]}: row {row}")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= size[0]
    page.screenshot(path=tmp_path / "calibration.png")
    page.click('[data-answer="end"]')
    page.wait_for_function("() => document.querySelector('#words').textContent.startsWith('That')")
    assert page.inner_text("#why") == "Interrupted; the same command goes on from here."
    context.close()
    assert not faults


def test_in_german(sat: Sat, browser: Browser) -> None:
    context = browser.new_context(locale="de")
    page = context.new_page()
    page.goto(f"http://{sat.host}/#code={sat.code}")
    page.click('[data-answer="go_on"]')
    page.wait_for_selector('.mark.asked[data-mark="a1"]')
    assert page.inner_text("#words") == ("[1/61] a1: Reihe a von Süden, Nummer 1 von 5 von Westen")
    sat.lay(0)
    row, column = divmod(PLACES[0], 8)
    page.wait_for_selector('.mark.asked[data-mark="a2"]')
    assert page.inner_text("#why") == f"a1: Reihe {row}, Spalte {column}."
    context.close()
