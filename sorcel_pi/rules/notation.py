"""Text for spaces, actions and positions, both ways.

Every reader raises `NotationError` with the text and the place when it cannot be parsed; a
position code that can be parsed but cannot stand raises `ImpossiblePositionError`.
"""

import re

from ..errors import ImpossiblePositionError, NotationError, quote
from .actions import Action, EndTurn, Pass, Placement, Step, legal_actions, outcome
from .board import Board, Layout, standard_board
from .hexgrid import spaces_of
from .movegen import can_step
from .position import AHUMM, EGRESSIAN, PIECES, SIDES, Coins, Position, RuleSet, check_position

_ACTION = re.compile(r"(?:([a-o]\d{1,2})([a-o]\d{1,2})|\+([a-o]\d{1,2})(?:=(\d{1,7}))?)", re.A)
_PIECES = {piece.letter: piece for piece in PIECES}
_NUMBER = re.compile(r"0|[1-9]\d{0,6}", re.A)


def format_action(board: Board, action: Action) -> str:
    """Return the text of `action` on `board`: `c3d4`, `+c4`, `+c4=3`, `end` or `pass`.

    >>> format_action(standard_board(), Placement(12, 3))
    '+c2=3'
    """
    names = board.grid.names
    match action:
        case Step(origin, target):
            return f"{names[origin]}{names[target]}"
        case Placement(space, coins):
            return f"+{names[space]}" if coins is None else f"+{names[space]}={coins}"
        case EndTurn():
            return "end"
        case _:
            return "pass"


def parse_action(board: Board, text: str) -> Action:
    """Return the action that `text` names on `board`, whether or not it is legal anywhere.

    >>> parse_action(standard_board(), "c3d4")
    Step(origin=13, target=21)
    """
    if text == "end":
        return EndTurn()
    if text == "pass":
        return Pass()
    found = _ACTION.fullmatch(text)
    if found is None:
        raise NotationError(
            f"action {quote(text)}: expected a step (c3d4), a placement (+c4 or +c4=3), end or pass"
        )
    origin, target, space, coins = found.groups()
    try:
        if space is None:
            return Step(board.grid.number(origin), board.grid.number(target))
        return Placement(board.grid.number(space), None if coins is None else _whole(coins))
    except NotationError as error:
        raise NotationError(f"action {quote(text)}: {error}") from None


def format_position(position: Position) -> str:
    """Return the position code: rows, side, steps, reserves, coins.

    >>> from sorcel_pi import start_position
    >>> format_position(start_position(standard_board()))
    '5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -'
    """
    coins = "-" if position.coins is None else "/".join(map(str, position.coins))
    light, dark = position.reserve
    steps = f"{position.steps_left}/{position.steps_made}"
    rows = format_rows(position.board, position.pieces)
    return f"{rows} {position.side.letter} {steps} {light}/{dark} {coins}"


def format_rows(board: Board, pieces: Layout) -> str:
    """Return the first field of a position code: the rows from north to south."""
    letters = {
        space: piece.letter
        for piece, mask in zip(PIECES, pieces, strict=True)
        for space in spaces_of(mask)
    }
    rows = []
    for row in reversed(board.grid.rows):
        text, empty = "", 0
        for space in row:
            if space in letters:
                text += f"{empty or ''}{letters[space]}"
                empty = 0
            else:
                empty += 1
        rows.append(f"{text}{empty or ''}")
    return "/".join(rows)


