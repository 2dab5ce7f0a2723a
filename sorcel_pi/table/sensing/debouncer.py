"""From raw scans to an occupancy that can be trusted, and to the health of each contact.

It knows contacts and time, neither pieces nor rules.  It is the first stage of the line: a `Scan`
comes in, a `Sensed` goes out to the referee.
"""

from collections import deque
from dataclasses import dataclass, field
from enum import IntFlag
from typing import NamedTuple

from ...rules.hexgrid import spaces_of


class Buttons(IntFlag):
    """Which buttons are down, one bit each."""

    NONE = 0
    LIGHT = 1
    DARK = 2
    MENU = 4


class Scan(NamedTuple):
    """One reading of the whole table: `closed` has one bit per space, `buttons` as `Buttons`."""

    time_s: float
    closed: int
    buttons: int = 0


class Sensed(NamedTuple):
    """What a scan has changed once bounce is taken out.

    `occupied` and `buttons` are the masks that hold now; `opened` and `closed` what has changed
    with this scan; `flickering` the contacts that must not keep the table from settling.
    """

    time_s: float
    occupied: int
    opened: int
    closed: int
    buttons: int
    pressed: int
    released: int
    flickering: int


@dataclass(slots=True)
class _Filter:
    """Bits that change only after they have held for `hold_s`."""

    hold_s: float
    stable: int
    pending: dict[int, float] = field(default_factory=dict)

    def feed(self, raw: int, now: float) -> tuple[int, int]:
        """Take in `raw`; return the bits that now count as changed, and those that fell back."""
        difference = raw ^ self.stable
        if not difference and not self.pending:
            return 0, 0
        changed = reverted = 0
        for bit in list(self.pending):
            if not difference >> bit & 1:
                del self.pending[bit]
                reverted |= 1 << bit
        for bit in spaces_of(difference):
            since = self.pending.setdefault(bit, now)
            # A hair's breadth of tolerance: 0.03 - 0.01 is not quite 0.02 in floating point.
            if now - since >= self.hold_s - 1e-9:
                changed |= 1 << bit
                del self.pending[bit]
        self.stable ^= changed
        return changed, reverted

    @property
    def due(self) -> float | None:
        """The earliest time at which a bit that keeps its state will count."""
        return min(self.pending.values()) + self.hold_s if self.pending else None


class Debouncer:
    """Takes bounce out of scans by time, and keeps the health of each contact.

    The contacts in `masked` always read open; the referee knows how to do without them.
    """

    def __init__(self, debounce_s: float = 0.02, *, slack_s: float = 0.0, masked: int = 0) -> None:
        """Start with nothing known: the first scan is taken as it is, without edges.

        A change that has held for `debounce_s` less `slack_s` counts: scans are seldom quite on
        time, and one that comes a hair early must not make a change wait for the next.
        """
        self.debounce_s = debounce_s
        self._hold_s = debounce_s - slack_s
        self._masked = masked
        self.health = Health()
        self._contacts: _Filter | None = None
        self._buttons = _Filter(self._hold_s, 0)

    def feed(self, scan: Scan) -> Sensed:
        """Take in one scan and return what it changed; times must not run backwards."""
        now = scan.time_s
        raw = scan.closed & ~self._masked
        if self._contacts is None:
            self._contacts = _Filter(self._hold_s, raw)
        before = self._contacts.stable
        changed, reverted = self._contacts.feed(raw, now)
        after = self._contacts.stable
        if changed or reverted:
            self.health.count(changed, reverted, now)
        touched, _ = self._buttons.feed(scan.buttons, now)
        down = self._buttons.stable
        return Sensed(
            now,
            after,
            changed & before,
            changed & after,
            down,
            touched & down,
            touched & ~down,
            self.health.flickering(now),
        )

    def leave_out(self, masked: int) -> None:
        """Let the contacts in the mask `masked`, and no others, always read open."""
        self._masked = masked

    def restart(self) -> None:
        """Forget the state of all: the next scan is taken as it is, without edges of contacts."""
        self._contacts = None
        self._buttons = _Filter(self._hold_s, 0)

    def next_deadline(self) -> float | None:
        """Return when a scan could tell something new though no contact changes, or None."""
        dues = [self._buttons.due, self._contacts.due if self._contacts else None]
        return min((due for due in dues if due is not None), default=None)


FLICKER_WINDOW_S = 3.0
FLICKER_CHANGES = 6
"""More changes than this within the window, each held: the contact flickers."""
MASK_RATE_HZ = 20.0
"""Above this many changes a second a contact is masked."""
_NEAR_EDGE_S = 0.06
"""Bounce right before or after a change that counts is the contact's nature, not a fault."""


class Health:
    """How often each contact changes, and which ones change too often."""

    def __init__(self) -> None:
        """Start with a clean slate."""
        self._changes: dict[int, deque[float]] = {}
        self._edges: dict[int, float] = {}
        self.totals: dict[int, int] = {}

    def count(self, changed: int, reverted: int, now: float) -> None:
        """Count the contacts that `changed`; those that only twitched go into `totals` alone."""
        for space in spaces_of(changed | reverted):
            times = self._changes.setdefault(space, deque(maxlen=128))
            edge = self._edges.get(space, -1.0)
            if changed >> space & 1:
                self._edges[space] = now
                times.append(now)
            elif now - edge < _NEAR_EDGE_S:
                continue
            self.totals[space] = self.totals.get(space, 0) + 1

    def forgive(self) -> None:
        """Take what has changed lately as the work of hands, however quick they were."""
        self._changes.clear()

    def rate_hz(self, space: int, now: float) -> float:
        """Return the changes a second over the last window."""
        return self._recent(space, now) / FLICKER_WINDOW_S

    def flickering(self, now: float) -> int:
        """Return the mask of contacts that change more often than a hand does."""
        mask = 0
        for space in list(self._changes):
            if self._recent(space, now) > FLICKER_CHANGES:
                mask |= 1 << space
        return mask

    def hopeless(self, now: float) -> int:
        """Return the mask of contacts that change so often that they should be masked."""
        mask = 0
        for space in self._changes:
            if self.rate_hz(space, now) > MASK_RATE_HZ:
                mask |= 1 << space
        return mask

    def _recent(self, space: int, now: float) -> int:
        times = self._changes[space] if space in self._changes else deque()
        while times and now - times[0] > FLICKER_WINDOW_S:
            times.popleft()
        if not times:
            self._changes.pop(space, None)
        return len(times)
