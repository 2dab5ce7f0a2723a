"""A table on a clock that does not wait, and hands that carry out actions on it."""

from collections.abc import Callable
from pathlib import Path

from sorcel_pi import Action, Board, Game, Placement, Position, Step, parse_position
from sorcel_pi.commands.table import open_app
from sorcel_pi.config.schema import Config, StoreConfig
from sorcel_pi.drivers.mock.table import MockTable
from sorcel_pi.players.opponent import Thinking
from sorcel_pi.players.seats import Seats
from sorcel_pi.table.referee.inference import standing_of


class JumpingClock:
    """Time passes only by being waited for."""

    def __init__(self) -> None:
        self.time = 0.0

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time = round(self.time + seconds, 6)


class Desk:
    """An app on a mock table whose pieces stand as its game has them."""

    def __init__(
        self,
        folder: Path | None,
        *,
        new: bool = False,
        seats: Seats | None = None,
        thinker: Thinking | None = None,
        write_scan: Callable[[str], object] | None = None,
    ) -> None:
        self.clock = JumpingClock()
        self.lines: list[str] = []
        config = Config(store=StoreConfig(path=str(folder or "")))
        self.mock: MockTable

        def drivers(_: Config, board: Board) -> tuple[MockTable, MockTable]:
            self.mock = MockTable(board, clock=self.clock.now)
            return self.mock, self.mock

        self.app = open_app(
            config,
            new=new,
            keep=folder is not None,
            seats=seats,
            drivers=drivers,
            log=self.lines.append,
            write_scan=write_scan,
        )
        self.app.clock = self.clock
        if thinker is not None:
            assert self.app.opponent is not None
            self.app.opponent.thinker = thinker
        self._made = 0

    @property
    def game(self) -> Game:
        return self.app.table.game

    def set_up(self, position: Position | str | None = None) -> "Desk":
        """Put the pieces of the position on the board."""
        if isinstance(position, str):
            position = parse_position(position)
        for space in standing_of((position or self.game.position).pieces):
            self._made += 1
            self.mock.put(self._made, space)
        return self.wait(1.0)

    def wait(self, seconds: float) -> "Desk":
        end = self.clock.time + seconds
        while self.clock.time < end:
            self.app.pass_once()
            self.clock.sleep(0.01)
        return self

    def act(self, action: Action) -> "Desk":
        """Carry out an action that pushes nobody."""
        if isinstance(action, Step):
            piece = self.mock.truth()[action.origin]
            self.mock.carry(piece, action.target, speed_mm_s=800)
            end = self.mock.drop(piece, action.target)
        else:
            assert isinstance(action, Placement)
            self._made += 1
            self.mock.put(self._made, action.space)
            end = self.clock.time
        return self.wait(end - self.clock.time + 0.5)
