"""Levels 1 to 10: how strong the engine plays, and how it is weak.

Levels 1 to 9 think a fixed number of nodes a turn, so they are as strong on any machine.  The low
ones misjudge positions, the same way for a whole think, and in a share of their turns do not look
at what the other side can answer, as people do; no level ever plays a step at random.  Level 10
thinks as long as its time allows and is as strong as the machine.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass

from ..errors import NotationError, quote
from ..rules.actions import Action
from ..rules.board import Board
from ..rules.game import Game
from ..rules.position import RuleSet
from .matches import EnginePlayer
from .native import Library
from .thinking import Engine, Limits, Manner, Thought, past_of

LOWEST, HIGHEST = 1, 10
SECONDS = 10.0
"""What level 10 takes for a turn."""


@dataclass(frozen=True, slots=True)
class Level:
    """`nodes` for a turn (None: `SECONDS` instead), `noise` on values, share of `blind` turns."""

    number: int
    nodes: int | None
    noise: int
    blind: float

    def limits(self) -> Limits:
        """Return where the think about a turn ends."""
        return Limits(nodes=self.nodes, seconds=None if self.nodes else SECONDS)

    def manner(self, rng: random.Random) -> Manner:
        """Return how the next think is weak."""
        blind = rng.random() < self.blind
        return Manner(noise=self.noise, seed=rng.getrandbits(63), blind=blind)

    def __str__(self) -> str:
        """Say what the level is."""
        if self.nodes is None:
            return f"level {self.number}: {SECONDS:g} s a turn, as strong as the machine is fast"
        return f"level {self.number}: {self.nodes} nodes a turn"


LEVELS: tuple[Level, ...] = (
    Level(1, 150, 110, 1.0),
    Level(2, 400, 70, 1.0),
    Level(3, 800, 60, 0.5),
    Level(4, 1_200, 50, 0.0),
    Level(5, 3_000, 40, 0.0),
    Level(6, 3_000, 20, 0.0),
    Level(7, 3_000, 0, 0.0),
    Level(8, 9_000, 0, 0.0),
    Level(9, 30_000, 0, 0.0),
    Level(10, None, 0, 0.0),
)


def level(number: int) -> Level:
    """Return the level of that `number`; `NotationError` if there is none.

    >>> str(level(9))
    'level 9: 30000 nodes a turn'
    """
    if type(number) is not int or not LOWEST <= number <= HIGHEST:
        raise NotationError(f"level {quote(number)}: expected a number from {LOWEST} to {HIGHEST}")
    return LEVELS[number - 1]


class LevelPlayer(EnginePlayer):
    """A player of one level; what is random in it comes from `seed`, so games can be repeated."""

    def __init__(
        self,
        at: Level,
        board: Board,
        rules: RuleSet,
        *,
        seed: int = 0,
        native: bool | None = None,
        library: Library | None = None,
    ) -> None:
        """Prepare an engine for the level."""
        self.level = at
        self.engine = Engine(board, rules, native=native, library=library)
        super().__init__(f"level {at.number}", self._line)
        self._seed, self._rng = seed, random.Random(seed)

    def begin(self, game: Game) -> None:
        """Forget the game before."""
        self.engine.forget()
        self._seed += 1
        self._rng.seed(self._seed)

    def close(self) -> None:
        """Free the memory."""
        self.engine.close()

    def _line(self, game: Game) -> tuple[Action, ...]:
        return think_at(self.engine, self.level, game, self._rng).line


def think_at(
    engine: Engine,
    at: Level,
    game: Game,
    rng: random.Random,
    *,
    follow: Callable[[Thought], None] | None = None,
) -> Thought:
    """Think about the position of `game` as the level does."""
    return engine.think(
        game.position, at.limits(), past=past_of(game), manner=at.manner(rng), follow=follow
    )


CASUAL = Level(0, 250, 50, 1.0)
"""The casual stand-in: plans its own turn, misjudges a little, never looks at the answer."""
