"""Puzzles: win in this turn, where exactly one position of the pieces wins.

Any order of steps that leads to it is right.  The package ships some hundreds, mined from games of
the engine (`make puzzles`); which turns win is found by looking at all of them.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources

from ..errors import NotationError, quote
from ..rules.actions import Action, legal_actions, outcome, play
from ..rules.board import Layout, standard_board
from ..rules.notation import format_action, format_position, parse_action, parse_position
from ..rules.position import Position

MAX_TEXT = 1 << 20
MAX_PUZZLES = 5_000


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle: `position` and a turn that solves it, with as few actions as can be."""

    number: int
    position: Position
    solution: tuple[Action, ...]

    @property
    def goal(self) -> Layout:
        """Where the pieces stand when it is solved."""
        position = self.position
        for action in self.solution:
            position = play(position, action)
        return position.pieces

    @property
    def actions(self) -> int:
        """How many actions it takes."""
        return len(self.solution)

    def is_solved_by(self, position: Position) -> bool:
        """Whether `position`, reached in the turn, is the end that wins."""
        ended = outcome(position)
        return ended is not None and ended.winner == self.position.side


def winning_turns(
    position: Position, *, most: int | None = None
) -> dict[Layout, tuple[Action, ...]]:
    """Return every layout of pieces that wins in this turn, with a shortest way to it.

    All turns are looked at, each position once; with `most` it stops at so many layouts.

    >>> position = parse_position("5/6/7/8/4s4/2F5/3S3/4S1/5 l 1/0 5/6 -")
    >>> [format_action(position.board, a) for a in next(iter(winning_turns(position).values()), ())]
    []
    """
    side = position.side
    found: dict[Layout, tuple[Action, ...]] = {}
    ways: dict[Position, tuple[Action, ...]] = {position: ()}
    front = [position]
    while front:
        following: list[Position] = []
        for here in front:
            for action in legal_actions(here):
                after = play(here, action)
                ended = outcome(after)
                if ended is not None and ended.winner == side:
                    found.setdefault(after.pieces, (*ways[here], action))
                    if most is not None and len(found) >= most:
                        return found
                elif ended is None and after.side == side and after not in ways:
                    ways[after] = (*ways[here], action)
                    following.append(after)
        front = following
    return found


def puzzle_from(number: int, row: object) -> Puzzle:
    """Return the puzzle of a row `{"code": ..., "solution": "c3d4 ..."}`, or `NotationError`."""
    if not isinstance(row, dict) or not isinstance(row.get("code"), str):
        raise NotationError(f"puzzle {number}: expected an object with code and solution")
    try:
        position = parse_position(row["code"])
        actions = tuple(
            parse_action(position.board, word) for word in str(row.get("solution", "")).split()
        )
        end = position
        for action in actions:
            end = play(end, action)
    except ValueError as error:
        raise NotationError(f"puzzle {number}: {error}") from None
    puzzle = Puzzle(number, position, actions)
    if not puzzle.is_solved_by(end):
        raise NotationError(f"puzzle {number}: {quote(row.get('solution'))} does not win")
    return puzzle


def puzzles_from_text(text: str) -> tuple[Puzzle, ...]:
    """Return the puzzles of a JSON text, each replayed; `NotationError` says what is wrong."""
    if len(text) > MAX_TEXT:
        raise NotationError(f"puzzles: more than {MAX_TEXT} characters")
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotationError(f"puzzles: not JSON: {error}") from None
    if not isinstance(rows, list) or len(rows) > MAX_PUZZLES:
        raise NotationError(f"puzzles: expected a list of at most {MAX_PUZZLES}")
    return tuple(puzzle_from(number, row) for number, row in enumerate(rows, 1))


@cache
def load_puzzles() -> tuple[Puzzle, ...]:
    """Return the puzzles that the package ships, easy ones first."""
    return puzzles_from_text(resources.files(__package__).joinpath("puzzles.json").read_text())


def row_of(position: Position, solution: tuple[Action, ...]) -> dict[str, str]:
    """Return the row that `puzzle_from` reads."""
    board = standard_board()
    words = " ".join(format_action(board, action) for action in solution)
    return {"code": format_position(position), "solution": words}


def solutions(puzzle: Puzzle) -> Iterator[tuple[Action, ...]]:
    """Yield one shortest turn for each layout that wins; a sound puzzle has one."""
    yield from winning_turns(puzzle.position).values()
