"""Scripts of contacts with times, as they are written in docs/table.md, run through a companion.

"0-b3 200~a3 500+b2": b3 opens at 0 ms, a3 is flipped for one scan at 200 ms, b2 closes at 500 ms.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from sorcel_pi import Game, format_action, parse_position
from sorcel_pi.table.companion import Companion, Output
from sorcel_pi.table.events import TableEvent
from sorcel_pi.table.lights.frame import FrameMaker
from sorcel_pi.table.sensing.debouncer import Buttons, Scan
from sorcel_pi.table.timing import Timing
from sorcel_pi.table.view import View

PERIOD_S = 0.01
REST_S = 6.0
START = "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -"


class Change(NamedTuple):
    """A contact that opens (`-`), closes (`+`) or is flipped for one scan (`~`)."""

    at_s: float
    kind: str
    space: int


class Contacts:
    """A table of bare contacts, scanned at 100 Hz; what must be recorded is durable at once."""

    def __init__(self, code: str, *, timing: Timing | None = None, masked: int = 0) -> None:
        self.start = parse_position(code)
        self.grid = self.start.board.grid
        self.companion = Companion(
            Game(self.start), FrameMaker(self.start.board), timing=timing, masked=masked
        )
        self.closed = self.start.occupied & ~masked
        self.now = 0.0
        self.buttons = Buttons.NONE
        self.events: list[TableEvent] = []
        self.wait(REST_S)

    def space(self, name: str) -> int:
        return self.grid.number(name)

    def scan(self, flipped: int = 0) -> Output:
        """Let one period pass and scan."""
        self.now = round(self.now + PERIOD_S, 6)
        output = self.companion.step(Scan(self.now, self.closed ^ flipped, self.buttons), self.now)
        self.events += output.events
        if output.serial is not None:
            self.companion.recorded(output.serial, self.now)
        return output

    def wait(self, seconds: float, each: Callable[[View], object] | None = None) -> "Contacts":
        """Let time pass; `each` sees every view meanwhile."""
        for _ in range(round(seconds / PERIOD_S)):
            self.scan()
            if each is not None:
                each(self.view)
        return self

    def play(self, script: str) -> "Contacts":
        """Run a script of contacts whose times begin now."""
        return self.run(list(self.changes(script)))

    def changes(self, script: str) -> Iterator[Change]:
        for time_ms, kind, name in re.findall(r"(\d+)([-+~])(\w\d)", script):
            yield Change(int(time_ms) / 1000, kind, self.space(name))

    def run(self, changes: list[Change], *, rest_s: float = 0.0) -> "Contacts":
        """Run changes whose times begin now, then wait `rest_s`."""
        began = self.now
        for change in sorted(changes):
            while self.now < began + change.at_s - PERIOD_S / 2:
                self.scan()
            bit = 1 << change.space
            if change.kind == "~":
                self.scan(bit)
            else:
                self.closed = self.closed | bit if change.kind == "+" else self.closed & ~bit
        return self.wait(rest_s)

    @property
    def view(self) -> View:
        return self.companion.view(self.now)

    @property
    def played(self) -> list[str]:
        board = self.start.board
        return [format_action(board, action) for action in self.companion.game.actions]

    def letters(self, *names: str) -> str:
        """Return what is believed to stand on these spaces."""
        pieces = self.companion.referee.state.pieces
        return "".join(
            "-" if self.space(n) not in pieces else getattr(pieces[self.space(n)], "letter", "?")
            for n in names
        )
