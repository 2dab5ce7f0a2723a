"""What the belief is made of: the pieces of wood, what has just come, and what is asked for."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ...rules.position import Piece


@dataclass(slots=True, eq=False)
class Token:
    """One wooden piece.

    `piece` is None where nobody knows what it is.  `home` is the space where the position has it,
    None for a newcomer; `space` where it stands, None in the hand; `origin` where it was lifted
    last; `fresh` says that it was put down since the position last changed, so that it can be an
    action; `guess` that it might be another.
    """

    piece: Piece | None
    home: int | None = None
    space: int | None = None
    origin: int | None = None
    lifted_s: float = 0.0
    landed_s: float = 0.0
    fresh: bool = True
    guess: bool = False


class Shove(NamedTuple):
    """Where each piece of a shoved line has got to, None for one that fell; whether it is sure."""

    places: tuple[tuple[Token, int | None], ...]
    sure: bool


@dataclass(slots=True)
class Arrival:
    """A contact that closed beside occupied spaces (`neighbours`) whose contacts overlap with it.

    It may be a piece that slides over from there and whose own contact has yet to open.  Until
    then it is taken as `token`, and `undo` takes that back; without one nothing is decided.
    """

    space: int
    since_s: float
    neighbours: int
    token: Token | None = None
    undo: Callable[[], None] | None = None


@dataclass(slots=True)
class Wish:
    """What the open task asks for: `target` (None: nothing), and what helps to tell pieces apart.

    `hints` maps spaces to where the rules moved the piece there, `removed` is the mask of those
    whose piece they take off.  `returns` maps a piece's home
    to the further spaces that count as where it came from.  `newcomer` is what a piece from
    beside the board is, where nothing is asked for; `placeable` where one may come to stand.
    `mover` says which pieces have the longer time for a slide.
    """

    target: Mapping[int, Piece] | None = None
    hints: Mapping[int, int] = field(default_factory=dict)
    returns: Mapping[int, int] = field(default_factory=dict)
    removed: int = 0
    newcomer: Piece | None = None
    placeable: int = 0
    mover: tuple[Piece, ...] = ()
