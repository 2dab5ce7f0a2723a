"""`sorcel picture`: a position or a cascade as an SVG file."""

from pathlib import Path
from typing import Annotated

import typer

from .. import parse_action, resolve
from .common import START, BoardOption, CodeArgument, RulesOption, read_position, write_text


def picture(
    code: CodeArgument = START,
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Where to write it; - is standard output.")
    ] = Path("-"),
    action: Annotated[
        str | None,
        typer.Option("--action", metavar="TEXT", help="Draw this action and what follows from it."),
    ] = None,
    names: Annotated[bool, typer.Option("--names", help="Write its name in each space.")] = False,
    board: BoardOption = None,
    rules: RulesOption = None,
) -> None:
    """Draw a position, or with --action a cascade, as SVG.

    The action is a broad hollow arrow; numbered arrows are what follows, in the order of the rules;
    a crossed ring is a piece that comes off where it stands.
    """
    from ..rules.svg import draw_cascade, draw_position

    position = read_position(code, board, rules)
    if action is None:
        write_text(out, draw_position(position, names=names))
    else:
        cascade = resolve(position, parse_action(position.board, action))
        write_text(out, draw_cascade(cascade, names=names))
