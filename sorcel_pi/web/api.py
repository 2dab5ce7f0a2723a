"""What a page may ask for: commands and hands, read from JSON with every bound checked.

What the table itself can be asked is a command of `table.commands`; what only a page asks for is
one of those here.  What is not in form is refused.  Whether it can be done now is not known here,
nor who does it: a `Controller`.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, Protocol

from ..errors import NotationError, quote
from ..players.seats import PERSON
from ..rules.position import Side
from ..table import commands
from .auth import Auth
from .broadcast import Broadcast
from .screen_hands import Request

MAX_TEXT = 4096
_REACH_MM = 1000.0

HANDS = ("lift", "move", "drop", "back", "shaky", "quick", "click", "take", "put", "end", "raise")


# -- what only a page asks for --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StartGame:
    """Leave the game for one of a new match; `board` is a board file, `standard`, or empty.

    `light` and `dark` are names, `light_seat` and `dark_seat` who plays: `person` or `engine:4`.
    """

    board: str
    rules: str
    light: str
    dark: str
    light_seat: str = PERSON
    dark_seat: str = PERSON


@dataclass(frozen=True, slots=True)
class StartNextGame:
    """Leave the game for the next one of the match."""


@dataclass(frozen=True, slots=True)
class ArrangePieces:
    """Put simulated pieces where the lights would lead them."""


@dataclass(frozen=True, slots=True)
class ClearBoard:
    """Put simulated pieces beside the board."""


@dataclass(frozen=True, slots=True)
class ChangeLights:
    """Show everything by another brightness (0 to 1) and the palette of this name."""

    brightness: float
    palette: str


@dataclass(frozen=True, slots=True)
class GoToLesson:
    """Begin the lesson or go to the `step` of this name, or `next`; `stop` ends it."""

    step: str


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """Answer the question of a calibration that has this `number`."""

    number: int
    word: str


@dataclass(frozen=True, slots=True)
class TakeSide:
    """Hold `side` from now on, or give it up if this browser holds it."""

    side: Side


@dataclass(frozen=True, slots=True)
class AnswerOffer:
    """Say yes (1) or no (0) to what the other side offers; no also takes back one's own."""

    yes: int


PageCommand = (
    commands.Command
    | TakeSide
    | AnswerOffer
    | StartGame
    | StartNextGame
    | ArrangePieces
    | ClearBoard
    | ChangeLights
    | GoToLesson
    | AnswerQuestion
)

COMMANDS: Mapping[str, type[PageCommand]] = {
    "end_turn": commands.EndTurn,
    "take_back": commands.TakeBack,
    "accept": commands.Accept,
    "show_all": commands.ShowAll,
    "raise": commands.RaiseStake,
    "choose": commands.Choose,
    "resign": commands.Resign,
    "agree_draw": commands.AgreeDraw,
    "next_game": StartNextGame,
    "new_game": StartGame,
    "set_up": ArrangePieces,
    "clear": ClearBoard,
    "lights": ChangeLights,
    "lesson": GoToLesson,
    "answer": AnswerQuestion,
    "side": TakeSide,
    "offer": AnswerOffer,
}
"""What a page may send as `do`; the fields of each come beside it under their own names."""


ABOUT_THE_GAME = (
    commands.EndTurn,
    commands.TakeBack,
    commands.Accept,
    commands.RaiseStake,
    commands.Choose,
    commands.Resign,
    commands.AgreeDraw,
    StartNextGame,
    StartGame,
)
"""Commands that mean the game as somebody saw it: of two that mean the same the second is late."""


OFFERED = (
    commands.TakeBack,
    commands.AgreeDraw,
    StartNextGame,
    StartGame,
    ClearBoard,
    GoToLesson,
)
"""Commands that concern both sides: where another browser holds one, it is asked first."""


