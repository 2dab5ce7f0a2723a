"""What follows when a piece enters a hex: pushes, and pushes by what was pushed, in rule order.

Everything is a whole number with one bit per space.  The proximity rule, which comes after the
pushes, is applied here too; turns, losses and coins are not known here.
"""

from collections import deque
from enum import StrEnum
from typing import NamedTuple

from ..errors import CascadeError
from .board import Board, Layout, connected
from .hexgrid import OFF_BOARD, HexGrid, spaces_of
from .position import PIECES, Piece, Side

MAX_ENTRIES = 10_000
"""Entries taken from the queue before a cascade is called endless; the longest known has 60."""


class Event(StrEnum):
    """What happens to one piece."""

    PUSH = "push"
    """It is moved to the next hex."""
    DETAIN = "detain"
    """It is moved into a detaining space."""
    RELEASE = "release"
    """It was detained there and comes off the board."""
    OFF = "off"
    """It is moved over the edge."""
    STRAY = "stray"
    """It is an unconnected Shif and comes off the board."""


class Consequence(NamedTuple):
    """One thing that happens to one piece: `piece` goes from `origin` to `target`.

    Spaces are numbers; `target` is None where the piece comes off the board.  `cause` is the hex
    whose entering pushed it, None for a stray.
    """

    event: Event
    piece: Piece
    origin: int
    target: int | None
    cause: int | None

    def as_row(self, grid: HexGrid) -> list[str]:
        """Return the form of the rule vectors, such as `["push", "c4", "d5"]`."""
        row = [str(self.event), grid.names[self.origin]]
        if self.target is not None:
            row.append(grid.names[self.target])
        return row


def settle_pushes(
    board: Board, pieces: Layout, entered: int, heading: int, limit: int = MAX_ENTRIES
) -> tuple[Layout, list[Consequence]]:
    """Return the layout after the piece on `entered` (heading 0-5) has pushed, and what happened.

    The consequences are in rule order, the farthest piece of a line first.  Raises `CascadeError`
    after `limit` entries.
    """
    grid, hexes = board.grid, board.hexes
    adjacent, neighbours = grid.adjacent, grid.neighbours
    masks = list(pieces)
    events: list[Consequence] = []
    # An entry is (hex, heading, serial).  arrivals[hex] is the serial of the last piece that came
    # to stand there, so an entry is stale exactly when its serial is not there any more: the piece
    # has been pushed on, or is off the board or detained.
    queue = deque([(entered, heading, 0)])
    arrivals = {entered: 0}
    serial = taken = 0
    while queue:
        taken += 1
        if taken > limit:
            raise CascadeError(f"a cascade was still going on after {limit} entries")
        space, heading, number = queue.popleft()
        if arrivals.get(space) != number:
            continue
        foe = 0 if (masks[2] | masks[3]) >> space & 1 else 2
        if not adjacent[space] & (masks[foe] | masks[foe + 1]) & hexes:
            continue
        ring = neighbours[space]
        for turn in range(6):
            direction = (heading + turn) % 6
            first = ring[direction]
            if first == OFF_BOARD or not (masks[foe] | masks[foe + 1]) & hexes & 1 << first:
                continue
            line = _line(
                grid, (masks[0] | masks[1] | masks[2] | masks[3]) & hexes, first, direction
            )
            _shift(board, masks, line, direction, space, events)
            for stand in line:
                arrivals.pop(stand, None)
            for stand in line:
                place = neighbours[stand][direction]
                if place != OFF_BOARD and hexes >> place & 1:
                    serial += 1
                    arrivals[place] = serial
                    queue.append((place, direction, serial))
    return Layout._make(masks), events


def _line(grid: HexGrid, in_play: int, first: int, direction: int) -> list[int]:
    """Return the unbroken line of pieces `in_play` from `first` on, the nearest first."""
    line = [first]
    for space in grid.ray(first, direction):
        if not in_play >> space & 1:
            break
        line.append(space)
    return line


def _shift(
    board: Board,
    masks: list[int],
    line: list[int],
    direction: int,
    cause: int,
    events: list[Consequence],
) -> None:
    """Move the pieces of `line` one space on in place, the farthest first."""
    for stand in reversed(line):
        piece = _take(masks, stand)
        place = board.grid.neighbours[stand][direction]
        if place == OFF_BOARD:
            events.append(Consequence(Event.OFF, piece, stand, None, cause))
            continue
        if board.hexes >> place & 1:
            event = Event.PUSH
        else:
            event = Event.DETAIN
            if (masks[0] | masks[1] | masks[2] | masks[3]) >> place & 1:
                freed = _take(masks, place)
                events.append(Consequence(Event.RELEASE, freed, place, None, cause))
        masks[piece] |= 1 << place
        events.append(Consequence(event, piece, stand, place, cause))


def _take(masks: list[int], space: int) -> Piece:
    """Take the piece on `space` out of `masks` and return what it is."""
    for piece in PIECES:
        if masks[piece] >> space & 1:
            masks[piece] ^= 1 << space
            return piece
    raise AssertionError(f"no piece on space {space}")  # pragma: no cover


def strays_of(board: Board, pieces: Layout, side: Side) -> int:
    """Return the mask of the Shifs of `side` in play that the proximity rule takes off."""
    hexes = board.hexes
    shifs = pieces[2 * side + 1] & hexes
    return shifs & ~connected(board.grid, pieces[2 * side] & hexes, shifs)


def stray_events(board: Board, pieces: Layout, strays: int) -> list[Consequence]:
    """Return the consequences for the Shifs in `strays`, sorted by the name of their space."""
    names = board.grid.names
    dark = pieces[Piece.DARK_SHIF]
    return [
        Consequence(
            Event.STRAY,
            Piece.DARK_SHIF if dark >> space & 1 else Piece.LIGHT_SHIF,
            space,
            None,
            None,
        )
        for space in sorted(spaces_of(strays), key=names.__getitem__)
    ]
