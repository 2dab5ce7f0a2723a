"""When the simulated contacts close, open, bounce and break."""

from itertools import pairwise
from math import cos, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorcel_pi.drivers.mock.field import DROP_OUT, MagnetField, pull_in_range, tolerance_mm
from sorcel_pi.drivers.mock.table import MockTable
from sorcel_pi.errors import DeviceError
from sorcel_pi.rules.hexgrid import spaces_of

from .tables import BOARD, GRID, MAGNETS, closed, jump, standing, table, watch

E6 = GRID.number("e6")
RING = tuple(spaces_of(GRID.adjacent[E6]))


@st.composite
def leanings(draw: st.DrawFn) -> tuple[float, float]:
    """Draw how far off its centre a base stands, in parts of what still is inside its hex."""
    angle = draw(st.sampled_from([*range(0, 360, 15)]))
    # Toward the middle of a side there is less room than toward a corner.
    away = min(abs((angle - side + 180) % 360 - 180) for side in range(0, 360, 60))
    room = cos(radians(30)) / cos(radians(away))
    part = draw(st.sampled_from([1.0, 1.0, 0.5, 0.0])) * room * 0.999
    return part * cos(radians(angle)), part * sin(radians(angle))


@given(
    pitch=st.sampled_from([28, 30, 32, 34, 36, 38, 40]),
    magnet=st.sampled_from(MAGNETS),
    seed=st.integers(0, 50),
    own=leanings(),
    others=st.lists(leanings(), min_size=6, max_size=6),
    order=st.permutations(range(7)),
)
def test_wherever_pieces_stand_in_their_hexes_contacts_tell_which_are_taken(
    pitch: int,
    magnet: MagnetField,
    seed: int,
    own: tuple[float, float],
    others: list[tuple[float, float]],
    order: list[int],
) -> None:
    made = MockTable(BOARD, pitch_mm=pitch, magnet=magnet, seed=seed, bounce_s=0)
    room = tolerance_mm(pitch)
    seven = list(zip((E6, *RING), (own, *others), strict=True))
    for piece in order:
        space, (dx, dy) = seven[piece]
        made.put(piece, space, offset_mm=(dx * room, dy * room))
        made.scan()
    everything = GRID.adjacent[E6] | 1 << E6
    assert made.scan().closed == everything
    assert made.truth() == {space: k for k, (space, _) in enumerate(seven)}
    made.lift(0)
    assert [*jump(made)][-1] == GRID.adjacent[E6]
    assert made.held() == (0,)


@pytest.mark.parametrize("pitch", [28, 32, 36, 40])
@pytest.mark.parametrize("magnet", MAGNETS)
def test_six_neighbours_do_not_close_an_empty_space(magnet: MagnetField, pitch: int) -> None:
    for seed in range(10):
        made = MockTable(BOARD, pitch_mm=pitch, magnet=magnet, seed=seed, bounce_s=0)
        for piece, space in enumerate(RING):
            made.put(piece, space)
        assert made.scan().closed == GRID.adjacent[E6]


def test_pull_in_is_spread_over_the_range_by_seed() -> None:
    low, high = pull_in_range(MAGNETS[0], 36)
    first, again, other = (table(seed=seed).reeds.pull_in_mt for seed in (1, 1, 2))
    assert first == again != other
    assert low <= min(first) < 1.1 * low < 0.9 * high < max(first) <= high
    alike = MockTable(BOARD, spread=0.0).reeds.pull_in_mt
    assert len(set(alike)) == 1
    assert low < alike[0] < high


def edge_mm(made: MockTable, distances: list[float], becomes: bool) -> float:
    """Return the first distance east of e6 at which its contact is closed, or is not."""
    x, y = GRID.centre(E6, made.pitch_mm)
    for distance in distances:
        made.put(0, (x + distance, y))
        if bool(made.scan().closed) is becomes:
            return distance
    raise AssertionError("it never changed")


def test_a_contact_opens_farther_out_than_it_closes() -> None:
    made = table("e6")
    inwards = [d / 10 for d in range(150, 0, -1)]
    closes = edge_mm(made, inwards, True)
    opens = edge_mm(made, inwards[::-1], False)
    assert closes + 0.5 < opens < 14
    magnet, pull_in = MAGNETS[0], made.reeds.pull_in_mt[E6]
    assert magnet.at(closes) == pytest.approx(pull_in, rel=0.06)
    assert magnet.at(opens) == pytest.approx(pull_in * DROP_OUT, rel=0.06)


