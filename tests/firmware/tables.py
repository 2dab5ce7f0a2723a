"""A simulated table whose contacts and lights are at the far end of the line, for whole games.

Simulated people handle it as any `MockTable`.  What they do closes contacts that the real firmware
scans, what they see are the lights that it drives, and all of that goes through the real driver.
"""

from pathlib import Path
from typing import Any

from sorcel_pi.drivers.mock.table import MockTable
from sorcel_pi.drivers.ports import Frame
from sorcel_pi.rules.board import Board
from sorcel_pi.table.sensing.debouncer import Scan

from .rig import SLICE_S, Clock, Rig

BUSY_S = 0.01
SETTLED_S = 0.06
"""So long after the last change everything about contacts has been told."""
SHOWN_S = 0.2
"""Within which a frame is shown, unless the line is cut or noisy."""


class LineTable(MockTable):
    """A table on a line; `rig` is the line, `options` are those of the simulated table."""

    def __init__(
        self, board: Board, folder: Path, *, line: dict[str, Any] | None = None, **options: Any
    ) -> None:
        """Plug the board in; `line` holds options of the rig."""
        super().__init__(board, **options)
        self._changed_s = self._now
        self._line = Clock()
        self._line.now = self._now
        self.rig = Rig(folder, clock=self._line, **(line or {}))
        super().advance_to(self._line.now)

    def scan(self) -> Scan:
        """Return what has come over the line."""
        self._move()
        return self.rig.mcu.scan()

    def show(self, frame: Frame) -> None:
        """Send a frame and let time pass until it can be seen."""
        self.rig.mcu.show(frame)
        end = self._now + SHOWN_S
        while self.rig.lights != frame and self._now < end:
            self._slice(self._now + BUSY_S / 2)

    def advance_to(self, time_s: float) -> None:
        """Let time pass on the table and on the line."""
        while self._now < time_s:
            busy = super().next_change() is not None
            self._slice(min(time_s, self._now + (BUSY_S if busy else SLICE_S)))

    def next_change(self, now: float | None = None) -> float | None:
        """Return when a scan could read anything new, what is still on its way included."""
        change = super().next_change(now)
        here = self._now
        if here < self._changed_s + SETTLED_S:
            return here + BUSY_S if change is None else min(change, here + BUSY_S)
        return change

    def close(self) -> None:
        """Let go of the line."""
        self.rig.close()
        super().close()

    def _slice(self, until_s: float) -> None:
        super().advance_to(until_s)
        self._move()
        self.rig.advance(self._now - self._line.now)
        self._line.now = self._now  # to the last bit
        if self.rig.lights != self.frame and self.rig.lights:
            super().show(self.rig.lights)

    def _move(self) -> None:
        """Let contacts open and close as the pieces stand now."""
        _, contacts, buttons = super().scan()
        if (contacts, buttons) != (self.rig.contacts, self.rig.buttons):
            self._changed_s = self._now
        self.rig.contacts, self.rig.buttons = contacts, buttons
