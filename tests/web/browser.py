"""A real browser without a window, and what a person does with the page in it."""

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.table import Table

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP sorcel.local 127.0.0.1",
)
DESKTOP = (1280, 820)
PHONE = (390, 844)
SETTLED_MS = 460

_SPACE = (
    "n => [...document.querySelectorAll('#table .names text')].findIndex(e => e.textContent === n)"
)
_LIT = """() => [...document.querySelectorAll('#table .glow')]
    .flatMap((glow, k) => glow.classList.contains('on') ? [k] : [])"""


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser; skip where there is none."""
    if not Path(CHROMIUM).exists():
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


class Person:
    """Somebody at an open page."""

    def __init__(
        self,
        browser: Browser,
        table: Table,
        *,
        size: tuple[int, int] = DESKTOP,
        dark: bool = False,
        code: bool = True,
        first: bool = False,
        language: str = "en",
        host: str = "127.0.0.1",
        port: int = 0,
        clock: bool = False,
        waits: bool = True,
    ) -> None:
        """Open the page; `clock`: its time can be moved; `waits`: until the table is seen."""
        self.table = table
        self.url = f"http://{host}:{port or table.server.port}/"
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            locale=language,
            has_touch=size == PHONE,
        )
        self.context.set_default_timeout(30_000)
        if not first:
            self.context.add_init_script("localStorage.setItem('sorcel.visited', 'yes')")
        self.page: Page = self.context.new_page()
        if clock:
            self.page.clock.install()
        self.faults: list[str] = []
        self.asked: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.goto(f"{self.url}#code={table.page.auth.code}" if code else self.url)
        if not waits:
            return
        self.page.wait_for_selector("#table .spot")
        if code:
            self.page.wait_for_selector("#take-back")

    def close(self) -> None:
        self.context.close()
        assert not self.faults, self.faults
        assert all(url.startswith(self.url) for url in self.asked), self.asked

    # -- what is seen -----------------------------------------------------------------------------

    @property
    def words(self) -> str:
        return self.page.inner_text("#words")

    def sees(self, words: str) -> None:
        """Wait until the words of the page contain these."""
        self.until(lambda: words in self.words, words)

    def until(self, holds: Callable[[], Any], what: str = "") -> None:
        end = time.monotonic() + 30
        while not holds():
            assert time.monotonic() < end, (what, self.words)
            self.page.wait_for_timeout(40)

    def lit(self, *, for_ms: int = 1000) -> set[int]:
        """Return which lights were on at some time from now on."""
        seen: set[int] = set()
        for _ in range(max(1, for_ms // 100)):
            seen |= set(self.page.evaluate(_LIT))
            self.page.wait_for_timeout(100)
        return seen

    def shot(self, folder: Path, name: str) -> None:
        self.page.screenshot(path=folder / f"{name}.png")

    # -- what is done -----------------------------------------------------------------------------

    def spot(self, name: str | int) -> tuple[float, float]:
        """Return where a space is on the screen."""
        number = self.page.evaluate(_SPACE, name) if isinstance(name, str) else name
        box = self.page.locator(f'#table [data-spot="{number}"]').bounding_box()
        assert box is not None, name
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def beside(self) -> tuple[float, float]:
        box = self.page.locator('#table [data-spot="t0"]').bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def click(self, name: str | int) -> None:
        self.page.mouse.click(*self.spot(name))

    def move(self, origin: str | int, target: str | int | None) -> None:
        """Lift a piece by a click, and drop it by another; None is beside the board."""
        self.click(origin)
        self.page.wait_for_timeout(140)
        x, y = self.beside() if target is None else self.spot(target)
        self.page.mouse.move(x, y, steps=3)
        self.page.mouse.click(x, y)
        self.page.wait_for_timeout(SETTLED_MS)

    def drag(self, origin: str, target: str) -> None:
        """Slide a piece over the wood."""
        self.page.mouse.move(*self.spot(origin))
        self.page.mouse.down()
        self.page.mouse.move(*self.spot(target), steps=8)
        self.page.mouse.up()
        self.page.wait_for_timeout(SETTLED_MS)

    def place(self, space: str | int, kind: str) -> None:
        """Take a piece from beside the board, by its letter, and put it down."""
        piece = self.page.locator(f'#table .spot[data-spot^="p"][aria-label*="{NAMES[kind]}"]')
        box = piece.first.bounding_box()
        assert box is not None
        self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        self.page.wait_for_timeout(140)
        self.page.mouse.move(*self.spot(space), steps=3)
        self.page.mouse.click(*self.spot(space))
        self.page.wait_for_timeout(SETTLED_MS)

    def follow_lights(self, *, most: int = 30) -> None:
        """Do what the lights lead to, looking at nothing else, until no action is open."""
        for _ in range(most):
            if self.table.state()["open"] is None and not self.table.state()["lit"]:
                return
            self.follow_light()
        raise AssertionError(f"the lights lead nowhere: {self.words}")

    def follow_light(self) -> None:
        """Move one piece as the lights lead, if what they show is clear."""
        lit = self.lit()
        taken = {space for space in lit if not self.is_free(space)}
        if len(taken) == 1 and len(lit) <= 2:
            free = lit - taken
            self.move(taken.pop(), free.pop() if free else None)

    def label(self, space: int) -> str:
        """Return what a screen reader says of a space."""
        return self.page.locator(f'#table [data-spot="{space}"]').get_attribute("aria-label") or ""

    def is_free(self, space: int) -> bool:
        label = self.label(space)
        return "empty" in label or ("hole" in label and "detained" not in label)


NAMES = {"S": "Light’s Sentinel", "F": "Light’s Shif", "s": "Dark’s Sentinel", "f": "Dark’s Shif"}

Sit = Callable[..., Person]
"""How a test lets somebody open the page: `sit(size=PHONE, dark=True)`."""
