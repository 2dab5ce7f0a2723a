"""How a game is put aside for the lesson, and taken up again as it was.

To the game's own companion the lesson is a gap in the scans, after which the board is compared with
what it believes; so not even an open action is lost.
"""

from dataclasses import replace
from typing import Any, NamedTuple

from ..app import App
from ..rules.game import Game, Match
from ..session import Session
from ..store.records import Record
from ..table.commands import SetLights, ShowCode
from ..table.companion import Companion
from ..table.scanlog import Recorder
from .lesson import Lesson, LessonCompanion


class PutAside(NamedTuple):
    """A game that waits."""

    companion: Companion | Recorder
    session: Session


class NotKept(Session):
    """The games of a lesson: they are played like others and leave nothing in the store."""

    def records(self, *_: Any) -> list[Record]:
        """Keep nothing."""
        return []

    def next_game(self, game: Game) -> tuple[Game, list[Record]]:
        """Begin the same step again."""
        return Game(game.start, game.headers), []


def put_aside(app: App, lesson: Lesson) -> PutAside:
    """Let the app follow `lesson`, and return the game that was played."""
    left = PutAside(app.companion, app.session)
    app.companion.command(ShowCode(""), app.clock.now())  # nobody else would hide it
    app.companion.step(None, app.clock.now())
    game, old = lesson.game(), app.table
    companion = LessonCompanion(
        game,
        old.lights,
        timing=replace(old.timing, show_s=0.3),
        debounce_s=old.debouncer.debounce_s,
        overlaps=old.referee.overlaps,
        masked=old.referee.masked,
        fps=old.fps,
    )
    companion.lesson = lesson
    app.companion = companion
    app.session = NotKept(Match(game.start.board, game.start.rules), {}, 0)
    return left


def take_up(app: App, left: PutAside) -> None:
    """Go on with the game that was put aside."""
    lights = app.table.lights
    app.companion, app.session = left
    app.companion.step(None, app.clock.now())
    app.carry_out(SetLights(lights))
