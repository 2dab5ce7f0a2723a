"""The pieces: outlines of Sentinel and Shif, to turn or to print, as values.

Both stand on the same base, so that the reeds cannot tell them apart and both lie in every hole;
fingers tell them apart by height and touch: a Sentinel is tall and wears a crown with notches, a
Shif is short, with a hollow on its head.  Outlines are (radius, height) in mm, from the pocket for
the magnet, and the ring of brass around it, to the top.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import asin, cos, pi, sin, sqrt

from .geometry import Geometry
from .measures import BRASS_DENSITY, FRICTION, MAGNET_DENSITY, PLASTIC_DENSITY

Outline = tuple[tuple[float, float], ...]

CHAMFER_MM = 0.5
SEGMENTS = 48
"""Of a full turn; a multiple of the notches."""
NOTCHES = 8

# Radius as a part of that of the base, height as a part of the pitch, from the rim upwards.
_SHIF_SIDE = (
    (0.84, 0.10), (0.76, 0.165), (0.73, 0.235), (0.77, 0.315), (0.79, 0.365), (0.75, 0.405),
    (0.64, 0.42), (0.52, 0.41), (0.30, 0.39), (0.0, 0.38),
)  # fmt: skip
_SENTINEL_SIDE = (
    (0.80, 0.10), (0.60, 0.165), (0.47, 0.26), (0.43, 0.38), (0.47, 0.48), (0.60, 0.545),
    (0.72, 0.60), (0.72, 0.64), (0.63, 0.66),
)  # fmt: skip
_CROWN = ((0.63, 0.66), (0.76, 0.85))
_SENTINEL_HEAD = ((0.57, 0.85), (0.44, 0.81), (0.24, 0.77), (0.0, 0.76))
_NOTCH_PART, _NOTCH_AWAY_PART, _NOTCH_FROM_PART = 0.17, 0.79, 0.71


@dataclass(frozen=True, slots=True)
class Solid:
    """A turned piece: its outline from the axis to the axis, and the notches of its crown, if any.

    From `notch_from_mm` up, cylinders of `notch_mm` radius, `notch_away_mm` from the axis, are cut
    out.
    """

    name: str
    outline: Outline
    base_mm: float
    pocket_across_mm: float
    pocket_deep_mm: float
    ring_across_mm: float
    ring_deep_mm: float
    notch_from_mm: float = 0.0
    notch_mm: float = 0.0
    notch_away_mm: float = 0.0

    @property
    def height_mm(self) -> float:
        """From the board to the top of the piece."""
        return max(height for _, height in self.outline)

    @property
    def volume_mm3(self) -> float:
        """How much it displaces, its notches taken as filled (they are less than a hundredth)."""
        return abs(
            sum(
                pi / 3 * (h2 - h) * (r * r + r * r2 + r2 * r2)
                for (r, h), (r2, h2) in pairwise(self.outline)
            )
        )

    def radius_at(self, radius: float, height: float, turn: float) -> float:
        """Return how far the surface is from the axis where the outline says `radius`."""
        if not self.notch_mm or height < self.notch_from_mm:
            return radius
        step = 2 * pi / NOTCHES
        beside = (turn + step / 2) % step - step / 2
        if abs(beside) >= asin(self.notch_mm / self.notch_away_mm):
            return radius
        away = self.notch_away_mm
        return min(radius, away * cos(beside) - sqrt(self.notch_mm**2 - (away * sin(beside)) ** 2))


def solids(g: Geometry) -> tuple[Solid, Solid]:
    """Return Sentinel and Shif."""
    radius, pitch = g.base_mm / 2, g.pitch_mm
    crown = _scaled(_CROWN, radius, pitch)
    (low, at_low), (high, at_high) = crown
    start = _NOTCH_FROM_PART * pitch
    ledge = (low + (high - low) * (start - at_low) / (at_high - at_low), start)
    # The ledge of the notches stands twice: below it the crown is whole.
    under = (ledge[0], start - 1e-6)
    tall = (
        *_foot(g),
        *_soft((_rim(g), *_scaled(_SENTINEL_SIDE, radius, pitch))),
        under,
        ledge,
        crown[1],
        *_soft(_scaled(_SENTINEL_HEAD, radius, pitch)),
    )
    short = (*_foot(g), *_soft((_rim(g), *_scaled(_SHIF_SIDE, radius, pitch))))
    across = g.magnet.across_mm + g.measures.magnet_clearance_mm
    deep = g.magnet.high_mm + g.measures.magnet_clearance_mm
    ring = 2 * _ring(g)[0], _ring(g)[1]
    return (
        Solid(
            "sentinel",
            _rounded(tall),
            g.base_mm,
            across,
            deep,
            *ring,
            notch_from_mm=round(start, 4),
            notch_mm=round(_NOTCH_PART * radius, 4),
            notch_away_mm=round(_NOTCH_AWAY_PART * radius, 4),
        ),
        Solid("shif", _rounded(short), g.base_mm, across, deep, *ring),
    )


def weights_g(g: Geometry) -> tuple[float, float]:
    """Return what Sentinel and Shif weigh, printed solid, with their magnets and rings."""
    disc = g.magnet
    magnet = pi / 4 * disc.across_mm**2 * disc.high_mm * MAGNET_DENSITY
    m = g.measures
    ring = pi / 4 * (m.ring_across_mm**2 - m.ring_hole_mm**2) * m.ring_high_mm * BRASS_DENSITY
    tall, short = (solid.volume_mm3 * PLASTIC_DENSITY + magnet + ring for solid in solids(g))
    return tall, short


def least_weight_g(g: Geometry) -> float:
    """Return what a piece has to weigh so that one that comes to touch it does not move it.

    Two magnets push each other away most at contact, base against base; friction has to hold that.
    """
    return g.magnet.push(g.base_mm) / FRICTION


def _foot(g: Geometry) -> Outline:
    """Return the pockets of magnet and ring and the lower side, without the top of the rim."""
    radius = g.base_mm / 2
    ring, ring_deep = _ring(g)
    pocket = (g.magnet.across_mm + g.measures.magnet_clearance_mm) / 2
    deep = g.magnet.high_mm + g.measures.magnet_clearance_mm
    return (
        (0.0, deep),
        (pocket, deep),
        (pocket, ring_deep),
        (ring, ring_deep),
        (ring, 0.0),
        (radius - CHAMFER_MM, 0.0),
        (radius, CHAMFER_MM),
    )


def _ring(g: Geometry) -> tuple[float, float]:
    """Return radius and depth of the pocket for the ring of brass."""
    m = g.measures
    return (m.ring_across_mm + m.ring_clearance_mm) / 2, m.ring_high_mm + m.ring_clearance_mm / 2


def _rim(g: Geometry) -> tuple[float, float]:
    return g.base_mm / 2, g.measures.rim_mm


def _scaled(points: Outline, radius: float, pitch: float) -> Outline:
    return tuple((part * radius, height * pitch) for part, height in points)


def _soft(points: Outline, steps: int = 3) -> Outline:
    """Return a soft curve through all points (after Catmull and Rom)."""
    around = (points[0], *points, points[-1])
    curve = [points[0]]
    for a, b, c, d in zip(around, around[1:], around[2:], around[3:], strict=False):
        for k in range(1, steps + 1):
            t = k / steps
            curve.append((_between(a[0], b[0], c[0], d[0], t), _between(a[1], b[1], c[1], d[1], t)))
    return tuple(curve)


def _between(a: float, b: float, c: float, d: float, t: float) -> float:
    return b + t / 2 * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))


def _rounded(outline: Outline) -> Outline:
    """Return an outline in tenths of a micrometre, so that it is the same on every machine."""
    return tuple((round(radius, 4) + 0.0, round(height, 4) + 0.0) for radius, height in outline)
