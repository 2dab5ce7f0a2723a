"""The state of a game at one moment: who stands where, whose turn, what is left of it.

A `Position` is a value; it never changes.  It holds its board and its rule set, so that every
question about it can be asked of it alone.  What an action leads to is in `actions`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from dataclasses import fields as dataclass_fields
from enum import IntEnum
from typing import NamedTuple

from ..errors import ImpossiblePositionError, NotationError, quote
from .board import SENTINELS_A_SIDE, Board, Layout
from .hexgrid import spaces_of


class Side(IntEnum):
    """Light sits in the south and begins."""

    LIGHT = 0
    DARK = 1

    @property
    def other(self) -> "Side":
        """The opponent."""
        return SIDES[1 - self]

    @property
    def word(self) -> str:
        """`light` or `dark`."""
        return ("light", "dark")[self]

    @property
    def letter(self) -> str:
        """`l` or `d`, as in position codes."""
        return "ld"[self]


SIDES = (Side.LIGHT, Side.DARK)


class Piece(IntEnum):
    """What a piece is: pieces of the same side and kind are interchangeable.

    The value is the piece's place in a `Layout`: twice the side, plus one for a Shif.
    """

    LIGHT_SENTINEL = 0
    LIGHT_SHIF = 1
    DARK_SENTINEL = 2
    DARK_SHIF = 3

    @property
    def side(self) -> Side:
        """The owner."""
        return SIDES[self >> 1]

    @property
    def is_sentinel(self) -> bool:
        """Whether it is a Sentinel; otherwise it is a Shif."""
        return not self & 1

    @property
    def letter(self) -> str:
        """`S` or `F` for Light, `s` or `f` for Dark, as in position codes."""
        return "SFsf"[self]

    @property
    def word(self) -> str:
        """Such as `Light Sentinel`."""
        return f"{self.side.word.capitalize()} {'Shif' if self & 1 else 'Sentinel'}"


PIECES = tuple(Piece)


def sentinel(side: Side) -> Piece:
    """Return the Sentinel of `side`."""
    return PIECES[2 * side]


def shif(side: Side) -> Piece:
    """Return the Shif of `side`."""
    return PIECES[2 * side + 1]


@dataclass(frozen=True, slots=True)
class RuleSet:
    """A named rule set and its house rules.

    `shifs` is what each side has in total; `detained` is how many detained pieces lose;
    `placement_pushes` says whether a placed Shif pushes (heading east); `early_end` whether a turn
    may end with steps left; `repetition` whether the third repetition draws; `purse` and `stake`
    are what an Ahumm game starts with, in coins, and do nothing without the pot.
    """

    name: str = "egressian"
    shifs: int = 6
    detained: int = 3
    placement_pushes: bool = False
    early_end: bool = True
    repetition: bool = False
    purse: int = 20
    stake: int = 1

    def __post_init__(self) -> None:
        """Refuse what no table can play: `NotationError` names the setting."""
        if self.name not in ("egressian", "ahumm"):
            raise NotationError(
                f"rule set {quote(self.name)}: the rule sets are egressian and ahumm"
            )
        for key, least, most in (
            ("shifs", 0, 99),
            ("detained", 1, SENTINELS_A_SIDE + self.shifs if type(self.shifs) is int else 1),
            ("purse", 0, 10**6),
            ("stake", 1, 10**6),
        ):
            value = getattr(self, key)
            if type(value) is not int or not least <= value <= most:
                raise NotationError(
                    f"rule {key}: {quote(value)} is not a whole number from {least} to {most}"
                )
        for key in ("placement_pushes", "early_end", "repetition"):
            if type(getattr(self, key)) is not bool:
                raise NotationError(f"rule {key}: {quote(getattr(self, key))} is not yes or no")

    @property
    def pot(self) -> bool:
        """Whether placements are paid for: true for Ahumm."""
        return self.name == "ahumm"

    def __str__(self) -> str:
        """Return the name and the house rules that differ from the defaults.

        >>> str(RuleSet("ahumm", shifs=5, early_end=False))
        'ahumm shifs=5 early_end=no'
        """
        words = [self.name]
        for item in dataclass_fields(self):
            value = getattr(self, item.name)
            if item.name != "name" and value != item.default:
                shown = ("no", "yes")[value] if isinstance(value, bool) else value
                words.append(f"{item.name}={shown}")
        return " ".join(words)


EGRESSIAN = RuleSet()
AHUMM = RuleSet("ahumm")

_YES_NO: dict[str, bool] = {"yes": True, "true": True, "no": False, "false": False}


def rule_set_from_text(text: str) -> RuleSet:
    """Return the rule set that `text` names, with house rules as `key=value` behind the name.

    >>> rule_set_from_text("ahumm stake=2 repetition=yes").stake
    2
    """
    words = text.split()
    values: dict[str, object] = {}
    if words and "=" not in words[0]:
        values["name"] = words.pop(0)
    for word in words:
        key, sign, value = word.partition("=")
        if not sign:
            raise NotationError(f"house rule {quote(word)}: expected key=value")
        if key in values:
            raise NotationError(f"house rule {quote(key)} is given twice")
        if value.isascii() and value.isdigit() and len(value) < 10:
            values[key] = int(value)
        else:
            values[key] = _YES_NO.get(value.lower(), value)
    return rule_set_from_data(values)


def rule_set_from_data(values: Mapping[str, object]) -> RuleSet:
    """Return the rule set with the settings in `values` (keys as the fields of `RuleSet`)."""
    known = [item.name for item in dataclass_fields(RuleSet)]
    for key in values:
        if key not in known:
            raise NotationError(
                f"{quote(key)} is not a house rule; they are {', '.join(known[1:])}"
            )
    return RuleSet(**values)  # type: ignore[arg-type]  # __post_init__ checks every value


class Coins(NamedTuple):
    """The money of an Ahumm game: what each side's purse holds, the pot, the stake."""

    light: int
    dark: int
    pot: int
    stake: int


