"""What a page asks for, done at the table: by the loop's thread, and refused by `SorcelError`.

It begins games and the lesson, and where pieces are simulated it lays them where they belong.  Who
may ask, and who is told of it, is not known here.
"""

from dataclasses import replace

from ..app import App, companion_of
from ..config.schema import Config
from ..errors import SorcelError
from ..messages.message import Message, message
from ..players.seats import Seats, seat_from_text
from ..rules.board import Board, board_from_text, standard_board
from ..rules.game import Match
from ..rules.position import rule_set_from_text
from ..store.records import GameAbandoned, Record
from ..table import commands
from ..table.lights.palette import PALETTES
from ..table.referee.inference import standing_of
from .api import (
    AnswerOffer,
    AnswerQuestion,
    ArrangePieces,
    ChangeLights,
    ClearBoard,
    GoToLesson,
    PageCommand,
    StartGame,
    StartNextGame,
    TakeSide,
)
from .lesson import Lesson
from .lesson_swap import PutAside, put_aside, take_up
from .screen_hands import ScreenBoard

MOST_OF_A_NAME = 40
_JOINERS = "\u200c\u200d"
"""Zero-width characters that are part of words and pictures."""


class UnableError(SorcelError):
    """What is asked for cannot be done; `said` tells the page why."""

    def __init__(self, said: Message) -> None:
        """Keep what there is to say."""
        super().__init__(said.key)
        self.said = said


def name_of(text: str) -> str:
    """Return the name that somebody is given: one line without signs that steer, cut at 40.

    >>> name_of("  Ada\\tLovelace "), len(name_of("x" * 60))
    ('Ada Lovelace', 40)
    """
    seen = "".join(c if c.isprintable() or c in _JOINERS else " " for c in text)
    return " ".join(seen.split())[:MOST_OF_A_NAME].rstrip()


def teaches(app: App) -> bool:
    """Whether the lesson can be had: its positions are those of the standard board."""
    return app.table.game.start.board == standard_board()


class PageActions:
    """What is done for the pages of one table; `screen_board` has its simulated pieces, if any."""

    def __init__(self, config: Config, screen_board: ScreenBoard | None = None) -> None:
        """Begin without a lesson."""
        self.screen_board = screen_board
        self.lesson: Lesson | None = None
        self._config = config
        self._left: PutAside | None = None
        self._quick = False
        """Whether the table was played quickly before the lesson."""

    def perform(self, app: App, command: PageCommand) -> None:
        """Do what is asked, in the loop's thread."""
        match command:
            case ChangeLights(brightness, palette):
                self._light(app, brightness, palette)
            case ArrangePieces():
                self._arrange(app)
            case ClearBoard():
                if self.screen_board is not None:
                    self.screen_board.arrange({})
            case GoToLesson(step):
                self._teach(app, step)
            case StartNextGame():
                if self.lesson is None:
                    app.new_game()
                    self._arrange(app)
            case StartGame():
                if self.lesson is None:
                    self._start_game(app, command)
            case AnswerQuestion() | TakeSide() | AnswerOffer():
                pass  # a table asks nothing; who holds a side is the controller's
            case _:
                app.carry_out(command)

    def _arrange(self, app: App) -> None:
        """Put the pieces of a simulated table where the lights would lead them."""
        if self.screen_board is not None:
            referee = app.table.referee
            self.screen_board.arrange(referee.target or standing_of(referee.position.pieces))

    def _light(self, app: App, brightness: float, palette: str) -> None:
        chosen = PALETTES.get(palette, app.table.lights.palette)
        maker = replace(app.table.lights, brightness=brightness, palette=chosen)
        app.carry_out(commands.SetLights(maker))

    def _start_game(self, app: App, asked: StartGame) -> None:
        old, session = app.table.game, app.session
        board = self._board_named(asked.board, old.start.board)
        match = Match(board, rule_set_from_text(asked.rules), self._config.game.games or None)
        seats = Seats(seat_from_text(asked.light_seat), seat_from_text(asked.dark_seat))
        headers = {"Light": name_of(asked.light) or "Light", "Dark": name_of(asked.dark) or "Dark"}
        match.next_game(headers)  # refuses what does not go together, before anything is left
        records: list[Record] = []
        if old.outcome is None:
            records.append(GameAbandoned(session.game_id))
        session.match, session.headers = match, headers
        app.sit_down(seats)
        game, started = session.begin()
        if self.screen_board is not None and board != old.start.board:
            app.change_table(companion_of(self._config, game))
            self.screen_board.change(game.position)
        elif self.screen_board is not None:
            self.screen_board.lay_out(game.position)
        app.begin(game, records + started)
        self._arrange(app)

    def _board_named(self, text: str, now: Board) -> Board:
        """Return the board that is asked for; at a real table there is only its own."""
        if self.screen_board is None or not text:
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
            self._quick = self.screen_board is not None and self.screen_board.quick
            self._left = put_aside(app, self.lesson)
        lesson = self.lesson
        if step == "stop" or not lesson.go(step):
            self._end_lesson(app)
            return
        app.carry_out(commands.NewGame(lesson.game()))
        if self.screen_board is not None:
            position = lesson.game().position
            self.screen_board.play_quickly(lesson.step.quick and self._quick)
            self.screen_board.lay_out(position)
            self.screen_board.arrange(standing_of(position.pieces))

    def _end_lesson(self, app: App) -> None:
        left, self.lesson, self._left = self._left, None, None
        assert left is not None
        take_up(app, left)
        if self.screen_board is not None:
            self.screen_board.play_quickly(self._quick)
        self.arrange_as_believed(app)

    def arrange_as_believed(self, app: App, *, unseen: bool = True) -> None:
        """Put the pieces of a simulated table where its companion believes them to be."""
        if self.screen_board is not None:
            table = app.table
            self.screen_board.lay_out(table.game.position)
            standing = table.referee.state.pieces
            self.screen_board.arrange(
                standing or standing_of(table.game.position.pieces), unseen=unseen
            )
