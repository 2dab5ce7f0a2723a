"""Positions, actions and consequences in plain English.

For the description in a drawing, the terminal and the page.  It only reads values that the other
modules of the rules made; what is legal or what follows is not decided here.
"""

from collections.abc import Iterable

from .actions import Action, Cascade, EndTurn, Placement, Step, outcome
from .cascade import Consequence, Event
from .hexgrid import HexGrid
from .position import PIECES, SIDES, Position, Side

_CONSEQUENCES = {
    Event.PUSH: "the {piece} on {origin} is pushed to {target}",
    Event.DETAIN: "the {piece} on {origin} is pushed into {target} and detained",
    Event.RELEASE: "the {piece} detained in {origin} comes off the board",
    Event.OFF: "the {piece} on {origin} is pushed off the board",
    Event.STRAY: "the {piece} on {origin} is no longer connected and comes off the board",
}


def count(number: int, noun: str) -> str:
    """Return number and noun, the noun in the plural where it has to be.

    >>> count(1, "step"), count(3, "Shif")
    ('1 step', '3 Shifs')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def describe_action(position: Position, action: Action) -> str:
    """Return what the side to act in `position` does with `action`, such as `Light passes`."""
    names, who = position.board.grid.names, position.side.word.capitalize()
    match action:
        case Step(origin, target):
            piece = position.piece_at(origin)
            word = piece.word if piece is not None else f"{who} piece"
            return f"the {word} steps from {names[origin]} to {names[target]}"
        case Placement(space, coins):
            paid = "" if coins is None else f" and pays {count(coins, 'coin')}"
            return f"{who} places a Shif on {names[space]}{paid}"
        case EndTurn():
            return f"{who} ends the turn"
        case _:
            return f"{who} passes"


def describe_consequence(grid: HexGrid, consequence: Consequence) -> str:
    """Return what happens to the piece.

    >>> from sorcel_pi import Piece, hexgrid
    >>> describe_consequence(hexgrid(5), Consequence(Event.PUSH, Piece.DARK_SHIF, 0, 1, None))
    'the Dark Shif on a1 is pushed to a2'
    """
    origin, target = consequence.origin, consequence.target
    return _CONSEQUENCES[consequence.event].format(
        piece=consequence.piece.word,
        origin=grid.names[origin],
        target="" if target is None else grid.names[target],
    )


def describe_cascade(cascade: Cascade) -> list[str]:
    """Return the action and then its consequences, one sentence without a full stop for each."""
    grid = cascade.before.board.grid
    return [
        describe_action(cascade.before, cascade.action),
        *(describe_consequence(grid, each) for each in cascade.consequences),
    ]


def describe_turn(position: Position) -> str:
    """Return who is to act with how many steps, or how the game has ended."""
    ended = outcome(position)
    if ended is not None:
        return describe_outcome(ended.winner, ended.reason)
    made = f" and {position.steps_made} made" if position.steps_made else ""
    steps = count(position.steps_left, "step")
    return f"{position.side.word.capitalize()} to act, {steps} left{made}"


def describe_outcome(winner: Side | None, reason: str) -> str:
    """Return how a game has ended.

    >>> describe_outcome(None, "agreement")
    'The game is drawn (agreement)'
    """
    if winner is None:
        return f"The game is drawn ({reason})"
    return f"{winner.word.capitalize()} has won ({reason})"


def describe_position(position: Position) -> str:
    """Return the whole position in a few sentences."""
    board = position.board
    grid = board.grid
    parts = [describe_turn(position)]
    for piece, mask in zip(PIECES, position.pieces, strict=True):
        if on_hexes := mask & board.hexes:
            parts.append(f"{piece.word} on {_listed(grid.names_of(on_hexes))}")
        if held := mask & board.detaining:
            parts.append(f"{piece.word} detained in {_listed(grid.names_of(held))}")
    light, dark = position.reserve
    parts.append(f"In reserve: Light {count(light, 'Shif')}, Dark {count(dark, 'Shif')}")
    if position.coins is not None:
        parts.append(describe_coins(position))
    return ". ".join(parts) + "."


def describe_coins(position: Position) -> str:
    """Return purses, pot and stake; an empty text where no pot is played for."""
    coins = position.coins
    if coins is None:
        return ""
    purses = ", ".join(f"{side.word.capitalize()} {coins[side]}" for side in SIDES)
    return f"Purses: {purses}; pot {coins.pot}, stake {coins.stake}"


def _listed(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
