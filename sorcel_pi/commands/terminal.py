"""Positions and legal actions in the terminal, with colour where there is colour.

Only plain ASCII is written, so that it can be read everywhere.  Importing this imports rich; a
command does so when it runs.
"""

from itertools import groupby

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .. import (
    Action,
    EndTurn,
    Placement,
    Position,
    Side,
    Step,
    format_action,
    format_position,
    legal_actions,
)
from ..rules.describe import count, describe_coins, describe_turn

WOOD = ("#3a2413 on #e6c48f", "#3a2413 on #dfb97f", "#3a2413 on #d8ae72")
HOLE = "#f2d9ae on #22150d"
DETAINED = {Side.LIGHT: "bold #fffbee on #22150d", Side.DARK: "bold #c9975f on #22150d"}
PIECE = {Side.LIGHT: "bold #000000 on #fffbee", Side.DARK: "bold #ffffff on #4a332a"}
LEGEND = "S Sentinel, F Shif, s f the same of Dark, o an empty hole, (f) a piece detained in one"


class _Terminal(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the command, which ends quietly."""
        raise BrokenPipeError


def terminal() -> Console:
    """Return the console on standard output."""
    return _Terminal(highlight=False, soft_wrap=True)


def board_text(position: Position) -> Text:
    """Return the board: letters of the rows on the left, numbers at the south-eastern ends."""
    grid = position.board.grid
    side = grid.side
    text = Text()
    for letter in reversed(range(len(grid.rows))):
        row = grid.rows[letter]
        text.append(f"{grid.names[row[0]][0]} ", "bold")
        text.append("  " * (2 * side - 1 - len(row)))
        for place, space in enumerate(row):
            text.append(" " if place else "", WOOD[1])
            text.append(*_cell(position, space))
        if letter < side - 1:  # the diagonals that leave the board here
            text.append(f"  {side + 1 + letter}", "bold")
        text.append("\n")
    ends = "".join(f"{number:^4}" for number in range(1, side + 1))
    text.append(f"  {'  ' * side}{ends}".rstrip(), "bold")
    return text


def _cell(position: Position, space: int) -> tuple[str, str]:
    """Return the three characters of a space, and their style."""
    hole = position.board.detaining >> space & 1
    piece = position.piece_at(space)
    if piece is not None:
        if hole:
            return f"({piece.letter})", DETAINED[piece.side]
        return f" {piece.letter} ", PIECE[piece.side]
    q, r = position.board.grid.axial[space]
    return (" o ", HOLE) if hole else (" . ", WOOD[(q - r) % 3])


def print_position(console: Console, position: Position, *, status: str | None = None) -> None:
    """Print the board and all else that belongs to the position; `status` for whose turn it is."""
    console.print(board_text(position))
    console.print(LEGEND, style="dim")
    console.print()
    console.print(status or describe_turn(position), style="bold")
    light, dark = position.reserve
    console.print(f"In reserve: Light {count(light, 'Shif')}, Dark {count(dark, 'Shif')}")
    if position.coins is not None:
        console.print(describe_coins(position))
    console.print(f"Board {position.board.name}, rules {position.rules}", markup=False)
    console.print(format_position(position), markup=False)


def print_actions(console: Console, position: Position) -> None:
    """Print the legal actions, by the piece that acts."""
    actions = legal_actions(position)
    if not actions:
        return
    console.print(count(actions.count(), "legal action"), style="bold")
    table = Table.grid(padding=(0, 2))
    for words, group in groupby(actions, key=lambda each: _actor(position, each)):
        texts = (format_action(position.board, each) for each in group)
        table.add_row(Text(words), Text(" ".join(texts)))
    console.print(table)
    if position.coins is not None and any(isinstance(each, Placement) for each in actions):
        console.print(f"(a placement pays the stake, {position.coins.stake}; +c4=9 pays 9)")


def _actor(position: Position, action: Action) -> str:
    match action:
        case Placement():
            return "place a Shif"
        case Step(origin):
            piece = position.piece_at(origin)
            kind = "Sentinel" if piece is not None and piece.is_sentinel else "Shif"
            return f"step with {kind} {position.board.grid.names[origin]}"
        case EndTurn():
            return "end the turn"
        case _:
            return "pass"
