"""A line that is dead without an end: the page notices, says so, and comes back by itself."""

from collections.abc import Iterator

import pytest

from tests.web.browser import Sit
from tests.web.proxy import Relay
from tests.web.table import Table

WITHIN_S = 5


@pytest.fixture
def relay(table: Table) -> Iterator[Relay]:
    made = Relay(table.server.port)
    yield made
    made.close()


def test_39_a_half_open_line_is_noticed_and_comes_back(
    table: Table, sit: Sit, relay: Relay
) -> None:
    person = sit(port=relay.port, clock=True)
    page = person.page
    relay.freeze()
    page.wait_for_timeout(300)
    assert page.locator("body[data-line=open]").count() == 1
    page.clock.fast_forward(WITHIN_S * 1000)
    page.wait_for_selector("body[data-line=lost]")
    person.sees("line to the table is down")
    assert page.evaluate("document.querySelector('#buttons').inert")
    assert float(page.eval_on_selector("#buttons", "e => getComputedStyle(e).opacity")) < 0.7
    page.clock.fast_forward(3000)  # it tries again, and in vain
    page.wait_for_timeout(200)
    person.sees("line to the table is down")
    relay.thaw()
    for _ in range(20):
        page.clock.fast_forward(3000)
        page.wait_for_timeout(200)
        if page.locator("body[data-line=open]").count():
            break
    page.wait_for_selector("body[data-line=open]")
    assert not page.evaluate("document.querySelector('#buttons').inert")
    person.sees("3 steps")


@pytest.mark.parametrize("event", ["pageshow", "online", "visibilitychange"])
def test_39_after_sleep_the_page_comes_back_at_once(
    table: Table, sit: Sit, relay: Relay, event: str
) -> None:
    person = sit(port=relay.port, clock=True)
    page = person.page
    lines = len(table.server.doors)
    relay.freeze()
    page.evaluate("window.WebSocket.prototype.close = () => {}")  # the old line says nothing
    # As after sleep: no timer has run, and much time has passed.
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 60000; }")
    relay.thaw()
    target = "document" if event == "visibilitychange" else "window"
    page.evaluate(f"{target}.dispatchEvent(new Event('{event}'))")
    table.until(lambda: len(table.server.doors) > lines)
    page.wait_for_selector("body[data-line=open]")
