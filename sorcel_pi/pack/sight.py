"""Which lights are hidden from which seat, by rays from the light holes to the players' eyes.

The worst that can stand there is taken: a Sentinel in the middle of every space, the light's own
too, with its real outline.  A light is seen from a seat when a third of one of its holes is.
"""

from collections.abc import Iterator
from itertools import pairwise
from math import cos, dist, hypot, pi, sin
from typing import NamedTuple

from .geometry import Geometry, Point
from .pieces import Solid, solids

SEATS = {"Light": -1, "Dark": 1}
BEHIND_MM, ABOVE_MM = 250.0, 450.0
"""Where a player's eyes are: behind the edge of the board, above its top."""
SEEN = 1 / 3
_LEVEL_MM = 0.5
_REACH = 2.7
"""In pitches: pieces farther away are too low to matter from these seats."""


class Seat(NamedTuple):
    """A seat, and the names of the spaces whose light is hidden from it."""

    name: str
    hidden: tuple[str, ...]


def seats(g: Geometry, above_mm: float = ABOVE_MM) -> tuple[Seat, ...]:
    """Return what each seat does not see, with eyes `above_mm` above the board."""
    profile = _profile(solids(g)[0])
    return tuple(
        Seat(
            name,
            tuple(
                g.name(space)
                for space in g.whole.spaces
                if _seen(g, space, (sign * (g.edge_mm + BEHIND_MM), above_mm), profile) < SEEN
            ),
        )
        for name, sign in SEATS.items()
    )


def _seen(
    g: Geometry, space: int, eye: tuple[float, float], profile: tuple[tuple[float, float], ...]
) -> float:
    """Return how much of the better one of a space's light holes is seen from an eye (y, z)."""
    near = [c for c in g.centres if dist(c, g.centres[space]) < _REACH * g.pitch_mm]
    best = 0.0
    for middle in g.lights[space]:
        points = tuple(_spots(middle, g.measures.light_hole_mm / 2))
        free = sum(not _is_hidden(point, eye, near, profile) for point in points)
        best = max(best, free / len(points))
    return best


def _spots(middle: Point, radius: float) -> Iterator[Point]:
    for part in (0.3, 0.65, 0.95):
        for k in range(8):
            turn = pi * (k + 0.5) / 4
            yield middle[0] + part * radius * cos(turn), middle[1] + part * radius * sin(turn)


def _is_hidden(
    spot: Point,
    eye: tuple[float, float],
    pieces: list[Point],
    profile: tuple[tuple[float, float], ...],
) -> bool:
    x, y = spot
    for height, radius in profile:
        up = height / eye[1]
        at_x, at_y = x * (1 - up), y + (eye[0] - y) * up
        if any(hypot(at_x - px, at_y - py) < radius for px, py in pieces):
            return True
    return False


def _profile(solid: Solid) -> tuple[tuple[float, float], ...]:
    """Return (height, radius) of a piece's outside, from below."""
    outside = solid.outline[6:]
    levels = [k * _LEVEL_MM for k in range(int(solid.height_mm / _LEVEL_MM) + 1)]
    return tuple((level, _radius(outside, level)) for level in levels)


def _radius(outside: tuple[tuple[float, float], ...], level: float) -> float:
    """Return the greatest radius of an outline at a height."""
    found = [
        r + (r2 - r) * (level - h) / (h2 - h)
        for (r, h), (r2, h2) in pairwise(outside)
        if h != h2 and min(h, h2) <= level <= max(h, h2)
    ]
    return max(found, default=0.0)
