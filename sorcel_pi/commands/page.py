"""The page beside a table: what the loop tells it, and what it asks of the loop.

Here the app and `web` are put together.  Everything that touches the table is done by the loop's
thread, as an errand; everything that is read by the server's thread is a value.
"""

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..app import App, companion_of
from ..config import Config
from ..errors import SorcelError
from ..journal import GameAbandoned, Record
from ..rules.board import Board, board_from_text, standard_board
from ..rules.game import Match
from ..rules.notation import format_action
from ..rules.position import Side, rule_set_from_text
from ..table.companion import Command, Companion, Do, Output
from ..table.frame import dark
from ..table.judging import standing_of
from ..table.palette import PALETTES
from ..table.verdicts import Notice, Verdict
from ..web.deeds import Deed
from ..web.desk import Desk
from ..web.guard import Guard
from ..web.hub import Hub
from ..web.lesson import Lesson
from ..web.library import list_games, load_game, replayed
from ..web.snapshot import board_message, frame_message, log_message, state_message, to_json
from ..web.virtual import Request, VirtualBoard
from .teaching import PutAside, put_aside, take_up

CODE_S = 12.0
"""How long the lights show the code."""
CODE_PAUSE_S = 60.0
REFRESH_S = 0.5
HEALTH_S = 2.0

_PLAIN = {
    "end_turn": Do.END_TURN,
    "take_back": Do.TAKE_BACK,
    "accept": Do.ACCEPT,
    "show_all": Do.SHOW_ALL,
    "raise": Do.RAISE,
    "agree_draw": Do.AGREE_DRAW,
}


