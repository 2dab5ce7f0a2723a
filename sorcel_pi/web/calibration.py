"""The page beside a calibration: it shows the question that is asked, and takes the same answers.

It hands on what a sitting says and decides nothing; the server's thread only puts answers into a
queue and reads what is broadcast.
"""

from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any

from ..calibration.interview import Answer, Sitting
from ..config.schema import Config
from ..config.wiring import contact_grid
from ..rules.board import Board
from ..rules.hexgrid import spaces_of
from .api import AnswerQuestion, PageCommand
from .auth import Auth
from .broadcast import Broadcast
from .games import list_games
from .screen_hands import Request
from .snapshot import board_message, said, to_json

KEPT = 8
"""So many sentences are kept to be read."""


class CalibrationPage:
    """What a sitting shows, and what was answered to it."""

    def __init__(
        self,
        config: Config,
        board: Board,
        *,
        by_place: bool,
        log: Callable[[str], None] = print,
    ) -> None:
        """Show `board`; with `by_place` the matrix of the config too, as passes are by place."""
        self.broadcast = Broadcast()
        self.auth = Auth(told=lambda code: log(f"The page has a new code: {code}"))
        self._log, self._said = log, list[list[Any]]()
        self._rows, self._columns = contact_grid(config, board) if by_place else (0, 0)
        self._given: SimpleQueue[AnswerQuestion] = SimpleQueue()
        self.broadcast.put("board", to_json(board_message(board, config.mock.pitch_mm)))

    def tell(self, sitting: Sitting, closed: int | None) -> None:
        """Let the page show how things stand; `closed` is what the last pass has read."""
        self._said = [*self._said, *said(sitting.said)][-KEPT:]
        self.broadcast.put("calibration", to_json(self._message(sitting)))
        spaces = sitting.spaces(closed or 0)
        message = {
            "t": "contacts",
            "read": closed is not None,
            "spaces": list(spaces_of(spaces)),
            "places": list(spaces_of(closed or 0)) if self._columns else [],
        }
        self.broadcast.put("contacts", to_json(message))

    def answers(self, sitting: Sitting) -> list[Answer]:
        """Return the answer that was given to the question that is asked now, if one was."""
        question = sitting.question
        while question is not None:
            try:
                given = self._given.get_nowait()
            except Empty:
                break
            found = [answer for answer in question.answers if answer.value == given.word]
            if found and given.number == sitting.number:
                return found
        return []

    # -- what the server needs; there are no games to be read --------------------------------------

    @property
    def has_hands(self) -> bool:
        """Nobody moves pieces on the screen."""
        return False

    def joined(self, client: int, browser: str) -> None:
        """Nobody holds a side here."""

    def left(self, client: int) -> None:
        """Nobody holds a side here."""

    def do(self, command: PageCommand, revision: int | None = None, browser: str = "") -> None:
        """Keep an answer until it is asked for."""
        if isinstance(command, AnswerQuestion):
            self._given.put(command)

    def show_code(self) -> None:
        """Say the code in the terminal."""
        self._log(f"The code of this table: {self.auth.code}")

    def move_hand(self, request: Request) -> None:
        """Do nothing."""

    def games(self, before: int) -> dict[str, Any]:
        """Return none."""
        return list_games(None)

    def game(self, number: int | None) -> None:
        """Return none."""

    def record(self, number: int | None) -> None:
        """Return none."""

    def scan_log(self) -> None:
        """Return none."""

    def _message(self, sitting: Sitting) -> dict[str, Any]:
        question = sitting.question
        told = {
            "t": "calibration",
            "number": sitting.number,
            "said": self._said,
            "of": sitting.of,
            "rows": self._rows,
            "columns": self._columns,
        }
        if question is None:
            return told | {"words": [], "answers": [], "space": None, "known": [], "dead": []}
        return told | {
            "words": said([question.line]),
            "answers": [answer.value for answer in question.answers],
            "space": question.space,
            "done": question.done,
            "known": list(spaces_of(question.known)),
            "dead": list(spaces_of(question.dead)),
        }
