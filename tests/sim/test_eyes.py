"""Each sign is told from all others by somebody who sees only colours and how they change."""

from collections.abc import Mapping

import pytest

from sorcel_pi import Side, standard_board
from sorcel_pi.rules.position import Piece
from sorcel_pi.sim.eyes import LONG_LOOK_S, LOOK_S, Eyes
from sorcel_pi.sim.reading import MEANING, Reading, Says, Word
from sorcel_pi.table.lights.frame import FrameMaker
from sorcel_pi.table.lights.palette import PALETTES
from sorcel_pi.table.lights.plan import Lamp, LightPlan
from sorcel_pi.table.lights.signs import SIGNS, TICKS_PER_S, Ink, Role

BOARD = standard_board()
GRID = BOARD.grid
E5, C3, C4, D4, D3 = map(GRID.number, ("e5", "c3", "c4", "d4", "d3"))
FLEETING = (Role.ACCEPTED, Role.PLACED, Role.PASSED)
RARE = (Role.SPOT, Role.GAME_OVER, Role.THINKING)
"""Seen only now and then: dark for longer than somebody looks."""
SLOW = (Role.ASK_CANDIDATE,)
"""Its movement is made by the light plan, see `test_candidates`."""
LASTING = sorted(MEANING.keys() - {*FLEETING, *RARE, *SLOW})


def seen(
    lamps: Mapping[int, Lamp], since_s: float, look_s: float, *, palette: str = "default"
) -> Reading:
    """Return what is read from these lamps."""
    colours = PALETTES[palette]
    maker, eyes = FrameMaker(BOARD, palette=colours), Eyes(BOARD, palette=colours)
    for k in range(round(look_s * TICKS_PER_S)):
        now = since_s + k / TICKS_PER_S
        eyes.see(now, maker.frame(LightPlan(dict(lamps)), now))
    return eyes.read(since_s, since_s + look_s)


def side_of(role: Role, side: Side) -> Side | None:
    return side if SIGNS[role].ink is Ink.SIDE else None


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("role", LASTING, ids=lambda role: role.name.lower())
def test_a_sign_is_told_within_a_long_look_and_never_mistaken(role: Role, side: Side) -> None:
    lamps = {E5: Lamp(role, side, 0.0, 7)}
    word = Word(MEANING[role], side_of(role, side))
    for phase in range(0, 100, 3):
        short = seen(lamps, 40 + phase / TICKS_PER_S, LOOK_S)
        assert short.words.get(E5, word) == word
        assert seen(lamps, 40 + phase / TICKS_PER_S, LONG_LOOK_S).words == {E5: word}


@pytest.mark.parametrize("palette", ["contrast", "dim"])
@pytest.mark.parametrize("role", LASTING, ids=lambda role: role.name.lower())
def test_other_palettes(role: Role, palette: str) -> None:
    word = Word(MEANING[role], side_of(role, Side.DARK))
    lamps = {E5: Lamp(role, Side.DARK, 0.0, 7)}
    assert seen(lamps, 40.2, LONG_LOOK_S, palette=palette).words == {E5: word}


@pytest.mark.parametrize("role", RARE, ids=lambda role: role.name.lower())
def test_a_rare_sign_is_told_or_not_seen_but_never_mistaken(role: Role) -> None:
    told = 0
    for phase in range(0, 75, 2):
        lamps = {E5: Lamp(role, Side.LIGHT, 0.0, 5)}
        reading = seen(lamps, 40 + phase / TICKS_PER_S, LONG_LOOK_S)
        assert all(word.says is MEANING[role] for word in reading.words.values())
        told += E5 in reading.words
    assert told > 5


@pytest.mark.parametrize("role", FLEETING, ids=lambda role: role.name.lower())
def test_short_signs_are_gone_or_ask_for_nothing(role: Role) -> None:
    for begun in range(0, 70, 3):
        lamps = {E5: Lamp(role, Side.LIGHT, 40 + begun / TICKS_PER_S)}
        reading = seen(lamps, 40.0, LONG_LOOK_S)
        assert reading.quiet or reading.unclear == 1 << E5


