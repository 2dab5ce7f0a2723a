"""`sorcel engine`: the engine as a program that speaks UGI on standard input and output."""

import sys
from contextlib import suppress

from .. import __version__


def engine() -> None:
    """Speak UGI on standard input and output, for match runners and for the table.

    A move is one action (c3d4, +c4, end, pass); p1 is Light. Options: Board (standard, or a board
    file as one JSON string), Rules, Level (1 to 10), Native, Seed. For cutegames set
    protocol.askturn; it adds the increment after every action.
    """
    from ..engine.program import Program
    from ..engine.ugi import Ugi

    # A line is written at once or, when nobody reads any more, never again.
    out = sys.stdout

    def say(line: str) -> None:
        with suppress(BrokenPipeError, ValueError):
            out.write(line + "\n")
            out.flush()

    Program(Ugi(f"Sorcel Pi {__version__}", "the Sorcel Pi developers"), say).run(sys.stdin.buffer)
