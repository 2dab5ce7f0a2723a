"""What a page may ask for, read from JSON with every bound checked; what is not in form is refused.

A deed is asked of the table, a request of the simulated board's hands.  Whether it can be done now
is not known here.
"""

from collections.abc import Mapping
from math import isfinite
from typing import Any, NamedTuple

from ..errors import NotationError, quote
from .screen_hands import Request

MAX_TEXT = 4096
_REACH_MM = 1000.0

DEEDS: dict[str, tuple[tuple[str, type], ...]] = {
    "end_turn": (),
    "take_back": (),
    "accept": (),
    "show_all": (),
    "raise": (),
    "choose": (("number", int),),
    "resign": (("side", int),),
    "agree_draw": (),
    "next_game": (),
    "new_game": (("board", str), ("rules", str), ("light", str), ("dark", str)),
    "set_up": (),
    "clear": (),
    "lights": (("brightness", float), ("palette", str)),
    "lesson": (("step", str),),
    "answer": (("number", int), ("word", str)),
}
"""What a page can ask of a table, or of a calibration (`answer`), each with what belongs to it."""

HANDS = ("lift", "move", "drop", "back", "shaky")


class Deed(NamedTuple):
    """Something asked of the table."""

    name: str
    values: Mapping[str, Any]


def deed_of(data: Any) -> Deed:
    """Return what is asked for; `NotationError` says what is wrong with it.

    >>> deed_of({"do": "resign", "side": 1})
    Deed(name='resign', values={'side': 1})
    """
    name = data.get("do") if isinstance(data, dict) else None
    if not isinstance(name, str) or name not in DEEDS:
        raise NotationError(f"do: {quote(name)} is nothing that a table does")
    keys = DEEDS[name]
    extra = set(data) - {"do", *(key for key, _ in keys)}
    if extra:
        raise NotationError(f"{name}: {quote(sorted(extra)[0])} does not belong to it")
    return Deed(name, {key: _value(name, key, kind, data.get(key)) for key, kind in keys})


def _value(name: str, key: str, kind: Any, value: Any) -> Any:
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        raise NotationError(f"{name}: {key} is not as expected")
    if kind is str and len(value) > MAX_TEXT:
        raise NotationError(f"{name}: {key} is too long")
    if kind is str and not _is_text(value):
        raise NotationError(f"{name}: {key} has characters that are none")
    if kind is float and not (isfinite(value) and 0 <= value <= 1):
        raise NotationError(f"{name}: {key} is not from 0 to 1")
    if key == "side" and value not in (0, 1):
        raise NotationError(f"{name}: side is 0 or 1")
    return value


def _is_text(value: str) -> bool:
    """Whether it can be written: JSON can have halves of characters."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def request_of(client: int, data: Any) -> Request | None:
    """Return what a hand is asked to do, None if it is nothing of that kind.

    >>> request_of(7, {"hand": "drop", "x": 10, "y": -4.5})
    Request(client=7, what='drop', piece=-1, x=10.0, y=-4.5, slides=False)
    """
    what = data.get("hand") if isinstance(data, dict) else None
    if not isinstance(what, str) or what not in HANDS:
        return None
    x, y, piece = data.get("x", 0.0), data.get("y", 0.0), data.get("piece", -1)
    numbers = type(x) in (int, float) and type(y) in (int, float) and type(piece) is int
    if not numbers or not (abs(x) <= _REACH_MM and abs(y) <= _REACH_MM and -1 <= piece < 1000):
        raise NotationError("hand: expected a piece and a place")
    return Request(client, what, piece, float(x), float(y), data.get("slides") is True)
