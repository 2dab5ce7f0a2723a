"""What can be asked of a table between two steps: by the page, the command line, or its own app.

Each is one value with one name all the way: the page's JSON is parsed into it, the scan log writes
it, and the companion carries it out.  What cannot be done now is answered by a `Notice`.
"""

from dataclasses import dataclass

from ..rules.actions import Action
from ..rules.game import Game
from ..rules.position import Side
from .lights.frame import FrameMaker


@dataclass(frozen=True, slots=True)
class EndTurn:
    """End the mover's turn early."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Drop the question or the open action, or else take the last completed action back."""


@dataclass(frozen=True, slots=True)
class Accept:
    """Take the lit relocation as done; with none lit, the pieces as they should stand."""


@dataclass(frozen=True, slots=True)
class ShowAll:
    """Show every believed piece for a while."""


@dataclass(frozen=True, slots=True)
class HandsOff:
    """Nobody holds or moves a piece: what stands is meant, and is judged at once.

    Wood never tells that; a simulated table may.
    """


@dataclass(frozen=True, slots=True)
class RaiseStake:
    """Raise what the next placement pays by one, from the purse back to the stake."""


@dataclass(frozen=True, slots=True)
class Choose:
    """Answer the question that is asked by the `number` of a candidate, from 0."""

    number: int


@dataclass(frozen=True, slots=True)
class Resign:
    """The game is given up by `side`."""

    side: Side


@dataclass(frozen=True, slots=True)
class AgreeDraw:
    """Both players agree to a draw."""


@dataclass(frozen=True, slots=True)
class SetAway:
    """Let the `sides` be played by somebody who is not here; people here play the others."""

    sides: frozenset[Side]


@dataclass(frozen=True, slots=True)
class ChooseLevel:
    """Let the side buttons choose the level of the engine, from `level` on."""

    level: int


@dataclass(frozen=True, slots=True)
class Announce:
    """Play `actions`, the next of a side that is away, by the hands of those who are here."""

    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class NewGame:
    """Begin `game`, which is at its start or as far as it was played, on the same board."""

    game: Game


@dataclass(frozen=True, slots=True)
class ShowCode:
    """Show the table's code, four digits from 0 to 6, by the lights; "" ends that."""

    code: str


@dataclass(frozen=True, slots=True)
class SetLights:
    """Show everything by another palette or brightness from now on."""

    lights: FrameMaker


@dataclass(frozen=True, slots=True)
class SetSaveTrouble:
    """Say whether the store is `failing`: then the lights show it."""

    failing: bool


Command = (
    EndTurn
    | TakeBack
    | Accept
    | ShowAll
    | HandsOff
    | RaiseStake
    | Choose
    | Resign
    | AgreeDraw
    | SetAway
    | ChooseLevel
    | Announce
    | NewGame
    | ShowCode
    | SetLights
    | SetSaveTrouble
)
