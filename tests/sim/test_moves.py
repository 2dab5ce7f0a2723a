"""What people do with their hands leads to what the rules say, and is possible step by step."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from sorcel_pi import Cascade, EndTurn, Pass, Piece, Step, parse_position, resolve_all
from sorcel_pi.rules.hexgrid import spaces_of
from sorcel_pi.rules.position import PIECES, shif
from sorcel_pi.sim.choice import CHOICES
from sorcel_pi.sim.moves import Move, by_the_rules, to_the_end

HARD = (
    "2fff/1fss2/2f4/3f4/9/3FF3/4F2/2S1SF/2F1F l 1/5 0/0 -",
    "5/6/4fs1/7f/9/2FF1f1s/5S1/3F1F/4S l 3/0 2/3 -",
    "5/6/f6/F7/2SF5/F7/f1sfF1F/3s2/1FS2 l 5/0 0/3 -",
    "5/6/1f1s3/1f6/1SfS1f3/4s3/2F3F/6/5 d 4/0 4/2 -",
    "5/6/6f/2F5/9/F7/2S4/Ff4/fssS1 l 2/0 3/3 -",
    "2f2/2SffS/3ffF1/4s1f1/5s3/5F2/7/6/5 l 1/0 4/0 -",
    "5/6/fSff3/1F1sF3/1S1F5/1s1F1f2/1F5/1F4/5 l 6/0 0/2 -",
    "5/6/7/5F2/2f6/1S1Sf3/2f1f2/1Fs3/2ffs l 2/1 4/0 -",
)


def cascades() -> Iterator[Cascade]:
    """Yield every step and placement of the hard positions and of some from the vectors."""
    codes = [*HARD]
    vectors = Path(__file__).parents[1] / "rules" / "vectors" / "egressian.jsonl"
    if vectors.exists():
        lines = vectors.read_text(encoding="utf-8").splitlines()
        codes += [json.loads(line)["before"] for line in lines[::10]]
    for code in codes:
        for cascade in resolve_all(parse_position(code)):
            if not isinstance(cascade.action, EndTurn | Pass):
                yield cascade


def carry_out(cascade: Cascade, moves: list[Move], truth: dict[int, int]) -> dict[int, int]:
    """Return where the wooden pieces stand after the moves; each must be possible."""
    grid = cascade.before.board.grid
    at = dict(truth)
    for move in moves:
        where = {number: space for space, number in at.items()}
        if move.direction is None:
            (number,) = move.pieces
            at.pop(where.get(number, -1), None)
            if move.target is not None:
                assert move.target not in at
                at[move.target] = number
            continue
        line = [where[number] for number in move.pieces]
        on = [grid.neighbours[space][move.direction] for space in line]
        assert line[1:] == on[:-1]
        assert on[-1] not in at or on[-1] < 0
        for space in line:
            del at[space]
        at |= {space: n for space, n in zip(on, move.pieces, strict=True) if space >= 0}
    return at


@pytest.mark.parametrize("seed", range(3))
def test_all_ways_lead_to_what_the_rules_say(seed: int) -> None:
    rng = Random(seed)
    rings = 0
    for cascade in cascades():
        before = cascade.before
        placed = dict(before.placed())
        truth = {space: number for number, space in enumerate(placed)}
        kinds = dict(enumerate(placed.values()))
        actor = 99
        kinds[actor] = shif(before.side)
        if isinstance(cascade.action, Step):
            actor = truth[cascade.action.origin]
        after: dict[int, Piece] = {
            space: piece
            for piece, mask in zip(PIECES, cascade.after.pieces, strict=True)
            for space in spaces_of(mask)
        }
        shoved = by_the_rules(cascade, truth, actor, rng, shoves=0.5)
        ended = to_the_end(cascade, truth, actor, rng, foes_first=seed > 0)
        rings += ended is None
        for moves in (shoved, ended):
            if moves is None:
                continue
            assert sum(move.acts for move in moves) == 1
            stands = carry_out(cascade, moves, truth)
            assert {space: kinds[n] for space, n in stands.items()} == after
    assert rings < 100


@pytest.mark.parametrize("name", sorted(CHOICES))
def test_what_is_chosen_is_legal(name: str) -> None:
    rng = Random(name)
    for code in HARD:
        position = parse_position(code)
        legal = [cascade.action for cascade in resolve_all(position)]
        for _ in range(5):
            assert CHOICES[name](position, rng, 0) in legal
