"""What follows when a piece enters a hex: pushes, and pushes by what was pushed, in rule order.

Everything is a whole number with one bit per space.  The proximity rule, which comes after the
pushes, is applied here too; turns, losses and coins are not known here.
"""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from ..errors import CascadeError
from .board import Board, Layout, make_tuple
from .hexgrid import HexGrid, spaces_of
from .position import PIECES, Piece

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
    board: Board,
    pieces: Layout,
    entered: int,
    heading: int,
    events: list[Consequence] | None = None,
    limit: int = MAX_ENTRIES,
) -> Layout:
    """Return the layout after the piece on `entered` (heading 0-5) has pushed.

    What happens is appended to `events`, unless nobody wants to know, in rule order: the farthest
    piece of a line first.  Raises `CascadeError` after `limit` entries.
    """
    hexes, adjacent, rays = board.hexes, board.grid.adjacent, board.grid.rays
    ls, lf, ds, df = pieces
    light, dark, tall = ls | lf, ds | df, ls | ds
    # An entry is (hex as a bit, heading).  It counts while `arrivals` still says that this entry
    # is the last that came to stand there; else its piece has been pushed on, or is out of play.
    first = (1 << entered, heading)
    arrivals = {first[0]: first}
    queue = [first]
    for entry in queue:  # which grows meanwhile
        bit, heading = entry
        if arrivals.get(bit) is not entry:
            continue
        space = bit.bit_length() - 1
        foes = adjacent[space] & hexes & (dark if light & bit else light)
        if not foes:
            continue
        # A push moves pieces of one ray only: the neighbours on the others wait where they are.
        for direction, ray in rays[space][heading]:
            if not ray[0] & foes:
                continue
            line = _line(ray, (light | dark) & hexes)
            if events is not None:
                events += _told(board, light, dark, tall, line, space)
            light, dark, tall = _moved_up(light, dark, tall, line, hexes)
            arrivals.pop(line[0], None)
            for place in line[1:]:
                if place & hexes:
                    arrivals[place] = arrival = (place, direction)
                    queue.append(arrival)
        if len(queue) > limit:
            raise CascadeError(f"a cascade was still going on after {limit} entries")
    ls, ds = light & tall, dark & tall
    return make_tuple(Layout, (ls, light ^ ls, ds, dark ^ ds))


def _line(ray: tuple[int, ...], in_play: int) -> tuple[int, ...]:
    """Return the spaces of the unbroken line that begins `ray`, and the one that it moves onto."""
    length = 1
    while ray[length] & in_play:
        length += 1
    return ray[: length + 1]


def _moved_up(
    light: int, dark: int, tall: int, line: tuple[int, ...], hexes: int
) -> tuple[int, int, int]:
    """Return the masks after the pieces of `line` have moved up, the farthest first.

    A piece that was detained in the last space comes off; beyond the edge that space is no bit at
    all, so that whoever moves there is gone.
    """
    place = line[-1]
    if place & ~hexes:
        light, dark, tall = light & ~place, dark & ~place, tall & ~place
    for stand in line[-2::-1]:
        swap = stand | place
        if light & stand:
            light ^= swap
        else:
            dark ^= swap
        if tall & stand:
            tall ^= swap
        place = stand
    return light, dark, tall


def _told(
    board: Board, light: int, dark: int, tall: int, line: tuple[int, ...], cause: int
) -> Iterator[Consequence]:
    """Yield what happens when the pieces of `line` move up, the last space of it being free.

    The masks are those before.
    """

    def piece_on(bit: int) -> Piece:
        return PIECES[2 * (not light & bit) + (not tall & bit)]

    hexes, landing = board.hexes, line[-1]
    if landing & ~hexes & (light | dark):
        yield Consequence(Event.RELEASE, piece_on(landing), landing.bit_length() - 1, None, cause)
    for stand, target in zip(line[-2::-1], line[:0:-1], strict=True):
        piece, origin = piece_on(stand), stand.bit_length() - 1
        if not target:
            yield Consequence(Event.OFF, piece, origin, None, cause)
        else:
            event = Event.PUSH if target & hexes else Event.DETAIN
            yield Consequence(event, piece, origin, target.bit_length() - 1, cause)


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
