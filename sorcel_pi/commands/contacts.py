"""`sorcel contacts`: the contacts as they are, live, and which of them are weak or dead."""

from collections.abc import Iterator
from typing import Annotated

import typer

from ..config.load import load_config
from ..config.paths import config_path
from ..config.wiring import board_of, masked_spaces
from ..rules.hexgrid import HexGrid
from ..table.sensing.debouncer import Debouncer, Scan
from .bench import END, Bench, need_real, open_bench
from .table import ConfigOption


class Watch:
    """What each contact has done since the beginning: how often it changed, and how it twitched."""

    def __init__(self, grid: HexGrid, *, debounce_s: float) -> None:
        """Begin with nothing known."""
        self.grid = grid
        self.now_closed = self.ever = self.ever_open = 0
        self.changes = [0] * grid.n
        self._debouncer = Debouncer(debounce_s)

    def feed(self, scan: Scan) -> bool:
        """Take in a scan; return whether anything has changed once bounce is taken out."""
        before = self.now_closed
        sensed = self._debouncer.feed(scan)
        self.now_closed = sensed.occupied
        self.ever |= sensed.occupied
        self.ever_open |= ~sensed.occupied
        for space in range(self.grid.n):
            self.changes[space] += (sensed.closed | sensed.opened) >> space & 1
        return self.now_closed != before

    def twitches(self, space: int) -> int:
        """Return how often a contact changed for less than counts, while nothing moved it."""
        return max(0, self._debouncer.health.totals.get(space, 0) - self.changes[space])

    def report(self, masked: int = 0) -> Iterator[str]:
        """Yield what there is to say at the end."""
        if not (self.ever or self.ever_open):
            yield "The contacts could not be read."
            return
        grid, everything = self.grid, (1 << self.grid.n) - 1
        dead = everything & ~self.ever & ~masked
        weak = [space for space in range(grid.n) if self.twitches(space) > 0]
        stuck = everything & self.ever & ~self.ever_open
        if weak:
            names = ", ".join(f"{grid.names[k]} ({self.twitches(k)} times)" for k in weak)
            yield f"Weak, as they twitched: {names}"
        if stuck:
            yield f"Closed all the time: {', '.join(grid.names_of(stuck))}"
        if dead:
            yield f"Never closed (dead, or never tried): {', '.join(grid.names_of(dead))}"
        if masked:
            yield f"Left out by the config: {', '.join(grid.names_of(masked))}"
        if not (weak or stuck or dead):
            yield "Every contact has closed and opened without a twitch."


def picture(grid: HexGrid, closed: int) -> str:
    """Return the board with # where a contact is closed, the north at the top."""
    lines = []
    widest = max(len(row) for row in grid.rows)
    for row in reversed(grid.rows):
        marks = " ".join("#" if closed >> space & 1 else "." for space in row)
        lines.append(f"{grid.names[row[0]][0]} {' ' * (widest - len(row))}{marks}")
    return "\n".join(lines)


def contacts(
    seconds: Annotated[
        float | None, typer.Option(metavar="S", help="End after so long; else with Enter.")
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Show the contacts live; at the end, tell which are weak, stuck or dead."""
    settings = load_config(config_path(config))
    need_real("contacts", settings.contacts.driver)
    bench = open_bench(settings, board_of(settings), typer.echo)
    try:
        watch_contacts(bench, seconds)
    except KeyboardInterrupt:
        pass
    finally:
        bench.close()


def watch_contacts(bench: Bench, seconds: float | None) -> Watch:
    """Show the contacts until Enter, or for so long; then say how they are."""
    grid = bench.board.grid
    watch = Watch(grid, debounce_s=bench.config.table.debounce_s)
    until = None if seconds is None else bench.clock.now() + seconds
    bench.say("Slide or carry a magnet over all spaces. Enter ends it.")
    first = True
    try:
        while not _is_ended(bench, until):
            scan = bench.scan()
            if scan is not None and (watch.feed(scan) or first):
                first = False
                names = " ".join(grid.names_of(watch.now_closed)) or "none"
                bench.say(f"{picture(grid, watch.now_closed)}\nclosed: {names}\n")
    finally:
        for line in watch.report(masked_spaces(bench.config, bench.board)):
            bench.say(line)
    return watch


def _is_ended(bench: Bench, until: float | None) -> bool:
    """Return whether the time is over or Enter was pressed; END ends what has no time."""
    key = bench.keys()
    if until is None:
        return key is not None
    return key not in (None, END) or bench.clock.now() >= until
