"""Which space plays which role: a view of each kind, the layers, and any view at all."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorcel_pi.rules.actions import Outcome, Reason
from sorcel_pi.rules.board import standard_board
from sorcel_pi.rules.hexgrid import mask_of
from sorcel_pi.rules.position import PIECES, Piece, Position, Side, start_position
from sorcel_pi.table.lightplan import LAYERS, Lamp, LightPlan, Role, home_row, plan_lights
from sorcel_pi.table.relocation import Relocation
from sorcel_pi.table.view import Flash, Hold, Mode, Trouble, View

BOARD = standard_board()
GRID = BOARD.grid
START = start_position(BOARD)
LS, LF, DS, DF = PIECES


def at(name: str) -> int:
    return GRID.number(name)


def view(mode: Mode = Mode.PLAY, *, position: Position = START, **values: object) -> View:
    standing = dict(position.placed())
    return View(position, mode, "", **{"standing": standing, **values})  # type: ignore[arg-type]


def move(piece: Piece | None, origin: str | None, target: str | None, held: bool = False) -> View:
    step = Relocation(piece, origin and at(origin), target and at(target), held)  # type: ignore[arg-type]
    return view(next=step)


NO_STEPS = START._replace(steps_left=0)

EXAMPLES: dict[Role, tuple[View, str]] = {
    Role.LINE_TROUBLE: (view(trouble=Trouble.LINE), "a1"),
    Role.SAVE_TROUBLE: (view(trouble=Trouble.SAVE), "a1"),
    Role.HOLD_ROW: (view(hold=Hold(Side.LIGHT, 0.0, 2.0)), "a3"),
    Role.ASK_CANDIDATE: (view(Mode.ASK, candidates=(at("d4"), at("d5"))), "d4"),
    Role.CONFIRM_ROW: (view(Mode.CONFIRM, confirming=Side.LIGHT), "a2"),
    Role.CODE_DIGIT: (view(code="3506"), "b2"),
    Role.BELIEVED_SENTINEL: (view(shown_until_s=60.0), "b3"),
    Role.BELIEVED_SHIF: (view(shown_until_s=60.0), "c3"),
    Role.BELIEVED_UNKNOWN: (view(shown_until_s=60.0, standing={at("e4"): None}), "e4"),
    Role.GUESS_SENTINEL: (view(guesses=1 << at("b3")), "b3"),
    Role.GUESS_SHIF: (view(guesses=1 << at("c3")), "c3"),
    Role.WRONG_PLACE: (view(wrong=(at("e4"), at("d5"))), "e4"),
    Role.BELONGS_HERE: (view(wrong=(at("e4"), at("d5"))), "d5"),
    Role.ORIGIN: (move(LF, "c3", "d4"), "c3"),
    Role.DESTINATION: (move(LF, "c3", "d4"), "d4"),
    Role.DESTINATION_ALONE: (move(LF, None, "d4", held=True), "d4"),
    Role.HOLE: (move(LF, "c3", "d3"), "d3"),
    Role.HOLE_ALONE: (move(LF, None, "d3", held=True), "d3"),
    Role.OFF_BOARD: (move(DF, "g5", None), "g5"),
    Role.MISSING_SENTINEL: (view(Mode.SETUP, missing=((at("b3"), LS), (at("c3"), LF))), "b3"),
    Role.MISSING_SHIF: (view(Mode.SETUP, missing=((at("b3"), LS), (at("c3"), LF))), "c3"),
    Role.SURPLUS: (view(Mode.SETUP, surplus=1 << at("e4")), "e4"),
    Role.LIFTED_ORIGIN: (view(lifted=at("c3"), destinations=1 << at("d4")), "c3"),
    Role.LEGAL_DESTINATION: (view(lifted=at("c3"), destinations=1 << at("d4")), "d4"),
    Role.PUSHING_DESTINATION: (
        view(lifted=at("c3"), destinations=3 << at("d4"), pushing=1 << at("d5")),
        "d5",
    ),
    Role.STEP_POINT: (view(), "a3"),
    Role.STEP_POINT_TWICE: (view(position=START._replace(steps_left=6)), "a1"),
    Role.COIN: (view(raised=7), "b1"),
    Role.SPOT: (view(spots=1 << at("b2")), "b2"),
    Role.STEP_POINT_SPOT: (view(spots=1 << at("a2")), "a2"),
    Role.STEP_POINT_TWICE_SPOT: (
        view(position=START._replace(steps_left=9), spots=1 << at("a2")),
        "a2",
    ),
    Role.COIN_SPOT: (view(raised=3, spots=1 << at("a2")), "a2"),
    Role.ACCEPTED: (view(flashes=(Flash(at("d4"), "done", 0.0),)), "d4"),
    Role.PLACED: (view(flashes=(Flash(at("d4"), "placed", 0.0, LF),)), "d4"),
    Role.PASSED: (view(passed=(Side.DARK, 0.0)), "i7"),
    Role.GAME_OVER: (view(Mode.OVER, outcome=Outcome(Side.LIGHT, Reason.DETAINED)), "c3"),
    Role.FAULTY: (view(faulty=1 << at("e4")), "e4"),
}
"""For each role a view that shows it from 0 s on, and a space that plays it."""
