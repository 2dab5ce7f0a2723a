"""The engine as a program: a UGI conversation over two streams, thinking in a thread of its own.

The thread that reads never waits for the search, so `isready` and `query` are answered while it
thinks, and a `stop` is followed by its `bestmove` within some milliseconds.  One `go` has one
`bestmove`, in the order of the `go`s, whatever else comes in between.
"""

import random
import threading
from collections.abc import Callable, Iterator
from typing import BinaryIO

from ..errors import SorcelError
from ..rules.board import Board
from ..rules.game import Game
from ..rules.position import RuleSet
from .thinking import NOTHING, Engine, Thought, past_of
from .ugi import MAX_LINE, Forget, Go, Options, Quit, Stop, Ugi, seeded

Say = Callable[[str], None]


def lines_of(stream: BinaryIO) -> Iterator[str | None]:
    """Yield the lines of `stream`, None for one that is too long, until its end."""
    while raw := stream.readline(MAX_LINE + 1):
        if len(raw) > MAX_LINE:
            while raw and not raw.endswith(b"\n"):
                raw = stream.readline(MAX_LINE)
            yield None
        else:
            yield raw.decode("utf-8", "replace")


class Program:
    """One engine and its host."""

    def __init__(self, ugi: Ugi, say: Say) -> None:
        """Answer by `say`, which may be called from two threads."""
        self._ugi, self._out = ugi, say
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._release = threading.Event()
        self._engines: tuple[Board, RuleSet, bool, Engine] | None = None
        self._engine: Engine | None = None
        self._rng = random.Random()
        self._options: Options | None = None

    def run(self, stream: BinaryIO) -> None:
        """Talk until `quit` or the end of the input."""
        try:
            for line in lines_of(stream):
                if line is None:
                    self._say(self._ugi.dropped())
                    continue
                for answer in self._ugi.receive(line):
                    if isinstance(answer, Quit):
                        return
                    self._do(answer)
        finally:
            self._stop()
            if self._engine is not None:
                self._engine.close()

    def _say(self, line: str) -> None:
        with self._lock:
            self._out(line)

    def _do(self, answer: str | Go | Stop | Forget) -> None:
        match answer:
            case str():
                self._say(answer)
            case Stop():
                self._stop()
            case Forget():
                if self._engine is not None:
                    self._engine.forget()
            case Go():
                self._start(answer)

    def _stop(self) -> None:
        """End the think that is going on, and wait for its answer."""
        self._release.set()
        if self._thread is None:
            return
        if self._engine is not None:
            self._engine.stop()
        self._thread.join()
        self._thread = None

    def _start(self, order: Go) -> None:
        if order.planned is not None:
            self._say(self._ugi.planned(order))
            return
        engine = self._engine_for(order.game)
        if engine is None:
            self._say(self._ugi.decided(order.game, NOTHING))
            return
        engine.ready()
        self._release.clear()
        manner = order.level.manner(self._rng)
        board, told = order.game.position.board, [NOTHING]

        def follow(thought: Thought) -> None:
            told.append(thought)
            self._say(self._ugi.progress(board, thought))

        def think() -> None:
            thought = NOTHING
            try:
                thought = engine.think(
                    order.game.position,
                    order.limits,
                    past=past_of(order.game),
                    manner=manner,
                    follow=follow,
                )
            except Exception as error:  # a fault must not leave the host without an answer
                self._say(f"info string error: {type(error).__name__}: {error}")
            if thought.line and thought is not told[-1]:
                self._say(self._ugi.progress(board, thought))
            if order.infinite:
                self._release.wait()
            self._say(self._ugi.decided(order.game, thought))

        self._thread = threading.Thread(target=think, name="think", daemon=True)
        self._thread.start()

    def _engine_for(self, game: Game) -> Engine | None:
        """Return the engine for the board and the rules of `game`, kept as long as they stay."""
        options = self._ugi.options
        if options != self._options:
            self._options, self._rng = options, seeded(options)
        key = (game.start.board, game.start.rules, options.native)
        if self._engines is not None and self._engines[:3] == key:
            return self._engines[3]
        try:
            engine = Engine(key[0], key[1], native=None if options.native else False)
        except (SorcelError, OSError, MemoryError) as error:
            self._say(f"info string error: {error}")
            return None
        if self._engine is not None:
            self._engine.close()
        self._engines, self._engine = (*key, engine), engine
        self._say(f"info string the engine in {engine.name} thinks")
        return engine
