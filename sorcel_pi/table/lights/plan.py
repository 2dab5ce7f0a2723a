"""Which space plays which role for the eye: from what the referee shows to what each light says.

One layer is lit at a time, the highest in `LAYERS` that has anything to say; only contacts that are
faulty, and a store that fails, show under all of them.  It knows neither colours nor movements
(`signs`) nor lights (`frame`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from ...rules.hexgrid import HexGrid, spaces_of
from ...rules.position import SIDES, Piece, Side
from ..view import Mode, Trouble, View
from .layout import code_rows, counted, heap, home_row, ring, rows_from
from .signs import Role

__all__ = ["LAYERS", "Lamp", "LightPlan", "Role", "plan_lights"]

FLASH_S = {"done": 0.4, "placed": 1.0}
PASSED_S = 2.0
RUN_S = 0.12
"""From one light of a running row to the next."""
THINKING_S = 0.56
"""From one light to the next of the point that wanders while an engine thinks."""
WAVE_S = 0.16
"""From one row of the wave at the end to the next."""


class Lamp(NamedTuple):
    """What one light says: its role, whose it is, since when, and in a row of how many.

    `side` None is nobody's.  Lamps of equal `since_s` move in step.
    """

    role: Role
    side: Side | None = None
    since_s: float = 0.0
    of: int = 1


Lamps = dict[int, Lamp]


@dataclass(frozen=True, slots=True)
class LightPlan:
    """What each light says, by space; the others are dark.

    The plan of an unchanged view holds until `until_s` (None: for good).
    """

    lamps: Lamps
    until_s: float | None = None


def plan_lights(view: View, now_s: float, *, ask_s: float = 1.0) -> LightPlan:
    """Return what each light says at `now_s`; `ask_s` is how long each candidate is lit.

    The candidates are lit one after the other from `view.asked_s` on; to end the turn, where that
    is one more, lights the mover's row, and a single candidate is followed by none.
    """
    moment = Moment(view, now_s, ask_s)
    # A candidate goes on and off, and nothing else: its fault is no answer to a question.
    faulty = [*spaces_of(view.faulty), *(_ends(moment) if view.save_trouble else ())]
    lamps: Lamps = {space: Lamp(Role.FAULTY) for space in faulty if space not in view.candidates}
    for layer in LAYERS.values():
        lit = layer(moment)
        if lit is not None:
            lamps |= lit
            break
    return LightPlan(lamps, _until(moment))


def _ends(moment: "Moment") -> tuple[int, ...]:
    """Return the four ends of the players' edges, where a failing store is shown."""
    rows = [home_row(moment.grid, side) for side in SIDES]
    return tuple(row[k] for row in rows for k in (0, -1))


class Moment(NamedTuple):
    """What a layer is made from."""

    view: View
    now_s: float
    ask_s: float

    @property
    def grid(self) -> HexGrid:
        """The grid of the board."""
        return self.view.position.board.grid

    @property
    def turn(self) -> int:
        """How many times the question has gone on to the next candidate."""
        return max(0, int((self.now_s - self.view.asked_s) / self.ask_s + 1e-6))

    @property
    def fills_from_s(self) -> float | None:
        """When the first light of the filling row goes on, so that short presses show nothing."""
        hold = self.view.hold
        return None if hold is None else hold.since_s + hold.needed_s / self.grid.side


# Layers: each returns its lamps, or None when it has nothing to say.


def _trouble(moment: Moment) -> Lamps | None:
    if moment.view.trouble is not Trouble.LINE:
        return None
    return dict.fromkeys(ring(moment.grid), Lamp(Role.LINE_TROUBLE))


def _hold(moment: Moment) -> Lamps | None:
    hold, start = moment.view.hold, moment.fills_from_s
    if hold is None or start is None or moment.now_s < start:
        return None
    share = start - hold.since_s
    return {
        space: Lamp(Role.HOLD_ROW, None, hold.since_s + k * share)
        for side in (SIDES if hold.side is None else (hold.side,))
        for k, space in enumerate(home_row(moment.grid, side), 1)
    }


def _ask(moment: Moment) -> Lamps | None:
    view = moment.view
    if not view.candidates:
        return None
    groups: list[tuple[int, ...]] = [(space,) for space in view.candidates]
    if view.may_end:
        groups.append(home_row(moment.grid, view.position.side))
    elif len(groups) == 1:
        groups.append(())
    return dict.fromkeys(groups[moment.turn % len(groups)], Lamp(Role.ASK_CANDIDATE))


