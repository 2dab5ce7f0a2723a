"""Matches between players: paired openings, the score, and Elo with its error.

A player is whatever plays a whole turn of a game; each opening is played twice, with the players on
either side.  It knows no process and no protocol.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import log10, sqrt
from typing import NamedTuple, Protocol

from ..errors import EngineError, SorcelError
from ..rules.actions import Action, legal_actions, outcome, play
from ..rules.board import Board
from ..rules.game import Game
from ..rules.position import SIDES, Position, RuleSet, Side, start_position
from .thinking import Engine, Limits

MAX_TURNS = 150
"""A game that goes on longer counts as a draw: two passive players can shuffle for ever."""
EVEN = 150
"""An opening is fair enough when its value is not further than this from nothing."""


class Player(Protocol):
    """Somebody who plays."""

    name: str

    def begin(self, game: Game) -> None:
        """Take note that a game begins."""

    def turn(self, game: Game) -> None:
        """Play the turn of the side to act in `game`, to its end."""


class Result(NamedTuple):
    """A game of a match: `points` are those of the first player, 1, 0.5 or 0."""

    game: Game
    first: Side
    points: float


@dataclass(frozen=True, slots=True)
class Score:
    """The score of the first player in pairs of games.

    >>> Score(((1.0, 1.0), (1.0, 0.5), (1.0, 0.0))).points
    4.5
    """

    pairs: tuple[tuple[float, float], ...]

    @property
    def games(self) -> int:
        """How many games were played."""
        return 2 * len(self.pairs)

    @property
    def points(self) -> float:
        """The points of the first player."""
        return sum(a + b for a, b in self.pairs)

    @property
    def share(self) -> float:
        """The points as a share of all, from 0 to 1."""
        return self.points / self.games if self.pairs else 0.5

    @property
    def error(self) -> float:
        """Half the 95 % interval of the share; the two games of an opening are one observation."""
        n = len(self.pairs)
        if n < 2:
            return 0.5
        mean = self.share
        spread = sum(((a + b) / 2 - mean) ** 2 for a, b in self.pairs) / (n - 1)
        return 1.96 * sqrt(max(spread, 0.25 / n) / n)

    @property
    def elo(self) -> tuple[float, float, float]:
        """The difference in Elo, with the ends of its 95 % interval.

        >>> [round(each) for each in Score(((1.0, 0.0),) * 100).elo]
        [0, -7, 7]
        """
        share, error = self.share, self.error
        return elo_of(share), elo_of(share - error), elo_of(share + error)

    def __str__(self) -> str:
        """Return the score in words."""
        elo, low, high = self.elo
        return (
            f"{self.points:g} of {self.games} ({self.share:.1%}), "
            f"Elo {elo:+.0f} [{low:+.0f}, {high:+.0f}]"
        )


def elo_of(share: float) -> float:
    """Return the difference in Elo that a share of points stands for; all or nothing is 1 200.

    >>> round(elo_of(0.75))
    191
    """
    share = min(max(share, 0.001), 0.999)
    return 400 * log10(share / (1 - share))


def openings(
    board: Board, rules: RuleSet, seed: int, *, turns: int = 2, judge: Engine | None = None
) -> Iterator[Position]:
    """Yield positions after `turns` random turns in which no piece was lost, for ever.

    With a `judge` only those that it finds fair after a short look.
    """
    rng = random.Random(seed)
    refused = 0
    while True:
        position = random_turns(start_position(board, rules), turns, rng)
        if outcome(position) is None and _is_fair(position, judge):
            refused = 0
            yield position
            continue
        refused += 1
        if refused > 500:
            raise SorcelError(f"no fair opening of {turns} turns was found on this board")


def random_turns(position: Position, turns: int, rng: random.Random) -> Position:
    """Return the position after so many random turns without losses, as far as there are such."""
    for _ in range(turns):
        side = position.side
        while position.side == side and outcome(position) is None:
            found = [play(position, action) for action in legal_actions(position)]
            held = position.occupied.bit_count()
            calm = [each for each in found if each.occupied.bit_count() >= held] or found
            position = rng.choice([e for e in calm if not e.detained] or calm)
    return position


def _is_fair(position: Position, judge: Engine | None) -> bool:
    if position.detained or judge is None:
        return judge is None
    return abs(judge.think(position, Limits(nodes=2000)).value) <= EVEN


def play_game(start: Position, light: Player, dark: Player, *, turns: int = MAX_TURNS) -> Game:
    """Play a game from `start` to its end, or to a draw that is agreed after so many turns.

    A player with an `EngineError` has lost; the header Fault says what it was.
    """
    game = Game(start, {"Light": light.name, "Dark": dark.name})
    players = (light, dark)
    side = Side.LIGHT
    try:
        for side in SIDES:
            players[side].begin(game)
        for _ in range(turns):
            if game.outcome is not None:
                return game
            side = game.position.side
            players[side].turn(game)
    except EngineError as fault:
        game.headers["Fault"] = str(fault)
        if game.outcome is None:
            game.resign(side)
    if game.outcome is None:
        game.agree_draw()
    return game


def play_pair(
    start: Position, first: Player, second: Player, *, turns: int = MAX_TURNS
) -> Iterator[Result]:
    """Play both games of an opening, the first player as Light first."""
    for side in SIDES:
        light, dark = (first, second) if side == Side.LIGHT else (second, first)
        game = play_game(start, light, dark, turns=turns)
        yield Result(game, side, points_of(game, side))


def points_of(game: Game, side: Side) -> float:
    """Return the points of `side` in a game that has ended: 1, 0.5 or 0."""
    ended = game.outcome
    if ended is None or ended.winner is None:
        return 0.5
    return float(ended.winner == side)


def match(
    first: Player,
    second: Player,
    starts: Iterator[Position],
    games: int,
    *,
    follow: Callable[[Result, Score], None] | None = None,
) -> Score:
    """Play `games` games (rounded up to pairs) from `starts` and return the first one's score."""
    pairs: list[tuple[float, float]] = []
    while 2 * len(pairs) < games:
        points: list[float] = []
        for result in play_pair(next(starts), first, second):
            points.append(result.points)
            shown = [*pairs, (points[0], points[1])] if len(points) == 2 else pairs
            if follow is not None:
                follow(result, Score(tuple(shown)))
        pairs.append((points[0], points[1]))
    return Score(tuple(pairs))


class EnginePlayer:
    """A player that gives a think of its engine to each turn."""

    def __init__(self, name: str, think: Callable[[Game], Sequence[Action]]) -> None:
        """Name the player; `think` returns the next actions, at least one."""
        self.name = name
        self._think = think

    def begin(self, game: Game) -> None:
        """Nothing is to be noted."""

    def turn(self, game: Game) -> None:
        """Play the turn."""
        side = game.position.side
        line: list[Action] = []
        while game.outcome is None and game.position.side == side:
            line = line or list(self._think(game))
            game.play(line.pop(0))
