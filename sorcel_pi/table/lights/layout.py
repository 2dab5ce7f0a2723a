"""Where on a board rows, its edge, counted points, coins and digits are shown.

Geometry as the two players see it from their seats; it knows no roles.
"""

from collections.abc import Sequence
from functools import lru_cache

from ...rules.hexgrid import HexGrid
from ...rules.position import Side


@lru_cache(maxsize=16)
def rows_from(grid: HexGrid, side: Side) -> tuple[tuple[int, ...], ...]:
    """Return all rows, the nearest to the seat of `side` first, each from its left."""
    if side is Side.LIGHT:
        return grid.rows
    return tuple(row[::-1] for row in reversed(grid.rows))


def home_row(grid: HexGrid, side: Side) -> tuple[int, ...]:
    """Return the row nearest to the seat of `side`, from left to right as it is seen from there."""
    return rows_from(grid, side)[0]


@lru_cache(maxsize=16)
def ring(grid: HexGrid) -> tuple[int, ...]:
    """Return the spaces along the edge."""
    return tuple(k for k in range(grid.n) if grid.adjacent[k].bit_count() < 6)


@lru_cache(maxsize=16)
def heap(grid: HexGrid, side: Side) -> tuple[int, ...]:
    """Return where coins are counted: from the home row on, as many a row as that one holds."""
    return tuple(space for row in rows_from(grid, side) for space in row[: grid.side])


@lru_cache(maxsize=16)
def code_rows(grid: HexGrid) -> tuple[tuple[int, ...], ...]:
    """Return four successive rows, the nearest to Light that hold six or else the widest."""
    fours = [grid.rows[k : k + 4] for k in range(len(grid.rows) - 3)]
    return max(fours, key=lambda four: min(6, *map(len, four)))


def counted(row: Sequence[int], count: int) -> list[tuple[int, bool]]:
    """Return the first `count` spaces of `row`; when they are too few, the first count twice."""
    twice = max(0, count - len(row))
    return [(space, k < twice) for k, space in enumerate(row[:count])]
