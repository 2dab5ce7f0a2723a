"""Which space plays which role: a view of each kind, the layers, and any view at all."""

from dataclasses import fields, replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorcel_pi.rules.actions import Outcome, Reason
from sorcel_pi.rules.board import Layout, make_board, standard_board
from sorcel_pi.rules.hexgrid import hexgrid, mask_of
from sorcel_pi.rules.position import AHUMM, PIECES, SIDES, Piece, Position, Side, start_position
from sorcel_pi.table.lights.layout import code_rows, counted, home_row
from sorcel_pi.table.lights.plan import LAYERS, Lamp, LightPlan, Role, plan_lights
from sorcel_pi.table.relocation import Relocation
from sorcel_pi.table.view import Flash, Hold, Mode, Trouble, View

BOARD = standard_board()
GRID = BOARD.grid
START = start_position(BOARD)
LS, LF, DS, DF = PIECES
SMALL = make_board("small", 3, 0, Layout(1 << 0, 1 << 1, 1 << 18, 1 << 17))
SMALL_START = start_position(SMALL)


def at(name: str) -> int:
    return GRID.number(name)


def view(mode: Mode = Mode.PLAY, *, position: Position = START, **values: object) -> View:
    standing = dict(position.placed())
    return View(position, mode, **{"standing": standing, **values})  # type: ignore[arg-type]


NO_STEPS = START._replace(steps_left=0)


def move(piece: Piece | None, origin: str | None, target: str | None, held: bool = False) -> View:
    start, end = (None if name is None else at(name) for name in (origin, target))
    return view(next=Relocation(piece, start, end, held))


EXAMPLES: dict[Role, tuple[View, int]] = {
    Role.LINE_TROUBLE: (view(trouble=Trouble.LINE), at("a1")),
    Role.HOLD_ROW: (view(hold=Hold(Side.LIGHT, 0.0, 2.0)), at("a3")),
    Role.ASK_CANDIDATE: (view(Mode.ASK, candidates=(at("d4"), at("d5"))), at("d4")),
    Role.CONFIRM_ROW: (view(Mode.CONFIRM, confirming=Side.LIGHT), at("a2")),
    Role.LEVEL: (view(Mode.LEVEL, level=4), at("a2")),
    Role.CODE_DIGIT: (view(code="3506"), at("b2")),
    Role.CODE_DIGIT_TWICE: (
        View(SMALL_START, Mode.PLAY, {}, code="5000"),
        SMALL.grid.number("a1"),
    ),
    Role.BELIEVED_SENTINEL: (view(shown_until_s=60.0), at("b3")),
    Role.BELIEVED_SHIF: (view(shown_until_s=60.0), at("c3")),
    Role.BELIEVED_UNKNOWN: (view(shown_until_s=60.0, standing={at("e4"): None}), at("e4")),
    Role.GUESS_SENTINEL: (view(guesses=1 << at("b3")), at("b3")),
    Role.GUESS_SHIF: (view(guesses=1 << at("c3")), at("c3")),
    Role.WRONG_PLACE: (view(wrong=(at("e4"), at("d5"))), at("e4")),
    Role.BELONGS_HERE: (view(wrong=(at("e4"), at("d5"))), at("d5")),
    Role.ORIGIN: (move(LF, "c3", "d4"), at("c3")),
    Role.DESTINATION: (move(LF, "c3", "d4"), at("d4")),
    Role.DESTINATION_ALONE: (move(LF, None, "d4", held=True), at("d4")),
    Role.HOLE: (move(LF, "c3", "d3"), at("d3")),
    Role.HOLE_ALONE: (move(LF, None, "d3", held=True), at("d3")),
    Role.OFF_BOARD: (move(DF, "g5", None), at("g5")),
    Role.MISSING_SENTINEL: (view(Mode.SETUP, missing=((at("b3"), LS), (at("c3"), LF))), at("b3")),
    Role.MISSING_SHIF: (view(Mode.SETUP, missing=((at("b3"), LS), (at("c3"), LF))), at("c3")),
    Role.SURPLUS: (view(Mode.SETUP, surplus=1 << at("e4")), at("e4")),
    Role.LIFTED_ORIGIN: (view(lifted=at("c3"), destinations=1 << at("d4")), at("c3")),
    Role.LEGAL_DESTINATION: (view(lifted=at("c3"), destinations=1 << at("d4")), at("d4")),
    Role.PUSHING_DESTINATION: (
        view(lifted=at("c3"), destinations=3 << at("d4"), pushing=1 << at("d5")),
        at("d5"),
    ),
    Role.STEP_POINT: (view(), at("a3")),
    Role.STEP_POINT_TWICE: (view(position=START._replace(steps_left=6)), at("a1")),
    Role.COIN: (view(raised=7), at("b1")),
    Role.SPOT: (view(spots=1 << at("b2")), at("b2")),
    Role.STEP_POINT_SPOT: (view(spots=1 << at("a2")), at("a2")),
    Role.STEP_POINT_TWICE_SPOT: (
        view(position=START._replace(steps_left=9), spots=1 << at("a2")),
        at("a2"),
    ),
    Role.THINKING: (view(thinking=True), at("a1")),
    Role.COIN_SPOT: (view(raised=3, spots=1 << at("a2")), at("a2")),
    Role.ACCEPTED: (view(flashes=(Flash(at("d4"), "done", 0.0),)), at("d4")),
    Role.PLACED: (view(flashes=(Flash(at("d4"), "placed", 0.0, LF),)), at("d4")),
    Role.PASSED: (view(passed=(Side.DARK, 0.0)), at("i7")),
    Role.GAME_OVER: (view(Mode.OVER, outcome=Outcome(Side.LIGHT, Reason.DETAINED)), at("c3")),
    Role.FAULTY: (view(faulty=1 << at("e4")), at("e4")),
}
"""For each role a view that shows it from 0 s on, and a space that plays it."""

