"""`sorcel puzzle`: win in this turn."""

import sys
from typing import Annotated

import typer

from .. import format_action, format_position, outcome, parse_action, play
from ..errors import SorcelError


def puzzle(
    number: Annotated[
        int | None, typer.Argument(metavar="[N]", help="Which one; without it they are listed.")
    ] = None,
    solve: Annotated[
        bool, typer.Option("--solve", help="Show a solution instead of asking for one.")
    ] = False,
) -> None:
    """Show puzzle N and ask for the turn that wins; any order that leads there is right.

    Type one action after the other (c3d4, +c4, end), b to go back, q to leave.
    """
    from ..engine import load_puzzles

    puzzles = load_puzzles()
    if number is None:
        for each in puzzles:
            typer.echo(
                f"{each.number:>4}  {each.actions} actions  {format_position(each.position)}"
            )
        return
    if not 1 <= number <= len(puzzles):
        raise SorcelError(f"puzzle {number}: there are puzzles 1 to {len(puzzles)}")
    chosen = puzzles[number - 1]
    board, side = chosen.position.board, chosen.position.side
    if solve:
        typer.echo(" ".join(format_action(board, action) for action in chosen.solution))
        return
    stack = [chosen.position]
    typer.echo(f"{stack[-1]}\n{side.word.capitalize()} wins in this turn.")
    while True:
        typer.echo("> ", nl=False)
        word = sys.stdin.readline()
        if not word or word.strip() == "q":
            return
        if word.strip() == "b":
            stack = stack[:-1] or stack
        else:
            try:
                stack.append(play(stack[-1], parse_action(board, word.strip())))
            except SorcelError as error:
                typer.echo(str(error))
                continue
        if chosen.is_solved_by(stack[-1]):
            typer.echo("Solved.")
            return
        if stack[-1].side != side or outcome(stack[-1]) is not None:
            typer.echo("That does not win; back to the beginning.")
            stack = [chosen.position]
        typer.echo(str(stack[-1]))
