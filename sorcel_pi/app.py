"""The only loop and the only clock: scan, step, show, at a steady rate.

Commands wait in a queue and are carried out between two steps.  Records go to the store's own
thread, and what it has written comes back as an input of a later step, so that scanning never
waits.  Whatever ends the loop, the lights go dark.
"""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields, replace
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Any, Protocol, TypeVar

from .config.schema import Config
from .config.wiring import contact_places, light_order, masked_spaces, overlap_pairs
from .drivers.ports import LightSink, SensorSource
from .errors import DeviceError, StoreError
from .messages.catalogue import render
from .players.opponent import Announced, Decision, HandedOver, Opponent, Situation
from .players.seats import HEADERS, Seats
from .rules.board import Board
from .rules.game import Game
from .session import Session
from .store.records import Health, Record
from .store.writer import Writer
from .table import commands
from .table.commands import Command
from .table.companion import Companion, Output
from .table.events import (
    Done,
    LevelChosen,
    LevelRequested,
    MoveNowRequested,
    NewGameRequested,
    Notice,
    Refused,
    ResignRequested,
    SeatsRequested,
    ShutdownRequested,
    TableEvent,
    TakenBack,
)
from .table.lights.frame import FrameMaker, dark
from .table.lights.palette import PALETTES
from .table.scanlog import Recorder
from .table.sensing.debouncer import Scan
from .table.timing import Timing

T = TypeVar("T")

ENDING = ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT")
"""Signals that end the program, those that this system has; a closed terminal sends SIGHUP."""
GAP_S = 1.2
"""After so long without a scan the contacts are compared as a whole."""


class Clock(Protocol):
    """Where time comes from, in seconds that never run back, and how it is waited for."""

    def now(self) -> float:
        """Return the time."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class SystemClock:
    """The machine's own clock."""

    def now(self) -> float:
        """Return the monotonic time, in whole microseconds so that a log repeats it exactly."""
        return round(time.monotonic(), 6)

    def sleep(self, seconds: float) -> None:
        """Sleep."""
        time.sleep(seconds)


def timing_of(config: Config) -> Timing:
    """Return the waiting times of the table."""
    keys = {item.name for item in fields(Timing)} & {item.name for item in fields(config.table)}
    times = {key: getattr(config.table, key) for key in keys}
    timing = Timing(**times, touch_move=config.game.touch_move)
    return timing.with_latency(config.contacts.latency_s)


def lights_of(config: Config, board: Board) -> FrameMaker:
    """Return what makes the frames that the config asks for."""
    lights = config.lights
    return FrameMaker(
        board,
        palette=PALETTES[lights.palette],
        brightness=lights.brightness,
        gamma=lights.gamma,
        current_limit_a=lights.current_limit_a,
        order=light_order(config, board),
    )


def companion_of(config: Config, game: Game, *, masked: int = 0) -> Companion:
    """Return the table for `game` as the config describes it; `masked` adds to its own."""
    board = game.start.board
    late = config.contacts.latency_s > 0  # a drop may be told before the lift that it follows
    overlaps = dict(enumerate(board.grid.adjacent)) if late else {}
    for a, b in overlap_pairs(config, board):
        overlaps[a] = overlaps.get(a, 0) | 1 << b
        overlaps[b] = overlaps.get(b, 0) | 1 << a
    return Companion(
        game,
        lights_of(config, board),
        timing=timing_of(config),
        debounce_s=config.table.debounce_s,
        overlaps=overlaps,
        masked=masked | masked_spaces(config, board),
        fps=float(config.lights.fps),
        matrix=contact_places(config, board),
    )