@pytest.mark.parametrize("magnet", MAGNETS)
def test_a_piece_lifted_far_enough_opens_its_contact(magnet: MagnetField) -> None:
    for seed in range(20):
        made = table("e6", magnet=magnet, seed=seed)
        end = made.lift(0, height_mm=2.0)
        made.advance_to(end)
        assert closed(made) == ("e6",)
        made.lift(0, height_mm=magnet.lift_mm)
        assert [*jump(made)][-1] == 0


@pytest.mark.parametrize("magnet", MAGNETS)
def test_hovering_at_20_mm_closes_nothing(magnet: MagnetField) -> None:
    for seed in range(20):
        made = table("b3", magnet=magnet, seed=seed)
        made.advance_to(made.lift(0))
        assert closed(made) == ()
        made.hover(0, [GRID.number(name) for name in ("c3", "d4", "e4", "e6")], height_mm=20)
        assert set(jump(made)) == {0}
        assert made.held() == (0,)


def test_bounce_is_over_within_milliseconds_and_hides_nothing() -> None:
    chattered = 0
    for seed in range(30):
        made = table("b3", seed=seed, bounce_s=0.004)
        made.advance(1.0)
        made.put(0, GRID.number("c3"))
        readings = [*watch(made, made.now + 0.02, period_s=0.0002)]
        settled = readings[21:]
        assert set(settled) == {GRID.mask("c3")}
        chattered += len(set(readings[:21])) > 1
    assert chattered > 20


def test_a_seed_is_a_behaviour() -> None:
    def run(seed: int) -> list[int]:
        made = table("b3", "b4", "c4", seed=seed, bounce_s=0.03)
        made.break_contact(E6, "flicker", rate_hz=8)
        made.slide(0, GRID.number("c3"))
        made.shove([1, 2], 5, touching=True)
        return [*watch(made, 2.0, period_s=0.01)]

    assert run(3) == run(3)
    assert len({tuple(run(seed)) for seed in range(10)}) == 10


def test_hall_switches_tell_late_and_each_at_a_moment_of_its_own() -> None:
    look_s, late = 0.075, []
    made = MockTable(BOARD, seed=4, look_s=look_s)
    for name in ("b3", "c3", "d5", "e6", "h7"):
        began = made.now
        made.put(0, GRID.number(name))
        told = [made.scan().closed, *jump(made)]
        assert told[-1] == GRID.mask(name)
        assert len(told) <= 3  # one opens, the other closes, without any bounce
        late.append(made.now - began)
        made.advance(0.011)
    assert 0 < min(late) < 0.4 * look_s < max(late) <= look_s
    assert len({round(each, 4) for each in late}) == len(late)


def test_a_hall_switch_that_has_not_looked_yet_tells_nothing_of_a_touch() -> None:
    made = MockTable(BOARD, seed=4, look_s=0.075)
    shown = 0
    for _ in range(20):
        made.put(0, GRID.number("e6"))
        made.advance(0.02)
        shown += made.scan().closed != 0
        made.put(0, GRID.number("a1"))
        made.advance(0.0831)
        made.scan()
    assert 0 < shown < 20


def test_dead_and_stuck_contacts() -> None:
    made = table("b3", "b4")
    made.break_contact(GRID.number("b3"), "dead")
    made.break_contact(GRID.number("i9"), "stuck")
    assert closed(made) == ("b4", "i9")
    assert standing(made) == {"b3": 0, "b4": 1}
    made.mend_contact(GRID.number("b3"))
    made.mend_contact(GRID.number("i9"))
    assert closed(made) == ("b3", "b4")


def test_a_flickering_contact_turns_round_at_its_rate_until_it_is_mended() -> None:
    made = table("b3", "b4")
    made.break_contact(GRID.number("b3"), "flicker", rate_hz=20)
    readings = []
    for _ in range(200):
        when = made.next_change()
        assert when is not None
        made.advance_to(when)
        readings.append(made.scan().closed)
    assert set(readings) == {GRID.mask("b3", "b4"), GRID.mask("b4")}
    assert all(a != b for a, b in pairwise(readings))
    assert made.now == pytest.approx(10, rel=0.3)
    made.mend_contact(GRID.number("b3"))
    assert closed(made) == ("b3", "b4")
    assert made.next_change() is None
    with pytest.raises(ValueError, match="rate_hz 0"):
        made.break_contact(E6, "flicker", rate_hz=0)
    with pytest.raises(ValueError, match="broken"):
        made.break_contact(E6, "broken")  # type: ignore[arg-type]


def test_hands_go_on_while_the_line_is_down() -> None:
    made = table("b3", "b4")
    made.slide(0, GRID.number("c3"))
    made.unplug()
    with pytest.raises(DeviceError, match="unplugged"):
        made.scan()
    made.advance(5)
    assert standing(made) == {"b4": 1, "c3": 0}
    made.plug()
    assert closed(made) == ("b4", "c3")
