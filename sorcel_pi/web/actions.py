"""What a page asks for, done at the table: by the loop's thread, and refused by `SorcelError`.

It begins games and the lesson, and where pieces are simulated it lays them where they belong.  Who
may ask, and who is told of it, is not known here.
"""

from dataclasses import replace

from ..app import App, companion_of
from ..config.schema import Config
from ..errors import SorcelError
from ..messages.message import Message, message
from ..rules.board import Board, board_from_text, standard_board
from ..rules.game import Match
from ..rules.position import Side, rule_set_from_text
from ..store.records import GameAbandoned, Record
from ..table import commands
from ..table.lights.palette import PALETTES
from ..table.referee.inference import standing_of
from .api import Deed
from .lesson import Lesson
from .lesson_swap import PutAside, put_aside, take_up
from .screen_hands import ScreenBoard


class UnableError(SorcelError):
    """What is asked for cannot be done; `said` tells the page why."""

    def __init__(self, said: Message) -> None:
        """Keep what there is to say."""
        super().__init__(said.key)
        self.said = said


_PLAIN: dict[str, commands.Command] = {
    "end_turn": commands.EndTurn(),
    "take_back": commands.TakeBack(),
    "accept": commands.Accept(),
    "show_all": commands.ShowAll(),
    "raise": commands.RaiseStake(),
    "agree_draw": commands.AgreeDraw(),
}


def teaches(app: App) -> bool:
    """Whether the lesson can be had: its positions are those of the standard board."""
    return app.table.game.start.board == standard_board()


class PageActions:
    """What is done for the pages of one table; `virtual` are its simulated pieces, if any."""

    def __init__(self, config: Config, virtual: ScreenBoard | None = None) -> None:
        """Begin without a lesson."""
        self.virtual = virtual
        self.lesson: Lesson | None = None
        self._config = config
        self._left: PutAside | None = None

    def perform(self, app: App, deed: Deed) -> None:
        """Do what is asked, in the loop's thread."""
        values = deed.values
        match deed.name:
            case name if name in _PLAIN:
                app.commands.put(_PLAIN[name])
            case "choose":
                app.commands.put(commands.Choose(values["number"]))
            case "resign":
                app.commands.put(commands.Resign(Side(values["side"])))
            case "lights":
                self._light(app, values["brightness"], values["palette"])
            case "set_up":
                self._arrange(app)
            case "clear" if self.virtual is not None:
                self.virtual.arrange({})
            case "lesson":
                self._teach(app, values["step"])
            case "next_game" if self.lesson is None:
                app.new_game()
                self._arrange(app)
            case "new_game" if self.lesson is None:
                self._new_game(app, **values)

    def _arrange(self, app: App) -> None:
        """Put the pieces of a simulated table where the lights would lead them."""
        if self.virtual is not None:
            referee = app.table.referee
            self.virtual.arrange(referee.target or standing_of(referee.position.pieces))

    def _light(self, app: App, brightness: float, palette: str) -> None:
        chosen = PALETTES.get(palette, app.table.lights.palette)
        maker = replace(app.table.lights, brightness=brightness, palette=chosen)
        app.commands.put(commands.SetLights(maker))

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
            app.change_table(companion_of(self._config, game))
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
        if self.lesson is None:
            if step == "stop":
                return
            if not teaches(app):
                raise UnableError(message("lesson.board"))
            self.lesson = Lesson()
            self._left = put_aside(app, self.lesson)
        lesson = self.lesson
        if step == "stop" or not lesson.go(step):
            self._end_lesson(app)
            return
        app.commands.put(commands.NewGame(lesson.game()))
        if self.virtual is not None:
            position = lesson.game().position
            self.virtual.lay_out(position)
            self.virtual.arrange(standing_of(position.pieces))

    def _end_lesson(self, app: App) -> None:
        assert self._left is not None
        take_up(app, self._left)
        self.lesson, self._left = None, None
        self.arrange_as_believed(app)

    def arrange_as_believed(self, app: App, *, unseen: bool = True) -> None:
        """Put the pieces of a simulated table where its companion believes them to be."""
        if self.virtual is not None:
            table = app.table
            self.virtual.lay_out(table.game.position)
            standing = table.referee.state.pieces
            self.virtual.arrange(standing or standing_of(table.game.position.pieces), unseen=unseen)