def _confirm(moment: Moment) -> Lamps | None:
    side = moment.view.confirming
    if side is None:
        return None
    row = home_row(moment.grid, side)
    return {s: Lamp(Role.CONFIRM_ROW, None, k * RUN_S, len(row) + 2) for k, s in enumerate(row)}


def _level(moment: Moment) -> Lamps | None:
    return dict.fromkeys(range(moment.view.level), Lamp(Role.LEVEL)) or None


def _code(moment: Moment) -> Lamps | None:
    if not moment.view.code:
        return None
    lamps: Lamps = {}
    for digit, row in zip(moment.view.code, code_rows(moment.grid), strict=False):
        for space, twice in counted(row, int(digit)):
            role = Role.CODE_DIGIT_TWICE if twice else Role.CODE_DIGIT
            lamps[space] = Lamp(role, None, moment.view.code_s)
    return lamps


_BELIEVED = (Role.BELIEVED_SENTINEL, Role.BELIEVED_SHIF)
_GUESSED = (Role.GUESS_SENTINEL, Role.GUESS_SHIF)
_MISSING = (Role.MISSING_SENTINEL, Role.MISSING_SHIF)


def _piece_lamp(piece: Piece | None, roles: tuple[Role, Role]) -> Lamp:
    """Return the lamp for a piece: `roles` are those of a Sentinel and of a Shif."""
    if piece is None:
        return Lamp(Role.BELIEVED_UNKNOWN)
    return Lamp(roles[piece & 1], piece.side)


def _shown(moment: Moment) -> Lamps | None:
    if moment.now_s >= moment.view.shown_until_s:
        return None
    standing = moment.view.standing
    return {space: _piece_lamp(piece, _BELIEVED) for space, piece in standing.items()} or None


def _wrong(moment: Moment) -> Lamps | None:
    if moment.view.wrong is None or moment.view.wrong == (None, None):
        return None
    space, home = moment.view.wrong
    lamps: Lamps = {}
    if home is not None:
        lamps[home] = Lamp(Role.BELONGS_HERE)
    if space is not None:
        lamps[space] = Lamp(Role.WRONG_PLACE)
    return lamps


def _relocation(moment: Moment) -> Lamps | None:
    step = moment.view.next
    if step is None:
        return None
    origin = None if step.held else step.origin
    if step.target is None:
        return None if origin is None else {origin: Lamp(Role.OFF_BOARD)}
    if _asks_by_kind(view := moment.view):
        return None  # it comes from off the board or a mixed hand: see _setup
    hole = view.position.board.detaining >> step.target & 1
    roles = (Role.HOLE, Role.HOLE_ALONE) if hole else (Role.DESTINATION, Role.DESTINATION_ALONE)
    lamps = {step.target: Lamp(roles[origin is None])}
    if origin is not None:
        lamps[origin] = Lamp(Role.ORIGIN, None if step.piece is None else step.piece.side)
    return lamps


def _lifted(moment: Moment) -> Lamps | None:
    view = moment.view
    if view.lifted is None:
        return None
    lamps = dict.fromkeys(spaces_of(view.destinations), Lamp(Role.LEGAL_DESTINATION))
    lamps |= dict.fromkeys(spaces_of(view.pushing), Lamp(Role.PUSHING_DESTINATION))
    lamps[view.lifted] = Lamp(Role.LIFTED_ORIGIN, view.position.side)
    return lamps


def _setup(moment: Moment) -> Lamps | None:
    view = moment.view
    lamps = {space: _piece_lamp(piece, _MISSING) for space, piece in view.missing}
    if view.next is not None and view.next.target is not None and _asks_by_kind(view):
        lamps[view.next.target] = _piece_lamp(view.next.piece, _MISSING)
    lamps |= dict.fromkeys(spaces_of(view.surplus), Lamp(Role.SURPLUS))
    return lamps or None


def _asks_by_kind(view: View) -> bool:
    """Whether the next piece cannot be pointed at, only named by kind and side."""
    step = view.next
    if step is None or step.target is None or step.piece is None:
        return False
    if step.held:
        return view.mixed_hand
    return step.origin is None


