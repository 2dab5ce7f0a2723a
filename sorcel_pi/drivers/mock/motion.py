"""Simulated pieces on a simulated board, and their motions, in millimetres and seconds.

A motion is a value: a piece and waypoints (time, x, y, z).  It knows the wood (hexes, holes, edge)
and tells the reeds where the magnets are, but not what a contact makes of it or a hand intends.

x runs east and y north from the board's centre; z is the height over the board.  Where a piece on
the wood comes over the edge it falls off, where it comes over an empty hole it falls in.  Pieces
run into each other only in a `shove`; elsewhere hands are expected to keep them apart.
"""

from collections.abc import Iterator
from itertools import pairwise
from math import dist, sqrt
from typing import NamedTuple

from ...rules.board import Board
from ...rules.hexgrid import HexGrid
from .reeds import Reeds

Place = int | tuple[float, float]
"""A space, meaning its centre, or a point (x, y) in mm."""

NOWHERE = -1
"""Over no space: beside the board."""
STANDS_MM = 1.0
"""A piece lower than this stands on the wood."""
_FALL_S = 0.03
_GRAIN_MM = 1.0
"""How finely a way over the wood is searched for a hole or the edge."""


class Waypoint(NamedTuple):
    """Where a piece is at a time; between two waypoints it moves in a straight line."""

    t: float
    x: float
    y: float
    z: float


class Motion(NamedTuple):
    """What a hand does with one piece, from where it is at `points[0].t`."""

    piece: int
    points: tuple[Waypoint, ...]


def space_at(grid: HexGrid, pitch_mm: float, x: float, y: float) -> int:
    """Return the space in whose hex the point lies, or `NOWHERE`.

    >>> from sorcel_pi.rules.hexgrid import hexgrid
    >>> space_at(hexgrid(5), 36, 17.9, 0), space_at(hexgrid(5), 36, 18.1, 0)
    (30, 31)
    """
    r = -2 * y / (sqrt(3) * pitch_mm)
    q = x / pitch_mm - r / 2
    s = -q - r
    near_q, near_r, near_s = round(q), round(r), round(s)
    off_q, off_r, off_s = abs(near_q - q), abs(near_r - r), abs(near_s - s)
    if off_q > off_r and off_q > off_s:
        near_q = -near_r - near_s
    elif off_r > off_s:
        near_r = -near_q - near_s
    space = grid.at(near_q, near_r)
    return NOWHERE if space is None else space


class Piece:
    """A piece: where it is, which space it is over, what it gives, and the way before it."""

    __slots__ = ("cell", "gives", "leg", "path", "x", "y", "z")

    def __init__(self, x: float, y: float) -> None:
        """Begin beside the board."""
        self.x, self.y, self.z = x, y, 0.0
        self.cell = NOWHERE
        self.gives: tuple[int, ...] = ()
        self.path: list[Waypoint] = []
        self.leg = 0

    def at(self, now: float) -> tuple[float, float, float]:
        """Return (x, y, z) at `now`, which is not before the last time asked; goes along."""
        path, leg = self.path, self.leg
        if not path or now < path[0].t:
            return self.x, self.y, self.z
        last = len(path) - 1
        while leg < last and path[leg + 1].t <= now:
            leg += 1
        self.leg = leg
        t, x, y, z = path[leg]
        if leg == last:
            return x, y, z
        end, to_x, to_y, to_z = path[leg + 1]
        part = (now - t) / (end - t)
        return x + (to_x - x) * part, y + (to_y - y) * part, z + (to_z - z) * part

    def rests(self, now: float) -> bool:
        """Tell whether it keeps still at `now`."""
        self.at(now)
        path, leg = self.path, self.leg
        if leg + 1 >= len(path) or now < path[0].t:
            return True
        return path[leg][1:] == path[leg + 1][1:]


