"""A hexagon of hexagons: spaces, names, directions, rays, distances.

Pure geometry: it knows neither pieces nor holes.  Spaces are numbered 0, 1, 2, ... by rows from
`a` (nearest Light) to the farthest, west to east within a row; a set of spaces is a whole number
with bit k set for space k.  Everything else in the program uses this one numbering.

Axial coordinates: q grows to the east, r to the south-east (pointy-top hexes)::

            north-west   north-east
              (0,-1)       (1,-1)
      west (-1,0)    space     (1,0) east
              (-1,1)       (0,1)
            south-west   south-east

On a board of side n the letter of a space is row n-1-r and its number q+n.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from math import sqrt

from ..errors import NotationError, quote

MIN_SIDE = 3
MAX_SIDE = 8

DIRECTIONS: tuple[tuple[int, int], ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The six (dq, dr), clockwise from east as seen from above with Light in the south."""

DIRECTION_NAMES = ("east", "south-east", "south-west", "west", "north-west", "north-east")
EAST = 0

OFF_BOARD = -1
"""What stands in a ray table for "beyond the edge"."""


def spaces_of(mask: int) -> Iterator[int]:
    """Yield the space numbers in `mask`, ascending.

    >>> list(spaces_of(0b10110))
    [1, 2, 4]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(spaces: "Iterator[int] | tuple[int, ...] | list[int] | set[int]") -> int:
    """Return the set of `spaces` as a whole number, one bit per space.

    >>> bin(mask_of([1, 2, 4]))
    '0b10110'
    """
    mask = 0
    for space in spaces:
        mask |= 1 << space
    return mask


@dataclass(frozen=True, slots=True, eq=False)
class HexGrid:
    """All tables of a board of one side.  Use `hexgrid(side)`, which makes each only once.

    `n` spaces; `names[k]`, `axial[k] = (q, r)`; `neighbours[k][d]` is the next space in direction d
    or `OFF_BOARD`; `adjacent[k]` and `near[k]` are the masks of the spaces at distance 1 and at
    distance 1 or 2; `by_name` lists the spaces in the order in which texts that begin with their
    names sort.
    """

    side: int
    n: int = field(init=False)
    names: tuple[str, ...] = field(init=False)
    axial: tuple[tuple[int, int], ...] = field(init=False)
    neighbours: tuple[tuple[int, ...], ...] = field(init=False)
    adjacent: tuple[int, ...] = field(init=False)
    near: tuple[int, ...] = field(init=False)
    rows: tuple[tuple[int, ...], ...] = field(init=False)
    by_name: tuple[int, ...] = field(init=False)
    everywhere: int = field(init=False)
    _numbers: dict[str, int] = field(init=False)
    _axial_numbers: dict[tuple[int, int], int] = field(init=False)

    def __post_init__(self) -> None:
        """Fill the tables."""
        side = self.side
        rows: list[tuple[int, ...]] = []
        axial: list[tuple[int, int]] = []
        names: list[str] = []
        for letter, r in enumerate(range(side - 1, -side, -1)):
            first = len(axial)
            for q in range(max(1 - side, 1 - side - r), min(side - 1, side - 1 - r) + 1):
                axial.append((q, r))
                names.append(f"{chr(97 + letter)}{q + side}")
            rows.append(tuple(range(first, len(axial))))
        numbers = {place: k for k, place in enumerate(axial)}
        neighbours = tuple(
            tuple(numbers.get((q + dq, r + dr), OFF_BOARD) for dq, dr in DIRECTIONS)
            for q, r in axial
        )
        adjacent = tuple(mask_of([k for k in row if k >= 0]) for row in neighbours)
        near = []
        for k, ring in enumerate(adjacent):
            two = ring
            for other in spaces_of(ring):
                two |= adjacent[other]
            near.append(two & ~(1 << k))
        put = object.__setattr__
        put(self, "n", len(axial))
        put(self, "names", tuple(names))
        put(self, "axial", tuple(axial))
        put(self, "neighbours", neighbours)
        put(self, "adjacent", adjacent)
        put(self, "near", tuple(near))
        put(self, "rows", tuple(rows))
        # "~" sorts behind every digit, so that a10b2 comes before a1b2, as the texts do.
        put(self, "by_name", tuple(sorted(range(len(axial)), key=lambda k: names[k] + "~")))
        put(self, "everywhere", (1 << len(axial)) - 1)
        put(self, "_numbers", {name: k for k, name in enumerate(names)})
        put(self, "_axial_numbers", numbers)

    def __repr__(self) -> str:
        """Rebuild the value."""
        return f"hexgrid({self.side})"

    def __reduce__(self) -> tuple[object, tuple[int]]:
        """Pickle as the side alone; the tables are made again."""
        return hexgrid, (self.side,)

    def number(self, name: str) -> int:
        """Return the number of the space called `name`; `NotationError` if there is none.

        >>> hexgrid(5).number("e5")
        30
        """
        try:
            return self._numbers[name]
        except KeyError:
            raise NotationError(
                f"{quote(name)} is not a space of a board of side {self.side}; spaces run from "
                f"{self.names[0]} to {self.names[-1]}"
            ) from None

    def find(self, name: str) -> int | None:
        """Return the number of the space called `name`, or None."""
        return self._numbers.get(name)

    def at(self, q: int, r: int) -> int | None:
        """Return the number of the space at axial (q, r), or None beyond the edge."""
        return self._axial_numbers.get((q, r))

    def mask(self, *names: str) -> int:
        """Return the set of the named spaces as a mask."""
        return mask_of([self.number(name) for name in names])

    def names_of(self, mask: int) -> tuple[str, ...]:
        """Return the names of the spaces in `mask`, sorted as text."""
        return tuple(sorted(self.names[k] for k in spaces_of(mask)))

    def distance(self, a: int, b: int) -> int:
        """Return the number of steps between spaces `a` and `b` on an empty board."""
        (qa, ra), (qb, rb) = self.axial[a], self.axial[b]
        return max(abs(qa - qb), abs(ra - rb), abs(qa + ra - qb - rb))

    def direction(self, a: int, b: int) -> int | None:
        """Return the direction (0-5) from `a` to its neighbour `b`; None if they do not touch."""
        ring = self.neighbours[a]
        return ring.index(b) if b in ring and b != OFF_BOARD else None

    def ray(self, space: int, direction: int) -> Iterator[int]:
        """Yield the spaces from `space` (left out) to the edge."""
        space = self.neighbours[space][direction]
        while space != OFF_BOARD:
            yield space
            space = self.neighbours[space][direction]

    def half_turn(self, space: int) -> int:
        """Return the space that `space` becomes when the board is turned by 180 degrees."""
        return self.n - 1 - space

    def turn_mask(self, mask: int) -> int:
        """Return `mask` with the board turned by 180 degrees."""
        return mask_of([self.n - 1 - k for k in spaces_of(mask)])

    def centre(self, space: int, pitch: float = 1.0) -> tuple[float, float]:
        """Return the centre (x, y) of `space`, x east and y north, from the board's centre.

        `pitch` is the distance of neighbouring centres (flat to flat), and the result's unit.
        """
        q, r = self.axial[space]
        return pitch * (q + r / 2), -pitch * r * sqrt(3) / 2


@cache
def hexgrid(side: int) -> HexGrid:
    """Return the one `HexGrid` of `side` spaces an edge (1 to 8).

    >>> hexgrid(5).n, hexgrid(5).names[0], hexgrid(5).names[60]
    (61, 'a1', 'i9')
    """
    if not 1 <= side <= MAX_SIDE:
        raise ValueError(f"side {side}: a board has a side of {MIN_SIDE} to {MAX_SIDE}")
    return HexGrid(side)