class Position(NamedTuple):
    """A position: four piece masks, side to act, steps and coins.

    `pieces[piece]` is the mask of spaces that hold that piece, detained ones included; `coins` is
    None where no pot is played for.
    Positions that come from `start_position`, `parse_position` and `play` are checked; one that
    is put together by hand can be checked with `check_position`.
    """

    board: Board
    rules: RuleSet
    pieces: Layout
    side: Side
    steps_left: int
    steps_made: int
    coins: Coins | None = None

    @property
    def reserve(self) -> tuple[int, int]:
        """How many Shifs Light and Dark have in reserve: all that are not on the board."""
        _, light, _, dark = self.pieces
        return self.rules.shifs - light.bit_count(), self.rules.shifs - dark.bit_count()

    @property
    def occupied(self) -> int:
        """The mask of all spaces that hold a piece, detained ones included."""
        a, b, c, d = self.pieces
        return a | b | c | d

    @property
    def detained(self) -> int:
        """The mask of detaining spaces that hold a piece."""
        return self.occupied & self.board.detaining

    def piece_at(self, space: int) -> Piece | None:
        """Return the piece on `space` (a number), or None."""
        for piece, mask in zip(PIECES, self.pieces, strict=True):
            if mask >> space & 1:
                return piece
        return None

    def placed(self) -> Iterator[tuple[int, Piece]]:
        """Yield (space, piece) for every piece on the board, by space."""
        for space in spaces_of(self.occupied):
            piece = self.piece_at(space)
            assert piece is not None
            yield space, piece

    def in_play(self, side: Side) -> int:
        """Return the mask of the pieces of `side` that stand on hexes."""
        return (self.pieces[2 * side] | self.pieces[2 * side + 1]) & self.board.hexes

    def shifs_in_play(self, side: Side) -> int:
        """Return how many Shifs of `side` stand on hexes: the steps of a turn that begins now."""
        return (self.pieces[2 * side + 1] & self.board.hexes).bit_count()

    @property
    def loser(self) -> Side | None:
        """The side that has lost; when both have, the side that acted wins."""
        board, rules, (ls, lf, ds, df), side, _, _, _ = self
        hexes, holes, most = board.hexes, board.detaining, rules.detained
        light = not ls & hexes or ((ls | lf) & holes).bit_count() >= most
        dark = not ds & hexes or ((ds | df) & holes).bit_count() >= most
        if light and dark:
            return side.other
        return Side.LIGHT if light else Side.DARK if dark else None

    def __str__(self) -> str:
        """Draw the board, one character a space: `.` empty, `o` an empty hole, `(f)` detained.

        Row letters stand on the left.
        """
        grid = self.board.grid
        lines = []
        for row in reversed(grid.rows):
            cells = []
            for space in row:
                piece = self.piece_at(space)
                hole = self.board.detaining >> space & 1
                mark = piece.letter if piece is not None else "o" if hole else "."
                cells.append(f"({mark})" if hole and piece is not None else f" {mark} ")
            indent = "  " * (2 * grid.side - 1 - len(row))
            lines.append(f"{grid.names[row[0]][0]} {indent}{' '.join(cells)}".rstrip())
        return "\n".join(lines)


