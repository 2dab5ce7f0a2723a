"""Relocations: as few as any order could do with, each possible when its turn comes."""

import json
from collections import deque
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorcel_pi import Piece, hexgrid, parse_position, resolve_all
from sorcel_pi.rules.position import PIECES
from sorcel_pi.table.judging import standing_of
from sorcel_pi.table.relocation import Relocation, lifts, plan

GRID = hexgrid(3)
VECTORS = Path(__file__).parents[1] / "rules" / "vectors" / "egressian.jsonl"


def carried_out(
    standing: Mapping[int, Piece | None], moves: list[Relocation], hand: list[Piece]
) -> tuple[dict[int, Piece | None], list[Piece]]:
    """Do the relocations and return what stands and what is in the hand; each must be possible."""
    now = dict(standing)
    hand = list(hand)
    for move in moves:
        if move.origin is not None:
            piece = now.pop(move.origin)
        elif move.held:
            assert move.piece is not None
            hand.remove(move.piece)
            piece = move.piece
        else:
            piece = move.piece
        assert piece is move.piece
        if move.target is not None:
            assert move.target not in now, f"{move} leads onto another piece"
            now[move.target] = piece
    return now, hand


def fewest(standing: Mapping[int, Piece], wanted: Mapping[int, Piece], spaces: int) -> int:
    """Return by brute force how many pieces must be lifted or brought, whatever the order."""
    start, goal = frozenset(standing.items()), frozenset(wanted.items())
    todo = deque([(start, 0)])
    seen = {start}
    while todo:
        state, cost = todo.popleft()
        if state == goal:
            return cost
        now = dict(state)
        following = []
        for space, piece in now.items():
            rest = {k: v for k, v in now.items() if k != space}
            following.append(rest)
            following += [rest | {k: piece} for k in range(spaces) if k not in now]
        for space in range(spaces):
            if space not in now:
                following += [now | {space: piece} for piece in set(wanted.values())]
        for after in following:
            code = frozenset(after.items())
            if code not in seen:
                seen.add(code)
                todo.append((code, cost + 1))
    raise AssertionError("no way")


layouts = st.dictionaries(st.integers(0, 4), st.sampled_from(PIECES[:3]), max_size=4)


@given(layouts, layouts)
def test_no_way_needs_fewer_lifts(standing: dict[int, Piece], wanted: dict[int, Piece]) -> None:
    # Five spaces are searched by brute force; the sixth is free, for rings to be opened.
    moves = plan(GRID, standing, wanted, hexes=0b111111)
    assert carried_out(standing, moves, [])[0] == wanted
    assert lifts(moves) == fewest(standing, wanted, 6)


@given(
    st.dictionaries(st.integers(0, 15), st.sampled_from([*PIECES, None]), max_size=12),
    st.dictionaries(st.integers(0, 15), st.sampled_from(PIECES), max_size=12),
    st.lists(st.sampled_from(PIECES), max_size=3),
)
def test_every_relocation_is_possible_when_its_turn_comes(
    standing: dict[int, Piece | None], wanted: dict[int, Piece], hand: list[Piece]
) -> None:
    moves = plan(GRID, standing, wanted, hand=hand)
    now, left = carried_out(standing, moves, hand)
    assert now == wanted
    assert left == []
    for move in moves:
        if move.piece is None:
            assert move.target is None, "an unknown piece is led to a place"


def test_a_ring_is_opened_over_the_nearest_hex_that_nobody_needs() -> None:
    a, b = GRID.number("c3"), GRID.number("c4")
    standing = {a: Piece.LIGHT_SHIF, b: Piece.DARK_SHIF}
    moves = plan(GRID, standing, {a: Piece.DARK_SHIF, b: Piece.LIGHT_SHIF})
    assert [move.detour for move in moves] == [True, False, False]
    assert moves[0].target is not None and moves[0].origin is not None
    assert GRID.distance(moves[0].origin, moves[0].target) == 1


def test_two_rings_that_share_a_kind_are_done_as_one() -> None:
    light, dark, tall = Piece.LIGHT_SHIF, Piece.DARK_SHIF, Piece.LIGHT_SENTINEL
    standing = {0: light, 1: dark, 5: light, 6: tall}
    wanted = {0: dark, 1: light, 5: tall, 6: light}
    assert lifts(plan(GRID, standing, wanted)) == 5


def test_what_is_in_the_hand_goes_first_and_surplus_leaves_before_others_come() -> None:
    light, dark = Piece.LIGHT_SHIF, Piece.DARK_SHIF
    moves = plan(GRID, {0: dark, 3: light}, {0: light, 7: light}, hand=[light], hand_at=3)
    assert moves[0].held and moves[0].target == 7
    assert moves[1] == Relocation(dark, 0, None)
    assert moves[2] == Relocation(light, 3, 0)


def test_hints_settle_ties_as_the_rules_moved_the_pieces() -> None:
    light = Piece.LIGHT_SHIF
    a, b, c, d = (GRID.number(name) for name in ("c2", "c3", "b2", "b3"))
    moves = plan(GRID, {a: light, b: light}, {c: light, d: light}, hints={a: d, b: c})
    ways = {(m.origin, m.target) for m in moves}
    near = GRID.distance(a, d) + GRID.distance(b, c) == GRID.distance(a, c) + GRID.distance(b, d)
    assert not near or ways == {(a, d), (b, c)}


@pytest.mark.parametrize("part", range(4))
def test_cascades_are_carried_out_with_one_lift_a_piece(part: int) -> None:
    lines = VECTORS.read_text("utf-8").splitlines()[part::40]
    for line in lines:
        position = parse_position(json.loads(line)["before"])
        for cascade in resolve_all(position):
            before, after = standing_of(position.pieces), standing_of(cascade.after.pieces)
            moves = plan(position.board.grid, before, after, hexes=position.board.hexes)
            assert carried_out(before, moves, [])[0] == after
            wrong = sum(after.get(space) is not piece for space, piece in before.items())
            detours = sum(move.detour for move in moves)
            brought = sum(move.origin is None for move in moves)
            assert lifts(moves) == wrong + detours + brought
            assert detours <= 1
