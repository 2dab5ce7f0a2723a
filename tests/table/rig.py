"""The companion on the virtual table: hands move pieces, the clock jumps when nothing changes."""

from sorcel_pi import Game, Position, format_action, parse_position, spaces_of
from sorcel_pi.drivers.mock.table import MockTable
from sorcel_pi.table.commands import Command
from sorcel_pi.table.companion import Companion, Output
from sorcel_pi.table.events import Done, TableEvent
from sorcel_pi.table.lights.frame import FrameMaker
from sorcel_pi.table.referee.inference import standing_of
from sorcel_pi.table.timing import Timing

PERIOD_S = 0.01


class Rig:
    """A game on a mock table; wooden pieces have the number of the space they began on."""

    def __init__(
        self,
        start: str | Position,
        *,
        table: MockTable | None = None,
        timing: Timing | None = None,
        overlaps: bool = False,
        pitch_mm: float = 36.0,
        seed: int = 0,
    ) -> None:
        position = parse_position(start) if isinstance(start, str) else start
        self.game = Game(position)
        self.board = position.board
        self.grid = self.board.grid
        self.table = table or MockTable(self.board, pitch_mm=pitch_mm, seed=seed)
        near = {k: self.grid.adjacent[k] & self.board.hexes for k in spaces_of(self.board.hexes)}
        self.companion = Companion(
            self.game, FrameMaker(self.board), timing=timing, overlaps=near if overlaps else None
        )
        self.events: list[TableEvent] = []
        self.kinds = dict(standing_of(position.pieces))
        for space in self.kinds:
            self.table.put(space, space)
        self.run(1.0)

    def put_down(self, origin: str, target: str) -> float:
        """Carry the piece that began on `origin` to `target`; return when it stands."""
        self.table.carry(self.space(origin), self.space(target))
        return self.table.drop(self.space(origin), self.space(target))

    def run(self, seconds: float) -> "Rig":
        """Let `seconds` pass."""
        return self.run_to(self.table.now + seconds)

    def run_to(self, end: float) -> "Rig":
        """Let time pass until `end`."""
        while self.table.now < end - 1e-9:
            dues = [self.table.next_change(), self.companion.next_deadline()]
            due = min((d for d in dues if d is not None), default=end)
            self.table.advance_to(min(end, max(due, self.table.now + PERIOD_S)))
            self._take(self.companion.step(self.table.scan(), self.table.now))
        return self

    def command(self, command: Command) -> "Rig":
        self._take(self.companion.command(command, self.table.now))
        return self

    def _take(self, output: Output) -> None:
        self.events += output.events
        if output.serial is not None:
            self.companion.recorded(output.serial, self.table.now)
        if output.changed:
            self.table.show(output.frame)

    def space(self, name: str) -> int:
        return self.grid.number(name)

    @property
    def played(self) -> list[str]:
        return [format_action(self.board, a) for a in self.companion.game.actions]

    @property
    def done(self) -> list[str]:
        return [
            format_action(self.board, v.cascade.action) for v in self.events if isinstance(v, Done)
        ]

    def stands(self) -> bool:
        """Whether wood, belief and position agree, identity included."""
        wood = {space: self.kinds[piece] for space, piece in self.table.truth().items()}
        position = dict(standing_of(self.companion.game.position.pieces))
        return wood == position == self.companion.referee.state.pieces
