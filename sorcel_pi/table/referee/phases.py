"""The phases of a game at a table, as values, and which event leads from where to where.

What belongs to a phase lives in it.  `TRANSITIONS` is the whole table; the referee goes from one
phase to another only as it says, and `sorcel_pi.table.referee.diagram` draws it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from ...rules.position import Side
from ..view import Mode
from .inference import OpenAction


@dataclass(frozen=True, slots=True)
class SettingUp:
    """The starting layout, or the position of a resumed game, is being put up."""


@dataclass(frozen=True, slots=True)
class Playing:
    """A turn is under way; `leading` says that a board that means nothing is led back meanwhile."""

    leading: bool = False


@dataclass(frozen=True, slots=True)
class Relocating:
    """An action is open: it was judged or announced, and its relocations are carried out."""

    open: OpenAction


@dataclass(frozen=True, slots=True)
class Restoring:
    """The board is led back to the position; nothing that is put down is an action."""


@dataclass(frozen=True, slots=True)
class Asking:
    """Several actions fit what stands on the board; the mover chooses one of `options`.

    Where it `may_end`, the end of the turn is one more answer, the last.
    """

    options: Sequence[OpenAction]
    may_end: bool
    since_s: float
    before: Playing


@dataclass(frozen=True, slots=True)
class Over:
    """The game has ended, and the lights have said so `since_s`."""

    since_s: float


@dataclass(frozen=True, slots=True)
class Confirming:
    """Both buttons are to say yes to a question; else the phase `before` goes on.

    That is "new game?", or, where `resigns` is a side, whether that side resigns.
    """

    before: Playing | Restoring | Over
    since_s: float
    resigns: Side | None = None


@dataclass(frozen=True, slots=True)
class Choosing:
    """The side buttons choose the level of the engine; then the phase `before` goes on."""

    before: Playing
    level: int
    since_s: float


Phase = SettingUp | Playing | Relocating | Restoring | Asking | Confirming | Choosing | Over

MODES: dict[type, Mode] = {
    SettingUp: Mode.SETUP,
    Playing: Mode.PLAY,
    Relocating: Mode.PLAY,
    Restoring: Mode.RESTORE,
    Asking: Mode.ASK,
    Confirming: Mode.CONFIRM,
    Choosing: Mode.LEVEL,
    Over: Mode.OVER,
}
"""What each phase is called to the outside."""


class Cause(Enum):
    """What leads from one phase to another."""

    BEGUN = "an action is judged"
    ANNOUNCED = "an action is announced"
    COMPLETED = "its relocations are done"
    DROPPED = "the step is put back"
    STANDS = "the position stands"
    SEVERAL = "several actions fit"
    ANSWERED = "one is chosen"
    UNANSWERED = "another contact, or end of turn"
    TAKEN_BACK = "take-back"
    ENDED = "the game has ended"
    IMPATIENT = "patience is over"
    LAYOUT = "the starting layout stands"
    CONTACT = "another contact"
    UNCONFIRMED = "10 s without an answer"
    SENTINELS = "both own Sentinels in the hand, own button"
    LEVEL = "menu button, 2 to 5 s"
    CHOSEN = "5 s, or a lift"
    GAP = "the contacts differ after a gap"
    NEW_GAME = "new game"


TRANSITIONS: dict[type, dict[Cause, tuple[type, ...]]] = {
    SettingUp: {Cause.STANDS: (Playing,), Cause.ENDED: (Over,), Cause.NEW_GAME: (SettingUp,)},
    Playing: {
        Cause.BEGUN: (Relocating,),
        Cause.ANNOUNCED: (Relocating,),
        Cause.SEVERAL: (Asking,),
        Cause.COMPLETED: (Playing,),
        Cause.IMPATIENT: (Playing,),
        Cause.STANDS: (Playing,),
        Cause.TAKEN_BACK: (Restoring,),
        Cause.ENDED: (Over,),
        Cause.LAYOUT: (Confirming,),
        Cause.SENTINELS: (Confirming,),
        Cause.LEVEL: (Choosing,),
        Cause.GAP: (Restoring,),
        Cause.NEW_GAME: (SettingUp,),
    },
    Relocating: {
        Cause.BEGUN: (Relocating,),
        Cause.COMPLETED: (Playing,),
        Cause.DROPPED: (Playing,),
        Cause.TAKEN_BACK: (Restoring,),
        Cause.GAP: (Playing,),
        Cause.ENDED: (Over,),
        Cause.NEW_GAME: (SettingUp,),
    },
    Restoring: {
        Cause.STANDS: (Playing,),
        Cause.TAKEN_BACK: (Restoring,),
        Cause.ENDED: (Over,),
        Cause.LAYOUT: (Confirming,),
        Cause.NEW_GAME: (SettingUp,),
    },
    Asking: {
        Cause.ANSWERED: (Playing,),
        Cause.UNANSWERED: (Playing,),
        Cause.ENDED: (Over,),
        Cause.NEW_GAME: (SettingUp,),
    },
    Confirming: {
        Cause.CONTACT: (Playing, Restoring, Over),
        Cause.UNCONFIRMED: (Playing, Restoring, Over),
        Cause.ENDED: (Over,),
        Cause.NEW_GAME: (SettingUp,),
    },
    Choosing: {
        Cause.LEVEL: (Choosing,),
        Cause.CHOSEN: (Playing,),
        Cause.ENDED: (Over,),
        Cause.NEW_GAME: (SettingUp,),
    },
    Over: {
        Cause.TAKEN_BACK: (Restoring,),
        Cause.LAYOUT: (Confirming,),
        Cause.NEW_GAME: (SettingUp,),
    },
}
"""From each phase, what leads where."""
