"""The text of a game record: headers like PGN's, then words with comments in braces::

    [Board "standard"]
    [Rules "egressian"]

    1. c3d4 c4d5 end {a comment}
    2. +h5

It knows only the form; what board, rules and words mean is settled in `game`.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from ..errors import NotationError, SorcelError, quote

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_HEADER = re.compile(rf'\[({_NAME.pattern}) (".*")\]')
_NUMBER = re.compile(r"\d+\.*", re.A)
OWN_HEADERS = (
    "Board",
    "BoardSide",
    "BoardDetaining",
    "BoardStart",
    "Rules",
    "Start",
    "Result",
    "Reason",
)
"""The headers that a record writes itself; the others are free texts."""


class Header(NamedTuple):
    """The text of a header, and the line on which it stands."""

    line: int
    text: str


def check_names(headers: Mapping[str, str]) -> None:
    """Refuse names of headers that could not be read back, or that a record writes itself."""
    for key in headers:
        if not _NAME.fullmatch(key) or key in OWN_HEADERS:
            raise NotationError(
                f"header {quote(key)}: expected a name of ASCII letters, digits and _, other than "
                f"{', '.join(OWN_HEADERS)}"
            )


def write(headers: Mapping[str, str], turns: Iterable[Iterable[str]]) -> str:
    """Return the text with these headers and the words of each turn on a numbered line."""
    # A header's text is a JSON string, so that any name of a board or a player survives.
    lines = [f"[{key} {json.dumps(text, ensure_ascii=False)}]" for key, text in headers.items()]
    numbered = [f"{number}. {' '.join(turn)}" for number, turn in enumerate(turns, 1)]
    return "\n".join([*lines, "", *numbered, ""])


@contextmanager
def on_line(number: int) -> Iterator[None]:
    """Let errors name the line."""
    try:
        yield
    except SorcelError as error:
        raise type(error)(f"line {number}: {error}") from None


def read_headers(lines: Sequence[str]) -> tuple[dict[str, Header], int]:
    """Return the headers by name, and how many lines there are before the actions."""
    headers: dict[str, Header] = {}
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        if not stripped:
            continue
        if not stripped.startswith("["):
            return headers, number - 1
        with on_line(number):
            name, text = _read_header(stripped)
            if name in headers:
                raise NotationError(f"the header {name} is given twice")
            headers[name] = Header(number, text)
    return headers, len(lines)


def _read_header(line: str) -> tuple[str, str]:
    found = _HEADER.fullmatch(line)
    try:
        if found is not None:
            return found[1], str(json.loads(found[2], strict=False))
    except ValueError:
        pass
    raise NotationError(f'{quote(line)}: expected [Name "text"], with \\" and \\\\ in the text')


def words(lines: Sequence[str], body: int) -> Iterator[tuple[int, str]]:
    """Yield (line, word) for the words after line `body`, without comments and numbers of turns.

    Raises `NotationError` for a comment without an end.
    """
    opened = 0
    for number, line in enumerate(lines[body:], body + 1):
        for part in re.split(r"([{}])", line):
            if part == "{":
                opened = number
            elif part == "}":
                opened = 0
            elif not opened:
                yield from ((number, word) for word in part.split() if not _NUMBER.fullmatch(word))
    if opened:
        raise NotationError(f"line {opened}: a comment begins here and has no }}")
