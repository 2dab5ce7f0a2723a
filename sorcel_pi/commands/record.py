"""`sorcel record`: a game record checked, replayed and stepped through."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import Cascade, Game, format_action, parse_record
from ..rules.describe import count, describe_cascade, describe_outcome
from .common import read_text

if TYPE_CHECKING:
    from rich.console import Console


def record(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A game record; - is standard input.")
    ],
    step: Annotated[
        bool, typer.Option("--step", help="Go through it action by action: Enter, b for back, q.")
    ] = False,
    at: Annotated[
        int | None,
        typer.Option("--at", metavar="N", min=0, help="Show the position after N actions."),
    ] = None,
) -> None:
    """Check a game record by replaying it, and show its turns and how it ends.

    With --step, in a terminal, the board is shown after every action.
    """
    from .terminal import terminal

    game = parse_record(read_text(file))
    total = len(game.cascades)
    if at is not None and at > total:
        raise typer.BadParameter(f"the record has {count(total, 'action')}", param_hint="--at")
    console = terminal()
    if step and is_interactive():
        _step_through(console, game, at or 0)
        return
    _print_headers(console, game)
    shown = total if at is None else at
    _print_turns(console, game, shown)
    console.print()
    _print_position(console, game, shown)


def is_interactive() -> bool:
    """Whether a person is there to answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _print_position(console: "Console", game: Game, number: int) -> None:
    """Print the position after `number` actions; after the last one also how the game ended."""
    from .terminal import print_position

    if number < len(game.cascades):
        print_position(console, game.cascades[number].before)
        return
    ended = game.outcome
    status = None if ended is None else describe_outcome(*ended)
    print_position(console, game.position, status=status)


def _print_headers(console: "Console", game: Game) -> None:
    for key, text in game.headers.items():
        console.print(f"{key}: {printable(text)}", markup=False)


def printable(text: str) -> str:
    """Return `text` with whatever could command a terminal escaped."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _print_turns(console: "Console", game: Game, shown: int) -> None:
    """Print the first `shown` actions, one line for each turn."""
    board = game.start.board
    turn: list[str] = []
    number = 1
    for cascade in game.cascades[:shown]:
        turn.append(format_action(board, cascade.action))
        if cascade.after.steps_made == 0:
            console.print(_turn_line(number, cascade, turn))
            number += 1
            turn = []
    if turn:
        console.print(_turn_line(number, game.cascades[shown - 1], turn))


def _turn_line(number: int, cascade: Cascade, turn: list[str]) -> str:
    return f"{number:>4}. {cascade.before.side.word:5}  {' '.join(turn)}"


def _step_through(console: "Console", game: Game, number: int) -> None:
    """Show one position after the other, as the person at the keyboard wants."""
    total = len(game.cascades)
    while True:
        console.rule(f"{number} of {count(total, 'action')}", characters="-")
        if number:
            for sentence in describe_cascade(game.cascades[number - 1]):
                console.print(f"- {sentence}")
            console.print()
        _print_position(console, game, number)
        try:
            key = console.input("Enter: on, b: back, q: leave > ", markup=False).strip().lower()
        except EOFError:
            return
        if key.startswith("q") or (not key and number == total):
            return
        number = max(0, number - 1) if key.startswith("b") else min(total, number + 1)
