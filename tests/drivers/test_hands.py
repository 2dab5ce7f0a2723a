"""What contacts show of hands that slide, shove, carry, drop and bump."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from sorcel_pi.drivers.mock.field import DISC_6X3, DISC_12X5_DEEP, MagnetField
from sorcel_pi.drivers.mock.motion import Motion, Waypoint, space_at
from sorcel_pi.drivers.mock.table import MockTable

from .tables import EAST, GRID, MAGNETS, NORTH_EAST, closed, distinct, jump, standing, table, watch

B2, B3, C3, D5 = map(GRID.number, ("b2", "b3", "c3", "d5"))


# Slides.


@pytest.mark.parametrize("pitch", [36, 38, 40])
def test_a_slide_on_a_wide_pitch_leaves_a_gap(pitch: int) -> None:
    for seed in range(10):
        made = table("b3", pitch_mm=pitch, seed=seed)
        end = made.slide(0, C3, speed_mm_s=100)
        readings = [*watch(made, end)]
        assert distinct(iter(readings)) == [("b3",), (), ("c3",)]
        assert 0.15 < readings.count(0) / 1000 < 0.25
        assert standing(made) == {"c3": 0}


def test_a_slide_on_a_narrow_pitch_closes_both() -> None:
    for seed in range(10):
        made = table("b3", pitch_mm=28, magnet=DISC_12X5_DEEP, seed=seed)
        end = made.slide(0, C3, speed_mm_s=100, pause_on_border_s=0.15)
        readings = [*watch(made, end)]
        assert distinct(iter(readings)) == [("b3",), ("b3", "c3"), ("c3",)]
        assert readings.count(GRID.mask("b3", "c3")) >= 150


def test_upright_reeds_with_small_magnets_overlap_on_no_pitch() -> None:
    made = table("b3", pitch_mm=28)
    assert () in distinct(watch(made, made.slide(0, C3)))


def test_a_halt_on_the_border_of_a_wide_pitch_shows_nothing_closed() -> None:
    made = table("b3")
    end = made.slide(0, C3, speed_mm_s=400, pause_on_border_s=1.0)
    made.advance_to(end / 2)
    assert closed(made) == ()
    assert standing(made) in ({"b3": 0}, {"c3": 0})  # it stands still, with its centre on the line
    assert [*jump(made)][-1] == GRID.mask("c3")


# Shoves.


def gaps_s(made: MockTable, names: tuple[str, ...], end: float) -> list[float]:
    """Return for how long each of the named contacts reads open until `end`."""
    readings = [*watch(made, end)]
    return [sum(not mask >> GRID.number(name) & 1 for mask in readings) / 1000 for name in names]


@pytest.mark.parametrize("speed", [100, 200, 400])
def test_middle_contacts_of_a_shoved_line_open_for_55_to_220_ms_on_a_wide_board(
    speed: int,
) -> None:
    for seed in range(5):
        made = table("b2", "b3", "b4", pitch_mm=40, seed=seed)
        end = made.shove([0, 1, 2], EAST, speed_mm_s=speed)
        for gap in gaps_s(made, ("b3", "b4"), end):
            assert gap == pytest.approx(0.22 * 100 / speed, rel=0.06)
        assert standing(made) == {"b3": 0, "b4": 1, "b5": 2}
        assert closed(made) == ("b3", "b4", "b5")


@pytest.mark.parametrize(
    ("pitch", "magnet", "longest"),
    [(36, DISC_6X3, 0.08), (32, DISC_6X3, 0.05), (28, DISC_6X3, 0), (36, DISC_12X5_DEEP, 0)],
)
def test_pieces_that_touch_show_a_short_gap_or_none(
    pitch: int, magnet: MagnetField, longest: float
) -> None:
    for seed in range(5):
        made = table("b2", "b3", "b4", pitch_mm=pitch, magnet=magnet, seed=seed)
        end = made.shove([0, 1, 2], EAST, speed_mm_s=100, touching=True)
        assert all(gap <= longest for gap in gaps_s(made, ("b3", "b4"), end))
        assert standing(made) == {"b3": 0, "b4": 1, "b5": 2}


def test_bases_never_run_into_each_other_in_a_shove() -> None:
    made = table("b2", "b3", "b4")
    end = made.shove([0, 1, 2], EAST, touching=True)
    nearest = 99.0
    for _ in watch(made, end):
        xs = [made.position(piece)[0] for piece in range(3)]
        nearest = min(nearest, *(b - a for a, b in pairwise(xs)))
    assert nearest == pytest.approx(0.66 * 36, abs=0.01)


@pytest.mark.parametrize("touching", [False, True])
def test_the_far_piece_of_a_line_shoved_over_the_edge_falls_off(touching: bool) -> None:
    made = table("b4", "b5", "b6")
    made.shove([0, 1, 2], EAST, touching=touching)
    assert [*jump(made)][-1] == GRID.mask("b5", "b6")
    assert standing(made) == {"b5": 0, "b6": 1}
    assert made.off_board() == (2,)
    made.carry(2, B2)  # from beside the board
    made.drop(2)
    assert [*jump(made)][-1] == GRID.mask("b2", "b5", "b6")


@pytest.mark.parametrize("touching", [False, True])
def test_the_far_piece_of_a_line_shoved_over_a_hole_falls_in(touching: bool) -> None:
    made = table("c4", "d5", "g7")  # e6 is a hex, e5 and f4 are holes; north-west is 4
    assert GRID.names[GRID.neighbours[D5][4]] == "e5"
    made.put(0, GRID.neighbours[D5][1])
    made.shove([0, 1], 4, touching=touching)
    assert distinct(jump(made))[-1] == ("d5", "e5", "g7")
    assert standing(made) == {"d5": 0, "e5": 1, "g7": 2}
    x, y, z = made.position(1)
    assert (x, y, z) == pytest.approx((0, 0, 0))


def test_a_hole_that_is_taken_stops_a_piece_at_its_rim() -> None:
    made = table("d5", "e5")
    made.shove([0], 4)
    assert [*jump(made)][-1] == GRID.mask("e5")
    assert standing(made) == {"d5": 0, "e5": 1}
    made.take_off(1)
    made.carry(0, GRID.number("e5"))
    made.drop(0, offset_mm=(0, 0))
    assert [*jump(made)][-1] == GRID.mask("e5")
    assert standing(made) == {"e5": 0}


# Other movements.


def test_carry_and_drop() -> None:
    made = table("b3", "b4")
    made.lift(0)
    made.carry(0, D5)
    assert distinct(jump(made)) == [("b3", "b4"), ("b4",)]
    assert (standing(made), made.held()) == ({"b4": 1}, (0,))
    made.drop(0, offset_mm=(4, -3))
    assert distinct(jump(made)) == [("b4",), ("b4", "d5")]
    x, y = GRID.centre(D5, 36)
    assert made.position(0) == pytest.approx((x + 4, y - 3, 0))
    assert (standing(made), made.held()) == ({"b4": 1, "d5": 0}, ())


def test_a_drop_straight_down_lands_where_the_piece_was_held() -> None:
    made = table("b3")
    made.carry(0, D5)
    made.drop(0)
    assert distinct(jump(made)) == [("b3",), (), ("d5",)]


def test_a_drop_beside_the_middle_of_a_hole_falls_in() -> None:
    made = table("b3")
    made.carry(0, GRID.number("e5"))
    made.drop(0, GRID.number("e5"), offset_mm=(10, 2))
    assert [*jump(made)][-1] == GRID.mask("e5")
    assert made.position(0) == pytest.approx((0, 0, 0))


def test_a_small_nudge_changes_nothing_and_a_big_one_moves_on() -> None:
    made = table("b3")
    made.nudge(0, 3, 2)
    assert set(jump(made)) == {GRID.mask("b3")}
    made.nudge(0, 31, 0)
    assert distinct(jump(made)) == [("b3",), (), ("b4",)]
    made.nudge(0, 200, 0)
    assert distinct(jump(made))[-1] == ()
    assert made.off_board() == (0,)


def test_take_off() -> None:
    made = table("b3", "h7")
    made.take_off(0)
    made.take_off(1)
    assert [*jump(made)][-1] == 0
    assert (made.off_board(), made.truth(), made.held()) == ((0, 1), {}, ())
    assert (made.space_of(0), made.space_of(1)) == (-1, -1)


def test_two_hands_at_once() -> None:
    both = table("b3", "h7")
    ends = (both.slide(0, C3), both.slide(1, GRID.number("g7")))
    assert both.busy_until() == max(ends)
    assert ends[0] == pytest.approx(ends[1])
    assert distinct(watch(both, max(ends)))[1] in ((), ("b3",), ("h7",))
    assert standing(both) == {"c3": 0, "g7": 1}


def test_movements_of_a_piece_follow_each_other_and_can_be_broken_off() -> None:
    made = table("b3")
    first = made.slide(0, C3)
    second = made.slide(0, B2, at=first + 1.0)
    made.advance_to(first + 0.5)
    assert standing(made) == {"c3": 0}  # it rests before it goes on
    made.advance_to((first + 1.0 + second) / 2)
    assert made.truth() == {}
    made.halt(0)
    assert made.next_change() is not None
    made.scan()
    assert made.next_change() is None
    x, y, _ = made.position(0)
    (cx, cy), (bx, by) = GRID.centre(C3, 36), GRID.centre(B2, 36)
    assert (x, y) == pytest.approx(((cx + bx) / 2, (cy + by) / 2))
    made.lift(0)
    made.drop(0, C3)
    assert [*jump(made)][-1] == GRID.mask("c3")


def test_a_piece_that_fell_off_goes_on_from_beside_the_board() -> None:
    made = table("b6", "d5")
    made.shove([0], EAST)
    made.carry(0, B2)
    made.drop(0)
    assert {mask & GRID.mask("d5") for mask in jump(made)} == {GRID.mask("d5")}
    assert standing(made) == {"b2": 0, "d5": 1}


def test_a_motion_is_a_value() -> None:
    made = table("b3")
    x, y = GRID.centre(B3, 36)
    points = (Waypoint(1, x, y, 0), Waypoint(2, x, y, 60), Waypoint(3, x, y, 60))
    assert made.schedule(Motion(0, points)) == 3
    assert made.next_change() == 1
    made.advance_to(2.5)
    assert (closed(made), made.position(0)) == ((), (x, y, 60))
    with pytest.raises(ValueError, match="run back in time"):
        made.schedule(Motion(0, points[::-1]))
    with pytest.raises(ValueError, match="no piece 7"):
        made.lift(7)


def busy(made: MockTable) -> None:
    made.shove([0, 1], NORTH_EAST, touching=True)
    made.slide(2, GRID.number("d6"), pause_on_border_s=0.2, at=0.5)
    made.lift(3, at=0.7)
    made.carry(3, GRID.number("a1"))
    made.hover(3, [GRID.number(name) for name in ("a2", "a3", "f6")])
    made.drop(3, GRID.number("f8"), at=6.0)
    made.take_off(4, at=6.5)
    made.press(1, at=2.22, hold_s=0.1)


@pytest.mark.parametrize("magnet", MAGNETS)
@pytest.mark.parametrize("script", [busy])
def test_a_clock_that_jumps_misses_nothing(
    script: Callable[[MockTable], None], magnet: MagnetField
) -> None:
    patient, hasty = (table("b2", "c3", "d5", "e7", "h7", magnet=magnet) for _ in range(2))
    script(patient)
    script(hasty)
    end = patient.busy_until() + 0.5
    dense = [*watch(patient, end, period_s=0.01)]
    seen = [*jump(hasty)]
    assert distinct(iter(seen)) == distinct(iter(dense))
    assert hasty.truth() == patient.truth()
    assert len(seen) < 0.7 * len(dense)


def test_every_point_of_the_board_belongs_to_the_nearest_centre() -> None:
    for space in range(GRID.n):
        x, y = GRID.centre(space, 36)
        assert space_at(GRID, 36, x, y) == space
        for dx, dy in ((17.9, 0), (-17.9, 0), (8.9, 15.4), (-8.9, -15.4), (0, 20.7), (0, -20.7)):
            assert space_at(GRID, 36, x + dx, y + dy) == space
    assert space_at(GRID, 36, 36 * 4.6, 0) == -1
