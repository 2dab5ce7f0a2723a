"""What each test of the page gets: a table, people at it, a place for pictures."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.drivers.test_factory import lgpio as lgpio
from tests.drivers.test_pixels import wire as wire
from tests.web.browser import Person, Sit, chromium
from tests.web.table import Table


@pytest.fixture(name="quick")
def _quick() -> bool:
    """Whether the table is played quickly; a file of tests about that says so itself."""
    return False


@pytest.fixture
def table(tmp_path: Path, quick: bool) -> Iterator[Table]:
    made = Table(tmp_path, quick=quick)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def shots(tmp_path: Path) -> Path:
    """Where screenshots go: away with the test, or into the folder that SORCEL_SHOTS names."""
    folder = Path(os.environ.get("SORCEL_SHOTS") or tmp_path / "shots").absolute()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for all tests of a file."""
    with chromium() as started:
        yield started


@pytest.fixture
def sit(browser: Browser, table: Table) -> Iterator[Sit]:
    """Let people open the page; in the end nobody may have met a fault."""
    people: list[Person] = []

    def sit_down(**how: Any) -> Person:
        people.append(Person(browser, table, **how))
        return people[-1]

    yield sit_down
    for person in people:
        person.close()
