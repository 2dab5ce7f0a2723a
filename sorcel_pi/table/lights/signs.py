"""What a light can say, and how it says it: a colour and a movement for each role.

Colour is never the only sign: no two movements are alike, so that the roles are told apart in grey
as well, and none flashes more than three times a second.  It knows neither games nor
lights; `lightplan` gives roles to spaces, `frame` turns them into colours.

A movement is a list of levels, one for each tick of a 25th of a second: 0 dark, 1 full, as the eye
sees it (gamma comes later).
"""

from enum import IntEnum, auto
from functools import lru_cache
from math import floor, pi, sin
from typing import NamedTuple

TICKS_PER_S = 25


class Role(IntEnum):
    """What the light of a space says; how it looks stands in `SIGNS`."""

    # Nothing can go on.
    LINE_TROUBLE = auto()
    # Buttons and questions.
    HOLD_ROW = auto()
    ASK_CANDIDATE = auto()
    CONFIRM_ROW = auto()
    LEVEL = auto()
    CODE_DIGIT = auto()
    CODE_DIGIT_TWICE = auto()
    # What the program believes.
    BELIEVED_SENTINEL = auto()
    BELIEVED_SHIF = auto()
    BELIEVED_UNKNOWN = auto()
    GUESS_SENTINEL = auto()
    GUESS_SHIF = auto()
    # From the belief to the target.
    WRONG_PLACE = auto()
    BELONGS_HERE = auto()
    ORIGIN = auto()
    DESTINATION = auto()
    DESTINATION_ALONE = auto()
    HOLE = auto()
    HOLE_ALONE = auto()
    OFF_BOARD = auto()
    MISSING_SENTINEL = auto()
    MISSING_SHIF = auto()
    SURPLUS = auto()
    # Play.
    LIFTED_ORIGIN = auto()
    LEGAL_DESTINATION = auto()
    PUSHING_DESTINATION = auto()
    STEP_POINT = auto()
    STEP_POINT_TWICE = auto()
    THINKING = auto()
    COIN = auto()
    SPOT = auto()
    STEP_POINT_SPOT = auto()
    STEP_POINT_TWICE_SPOT = auto()
    COIN_SPOT = auto()
    ACCEPTED = auto()
    PLACED = auto()
    PASSED = auto()
    GAME_OVER = auto()
    # Under every layer.
    FAULTY = auto()


class Ink(IntEnum):
    """The colours of a palette, in its order; `SIDE` is that of the lamp's side (none: white)."""

    LIGHT = 0
    DARK = 1
    WHITE = 2
    RED = 3
    ORANGE = 4
    VIOLET = 5
    GREEN = 6
    MAGENTA = 7
    SIDE = 8


Wave = tuple[float, ...]


def steady(level: float, ticks: int = 1) -> Wave:
    """Return one level for a number of ticks.

    >>> steady(1, 3)
    (1, 1, 1)
    """
    return (level,) * ticks


def blink(*ticks: int, on: float = 1.0, off: float = 0.0) -> Wave:
    """Return a wave that is on and off in turn, for so many ticks each.

    >>> blink(2, 1, 1, 3)
    (1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0)
    """
    return sum((steady((on, off)[k % 2], length) for k, length in enumerate(ticks)), ())


def fade(start: float, end: float, ticks: int) -> Wave:
    """Return an even slope from `start` to just before `end`.

    >>> fade(1.0, 0.0, 4)
    (1.0, 0.75, 0.5, 0.25)
    """
    return tuple(round(start + (end - start) * k / ticks, 3) for k in range(ticks))


def swell(ticks: int, low: float, high: float = 1.0) -> Wave:
    """Return one soft rise and fall.

    >>> swell(4, 0.2)
    (0.2, 0.6, 1.0, 0.6)
    """
    return tuple(round(low + (high - low) * sin(pi * k / ticks) ** 2, 3) for k in range(ticks))


def glinting(wave: Wave) -> Wave:
    """Return `wave` with the glint of a placement over it, once in 3 s."""
    times = len(_GLINT) // len(wave)
    return tuple(map(max, wave * times, _GLINT))


