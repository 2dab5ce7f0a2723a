"""What the commands share: options, reading positions and files, what happens on a failure.

Nothing here imports the terminal's library, so a command that writes plain text starts quickly.
"""

import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Annotated, NoReturn, ParamSpec

import typer

from .. import (
    Board,
    NotationError,
    Position,
    RuleSet,
    SorcelError,
    load_board,
    parse_position,
    rule_set_from_text,
    standard_board,
    start_position,
)
from ..errors import quote

START = "start"
"""What stands for the code of the position that a game starts from."""

MAX_FILE = 1 << 24
"""Bytes of a text file that are read; a record of a thousand turns has some 20 000."""

CodeArgument = Annotated[
    str, typer.Argument(metavar="[CODE]", help="A position code in quotes, or: start.")
]
CodeOption = Annotated[
    str, typer.Option("--code", metavar="CODE", help="A position code in quotes, or: start.")
]
BoardOption = Annotated[
    Path | None,
    typer.Option("--board", metavar="FILE", help="A board file; without it the standard board."),
]
RulesOption = Annotated[
    str | None,
    typer.Option(
        "--rules", metavar="TEXT", help='A rule set, with house rules such as "ahumm stake=2".'
    ),
]


def read_position(code: str, board: Path | None, rules: str | None) -> Position:
    """Return the position that `code` stands for, on the board in the file `board`."""
    where = standard_board() if board is None else load_board(board)
    if code == START:
        return start_position(where, *([] if rules is None else [rule_set_from_text(rules)]))
    return position_from(code, where, None if rules is None else rules_from_text(rules, code))


def position_from(code: str, board: Board, rules: RuleSet | None) -> Position:
    """Return the position of `code`; surrounding blanks, as from a file, do not matter."""
    return parse_position(code.strip(), board, rules)


def rules_from_text(text: str, code: str) -> RuleSet:
    """Return the rule set of `text`; house rules without a name take the one that `code` needs."""
    first, *_ = text.split() or [""]
    return rule_set_from_text(text if first and "=" not in first else f"{named_by(code)} {text}")


def named_by(code: str) -> str:
    """Return the name of the rule set that `code` needs: Ahumm where it has purses."""
    return "egressian" if code.rstrip().endswith(" -") else "ahumm"


def read_text(path: Path) -> str:
    """Return the text of the file at `path`, of standard input for `-`."""
    try:
        if str(path) == "-":
            data = sys.stdin.buffer.read(MAX_FILE + 1)
        else:
            with path.open("rb") as file:
                data = file.read(MAX_FILE + 1)
    except OSError as error:
        raise SorcelError(f"{quote(path)} cannot be read: {reason_of(error)}") from None
    if len(data) > MAX_FILE:
        raise NotationError(f"{quote(path)} is longer than {MAX_FILE >> 20} MiB")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotationError(f"{quote(path)} is not a text in UTF-8: {error}") from None


def write_text(path: Path, text: str) -> None:
    """Write `text` into the file at `path`, to standard output for `-`."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path, data: bytes) -> None:
    """Write `data` into the file at `path`, to standard output for `-`."""
    if str(path) == "-":
        sys.stdout.buffer.write(data)
        return
    try:
        path.write_bytes(data)
    except OSError as error:
        raise SorcelError(f"{quote(path)} cannot be written: {reason_of(error)}") from None


def reason_of(error: OSError) -> str:
    """Return what went wrong without number and path, such as `No such file or directory`."""
    return error.strerror or str(error)


# -- failures -------------------------------------------------------------------------------------


P = ParamSpec("P")


def guarded(command: Callable[P, None]) -> Callable[P, None]:
    """Return `command` with failures turned into one line and an exit code, as `cli` promises."""

    @wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
            sys.stdout.flush()
        except BrokenPipeError:
            _leave_quietly()
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except SorcelError as error:
            _fail(str(error))
        except OSError as error:
            _fail(str(error))
        except Exception as error:
            _fail(
                f"unexpected {type(error).__name__}: {error} (this is a fault of the program; "
                "SORCEL_DEBUG=1 shows where)"
            )

    return run


def _fail(message: str) -> NoReturn:
    if os.environ.get("SORCEL_DEBUG") == "1":
        traceback.print_exc()
    print(f"sorcel: {' '.join(message.splitlines())}", file=sys.stderr)
    raise typer.Exit(1)


def _leave_quietly() -> NoReturn:
    """End because nobody reads on, as in `sorcel ... | head`; what is still buffered is dropped."""
    with suppress(OSError, ValueError):  # where it is no real file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    raise typer.Exit(0)