def parse_position(code: str, board: Board | None = None, rules: RuleSet | None = None) -> Position:
    """Return the position that `code` describes on `board` (the standard one) under `rules`.

    Without `rules` a code with purses is Ahumm and one without is Egressian.  Raises
    `NotationError` when the code cannot be read, and `ImpossiblePositionError` when no game can
    come to stand like this.
    """
    board = standard_board() if board is None else board
    fields = code.split(" ")
    if len(fields) != 5:
        raise NotationError(
            f"position code {quote(code)}: expected five fields separated by single spaces (rows, "
            f"side, steps, reserves, coins), not {len(fields)}"
        )
    try:
        pieces = parse_rows(board, fields[0])
        if fields[1] not in ("l", "d"):
            raise NotationError(f"side {quote(fields[1])}: expected l or d")
        left, made = _parse_numbers("steps left/made", fields[2], 2)
        reserve = _parse_numbers("reserves", fields[3], 2)
        coins = None if fields[4] == "-" else Coins(*_parse_numbers("coins", fields[4], 4))
        if rules is None:
            rules = EGRESSIAN if coins is None else AHUMM
        side = SIDES["ld".index(fields[1])]
        position = Position(board, rules, pieces, side, left, made, coins)
        _check(position, (reserve[0], reserve[1]))
    except NotationError as error:
        raise NotationError(f"position code {quote(code)}: {error}") from None
    except ImpossiblePositionError as error:
        raise ImpossiblePositionError(f"position code {quote(code)}: {error}") from None
    return position


def _check(position: Position, reserve: tuple[int, int]) -> None:
    """Check what a code says beyond the position's own parts."""
    for side, said, real in zip(SIDES, reserve, position.reserve, strict=True):
        if said != real:
            total = position.rules.shifs
            raise ImpossiblePositionError(
                f"reserves: {side.word} shows {total - real} Shifs and has {said} in reserve, "
                f"expected {total} in total"
            )
    # A side that can only pass changes nothing, so the proximity rule does not come to be applied:
    # such a code is of use for trying the pass, and the rule vectors hold one.
    must_pass = list(legal_actions(position)) == [Pass()]
    check_position(position, proximity=not must_pass)
    left, made = position.steps_left, position.steps_made
    able = left and can_step(position.board, position.pieces, position.side)
    if made and not able and outcome(position) is None:
        raise ImpossiblePositionError(
            f"steps {left}/{made}: no step is possible, so the turn would have ended by itself"
        )


def parse_rows(board: Board, text: str) -> Layout:
    """Return the pieces that the first field of a position code shows on `board`."""
    grid = board.grid
    rows = text.split("/")
    if len(rows) != len(grid.rows):
        raise NotationError(
            f"rows {quote(text)}: expected {len(grid.rows)} rows on a board of side {grid.side}, "
            f"not {len(rows)}"
        )
    masks = [0, 0, 0, 0]
    for row, spaces in zip(rows, reversed(grid.rows), strict=True):
        name = grid.names[spaces[0]][0]
        place = 0
        for run, letter in re.findall(r"(\d+)|(\D)", row, re.A):
            if run:
                if run.startswith("0") or len(run) > 2:
                    raise NotationError(
                        f"row {name} {quote(row)}: {quote(run)} is not a number of empty spaces"
                    )
                place += int(run)
                continue
            if letter not in _PIECES:
                raise NotationError(
                    f"row {name} {quote(row)}: {quote(letter)} is not S, F, s, f or a number"
                )
            if place < len(spaces):
                masks[_PIECES[letter]] |= 1 << spaces[place]
            place += 1
        if place != len(spaces):
            raise NotationError(
                f"row {name} {quote(row)}: has {place} spaces, expected {len(spaces)}"
            )
    return Layout._make(masks)


def _parse_numbers(what: str, text: str, count: int) -> list[int]:
    parts = text.split("/")
    if len(parts) != count or not all(_NUMBER.fullmatch(part) for part in parts):
        form = "/".join(["number"] * count)
        raise NotationError(f"{what} {quote(text)}: expected {form}")
    return [int(part) for part in parts]


def _whole(text: str) -> int:
    """Return `text` as a whole number written without leading zeros."""
    if not _NUMBER.fullmatch(text):
        raise NotationError(f"coins {quote(text)}: expected a whole number without leading zeros")
    return int(text)