class Sign(NamedTuple):
    """How a role looks: its colour, and its movement, which begins anew when it ends.

    `once`: it stays at its last level instead.  With a `slot` the lamps take turns: each is dark
    outside the movement, which begins anew after as many slots (of so many ticks) as the lamp says.
    """

    ink: Ink
    wave: Wave
    once: bool = False
    slot: int = 0


_DIM = 0.33
_GLINT = (0.5, 1.0, 1.0, 1.0, 0.5, *steady(0.0, 70))
_TWICE = blink(5, 4, 5, 11, on=0.7, off=_DIM)
_COIN = blink(20, 5, on=0.6)

SIGNS: dict[Role, Sign] = {
    # the outer ring, one long breath in 4 s
    Role.LINE_TROUBLE: Sign(Ink.RED, swell(100, 0.1)),
    # one light of the row after the other goes on and stays on; the row is full when the hold acts
    Role.HOLD_ROW: Sign(Ink.WHITE, steady(1.0), once=True),
    # one candidate after the other (how long each: the plan, because a press takes the lit one)
    Role.ASK_CANDIDATE: Sign(Ink.WHITE, steady(1.0)),
    # a light with a tail runs along the row, left to right as its side sees it
    Role.CONFIRM_ROW: Sign(Ink.WHITE, blink(3) + blink(3, on=0.5) + blink(3, on=0.25), slot=3),
    # the first lights from a1, one for each level: 1.2 s on, two short winks
    Role.LEVEL: Sign(Ink.WHITE, blink(30, 4, 4, 4)),
    # four rows, 2 s on and 0.4 s off together
    Role.CODE_DIGIT: Sign(Ink.WHITE, blink(50, 10)),
    # counts for two, on boards with short rows: the same with two notches
    Role.CODE_DIGIT_TWICE: Sign(Ink.WHITE, blink(14, 4, 14, 4, 14, 10)),
    # two quick heartbeats and a rest in 1.6 s
    Role.BELIEVED_SENTINEL: Sign(Ink.SIDE, swell(10, 0.3) * 2 + steady(0.3, 20)),
    # steady, with a slow sway
    Role.BELIEVED_SHIF: Sign(Ink.SIDE, swell(80, 0.6)),
    # half and full in turn, 0.8 s each
    Role.BELIEVED_UNKNOWN: Sign(Ink.WHITE, blink(20, 20, off=0.4)),
    # goes on at once and sinks slowly, once in 1.2 s
    Role.GUESS_SENTINEL: Sign(Ink.SIDE, fade(1.0, 0.2, 30)),
    # steady, but trembling
    Role.GUESS_SHIF: Sign(Ink.SIDE, swell(10, 0.5)),
    # blinks fast: 0.2 s on, 0.2 s off
    Role.WRONG_PLACE: Sign(Ink.RED, blink(5, 5)),
    # blinks: 0.4 s on, 0.4 s off
    Role.BELONGS_HERE: Sign(Ink.WHITE, blink(10, 10)),
    # 0.4 s on, 0.8 s off; its destination lights meanwhile
    Role.ORIGIN: Sign(Ink.SIDE, blink(10, 20)),
    Role.DESTINATION: Sign(Ink.WHITE, blink(10, 20, on=0.0, off=1.0)),
    # the piece is in the hand, so no origin: dips where it was dark
    Role.DESTINATION_ALONE: Sign(Ink.WHITE, blink(10, 20, on=0.3, off=1.0)),
    # two pulses in the time of the destination
    Role.HOLE: Sign(Ink.VIOLET, steady(0.0, 10) + swell(10, 0.3) * 2),
    # pulses without a rest
    Role.HOLE_ALONE: Sign(Ink.VIOLET, swell(12, 0.15)),
    # goes on, fades away and rests dim, in 1.6 s
    Role.OFF_BOARD: Sign(Ink.ORANGE, steady(1.0, 10) + fade(1.0, 0.2, 10) + steady(0.2, 20)),
    # pulses, once a second
    Role.MISSING_SENTINEL: Sign(Ink.SIDE, swell(25, 0.15)),
    # steady, with a short wink once in 1.2 s
    Role.MISSING_SHIF: Sign(Ink.SIDE, blink(25, 5, off=0.25)),
    # blinks long, short
    Role.SURPLUS: Sign(Ink.RED, blink(15, 5, 5, 5)),
    # breathes, once in 2.4 s
    Role.LIFTED_ORIGIN: Sign(Ink.SIDE, swell(60, 0.15)),
    # steady
    Role.LEGAL_DESTINATION: Sign(Ink.WHITE, steady(0.7)),
    # flickers slowly, like a candle
    Role.PUSHING_DESTINATION: Sign(
        Ink.WHITE, sum((steady(k / 20, 6) for k in (14, 5, 11, 8, 14, 4, 9, 6)), ())
    ),
    # steady and dim
    Role.STEP_POINT: Sign(Ink.SIDE, steady(_DIM)),
    # counts for two: dim, with two bumps a second
    Role.STEP_POINT_TWICE: Sign(Ink.SIDE, _TWICE),
    # one point wanders along the row and blinks twice on each space
    Role.THINKING: Sign(Ink.SIDE, blink(5, 4, 5, on=0.8), slot=14),
    # half bright, 0.8 s on and 0.2 s off
    Role.COIN: Sign(Ink.SIDE, _COIN),
    # dark, glints once in 3 s
    Role.SPOT: Sign(Ink.SIDE, _GLINT),
    Role.STEP_POINT_SPOT: Sign(Ink.SIDE, glinting(steady(_DIM))),
    Role.STEP_POINT_TWICE_SPOT: Sign(Ink.SIDE, glinting(_TWICE)),
    Role.COIN_SPOT: Sign(Ink.SIDE, glinting(_COIN)),
    # on for 0.4 s, once
    Role.ACCEPTED: Sign(Ink.GREEN, blink(10, 1), once=True),
    # on for 1 s, once
    Role.PLACED: Sign(Ink.SIDE, blink(25, 1), once=True),
    # the whole row goes on and sinks within 2 s, once
    Role.PASSED: Sign(Ink.SIDE, (*fade(1.0, 0.0, 50), 0.0), once=True),
    # one row after the other swells, once in 2.4 s
    Role.GAME_OVER: Sign(Ink.SIDE, swell(20, 0.0) + steady(0.0, 40)),
    # dim: two short flashes a second
    Role.FAULTY: Sign(Ink.MAGENTA, blink(3, 4, 3, 15, on=_DIM)),
}