@pytest.mark.parametrize("hole", [False, True])
@pytest.mark.parametrize("phase", range(0, 30, 2))
def test_a_relocation_is_told_in_one_short_look(hole: bool, phase: int) -> None:
    target, role = (D3, Role.HOLE) if hole else (D4, Role.DESTINATION)
    lamps = {C3: Lamp(Role.ORIGIN, Side.DARK), target: Lamp(role)}
    reading = seen(lamps, 7 + phase / TICKS_PER_S, LOOK_S)
    assert reading.words[C3] == Word(Says.ORIGIN, Side.DARK)
    assert reading.one(Says.DESTINATION, Says.HOLE) == target
    assert not reading.quiet


@pytest.mark.parametrize("phase", range(0, 20, 2))
def test_a_wrong_place_and_where_it_belongs_are_told_in_one_short_look(phase: int) -> None:
    lamps = {C3: Lamp(Role.WRONG_PLACE), D4: Lamp(Role.BELONGS_HERE)}
    reading = seen(lamps, 7 + phase / TICKS_PER_S, LOOK_S)
    assert (reading.one(Says.WRONG), reading.one(Says.BELONGS)) == (C3, D4)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_candidates_are_told_one_after_the_other(count: int) -> None:
    maker, eyes = FrameMaker(BOARD), Eyes(BOARD)
    spaces = (C3, C4, D4)
    for k in range(75):
        now = k / TICKS_PER_S
        turn = int(now + 1e-6)
        lit = {spaces[turn % count]: Lamp(Role.ASK_CANDIDATE)}
        eyes.see(now, maker.frame(LightPlan({} if count == 1 and turn % 2 else lit), now))
    reading = eyes.read(0.0, 3.0)
    assert set(reading.where(Says.CANDIDATE)) and not reading.quiet
    assert eyes.white() == {spaces[2 % count]}


def test_whose_turn_it_is_and_how_many_steps_are_left() -> None:
    row = GRID.rows[0]
    lamps = {row[0]: Lamp(Role.STEP_POINT_TWICE, Side.LIGHT)}
    lamps |= {space: Lamp(Role.STEP_POINT_SPOT, Side.LIGHT) for space in row[1:]}
    reading = seen(lamps, 3.0, LONG_LOOK_S)
    assert reading.quiet
    assert reading.turn == (Side.LIGHT, 6)
    assert seen({}, 3.0, LOOK_S).turn is None


def test_pieces_that_lights_speak_of() -> None:
    lamps = {
        C3: Lamp(Role.BELIEVED_SENTINEL, Side.LIGHT),
        C4: Lamp(Role.GUESS_SHIF, Side.DARK),
        D4: Lamp(Role.MISSING_SENTINEL, Side.DARK),
    }
    assert seen(lamps, 3.0, LONG_LOOK_S).pieces == {
        C3: Piece.LIGHT_SENTINEL,
        C4: Piece.DARK_SHIF,
        D4: Piece.DARK_SENTINEL,
    }


def test_a_light_that_has_gone_out_says_nothing_after_a_second() -> None:
    maker, eyes = FrameMaker(BOARD), Eyes(BOARD)
    for k in range(40):
        now = k / TICKS_PER_S
        lamps = {C3: Lamp(Role.ORIGIN, Side.LIGHT)} if k < 15 else {}
        eyes.see(now, maker.frame(LightPlan(lamps), now))
    assert eyes.read(0.4, 1.6).quiet
    assert not eyes.read(0.4, 1.6).words


def test_another_order_of_lights() -> None:
    order = tuple(reversed(range(GRID.n)))
    maker, eyes = FrameMaker(BOARD, order=order), Eyes(BOARD, order=order)
    for k in range(30):
        now = k / TICKS_PER_S
        eyes.see(now, maker.frame(LightPlan({C3: Lamp(Role.OFF_BOARD)}), now))
    assert eyes.read(0.0, 1.2).words == {C3: Word(Says.OFF)}
    assert eyes.glance() == {Ink.ORANGE}


def test_every_sign_has_a_meaning_but_those_that_one_asks_for() -> None:
    assert set(Role) - MEANING.keys() == {
        Role.LEVEL,
        Role.HOLD_ROW,
        Role.CODE_DIGIT,
        Role.CODE_DIGIT_TWICE,
    }
