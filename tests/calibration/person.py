"""A board that is wired at random, and a person who does what calibration asks for."""

import re
from collections.abc import Callable, Sequence

from sorcel_pi.commands.bench import Bench
from sorcel_pi.config.schema import Config
from sorcel_pi.drivers.ports import Frame
from sorcel_pi.errors import DeviceError
from sorcel_pi.rules.board import standard_board
from sorcel_pi.rules.hexgrid import spaces_of
from sorcel_pi.table.sensing.debouncer import Scan

BOARD = standard_board()
GRID = BOARD.grid
N = GRID.n
LAID_S, LIFTED_S = 0.6, 0.1


class Board:
    """Contacts at `places` of a matrix, lights beside the spaces of `layout`; time that jumps."""

    def __init__(self, places: Sequence[int], layout: Sequence[int]) -> None:
        self.places, self.layout = places, layout
        self.spaces = 0
        """Where magnets lie."""
        self.dead: set[int] = set()
        self.dark: set[int] = set()
        self.stuck = 0
        self.by_space = False
        self.time = 0.0
        self.frame: Frame = ()
        self._seen: tuple[Frame, list[int]] = ((), [])
        self.gone = False
        self.passes: list[Callable[[], None]] = []

    # Clock.

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time = round(self.time + seconds, 6)
        for each in self.passes:
            each()

    # The two contracts.

    def scan(self) -> Scan:
        if self.gone:
            raise DeviceError("the board is gone")
        closed = self.stuck
        for space in spaces_of(self.spaces):
            if space not in self.dead:
                closed |= 1 << (space if self.by_space else self.places[space])
        return Scan(self.time, closed)

    def show(self, frame: Frame) -> None:
        assert len(frame) == N
        self.frame = frame

    def close(self) -> None:
        self.frame = ((0, 0, 0),) * N

    @property
    def lit(self) -> list[int]:
        """The spaces beside which a light is on."""
        if self.frame != self._seen[0]:
            on = [light for light, colour in enumerate(self.frame) if any(colour)]
            self._seen = self.frame, [self.layout[k] for k in on if k not in self.dark]
        return self._seen[1]


class Person:
    """Reads what is said, looks at the lights, lays a magnet down and types."""

    def __init__(self, board: Board, *, patience: int = 10**9) -> None:
        self.board = board
        self.said: list[str] = []
        self.typed: list[str] = []
        self.wanted: int | None = None
        self.patience = patience
        """After so many magnets the person types q."""
        self.laid = 0
        self.run_seen: list[int] = []
        self._until = 0.0
        self._skipped: object = None
        board.passes.append(self.act)

    def say(self, text: str) -> None:
        self.said.append(text)
        if asked := re.match(r"\[\d+/\d+\] (\w+):", text):
            self.wanted = GRID.number(asked[1])
        elif text.startswith("Take all pieces off"):
            self.typed.append("")
        elif text.startswith("Light ") and text.endswith("on which space?"):
            self.wanted = -1
        elif text.startswith("The lights now run"):
            self.wanted, self.run_seen = None, []
        elif text.startswith("Did each row run"):
            seen = list(dict.fromkeys(self.run_seen))
            self.typed.append("y" if seen == list(range(N)) else "n")
        elif " is beside " in text or re.match(r"\w\d: row", text):
            self.wanted = None

    def keys(self) -> str | None:
        return self.typed.pop(0) if self.typed else None

    def act(self) -> None:
        board = self.board
        if self.wanted is None and len(board.lit) == 1:
            self.run_seen += board.lit
        if board.time < self._until:
            return
        if board.spaces:
            board.spaces = 0
            self._until = board.time + LIFTED_S
            return
        space = self.wanted
        if space == -1:
            if not board.lit:
                if self._skipped is not board.frame:
                    self._skipped = board.frame
                    self.typed.append("s")
                return
            space = board.lit[0]
        if space is None:
            return
        if self.laid >= self.patience:
            self.typed.append("q")
            return
        if space in board.dead:
            self.typed.append("s")
            self._until = board.time + 1.0
            return
        self.laid += 1
        board.spaces = 1 << space
        self._until = board.time + LAID_S

    def bench(self, config: Config) -> Bench:
        return Bench(
            config, BOARD, self.board, self.board, keys=self.keys, say=self.say, clock=self.board
        )