def start_position(
    board: Board,
    rules: RuleSet = EGRESSIAN,
    *,
    begins: Side = Side.LIGHT,
    coins: Coins | None = None,
) -> Position:
    """Return the position in which a game on `board` begins, by the side that `begins`.

    `coins` are those of a match under way; a game by itself starts with the rule set's purses.
    Raises `ImpossiblePositionError` when the layout shows more Shifs than `rules` give a side.
    """
    if coins is None and rules.pot:
        coins = Coins(rules.purse, rules.purse, 0, rules.stake)
    steps = board.start[shif(begins)].bit_count()
    position = Position(board, rules, board.start, begins, steps, 0, coins)
    check_position(position)
    return position


def check_position(position: Position, *, proximity: bool = True) -> None:
    """Raise `ImpossiblePositionError`, which says why, when no game can stand like this.

    Without `proximity` unconnected Shifs are let through.  That a turn which is over has been
    ended is checked where actions are known, by the parser.
    """
    _check_spaces(position)
    for side in SIDES:
        _check_counts(position, side)
        if proximity:
            _check_proximity(position, side)
    left, made = position.steps_left, position.steps_made
    if min(left, made) < 0:
        raise ImpossiblePositionError(f"steps {left}/{made}: below zero")
    steps = position.shifs_in_play(position.side)
    if position.loser is None and made == 0 and left != steps:
        raise ImpossiblePositionError(
            f"steps {left}/0: {position.side.word} has {steps} Shifs in play, so a turn "
            f"begins with {steps}/0"
        )
    if (position.coins is not None) != position.rules.pot:
        raise ImpossiblePositionError(
            f"the rule set {position.rules.name} {'needs' if position.rules.pot else 'has no'} "
            "purses, pot and stake"
        )
    if position.coins is not None and (min(position.coins) < 0 or position.coins.stake < 1):
        raise ImpossiblePositionError(
            f"coins {'/'.join(map(str, position.coins))}: purses and pot are at least 0, the "
            "stake at least 1"
        )


def _check_spaces(position: Position) -> None:
    grid = position.board.grid
    taken = 0
    for mask in position.pieces:
        if mask & ~grid.everywhere:
            raise ImpossiblePositionError(f"a piece is beyond the {grid.n} spaces of the board")
        if mask & taken:
            names = ", ".join(grid.names_of(mask & taken))
            raise ImpossiblePositionError(f"two pieces stand on {names}")
        taken |= mask


def _check_counts(position: Position, side: Side) -> None:
    sentinels, shifs = position.pieces[2 * side], position.pieces[2 * side + 1]
    word = side.word.capitalize()
    if sentinels.bit_count() > SENTINELS_A_SIDE:
        raise ImpossiblePositionError(
            f"{word} has {sentinels.bit_count()} Sentinels, expected at most {SENTINELS_A_SIDE}"
        )
    if position.reserve[side] < 0:
        raise ImpossiblePositionError(
            f"{word} has {shifs.bit_count()} Shifs on the board, expected at most "
            f"{position.rules.shifs}"
        )


def _check_proximity(position: Position, side: Side) -> None:
    board = position.board
    shifs = position.pieces[2 * side + 1] & board.hexes
    loose = board.grid.loose[position.pieces[2 * side] & board.hexes, shifs]
    if loose:
        raise ImpossiblePositionError(
            f"{side.word.capitalize()}'s Shif is not connected: "
            f"{', '.join(board.grid.names_of(loose))}"
        )
