"""What is to be kept, as values: games, actions, the open state, the health of contacts.

The loop makes them, `writer` hands them to the store, and `rows` writes them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from ..errors import SorcelError, StoreError
from ..rules.actions import Outcome
from ..rules.board import board_from_text, format_board
from ..rules.game import Game
from ..rules.notation import format_position, parse_position
from ..rules.position import rule_set_from_text


class RefusedError(StoreError):
    """A record does not fit what is stored; to write it again would not help."""


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game began; `of` makes it from a `Game`.

    Here and below `at` is in seconds since 1970; None is the time of writing.
    """

    game_id: int
    board: str
    rules: str
    headers: Mapping[str, str]
    start: str
    at: float | None = None

    @classmethod
    def of(cls, game_id: int, game: Game, *, at: float | None = None) -> Self:
        """Describe the beginning of `game`; `RefusedError` if that could not be read again."""
        start = game.start
        board, rules, code = format_board(start.board), str(start.rules), format_position(start)
        made = cls(game_id, board, rules, dict(game.headers), code, at)
        try:
            same = made.game().start == start
        except SorcelError as error:
            raise RefusedError(f"the game cannot be stored: {error}") from None
        if not same:
            raise RefusedError(f"the game cannot be stored: {code} is read as another position")
        return made

    def game(self) -> Game:
        """Return the game at its start; raises what the readers of the texts raise."""
        board = board_from_text(self.board, where="its board")
        return Game(parse_position(self.start, board, rule_set_from_text(self.rules)), self.headers)


@dataclass(frozen=True, slots=True)
class ActionDone:
    """An action was completed; `ply` is how many were before it.

    The open state of the game goes with it: one that still holds follows in the same batch.
    """

    game_id: int
    ply: int
    text: str
    at: float | None = None


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The last action, number `ply`, was taken back, and the open state with it.

    A game that was over goes on.
    """

    game_id: int
    ply: int


@dataclass(frozen=True, slots=True)
class OpenState:
    """The open action, the belief and the hand, as JSON can write them; None if there is none.

    Whoever makes it leaves `data` alone from then on.
    """

    game_id: int
    data: Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game is over."""

    game_id: int
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class GameAbandoned:
    """An unfinished game is not to be offered again."""

    game_id: int


@dataclass(frozen=True, slots=True)
class GameResumed:
    """An unfinished game is the one to be offered."""

    game_id: int


@dataclass(frozen=True, slots=True)
class Health:
    """What is known of the contact of a space."""

    space: str
    counters: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of the match, as JSON can write it."""

    key: str
    value: object


Record = (
    GameStarted
    | ActionDone
    | TakenBack
    | OpenState
    | GameEnded
    | GameAbandoned
    | GameResumed
    | Health
    | Setting
)
