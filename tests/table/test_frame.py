"""Colours over time: what is told apart and by whom, the current limit, orders, when to draw."""

from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise, product
from operator import sub

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorcel_pi.errors import ConfigError
from sorcel_pi.rules.position import SIDES, Side
from sorcel_pi.table.lights.frame import (
    BLACK,
    COLOUR_ORDERS,
    Frame,
    FrameMaker,
    current_a,
    dark,
    least_limit_a,
    limited,
    next_change,
    to_wire_bytes,
)
from sorcel_pi.table.lights.palette import DEFAULT, PALETTES, Colour, Palette
from sorcel_pi.table.lights.plan import Lamp, LightPlan, Role, plan_lights
from sorcel_pi.table.lights.signs import SIGNS, Ink, tick, wave_of
from sorcel_pi.table.view import View

from .test_lightplan import BOARD, EXAMPLES, LF, SMALL, at, move, times, view, views

MAKER = FrameMaker(BOARD)
TINY = FrameMaker(SMALL)

byte = st.integers(0, 255)
colours = st.tuples(byte, byte, byte)


def frame_of(channels: bytes) -> Frame:
    return tuple((r, g, b) for r, g, b in zip(*[iter(channels)] * 3, strict=True))


frames = st.binary(min_size=183, max_size=183).map(frame_of) | colours.map(lambda c: (c,) * 61)
lamps = st.builds(
    Lamp, st.sampled_from(Role), st.none() | st.sampled_from(SIDES), times, st.integers(1, 10)
)
plans = st.dictionaries(st.integers(0, 60), lamps).map(LightPlan)
makers = st.builds(
    FrameMaker,
    st.just(BOARD),
    palette=st.sampled_from(list(PALETTES.values())),
    brightness=st.floats(0.02, 1),
    gamma=st.floats(1, 3),
    current_limit_a=st.floats(least_limit_a(61), 4),
)


def shown_at(shown: View, now_s: float, maker: FrameMaker = MAKER) -> Frame:
    return maker.frame(plan_lights(shown, now_s), now_s)


def lit(frame: Frame) -> dict[str, Colour]:
    return {BOARD.grid.names[k]: colour for k, colour in enumerate(frame) if colour != BLACK}


# Simple examples.


def test_origin_and_destination_light_in_turn() -> None:
    seen = [lit(shown_at(move(LF, "c3", "d4"), second)) for second in (0.0, 0.39, 0.4, 1.19, 1.2)]
    origin, destination = {"c3": (255, 184, 0)}, {"d4": (255, 255, 255)}
    assert seen == [origin, origin, destination, destination, origin]


def test_steady_points_need_no_frames() -> None:
    plan = plan_lights(view(), 0.0)
    assert lit(MAKER.frame(plan, 0.0)) == dict.fromkeys(("a1", "a2", "a3"), (22, 16, 0))
    assert next_change(plan, 123.4) is None


def test_nothing_to_say_is_dark() -> None:
    assert MAKER.frame(LightPlan({}), 5.0) == dark(BOARD) == (BLACK,) * 61
    assert next_change(LightPlan({}), 5.0) is None
    assert next_change(LightPlan({}, 7.0), 5.0) == 7.0


def test_blinking_changes_when_it_says() -> None:
    plan = plan_lights(move(LF, "c3", "d4"), 0.0)
    assert next_change(plan, 0.0) == pytest.approx(0.4)
    assert next_change(plan, 0.4) == pytest.approx(1.2)
    assert next_change(replace(plan, until_s=0.7), 0.4) == 0.7


def test_a_slow_line_gets_fewer_frames() -> None:
    plan = plan_lights(view(lifted=at("c3")), 0.0)
    assert next_change(plan, 1.0) == pytest.approx(1.04)
    assert next_change(plan, 1.0, fps=10) == pytest.approx(1.1)
    assert next_change(replace(plan, until_s=1.02), 1.0, fps=10) == 1.02


