"""A table that is operated like a real one: lift, drop, wait, press, and see what comes of it.

Contacts are perfect here (no bounce, no field); the mock driver's tests have those.
"""

from sorcel_pi import Game, Piece, Position, format_action, parse_position
from sorcel_pi.table.judging import standing_of
from sorcel_pi.table.referee import Referee, Timing
from sorcel_pi.table.sensing import Buttons, Debouncer, Scan
from sorcel_pi.table.verdicts import Done, TakenBack, Verdict
from sorcel_pi.table.view import View

PERIOD_S = 0.01


class Story:
    """One game on one table of perfect contacts; the true pieces are in `wood`."""

    def __init__(
        self,
        start: str | Position | Game,
        *,
        timing: Timing | None = None,
        overlaps: dict[int, int] | None = None,
        masked: int = 0,
    ) -> None:
        if isinstance(start, str):
            start = parse_position(start)
        self.game = start if isinstance(start, Game) else Game(start)
        self.grid = self.game.start.board.grid
        self.referee = Referee(self.game, timing=timing, overlaps=overlaps, masked=masked)
        self.debouncer = Debouncer(masked=masked)
        self.dead = 0
        self.now = 0.0
        self.wood: dict[int, Piece] = dict(standing_of(self.game.position.pieces))
        self.hand: list[Piece] = []
        self.buttons = Buttons.NONE
        self.verdicts: list[Verdict] = []
        self.wait(0.5)

    # -- the hand -----------------------------------------------------------------------------

    def lift(self, name: str, *, wait: float = 0.05) -> "Story":
        self.hand.append(self.wood.pop(self.grid.number(name)))
        return self.wait(wait)

    def drop(self, name: str, *, wait: float = 0.2) -> "Story":
        space = self.grid.number(name)
        assert space not in self.wood, f"{name} is not free"
        self.wood[space] = self.hand.pop()
        return self.wait(wait)

    def add(self, name: str, piece: Piece, *, wait: float = 0.2) -> "Story":
        self.hand.append(piece)
        return self.drop(name, wait=wait)

    def off(self, name: str, *, wait: float = 0.2) -> "Story":
        self.lift(name, wait=wait)
        self.hand.pop()
        return self

    def move(self, origin: str, target: str, *, wait: float = 0.2) -> "Story":
        return self.lift(origin).drop(target, wait=wait)

    def press(self, button: Buttons, seconds: float = 0.1) -> "Story":
        self.buttons |= button
        self.wait(seconds)
        self.buttons &= ~button
        return self.wait(0.05)

    def wait(self, seconds: float) -> "Story":
        for _ in range(max(1, round(seconds / PERIOD_S))):
            self.now += PERIOD_S
            closed = 0
            for space in self.wood:
                closed |= 1 << space
            scan = Scan(self.now, closed & ~self.dead, self.buttons)
            self.verdicts += self.referee.step(self.debouncer.feed(scan))
            self.debouncer.masked = self.referee.masked
        return self

    def settle(self) -> "Story":
        return self.wait(0.6)

    # -- what came of it ----------------------------------------------------------------------

    @property
    def played(self) -> list[str]:
        """The actions that stand in the record."""
        return [format_action(self.game.start.board, a) for a in self.game.actions]

    @property
    def done(self) -> list[str]:
        """The actions that were completed, those taken back included."""
        return [
            format_action(self.game.start.board, v.cascade.action)
            for v in self.verdicts
            if isinstance(v, Done)
        ]

    @property
    def taken_back(self) -> int:
        return sum(isinstance(v, TakenBack) for v in self.verdicts)

    @property
    def view(self) -> View:
        return self.referee.view(self.now)

    def stands(self) -> bool:
        """Whether wood, belief and position agree, identity included."""
        position = dict(standing_of(self.game.position.pieces))
        return self.wood == position == self.referee.belief.pieces