def tick(time_s: float) -> int:
    """Return the number of the tick that holds at `time_s`.

    >>> tick(0.04), tick(0.0799)
    (1, 1)
    """
    # A hair's breadth of tolerance: tick / 25 must fall into its own tick.
    return floor(time_s * TICKS_PER_S + 1e-6)


@lru_cache(maxsize=1024)
def wave_of(role: Role, of: int = 1) -> Wave:
    """Return the movement of `role` with the slots of `of` lamps filled in."""
    sign = SIGNS[role]
    return sign.wave + steady(0.0, sign.slot * of - len(sign.wave))


def place(role: Role, wave_ticks: int, ticks: int) -> int:
    """Return where in its movement a lamp is `ticks` after its start; below 0 it is still dark."""
    if ticks < 0:
        return -1
    return min(ticks, wave_ticks - 1) if SIGNS[role].once else ticks % wave_ticks


@lru_cache(maxsize=1024)
def waits_of(role: Role, of: int = 1) -> tuple[int, ...]:
    """Return for each place in the movement in how many ticks the level changes; 0: never."""
    wave, once = wave_of(role, of), SIGNS[role].once
    n = len(wave)
    waits = []
    for here in range(n):
        ahead = range(1, n - here if once else n)
        waits.append(next((d for d in ahead if wave[(here + d) % n] != wave[here]), 0))
    return tuple(waits)
