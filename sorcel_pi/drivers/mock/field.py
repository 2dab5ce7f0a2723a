"""How strong the field of a piece's magnet is at a reed switch, and which reeds suit a board.

Pure geometry and magnetism for the simulated table: it knows no pieces, no time and no switch that
bounces.  Lengths are in mm, fields in mT::

          piece       |<- distance ->|
       [ magnet ]  - - height          a piece that stands has height 0
    ==================================  wood
                                     |
                                     |  upright reed, 14 mm of glass, under the middle of a space
"""

from dataclasses import dataclass
from functools import cache
from math import sqrt

BASE = 0.66
"""Diameter of a piece's base, as a part of the pitch."""
DROP_OUT = 0.6
"""A closed reed opens below this part of the field that closes it."""
REED_MM = 14.0
COMMON_REEDS_MT = (1.5, 3.0)
"""Pull-in of reeds sold as 15-25 AT, by the rule of thumb 10-25 AT = 0.5-3 mT."""
AUDIBLE_MT = 0.1
"""A lifted magnet that gives less than this even straight above a reed is left out."""

_KNOTS_MM = (0, 4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40)
_PER_MM2 = 4
"""Resolution of the table over squared distance: 0.02 mm where a contact closes."""
_PER_MM = 8
_NANO = 1_000_000
_SHIFT = 16


@dataclass(frozen=True, slots=True)
class MagnetField:
    """The field of one standing piece along an upright reed, by distance from its axis.

    `knots` are (distance in mm, mT), straight lines between them, beyond the last as the cube of
    the distance.  Negative is against the direction that it has straight under the magnet.
    `depth_mm` is from the middle of the magnet down to the top of the reed; at `lift_mm` a piece
    counts as lifted: whatever the reed, its contact has opened.
    """

    name: str
    knots: tuple[tuple[float, float], ...]
    depth_mm: float
    lift_mm: float

    def at(self, distance_mm: float, height_mm: float = 0.0) -> float:
        """Return the field in mT of a piece at that distance and height.

        >>> DISC_6X3.at(0), DISC_6X3.at(7), round(DISC_6X3.at(0, 15), 2)
        (24.0, 3.85, 0.9)
        """
        factor = self.attenuation(height_mm)
        for (near, strong), (far, weak) in zip(self.knots, self.knots[1:], strict=False):
            if distance_mm <= far:
                return factor * (strong + (weak - strong) * (distance_mm - near) / (far - near))
        last, value = self.knots[-1]
        return factor * value * (last / distance_mm) ** 3

    def attenuation(self, height_mm: float) -> float:
        """Return which part of the field is left when the piece is `height_mm` above the board.

        The magnet is taken as a point dipole at its middle and its field as the mean along the
        reed, straight above it: 1/a^2 - 1/b^2 for the distances a, b of the reed's two ends.  (A
        real disc of 6 x 3 mm keeps a little more: 1.07 instead of 0.90 mT at 15 mm.)
        """
        near = self.depth_mm + max(0.0, height_mm)
        far = near + REED_MM
        ends = self.depth_mm + REED_MM
        return (near**-2 - far**-2) / (self.depth_mm**-2 - ends**-2)


def _knots(*fields_mt: float) -> tuple[tuple[float, float], ...]:
    return tuple(zip(_KNOTS_MM, fields_mt, strict=True))


# Magnitudes to 12 mm and from 28 mm: the project's table of computed fields (mean along a 14 mm
# reed, N42).  The sign, and what lies between, were computed in the same way, as uniformly charged
# faces of the disc; that calculation gives back the table within 5 %.
DISC_6X3 = MagnetField(
    "6x3 disc, 3 mm above the reed",
    _knots(
        24, 11.6, 5.4, 2.3, 0.9, 0.3, -0.02, -0.17, -0.23, -0.24, -0.22, -0.18, -0.15, -0.12, -0.09
    ),
    depth_mm=4.5,
    lift_mm=15.0,
)
DISC_8X3 = MagnetField(
    "8x3 disc, 3 mm above the reed",
    _knots(35, 20, 10, 4.5, 1.8, 0.6, 0.02, -0.27, -0.39, -0.42, -0.39, -0.33, -0.26, -0.21, -0.16),
    depth_mm=4.5,
    lift_mm=15.0,
)
# The other two cannot overlap on any pitch from 28 mm: under an upright reed 3 mm deep the field
# turns round at 14 mm.  A magnet too big, under wood too thick, is a board that does overlap.
DISC_12X5_DEEP = MagnetField(
    "12x5 disc, 9 mm above the reed",
    _knots(20.9, 18, 14.9, 11.6, 8.5, 6, 4.04, 2.62, 1.61, 0.92, 0.14, -0.19, -0.32, -0.34, -0.33),
    depth_mm=11.5,
    lift_mm=20.0,
)


