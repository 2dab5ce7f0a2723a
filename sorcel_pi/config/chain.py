"""Contacts behind 74HC165 registers in a chain: which input of which register each space has.

This is how the row boards of a board file are made, and what the driver `shift` takes for granted
unless the config has another order.  A place is the number of a bit as they come out: of the
register nearest to the controller first, its input H first.
"""

from itertools import groupby

from ..rules.board import Board

INPUTS = 8
"""Of a register: A to H."""
_WEST = 4
"""Inputs A to D are for the contacts west of a register, E to H for those east of it."""


def register_inputs(board: Board) -> tuple[tuple[int | None, ...], ...]:
    """Return the space at each input, A to H, of each register, from the controller on.

    An input that no space has is None; row boards tie it to 3.3 V, so that it always reads open.
    Each row of spaces has registers of its own, rows and spaces from the south-west.

    >>> from ..rules.board import standard_board
    >>> registers = register_inputs(standard_board())
    >>> len(registers), registers[0]
    (10, (0, 1, 2, 3, 4, None, None, None))
    """
    rows = groupby(range(board.grid.n), key=lambda space: round(board.grid.centre(space)[1], 6))
    groups = [
        spaces[k : k + INPUTS]
        for spaces in (tuple(row) for _, row in rows)
        for k in range(0, len(spaces), INPUTS)
    ]
    return tuple(map(_inputs, groups))


def _inputs(spaces: tuple[int, ...]) -> tuple[int | None, ...]:
    """Share out up to eight spaces of a row, from west to east; the last one is always east."""
    count = min(_WEST, len(spaces) - 1)
    found: list[int | None] = []
    for part in (spaces[:count], spaces[count:]):
        found += [*part, *[None] * (_WEST - len(part))]
    return tuple(found)


def chain_order(board: Board) -> tuple[int, ...]:
    """Return the place in the chain of row boards of each space."""
    at = {space: place for place, space in enumerate(_bits(board)) if space is not None}
    return tuple(at[space] for space in range(board.grid.n))


def spare_places(board: Board) -> int:
    """Return the mask of the places in the chain of row boards that no space has."""
    return sum(1 << place for place, space in enumerate(_bits(board)) if space is None)


def _bits(board: Board) -> list[int | None]:
    return [space for inputs in register_inputs(board) for space in reversed(inputs)]