LAYER_OF = {
    "line lost": {Role.LINE_TROUBLE},
    "a button is held": {Role.HOLD_ROW},
    "ask": {Role.ASK_CANDIDATE},
    "confirm": {Role.CONFIRM_ROW},
    "level": {Role.LEVEL},
    "the table's code": {Role.CODE_DIGIT, Role.CODE_DIGIT_TWICE},
    "believed pieces": {Role.BELIEVED_SENTINEL, Role.BELIEVED_SHIF, Role.BELIEVED_UNKNOWN},
    "wrong piece, wrong place": {Role.WRONG_PLACE, Role.BELONGS_HERE},
    "next relocation": {
        Role.ORIGIN,
        Role.DESTINATION,
        Role.DESTINATION_ALONE,
        Role.HOLE,
        Role.HOLE_ALONE,
        Role.OFF_BOARD,
    },
    "own piece lifted": {
        Role.LIFTED_ORIGIN,
        Role.LEGAL_DESTINATION,
        Role.PUSHING_DESTINATION,
    },
    "setup, sweeps, and pieces from off the board or a mixed hand": {
        Role.MISSING_SENTINEL,
        Role.MISSING_SHIF,
        Role.BELIEVED_UNKNOWN,
        Role.SURPLUS,
    },
    "turn, guesses, accepted, passed, game over": {
        Role.STEP_POINT,
        Role.STEP_POINT_TWICE,
        Role.COIN,
        Role.SPOT,
        Role.STEP_POINT_SPOT,
        Role.STEP_POINT_TWICE_SPOT,
        Role.COIN_SPOT,
        Role.THINKING,
        Role.GUESS_SENTINEL,
        Role.GUESS_SHIF,
        Role.BELIEVED_UNKNOWN,
        Role.ACCEPTED,
        Role.PLACED,
        Role.PASSED,
        Role.GAME_OVER,
    },
}


def lamps(shown: View, now_s: float = 0.0) -> dict[str, str]:
    """Return the plan as text: the name of each space that is lit, and its role with the side."""
    found = plan_lights(shown, now_s).lamps
    return {
        GRID.names[space]: lamp.role.name + ("" if lamp.side is None else f" {lamp.side.word}")
        for space, lamp in sorted(found.items())
    }


def roles(plan: LightPlan) -> set[Role]:
    return {lamp.role for lamp in plan.lamps.values()} - {Role.FAULTY}


# Simple examples.


def test_a_turn_shows_one_point_for_each_step() -> None:
    points = dict.fromkeys(("a1", "a2", "a3"), "STEP_POINT light")
    assert lamps(view()) == points
    assert plan_lights(view(), 0.0).until_s is None


def test_dark_counts_from_its_own_left() -> None:
    assert list(lamps(view(position=START._replace(side=Side.DARK, steps_left=2)))) == ["i8", "i9"]