class TablePage:
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
        self.hub = Hub()
        self.guard = Guard(key, told=lambda code: log(f"The page has a new code: {code}"))
        self.virtual: VirtualBoard | None = None
        self._config, self._database, self._scans, self._log = config, database, scans, log
        self._app: App | None = None
        self._stale = True
        self._told_s = -REFRESH_S
        self._health_s = 0.0
        self._health_scans = 0
        self._notice: tuple[int, str] = (0, "")
        self._record: str | None = None
        self._board: Board | None = None
        self._lesson: Lesson | None = None
        self._left: PutAside | None = None
        self._code_shown_s = -CODE_PAUSE_S
        self._failed = False

    def attach(self, app: App, virtual: VirtualBoard | None = None) -> None:
        """Show the table of `app`; before its loop begins."""
        self._app, self.virtual = app, virtual
        app.watch = self.watch
        self._arrange_as_believed(app, unseen=False)

    def desk(self) -> Desk:
        """Return what the server needs."""
        return Desk(
            hub=self.hub,
            guard=self.guard,
            do=self._do,
            show_code=self._show_code,
            hand=self._hand if self.virtual is not None else None,
            games=lambda: list_games(self._database),
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
        for verdict in output.verdicts:
            self._hear(app, verdict)
        late = output.changed and now - self._told_s >= REFRESH_S
        if self._stale or output.verdicts or table.acted or late:
            self._stale, self._told_s = False, now
            self._tell_state(app, table, now)
        frame = output.frame or dark(table.game.start.board)
        if self._code_is_shown(now):  # the code is for those who see the table
            frame = dark(table.game.start.board)
        self.hub.put("frame", frame_message(frame, table.lights.order))

    def _hear(self, app: App, verdict: Verdict) -> None:
        if isinstance(verdict, Notice):
            self._say(verdict.text)
        lesson = self._lesson
        if lesson is None:
            return
        if lesson.hear(verdict):
            self._say("lesson.other")
            app.commands.put(Command(Do.TAKE_BACK))

    def _say(self, text: str) -> None:
        self._notice, self._stale = (self._notice[0] + 1, text), True

    def _tell_state(self, app: App, table: Companion, now: float) -> None:
        game, referee = table.game, table.referee
        board = game.start.board
        if board is not self._board:
            self._board = board
            self.hub.put("board", to_json(board_message(board, self._pitch_mm())))
        opened = None if referee.open is None else format_action(board, referee.open.action)
        state = state_message(table.view(now), game, open_action=opened)
        palette = next((k for k, p in PALETTES.items() if p == table.lights.palette), "default")
        state |= {
            "notice": list(self._notice),
            "lights": {"brightness": table.lights.brightness, "palette": palette},
            "palettes": list(PALETTES),
            "lesson": None if self._lesson is None else self._lesson.as_told(),
            "teaches": self._teaches(app),
        }
        self.hub.put("state", to_json(state))
        text = to_json(log_message(game))
        if text != self.hub.latest("log"):
            self._record = game.record()
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
            "late": app.late,
        }
        self.hub.put("health", to_json(message))

    def _pitch_mm(self) -> float:
        return 36.0 if self.virtual is None else self.virtual.table.pitch_mm

    def _teaches(self, app: App) -> bool:
        return app.table.game.start.board == standard_board()

    # -- from the page ----------------------------------------------------------------------------

    def _do(self, deed: Deed) -> None:
        if self._app is not None:
            self._app.errands.put(lambda app: self._perform(app, deed))

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
        """Do what is asked, in the loop's thread."""
        self._stale = True
        values = deed.values
        try:
            match deed.name:
                case name if name in _PLAIN:
                    app.commands.put(Command(_PLAIN[name]))
                case "choose":
                    app.commands.put(Command(Do.CHOOSE, values["number"]))
                case "resign":
                    app.commands.put(Command(Do.RESIGN, Side(values["side"])))
                case "lights":
                    self._light(app, values["brightness"], values["palette"])
                case "set_up":
                    self._arrange(app)
                case "clear" if self.virtual is not None:
                    self.virtual.arrange({})
                case "lesson":
                    self._teach(app, values["step"])
                case "next_game" if self._lesson is None:
                    app.new_game()
                    self._arrange(app)
                case "new_game" if self._lesson is None:
                    self._new_game(app, **values)
        except SorcelError as error:
            self._say(str(error))

    def _arrange(self, app: App) -> None:
        """Put the pieces of a pretended table where the lights would lead them."""
        if self.virtual is not None:
            referee = app.table.referee
            self.virtual.arrange(referee.target() or standing_of(referee.position.pieces))

    def _light(self, app: App, brightness: float, palette: str) -> None:
        chosen = PALETTES.get(palette, app.table.lights.palette)
        maker = replace(app.table.lights, brightness=brightness, palette=chosen)
        app.commands.put(Command(Do.LIGHTS, maker))

    def _new_game(self, app: App, board: str, rules: str, light: str, dark: str) -> None:
        old, session = app.table.game, app.session
        wood = self._board_named(board, old.start.board)
        match = Match(wood, rule_set_from_text(rules), self._config.game.games or None)
        headers = {"Light": light[:60] or "Light", "Dark": dark[:60] or "Dark"}
        match.next_game(headers)  # refuses what does not go together, before anything is left
        records: list[Record] = []
        if old.outcome is None:
            records.append(GameAbandoned(session.game_id))
        session.match, session.headers = match, headers
        game, started = session.begin()
        if self.virtual is not None and wood != old.start.board:
            app.companion = companion_of(self._config, game)
            self.virtual.change(game.position)
        elif self.virtual is not None:
            self.virtual.lay_out(game.position)
        app.begin(game, records + started)
        self._arrange(app)

    def _board_named(self, text: str, now: Board) -> Board:
        """Return the board that is asked for; at a real table there is only its own."""
        if self.virtual is None or not text:
            return now
        return standard_board() if text == "standard" else board_from_text(text)

    # -- the lesson -------------------------------------------------------------------------------

    def _teach(self, app: App, step: str) -> None:
        """Begin the lesson, go to one of its steps, or end it with `stop`."""
        if self._lesson is None:
            if step == "stop" or not self._teaches(app):
                return
            self._lesson = Lesson()
            self._left = put_aside(app, self._lesson)
        lesson = self._lesson
        if step == "stop" or not lesson.go(step):
            self._end_lesson(app)
            return
        app.commands.put(Command(Do.NEW_GAME, lesson.game()))
        if self.virtual is not None:
            position = lesson.game().position
            self.virtual.lay_out(position)
            self.virtual.arrange(standing_of(position.pieces))

    def _end_lesson(self, app: App) -> None:
        assert self._left is not None
        take_up(app, self._left)
        self._lesson, self._left = None, None
        self._arrange_as_believed(app)

    def _arrange_as_believed(self, app: App, *, unseen: bool = True) -> None:
        """Put the pieces of a pretended table where its companion believes them to be."""
        if self.virtual is not None:
            table = app.table
            self.virtual.lay_out(table.game.position)
            standing = table.referee.belief.pieces
            self.virtual.arrange(standing or standing_of(table.game.position.pieces), unseen=unseen)

    # -- the code ---------------------------------------------------------------------------------

    def _show_code(self) -> None:
        """Say the code in the terminal and by the lights of a real table, not again and again."""
        if self._app is not None:
            self._app.errands.put(self._light_code)

    def _light_code(self, app: App) -> None:
        now = app.clock.now()
        if now - self._code_shown_s < CODE_PAUSE_S:
            return
        self._code_shown_s, self._stale = now, True
        self._log(f"The code of this table: {self.guard.code}")
        if self.virtual is not None:  # its lights are on the page, for all to see
            return
        app.commands.put(Command(Do.SHOW_CODE, self.guard.code))
        timer = threading.Timer(CODE_S, lambda: app.errands.put(self._hide_code))
        timer.daemon = True
        timer.start()

    def _hide_code(self, app: App) -> None:
        self._stale = True
        app.commands.put(Command(Do.SHOW_CODE, ""))

    def _code_is_shown(self, now: float) -> bool:
        return self.virtual is None and now - self._code_shown_s < CODE_S + 1.0
