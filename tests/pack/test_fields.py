"""Magnets, contacts and weights: the closed form against sums over the faces of the disc."""

from itertools import pairwise
from math import comb, cos, hypot, pi, sin, sqrt

import pytest

from sorcel_pi.drivers.mock.field import DISC_6X3, DISC_8X3, DROP_OUT, REED_MM, MagnetField
from sorcel_pi.pack.contacts import (
    HALL_DEPTHS_MM,
    SURE,
    Window,
    hall_fields,
    order_of,
    pitches,
    reed_fields,
    window,
)
from sorcel_pi.pack.magnetics import REMANENCE_MT, Disc
from sorcel_pi.pack.measures import FRICTION, MAGNETS, Measures
from sorcel_pi.pack.pieces import least_weight_g, solids, weights_g
from sorcel_pi.pack.planning import plan

from . import ALL, PITCH, geometry

SMALL, LARGE = MAGNETS["6x3"], MAGNETS["8x3"]


def summed(disc: Disc, out: float, depth: float) -> tuple[float, float]:
    """Return the field as the sum over charges on both faces, as a dipole layer would have it."""
    rings, outwards, down = 80, 0.0, 0.0
    radius = disc.across_mm / 2
    for z, sign in ((depth, 1), (depth + disc.high_mm, -1)):
        for ring in range(rings):
            r = (ring + 0.5) / rings * radius
            spots = max(8, int(2 * pi * r / (radius / rings)))
            area = 2 * pi * r * radius / rings / spots
            for k in range(spots):
                dx = out - r * cos(2 * pi * (k + 0.5) / spots)
                dy = r * sin(2 * pi * (k + 0.5) / spots)
                away = sqrt(dx * dx + dy * dy + z * z) ** 3
                outwards += sign * area * dx / away
                down += sign * area * z / away
    scale = disc.remanence_mt / (4 * pi)
    return scale * outwards, scale * down


@pytest.mark.parametrize("disc", [SMALL, LARGE])
@pytest.mark.parametrize(("out", "depth"), [(0, 3), (2, 5), (3, 4), (7, 5.5), (14, 9), (33, 5.7)])
def test_the_field_is_the_sum_over_the_faces(disc: Disc, out: float, depth: float) -> None:
    scale = hypot(*summed(disc, out, depth))
    for exact, sum_ in zip(disc.field(out, depth), summed(disc, out, depth), strict=True):
        assert exact == pytest.approx(sum_, abs=2e-3 * scale)


@pytest.mark.parametrize("depth", [0.5, 4.7, 18.0, 60.0])
def test_on_the_axis_the_mean_along_a_reed_is_elementary(depth: float) -> None:
    def whole(z: float) -> float:
        return hypot(z + SMALL.high_mm, 3.0) - hypot(z, 3.0)

    wanted = REMANENCE_MT / 2 * (whole(depth + REED_MM) - whole(depth)) / REED_MM
    near = 0.05 if depth < 1 else 1e-6  # close by, eight knots are few
    assert SMALL.along(0.0, depth, REED_MM) == pytest.approx(wanted, rel=near)


def test_a_lifted_piece_is_no_dipole() -> None:
    # 15 mm above where a reed's end is 2.7 and 3 mm deep; a point dipole would give 0.90.
    assert SMALL.along(0.0, 17.7, REED_MM) == pytest.approx(1.11, abs=0.005)
    assert SMALL.along(0.0, 18.0, REED_MM) == pytest.approx(1.07, abs=0.005)


@pytest.mark.parametrize(("disc", "table"), [(SMALL, DISC_6X3), (LARGE, DISC_8X3)])
def test_the_simulated_tables_field_is_the_discs(disc: Disc, table: MagnetField) -> None:
    for out, field in table.knots:
        exact = disc.along(out, table.depth_mm - disc.high_mm / 2, REED_MM)
        assert field == pytest.approx(exact, rel=0.1, abs=0.05)


@pytest.mark.parametrize(
    ("pitch", "depth", "ratio"), [(36, 2.7, 1.30), (36, 4.7, 1.78), (33.33, 5.7, 1.98)]
)
def test_the_window_by_depth(pitch: float, depth: float, ratio: float) -> None:
    low, high = window(reed_fields(SMALL, pitch, depth))
    assert high / low == pytest.approx(ratio, abs=0.01)