def test_lights_in_another_order() -> None:
    order = tuple(reversed(range(61)))
    plan = plan_lights(view(), 0.0)
    assert FrameMaker(BOARD, order=order).frame(plan, 0.0) == MAKER.frame(plan, 0.0)[::-1]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"brightness": 1.5}, "brightness '1.5'"),
        ({"gamma": 0.0}, "gamma '0.0'"),
        ({"order": (0, 0)}, "each of 0 to 60 once"),
        ({"current_limit_a": 0.06}, "61 lights need at least 0.075 A"),
    ],
)
def test_settings_that_cannot_be_met(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        FrameMaker(BOARD, **settings)  # type: ignore[arg-type]


# Current.


@given(frames, st.floats(least_limit_a(61), 4))
def test_20_no_frame_draws_more_than_the_limit(frame: Frame, limit_a: float) -> None:
    after = limited(frame, limit_a)
    assert current_a(after) <= limit_a + 1e-9
    assert [colour == BLACK for colour in after] == [colour == BLACK for colour in frame]
    if current_a(frame) <= limit_a:
        assert after == frame


@given(frames, st.floats(0.5, 4))
def test_the_limit_leaves_the_hue(frame: Frame, limit_a: float) -> None:
    for colour, other in zip(frame, limited(frame, limit_a), strict=True):
        for i, j in combinations(range(3), 2):
            # The ratios are those before, but for the rounding of each channel by less than 1.
            assert abs(other[i] * colour[j] - other[j] * colour[i]) <= colour[i] + colour[j]


@given(frames, st.floats(0.5, 4))
def test_the_limit_is_used(frame: Frame, limit_a: float) -> None:
    spare_a = least_limit_a(61) * 2
    assert current_a(limited(frame, limit_a)) >= min(current_a(frame), limit_a - spare_a)


def test_all_white() -> None:
    white = ((255, 255, 255),) * 61
    assert current_a(white) == pytest.approx(61 * 0.061)
    assert limited(white, 1.5) == ((99, 99, 99),) * 61
    assert limited(white, least_limit_a(61)) == ((1, 1, 1),) * 61


@given(makers, plans, times)
def test_all_roles_stay_below_the_limit(maker: FrameMaker, plan: LightPlan, now_s: float) -> None:
    assert current_a(maker.frame(plan, now_s)) <= maker.current_limit_a + 1e-9


@given(makers, st.sampled_from(Role), st.sampled_from(SIDES))
def test_what_is_lit_stays_lit(maker: FrameMaker, role: Role, side: Side) -> None:
    plan = LightPlan({0: Lamp(role, side)})
    for k, level in enumerate(wave_of(role)):
        assert (maker.frame(plan, k / 25)[0] != BLACK) == (level > 0)


def test_no_brightness_is_dark() -> None:
    assert shown_at(view(), 0.0, replace(MAKER, brightness=0.0)) == dark(BOARD)


# Frames and time.


@given(views, times)
def test_frames_depend_on_plan_and_time_alone(shown: View, now_s: float) -> None:
    plan = plan_lights(shown, now_s)
    fresh = FrameMaker(BOARD)
    later = fresh.frame(plan, now_s + 1.1)
    assert fresh.frame(plan, now_s) == MAKER.frame(plan, now_s)
    assert MAKER.frame(plan, now_s + 1.1) == later


@given(views, times)
def test_nothing_changes_before_the_next_change(shown: View, now_s: float) -> None:
    plan = plan_lights(shown, now_s)
    frame = MAKER.frame(plan, now_s)
    change = next_change(plan, now_s)
    end = now_s + 10 if change is None else change
    assert end > now_s
    for part in (0.2, 0.5, 0.8, 0.99):
        assert shown_at(shown, now_s + (end - now_s) * part) == frame


@given(views, times)
def test_what_does_not_move_says_so(shown: View, now_s: float) -> None:
    plan = plan_lights(shown, now_s)
    signs = [SIGNS[lamp.role] for lamp in plan.lamps.values()]
    if all(len(set(sign.wave)) == 1 and not sign.slot and not sign.once for sign in signs):
        assert next_change(plan, now_s) == plan.until_s


def test_ticks_hold_for_a_25th_of_a_second() -> None:
    assert all(tick(k / 25) == k for k in range(100_000))


# Orders of colours.


@pytest.mark.parametrize("order", COLOUR_ORDERS)
def test_every_colour_order(order: str) -> None:
    sent = to_wire_bytes(((1, 2, 3), (10, 20, 30)), order)
    first = {"R": 1, "G": 2, "B": 3, "W": 0}
    assert sent == bytes([first[c] for c in order] + [first[c] * 10 for c in order])


def test_all_six_orders_with_and_without_white() -> None:
    assert len(set(COLOUR_ORDERS)) == 12
    with pytest.raises(ConfigError, match="colour order 'GRBX': expected one of RGB, RBG"):
        to_wire_bytes(dark(BOARD), "GRBX")


# Told apart by those who see no colours at all.

WINDOW = 75  # 3 s
PERIOD = 150  # no movement is longer


def lightness(colour: Colour) -> float:
    r, g, b = colour
    return float(((0.2126 * r + 0.7152 * g + 0.0722 * b) / 255) ** (1 / 2.2))


@cache
def seen_in_grey(role: Role) -> list[float]:
    """Return how light the space of the example is, tick by tick."""
    shown, space = EXAMPLES[role]
    maker = MAKER if shown.position.board is BOARD else TINY
    frames = (shown_at(shown, k / 25, maker) for k in range(PERIOD + WINDOW))
    return [lightness(frame[space]) for frame in frames]


@cache
def looks(role: Role) -> list[list[float]]:
    """Return what is seen within 3 s from every tick on, relative to the brightest."""
    wave = seen_in_grey(role)
    relative = [level / max(wave) for level in wave]
    windows = [relative[start : start + WINDOW] for start in range(PERIOD)]
    once = SIGNS[role].once
    return windows[:1] if once else [w for k, w in enumerate(windows) if w not in windows[:k]]


def difference(a: Role, b: Role) -> float:
    """Return how much the movements differ on average over 3 s, at whatever moments one looks."""
    least = 1.0
    for x, y in product(looks(a)[::5], looks(b)):
        # Beyond what is the least so far, the rest of a look does not matter.
        if sum(map(abs, map(sub, x[:20], y))) < least * WINDOW:
            least = min(least, sum(map(abs, map(sub, x, y))) / WINDOW)
    return least


@pytest.mark.parametrize("role", Role, ids=lambda role: role.name)
def test_25_states_are_told_apart_in_grey(role: Role) -> None:
    for other in Role:
        if other < role and {role, other} != {Role.LEGAL_DESTINATION, Role.STEP_POINT}:
            assert difference(other, role) > 0.07, other.name


def test_steady_lights_are_told_apart_by_how_light_they_are() -> None:
    destination, point = seen_in_grey(Role.LEGAL_DESTINATION), seen_in_grey(Role.STEP_POINT)
    assert min(destination) > 2 * max(point)


@pytest.mark.parametrize("role", Role, ids=lambda role: role.name)
def test_nothing_flashes_more_than_three_times_a_second(role: Role) -> None:
    wave = wave_of(role, 7) * 2
    wave = wave if SIGNS[role].once else wave * (1 + 50 // len(wave))
    rises = [after > 0.5 >= before for before, after in pairwise(wave)]
    assert all(sum(rises[k : k + 25]) <= 3 for k in range(len(rises) - 24))


LED_BY = [role for role in Role if Role.WRONG_PLACE <= role <= Role.SURPLUS]


@pytest.mark.parametrize("role", LED_BY, ids=lambda role: role.name)
def test_a_look_of_a_little_over_a_second_sees_what_leads(role: Role) -> None:
    wave = wave_of(role) * 3
    assert all(max(wave[k : k + 30]) > 0.9 for k in range(len(wave) - 30))


@pytest.mark.parametrize("role", LED_BY, ids=lambda role: role.name)
def test_what_leads_shows_soon(role: Role) -> None:
    shown, _ = EXAMPLES[role]
    unlit = [not lit(shown_at(shown, k / 25)) for k in range(200)]
    assert not any(all(unlit[k : k + 6]) for k in range(195))


# Told apart by those who see colours differently.

# Machado, Oliveira and Fernandes, "A Physiologically-based Model for Simulation of Color Vision
# Deficiency", 2009: full severity, linear RGB.
SEEN_AS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
# Ottosson, "A perceptual color space for image processing", 2020: linear RGB to Oklab.
TO_CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
TO_LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def times_matrix(matrix: tuple[tuple[float, ...], ...], vector: list[float]) -> list[float]:
    return [sum(m * v for m, v in zip(row, vector, strict=True)) for row in matrix]


def perceived(colour: Colour, eyes: str) -> list[float]:
    """Return what these eyes make of a colour, in Oklab, where about 0.02 can just be told."""
    linear = times_matrix(SEEN_AS[eyes], [(c / 255) ** 2.2 for c in colour])
    cones = times_matrix(TO_CONES, [min(1.0, max(0.0, c)) for c in linear])
    return times_matrix(TO_LAB, [float(c ** (1 / 3)) for c in cones])


def closest(palette: Palette, eyes: str) -> tuple[float, str]:
    found = []
    for a, b in combinations(Palette._fields, 2):
        lab = (perceived(getattr(palette, name), eyes) for name in (a, b))
        found.append((sum((x - y) ** 2 for x, y in zip(*lab, strict=True)) ** 0.5, f"{a}, {b}"))
    return min(found)


@pytest.mark.parametrize("eyes", SEEN_AS)
def test_the_default_colours_are_told_apart(eyes: str) -> None:
    assert closest(DEFAULT, eyes) > (0.1, "")


@pytest.mark.parametrize("eyes", SEEN_AS)
@pytest.mark.parametrize("name", PALETTES)
def test_the_other_colours_are_told_apart_too(name: str, eyes: str) -> None:
    assert closest(PALETTES[name], eyes) > (0.05, "")


def test_a_palette_has_one_colour_for_each_ink() -> None:
    assert [ink.name.lower() for ink in Ink if ink is not Ink.SIDE] == list(Palette._fields)


def test_the_dim_palette_draws_less() -> None:
    shown = EXAMPLES[Role.GAME_OVER][0]
    bright, dimmed = (
        current_a(shown_at(shown, 1.0, FrameMaker(BOARD, palette=PALETTES[name])))
        for name in ("contrast", "dim")
    )
    assert dimmed < bright / 2
