"""What lights say to somebody who has read the list of signs: words, and all words of one look.

It knows what signs mean but not how they look; that is for `eyes` to tell.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from ..rules.position import Piece, Side, sentinel, shif
from ..table.lights.signs import Role


class Says(Enum):
    """What a light says to somebody who has read the list of signs."""

    TROUBLE = auto()
    CANDIDATE = auto()
    CONFIRM = auto()
    SHOWN_SENTINEL = auto()
    SHOWN_SHIF = auto()
    SHOWN_UNKNOWN = auto()
    GUESSED_SENTINEL = auto()
    GUESSED_SHIF = auto()
    WRONG = auto()
    BELONGS = auto()
    ORIGIN = auto()
    DESTINATION = auto()
    HOLE = auto()
    OFF = auto()
    MISSING_SENTINEL = auto()
    MISSING_SHIF = auto()
    SURPLUS = auto()
    LIFTED = auto()
    MAY_STEP = auto()
    MAY_PUSH = auto()
    POINT = auto()
    POINT_TWICE = auto()
    THINKING = auto()
    COIN = auto()
    SPOT = auto()
    ACCEPTED = auto()
    PLACED = auto()
    PASSED = auto()
    OVER = auto()
    FAULTY = auto()


# The filling row, the level and the code are left out: who presses a button for them expects them.
MEANING: dict[Role, Says] = {
    Role.LINE_TROUBLE: Says.TROUBLE,
    Role.ASK_CANDIDATE: Says.CANDIDATE,
    Role.CONFIRM_ROW: Says.CONFIRM,
    Role.BELIEVED_SENTINEL: Says.SHOWN_SENTINEL,
    Role.BELIEVED_SHIF: Says.SHOWN_SHIF,
    Role.BELIEVED_UNKNOWN: Says.SHOWN_UNKNOWN,
    Role.GUESS_SENTINEL: Says.GUESSED_SENTINEL,
    Role.GUESS_SHIF: Says.GUESSED_SHIF,
    Role.WRONG_PLACE: Says.WRONG,
    Role.BELONGS_HERE: Says.BELONGS,
    Role.ORIGIN: Says.ORIGIN,
    Role.DESTINATION: Says.DESTINATION,
    Role.DESTINATION_ALONE: Says.DESTINATION,
    Role.HOLE: Says.HOLE,
    Role.HOLE_ALONE: Says.HOLE,
    Role.OFF_BOARD: Says.OFF,
    Role.MISSING_SENTINEL: Says.MISSING_SENTINEL,
    Role.MISSING_SHIF: Says.MISSING_SHIF,
    Role.SURPLUS: Says.SURPLUS,
    Role.LIFTED_ORIGIN: Says.LIFTED,
    Role.LEGAL_DESTINATION: Says.MAY_STEP,
    Role.PUSHING_DESTINATION: Says.MAY_PUSH,
    Role.STEP_POINT: Says.POINT,
    Role.STEP_POINT_TWICE: Says.POINT_TWICE,
    Role.THINKING: Says.THINKING,
    Role.COIN: Says.COIN,
    Role.SPOT: Says.SPOT,
    Role.STEP_POINT_SPOT: Says.POINT,
    Role.STEP_POINT_TWICE_SPOT: Says.POINT_TWICE,
    Role.COIN_SPOT: Says.COIN,
    Role.ACCEPTED: Says.ACCEPTED,
    Role.PLACED: Says.PLACED,
    Role.PASSED: Says.PASSED,
    Role.GAME_OVER: Says.OVER,
    Role.FAULTY: Says.FAULTY,
}
_QUIET = frozenset(
    (
        Says.POINT,
        Says.POINT_TWICE,
        Says.THINKING,
        Says.COIN,
        Says.SPOT,
        Says.ACCEPTED,
        Says.PLACED,
        Says.PASSED,
        Says.OVER,
        Says.FAULTY,
        Says.GUESSED_SENTINEL,
        Says.GUESSED_SHIF,
    )
)
"""What leaves the players to themselves."""


class Word(NamedTuple):
    """What a light says, and in whose colour (None: nobody's)."""

    says: Says
    side: Side | None = None

    @property
    def piece(self) -> Piece | None:
        """The piece that it speaks of, where it speaks of one."""
        kind = _KINDS.get(self.says)
        return None if kind is None or self.side is None else kind(self.side)


_KINDS: dict[Says, Callable[[Side], Piece]] = {
    Says.SHOWN_SENTINEL: sentinel,
    Says.GUESSED_SENTINEL: sentinel,
    Says.MISSING_SENTINEL: sentinel,
    Says.SHOWN_SHIF: shif,
    Says.GUESSED_SHIF: shif,
    Says.MISSING_SHIF: shif,
}


@dataclass(frozen=True, slots=True)
class Reading:
    """What a person has read from the lights: a word for each light that is on.

    `unclear` is the mask of lights that are on and could not be told.
    """

    words: Mapping[int, Word]
    unclear: int = 0

    def where(self, *says: Says) -> list[int]:
        """Return the spaces whose light says one of these."""
        return [space for space, word in self.words.items() if word.says in says]

    def one(self, *says: Says) -> int | None:
        """Return the one space whose light says one of these, None for none or several."""
        found = self.where(*says)
        return found[0] if len(found) == 1 else None

    @property
    def quiet(self) -> bool:
        """Whether the lights ask for nothing."""
        return not self.unclear and all(word.says in _QUIET for word in self.words.values())

    @property
    def turn(self) -> tuple[Side, int] | None:
        """Whose points are lit and how many, None if none are."""
        points = [w for w in self.words.values() if w.says in (Says.POINT, Says.POINT_TWICE)]
        sides = {word.side for word in points}
        side = sides.pop() if len(sides) == 1 else None
        return (
            None if side is None else (side, sum(1 + (w.says is Says.POINT_TWICE) for w in points))
        )

    @property
    def pieces(self) -> dict[int, Piece]:
        """The pieces that lights show, ask for or guess."""
        render = ((space, word.piece) for space, word in self.words.items())
        return {space: piece for space, piece in render if piece is not None}
