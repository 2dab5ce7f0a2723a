"""What the referee has found out: small values that say what happened, in order.

The companion turns them into records for the store and lines for the log; nothing is decided here.
"""

from dataclasses import dataclass

from ..messages.message import Message
from ..rules.actions import Cascade, Outcome
from ..rules.position import Side


@dataclass(frozen=True, slots=True)
class Began:
    """An action has been recognised; its relocations are still to be done."""

    cascade: Cascade


@dataclass(frozen=True, slots=True)
class Dropped:
    """An action that had begun was put back, or taken back by button."""

    cascade: Cascade


@dataclass(frozen=True, slots=True)
class Done:
    """An action is completed and part of the game."""

    cascade: Cascade


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A completed action was taken back; the board is led back."""

    cascade: Cascade


@dataclass(frozen=True, slots=True)
class Illegal:
    """The board has settled and means nothing; pieces stand astray on `spaces`."""

    spaces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class SetUp:
    """The position stands on the board and play may go on."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The pieces were accepted as they are, or a relocation as done."""


@dataclass(frozen=True, slots=True)
class Masked:
    """The contacts in the mask `spaces` are left out from now on."""

    spaces: int


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to be said on the page and in the log."""

    message: Message


@dataclass(frozen=True, slots=True)
class Refused:
    """What was announced cannot be taken, and why."""

    message: Message


@dataclass(frozen=True, slots=True)
class MoveNowRequested:
    """A person's button asks whoever thinks about the next action to play it now."""


@dataclass(frozen=True, slots=True)
class SeatsRequested:
    """The menu button asks for the next choice of who plays which side."""


@dataclass(frozen=True, slots=True)
class LevelRequested:
    """The menu button asks to choose the level of the engine."""


@dataclass(frozen=True, slots=True)
class LevelChosen:
    """The `level` of the engine was chosen by the side buttons."""

    level: int


@dataclass(frozen=True, slots=True)
class NewGameRequested:
    """A new game was asked for; as a `rematch` the players change sides."""

    rematch: bool = False


@dataclass(frozen=True, slots=True)
class ResignRequested:
    """`side` gives the game up, and both buttons have confirmed it."""

    side: Side


@dataclass(frozen=True, slots=True)
class ShutdownRequested:
    """The menu button asks to shut down safely."""


TableEvent = (
    Began
    | Dropped
    | Done
    | TakenBack
    | Illegal
    | Ended
    | SetUp
    | Accepted
    | Masked
    | Notice
    | Refused
    | MoveNowRequested
    | SeatsRequested
    | LevelRequested
    | LevelChosen
    | NewGameRequested
    | ResignRequested
    | ShutdownRequested
)
