"""`sorcel perft`: how many sequences of actions there are, to compare with other programs."""

import sys
from collections.abc import Iterable
from time import perf_counter
from typing import Annotated

import typer

from .. import Cascade, Position, format_action, resolve_all
from .. import perft as leaves_of
from .common import START, BoardOption, CodeOption, RulesOption, read_position

LONG = 5
"""From this depth on it takes more than a blink."""


def perft(
    depth: Annotated[int, typer.Argument(metavar="DEPTH", min=0, max=99, help="How many actions.")],
    code: CodeOption = START,
    board: BoardOption = None,
    rules: RulesOption = None,
    divide: Annotated[
        bool, typer.Option("--divide", help="Give the count below each first action.")
    ] = False,
) -> None:
    """Count the sequences of exactly DEPTH actions.

    A game that ended earlier counts nothing, one that ends there counts one.
    """
    position = read_position(code, board, rules)
    began = perf_counter()
    counts = _counts(position, depth)
    took = perf_counter() - began
    total = sum(counts.values())
    if divide:
        width = max(map(len, counts), default=0)
        for text, count in counts.items():
            print(f"{text:{width}}  {count}")
    speed = f", {total / took:.0f} a second" if took >= 0.001 else ""
    print(f"perft {depth}: {total} in {took:.2f} s{speed}")


def _counts(position: Position, depth: int) -> dict[str, int]:
    """Return the count below each first action; depth 0 counts one, below no action."""
    if depth == 0:
        return {"-": 1}
    board = position.board
    return {
        format_action(board, each.action): leaves_of(each.after, depth - 1)
        for each in _with_progress(resolve_all(position), depth)
    }


def _with_progress(branches: list[Cascade], depth: int) -> Iterable[Cascade]:
    """Return the branches; a bar on standard error follows them where it takes a while."""
    if depth < LONG or not is_watched():
        return branches
    from rich.console import Console
    from rich.progress import track

    console = Console(stderr=True)
    return track(branches, description=f"perft {depth}", console=console, transient=True)


def is_watched() -> bool:
    """Whether a person sees standard error."""
    return sys.stderr.isatty()