def test_the_usual_depth_is_the_best() -> None:
    def usable(depth: float) -> float:
        return window(reed_fields(SMALL, PITCH, depth)).usable

    best = max(usable(k / 10) for k in range(20, 90))
    assert usable(Measures().depth_mm) > 0.95 * best
    assert usable(2.7) < 0.75 * best
    assert usable(8.5) < 0.8 * best


@pytest.mark.parametrize(("side", "pitch"), ALL)
def test_usable_reeds_close_and_open_when_they_should(side: int, pitch: float) -> None:
    g = geometry(side, pitch)
    low, high = g.reeds_mt
    fields = reed_fields(g.magnet, pitch, g.measures.depth_mm)
    assert low < high < fields.own - fields.ring
    assert max(fields.ring, fields.lifted) < low * DROP_OUT


def test_a_hall_switch_sits_well_deeper_than_a_reed() -> None:
    # An omnipolar switch closes at 4.8 mT at most, by its data sheet.
    ratios = {}
    for depth in (3.0, *HALL_DEPTHS_MM, 12.0):
        fields = hall_fields(SMALL, PITCH, depth)
        ratios[depth] = fields.standing / fields.idle
    good = [ratios[depth] for depth in HALL_DEPTHS_MM]
    assert min(good) > 2 * ratios[3.0]
    assert min(hall_fields(SMALL, PITCH, d).standing for d in HALL_DEPTHS_MM) > 4.6
    assert hall_fields(SMALL, PITCH, 12.0).standing < 3.5


@pytest.mark.parametrize("usable", [0.3, 0.67, 0.98, 1.0])
def test_an_order_holds_enough_reeds(usable: float) -> None:
    def chance(order: int) -> float:
        return sum(
            comb(order, k) * usable**k * (1 - usable) ** (order - k) for k in range(61, order + 1)
        )

    order = order_of(61, usable)
    assert chance(order) >= SURE
    assert order == 61 or chance(order - 1) < SURE


def test_what_was_ordered_before_was_too_little() -> None:
    # 1.7 to 2.7 mT is two thirds of 1.5 to 3.0: of 74 reeds 50 would have been usable.
    assert round(74 * Window(1.7, 2.7).usable) == 49
    assert order_of(61, Window(1.7, 2.7).usable) > 100
    with pytest.raises(ValueError, match="no reed"):
        order_of(61, 0.0)


def test_pitches_that_work_are_a_range() -> None:
    least, most = pitches(SMALL, 5.7, 32.0)
    assert (least, most) == (32.0, 44.5)
    assert window(reed_fields(SMALL, most + 0.5, 5.7)).low > 0
    found = window(reed_fields(SMALL, most + 0.5, 5.7))
    assert found.low >= found.high


# -- weight ---------------------------------------------------------------------------------------


def test_neighbours_at_contact_push() -> None:
    assert SMALL.push(23.7) == pytest.approx(0.78, abs=0.01)
    # Far apart two discs are two dipoles: the fourth power.
    assert SMALL.push(80) / SMALL.push(160) == pytest.approx(16, rel=0.02)
    pushes = [SMALL.push(apart) for apart in (20, 22, 24, 30, 36)]
    assert all(a > b > 0 for a, b in pairwise(pushes))


def test_a_piece_is_heavy_enough_to_stay() -> None:
    g = geometry()
    assert 6 <= least_weight_g(g) <= 8
    assert least_weight_g(g) * FRICTION == pytest.approx(g.magnet.push(g.base_mm))
    assert min(weights_g(g)) > least_weight_g(g)


def test_a_volume_is_that_of_the_body() -> None:
    ring = geometry().measures
    for solid in solids(geometry()):
        whole = pi * (solid.base_mm / 2) ** 2 * solid.height_mm
        assert 0.3 * whole < solid.volume_mm3 < 0.8 * whole
    assert ring.ring_hole_mm > SMALL.across_mm + ring.magnet_clearance_mm


def test_a_geometry_needs_no_mock() -> None:
    from sorcel_pi import standard_board
    from sorcel_pi.config.schema import Config

    assert plan(standard_board(), Config()).pitch_mm == PITCH
    assert Config().mock.pitch_mm == 36