class Controller(Protocol):
    """What the page's server needs of whoever it serves: a table, or a calibration.

    All of it may be called by the server's thread; whoever implements it sees to it that the
    loop's thread does what touches the table.
    """

    @property
    def broadcast(self) -> Broadcast:
        """What there is to see."""

    @property
    def auth(self) -> Auth:
        """Who may do more than look."""

    @property
    def has_hands(self) -> bool:
        """Whether the pieces are simulated, and are moved by hands on the screen."""

    def do(self, command: PageCommand, revision: int | None = None, browser: str = "") -> None:
        """Do what a page asks for, if the table still is at the revision that the page saw."""

    def joined(self, client: int, browser: str) -> None:
        """A line of a browser that has the code is open."""

    def left(self, client: int) -> None:
        """That line has ended."""

    def show_code(self) -> None:
        """Show the code at the table."""

    def move_hand(self, request: Request) -> None:
        """Let a hand do something, where there are any."""

    def games(self, before: int) -> dict[str, Any]:
        """Return the newest stored games with ids below `before`."""

    def game(self, number: int | None) -> dict[str, Any] | None:
        """Return a stored game, or the one that is played, position by position; None if none."""

    def record(self, number: int | None) -> str | None:
        """Return the record of a stored game, or of the one that is played; None without one."""

    def scan_log(self) -> Path | None:
        """Return where the scan log is, if there is one."""


# -- from JSON ------------------------------------------------------------------------------------


def parse_command(data: Any) -> PageCommand:
    """Return what is asked for; `NotationError` says what is wrong with it.

    >>> parse_command({"do": "resign", "side": 1})
    Resign(side=<Side.DARK: 1>)
    """
    name = data.get("do") if isinstance(data, dict) else None
    if not isinstance(name, str) or name not in COMMANDS:
        raise NotationError(f"do: {quote(name)} is nothing that a table does")
    kind = COMMANDS[name]
    types = {f.name: f.type for f in fields(kind) if f.name in data or f.default is MISSING}
    extra = set(data) - {"do", "revision", *types}
    if extra:
        raise NotationError(f"{name}: {quote(sorted(extra)[0])} does not belong to it")
    values: dict[str, Any] = {}
    for key, wanted in types.items():
        try:
            values[key] = _READERS[wanted](data.get(key))
        except NotationError as error:
            raise NotationError(f"{name}: {key} {error}") from None
    return kind(**values)


def parse_revision(data: Mapping[str, Any]) -> int | None:
    """Return the revision of the table that a command is about, None where it names none.

    >>> parse_revision({"do": "take_back", "revision": 7})
    7
    """
    if data.get("revision") is None:
        return None
    try:
        return _integer(data["revision"])
    except NotationError as error:
        raise NotationError(f"revision: {error}") from None


def _integer(value: Any) -> int:
    if type(value) is not int:
        raise NotationError("is not as expected")
    return value


def _side(value: Any) -> Side:
    if _integer(value) not in (0, 1):
        raise NotationError("is 0 or 1")
    return Side(value)


def _fraction(value: Any) -> float:
    if type(value) not in (int, float):
        raise NotationError("is not as expected")
    if not 0 <= value <= 1:
        raise NotationError("is not from 0 to 1")
    return float(value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise NotationError("is not as expected")
    if len(value) > MAX_TEXT:
        raise NotationError("is too long")
    try:
        value.encode()
    except UnicodeEncodeError:  # JSON can have halves of characters
        raise NotationError("has characters that are none") from None
    return value


_READERS: Mapping[Any, Callable[[Any], Any]] = {
    int: _integer,
    Side: _side,
    float: _fraction,
    str: _text,
}


def parse_request(client: int, data: Any) -> Request | None:
    """Return what a hand is asked to do, None if it is nothing of that kind.

    >>> parse_request(7, {"hand": "drop", "x": 10, "y": -4.5})
    Request(client=7, what='drop', piece=-1, x=10.0, y=-4.5, slides=False, revision=0)
    """
    what = data.get("hand") if isinstance(data, dict) else None
    if not isinstance(what, str) or what not in HANDS:
        return None
    x, y, piece = data.get("x", 0.0), data.get("y", 0.0), data.get("piece", -1)
    numbers = type(x) in (int, float) and type(y) in (int, float) and type(piece) is int
    if not numbers or not (abs(x) <= _REACH_MM and abs(y) <= _REACH_MM and -1 <= piece < 1000):
        raise NotationError("hand: expected a piece and a place")
    slides, revision = data.get("slides") is True, parse_revision(data) or 0
    return Request(client, what, piece, float(x), float(y), slides, revision)
