"""The page beside a table: what the loop tells it, and how what it asks for reaches the loop.

Here the app and `web` are put together.  Everything that touches the table is done by the loop's
thread, as a call in its queue; everything that is read by the server's thread is a value.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from ..app import App, all_of
from ..config.schema import Config
from ..errors import SorcelError
from ..messages.message import Message, message
from ..rules.board import Board
from ..rules.game import Game, parse_record
from ..rules.notation import format_action
from ..rules.position import SIDES, Side
from ..table.commands import Choose, EndTurn, RaiseStake, Resign, ShowCode, TakeBack
from ..table.companion import Companion, Output
from ..table.events import Began, Notice, TableEvent
from ..table.lights.frame import Frame, dark
from ..table.lights.palette import PALETTES
from .actions import PageActions, UnableError, teaches
from .api import (
    ABOUT_THE_GAME,
    COMMANDS,
    OFFERED,
    AnswerOffer,
    PageCommand,
    TakeSide,
)
from .auth import Auth
from .broadcast import Broadcast
from .games import list_games, load_game, replayed
from .holders import Holders
from .quick_hands import QuickHands
from .screen_hands import Request, ScreenBoard
from .snapshot import (
    action_message,
    board_message,
    frame_message,
    log_message,
    said,
    state_message,
    to_json,
)

CODE_S = 12.0
"""How long the lights show the code."""
CODE_PAUSE_S = 15.0
"""Sooner the code is not shown again; longer than `CODE_S`, or it would be hidden too early."""
REFRESH_S = 0.5
HEALTH_S = 2.0


class Offer(NamedTuple):
    """What a browser asks of the one that holds the other side, about the table as it stood."""

    command: PageCommand
    browser: str
    revision: int


class PageController:
    """The page of one table."""

    def __init__(
        self,
        config: Config,
        *,
        database: Path | None,
        scan_log: Path | None = None,
        key: bytes | None = None,
        log: Callable[[str], None] = print,
    ) -> None:
        """Begin with nothing to see; `attach` says of which app."""
        self.broadcast = Broadcast()
        self.auth = Auth(key, told=lambda code: log(f"The page has a new code: {code}"))
        self.screen_board: ScreenBoard | None = None
        self._database, self._scan_log, self._log = database, scan_log, log
        self._app: App | None = None
        self._stale = True
        self._told_s = -REFRESH_S
        self._health_s = 0.0
        self._health_scans = 0
        self._notice: tuple[int, Message] = (0, Message(""))
        self._told = 0
        """How many actions were told as they began."""
        self._record: str | None = None
        self._recorded: Game | None = None
        """The game that the record is of."""
        self._board: Board | None = None
        self._actions = PageActions(config)
        self._holders = Holders()
        self._browsers: dict[int, str] = {}
        """The browser of each open line with the code."""
        self._offer: Offer | None = None
        self._code_shown_s = -CODE_PAUSE_S
        self._failed = False

    def attach(self, app: App, screen_board: ScreenBoard | None = None) -> None:
        """Show the table of `app`; before its loop begins."""
        self._app, self.screen_board, self._actions.screen_board = app, screen_board, screen_board
        app.watch = self.watch
        duties = [] if app.after_pass is None else [app.after_pass]
        if screen_board is not None:
            duties.append(QuickHands(screen_board, self._say))
            screen_board.may = lambda client, side: self._may(self._browsers.get(client, ""), side)
        app.after_pass = all_of(*duties, self._refresh)
        self._actions.arrange_as_believed(app, unseen=False)

    # -- from the loop ----------------------------------------------------------------------------

    def watch(self, app: App, output: Output) -> None:
        """Tell the page what a step has changed.  A fault of the page does not stop the game."""
        try:
            self._watch(app, output)
        except Exception as error:
            if not self._failed:
                self._log(f"The page cannot be told: {type(error).__name__}: {error}")
            self._failed = True

    def _refresh(self, app: App) -> None:
        """Tell what is to be told although no step has changed anything, such as a refusal."""
        self._stale |= self._holders.pass_time(app.clock.now())
        if self.screen_board is not None:
            self.screen_board.side = app.table.referee.position.side
        if self._stale and not self._failed:
            self.watch(app, Output((), False, (), None))

    def _watch(self, app: App, output: Output) -> None:
        table, now = app.table, app.clock.now()
        for event in output.events:
            self._hear(app, event)
        late = output.changed and now - self._told_s >= REFRESH_S
        if self._stale or output.events or table.acted or late:
            self._stale, self._told_s = False, now
            self._tell_state(app, table, now)
        if self._code_is_shown(table, now):  # the code is for those who see the table
            self._show(table, dark(table.game.start.board))
        elif output.frame:
            self._show(table, output.frame)

    def _show(self, table: Companion, frame: Frame) -> None:
        self.broadcast.put("frame", frame_message(frame, table.lights.order))

    def _hear(self, app: App, event: TableEvent) -> None:
        if isinstance(event, Notice):
            self._say(event.message)
        if isinstance(event, Began):
            self._told += 1
            self.broadcast.put("action", to_json(action_message(event.cascade, self._told)))
        lesson = self._actions.lesson
        if lesson is not None and lesson.hear(event):
            self._say(message("lesson.other"))
            app.commands.put(TakeBack())

    def _say(self, said: Message) -> None:
        self._notice, self._stale = (self._notice[0] + 1, said), True

    def _tell_state(self, app: App, table: Companion, now: float) -> None:
        game, referee = table.game, table.referee
        board = game.start.board
        if board is not self._board:
            self._board = board
            self.broadcast.put("board", to_json(board_message(board, self._pitch_mm())))
        opened = None if referee.open is None else format_action(board, referee.open.action)
        state = state_message(table.view(now), game, open_action=opened)
        palette = next((k for k, p in PALETTES.items() if p == table.lights.palette), "default")
        lesson = self._actions.lesson
        state |= {
            "revision": app.revision,
            "told": self._told,
            "held": [self._holders.holder(side) for side in SIDES],
            "offer": self._offer_told(app),
            "seats": [None, None] if app.opponent is None else list(app.opponent.seats),
            "notice": [self._notice[0], *said([self._notice[1]])],
            "lights": {"brightness": table.lights.brightness, "palette": palette},
            "palettes": list(PALETTES),
            "lesson": None if lesson is None else lesson.as_told(),
            "teaches": teaches(app),
            "warnings": sorted(app.warnings),
            "sensor_error": "" if self.screen_board is not None else app.sensor_error,
        }
        self.broadcast.put("state", to_json(state))
        text = to_json(log_message(game))
        if text != self.broadcast.latest("log") or game is not self._recorded:
            self._recorded, self._record = game, game.record()
            self.broadcast.put("log", text)
        if now - self._health_s >= HEALTH_S:
            self._tell_health(app, table, now)

    def _tell_health(self, app: App, table: Companion, now: float) -> None:
        health, passed = table.debouncer.health, now - self._health_s
        hz = (app.scans - self._health_scans) / passed if passed < 60 else None
        self._health_s, self._health_scans = now, app.scans
        message = {
            "t": "health",
            "totals": sorted([space, total] for space, total in health.totals.items()),
            "masked": table.referee.masked,
            "hz": None if hz is None else round(hz, 1),
            "wanted_hz": app.scan_hz,
            "late": app.late_scans,
        }
        self.broadcast.put("health", to_json(message))

    def _offer_told(self, app: App) -> dict[str, str] | None:
        """Return what is offered; what was about an earlier revision is no more."""
        if self._offer is not None and self._offer.revision != app.revision:
            self._offer = None
        if self._offer is None:
            return None
        names = {kind: name for name, kind in COMMANDS.items()}
        return {"by": self._offer.browser, "what": names[type(self._offer.command)]}

    def _pitch_mm(self) -> float:
        return 36.0 if self.screen_board is None else self.screen_board.table.pitch_mm

    # -- from the page ----------------------------------------------------------------------------

    @property
    def has_hands(self) -> bool:
        """Whether the pieces are simulated."""
        return self.screen_board is not None

    def do(self, command: PageCommand, revision: int | None = None, browser: str = "") -> None:
        """Let the loop do what a page asks for, if the table still is as the page saw it."""
        if self._app is not None:
            self._app.commands.put(lambda app: self._perform(app, command, revision, browser))

    def joined(self, client: int, browser: str) -> None:
        """Remember whose line this is."""

        def join(app: App) -> None:
            self._browsers[client] = browser
            self._holders.joined(browser)

        if self._app is not None:
            self._app.commands.put(join)

    def left(self, client: int) -> None:
        """Forget the line; its browser keeps its sides for a while."""

        def leave(app: App) -> None:
            if (browser := self._browsers.pop(client, None)) is not None:
                self._holders.left(browser, app.clock.now())

        if self._app is not None:
            self._app.commands.put(leave)

    def move_hand(self, request: Request) -> None:
        """Let a hand on the screen do something."""
        if self.screen_board is not None:
            self.screen_board.requests.put(request)

    def games(self, before: int) -> dict[str, Any]:
        """Return the newest stored games with ids below `before`."""
        return list_games(self._database, before)

    def game(self, number: int | None) -> dict[str, Any] | None:
        """Return a stored game, or the one that is played, position by position; None if none."""
        if number is None:
            record = self._record  # a value: the game itself is the loop's
            game = None if record is None else parse_record(record)
        else:
            game = load_game(self._database, number)
        return None if game is None else replayed(game)

    def record(self, number: int | None) -> str | None:
        """Return the record of a stored game, or of the one that is played."""
        if number is None:
            return self._record
        game = load_game(self._database, number)
        return None if game is None else game.record()

    def scan_log(self) -> Path | None:
        """Return where the scan log is, if there is one."""
        return self._scan_log

    def _may(self, browser: str, side: Side) -> bool:
        """Whether a browser may play `side`: at a board of wood everybody may who has the code."""
        return self.screen_board is None or self._holders.may(browser, side)

    def _perform(
        self, app: App, command: PageCommand, revision: int | None, browser: str = ""
    ) -> None:
        self._stale = True
        if isinstance(command, TakeSide):
            self._take_side(command.side, browser)
            return
        if isinstance(command, AnswerOffer):
            self._answer_offer(app, command, browser)
            return
        acting = (EndTurn, Choose, RaiseStake)
        side = command.side if isinstance(command, Resign) else app.table.referee.position.side
        if isinstance(command, (Resign, *acting)) and not self._may(browser, side):
            self._say(message("seat.taken", side=int(side)))
            return
        shared = self.screen_board is not None and self._holders.concerns_others(browser)
        if shared and isinstance(command, OFFERED):
            self._offer = Offer(command, browser, app.revision)
            return
        self._perform_now(app, command, revision)

    def _take_side(self, side: Side, browser: str) -> None:
        if self._holders.holder(side) == browser:
            self._holders.give_up(browser, side)
        elif not self._holders.take(browser, side):
            self._say(message("seat.taken", side=int(side)))

    def _answer_offer(self, app: App, answer: AnswerOffer, browser: str) -> None:
        """Do what was offered, if the other side says so; either may end it."""
        offer = self._offer
        holds = any(self._holders.holder(side) == browser for side in SIDES)
        if offer is None or not holds:
            return
        if answer.yes and browser == offer.browser:
            return
        self._offer = None
        if answer.yes:
            self._perform_now(app, offer.command, offer.revision)

    def _perform_now(self, app: App, command: PageCommand, revision: int | None) -> None:
        if isinstance(command, ABOUT_THE_GAME) and revision not in (None, app.revision):
            self._say(message("notice.overtaken"))
            return
        try:
            self._actions.perform(app, command)
        except UnableError as error:
            self._say(error.said)
        except SorcelError as error:
            self._say(message("error", text=str(error)))

    # -- the code ---------------------------------------------------------------------------------

    def show_code(self) -> None:
        """Say the code in the terminal and by the lights of a real table, not again and again."""
        if self._app is not None:
            self._app.commands.put(self._light_code)

    def _light_code(self, app: App) -> None:
        now = app.clock.now()
        if now - self._code_shown_s < CODE_PAUSE_S:
            return
        self._code_shown_s, self._stale = now, True
        self._log(f"The code of this table: {self.auth.code}")
        if self.screen_board is not None:  # its lights are on the page, for all to see
            return
        app.carry_out(ShowCode(self.auth.code))
        timer = threading.Timer(CODE_S, lambda: app.commands.put(self._hide_code))
        timer.daemon = True
        timer.start()

    def _hide_code(self, app: App) -> None:
        self._stale = True
        app.carry_out(ShowCode(""))

    def _code_is_shown(self, table: Companion, now: float) -> bool:
        return bool(table.view(now).code)
