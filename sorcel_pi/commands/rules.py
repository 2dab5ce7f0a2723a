"""`sorcel rules`: the rules as a filter, for other programs.

One JSON object a line in, one a line out; the form of the answers is that of the rule vectors.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from .. import (
    Cascade,
    CascadeError,
    IllegalActionError,
    ImpossiblePositionError,
    NotationError,
    RuleSet,
    SorcelError,
    format_action,
    format_position,
    legal_actions,
    load_board,
    outcome,
    parse_action,
    resolve,
    standard_board,
)
from ..errors import quote
from ..rules.position import rule_set_from_data
from .common import named_by, position_from, rules_from_text

MAX_LINE = 1 << 20
"""Bytes of one line; a line with a position on the largest board has some 500."""

KINDS: dict[type[SorcelError], str] = {
    NotationError: "notation",
    IllegalActionError: "illegal",
    ImpossiblePositionError: "impossible",
    CascadeError: "cascade",
}


def rules() -> None:
    """Answer JSON lines from standard input, one JSON line each.

    A line is {"before": CODE, "action": TEXT}, with "rules" (a text such as "ahumm stake=2", or an
    object of settings) and "board" (the path of a board file) where they are needed. The answer
    gives before, action, after, legal (the actions of before), consequences and winner; or error
    and its kind: request, notation, impossible, illegal. Blank lines are skipped.
    """
    for line in _lines(sys.stdin.buffer):
        sys.stdout.write(json.dumps(answer(line)) + "\n")
        sys.stdout.flush()


def answer(line: bytes | None) -> dict[str, object]:
    """Return the answer to one line; None stands for a line that was too long to read."""
    try:
        return _answer(_request(line))
    except _RequestError as error:
        return {"error": str(error), "kind": "request"}
    except SorcelError as error:
        return {"error": str(error), "kind": KINDS.get(type(error), "other")}
    except Exception as error:  # a fault of the program must not end the conversation
        return {"error": f"unexpected {type(error).__name__}: {error}", "kind": "other"}


class _RequestError(ValueError):
    """The line is no request."""


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Yield the lines that are not blank, None for one that is too long."""
    while line := stream.readline(MAX_LINE + 1):
        if len(line) > MAX_LINE:
            while line and not line.endswith(b"\n"):
                line = stream.readline(MAX_LINE)
            yield None
        elif line.strip():
            yield line


def _request(line: bytes | None) -> dict[str, object]:
    if line is None:
        raise _RequestError(f"the line is longer than {MAX_LINE} bytes")
    try:
        request = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise _RequestError(f"the line is not UTF-8: {error.reason} at {error.start}") from None
    except RecursionError:
        raise _RequestError("the line is nested too deeply") from None
    except ValueError as error:
        raise _RequestError(f"the line is not JSON: {error}") from None
    if not isinstance(request, dict):
        raise _RequestError('the line is not an object such as {"before": ..., "action": ...}')
    return request


def _text(request: dict[str, object], key: str) -> str:
    value = request.get(key)
    if not isinstance(value, str):
        given = f"{quote(value)} is not a text" if key in request else "it is missing"
        raise _RequestError(f'"{key}": {given}')
    return value


def _rules(request: dict[str, object], code: str) -> RuleSet | None:
    """Return the rule set that is asked for; None leaves it to the code."""
    value = request.get("rules")
    match value:
        case None:
            return None
        case str():
            return rules_from_text(value, code)
        case dict():
            return rule_set_from_data({"name": named_by(code), **value})
        case _:
            raise _RequestError(f'"rules": {quote(value)} is neither a text nor an object')


def _answer(request: dict[str, object]) -> dict[str, object]:
    before, action = _text(request, "before"), _text(request, "action")
    board = standard_board()
    if request.get("board") is not None:
        board = load_board(Path(_text(request, "board")))
    position = position_from(before, board, _rules(request, before))
    return row_of(resolve(position, parse_action(board, action)))


def row_of(cascade: Cascade) -> dict[str, object]:
    """Return `cascade` in the form of the rule vectors."""
    board, ended = cascade.before.board, outcome(cascade.after)
    return {
        "before": format_position(cascade.before),
        "action": format_action(board, cascade.action),
        "after": format_position(cascade.after),
        "legal": [format_action(board, each) for each in legal_actions(cascade.before)],
        "consequences": [each.as_row(board.grid) for each in cascade.consequences],
        "winner": ended.word if ended else None,
    }
