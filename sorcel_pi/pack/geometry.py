"""Where everything is: one `Geometry`, from board, pitch, magnet and measures.

All drawings, the wiring and the parts derive from it.  Seen from above with Light in the south, x
east and y north from the middle of the board, in mm.  `planning` makes it, and refuses what cannot
be built.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from math import cos, floor, pi, sin, sqrt
from typing import NamedTuple

from ..rules.board import Board, format_board
from .magnetics import Disc
from .measures import REVISION, Measures

Point = tuple[float, float]

LIGHT_ANGLES = {"n": pi / 2, "s": -pi / 2}
"""Each light shines from two holes, in the northern and the southern corner of its hex: whatever
stands on the space, the hole before it is seen from either seat (`sight` computes it)."""
PLATES = ("top", "floor", "carrier")


class Hole(NamedTuple):
    """A round hole through a plate: what for, of which space or screw, where, how wide."""

    use: str
    place: str
    centre: Point
    radius: float


class Region(NamedTuple):
    """A part of the board that is built as one: spaces, its middle, from there to its six edges."""

    name: str
    spaces: tuple[int, ...]
    middle: Point
    edge_mm: float


@dataclass(frozen=True, slots=True)
class Geometry:
    """A board that can be built; made by `planning.plan`.

    `centres[k]` is the middle of space k, `lights[k]` are its light holes, north and south;
    `reeds_mt` is between which fields a reed has to close; `cluster` are the seven spaces of the
    trial, middle first.
    """

    board: Board
    pitch_mm: float
    magnet: Disc
    measures: Measures
    centres: tuple[Point, ...]
    lights: tuple[tuple[Point, Point], ...]
    reeds_mt: tuple[float, float]
    cluster: tuple[int, ...]

    @property
    def mark(self) -> str:
        """The revision of the pack and the hash of the board's file, as every file says it."""
        digest = sha256(format_board(self.board).encode()).hexdigest()[:8]
        return f"revision {REVISION}, board {self.board.name} {digest}"

    @property
    def corner_mm(self) -> float:
        """From the middle of a hex to its corners."""
        return self.pitch_mm / sqrt(3)

    @property
    def base_mm(self) -> float:
        """Across the base of every piece: whole tenths, never more than allowed."""
        return floor(self.measures.base_part * self.pitch_mm * 10 + 1e-6) / 10

    @property
    def pit_mm(self) -> float:
        """Across a hole."""
        return self.base_mm + 2 * self.measures.pit_clearance_mm

    @property
    def field_mm(self) -> float:
        """From the middle of the board to the line on which the outermost corners of hexes lie."""
        return self.pitch_mm * (self.board.side - 1) * sqrt(3) / 2 + self.corner_mm

    @property
    def edge_mm(self) -> float:
        """From the middle of the board to each of the six edges of the plates."""
        return self.field_mm + self.measures.band_mm

    @property
    def plate_mm(self) -> tuple[float, float]:
        """Width and height of the plates."""
        return 4 * self.edge_mm / sqrt(3), 2 * self.edge_mm

    @property
    def whole(self) -> Region:
        """The board."""
        return Region("", tuple(range(self.board.grid.n)), (0.0, 0.0), self.edge_mm)

    @property
    def trial(self) -> Region:
        """The seven spaces of the trial."""
        edge = self.pitch_mm * sqrt(3) / 2 + self.corner_mm + self.measures.band_mm
        return Region("trial-", self.cluster, self.centres[self.cluster[0]], edge)

    def is_hole(self, space: int) -> bool:
        """Tell whether `space` is a detaining space, a real hole."""
        return bool(self.board.detaining >> space & 1)

    def name(self, space: int) -> str:
        """Return the name of `space`."""
        return self.board.grid.names[space]

    def hexagon(self, space: int) -> tuple[Point, ...]:
        """Return the six corners of the hex of `space`."""
        return corners(self.centres[space], self.corner_mm, pi / 6)

    def holes(self, plate: str, region: Region | None = None) -> tuple[Hole, ...]:
        """Return the holes of a plate, around the middle of the board, of the whole or a region.

        A hole of the board and the lights beside it become one opening in the top.
        """
        part = self.whole if region is None else region
        away = (part.edge_mm - self.measures.screw_inset_mm) * 2 / sqrt(3)
        radius = self.measures.screw_hole_mm / 2
        return (
            *(hole for space in part.spaces for hole in self._under(plate, space)),
            *(
                Hole("screw", f"corner {k}", at, radius)
                for k, at in enumerate(corners(part.middle, away, 0), 1)
            ),
        )

    def _under(self, plate: str, space: int) -> Iterator[Hole]:
        """Yield the holes of one space in a plate."""
        m, name, pit = self.measures, self.name(space), self.is_hole(space)
        middle = self.centres[space]
        if plate == "top" and pit:
            yield Hole("hole", name, middle, self.pit_mm / 2)
        if plate == "carrier" or (plate == "floor" and not pit):
            yield Hole("reed", name, middle, m.reed_bore_mm / 2)
        across = m.pixel_pocket_mm if plate == "carrier" else m.light_hole_mm
        for light in self.lights[space]:
            yield Hole("pixel" if plate == "carrier" else "light", name, light, across / 2)


def corners(middle: Point, radius: float, first: float) -> tuple[Point, ...]:
    """Return the corners of a regular hexagon, counter-clockwise from the angle `first`."""
    x, y = middle
    turns = [first + k * pi / 3 for k in range(6)]
    return tuple((x + radius * cos(turn), y + radius * sin(turn)) for turn in turns)
