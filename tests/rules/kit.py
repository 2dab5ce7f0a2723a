"""What the tests of the rules share: the vectors, and boards, rules and games made at random."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from sorcel_pi import (
    Board,
    Cascade,
    Layout,
    Position,
    RuleSet,
    Side,
    hexgrid,
    legal_actions,
    mask_of,
    parse_position,
    resolve,
    spaces_of,
    start_position,
)
from sorcel_pi.rules.board import make_board

VECTORS = ("egressian", "ahumm")

DENSE = {
    "5/6/4fs1/7f/9/2FF1f1s/5S1/3F1F/4S l 3/0 2/3 -": (20, 306, 4_664),
    "5/6/f6/F7/2SF5/F7/f1sfF1F/3s2/1FS2 l 5/0 0/3 -": (19, 322, 5_261),
    "5/6/1f1s3/1f6/1SfS1f3/4s3/2F3F/6/5 d 4/0 4/2 -": (25, 410, 8_197),
    "5/6/6f/2F5/9/F7/2S4/Ff4/fssS1 l 2/0 3/3 -": (18, 158, 1_377),
    "2f2/2SffS/3ffF1/4s1f1/5s3/5F2/7/6/5 l 1/0 4/0 -": (8, 112, 1_831),
    "5/6/fSff3/1F1sF3/1S1F5/1s1F1f2/1F5/1F4/5 l 6/0 0/2 -": (21, 344, 5_664),
}
"""Positions full of pushes, and how many sequences of one, two and three actions they have."""

SEEDS = st.integers(0, 2**32 - 1)


def has_lost(position: Position, side: Side) -> bool:
    """Whether `side` has no Sentinel in play, or too many of its pieces are detained."""
    board, sentinels = position.board, position.pieces[2 * side]
    detained = (sentinels | position.pieces[2 * side + 1]) & board.detaining
    return not sentinels & board.hexes or detained.bit_count() >= position.rules.detained


def vector_rows(name: str) -> list[dict[str, Any]]:
    """Return the rows of one file of vectors."""
    path = Path(__file__).parent / "vectors" / f"{name}.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def vector_positions() -> list[Position]:
    """Return the positions of all vectors, before their action."""
    return [parse_position(row["before"]) for name in VECTORS for row in vector_rows(name)]


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Draw a board: up to a quarter of it detains, and every Shif is connected at the start."""
    side = draw(st.integers(3, 8))
    grid = hexgrid(side)
    order = random.Random(draw(SEEDS)).sample(range(grid.n), grid.n)
    holes = mask_of(order[: draw(st.integers(0, grid.n // 4))])
    taken = holes
    start = []
    for _ in ("light", "dark"):
        sentinels = shifs = 0
        for _ in range(draw(st.integers(1, 2))):
            sentinels |= 1 << next(k for k in order if not (taken | sentinels) >> k & 1)
        taken |= sentinels
        for _ in range(draw(st.integers(0, 6))):
            near = mask_of(j for k in spaces_of(sentinels | shifs) for j in spaces_of(grid.near[k]))
            if spot := next((k for k in order if (near & ~taken) >> k & 1), None):
                shifs |= 1 << spot
                taken |= shifs
        start += [sentinels, shifs]
    return make_board("at random", side, holes, Layout(*start))


@st.composite
def rule_sets(draw: st.DrawFn) -> RuleSet:
    """Draw a rule set with house rules that fit every drawn board."""
    shifs = draw(st.integers(6, 9))
    return RuleSet(
        name=draw(st.sampled_from(["egressian", "ahumm"])),
        shifs=shifs,
        detained=draw(st.sampled_from([3, 1, 2, 4, shifs + 2])),
        placement_pushes=draw(st.booleans()),
        early_end=draw(st.booleans()),
        repetition=draw(st.booleans()),
        purse=draw(st.integers(0, 6)),
        stake=draw(st.integers(1, 3)),
    )


@st.composite
def starts(draw: st.DrawFn) -> Position:
    """Draw the beginning of a game."""
    return start_position(draw(boards()), draw(rule_sets()))


def playout(start: Position, seed: int, length: int = 16) -> Iterator[Cascade]:
    """Yield the cascades of a game of at most `length` actions, many of them with consequences."""
    rng = random.Random(seed)
    position = start
    while length and (actions := list(legal_actions(position))):
        length -= 1
        for _ in range(rng.randint(1, 6)):  # tries to find one
            cascade = resolve(position, rng.choice(actions))
            if cascade.consequences:
                break
        yield cascade
        position = cascade.after


def positions_of(start: Position, seed: int, length: int = 16) -> Iterator[Position]:
    """Yield the positions of a playout, the start included."""
    yield start
    for cascade in playout(start, seed, length):
        yield cascade.after
