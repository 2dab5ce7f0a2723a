"""Which reeds and Hall switches a board can be played with, and how many reeds to order.

A contact has to close for a piece that stands anywhere wholly inside its hex though six neighbours
pull the other way, and to open for six neighbours as near as they may stand and for a piece lifted
by `LIFT_MM`.  Both come from the disc's own field (`magnetics`), nothing was measured.  Depths are
from the magnet's lower face down to the upper end of a reed's glass, or to a Hall switch's plate.
"""

from collections.abc import Callable
from functools import cache
from math import comb, inf, sqrt
from typing import NamedTuple

from ..drivers.mock.field import BASE, COMMON_REEDS_MT, DROP_OUT, REED_MM
from .magnetics import Disc

LIFT_MM = 15.0
"""By so much a piece is lifted at least when it is taken off."""
HALL_DEPTHS_MM = (5.5, 7.5)
SURE = 0.95
"""How sure it has to be that an order holds enough usable reeds."""
_STEPS = 10
_MARGIN = 1.01


class Fields(NamedTuple):
    """At a contact, in mT: the least of its own piece, the most of neighbours, of a lifted one."""

    own: float
    ring: float
    lifted: float

    @property
    def standing(self) -> float:
        """What is surely there when a piece stands."""
        return (self.own - self.ring) / _MARGIN

    @property
    def idle(self) -> float:
        """What may be there when none does."""
        return max(self.ring, self.lifted) * _MARGIN


class Window(NamedTuple):
    """Between which fields, in mT, a reed may close."""

    low: float
    high: float

    @property
    def usable(self) -> float:
        """Which part of common reeds is inside, if their pull-in is spread evenly."""
        least, most = COMMON_REEDS_MT
        return max(0.0, min(self.high, most) - max(self.low, least)) / (most - least)


def lean_mm(pitch_mm: float) -> tuple[float, float]:
    """Return how far off a piece may stand toward a side and toward a corner of its hex.

    >>> [round(off, 2) for off in lean_mm(36)]
    [6.12, 7.07]
    """
    flat = (1 - BASE) / 2 * pitch_mm
    return flat, flat * 2 / sqrt(3)


@cache
def reed_fields(disc: Disc, pitch_mm: float, depth_mm: float) -> Fields:
    """Return the fields at an upright reed (the mean along its glass)."""
    return _fields(pitch_mm, lambda out, up: disc.along(out, depth_mm + up, REED_MM))


@cache
def hall_fields(disc: Disc, pitch_mm: float, depth_mm: float) -> Fields:
    """Return the fields at a Hall switch (at a point; either pole closes the usual ones)."""
    return _fields(pitch_mm, lambda out, up: disc.field(out, depth_mm + up)[1])


def _fields(pitch_mm: float, at: Callable[[float, float], float]) -> Fields:
    flat, corner = lean_mm(pitch_mm)
    offs = (pitch_mm + flat * k / _STEPS for k in range(-_STEPS, _STEPS + 1))
    return Fields(at(corner, 0.0), 6 * max(abs(at(off, 0.0)) for off in offs), at(0.0, LIFT_MM))


def window(fields: Fields) -> Window:
    """Return the window of usable reeds; empty (high below low) where none is.

    Beyond what has to be, common reeds are taken, or duller ones of a narrow choice where even
    the dullest common reed would not let go.
    """
    low = max(COMMON_REEDS_MT[0], fields.idle / DROP_OUT)
    return Window(low, min(fields.standing, max(COMMON_REEDS_MT[1], 1.2 * low)))


def order_of(count: int, usable: float) -> int:
    """Return how many reeds to order so that `count` of them surely (`SURE`) are usable.

    >>> order_of(61, 1.0), order_of(61, 0.67)
    (61, 103)
    """
    if usable <= 0:
        raise ValueError("no reed is usable")
    order = count
    while _chance(order, count, min(usable, 1.0)) < SURE:
        order += 1
    return order


def _chance(order: int, count: int, part: float) -> float:
    """Return how likely at least `count` of `order` are usable (binomial)."""
    missing = range(order - count + 1)
    return sum(comb(order, k) * (1 - part) ** k * part ** (order - k) for k in missing)


def pitches(disc: Disc, depth_mm: float, least_mm: float) -> tuple[float, float]:
    """Return the least and the greatest pitch, in half mm, that leave reeds to choose from.

    (inf, -inf) where no pitch does.
    """
    fits = [
        k / 2
        for k in range(round(2 * least_mm), 121)
        if (found := window(reed_fields(disc, k / 2, depth_mm))).low < found.high
        and found.low < COMMON_REEDS_MT[1]
    ]
    return min(fits, default=inf), max(fits, default=-inf)