def _quiet(moment: Moment) -> Lamps | None:
    """Return the lowest layer: the turn or the end of the game, guesses, and short signs."""
    view = moment.view
    lamps: Lamps = {}
    if view.mode is Mode.PLAY:
        lamps = _turn(moment)
    elif view.mode is Mode.OVER:
        lamps = _wave(moment)
    # Coins are counted: nothing else may stand among them.
    counting = view.raised is not None
    for space in spaces_of(0 if counting else view.guesses):
        lamps[space] = _piece_lamp(view.standing.get(space), _GUESSED)
    for flash in () if counting else view.flashes:
        if flash.since_s <= moment.now_s < flash.since_s + FLASH_S[flash.kind]:
            role = Role.ACCEPTED if flash.kind == "done" else Role.PLACED
            side = None if flash.piece is None else flash.piece.side
            lamps[flash.space] = Lamp(role, side, flash.since_s)
    if view.passed is not None:
        side, since = view.passed
        if since <= moment.now_s < since + PASSED_S:
            lamps |= dict.fromkeys(home_row(moment.grid, side), Lamp(Role.PASSED, side, since))
    if view.seated is not None:
        sides, since = view.seated
        if since <= moment.now_s < since + PASSED_S:
            for side in sides:  # here somebody sits
                lamps |= dict.fromkeys(home_row(moment.grid, side), Lamp(Role.PASSED, side, since))
    return lamps


LAYERS: dict[str, Callable[[Moment], Lamps | None]] = {
    "line lost": _trouble,
    "a button is held": _hold,
    "ask": _ask,
    "confirm": _confirm,
    "level": _level,
    "the table's code": _code,
    "believed pieces": _shown,
    "wrong piece, wrong place": _wrong,
    "next relocation": _relocation,
    "own piece lifted": _lifted,
    "setup, sweeps, and pieces from off the board or a mixed hand": _setup,
    "turn, guesses, accepted, passed, game over": _quiet,
}
"""The layers, highest first."""


_WITH_SPOT = {
    None: Role.SPOT,
    Role.STEP_POINT: Role.STEP_POINT_SPOT,
    Role.STEP_POINT_TWICE: Role.STEP_POINT_TWICE_SPOT,
    Role.COIN: Role.COIN_SPOT,
}


def _turn(moment: Moment) -> Lamps:
    """Return the points or coins of the side to act, and where a placement may go."""
    view = moment.view
    side = view.position.side
    if view.thinking:
        row = [s for s in home_row(moment.grid, side) if not view.guesses >> s & 1]
        return {
            space: Lamp(Role.THINKING, side, k * THINKING_S, len(row))
            for k, space in enumerate(row)
        }
    if view.raised is None:
        row = [s for s in home_row(moment.grid, side) if not view.guesses >> s & 1]
        points = counted(row, view.position.steps_left)
        roles = {s: Role.STEP_POINT_TWICE if twice else Role.STEP_POINT for s, twice in points}
    else:
        roles = dict.fromkeys(heap(moment.grid, side)[: view.raised], Role.COIN)
    lamps = {space: Lamp(role, side) for space, role in roles.items()}
    for space in spaces_of(view.spots):
        lamps[space] = Lamp(_WITH_SPOT[roles.get(space)], side)
    return lamps


def _wave(moment: Moment) -> Lamps:
    """Return the wave from the winner's side; at a draw it comes from both."""
    view, grid = moment.view, moment.grid
    winner = None if view.outcome is None else view.outcome.winner
    last = len(grid.rows) - 1
    lamps: Lamps = {}
    for far, row in enumerate(rows_from(grid, winner or Side.LIGHT)):
        steps = far if winner is not None else min(far, last - far)
        lamps |= dict.fromkeys(row, Lamp(Role.GAME_OVER, winner, view.over_s + steps * WAVE_S))
    return lamps


def _until(moment: Moment) -> float | None:
    """Return the next time at which the plan of this view may be another one."""
    view = moment.view
    times = [view.shown_until_s]
    for flash in view.flashes:
        times += (flash.since_s, flash.since_s + FLASH_S[flash.kind])
    for shown in (view.passed, view.seated):
        if shown is not None:
            times += (shown[1], shown[1] + PASSED_S)
    if moment.fills_from_s is not None:
        times.append(moment.fills_from_s)
    if view.candidates:
        times.append(view.asked_s + (moment.turn + 1) * moment.ask_s)
    return min((time for time in times if time > moment.now_s), default=None)