class Pieces:
    """All pieces on and beside a board, where they are and where they are going."""

    def __init__(self, board: Board, pitch_mm: float, reeds: Reeds) -> None:
        """Begin without pieces."""
        self.board = board
        self.grid = board.grid
        self.pitch_mm = pitch_mm
        self.reeds = reeds
        self._pieces: dict[int, Piece] = {}
        self._moving: list[Piece] = []

    @property
    def now(self) -> float:
        """The time in seconds."""
        raise NotImplementedError

    # What is true.

    def truth(self) -> dict[int, int]:
        """Return which piece stands on which space now: {space: piece}, holes included.

        Pieces that are held, move, or stand beside the board are left out.  A piece belongs to the
        hex in which its centre lies; of two in one hex the nearer to its centre is given.
        """
        near: dict[int, tuple[float, int]] = {}
        for number, piece in self._pieces.items():
            x, y, z = piece.at(self.now)
            cell = space_at(self.grid, self.pitch_mm, x, y)
            if z < STANDS_MM and cell != NOWHERE and piece.rests(self.now):
                found = (dist((x, y), self.reeds.centres[cell]), number)
                near[cell] = min(found, near.get(cell, found))
        return {cell: number for cell, (_, number) in sorted(near.items())}

    def off_board(self) -> tuple[int, ...]:
        """Return the pieces that lie beside the board, held by no hand."""
        return tuple(
            number
            for number in sorted(self._pieces)
            if self.position(number)[2] < STANDS_MM and self.space_of(number) == NOWHERE
        )

    def held(self) -> tuple[int, ...]:
        """Return the pieces that are in the air."""
        return tuple(n for n in sorted(self._pieces) if self.position(n)[2] >= STANDS_MM)

    def position(self, piece: int) -> tuple[float, float, float]:
        """Return (x, y, z) of a piece now."""
        return self._piece(piece).at(self.now)

    def space_of(self, piece: int) -> int:
        """Return the space that a piece is over now, at whatever height, or `NOWHERE`."""
        x, y, _ = self.position(piece)
        return space_at(self.grid, self.pitch_mm, x, y)

    def busy_until(self) -> float:
        """Return when the last motion ends; now, if nothing moves."""
        return max((piece.path[-1].t for piece in self._moving), default=self.now)

    # What moves them.

    def put(self, piece: int, to: Place | None, *, offset_mm: tuple[float, float] = (0, 0)) -> None:
        """Let a piece stand there at once, unseen; None is beside the board.  Makes new pieces."""
        spot = self._pieces.setdefault(piece, Piece(*self._beside(0)))
        spot.path, spot.leg = [], 0
        if spot in self._moving:
            self._moving.remove(spot)
        x, y = self._beside(spot.x) if to is None else self._point(to, offset_mm)
        self._move_to(spot, x, y, 0.0)

    def schedule(self, motion: Motion) -> float:
        """Let a motion happen, up to where its piece falls off or in; return when it ends.

        It takes the place of whatever the piece would do from its first waypoint on.
        """
        piece, points = self._piece(motion.piece), list(motion.points)
        start = points[0].t
        if any(b.t < a.t for a, b in pairwise(points)):
            raise ValueError(f"motion of piece {motion.piece}: waypoints {points} run back in time")
        points = list(self._over_wood(piece, points))
        piece.path = [point for point in piece.path if point.t <= start] + points
        piece.leg = min(piece.leg, len(piece.path) - 1)
        if piece not in self._moving:
            self._moving.append(piece)
        return points[-1].t

    # How it is done.

    def _piece(self, number: int) -> Piece:
        try:
            return self._pieces[number]
        except KeyError:
            raise ValueError(f"there is no piece {number} on this table") from None

    def _point(
        self, place: Place, offset_mm: tuple[float, float] = (0.0, 0.0)
    ) -> tuple[float, float]:
        x, y = self.reeds.centres[place] if isinstance(place, int) else place
        return x + offset_mm[0], y + offset_mm[1]

    def _beside(self, x: float) -> tuple[float, float]:
        """Return a point beside the board, on the side where `x` is."""
        return (self.board.side + 1) * self.pitch_mm * (-1 if x < 0 else 1), 0.0

    def _begin(self, number: int, at: float | None) -> list[Waypoint]:
        """Return where a movement begins, as a list of one waypoint."""
        piece = self._piece(number)
        end = piece.path[-1].t if piece.path else self.now
        start = max(self.now, end if at is None else at)
        if start < end:
            leg = piece.leg
            x, y, z = piece.at(start)
            piece.leg = leg
        elif piece.path:
            _, x, y, z = piece.path[-1]
        else:
            x, y, z = piece.x, piece.y, piece.z
        return [Waypoint(start, x, y, z)]

    def _over_wood(self, piece: Piece, points: list[Waypoint]) -> Iterator[Waypoint]:
        """Yield the waypoints up to where the piece falls off the edge or into a hole."""
        for here, then in pairwise(points):
            yield here
            if here.z >= STANDS_MM or then.z >= STANDS_MM:
                continue
            began = space_at(self.grid, self.pitch_mm, here.x, here.y)
            steps = int(dist(here[1:], then[1:]) / _GRAIN_MM) + 1
            last = here
            for k in range(steps + 1):
                spot = Waypoint(*(a + (b - a) * k / steps for a, b in zip(here, then, strict=True)))
                cell = space_at(self.grid, self.pitch_mm, spot.x, spot.y)
                if cell == NOWHERE and began != NOWHERE:
                    # It tips over the edge, and does not come to lie near any contact.
                    yield spot
                    yield Waypoint(spot.t, *self._beside(spot.x), 0.0)
                    return
                if self._is_hole(cell):
                    if cell != began and self._taken(cell, piece):
                        yield last  # nothing to fall into: it stops at the rim
                    else:
                        yield spot
                        yield Waypoint(spot.t + _FALL_S, *self.reeds.centres[cell], 0.0)
                    return
                last = spot
        end = points[-1]
        yield end
        cell = space_at(self.grid, self.pitch_mm, end.x, end.y)
        if end.z < STANDS_MM and self._is_hole(cell) and not self._taken(cell, piece):
            yield Waypoint(end.t + _FALL_S, *self.reeds.centres[cell], 0.0)

    def _is_hole(self, cell: int) -> bool:
        return cell != NOWHERE and bool(self.board.detaining >> cell & 1)

    def _taken(self, cell: int, piece: Piece) -> bool:
        """Tell whether another piece is going to stand on that space."""
        for other in self._pieces.values():
            if other is not piece:
                _, x, y, z = other.path[-1] if other.path else (0.0, other.x, other.y, other.z)
                if z < STANDS_MM and space_at(self.grid, self.pitch_mm, x, y) == cell:
                    return True
        return False

    def _move_all(self, now: float) -> None:
        """Bring all pieces to where they are at `now` and tell the reeds."""
        for piece in self._moving[:]:
            path = piece.path
            if now < path[0].t:
                continue
            self._move_to(piece, *piece.at(now))
            if piece.leg == len(path) - 1:
                piece.path, piece.leg = [], 0
                self._moving.remove(piece)
        self.reeds.settle(now)

    def _move_to(self, piece: Piece, x: float, y: float, z: float) -> None:
        reeds, before, old = self.reeds, piece.cell, piece.gives
        piece.x, piece.y, piece.z = x, y, z
        cell = before
        centre = reeds.centres[cell]
        # Within the circle inscribed in its hex a piece is surely still over it.
        dx, dy = x - centre[0], y - centre[1]
        if cell == NOWHERE or 4 * (dx * dx + dy * dy) >= self.pitch_mm * self.pitch_mm:
            cell = piece.cell = space_at(self.grid, self.pitch_mm, x, y)
        new = piece.gives = reeds.gives(cell, x, y, z)
        if cell == before and old and new:
            reeds.replace(cell, old, new)
        else:
            reeds.add(before, old, -1)
            reeds.add(cell, new, 1)

    def _next_motion(self, now: float, scan_period_s: float) -> float | None:
        """Return when a magnet can next act on a reed, or None while all are at rest."""
        soon = None
        silent = self.reeds.table.silent_mm
        for piece in self._moving:
            path, leg = piece.path, piece.leg
            when = now + scan_period_s
            if now < path[0].t:
                when = path[0].t
            elif leg + 1 < len(path) and now < path[leg + 1].t:
                here, then = path[leg], path[leg + 1]
                silence = not piece.gives and here.z >= silent and then.z >= silent
                if silence or (piece.x, piece.y, piece.z) == here[1:] == then[1:]:
                    when = then.t
            if soon is None or when < soon:
                soon = when
        return soon