@dataclass(slots=True)
class App:
    """A table at work: drivers, the companion, and the writer of the store (None: keep nothing).

    `watch` is told after each step what has changed; `log` takes what goes to the log.
    """

    sensors: SensorSource
    lights: LightSink
    companion: Companion | Recorder
    session: Session
    writer: Writer | None = None
    opponent: Opponent | None = None
    """Who plays the sides that are away; None: people play both."""
    scan_hz: float = 100.0
    clock: Clock = field(default_factory=SystemClock)
    watch: Callable[["App", Output], None] | None = None
    log: Callable[[str], None] = lambda text: None
    after_pass: Callable[["App"], None] | None = None
    """What else is to be done after each pass, with a device or without."""
    commands: "SimpleQueue[Command | Callable[[App], None]]" = field(default_factory=SimpleQueue)
    """What any thread may ask for: commands, and functions that do something with the app itself.
    The loop does it between two steps, in the order in which it was put here."""
    scans: int = 0
    late_scans: int = 0
    """How many scans came more than half a period late."""
    sensor_error: str = ""
    """Why contacts cannot be read, "" while they can."""
    warnings: set[str] = field(default_factory=set)
    """What is wrong beside the game, by names that the page has texts for, such as `voltage`."""
    _scanned_s: float | None = None
    """When contacts were read last."""
    revision: int = field(default_factory=lambda: int(time.time() * 1000))
    """Grows with every completed action, take-back and new game, and is never used twice: it begins
    with the milliseconds since 1970, which no program before this one has reached."""
    _stop: bool = False
    _shut_down: bool = False
    _tickets: dict[int, int] = field(default_factory=dict)
    _said: set[str] = field(default_factory=set)
    """Troubles that were told since contacts were read last."""
    _failing: bool = False

    @property
    def table(self) -> Companion:
        """The companion itself, also where its scans are recorded."""
        companion = self.companion
        return companion.companion if isinstance(companion, Recorder) else companion

    def stop(self) -> None:
        """Let the loop end after the step that is under way."""
        self._stop = True

    def run(self, *, most_scans: int | None = None) -> None:
        """Scan, step and show until `stop`, or for `most_scans`; then leave the lights dark."""
        period = 1 / self.scan_hz
        due = self.clock.now()
        try:
            while not self._stop and (most_scans is None or self.scans < most_scans):
                self.pass_once()
                self.scans += 1
                if self.after_pass is not None:
                    self.after_pass(self)
                due += period
                wait = due - self.clock.now()
                if wait > 0:
                    self.clock.sleep(wait)
                elif wait < -period / 2:
                    self.late_scans += 1
                    due = self.clock.now()
        finally:
            self.close()

    def pass_once(self) -> None:
        """One pass: what was written, what is asked, one scan."""
        self._hear_writer()
        self._hear_opponent()
        for asked in _waiting(self.commands):
            if isinstance(asked, Command):
                self.carry_out(asked)
            else:
                asked(self)
        scan = self._scan()
        if scan is not None:
            self._tell_gap(scan.time_s)
        self._take(self.companion.step(scan, self.clock.now()))

    def _tell_gap(self, now: float) -> None:
        """Let the table know if nothing was read for long: hands may have done anything meanwhile.

        The program was stopped, or the machine was asleep.
        """
        before, self._scanned_s = self._scanned_s, now
        if before is not None and now - before > GAP_S:
            self._take(self.companion.step(None, before))
            self._take(self.companion.step(None, now))

    def carry_out(self, command: Command) -> None:
        """Do a command at once; only for the loop's thread, others put it into `commands`."""
        self._take(self.companion.command(command, self.clock.now()))

    def close(self) -> None:
        """Leave the lights dark, the drivers closed and the store written."""
        with suppress(DeviceError, OSError):
            self.lights.show(dark(self.table.game.start.board))
        for device in (self.lights, self.sensors):
            with suppress(DeviceError, OSError):
                device.close()
        if self.opponent is not None:
            self.opponent.close()
        self._keep_health()
        if self.writer is not None and not self.writer.close():
            self.log("The store could not be written to the end.")

    def _keep_health(self) -> None:
        """Leave in the store how often each contact has changed: weak ones stand out."""
        names = self.table.game.start.board.grid.names
        totals = self.table.debouncer.health.totals
        records = [Health(names[k], {"changes": count}) for k, count in sorted(totals.items())]
        if self.writer is not None and records:
            with suppress(StoreError):
                self.writer.submit(records)

    def _scan(self) -> Scan | None:
        try:
            scan = self.sensors.scan()
        except DeviceError as error:
            self.sensor_error = str(error)
            self._say_once(self.sensor_error)
            return None
        self.sensor_error = ""
        self._said.clear()
        return scan

    def _say_once(self, text: str) -> None:
        if text not in self._said:
            self._said.add(text)
            self.log(text)

    def _take(self, output: Output) -> None:
        """Show, record and answer what a step has led to."""
        if output.changed:
            with self._excused():
                self.lights.show(output.frame)
        if output.serial is not None:
            self._record(output)
        for event in output.events:
            self.revision += isinstance(event, Done | TakenBack)
            self._answer(event)
        if self.watch is not None and (output.changed or output.events or self.table.acted):
            self.watch(self, output)

    @contextmanager
    def _excused(self) -> Iterator[None]:
        """Lights that are gone do not stop the game."""
        try:
            yield
        except DeviceError as error:
            self._say_once(str(error))

    def _record(self, output: Output) -> None:
        table = self.table
        names = table.game.start.board.grid.names_of(table.referee.masked)
        batch = self.session.records(output.events, table.state(), names)
        self._submit(batch, output.serial or 0)

    def _submit(self, batch: list[Record], serial: int) -> None:
        if self.writer is None:
            self.companion.recorded(serial, self.clock.now())
            return
        try:
            self._tickets[self.writer.submit(batch)] = serial
        except StoreError as error:
            self._say_once(str(error))

    def _hear_writer(self) -> None:
        writer = self.writer
        if writer is None:
            return
        for ticket in writer.done():
            serial = self._tickets.pop(ticket, 0)
            self.companion.recorded(serial, self.clock.now())
        for refused in writer.refused():
            self._tickets.pop(refused.ticket, None)
            self.log(f"not stored: {refused.reason}")
        failing = writer.failed is not None
        if failing != self._failing:
            self._failing = failing
            self.log(
                f"The store cannot write: {writer.failed}" if failing else "The store is well."
            )
            self.carry_out(commands.SetSaveTrouble(failing))

    def _hear_opponent(self) -> None:
        """Let who plays a side that is away know how the table stands, and do what they say."""
        if self.opponent is not None:
            self._decide(self.opponent.poll(self._situation(), self.clock.now()))

    def _situation(self) -> Situation:
        referee, game = self.table.referee, self.table.game
        ready = referee.awaits_announcement
        actions = game.actions if ready else ()  # nobody else needs them
        return Situation(game.start, actions, game.position, self.revision, ready)

    def _decide(self, decisions: list[Decision]) -> None:
        for decision in decisions:
            match decision:
                case Announced(actions):
                    self.carry_out(commands.Announce(actions))
                case HandedOver():
                    assert self.opponent is not None
                    self.sit_down(self.opponent.seats)
                case said:
                    self.log(render(said))

    def sit_down(self, seats: Seats) -> None:
        """Let the sides be played as `seats` says from now on."""
        if self.opponent is None:
            return
        self.opponent.sit_down(seats)
        kept = {k: text for k, text in self.session.headers.items() if k not in HEADERS.values()}
        self.session.headers = kept | seats.headers
        self.carry_out(commands.SetAway(seats.away))

    def _answer(self, event: TableEvent) -> None:
        match event:
            case Refused() if self.opponent is not None:
                self._decide(self.opponent.refused(self._situation()))
            case MoveNowRequested() if self.opponent is not None:
                self.opponent.hurry()
            case LevelRequested() if self.opponent is not None:
                self.carry_out(commands.ChooseLevel(self.opponent.level))
            case LevelChosen(level) if self.opponent is not None:
                self.opponent.level = level
                self.sit_down(self.opponent.seats.at_level(level))
            case SeatsRequested() if self.opponent is not None:
                self.sit_down(self.opponent.next_choice())
            case NewGameRequested(rematch):
                self.new_game(rematch=rematch)
            case ResignRequested(side):
                self.carry_out(commands.Resign(side))
            case ShutdownRequested():
                self._shut_down = True
                self.stop()
            case Notice(said):
                self.log(render(said))

    def new_game(self, *, rematch: bool = False) -> None:
        """Leave the game and begin the next one of the match; in a rematch sides are changed."""
        if rematch:
            self.session.change_sides()
            if self.opponent is not None and self.opponent.seats.away:
                self.sit_down(self.opponent.seats.swapped())
        self.begin(*self.session.next_game(self.table.game))

    def change_table(self, companion: Companion) -> None:
        """Go on with the table of another board, under the same light and in the same log."""
        old = self.table.lights
        companion.lights = replace(companion.lights, brightness=old.brightness, palette=old.palette)
        if self.opponent is not None and self.opponent.seats.away:
            companion.command(commands.SetAway(self.opponent.seats.away), self.clock.now())
        self._tickets = dict.fromkeys(self._tickets, 0)  # they number what the old one waits for
        if isinstance(self.companion, Recorder):
            self.companion.change(companion)
        else:
            self.companion = companion

    def begin(self, game: Game, records: list[Record]) -> None:
        """Play `game` from now on; `records` say so to the store."""
        if self.writer is not None:
            self._submit(records, 0)
        self.revision += 1
        self.carry_out(commands.NewGame(game))

    @property
    def shuts_down(self) -> bool:
        """Whether the menu button asked for the machine to be shut down."""
        return self._shut_down


def all_of(*duties: Callable[[App], None]) -> Callable[[App], None]:
    """Return one duty after each pass that does them in turn."""

    def do(app: App) -> None:
        for duty in duties:
            duty(app)

    return do


def _waiting(queue: "SimpleQueue[T]") -> Iterator[T]:
    """Yield what is in the queue, without waiting."""
    with suppress(Empty):
        while True:
            yield queue.get_nowait()


@contextmanager
def stopped_by_signals(app: App) -> Iterator[None]:
    """Let what ends a program end the app's loop, which leaves the lights dark.

    A hangup that is ignored, as under nohup, stays so.
    """

    def stop(number: int, frame: FrameType | None) -> Any:
        app.stop()

    known = [getattr(signal, name) for name in ENDING if hasattr(signal, name)]
    hangup = getattr(signal, "SIGHUP", None)
    stays = {hangup} if hangup and signal.getsignal(hangup) is signal.SIG_IGN else set()
    heard = [name for name in known if name not in stays]
    before = {name: signal.signal(name, stop) for name in heard}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)
