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

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from math import sqrt
from typing import TypeVar

from ..errors import NotationError, quote

MIN_SIDE = 3
MAX_SIDE = 8

DIRECTIONS: tuple[tuple[int, int], ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The six (dq, dr), clockwise from east as seen from above with Light in the south."""

EAST = 0

OFF_BOARD = -1
"""What stands in a table of neighbours for "beyond the edge"."""

MAX_REMEMBERED = 1 << 16
Rays = tuple[tuple[int, tuple[int, ...]], ...]
K = TypeVar("K")
V = TypeVar("V")


def spaces_of(mask: int) -> Iterator[int]:
    """Yield the space numbers in `mask`, ascending.

    >>> list(spaces_of(0b10110))
    [1, 2, 4]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(spaces: Iterable[int]) -> int:
    """Return the set of `spaces` as a whole number, one bit per space.

    >>> bin(mask_of([1, 2, 4]))
    '0b10110'
    """
    mask = 0
    for space in spaces:
        mask |= 1 << space
    return mask


class Memo(dict[K, V]):
    """A function that remembers: `table[key]` is worked out when it is asked for the first time.

    Half as dear as `functools.lru_cache`, which matters where the rules ask most.
    """

    __slots__ = ("_function",)

    def __init__(self, function: Callable[[K], V]) -> None:
        """Remember what `function` returns."""
        self._function = function

    def __missing__(self, key: K) -> V:
        """Work out the value for `key`; a table that is full starts afresh."""
        if len(self) >= MAX_REMEMBERED:
            self.clear()
        value = self[key] = self._function(key)
        return value


@dataclass(frozen=True, slots=True, eq=False)
class HexGrid:
    """All tables of a board of one side; `hexgrid(side)` makes each only once.

    `n` spaces; `names[k]`, `axial[k] = (q, r)`; `neighbours[k][d]` is the next space in direction d
    or `OFF_BOARD`; `adjacent[k]` and `near[k]` are the masks of the spaces at distance 1 and at
    distance 1 or 2; `by_name` lists the spaces in the order in which texts that begin with their
    names sort; `steps[k]` lists (target, its bit, direction) by the target's name; `rays[k][h]`
    lists (direction, ray) clockwise from direction h, where a ray holds the spaces from k (left
    out) to the edge as bits, and then a 0 for what is beyond the edge.

    Three tables answer for whole sets of spaces.  `adjacent_to[mask]` is the union of `adjacent`.
    `exits[mask]` holds the ways out of the spaces in mask, in one lane of n bits for each
    direction: no two ways share a bit, so `exits[own] & empty * lanes` has one bit for each step of
    the pieces `own` to the spaces `empty` (`lanes` times a mask copies it into every lane).
    `loose[anchors, others]` is the mask of those `others` that no chain of jumps of at most two
    spaces, over `others` alone, links to `anchors`.
    """

    side: int
    n: int
    names: tuple[str, ...]
    axial: tuple[tuple[int, int], ...]
    rows: tuple[tuple[int, ...], ...]
    by_name: tuple[int, ...]
    neighbours: tuple[tuple[int, ...], ...]
    rays: tuple[tuple[Rays, ...], ...]
    adjacent: tuple[int, ...]
    near: tuple[int, ...]
    steps: tuple[tuple[tuple[int, int, int], ...], ...]
    adjacent_to: Memo[int, int]
    exits: Memo[int, int]
    loose: Memo[tuple[int, int], int]
    lanes: int
    everywhere: int
    _numbers: dict[str, int]
    _axial_numbers: dict[tuple[int, int], int]

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
        return mask_of(map(self.half_turn, spaces_of(mask)))

    def centre(self, space: int, pitch: float = 1.0) -> tuple[float, float]:
        """Return the centre (x, y) of `space`, x east and y north, from the board's centre.

        `pitch` is the distance of neighbouring centres (flat to flat), and the result's unit.
        """
        q, r = self.axial[space]
        return pitch * (q + r / 2), -pitch * r * sqrt(3) / 2


@cache
def hexgrid(side: int) -> HexGrid:
    """Return the one `HexGrid` of `side` spaces an edge (3 to 8).

    >>> hexgrid(5).n, hexgrid(5).names[0], hexgrid(5).names[60]
    (61, 'a1', 'i9')
    """
    if not MIN_SIDE <= side <= MAX_SIDE:
        raise NotationError(f"side {quote(side)}: a board has a side of {MIN_SIDE} to {MAX_SIDE}")
    axial = tuple(
        (q, r)
        for r in range(side - 1, -side, -1)
        for q in range(max(1 - side, 1 - side - r), min(side - 1, side - 1 - r) + 1)
    )
    n = len(axial)
    names = tuple(f"{chr(96 + side - r)}{q + side}" for q, r in axial)
    numbers = {place: k for k, place in enumerate(axial)}
    neighbours = tuple(
        tuple(numbers.get((q + dq, r + dr), OFF_BOARD) for dq, dr in DIRECTIONS) for q, r in axial
    )
    adjacent = tuple(mask_of(k for k in ring if k != OFF_BOARD) for ring in neighbours)
    exits = [mask_of(d * n + k for d, k in enumerate(r) if k != OFF_BOARD) for r in neighbours]
    near = tuple(_two_around(adjacent, k) for k in range(n))
    return HexGrid(
        side=side,
        n=n,
        names=names,
        axial=axial,
        rows=tuple(
            tuple(k for k in range(n) if axial[k][1] == r) for r in range(side - 1, -side, -1)
        ),
        # "~" sorts behind every digit, so that a10b2 comes before a1b2, as the texts do.
        by_name=tuple(sorted(range(n), key=lambda k: names[k] + "~")),
        neighbours=neighbours,
        rays=tuple(_rays(neighbours, k) for k in range(n)),
        adjacent=adjacent,
        near=near,
        steps=tuple(_steps(ring, names) for ring in neighbours),
        adjacent_to=Memo(partial(_union, adjacent)),
        exits=Memo(partial(_union, exits)),
        loose=Memo(partial(_loose, Memo(partial(_union, near)))),
        lanes=mask_of(d * n for d in range(6)),
        everywhere=(1 << n) - 1,
        _numbers={name: k for k, name in enumerate(names)},
        _axial_numbers=numbers,
    )


def _rays(neighbours: Sequence[tuple[int, ...]], space: int) -> tuple[Rays, ...]:
    """Return `HexGrid.rays[space]`."""
    rays: list[tuple[int, tuple[int, ...]]] = []
    for direction in range(6):
        bits = []
        place = space
        while (place := neighbours[place][direction]) != OFF_BOARD:
            bits.append(1 << place)
        rays.append((direction, (*bits, 0)))
    return tuple(tuple(rays[heading:] + rays[:heading]) for heading in range(6))


def _two_around(adjacent: tuple[int, ...], space: int) -> int:
    """Return the mask of the spaces at distance 1 or 2 from `space`."""
    reach = adjacent[space]
    for other in spaces_of(adjacent[space]):
        reach |= adjacent[other]
    return reach & ~(1 << space)


def _union(masks: Sequence[int], spaces: int) -> int:
    """Return the union of the `masks` of all `spaces` (a mask)."""
    union = 0
    while spaces:
        low = spaces & -spaces
        union |= masks[low.bit_length() - 1]
        spaces ^= low
    return union


def _loose(near_to: Memo[int, int], key: tuple[int, int]) -> int:
    """Return which of `others` no chain links to `anchors`; `key` is both."""
    front, others = key
    while front and others:
        front = near_to[front] & others
        others ^= front
    return others


def _steps(ring: tuple[int, ...], names: tuple[str, ...]) -> tuple[tuple[int, int, int], ...]:
    """Return (target, its bit, direction) for the neighbours in `ring`, by their names."""
    found = [(k, 1 << k, direction) for direction, k in enumerate(ring) if k != OFF_BOARD]
    return tuple(sorted(found, key=lambda step: names[step[0]]))
