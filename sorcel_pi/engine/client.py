"""The other end of UGI: a foreign engine as a subprocess, as a player of matches.

It is started without a shell, its standard error is thrown away, and whatever it does, a wait for
it has an end: silence and nonsense are an `EngineError`.
"""

import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from time import monotonic

from ..errors import EngineError, NotationError, quote
from ..rules.actions import Action
from ..rules.game import Game
from ..rules.notation import format_action, format_position, parse_action
from .ugi import MAX_LINE

READY_S = 10.0
"""Seconds that an engine has to introduce itself, and to be ready."""
SILENCE_S = 30.0
"""Seconds that it has for an answer beyond the time that it was given to think."""
MOST_LINES = 10_000
"""So many lines may wait to be heard; what an engine says beyond them is lost."""
LOOK_S = 0.05
"""So often it is looked whether an engine is to be stopped."""


def start_engine(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Start an engine's process; `OSError` if there is no such program."""
    return subprocess.Popen(
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )


class UgiPlayer:
    """A player of matches that is a UGI engine of its own.

    `go` is what it is told to think, such as `movetime 1000`, or nothing for its own default.
    """

    def __init__(
        self,
        command: Sequence[str],
        go: str = "",
        *,
        options: Sequence[tuple[str, str]] = (),
        patience_s: float = SILENCE_S,
        ready_s: float = READY_S,
        start: "Callable[[Sequence[str]], subprocess.Popen[bytes]]" = start_engine,
    ) -> None:
        """Start the engine by `start`; `EngineError` says why it cannot be used."""
        self.name = command[0]
        self._command, self._options = list(command), list(options)
        self._go, self._patience_s = f"go {go}".strip(), patience_s
        self._ready_s = ready_s
        self._spawn = start
        self._start()

    def _start(self) -> None:
        self._broken = False
        try:
            self._process = self._spawn(self._command)
        except OSError as error:
            raise EngineError(
                f"{quote(self._command[0])} cannot be started: {error.strerror}"
            ) from None
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        threading.Thread(
            target=_read, args=(self._process, self._lines), name="engine", daemon=True
        ).start()
        try:
            self._introduce()
        except BaseException:
            self.close()
            raise

    @property
    def process(self) -> "subprocess.Popen[bytes]":
        """The engine's process."""
        return self._process

    def close(self) -> None:
        """End the engine, and wait until it has ended."""
        with suppress(EngineError):
            self._tell("quit")
        with suppress(OSError, ValueError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        try:
            self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        with suppress(OSError):
            self._process.stdout.close()

    def begin(self, game: Game) -> None:
        """Tell of a new game; an engine that is at fault is started again."""
        if self._broken or self._process.poll() is not None:
            self.close()
            self._start()
        self._tell("uginewgame")
        self._ready()

    def turn(self, game: Game) -> None:
        """Let it play the turn of the side to act."""
        side = game.position.side
        try:
            while game.outcome is None and game.position.side == side:
                self._act(game)
        except EngineError:
            self._broken = True
            raise

    def _act(self, game: Game) -> None:
        self._tell(position_line(game))
        self._tell(self._go)
        due = monotonic() + self._patience_s
        word = None
        while word is None:
            word = self._best(self._next(due - monotonic()))
        self._play(game, word)

    def _play(self, game: Game, word: str) -> Action:
        try:
            return game.play(parse_action(game.position.board, word)).action
        except ValueError as error:
            raise EngineError(f"{self.name} plays {quote(word)}: {error}") from None

    def next_action(self, game: Game, stop: threading.Event) -> Action:
        """Let it think about the next action, play that in `game`, and return it.

        Once `stop` is set it is told to answer with what it has found so far.  There is no end to
        the wait but the end of the process: who waits kills it.
        """
        self._tell(position_line(game))
        self._tell(self._go)
        told = False
        while True:
            if stop.is_set() and not told:
                self._tell("stop")
                told = True
            with suppress(Empty):
                word = self._best(self._lines.get(timeout=LOOK_S))
                if word is not None:
                    return self._play(game, word)

    def _best(self, line: str | None) -> str | None:
        """Return the word behind `bestmove`, or None for a line that says something else."""
        if line is None:
            self._lines.put(None)
            raise EngineError(f"{self.name} has ended")
        first, *rest = line.split() or [""]
        if first != "bestmove":
            return None
        if len(rest) != 1:
            raise EngineError(f"{self.name} answers bestmove with {len(rest)} words")
        return rest[0]

    def _introduce(self) -> None:
        self._tell("ugi")
        while True:
            line = self._next(self._ready_s)
            if line.startswith("id name "):
                self.name = line.removeprefix("id name ")[:80]
            if line == "ugiok":
                break
        for name, value in self._options:
            if any(not c.isprintable() for c in name + value):
                raise NotationError(f"option {quote(name)}: {quote(value)} is not on one line")
            self._tell(f"setoption name {name} value {value}")
        self._ready()

    def _ready(self) -> None:
        self._tell("isready")
        while self._next(self._ready_s) != "readyok":
            pass

    def _tell(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise EngineError(f"{self.name} has ended") from None

    def _next(self, within_s: float) -> str:
        try:
            line = self._lines.get(timeout=max(within_s, 0.0))
        except Empty:
            raise EngineError(f"{self.name} was silent for too long") from None
        if line is None:
            self._lines.put(None)
            raise EngineError(f"{self.name} has ended")
        return line


def _read(process: "subprocess.Popen[bytes]", lines: "SimpleQueue[str | None]") -> None:
    """Put what the engine says into `lines`, and None at its end."""
    stream = process.stdout
    assert stream is not None
    with suppress(OSError, ValueError):
        while raw := stream.readline(MAX_LINE + 1):
            if len(raw) <= MAX_LINE and lines.qsize() < MOST_LINES:
                text = raw.decode("utf-8", "replace")
                lines.put("".join(c for c in text if c.isprintable()).strip())
    lines.put(None)


def position_line(game: Game) -> str:
    """Return the UGI line that says how `game` stands: its start and all that was played."""
    board = game.start.board
    moves = " ".join(format_action(board, action) for action in game.actions)
    line = f"position fen {format_position(game.start)}"
    return f"{line} moves {moves}" if moves else line