def test_points_count_twice_when_the_row_is_too_short() -> None:
    shown = lamps(view(position=START._replace(steps_left=7)))
    assert list(shown.values()) == ["STEP_POINT_TWICE light"] * 2 + ["STEP_POINT light"] * 3
    assert counted((5, 6, 7), 9) == [(5, True), (6, True), (7, True)]


def test_a_guess_takes_no_point_away() -> None:
    shown = lamps(view(standing={at("a1"): DF}, guesses=1 << at("a1")))
    assert shown == {
        "a1": "GUESS_SHIF dark",
        **dict.fromkeys(("a2", "a3", "a4"), "STEP_POINT light"),
    }


def test_a_relocation_lights_two_spaces() -> None:
    assert lamps(move(DF, "g5", "f5")) == {"f5": "DESTINATION", "g5": "ORIGIN dark"}
    assert lamps(move(DF, "g5", "f4")) == {"f4": "HOLE", "g5": "ORIGIN dark"}
    assert lamps(move(DF, "g5", None)) == {"g5": "OFF_BOARD"}
    assert lamps(move(None, "g5", None)) == {"g5": "OFF_BOARD"}


def test_a_piece_in_the_hand_has_only_a_destination() -> None:
    assert lamps(move(DF, None, "f5", held=True)) == {"f5": "DESTINATION_ALONE"}
    assert lamps(move(DF, None, "f4", held=True)) == {"f4": "HOLE_ALONE"}
    assert "DESTINATION" not in "".join(lamps(move(DF, None, None, held=True)).values())


def test_a_piece_from_beside_the_board_is_asked_for_as_in_setup() -> None:
    assert lamps(move(DF, None, "f5")) == {"f5": "MISSING_SHIF dark"}
    assert lamps(move(LS, None, "f5")) == {"f5": "MISSING_SENTINEL light"}


def test_a_wrong_place_and_where_its_piece_belongs() -> None:
    assert lamps(view(wrong=(at("e4"), at("d5")))) == {"d5": "BELONGS_HERE", "e4": "WRONG_PLACE"}
    assert lamps(view(wrong=(at("e4"), None))) == {"e4": "WRONG_PLACE"}
    assert lamps(view(wrong=(None, at("e4")))) == {"e4": "BELONGS_HERE"}


def test_a_lifted_piece_shows_where_it_may_go() -> None:
    shown = view(lifted=at("c4"), destinations=GRID.mask("d4", "d5"), pushing=GRID.mask("d5"))
    assert lamps(shown) == {
        "c4": "LIFTED_ORIGIN light",
        "d4": "LEGAL_DESTINATION",
        "d5": "PUSHING_DESTINATION",
    }


def test_setup_shows_all_that_is_missing_and_too_much() -> None:
    missing = tuple((space, piece) for space, piece in START.placed())
    shown = lamps(view(Mode.SETUP, standing={}, missing=missing, surplus=GRID.mask("e4")))
    assert len(shown) == len(missing) + 1
    assert (shown["h7"], shown["c3"], shown["e4"]) == (
        "MISSING_SENTINEL dark",
        "MISSING_SHIF light",
        "SURPLUS",
    )


def test_candidates_light_one_after_the_other() -> None:
    shown = view(Mode.ASK, candidates=(at("d4"), at("e6"), at("b2")), asked_s=7.5)
    lit = [lamps(shown, 7.5 + second) for second in (0.0, 0.99, 1.0, 2.5, 3.0)]
    assert [list(each) for each in lit] == [["d4"], ["d4"], ["e6"], ["b2"], ["d4"]]
    assert plan_lights(shown, 8.7).until_s == 9.5
    assert list(plan_lights(shown, 8.1, ask_s=0.5).lamps) == [at("e6")]


def test_a_single_candidate_goes_on_and_off() -> None:
    shown = view(Mode.ASK, candidates=(at("d4"),))
    assert [list(lamps(shown, second)) for second in (0.5, 1.5, 2.5)] == [["d4"], [], ["d4"]]


def test_a_hold_fills_the_row_and_a_short_press_shows_nothing() -> None:
    shown = view(hold=Hold(Side.DARK, 1.0, 2.0))
    assert lamps(shown, 1.3) == lamps(view())
    assert plan_lights(shown, 1.3).until_s == pytest.approx(1.4)
    plan = plan_lights(shown, 1.5)
    assert list(plan.lamps) == list(home_row(GRID, Side.DARK))
    assert [lamp.since_s for lamp in plan.lamps.values()] == pytest.approx([1.4, 1.8, 2.2, 2.6, 3])
    assert len(plan_lights(replace(shown, hold=Hold(None, 1.0, 3.0)), 2.0).lamps) == 10


