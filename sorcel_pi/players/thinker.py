"""A thread that talks to an engine's process, so that the table's loop never waits for it.

Requests go in, answers come out, each with the request's number.  Whatever the engine does, a
request is answered once: by actions that are legal, or by why there are none.
"""

import threading
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import NamedTuple

from ..engine.client import UgiPlayer
from ..errors import EngineError, SorcelError
from ..rules.actions import Action
from ..rules.board import Board, format_board, standard_board
from ..rules.game import Game
from ..rules.position import EGRESSIAN, Position
from . import process


class Request(NamedTuple):
    """What the side to act after `actions` is to play: its next action, or its `whole_turn`."""

    number: int
    start: Position
    actions: tuple[Action, ...]
    level: int
    whole_turn: bool = False

    def game(self) -> Game:
        """Return the game so far."""
        game = Game(self.start)
        for action in self.actions:
            game.play(action)
        return game


class Answer(NamedTuple):
    """The answer to the request of that `number`: actions, or the `fault` of the engine."""

    number: int
    actions: tuple[Action, ...] = ()
    fault: str = ""


class Thinker:
    """One engine, one request at a time."""

    def __init__(self, command: Sequence[str] = ()) -> None:
        """Prepare to start `command`, this program's own engine without one."""
        self._command = tuple(command) or process.OWN
        self._requests: SimpleQueue[Request | None] = SimpleQueue()
        self._answers: SimpleQueue[Answer] = SimpleQueue()
        self._cancelled = threading.Event()
        self._hurried = threading.Event()
        self._player: UgiPlayer | None = None
        self._set_up: tuple[Board, str, int] | None = None
        self._thread: threading.Thread | None = None

    def ask(self, request: Request) -> None:
        """Let the engine think about it; one that is thought about still is given up."""
        self.cancel()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="thinker", daemon=True)
            self._thread.start()
        self._cancelled = threading.Event()
        self._hurried = threading.Event()
        self._requests.put(request)

    def cancel(self) -> None:
        """Give up what is thought about; its answer may still come."""
        self._cancelled.set()
        self._hurried.set()

    def hurry(self) -> None:
        """Let the engine play what it has found so far."""
        self._hurried.set()

    def answers(self) -> list[Answer]:
        """Return what has been answered since the last call, without waiting."""
        found = []
        with suppress(Empty):
            while True:
                found.append(self._answers.get_nowait())
        return found

    def kill(self) -> None:
        """End the process at once: whatever waits for it ends with a fault."""
        player = self._player
        if player is not None:
            process.kill(player.process)

    def close(self) -> None:
        """End the process and the thread."""
        self.cancel()
        self._requests.put(None)
        self.kill()
        if self._thread is not None:
            self._thread.join(2.0)

    # -- in the thread ----------------------------------------------------------------------------

    def _run(self) -> None:
        while (request := self._requests.get()) is not None:
            cancelled, hurried = self._cancelled, self._hurried
            try:
                actions = self._think(request, cancelled, hurried)
                self._answers.put(Answer(request.number, actions))
            except (SorcelError, OSError) as error:
                self._end()
                self._answers.put(Answer(request.number, fault=str(error)))
            except Exception as error:  # a fault here must not leave the table without an answer
                self._end()
                self._answers.put(Answer(request.number, fault=repr(error)))
        self._end()

    def _think(
        self, request: Request, cancelled: threading.Event, hurried: threading.Event
    ) -> tuple[Action, ...]:
        game = request.game()
        player = self._player_for(request)
        side, found = game.position.side, list[Action]()
        while not cancelled.is_set():
            found.append(player.next_action(game, hurried))
            over = game.outcome is not None or game.position.side is not side
            if over or not request.whole_turn:
                break
        return tuple(found)

    def _player_for(self, request: Request) -> UgiPlayer:
        """Return the engine, started anew where it is to play something else."""
        board, rules = request.start.board, str(request.start.rules)
        set_up = (board, rules, request.level)
        if self._player is not None and self._set_up == set_up:
            return self._player
        self._end()
        options = [("Level", str(request.level))]
        if board != standard_board():
            options.append(("Board", " ".join(format_board(board).split())))
        if rules != str(EGRESSIAN):
            options.append(("Rules", rules))
        self._player = UgiPlayer(self._command, options=options, start=process.start)
        self._set_up = set_up
        self._player.begin(Game(request.start))
        return self._player

    def _end(self) -> None:
        player, self._player = self._player, None
        if player is not None:
            process.kill(player.process)
            with suppress(EngineError, OSError):
                player.close()
