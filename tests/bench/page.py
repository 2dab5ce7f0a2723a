"""How soon an open page is told of a change of the board, and what many that look on cost."""

import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Event, Thread
from typing import Any

from websockets.sync.client import ClientConnection

from sorcel_pi import Step, resolve
from tests.web.table import Table
from tests.web.test_quick_hands import click, script, stands

CHANGES = 120
PAGES = (10, 50)
QUICK_ACTIONS = 60
WATCHED_S = 10.0
GOAL_MS, GOAL_SHARE = 50, 0.2


def page_on_loopback() -> Iterator[str]:
    """Yield the times of one page, and the scan period without and with many pages."""
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder))
        try:
            table.until(lambda: table.state().get("mode") == "PLAY")
            yield _told(table)
            for pages in PAGES:
                yield from _many(table, pages)
        finally:
            table.close()
    yield from _quick_play()


def _quick_play() -> Iterator[str]:
    """Play games of pushes by clicks; read when words, actions and the record follow."""
    lifts: list[float] = []
    named: list[float] = []
    each: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder), quick=True)
        try:
            with table.open(table.token()) as line:
                for action, _ in script(3, QUICK_ACTIONS):
                    if isinstance(action, Step):
                        _play(table, line, action, lifts, named, each)
                    else:
                        click(table, action, int(table.game.position.side), table.app.revision)
                        _until(line, lambda message: message["t"] == "log")
                    table.until(lambda: stands(table))
        finally:
            table.close()
    yield (
        f"quick play: words {_p95(lifts):.0f} ms after a lift (wanted: 85 ms), the action "
        f"{_p95(named):.0f} ms after the drop (120 ms), the record {_p95(each):.0f} ms later for "
        f"each relocation (60 ms); 95 % of {len(named)} steps"
    )


def _play(
    table: Table,
    line: ClientConnection,
    action: Step,
    lifts: list[float],
    named: list[float],
    each: list[float],
) -> None:
    _drain(line)
    moves = len(resolve(table.game.position, action).consequences)
    begun = time.monotonic()
    _click(table, line, action.origin)
    _until(line, lambda m: m["t"] == "state" and str(m["words"][0][0]).startswith("lifted"))
    lifts.append(1000 * (time.monotonic() - begun))
    begun = time.monotonic()
    _click(table, line, action.target)
    _until(line, lambda message: message["t"] == "action")
    told = time.monotonic()
    named.append(1000 * (told - begun))
    _until(line, lambda message: message["t"] == "log")
    if moves:
        each.append(1000 * (time.monotonic() - told) / moves)


def _click(table: Table, line: ClientConnection, space: int) -> None:
    x, y = table.mock.reeds.centres[space]
    line.send(json.dumps({"hand": "click", "x": x, "y": y}))


def _until(line: ClientConnection, holds: Callable[[Any], bool]) -> None:
    while not holds(json.loads(line.recv(timeout=10))):
        pass


def _p95(times: list[float]) -> float:
    return sorted(times)[int(0.95 * (len(times) - 1))]


def _told(table: Table) -> str:
    """Lift and drop a piece again and again, and read when the page hears of it."""
    pieces = list(table.mock.truth().items())
    taken: list[float] = []
    with table.open() as line:
        for k in range(CHANGES):
            _drain(line)
            space, piece = pieces[k // 2 % len(pieces)]
            lifts = k % 2 == 0
            begun: list[float] = []

            def change(
                piece: int = piece, to: int | None = None if lifts else space, at: Any = begun
            ) -> None:
                table.mock.put(piece, to)
                at.append(time.monotonic())

            table.app.commands.put(lambda app, change=change: change())  # type: ignore[misc]
            _next_state(line, space, there=not lifts)
            taken.append(1000 * (time.monotonic() - begun[0]))
            time.sleep(0.2)
    taken.sort()
    half, most = statistics.median(taken), taken[int(0.95 * len(taken))]
    return (
        f"page: told of a change after {half:.0f} ms, 95 % within {most:.0f} ms "
        f"(goal: {GOAL_MS} ms; the debounce is 20 ms of it)"
    )


def _drain(line: ClientConnection) -> None:
    """Read what there is."""
    try:
        while True:
            line.recv(timeout=0.02)
    except TimeoutError:
        return


def _next_state(line: ClientConnection, space: int, *, there: bool) -> None:
    """Wait for the state in which a piece is believed to be there, or gone."""
    while True:
        message = json.loads(line.recv(timeout=10))
        if message["t"] == "state" and (space in dict(message["believed"])) == there:
            return


def _many(table: Table, pages: int) -> Iterator[str]:
    """Compare the scan period with no page and with many that look on."""
    alone = _period_ms(table)
    done = Event()
    with ExitStack() as lines:
        readers = [
            Thread(target=_read, args=(lines.enter_context(table.open()), done), daemon=True)
            for _ in range(pages)
        ]
        for reader in readers:
            reader.start()
        crowded = _period_ms(table)
        done.set()
        for reader in readers:
            reader.join(5)
    share = crowded / (1000 / table.app.scan_hz) - 1
    yield (
        f"page: a scan every {alone:.2f} ms alone, {crowded:.2f} ms with {pages} pages open, "
        f"{share:+.1%} of nominal (goal: within {GOAL_SHARE:.0%})"
    )


def _read(line: ClientConnection, done: Event) -> None:
    while not done.is_set():
        try:
            line.recv(timeout=0.5)
        except TimeoutError:
            continue


def _period_ms(table: Table) -> float:
    scans, begun = table.app.scans, time.monotonic()
    time.sleep(WATCHED_S)
    return 1000 * (time.monotonic() - begun) / (table.app.scans - scans)
