"""The simulated contacts: they close and open by the field, bounce, and break.

Reeds do so at once; Hall switches of little power look at the field only now and then.

It is told what each magnet gives to which space and when it is read; it knows no pieces, no motion
and no clock.  Fields are whole nT, so that adding and taking away leaves no rest.
"""

from collections.abc import Sequence
from enum import StrEnum
from math import exp, floor, log
from random import Random

from ...rules.hexgrid import OFF_BOARD, HexGrid, spaces_of
from .field import DROP_OUT, FieldTable, MagnetField, field_table, nano, pull_in_range


class ContactFault(StrEnum):
    """What can be wrong with a contact."""

    DEAD = "dead"
    """Never closes."""
    STUCK = "stuck"
    """Never opens."""
    FLICKER = "flicker"
    """Turns round its state at random moments."""


class _Flicker:
    """A contact that turns round `rate_hz` times a second on average."""

    __slots__ = ("next_s", "rate_hz", "turned")

    def __init__(self, rate_hz: float, next_s: float) -> None:
        self.rate_hz = rate_hz
        self.next_s = next_s
        self.turned = False


class Reeds:
    """One reed under the middle of each space, each with a pull-in of its own.

    `pull_in_mt[k]` is drawn by `seed` from the range that suits the board; `spread` 1.0 takes the
    whole range, 0.0 the same reed everywhere.  A change bounces for up to `bounce_s`.  With
    `look_s` they are Hall switches: each looks so often, at a moment of its own, and does not
    bounce.
    """

    def __init__(
        self,
        grid: HexGrid,
        pitch_mm: float,
        field: MagnetField,
        *,
        seed: int,
        spread: float = 1.0,
        bounce_s: float = 0.004,
        look_s: float = 0.0,
    ) -> None:
        """All contacts begin open, with no magnet near."""
        self.bounce_s = 0.0 if look_s else bounce_s
        self.closed = 0
        """What the blades do, bounce and faults left out."""
        self.centres = tuple(grid.centre(k, pitch_mm) for k in range(grid.n))
        self.around = tuple(
            (k, *(other for other in grid.neighbours[k] if other != OFF_BOARD))
            for k in range(grid.n)
        )
        """The spaces that a piece over space k acts on: k and those that touch it."""
        # A point of a hex is at most pitch / sqrt(3) from its centre, so 1.6 pitches from the next.
        self.table: FieldTable = field_table(field, 1.6 * pitch_mm)
        self._near = tuple(tuple(self.centres[k] for k in ring) for ring in self.around)
        low, high = pull_in_range(field, pitch_mm)
        middle, half = (log(low) + log(high)) / 2, (log(high) - log(low)) / 2 * spread
        reeds = Random(f"{seed} reeds")
        self.pull_in_mt = tuple(exp(middle + reeds.uniform(-half, half)) for _ in range(grid.n))
        self._closes = tuple(nano(mt) for mt in self.pull_in_mt)
        self._opens = tuple(nano(mt * DROP_OUT) for mt in self.pull_in_mt)
        self._total = [0] * grid.n
        self._touched: list[int] = []
        self._bounces = Random(f"{seed} bounces")
        self._flickers = Random(f"{seed} flickers")
        self._bouncing: dict[int, float] = {}
        self._dead = self._stuck = 0
        self._flickering: dict[int, _Flicker] = {}
        phases = Random(f"{seed} looks")
        self._look_s = look_s
        self._phases = tuple(phases.random() * look_s for _ in range(grid.n))
        self._told, self._told_s = 0, 0.0

    def gives(self, cell: int, x: float, y: float, z: float) -> tuple[int, ...]:
        """Return what a magnet at (x, y, z) mm over space `cell` gives to `around[cell]`, in nT."""
        return self.table.values(x, y, z, self._near[cell]) if cell >= 0 else ()

    def add(self, cell: int, given: Sequence[int], sign: int) -> None:
        """Add (`sign` 1) or take away (-1) what a magnet over space `cell` gives."""
        if given:
            total, ring = self._total, self.around[cell]
            for space, value in zip(ring, given, strict=True):
                total[space] += sign * value
            self._touched.extend(ring)

    def replace(self, cell: int, old: Sequence[int], new: Sequence[int]) -> None:
        """Do both for a magnet that stays over the same space."""
        total, ring = self._total, self.around[cell]
        for space, before, after in zip(ring, old, new, strict=True):
            total[space] += after - before
        self._touched.extend(ring)

    @property
    def unsettled(self) -> bool:
        """Whether a magnet has moved since the contacts settled."""
        return bool(self._touched)

    def settle(self, now: float) -> None:
        """Close and open what the fields ask for, after all magnets of this moment have moved."""
        if not self._touched:
            return
        total, closes, opens = self._total, self._closes, self._opens
        closed = before = self.closed
        for space in self._touched:
            strength = total[space]
            if strength < 0:
                strength = -strength
            if closed >> space & 1:
                if strength < opens[space]:
                    closed ^= 1 << space
            elif strength >= closes[space]:
                closed ^= 1 << space
        self._touched.clear()
        self.closed = closed
        if self.bounce_s > 0:
            for space in spaces_of(closed ^ before):
                self._bouncing[space] = now + self._bounces.random() * self.bounce_s

    def read(self, now: float) -> int:
        """Return the mask of contacts that read closed at `now` in seconds."""
        reading = self._looked(now) if self._look_s else self.closed
        if self._bouncing:
            for space, until in list(self._bouncing.items()):
                if until <= now:
                    del self._bouncing[space]
                elif self._bounces.random() < 0.5:
                    reading ^= 1 << space
        for space, flicker in self._flickering.items():
            while flicker.next_s <= now:
                flicker.turned = not flicker.turned
                flicker.next_s += self._flickers.expovariate(flicker.rate_hz)
            reading ^= flicker.turned << space
        return reading & ~self._dead | self._stuck

    def _looked(self, now: float) -> int:
        """Return what Hall switches tell, each as it was when it looked last."""
        for space in spaces_of(self.closed ^ self._told):
            if self._next_look(space, self._told_s) <= now:
                self._told ^= 1 << space
        self._told_s = now
        return self._told

    def _next_look(self, space: int, now: float) -> float:
        """Return when the contact of `space` looks next after `now`."""
        phase = self._phases[space]
        return phase + (floor((now - phase) / self._look_s) + 1) * self._look_s

    def next_change(self, now: float, scan_period_s: float) -> float | None:
        """Return when a reading can differ next though no magnet moves, or None."""
        if self._bouncing:
            return now + scan_period_s
        times = [each.next_s for each in self._flickering.values()]
        if self._look_s:
            times += [self._next_look(k, now) for k in spaces_of(self.closed ^ self._told)]
        return min(times, default=None)

    def break_contact(self, space: int, fault: ContactFault, rate_hz: float, now: float) -> None:
        """Give the contact of `space` one fault, in place of what it had."""
        self.mend_contact(space)
        if fault is ContactFault.DEAD:
            self._dead |= 1 << space
        elif fault is ContactFault.STUCK:
            self._stuck |= 1 << space
        elif rate_hz <= 0:
            raise ValueError(f"rate_hz {rate_hz}: a contact that flickers needs more than 0")
        else:
            first = now + self._flickers.expovariate(rate_hz)
            self._flickering[space] = _Flicker(rate_hz, first)

    def mend_contact(self, space: int) -> None:
        """Take its fault away."""
        self._dead &= ~(1 << space)
        self._stuck &= ~(1 << space)
        self._flickering.pop(space, None)
