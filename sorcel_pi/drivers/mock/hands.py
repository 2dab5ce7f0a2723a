"""What simulated hands do with pieces: lift, carry, drop, slide, shove, nudge, hover, take off.

Each movement becomes motions, waypoint by waypoint; it knows no contact, light or rule.  Movements
of different pieces run at the same time, as two hands or two people do.
"""

from collections.abc import Sequence
from math import dist, hypot, sqrt

from ...rules.hexgrid import DIRECTIONS
from .field import BASE
from .motion import NOWHERE, Motion, Pieces, Place, Waypoint, space_at

HAND_MM = 50.0
"""How high a hand carries a piece."""


class Hands(Pieces):
    """Pieces that can be moved by hand.

    `at` of each movement is when it begins, by default now or when the piece's last motion ends;
    an earlier time breaks that motion off.  Heights, offsets and distances are in mm, speeds in
    mm/s.  Every movement returns the time at which it ends.
    """

    def lift(
        self,
        piece: int,
        *,
        height_mm: float = HAND_MM,
        speed_mm_s: float = 250.0,
        at: float | None = None,
    ) -> float:
        """Lift a piece straight up and hold it there."""
        return self._go(piece, at, [(None, height_mm, speed_mm_s)])

    def carry(
        self,
        piece: int,
        to: Place,
        *,
        height_mm: float = HAND_MM,
        speed_mm_s: float = 400.0,
        at: float | None = None,
    ) -> float:
        """Carry a piece through the air at that height and hold it over `to`.

        A piece that is lower or higher goes up or down first.
        """
        spot = self._point(to)
        return self._go(piece, at, [(None, height_mm, speed_mm_s), (spot, height_mm, speed_mm_s)])

    def drop(
        self,
        piece: int,
        to: Place | None = None,
        *,
        offset_mm: tuple[float, float] = (0.0, 0.0),
        speed_mm_s: float = 250.0,
        at: float | None = None,
    ) -> float:
        """Put a piece down at `to`, by default right below where it is held, plus the offset."""
        if to is None:
            _, x, y, _ = self._begin(piece, at)[-1]
            to = (x, y)
        spot = self._point(to, offset_mm)
        return self._go(piece, at, [(spot, None, speed_mm_s), (spot, 0.0, speed_mm_s)])

    def hover(
        self,
        piece: int,
        path: Sequence[Place],
        *,
        height_mm: float = 20.0,
        speed_mm_s: float = 250.0,
        at: float | None = None,
    ) -> float:
        """Carry a piece low over several places and hold it over the last."""
        over = [(self._point(place), height_mm, speed_mm_s) for place in path]
        return self._go(piece, at, [(None, height_mm, speed_mm_s), *over])

    def take_off(
        self,
        piece: int,
        *,
        height_mm: float = HAND_MM,
        speed_mm_s: float = 400.0,
        at: float | None = None,
    ) -> float:
        """Lift a piece, carry it off the board and lay it down there."""
        spot = self._beside(self.position(piece)[0])
        legs = [(None, height_mm), (spot, height_mm), (spot, 0.0)]
        return self._go(piece, at, [(*leg, speed_mm_s) for leg in legs])

    def slide(
        self,
        piece: int,
        to: Place,
        *,
        speed_mm_s: float = 150.0,
        pause_on_border_s: float = 0.0,
        offset_mm: tuple[float, float] = (0.0, 0.0),
        at: float | None = None,
    ) -> float:
        """Slide a piece over the wood in a straight line, halting half way if asked."""
        points = self._begin(piece, at)
        here, spot = points[-1], self._point(to, offset_mm)
        half = ((here.x + spot[0]) / 2, (here.y + spot[1]) / 2)
        _extend(points, half, 0.0, speed_mm_s)
        points.append(points[-1]._replace(t=points[-1].t + pause_on_border_s))
        _extend(points, spot, 0.0, speed_mm_s)
        return self.schedule(Motion(piece, tuple(points)))

    def nudge(
        self,
        piece: int,
        dx: float,
        dy: float,
        *,
        speed_mm_s: float = 100.0,
        at: float | None = None,
    ) -> float:
        """Bump a standing piece by (dx, dy) mm."""
        points = self._begin(piece, at)
        _extend(points, (points[-1].x + dx, points[-1].y + dy), 0.0, speed_mm_s)
        return self.schedule(Motion(piece, tuple(points)))

    def shove(
        self,
        pieces: Sequence[int],
        direction: int,
        *,
        speed_mm_s: float = 250.0,
        touching: bool = False,
        offset_mm: tuple[float, float] = (0.0, 0.0),
        at: float | None = None,
    ) -> float:
        """Shove a line of pieces, the one under the finger first, one space on in a direction 0-5.

        By default the line moves as one, each piece a whole pitch from the next: between a piece
        and its successor a middle contact sees a long gap.  With `touching` the finger moves the
        first alone until its base meets the next, and so on; each then goes on by its own swing
        into the dish of the next hex, a base apart, and a middle contact sees a short gap or none.
        The farthest may fall over the edge or into a hole.
        """
        dq, dr = DIRECTIONS[direction]
        step = (self.pitch_mm * (dq + dr / 2), -self.pitch_mm * dr * sqrt(3) / 2)
        starts = [self._begin(piece, at) for piece in pieces]
        begin = end = max(points[-1].t for points in starts)
        wait_s = 0.0
        for number, (piece, points) in enumerate(zip(pieces, starts, strict=True)):
            here = points[-1]
            if touching and number:
                before = starts[number - 1][0]
                gap = hypot(here.x - before.x, here.y - before.y) - BASE * self.pitch_mm
                wait_s += max(0.0, gap) / speed_mm_s
            points.append(here._replace(t=begin + wait_s))
            cell = space_at(self.grid, self.pitch_mm, here.x, here.y)
            x, y = (here.x, here.y) if cell == NOWHERE else self.reeds.centres[cell]
            to = (x + step[0] + offset_mm[0], y + step[1] + offset_mm[1])
            _extend(points, to, 0.0, speed_mm_s)
            end = max(end, self.schedule(Motion(piece, tuple(points))))
        return end

    def halt(self, piece: int) -> None:
        """Stop a piece where it is now and hold it, or leave it standing, there."""
        self.schedule(Motion(piece, tuple(self._begin(piece, self.now))))

    def _go(
        self,
        number: int,
        at: float | None,
        legs: Sequence[tuple[tuple[float, float] | None, float | None, float]],
    ) -> float:
        """Move a piece along legs of (point or None, height or None, speed); None: as it is."""
        points = self._begin(number, at)
        for spot, height, speed in legs:
            here = points[-1]
            _extend(points, spot or (here.x, here.y), here.z if height is None else height, speed)
        return self.schedule(Motion(number, tuple(points)))


def _extend(
    points: list[Waypoint], spot: tuple[float, float], height_mm: float, speed_mm_s: float
) -> None:
    """Append where a piece comes to in a straight line at that speed."""
    here = points[-1]
    there = (spot[0], spot[1], height_mm)
    points.append(Waypoint(here.t + dist(here[1:], there) / speed_mm_s, *there))
