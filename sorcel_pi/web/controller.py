"""The page beside a table: what the loop tells it, and how what it asks for reaches the loop.

Here the app and `web` are put together.  Everything that touches the table is done by the loop's
thread, as an call; everything that is read by the server's thread is a value.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..app import App
from ..config.schema import Config
from ..errors import SorcelError
from ..messages.message import Message, message
from ..rules.board import Board
from ..rules.game import Game
from ..rules.notation import format_action
from ..table.commands import ShowCode, TakeBack
from ..table.companion import Companion, Output
from ..table.events import Notice, TableEvent
from ..table.lights.frame import Frame, dark
from ..table.lights.palette import PALETTES
from .actions import PageActions, UnableError, teaches
from .api import Deed
from .auth import Auth
from .broadcast import Broadcast
from .desk import Desk
from .games import list_games, load_game, replayed
from .screen_hands import Request, ScreenBoard
from .snapshot import board_message, frame_message, log_message, said, state_message, to_json

CODE_S = 12.0
"""How long the lights show the code."""
CODE_PAUSE_S = 15.0
"""Sooner the code is not shown again; longer than `CODE_S`, or it would be hidden too early."""
REFRESH_S = 0.5
HEALTH_S = 2.0


class PageController:
    """The page of one table."""

    def __init__(
        self,
        config: Config,
        *,
        database: Path | None,
        scans: Path | None = None,
        key: bytes | None = None,
        log: Callable[[str], None] = print,
    ) -> None:
        """Begin with nothing to see; `attach` says of which app."""
        self.hub = Broadcast()
        self.guard = Auth(key, told=lambda code: log(f"The page has a new code: {code}"))
        self.virtual: ScreenBoard | None = None
        self._database, self._scans, self._log = database, scans, log
        self._app: App | None = None
        self._stale = True
        self._told_s = -REFRESH_S
        self._health_s = 0.0
        self._health_scans = 0
        self._notice: tuple[int, Message] = (0, Message(""))
        self._record: str | None = None
        self._recorded: Game | None = None
        """The game that the record is of."""
        self._board: Board | None = None
        self._doing = PageActions(config)
        self._code_shown_s = -CODE_PAUSE_S
        self._failed = False

    def attach(self, app: App, virtual: ScreenBoard | None = None) -> None:
        """Show the table of `app`; before its loop begins."""
        self._app, self.virtual, self._doing.virtual = app, virtual, virtual
        app.watch = self.watch
        self._doing.arrange_as_believed(app, unseen=False)

    def desk(self) -> Desk:
        """Return what the server needs."""
        return Desk(
            hub=self.hub,
            guard=self.guard,
            do=self._do,
            show_code=self._show_code,
            hand=self._hand if self.virtual is not None else None,
            games=lambda before: list_games(self._database, before),
            game=self._game,
            record=self._record_of,
            scans=lambda: self._scans,
        )

    # -- from the loop ----------------------------------------------------------------------------

    def watch(self, app: App, output: Output) -> None:
        """Tell the page what a step has changed.  A fault of the page does not stop the game."""
        try:
            self._watch(app, output)
        except Exception as error:
            if not self._failed:
                self._log(f"The page cannot be told: {type(error).__name__}: {error}")
            self._failed = True

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
        self.hub.put("frame", frame_message(frame, table.lights.order))

    def _hear(self, app: App, event: TableEvent) -> None:
        if isinstance(event, Notice):
            self._say(event.message)
        lesson = self._doing.lesson
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
            self.hub.put("board", to_json(board_message(board, self._pitch_mm())))
        opened = None if referee.open is None else format_action(board, referee.open.action)
        state = state_message(table.view(now), game, open_action=opened)
        palette = next((k for k, p in PALETTES.items() if p == table.lights.palette), "default")
        lesson = self._doing.lesson
        state |= {
            "notice": [self._notice[0], *said([self._notice[1]])],
            "lights": {"brightness": table.lights.brightness, "palette": palette},
            "palettes": list(PALETTES),
            "lesson": None if lesson is None else lesson.as_told(),
            "teaches": teaches(app),
            "warnings": sorted(app.warnings),
            "sensor_error": "" if self.virtual is not None else app.sensor_error,
        }
        self.hub.put("state", to_json(state))
        text = to_json(log_message(game))
        if text != self.hub.latest("log") or game is not self._recorded:
            self._recorded, self._record = game, game.record()
            self.hub.put("log", text)
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
        self.hub.put("health", to_json(message))

    def _pitch_mm(self) -> float:
        return 36.0 if self.virtual is None else self.virtual.table.pitch_mm

    # -- from the page ----------------------------------------------------------------------------

    def _do(self, deed: Deed) -> None:
        if self._app is not None:
            self._app.calls.put(lambda app: self._perform(app, deed))

    def _hand(self, request: Request) -> None:
        if self.virtual is not None:
            self.virtual.requests.put(request)

    def _game(self, number: int) -> dict[str, Any] | None:
        game = load_game(self._database, number)
        return None if game is None else replayed(game)

    def _record_of(self, number: int | None) -> str | None:
        if number is None:
            return self._record
        game = load_game(self._database, number)
        return None if game is None else game.record()

    def _perform(self, app: App, deed: Deed) -> None:
        self._stale = True
        try:
            self._doing.perform(app, deed)
        except UnableError as error:
            self._say(error.said)
        except SorcelError as error:
            self._say(message("error", text=str(error)))

    # -- the code ---------------------------------------------------------------------------------

    def _show_code(self) -> None:
        """Say the code in the terminal and by the lights of a real table, not again and again."""
        if self._app is not None:
            self._app.calls.put(self._light_code)

    def _light_code(self, app: App) -> None:
        now = app.clock.now()
        if now - self._code_shown_s < CODE_PAUSE_S:
            return
        self._code_shown_s, self._stale = now, True
        self._log(f"The code of this table: {self.guard.code}")
        if self.virtual is not None:  # its lights are on the page, for all to see
            return
        app.commands.put(ShowCode(self.guard.code))
        timer = threading.Timer(CODE_S, lambda: app.calls.put(self._hide_code))
        timer.daemon = True
        timer.start()

    def _hide_code(self, app: App) -> None:
        self._stale = True
        app.commands.put(ShowCode(""))

    def _code_is_shown(self, table: Companion, now: float) -> bool:
        return bool(table.view(now).code)
