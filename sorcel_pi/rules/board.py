"""A board as data: its side, its detaining spaces and the layout that a game starts from.

Read from a board file (TOML), so that people can play on the board that they own.  It knows the
geometry and the proximity rule, which decides whether a layout can stand, but no turn and no push.
"""

import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import ImpossiblePositionError, NotationError, quote
from .hexgrid import MAX_SIDE, MIN_SIDE, HexGrid, hexgrid

HALF_TURN = "half turn"
SENTINELS_A_SIDE = 2

MAX_FILE = 16_000
"""Characters of a board file: ten times what the largest board needs, and soon read."""

make_tuple = tuple.__new__
"""`make_tuple(Layout, (a, b, c, d))` makes a NamedTuple in a third of the time of a call."""


class Layout(NamedTuple):
    """Four masks: which spaces hold Light's Sentinels and Shifs and Dark's Sentinels and Shifs.

    The order is that of `Piece`, so `layout[piece]` is the mask of a piece.
    """

    light_sentinels: int
    light_shifs: int
    dark_sentinels: int
    dark_shifs: int

    @property
    def occupied(self) -> int:
        """The mask of all spaces that hold a piece."""
        return self[0] | self[1] | self[2] | self[3]


@dataclass(frozen=True, slots=True)
class Board:
    """A board: `side`, the mask of its `detaining` spaces, and the `start` layout.

    Made by `board_from_text`, `load_board` or `make_board`, which check it.
    """

    name: str
    side: int
    detaining: int
    start: Layout
    grid: HexGrid = field(init=False, repr=False, compare=False)
    hexes: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Fill the derived fields."""
        grid = hexgrid(self.side)
        object.__setattr__(self, "grid", grid)
        object.__setattr__(self, "hexes", grid.everywhere & ~self.detaining)


def make_board(name: str, side: int, detaining: int, start: Layout) -> Board:
    """Return the board, or raise `ImpossiblePositionError` that says what does not fit.

    Raises `NotationError` when the name is empty or there is no board of that `side`.
    """
    board = Board(name, side, detaining, start)
    if not name.strip():
        raise NotationError(f"name: {quote(name)} is empty")
    _check_start(board)
    return board


def board_from_text(text: str, *, where: str = "board file") -> Board:
    """Return the board that a board file's `text` describes.

    Raises `NotationError` when the text is no TOML, lacks a key, has an unknown one or names no
    space, and `ImpossiblePositionError` when the layout cannot stand; `where` names the file.
    """
    if len(text) > MAX_FILE:
        raise NotationError(f"{where}: longer than {MAX_FILE} characters")
    try:
        data = tomllib.loads(text)
    except ValueError as error:  # what tomllib raises, and what it lets pass: a number too long
        raise NotationError(f"{where}: not TOML: {error}") from None
    except RecursionError:
        raise NotationError(f"{where}: not TOML: nested too deeply") from None
    try:
        return _board_from_data(data)
    except NotationError as error:
        raise NotationError(f"{where}: {error}") from None
    except ImpossiblePositionError as error:
        raise ImpossiblePositionError(f"{where}: {error}") from None


def load_board(path: str | Path) -> Board:
    """Return the board in the file at `path`; errors as `board_from_text`, and name the path."""
    try:
        with Path(path).open(encoding="utf-8") as file:
            text = file.read(MAX_FILE + 1)
    except (OSError, ValueError) as error:
        # ValueError: not UTF-8, or a path with a NUL in it.
        raise NotationError(f"board file {quote(path)} cannot be read: {error}") from None
    return board_from_text(text, where=f"board file {quote(path)}")


@lru_cache(maxsize=1)
def standard_board() -> Board:
    """Return the board of side 5 that the rules describe.

    >>> standard_board().grid.names_of(standard_board().detaining)
    ('c1', 'c7', 'd3', 'd6', 'e5', 'f4', 'f7', 'g3', 'g9')
    """
    text = resources.files("sorcel_pi.boards").joinpath("standard.toml").read_text("utf-8")
    return board_from_text(text, where="the standard board")


def format_board(board: Board) -> str:
    """Return the text of a board file that `board_from_text` reads back as an equal board."""
    names = board.grid.names_of

    def listed(mask: int) -> str:
        return "[" + ", ".join(f'"{name}"' for name in names(mask)) + "]"

    start = board.start
    return (
        f"name = {_toml_string(board.name)}\nside = {board.side}\n"
        f"detaining = {listed(board.detaining)}\n\n"
        f"[start.light]\nsentinels = {listed(start[0])}\nshifs = {listed(start[1])}\n\n"
        f"[start.dark]\nsentinels = {listed(start[2])}\nshifs = {listed(start[3])}\n"
    )


def _toml_string(text: str) -> str:
    """Return `text` as a TOML basic string."""
    escaped = "".join(
        f"\\u{ord(c):04x}" if c in '"\\' or ord(c) < 32 or ord(c) == 127 else c for c in text
    )
    return f'"{escaped}"'


def _board_from_data(data: dict[str, Any]) -> Board:
    _only_keys(data, {"name", "side", "detaining", "start"}, "")
    name, side = data["name"], data["side"]
    if not isinstance(name, str):
        raise NotationError(f"name: {quote(name)} is not a text")
    if type(side) is not int or not MIN_SIDE <= side <= MAX_SIDE:
        raise NotationError(
            f"side: {quote(side)} is not a whole number from {MIN_SIDE} to {MAX_SIDE}"
        )
    grid = hexgrid(side)
    detaining = _spaces(grid, data["detaining"], "detaining")
    start = data["start"]
    if not isinstance(start, dict):
        raise NotationError(f"start: {quote(start)} is not a table with light and dark")
    _only_keys(start, {"light", "dark"}, "start.")
    light = _pieces(grid, start["light"], "start.light")
    if start["dark"] == HALF_TURN:
        dark = (grid.turn_mask(light[0]), grid.turn_mask(light[1]))
    else:
        dark = _pieces(grid, start["dark"], "start.dark")
    return make_board(name, side, detaining, Layout(*light, *dark))


def _only_keys(table: dict[str, Any], wanted: set[str], prefix: str) -> None:
    for key in table:
        if key not in wanted:
            raise NotationError(
                f"{quote(prefix + key)} is not a key here; the keys are "
                f"{', '.join(prefix + k for k in sorted(wanted))}"
            )
    for key in sorted(wanted):
        if key not in table:
            raise NotationError(f"the key {prefix}{key} is missing")


def _pieces(grid: HexGrid, data: object, where: str) -> tuple[int, int]:
    if not isinstance(data, dict):
        more = f" or {HALF_TURN!r}" if where == "start.dark" else ""
        raise NotationError(f"{where}: {quote(data)} is not a table of sentinels and shifs{more}")
    _only_keys(data, {"sentinels", "shifs"}, f"{where}.")
    return (
        _spaces(grid, data["sentinels"], f"{where}.sentinels"),
        _spaces(grid, data["shifs"], f"{where}.shifs"),
    )


def _spaces(grid: HexGrid, names: object, where: str) -> int:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise NotationError(f"{where}: {quote(names)} is not a list of names of spaces")
    mask = 0
    for name in names:
        try:
            bit = 1 << grid.number(name)
        except NotationError as error:
            raise NotationError(f"{where}: {error}") from None
        if mask & bit:
            raise NotationError(f"{where}: {name} is named twice")
        mask |= bit
    return mask


def _check_start(board: Board) -> None:
    grid, start = board.grid, board.start

    def named(mask: int) -> str:
        return ", ".join(grid.names_of(mask))

    if (board.detaining | start.occupied) & ~grid.everywhere:
        raise ImpossiblePositionError(f"a mask has bits beyond the {grid.n} spaces of the board")
    taken = 0
    for mask in start:
        if both := mask & taken:
            raise ImpossiblePositionError(f"start: two pieces stand on {named(both)}")
        taken |= mask
    if held := taken & board.detaining:
        raise ImpossiblePositionError(f"start: a piece stands on a detaining space: {named(held)}")
    for side, sentinels, shifs in (("Light", *start[:2]), ("Dark", *start[2:])):
        count = sentinels.bit_count()
        if not 1 <= count <= SENTINELS_A_SIDE:
            raise ImpossiblePositionError(
                f"start: {side} has {count} Sentinels, expected 1 or {SENTINELS_A_SIDE}"
            )
        if loose := grid.loose[sentinels, shifs]:
            raise ImpossiblePositionError(f"start: {side}'s Shif is not connected: {named(loose)}")
