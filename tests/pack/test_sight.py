"""No light is hidden from a seat; and the ways that were worse are found to be."""

from dataclasses import replace
from math import cos, pi, sin

import pytest

from sorcel_pi.pack.geometry import Geometry
from sorcel_pi.pack.sight import seats

from . import ALL, geometry


def hidden(g: Geometry, above_mm: float = 450.0) -> list[int]:
    return [len(seat.hidden) for seat in seats(g, above_mm)]


@pytest.mark.parametrize(("side", "pitch"), [(side, pitch) for side, pitch in ALL if side < 6])
def test_no_light_is_hidden_from_a_seat(side: int, pitch: float) -> None:
    assert hidden(geometry(side, pitch)) == [0, 0]


def test_both_seats_see_alike() -> None:
    light, dark = seats(geometry(), above_mm=350.0)
    grid = geometry().board.grid
    turned = {grid.names[grid.n - 1 - grid.number(name)] for name in light.hidden}
    assert turned == set(dark.hidden)
    assert len(light.hidden) > 5  # from so low, some are


def test_one_hole_in_the_north_east_would_be_hidden() -> None:
    g = geometry()
    away = 0.43 * g.pitch_mm
    east, north = away * cos(pi / 6), away * sin(pi / 6)
    one = tuple(((x + east, y + north),) * 2 for x, y in g.centres)
    light, dark = hidden(replace(g, lights=one))
    assert light > 5
    assert dark > 30


def test_one_hole_is_hidden_from_the_seat_behind_the_piece() -> None:
    g = geometry()
    for side, seat in ((0, 0), (1, 1)):
        one = tuple((holes[side],) * 2 for holes in g.lights)
        assert hidden(replace(g, lights=one))[seat] == 61