def test_the_code_is_read_from_four_rows() -> None:
    in_b, in_c, in_e = "b1 b2 b3", "c1 c2 c3 c4 c5", "e1 e2 e3 e4 e5 e6"  # none in row d
    assert " ".join(lamps(view(code="3506"))) == f"{in_b} {in_c} {in_e}"


@pytest.mark.parametrize("side", range(3, 9))
def test_every_board_has_room_for_the_code(side: int) -> None:
    assert all(2 * len(row) >= 6 for row in code_rows(hexgrid(side)))


def test_short_signs_end() -> None:
    shown = view(
        position=NO_STEPS,
        flashes=(Flash(at("d4"), "done", 1.0), Flash(at("b2"), "placed", 1.0, LF)),
    )
    assert lamps(shown, 1.2) == {"b2": "PLACED light", "d4": "ACCEPTED"}
    assert plan_lights(shown, 1.2).until_s == 1.4
    assert lamps(shown, 1.4) == {"b2": "PLACED light"}
    assert lamps(shown, 2.0) == lamps(shown, 0.9) == {}
    assert plan_lights(shown, 2.0).until_s is None


def test_coins_are_counted_in_rows_of_five() -> None:
    assert list(lamps(view(raised=7))) == ["a1", "a2", "a3", "a4", "a5", "b1", "b2"]
    assert len(lamps(view(raised=1000))) == 45


def test_a_pass_shows_beside_the_next_turn() -> None:
    shown = lamps(view(passed=(Side.DARK, 0.0)))
    assert [shown[name] for name in ("a1", "i5", "i9")] == [
        "STEP_POINT light",
        "PASSED dark",
        "PASSED dark",
    ]


