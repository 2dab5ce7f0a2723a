"""The straight line as one object: a scan and the time in, a frame and what happened out.

It holds the stages one behind the other (debouncer, referee, light plan, frame) and nothing of
their work.  Whoever owns the loop calls `step` with each scan, hands over commands between two
steps, and tells with `recorded` what the store has made durable: only then do the lights confirm.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from ..messages.message import message
from ..rules.actions import Action, Placement, Step
from ..rules.game import Game
from ..rules.position import SIDES, Piece, Side, shif
from . import commands
from .commands import Command
from .events import Done, Notice, TableEvent, TakenBack
from .lights.frame import Frame, FrameMaker, next_change
from .lights.plan import LightPlan, plan_lights
from .referee.referee import Referee
from .sensing.debouncer import Debouncer, Scan
from .sensing.diodes import Diodes
from .showing import view_of
from .timing import Timing
from .view import Flash, Trouble, View

SLACK_S = 0.002
"""How early a scan may come and still count as on time."""
LINE_LOST_S = 0.5
"""Without a scan for so long, the line counts as lost."""


class Output(NamedTuple):
    """What a step has led to.

    `frame` is what the lights show from now on, `changed` whether it differs from the last one.
    `events` tells what happened; where there are any, or the belief has changed while an action
    is open, `serial` numbers what is to be recorded, otherwise it is None.
    """

    frame: Frame
    changed: bool
    events: tuple[TableEvent, ...] = ()
    serial: int | None = None


class Companion:
    """One table and the game that is played on it."""

    def __init__(
        self,
        game: Game,
        lights: FrameMaker,
        *,
        timing: Timing | None = None,
        debounce_s: float = 0.02,
        overlaps: Mapping[int, int] | None = None,
        masked: int = 0,
        fps: float = 25.0,
        matrix: Mapping[int, tuple[int, int]] | None = None,
    ) -> None:
        """Begin with `game`, which must be set up on the board unless `resume` follows.

        Lights that move change at most `fps` times a second.  `matrix` gives the (row, column) of
        the contact of each space, where contacts hang on a matrix.
        """
        self.timing = timing or Timing()
        self.referee = Referee(game, timing=self.timing, overlaps=overlaps, masked=masked)
        self.debouncer = Debouncer(debounce_s, slack_s=SLACK_S, masked=masked)
        self.diodes = Diodes(matrix or {})
        self.lights = lights
        self.fps = fps
        self.acted = False
        """Whether the last step did more than find that nothing is new."""
        self._serial = 0
        self._since_s: float | None = None
        """When the first scan that is missing was due."""
        self._trouble = Trouble.NONE
        self._save_trouble = False
        self._waiting: list[tuple[int, Flash]] = []
        self._flashes: list[Flash] = []
        self._code = ("", 0.0)
        self._seated: tuple[frozenset[Side], float] | None = None
        self._recorded_key: tuple[Any, ...] = ()
        self._stale = True
        self._view: View | None = None
        self._plan = LightPlan({})
        self._frame: Frame = ()
        self._frame_due: float | None = 0.0
        self._wake: float | None = 0.0

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.referee.game

    def resume(self, state: Mapping[str, Any], now: float) -> None:
        """Take over what `state` wrote before a power cut; the next scan is compared with it.

        Raises ValueError when it is no such state; the game then has to be set up.
        """
        self.referee.restore(state, now)
        self._stale = True

    def state(self) -> dict[str, Any]:
        """Return belief, hand and open action as plain data, for the store."""
        return self.referee.dump()

    # -- the line -----------------------------------------------------------------------------

    def step(self, scan: Scan | None, now: float) -> Output:
        """Take in a scan, or None where none could be had; `now` in seconds never runs back."""
        events: list[TableEvent] = []
        self.acted = False
        if scan is None:
            self._miss(now)
        else:
            events = self._feed(scan)
        return self._output(events, now)

    def command(self, command: Command, now: float) -> Output:
        """Do what is asked; what cannot be done now is said by a `Notice`."""
        self._stale = True
        return self._output(self._do(command, now), now)

    def recorded(self, serial: int, now: float) -> None:
        """Everything up to `serial` is durable: the lights may confirm it."""
        due = [flash for number, flash in self._waiting if number <= serial]
        if due:
            self._waiting = [(n, flash) for n, flash in self._waiting if n > serial]
            self._flashes += [flash._replace(since_s=now) for flash in due]
            self._stale = True

    def next_deadline(self) -> float | None:
        """Return when a step has something to do although no contact changes, or None."""
        dues = (self._wake, self._frame_due, self.debouncer.next_deadline())
        return min((due for due in dues if due is not None), default=None)

    def view(self, now: float) -> View:
        """Return what there is to see at `now`."""
        self._flashes = [f for f in self._flashes if now - f.since_s < self.timing.placed_s]
        return replace(
            view_of(self.referee, now),
            flashes=tuple(self._flashes),
            trouble=self._trouble,
            save_trouble=self._save_trouble,
            seated=self._seated,
            code=self._code[0],
            code_s=self._code[1],
        )

    def _feed(self, scan: Scan) -> list[TableEvent]:
        now = scan.time_s
        if self._since_s is not None:
            self._found()
        sensed = self.debouncer.feed(scan)
        referee = self.referee
        happens = (
            sensed.opened
            or sensed.closed
            or sensed.pressed
            or sensed.released
            or sensed.flickering != referee.flickering
            or referee.is_blind
        )
        if not happens and (self._wake is None or now < self._wake):
            return []
        self.acted = True
        events = referee.step(sensed)
        expected = referee.position.occupied
        missing = self.diodes.feed(sensed.occupied, now, masked=referee.masked, expected=expected)
        names = self.game.position.board.grid.names_of(missing)
        events += [Notice(message("notice.diode", at=name)) for name in names]
        if sensed.flickering:
            events += referee.mask(self.debouncer.health.hopeless(now))
        self.debouncer.leave_out(referee.masked)
        self._wake = referee.next_deadline()
        self._stale = True
        return events

    def _miss(self, now: float) -> None:
        if self._since_s is None:
            self._since_s = now
        if now - self._since_s >= LINE_LOST_S and self._trouble is Trouble.NONE:
            self._trouble, self._stale, self.acted = Trouble.LINE, True, True
            self.referee.blind()

    def _found(self) -> None:
        """Scans come in again."""
        self._since_s = None
        if self._trouble is not Trouble.NONE:
            self._trouble, self._stale = Trouble.NONE, True
            self.debouncer.restart()

    def _output(self, events: list[TableEvent], now: float) -> Output:
        serial = self._number(events, now)
        if self._stale:
            self._view = self.view(now)
        fresh = self._stale or (self._frame_due is not None and now >= self._frame_due - 1e-9)
        if not fresh or self._view is None:
            return Output(self._frame, False, tuple(events), serial)
        self._stale = False
        self._plan = plan_lights(self._view, now, ask_s=self.timing.ask_s)
        frame = self.lights.frame(self._plan, now)
        self._frame_due = next_change(self._plan, now, fps=self.fps)
        changed, self._frame = frame != self._frame, frame
        return Output(frame, changed, tuple(events), serial)

    def _number(self, events: list[TableEvent], now: float) -> int | None:
        """Return the number of what this step leaves to be recorded, or None if it is nothing."""
        if not self._stale:
            return None
        key = self.referee.key()
        if not events and key == self._recorded_key:
            return None
        self._recorded_key = key
        self._serial += 1
        for event in events:
            if isinstance(event, Done):
                self._confirm(event, now)
            elif isinstance(event, TakenBack):
                self._waiting, self._flashes = [], []
        return self._serial

    def _confirm(self, done: Done, now: float) -> None:
        """Let a completed action flash as soon as it is durable."""
        action, before = done.cascade.action, done.cascade.before
        space = _landing(action)
        if space is None:
            return
        placed = isinstance(action, Placement)
        piece: Piece | None = shif(before.side)
        if isinstance(action, Step):
            piece = before.piece_at(action.origin)
        flash = Flash(space, "placed" if placed else "done", now, piece)
        self._waiting.append((self._serial, flash))

    # -- commands -----------------------------------------------------------------------------

    def _do(self, command: Command, now: float) -> list[TableEvent]:
        referee = self.referee
        events: list[TableEvent] = []
        match command:
            case commands.EndTurn():
                events = referee.end_turn(now)
            case commands.TakeBack():
                events = referee.take_back(now)
            case commands.Accept():
                events = referee.accept(now)
            case commands.ShowAll():
                events = referee.show_all(now)
            case commands.HandsOff():
                self.debouncer.health.forgive()
                events = referee.hands_off(now)
            case commands.RaiseStake():
                events = referee.raise_stake(now)
            case commands.Choose(number):
                events = referee.choose(now, number)
            case commands.Resign() | commands.AgreeDraw():
                events = self._finish(command, now)
            case commands.SetAway(sides):
                events = referee.seat(sides, now)
                self._seated = frozenset(SIDES) - sides, now
            case commands.ChooseLevel(level):
                events = referee.choose_level(level, now)
            case commands.Announce(actions):
                events = referee.announce(actions, now)
            case commands.NewGame(game):
                events = referee.new_game(game, now)
            case commands.ShowCode(code):
                self._code = (code, now)
            case commands.SetLights(lights):
                self.lights = lights
            case commands.SetSaveTrouble(failing):
                self._save_trouble = failing
        self.debouncer.leave_out(referee.masked)
        self._wake = referee.next_deadline()
        return events

    def _finish(
        self, command: commands.Resign | commands.AgreeDraw, now: float
    ) -> list[TableEvent]:
        if self.game.outcome is not None:
            return [Notice(message("notice.over"))]
        if self.referee.open is not None:
            return [Notice(message("notice.pushed_first"))]
        if isinstance(command, commands.Resign):
            self.game.resign(command.side)
        else:
            self.game.agree_draw()
        return self.referee.finish(now)


def _landing(action: Action) -> int | None:
    """Return the hex on which an action puts a piece down, or None."""
    match action:
        case Step():
            return action.target
        case Placement():
            return action.space
    return None