def tolerance_mm(pitch_mm: float) -> float:
    """Return how far from the centre, toward a corner, a base still lies wholly inside its hex.

    >>> round(tolerance_mm(36), 2)
    7.07
    """
    return (1 - BASE) / 2 * pitch_mm * 2 / sqrt(3)


def pull_in_range(field: MagnetField, pitch_mm: float) -> tuple[float, float]:
    """Return the lowest and highest pull-in, in mT, of reeds with which a board can be played.

    A builder who tests reeds keeps those that open again though all six neighbours are occupied,
    each wherever it may stand in its hex, and that open when a piece is lifted by `lift_mm`; and
    those that close for a piece anywhere wholly inside its hex among such neighbours.  Beyond that
    common reeds are taken, or duller ones of a narrow choice where the magnet is too strong for
    common ones.  Raises `ValueError` where no reed does.
    """
    lean = (1 - BASE) / 2 * pitch_mm
    steps = 20
    ring = 6 * max(abs(field.at(pitch_mm + lean * k / steps)) for k in range(-steps, steps + 1))
    lifted = field.at(0, field.lift_mm)
    low = max(COMMON_REEDS_MT[0], max(ring, lifted) * 1.01 / DROP_OUT)
    standing = (field.at(tolerance_mm(pitch_mm)) - ring) * 0.99
    if standing < low:
        raise ValueError(
            f"{field.name}, pitch {pitch_mm} mm: a piece may give only {standing:.2f} mT in "
            f"its own space, and a reed has to need {low:.2f} mT to open when it should"
        )
    return low, min(standing, max(COMMON_REEDS_MT[1], 1.2 * low))


@dataclass(frozen=True, slots=True)
class FieldTable:
    """A field made fast: whole nT, looked up by squared distance; whole sums never drift."""

    by_square: tuple[int, ...]
    """Index: squared distance in mm^2 times `_PER_MM2`."""
    by_height: tuple[int, ...]
    """Attenuation times 2^16; index: height in mm times `_PER_MM`, up to `silent_mm`."""
    silent_mm: float
    """From this height on a piece gives nothing."""

    def values(
        self, x: float, y: float, z: float, centres: tuple[tuple[float, float], ...]
    ) -> tuple[int, ...]:
        """Return the field in nT of a piece at (x, y, z) at each of `centres`; () if silent."""
        if z >= self.silent_mm:
            return ()
        squares, per = self.by_square, _PER_MM2
        if z <= 0:
            return tuple(
                [squares[int(((x - a) * (x - a) + (y - b) * (y - b)) * per)] for a, b in centres]
            )
        height = self.by_height[int(z * _PER_MM)]
        return tuple(
            [
                squares[int(((x - a) * (x - a) + (y - b) * (y - b)) * per)] * height >> _SHIFT
                for a, b in centres
            ]
        )


@cache
def field_table(field: MagnetField, reach_mm: float) -> FieldTable:
    """Return the table of `field` out to `reach_mm`."""
    squares = tuple(
        round(field.at(sqrt((k + 0.5) / _PER_MM2)) * _NANO)
        for k in range(int(reach_mm * reach_mm * _PER_MM2) + 2)
    )
    heights: list[int] = []
    audible = AUDIBLE_MT / field.at(0)
    while (part := field.attenuation(len(heights) / _PER_MM)) > audible:
        heights.append(round(part * (1 << _SHIFT)))
    return FieldTable(squares, tuple(heights), len(heights) / _PER_MM)


def nano(millitesla: float) -> int:
    """Return `millitesla` in whole nT, the unit of `FieldTable`."""
    return round(millitesla * _NANO)