@pytest.mark.parametrize(
    ("winner", "starts"),
    [
        (Side.LIGHT, [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        (Side.DARK, [8, 7, 6, 5, 4, 3, 2, 1, 0]),
        (None, [0, 1, 2, 3, 4, 3, 2, 1, 0]),
    ],
)
def test_the_wave_comes_from_the_winner(winner: Side | None, starts: list[int]) -> None:
    over = view(Mode.OVER, outcome=Outcome(winner, Reason.DETAINED), over_s=2.0)
    plan = plan_lights(over, 3.0)
    assert len(plan.lamps) == 61
    west = [plan.lamps[row[0]] for row in GRID.rows]
    assert west == [Lamp(Role.GAME_OVER, winner, 2.0 + k * 0.16) for k in starts]


# The table of states.


@pytest.mark.parametrize("role", Role, ids=lambda role: role.name)
def test_every_role_has_an_example(role: Role) -> None:
    shown, space = EXAMPLES[role]
    plan = plan_lights(shown, 0.5 if role is Role.HOLD_ROW else 0.0)
    assert plan.lamps[space].role is role


def test_every_role_is_in_a_layer() -> None:
    assert list(LAYER_OF) == list(LAYERS)
    assert set().union(*LAYER_OF.values()) == set(Role) - {Role.FAULTY}


def merged(low: View, high: View) -> View:
    """Return a view that says all that the two say; `high` wins."""
    plain = view(standing={})
    said = {
        item.name: getattr(high, item.name)
        for item in fields(View)
        if getattr(high, item.name) != getattr(plain, item.name)
    }
    return replace(low, **said)


LAYER_EXAMPLES = [
    (layer, EXAMPLES[role][0])
    for layer, members in LAYER_OF.items()
    for role in members
    if EXAMPLES[role][0].position.board is BOARD and role is not Role.BELIEVED_UNKNOWN
]


def test_only_the_highest_layer_is_lit_and_faults_under_it() -> None:
    faulty = GRID.mask("f5", "f6")
    faults = dict.fromkeys((at("f5"), at("f6")), Lamp(Role.FAULTY))
    for (above, high), (below, low) in combinations(LAYER_EXAMPLES, 2):
        if above != below:
            alone = plan_lights(high, 0.5).lamps
            both = plan_lights(replace(merged(low, high), faulty=faulty), 0.5).lamps
            assert alone, above
            assert both == {**faults, **alone}, (above, below)


def test_a_fault_does_not_hide_what_its_space_has_to_say() -> None:
    shown = replace(move(DF, "g5", "f5"), faulty=GRID.mask("f5", "e4"))
    assert lamps(shown) == {"e4": "FAULTY", "f5": "DESTINATION", "g5": "ORIGIN dark"}


# Any view at all.

spaces = st.integers(0, 60)
masks = st.sets(spaces, max_size=8).map(mask_of)
times = st.floats(0, 20).map(lambda time: round(time, 2))
pieces = st.sampled_from(PIECES)
maybe_piece = st.none() | pieces
maybe_space = st.none() | spaces
sides = st.sampled_from(SIDES)


def sometimes(strategy: st.SearchStrategy[object], otherwise: object) -> st.SearchStrategy[object]:
    return st.one_of(*[st.just(otherwise)] * 6, strategy)


flashes = st.builds(Flash, spaces, st.sampled_from(["done", "placed"]), times, maybe_piece)
relocations = st.builds(Relocation, maybe_piece, maybe_space, maybe_space, st.booleans())
views = st.builds(
    View,
    position=st.builds(
        lambda side, steps: START._replace(side=side, steps_left=steps), sides, st.integers(0, 12)
    ),
    mode=st.sampled_from(Mode),
    standing=st.dictionaries(spaces, maybe_piece, max_size=10),
    next=sometimes(relocations, None),
    wrong=sometimes(st.tuples(maybe_space, maybe_space), None),
    lifted=sometimes(spaces, None),
    destinations=masks,
    pushing=masks,
    spots=masks,
    missing=sometimes(st.lists(st.tuples(spaces, pieces), max_size=5).map(tuple), ()),
    surplus=sometimes(masks, 0),
    candidates=sometimes(st.lists(spaces, max_size=4, unique=True).map(tuple), ()),
    asked_s=times,
    confirming=sometimes(sides, None),
    guesses=sometimes(masks, 0),
    shown_until_s=sometimes(times, 0.0),
    flashes=sometimes(st.lists(flashes, max_size=3).map(tuple), ()),
    faulty=sometimes(masks, 0),
    hold=sometimes(st.builds(Hold, st.none() | sides, times, st.sampled_from([2.0, 3.0])), None),
    raised=sometimes(st.integers(2, 20), None),
    passed=sometimes(st.tuples(sides, times), None),
    outcome=st.none() | st.builds(Outcome, st.none() | sides, st.just(Reason.DETAINED)),
    over_s=times,
    trouble=sometimes(st.sampled_from(Trouble), Trouble.NONE),
    code=sometimes(st.text("0123456", min_size=4, max_size=4), ""),
    code_s=times,
)

FROM = {Role.ORIGIN, Role.OFF_BOARD, Role.WRONG_PLACE}
TO = {Role.DESTINATION, Role.DESTINATION_ALONE, Role.HOLE, Role.HOLE_ALONE, Role.BELONGS_HERE}


@given(views, times)
def test_at_most_one_origin_and_one_destination(shown: View, now_s: float) -> None:
    plan = plan_lights(shown, now_s)
    lit = [lamp.role for lamp in plan.lamps.values()]
    assert sum(role in FROM for role in lit) <= 1
    assert sum(role in TO for role in lit) <= 1
    if (FROM | TO) & set(lit):
        assert set(lit) <= FROM | TO | {Role.FAULTY}


@given(views, times)
def test_one_layer_at_a_time(shown: View, now_s: float) -> None:
    lit = roles(plan_lights(shown, now_s))
    assert any(lit <= members for members in LAYER_OF.values())


@given(views, times)
def test_a_plan_holds_until_it_says(shown: View, now_s: float) -> None:
    plan = plan_lights(shown, now_s)
    assert plan == plan_lights(shown, now_s)
    end = now_s + 100 if plan.until_s is None else plan.until_s
    assert end > now_s
    for part in (0.25, 0.5, 0.999):
        then = now_s + (end - now_s) * part
        assert plan_lights(shown, then).lamps == plan.lamps


def test_nothing_else_stands_among_the_coins_that_are_counted() -> None:
    position = start_position(standard_board(), AHUMM)
    guesses = standard_board().grid.everywhere
    flashes = (Flash(0, "done", 0.0), Flash(1, "placed", 0.0, Piece.LIGHT_SHIF))
    for raised in range(2, 21):
        view = View(position, Mode.PLAY, {}, raised=raised, guesses=guesses, flashes=flashes)
        lamps = plan_lights(view, 0.1).lamps.values()
        assert [lamp.role for lamp in lamps] == [Role.COIN] * raised
