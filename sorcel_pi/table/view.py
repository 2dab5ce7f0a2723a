"""What the referee lets others see: one immutable value, from which lights and words are made.

It holds spaces as numbers, sets of spaces as masks and times in seconds; it decides nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from ..rules.actions import Action, Outcome
from ..rules.position import Piece, Position, Side
from .relocation import Relocation


class Mode(Enum):
    """What the table is doing."""

    SETUP = auto()
    """The starting layout (or the position of a resumed game) is being put up."""
    PLAY = auto()
    """A turn is under way, with or without an open action."""
    RESTORE = auto()
    """The board is led back to the position; nothing that is put down is an action."""
    ASK = auto()
    """Several actions fit what stands on the board; the mover chooses one."""
    CONFIRM = auto()
    """A question that both buttons answer together, such as "new game?"."""
    LEVEL = auto()
    """The level of the engine is being chosen by the side buttons."""
    OVER = auto()
    """The game has ended."""


class Held(NamedTuple):
    """A piece in the hand, and the space it was lifted from (None: from beside the board)."""

    piece: Piece | None
    origin: int | None


class Flash(NamedTuple):
    """A short sign at `space`, from `since_s` on: `done`, or `placed` in the colour of `piece`."""

    space: int
    kind: str
    since_s: float
    piece: Piece | None = None


class Hold(NamedTuple):
    """A button that is being held: `side` None means both; it acts `needed_s` after `since_s`."""

    side: Side | None
    since_s: float
    needed_s: float


class Trouble(Enum):
    """What keeps the table from its work."""

    NONE = auto()
    LINE = auto()
    """No scan comes in, or it is too old."""


@dataclass(frozen=True, slots=True)
class View:
    """Everything that lights, page and log show, at one moment.

    `standing` is the belief, `hand` what is in the hand, `next` the relocation to point out and
    `wrong` a (space, where its piece belongs) pair to complain about, either of which may be
    None.  `lifted` is the origin of an own piece in the hand that may step, with the masks
    `destinations` and, among them, `pushing`.  `missing` and `surplus` serve setting up.
    """

    position: Position
    mode: Mode
    standing: Mapping[int, Piece | None]
    hand: tuple[Held, ...] = ()
    next: Relocation | None = None
    mixed_hand: bool = False
    """Whether unlike pieces are in the hand, so that a light must say which one it asks for."""
    wrong: tuple[int | None, int | None] | None = None
    lifted: int | None = None
    destinations: int = 0
    pushing: int = 0
    spots: int = 0
    """Hexes for a placement, before the first step of a turn and while nothing is open."""
    astray: int = 0
    """The mask of spaces whose pieces mean nothing, once the board has settled so."""
    missing: tuple[tuple[int, Piece], ...] = ()
    surplus: int = 0
    candidates: tuple[int, ...] = ()
    may_end: bool = False
    """Whether to end the turn is one more candidate, the last."""
    asked_s: float = 0.0
    confirming: Side | None = None
    """The side whose home row runs while a question waits for both buttons."""
    level: int = 0
    """The level that is being chosen, 0 while none is."""
    guesses: int = 0
    shown_until_s: float = 0.0
    """All believed pieces are shown until then."""
    flashes: tuple[Flash, ...] = ()
    faulty: int = 0
    hold: Hold | None = None
    announced: tuple[Action, ...] = ()
    """What a side that is away plays, while hands carry it out."""
    seated: tuple[frozenset[Side], float] | None = None
    """Which sides people play, and when that was chosen last, for the sign."""
    thinking: bool = False
    """Whether a side that is away is to act and has announced nothing yet."""
    raised: int | None = None
    """The coins that the next placement will pay, while they are more than the stake."""
    passed: tuple[Side, float] | None = None
    """A side that had to pass, and when the sign began."""
    outcome: Outcome | None = None
    over_s: float = 0.0
    trouble: Trouble = Trouble.NONE
    save_trouble: bool = False
    """Whether the store cannot write."""
    code: str = ""
    """The table's code of four digits 0 to 6, while it is asked for."""
    code_s: float = 0.0
