"""`sorcel hint`: what the engine would play, and why."""

from typing import Annotated

import typer

from .. import format_action
from ..errors import SorcelError
from .common import START, BoardOption, CodeOption, RulesOption, read_position


def hint(
    code: CodeOption = START,
    press: Annotated[
        int,
        typer.Option(
            "--press", metavar="N", min=1, max=3, help="1: which piece, 2: the turn, 3: why."
        ),
    ] = 3,
    board: BoardOption = None,
    rules: RulesOption = None,
) -> None:
    """Say which piece to play in a position, then the whole turn, then why."""
    from ..engine import Engine
    from ..engine import hint as find

    position = read_position(code, board, rules)
    engine = Engine(position.board, position.rules)
    try:
        found = find(engine, position)
    finally:
        engine.close()
    if found is None:
        raise SorcelError("the game is over: there is no hint")
    names = position.board.grid.names
    if found.piece is not None:
        piece = names[found.piece]
    else:
        piece = "one from the reserve" if found.places else "none"
    typer.echo(f"piece: {piece}")
    if press >= 2:
        turn = " ".join(format_action(position.board, action) for action in found.turn)
        typer.echo(f"turn: {turn}  (chance {found.thought.chance:.0%})")
    if press == 3:
        typer.echo(f"why: {found.why or 'the engine sees no single reason'}")
