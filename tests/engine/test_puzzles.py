"""The puzzles: each a win in this turn, with exactly one layout of pieces that wins."""

import itertools
import json

import pytest

from sorcel_pi import NotationError, Position, legal_actions, outcome, parse_position, play
from sorcel_pi.engine import Puzzle, load_puzzles, puzzles_from_text, winning_turns
from sorcel_pi.engine.native import Library, NativeSearch
from sorcel_pi.engine.puzzles import MAX_TEXT, row_of, solutions

from .kit import BOARD, RULES, random_positions


def is_sound(puzzle: Puzzle) -> bool:
    """Look at every turn there is, in Python, by the rules alone."""
    found = winning_turns(puzzle.position)
    return list(found) == [puzzle.goal] and len(found[puzzle.goal]) == puzzle.actions


def test_there_are_enough_and_all_are_replayed_on_loading() -> None:
    puzzles = load_puzzles()
    assert len(puzzles) >= 200
    assert [each.number for each in puzzles] == list(range(1, len(puzzles) + 1))
    assert len({each.position.pieces for each in puzzles}) == len(puzzles)
    assert {each.actions for each in puzzles} == {2, 3, 4, 5}
    assert {each.position.side for each in puzzles} == {0, 1}


def test_some_have_one_solution() -> None:
    small = [each for each in load_puzzles() if each.position.steps_left <= 3]
    assert small
    assert all(map(is_sound, small[::12]))


def test_all_have_one_solution_in_c(library: Library) -> None:
    search = NativeSearch(library, BOARD, RULES[0], table_bits=4)
    for each in load_puzzles():
        assert search.wins(each.position) == (1, each.actions)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_all_have_one_solution(part: int) -> None:
    assert all(map(is_sound, load_puzzles()[part::8]))


def test_any_order_of_steps_is_right() -> None:
    puzzle = load_puzzles()[0]
    ends = [puzzle.position]
    orders = 0
    for _ in range(puzzle.actions):
        ends = [
            play(here, a)
            for here in ends
            if here.side == puzzle.position.side and outcome(here) is None
            for a in legal_actions(here)
        ]
    for end in ends:
        ended = outcome(end)
        won = ended is not None and ended.winner == puzzle.position.side
        assert puzzle.is_solved_by(end) == won
        if won:
            assert end.pieces == puzzle.goal
            orders += 1
    assert orders >= 1
    assert not puzzle.is_solved_by(puzzle.position)
    assert list(solutions(puzzle)) == [next(iter(winning_turns(puzzle.position).values()))]


def test_c_finds_the_wins_that_python_finds(library: Library) -> None:
    """In positions from anywhere, where wins are many."""

    def small(position: Position) -> bool:
        return position.steps_left <= 2 and outcome(position) is None

    some = list(itertools.islice(filter(small, random_positions(8)), 0, 600, 3))
    with_wins = 0
    for position in some:
        found = winning_turns(position)
        search = NativeSearch(library, position.board, position.rules, table_bits=4)
        fewest = min(map(len, found.values()), default=0)
        assert search.wins(position, 200) == (len(found), fewest)
        with_wins += bool(found)
    assert with_wins > 10


def test_a_search_for_wins_can_end_early() -> None:
    position = next(
        p for p in random_positions(8) if p.steps_left == 2 and len(winning_turns(p)) > 2
    )
    assert len(winning_turns(position, most=2)) == 2


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("[", "not JSON"),
        ("{}", "a list"),
        ("[5]", "an object"),
        ('[{"code": "5/5", "solution": ""}]', "five fields"),
        ('[{"code": "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -", "solution": "+a3"}]', "win"),
        ('[{"code": "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -", "solution": "a1a2"}]', "a1"),
        ("[" * 100_000, "not JSON"),
        (" " * (MAX_TEXT + 1), "characters"),
        (json.dumps([0] * 5_001), "at most"),
    ],
)
def test_a_file_that_is_none_is_refused(text: str, part: str) -> None:
    with pytest.raises(NotationError, match="puzzle") as caught:
        puzzles_from_text(text)
    assert part in str(caught.value)


def test_rows_are_read_back() -> None:
    puzzle = load_puzzles()[5]
    text = json.dumps([row_of(puzzle.position, puzzle.solution)])
    assert puzzles_from_text(text)[0].position == puzzle.position
    assert parse_position(json.loads(text)[0]["code"]) == puzzle.position
