"""A game looked at afterwards, and turns judged as they are played.

The chances before every turn make a curve; what a turn cost is the difference between what the
positions before it and after it are worth, both seen from the same number of nodes.  `judge` is the
teacher's part: one turn, as soon as it has ended.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..rules.actions import Action
from ..rules.game import Game
from ..rules.position import Position, Side
from .thinking import NOTHING, Engine, Limits, Thought
from .values import WIN, worth

NODES = {"C": 400_000, "Python": 100_000}
"""Nodes for each turn of a review."""
BLUNDER = 0.2
"""A turn that gives away so much, of 1, is a blunder."""
DEAREST = 3
DRAWN = NOTHING._replace(depth=0)
"""What is thought of a game that ended in a draw."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a game: the position it began in, what was played, and what it cost.

    `chance` is that of the side to act before the turn, `after` what is left of it behind the turn;
    `loss` is what was given away, both from 0 to 1, and nothing if the turn is the one that was
    thought best, `better`.
    """

    number: int
    position: Position
    played: tuple[Action, ...]
    better: tuple[Action, ...]
    chance: float
    after: float
    loss: float

    @property
    def side(self) -> Side:
        """Who played."""
        return self.position.side

    @property
    def is_blunder(self) -> bool:
        """Whether it cost much."""
        return self.loss >= BLUNDER


@dataclass(frozen=True, slots=True)
class Review:
    """All turns of a game that was looked at."""

    turns: tuple[Turn, ...]

    @property
    def curve(self) -> tuple[float, ...]:
        """Light's chances before each turn and at the end, from 0 to 1."""
        before = [
            each.chance if each.side == Side.LIGHT else 1 - each.chance for each in self.turns
        ]
        if not self.turns:
            return ()
        last = self.turns[-1]
        return (*before, last.after if last.side == Side.LIGHT else 1 - last.after)

    def mistakes(self, side: Side, most: int = DEAREST) -> tuple[Turn, ...]:
        """Return the dearest blunders of `side`, the dearest first."""
        own = [each for each in self.turns if each.side == side and each.is_blunder]
        return tuple(sorted(own, key=lambda each: (-each.loss, each.number))[:most])


def _for_light(side: Side, share: float) -> float:
    return share if side == Side.LIGHT else 1 - share


def review(
    engine: Engine,
    game: Game,
    *,
    nodes: int | None = None,
    follow: Callable[[int, int], None] | None = None,
) -> Review:
    """Look at all turns of `game`; `follow` is told how many of how many positions are done.

    After `engine.stop()` the turns that were looked at until then come back.
    """
    nodes = NODES[engine.name] if nodes is None else nodes
    starts = list(turns_of(game))
    thoughts: list[Thought] = []
    past: list[Position] = []
    for number, (position, _) in enumerate(starts):
        thoughts.append(engine.think(position, Limits(nodes=nodes), past=past))
        past.append(position)
        if follow is not None:
            follow(number + 1, len(starts) + 1)
        if engine.stopped:
            break
    if len(thoughts) == len(starts):
        thoughts.append(_thought_at(engine, game, nodes, past))
    positions = [*(position for position, _ in starts), game.position]
    turns = tuple(
        _turn(number + 1, starts[number], thoughts[number], positions[number + 1], after)
        for number, after in enumerate(thoughts[1:])
    )
    if follow is not None:
        follow(len(starts) + 1, len(starts) + 1)
    return Review(turns)


def turns_of(game: Game) -> Iterator[tuple[Position, tuple[Action, ...]]]:
    """Yield the position at the beginning of each turn, and what was played in it."""
    start: Position | None = None
    played: list[Action] = []
    for cascade in game.cascades:
        if start is None:
            start = cascade.before
        played.append(cascade.action)
        if cascade.after.side != start.side or cascade.after.steps_made == 0:
            yield start, tuple(played)
            start, played = None, []
    if start is not None:
        yield start, tuple(played)


def _thought_at(engine: Engine, game: Game, nodes: int, past: Sequence[Position]) -> Thought:
    """Think about how `game` stands now; how it has ended is certain."""
    ended, position = game.outcome, game.position
    if ended is None:
        return engine.think(position, Limits(nodes=nodes), past=past)
    if ended.winner is None:
        return DRAWN
    return NOTHING._replace(value=WIN if ended.winner == position.side else -WIN)


def _turn(
    number: int,
    start: tuple[Position, tuple[Action, ...]],
    before: Thought,
    end: Position,
    after: Thought,
) -> Turn:
    """Return the turn that began at `start`, thought about `before` and `after`, at its `end`."""
    position, played = start
    same = end.side == position.side
    left, kept = after.chance, worth(after.value)
    if after is DRAWN:
        left = 0.5
    if not same:
        left, kept = 1 - left, 1 - kept
    loss = max(worth(before.value) - kept, 0.0)
    if before.line[: len(played)] == played:
        loss = 0.0
    return Turn(number, position, played, before.line, before.chance, left, loss)


def judge(engine: Engine, game: Game, *, nodes: int | None = None) -> Turn | None:
    """Judge the last turn of `game`, which has just ended; None if there is none that has.

    What it led to is judged from the same number of nodes as what it began with.
    """
    nodes = NODES[engine.name] if nodes is None else nodes
    starts = list(turns_of(game))
    ended = game.outcome is not None or game.position.steps_made == 0
    if not starts or not ended:
        return None
    position, _ = starts[-1]
    past = [each for each, _ in starts[:-1]]
    before = engine.think(position, Limits(nodes=nodes), past=past)
    after = _thought_at(engine, game, nodes, [*past, position])
    return _turn(len(starts), starts[-1], before, game.position, after)
