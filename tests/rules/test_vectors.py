"""The vectors: positions with all legal actions, and one of them with all that it leads to."""

from typing import Any

import pytest

from sorcel_pi import (
    ImpossiblePositionError,
    format_action,
    format_position,
    legal_actions,
    outcome,
    parse_action,
    parse_position,
    resolve,
    start_position,
)

from .kit import VECTORS, vector_rows

ROWS = {f"{name}-{k}": row for name in VECTORS for k, row in enumerate(vector_rows(name))}

# Two Shifs stand unconnected here, while the side to act can only pass.  The rules say that no game
# comes to stand like this, yet the vectors hold it, so the parser lets unconnected Shifs through
# where only a pass is legal.  After the pass something else is legal, so that code is refused.
UNCONNECTED = "egressian-601"


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS.keys())
def test_vector(row: dict[str, Any]) -> None:
    before = parse_position(row["before"])
    board = before.board
    assert format_position(before) == row["before"]
    assert [format_action(board, action) for action in legal_actions(before)] == row["legal"]
    cascade = resolve(before, parse_action(board, row["action"]))
    told = [consequence.as_row(board.grid) for consequence in cascade.consequences]
    assert told == row["consequences"]
    assert format_position(cascade.after) == row["after"]
    ended = outcome(cascade.after)
    assert (ended.word if ended else None) == row["winner"]


@pytest.mark.parametrize("name", ROWS)
def test_the_code_after_can_be_read(name: str) -> None:
    code = ROWS[name]["after"]
    if name == UNCONNECTED:
        with pytest.raises(ImpossiblePositionError, match="Dark's Shif is not connected"):
            parse_position(code)
    else:
        assert format_position(parse_position(code)) == code


def test_unconnected_shifs_come_off_at_the_next_step() -> None:
    """After the pass of that vector Dark steps, and the proximity rule is for both sides."""
    row = ROWS[UNCONNECTED]
    before = parse_position(row["before"])
    passed = resolve(before, parse_action(before.board, row["action"])).after
    cascade = resolve(passed, parse_action(before.board, "h6i6"))
    assert {each.as_row(before.board.grid)[0] for each in cascade.consequences} == {"stray"}
    assert parse_position(format_position(cascade.after)) == cascade.after


def test_the_vectors_begin_at_the_standard_start() -> None:
    before = parse_position(ROWS["egressian-0"]["before"])
    assert before == start_position(before.board)
