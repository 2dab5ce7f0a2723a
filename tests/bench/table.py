"""The table on the real clock: how soon light answers a hand, what idling costs, how it starts."""

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from sorcel_pi import Board
from sorcel_pi.app import App, SystemClock
from sorcel_pi.commands.table import open_app
from sorcel_pi.config.schema import Config, StoreConfig
from sorcel_pi.drivers.mock.table import MockTable
from sorcel_pi.engine.levels import HIGHEST
from sorcel_pi.players.thinker import Request, Thinker
from sorcel_pi.table.lights.frame import Frame
from sorcel_pi.table.referee.inference import standing_of

CHANGES = 150


class Watched(MockTable):
    """A mock table that notes when a new frame is shown."""

    shown_s = 0.0

    def show(self, frame: Frame) -> None:
        super().show(frame)
        self.shown_s = time.monotonic()


def table_on_the_real_clock() -> Iterator[str]:
    """Yield the times of a table whose contacts change, and the cost of one that is left alone."""
    with tempfile.TemporaryDirectory() as folder:
        app, table = _app(Path(folder))
        yield _answers(app, table)
        yield _idle(app)
        app.close()
    yield from _start()


def _app(folder: Path) -> tuple[App, Watched]:
    tables = []

    def drivers(_: Config, board: Board) -> tuple[Watched, Watched]:
        tables.append(Watched(board, clock=SystemClock().now))
        return tables[0], tables[0]

    config = Config(store=StoreConfig(path=str(folder)))
    app = open_app(config, drivers=drivers, log=lambda text: None)
    for space in standing_of(app.table.game.position.pieces):
        tables[0].put(space, space)
    return app, tables[0]


def _run(app: App, seconds: float) -> None:
    """Let the loop run at its rate."""
    end = time.monotonic() + seconds
    due = time.monotonic()
    while time.monotonic() < end:
        app.pass_once()
        due += 0.01
        time.sleep(max(0.0, due - time.monotonic()))


def _answers(app: App, table: Watched) -> str:
    """Say how soon light answers a hand."""
    _run(app, 7.0)  # until what is shown after setting up has gone
    waits = _waits(app, table, CHANGES, random.Random(1))
    return (
        f"contact to frame, beyond the debounce, {len(waits)} changes: median "
        f"{statistics.median(waits):.1f} ms, p99 {_p99(waits):.1f} ms (wanted: p99 below 15 ms)"
    )


def _p99(waits: list[float]) -> float:
    return sorted(waits)[int(len(waits) * 0.99) - 1]


def _waits(app: App, table: Watched, changes: int, rng: random.Random) -> list[float]:
    """Lift a piece and put it back, again and again; return the ms from the contact to the frame.

    What counts is the frame that is shown in the pass in which the table has taken notice.
    """
    waits = []
    space = next(iter(table.truth()))
    for number in range(changes):
        _run(app, 0.2 + rng.random() * 0.01)
        time.sleep(rng.random() * 0.01)
        before = app.table.referee.state.occupied
        changed = time.monotonic()
        table.put(space, None if number % 2 == 0 else space)
        begun = _seen(app, before)
        if begun is not None and table.shown_s >= begun:
            waits.append((table.shown_s - changed - 0.02) * 1000)
    return waits


def table_beside_an_engine() -> Iterator[str]:
    """Yield how soon light answers a hand with an engine that thinks and without, in turns.

    The runs without one are two, so that their spread tells what the machine itself varies.
    """
    cores = os.sched_getaffinity(0)
    try:
        for number in sorted({len(cores), 1}, reverse=True):
            os.sched_setaffinity(0, set(sorted(cores)[:number]))
            yield _beside_an_engine(number)
    finally:
        os.sched_setaffinity(0, cores)


def _beside_an_engine(cores: int) -> str:
    rng, thinker = random.Random(2), Thinker()
    waits: dict[str, list[float]] = {"without": [], "with": [], "without again": []}
    with tempfile.TemporaryDirectory() as folder:
        app, table = _app(Path(folder))
        _run(app, 7.0)
        game = app.table.game
        for number in range(4):
            for name, found in waits.items():
                if name == "with":
                    thinker.ask(Request(number, game.start, game.actions, HIGHEST))
                found += _waits(app, table, CHANGES // 4 // 2 * 2, rng)
                thinker.cancel()
        app.close()
    thinker.close()
    each = ", ".join(f"{name} {_p99(found):.1f} ms" for name, found in waits.items())
    return f"contact to frame beside an engine of level {HIGHEST}, {cores} cores, p99: {each}"


def _seen(app: App, before: int) -> float | None:
    """Run until the belief has changed; return when that pass began."""
    due = time.monotonic()
    for _ in range(100):
        begun = time.monotonic()
        app.pass_once()
        if app.table.referee.state.occupied != before:
            return begun
        due += 0.01
        time.sleep(max(0.0, due - time.monotonic()))
    return None


def _idle(app: App) -> str:
    cpu, wall = time.process_time(), time.monotonic()
    _run(app, 10.0)
    share = (time.process_time() - cpu) / (time.monotonic() - wall)
    return f"idle loop at 100 scans a second: {share:.1%} of one core (wanted: below 3 %)"


def _start() -> Iterator[str]:
    """Start the table in a process of its own until its loop has run once."""
    times, peak = [], ""
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(3):
            began = time.monotonic()
            run = subprocess.run(
                [sys.executable, "-c", ONE_PASS],
                check=True,
                env=os.environ | {"SORCEL": folder},
                capture_output=True,
                text=True,
            )
            times.append(time.monotonic() - began)
            peak = run.stdout.strip()
    yield f"start to first pass: {statistics.median(times):.2f} s (wanted: below 1 s)"
    yield f"memory of such a process at its peak: {peak or 'unknown'} (wanted: below 60 MB)"


ONE_PASS = """
import os
from pathlib import Path
from sorcel_pi.cli import app as _
from sorcel_pi.commands.table import open_app
from sorcel_pi.config.schema import Config, StoreConfig
app = open_app(Config(store=StoreConfig(path=os.environ["SORCEL"])))
app.run(most_scans=1)
status = Path("/proc/self/status")  # what a process inherits from its parent is not in there
if status.exists():
    line = next(each for each in status.read_text().splitlines() if each.startswith("VmHWM"))
    print(int(line.split()[1]) // 1024, "MB")
"""
