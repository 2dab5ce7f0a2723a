"""The hexagon of hexagons: names, neighbours, rays, distances and the tables over masks."""

import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorcel_pi import NotationError, hexgrid, mask_of, spaces_of
from sorcel_pi.rules import hexgrid as module
from sorcel_pi.rules.hexgrid import DIRECTIONS, OFF_BOARD, Memo

SIDES = range(3, 9)


@pytest.mark.parametrize("side", SIDES)
def test_numbering(side: int) -> None:
    grid = hexgrid(side)
    assert grid is hexgrid(side)
    assert grid.n == 3 * side * (side - 1) + 1 == len(set(grid.names))
    assert [len(row) for row in grid.rows] == [
        *range(side, 2 * side),
        *range(2 * side - 2, side - 1, -1),
    ]
    assert [space for row in grid.rows for space in row] == list(range(grid.n))
    for space, (q, r) in enumerate(grid.axial):
        assert grid.names[space] == f"{'abcdefghijklmno'[side - 1 - r]}{q + side}"
        assert grid.number(grid.names[space]) == grid.find(grid.names[space]) == space
        assert grid.at(q, r) == space
    assert grid.everywhere == mask_of(range(grid.n))
    assert [grid.names[k] for k in grid.by_name] == sorted(grid.names, key=lambda name: name + "~")


def test_names_of_the_standard_board() -> None:
    grid = hexgrid(5)
    rows = " ".join(f"{grid.names[row[0]]}-{grid.names[row[-1]]}" for row in grid.rows)
    assert rows == "a1-a5 b1-b6 c1-c7 d1-d8 e1-e9 f2-f9 g3-g9 h4-h9 i5-i9"


@pytest.mark.parametrize("side", SIDES)
def test_neighbours(side: int) -> None:
    grid = hexgrid(side)
    for space, (q, r) in enumerate(grid.axial):
        ring = grid.neighbours[space]
        for direction, (dq, dr) in enumerate(DIRECTIONS):
            other = grid.at(q + dq, r + dr)
            assert ring[direction] == (OFF_BOARD if other is None else other)
            if other is not None:
                assert grid.direction(space, other) == direction
                assert grid.neighbours[other][(direction + 3) % 6] == space
        assert grid.adjacent[space] == mask_of(k for k in ring if k != OFF_BOARD)
        steps = [(k, 1 << k, direction) for direction, k in enumerate(ring) if k != OFF_BOARD]
        assert list(grid.steps[space]) == sorted(steps, key=lambda step: grid.names[step[0]])
        assert grid.direction(space, space) is None
        assert grid.direction(space, OFF_BOARD) is None


@pytest.mark.parametrize("side", SIDES)
def test_distances(side: int) -> None:
    grid = hexgrid(side)
    for a in range(grid.n):
        near = [b for b in range(grid.n) if 1 <= grid.distance(a, b) <= 2]
        assert grid.near[a] == mask_of(near)
        assert grid.adjacent[a] == mask_of(b for b in near if grid.distance(a, b) == 1)
    assert grid.distance(0, grid.n - 1) == 2 * (side - 1)


def test_rays() -> None:
    grid = hexgrid(5)
    b3 = grid.number("b3")
    ends = [[grid.names[k] for k in grid.ray(b3, direction)] for direction in range(6)]
    assert [" ".join(names) for names in ends] == [
        "b4 b5 b6",
        "a3",
        "a2",
        "b2 b1",
        "c3 d3 e3 f3 g3",
        "c4 d5 e6 f7 g8 h9",
    ]
    for heading in range(6):
        assert [direction for direction, _ in grid.rays[b3][heading]] == [
            (heading + turn) % 6 for turn in range(6)
        ]
        direction, ray = grid.rays[b3][heading][0]
        assert ray == (*(1 << k for k in grid.ray(b3, direction)), 0)


@pytest.mark.parametrize("side", SIDES)
def test_half_turn(side: int) -> None:
    grid = hexgrid(side)
    for space, (q, r) in enumerate(grid.axial):
        assert grid.half_turn(space) == grid.at(-q, -r)
    mask = mask_of([0, 1, grid.n - 1])
    assert grid.turn_mask(mask) == mask_of([grid.n - 1, grid.n - 2, 0])


def test_centres() -> None:
    grid = hexgrid(5)
    assert grid.centre(grid.number("e5"), 40.0) == (0.0, 0.0)
    x, y = grid.centre(grid.number("e6"), 40.0)
    assert (x, y) == (40.0, 0.0)
    for space in range(grid.n):
        x, y = grid.centre(space)
        for other in spaces_of(grid.adjacent[space]):
            u, v = grid.centre(other)
            assert (x - u) ** 2 + (y - v) ** 2 == pytest.approx(1)
    assert grid.centre(60)[1] > 0 > grid.centre(0)[1]  # y is north
    south_east = grid.neighbours[grid.number("e5")][DIRECTIONS.index((0, 1))]
    assert grid.names[south_east] == "d5"


@given(st.sampled_from(SIDES), st.data())
def test_tables_over_masks(side: int, data: st.DataObject) -> None:
    grid = hexgrid(side)
    few = st.sets(st.integers(0, grid.n - 1), max_size=12).map(mask_of)
    own, empty = data.draw(few), data.draw(few)
    for _ in ("worked out", "remembered"):
        steps = [(a, b) for a in spaces_of(own) for b in spaces_of(grid.adjacent[a] & empty)]
        assert (grid.exits[own] & empty * grid.lanes).bit_count() == len(steps)
        assert grid.adjacent_to[own] & empty == mask_of(b for _, b in steps)
    anchors, others = own & ~empty, empty
    linked, front = anchors, anchors
    while front:
        front = mask_of(b for b in spaces_of(others & ~linked) if grid.near[b] & linked)
        linked |= front
    assert grid.loose[anchors, others] == others & ~linked


def test_a_table_remembers_up_to_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_REMEMBERED", 3)
    asked = []

    def square(number: int) -> int:
        asked.append(number)
        return number * number

    table = Memo(square)
    assert [table[k] for k in (1, 2, 3, 3, 2, 1)] == [1, 4, 9, 9, 4, 1]
    assert asked == [1, 2, 3]
    assert (table[4], dict(table)) == (16, {4: 16})


def test_masks() -> None:
    assert list(spaces_of(mask_of([5, 0, 168]))) == [0, 5, 168]
    assert list(spaces_of(0)) == []
    grid = hexgrid(5)
    assert grid.names_of(grid.mask("c4", "a1", "b2")) == ("a1", "b2", "c4")
    assert all(a < b for a, b in pairwise(spaces_of(0b1011011)))


@pytest.mark.parametrize("name", ["", "e", "e10", "E5", "a0", "i4", "e5 ", "e\u0665", "e²", "\0"])
def test_names_that_are_none(name: str) -> None:
    assert hexgrid(5).find(name) is None
    with pytest.raises(NotationError, match=r"is not a space of a board of side 5; .* a1 to i9"):
        hexgrid(5).number(name)


@pytest.mark.parametrize("side", [-1, 0, 2, 9, pytest.param(10**5000, id="huge")])
def test_sides_that_are_none(side: int) -> None:
    with pytest.raises(NotationError, match="a board has a side of 3 to 8"):
        hexgrid(side)


def test_grids_are_shared() -> None:
    assert pickle.loads(pickle.dumps(hexgrid(4))) is hexgrid(4)
    assert repr(hexgrid(4)) == "hexgrid(4)"
