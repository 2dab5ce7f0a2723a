"""A simulated table: pieces in millimetres, contacts that close by a field, lights that record.

It keeps both contracts of `drivers.ports`, and is driven like physics: hands lift, slide and shove
pieces, things break, the plug is pulled.  It knows no rules, no turns and no kinds of pieces.
Where the clock is its own, time passes only in `advance`, and `next_change` says how far one may
jump without missing anything; with a real clock it serves a table on the screen.

>>> from sorcel_pi.rules.board import standard_board
>>> table = MockTable(standard_board(), bounce_s=0)
>>> b3, c3 = map(table.grid.number, ("b3", "c3"))
>>> table.put(1, b3)
>>> end = table.slide(1, c3)
>>> table.grid.names_of(table.scan().closed), round(end, 2)
(('b3',), 0.24)
>>> table.advance(end)
>>> table.grid.names_of(table.scan().closed), table.truth() == {c3: 1}
(('c3',), True)
"""

from collections import deque
from collections.abc import Callable
from typing import Literal

from ...errors import DeviceError
from ...rules.board import Board
from ...table.lights.frame import BLACK
from ...table.sensing.debouncer import Scan
from ..ports import Frame
from .field import DISC_6X3, MagnetField
from .hands import Hands
from .reeds import ContactFault, Reeds

ALL_BUTTONS = 7


class MockTable(Hands):
    """A table of `board` that exists nowhere; one `seed`, one behaviour.

    `pitch_mm` is the distance of neighbouring centres.  `spread` (0 to 1) is how much of the range
    of usable reeds is found under the board, `bounce_s` how long a contact chatters at most.  With
    `look_s` contacts are Hall switches that look so often, and chatter is left out.
    Scans are expected every `scan_period_s` while something changes.  `clock` gives seconds; None
    is a clock of its own that begins at 0.
    """

    def __init__(
        self,
        board: Board,
        *,
        pitch_mm: float = 36.0,
        magnet: MagnetField = DISC_6X3,
        seed: int = 0,
        spread: float = 1.0,
        bounce_s: float = 0.004,
        look_s: float = 0.0,
        scan_period_s: float = 0.01,
        clock: Callable[[], float] | None = None,
        frames_kept: int = 256,
    ) -> None:
        """Set up an empty board; `ValueError` if no reed suits the magnet and the pitch."""
        grid = board.grid
        reeds = Reeds(
            grid,
            pitch_mm,
            magnet,
            seed=seed,
            spread=spread,
            bounce_s=bounce_s,
            look_s=look_s,
        )
        super().__init__(board, pitch_mm, reeds)
        self.scan_period_s = scan_period_s
        self._clock = clock
        self._now = 0.0
        self._gone = ""
        self._buttons = 0
        self._presses: list[tuple[float, int, bool]] = []
        self._dark_lights: set[int] = set()
        self.frame: Frame = (BLACK,) * grid.n
        """What the lights show now, dead ones included."""
        self.frames: deque[tuple[float, Frame]] = deque(maxlen=frames_kept)
        """What could be seen last, each with the time since which it was seen."""
        self.frames_shown = 0

    # Time.

    @property
    def now(self) -> float:
        """The time in seconds."""
        return self._clock() if self._clock else self._now

    def advance(self, seconds: float) -> None:
        """Let time pass; only for a clock of its own."""
        self.advance_to(self._now + seconds)

    def advance_to(self, time_s: float) -> None:
        """Let time pass until `time_s`; only for a clock of its own, and never back."""
        if self._clock or time_s < self._now:
            raise ValueError(f"the clock says {self.now} s and cannot be put to {time_s} s")
        self._now = time_s

    def next_change(self, now: float | None = None) -> float | None:
        """Return the earliest time at which a scan can read anything new, or None.

        While a magnet moves near the wood or a contact bounces that is one scan period from now.
        Ask after the scan at `now`: what is due at that moment is then behind.
        """
        now = self.now if now is None else now
        times = (
            self._next_motion(now, self.scan_period_s),
            self.reeds.next_change(now, self.scan_period_s),
            self._presses[0][0] if self._presses else None,
        )
        return min((time for time in times if time is not None), default=None)

    # The two contracts.

    def scan(self) -> Scan:
        """Return which contacts are closed and which buttons are down now."""
        if self._gone:
            raise DeviceError(f"the contacts of the simulated table cannot be read: {self._gone}")
        now = self.now
        if self._moving or self.reeds.unsettled:
            self._move_all(now)
        while self._presses and self._presses[0][0] <= now:
            _, button, down = self._presses.pop(0)
            self._buttons = self._buttons | button if down else self._buttons & ~button
        return Scan(now, self.reeds.read(now), self._buttons)

    def show(self, frame: Frame) -> None:
        """Record `frame`; lights that are broken stay dark."""
        if len(frame) != self.grid.n:
            raise ValueError(f"a frame of {len(frame)} colours for {self.grid.n} lights")
        if self._gone:
            raise DeviceError(f"the lights of the simulated table cannot be set: {self._gone}")
        if self._dark_lights:
            dark = self._dark_lights
            frame = tuple(BLACK if k in dark else colour for k, colour in enumerate(frame))
        self.frames_shown += 1
        self._record(frame)

    def close(self) -> None:
        """Make the lights dark; the table cannot be used again."""
        if self._gone != "closed":
            self._record((BLACK,) * self.grid.n)
        self._gone = "closed"

    # Buttons.

    def press(self, button: int, *, at: float | None = None, hold_s: float | None = None) -> None:
        """Press a button (1 Light, 2 Dark, 4 menu; sums are several), now or later.

        It is let go after `hold_s`, or by `release`.
        """
        at = self._press(button, at, True)
        if hold_s is not None:
            self._press(button, at + hold_s, False)

    def release(self, button: int, *, at: float | None = None) -> None:
        """Let go of a button, now or later."""
        self._press(button, at, False)

    # What breaks.

    def break_contact(
        self,
        space: int,
        fault: Literal["dead", "stuck", "flicker"] = "dead",
        *,
        rate_hz: float = 10.0,
    ) -> None:
        """Break the contact of `space`; one that flickers turns round `rate_hz` times a second."""
        self.reeds.break_contact(space, ContactFault(fault), rate_hz, self.now)

    def mend_contact(self, space: int) -> None:
        """Mend the contact of `space`."""
        self.reeds.mend_contact(space)

    def break_light(self, space: int) -> None:
        """Let the light beside `space` stay dark from now on."""
        self._dark_lights.add(space)
        frame = tuple(BLACK if k == space else c for k, c in enumerate(self.frame))
        self._record(frame)

    def mend_light(self, space: int) -> None:
        """Mend the light; it shows the next frame."""
        self._dark_lights.discard(space)

    def unplug(self) -> None:
        """Cut the line: until it is plugged in again, reading and showing are `DeviceError`s."""
        self._gone = self._gone or "unplugged"

    def plug(self) -> None:
        """Restore the line."""
        if self._gone == "unplugged":
            self._gone = ""

    def _press(self, button: int, at: float | None, down: bool) -> float:
        if not 0 < button <= ALL_BUTTONS:
            raise ValueError(f"button {button}: expected 1 (Light), 2 (Dark), 4 (menu) or a sum")
        when = self.now if at is None else at
        self._presses.append((when, button, down))
        self._presses.sort(key=lambda press: press[0])  # stable: what was said first happens first
        return when

    def _record(self, frame: Frame) -> None:
        self.frame = frame
        self.frames.append((self.now, frame))
