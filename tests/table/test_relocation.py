"""Relocations: as few as any order could do with, each possible when its turn comes."""

import json
from collections import Counter, deque
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorcel_pi import Piece, format_position, hexgrid, parse_position, resolve_all
from sorcel_pi.rules.hexgrid import spaces_of
from sorcel_pi.rules.position import PIECES
from sorcel_pi.table.referee.inference import standing_of
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


Board = Mapping[int, Piece]


def least(now: Board, wanted: Board) -> int:
    """Return how many pieces have to be lifted or brought even if nothing were in the way."""
    kinds = {*now.values(), *wanted.values()}
    leave = Counter(piece for space, piece in now.items() if wanted.get(space) is not piece)
    come = Counter(piece for space, piece in wanted.items() if now.get(space) is not piece)
    return sum(max(leave[kind], come[kind]) for kind in kinds)


def possible(now: Board, wanted: Board, lifts_left: int, spare: int) -> bool:
    """Whether `wanted` can be reached with so many lifts, tried in every order and every way.

    `spare` is a free hex that nobody needs; more of them would not help.
    """
    if least(now, wanted) > lifts_left:
        return False
    if now == wanted:
        return True
    empty = [space for space in (*wanted, spare) if space not in now]
    for space, piece in now.items():
        rest = {s: p for s, p in now.items() if s != space}
        ways = [rest, *(rest | {target: piece} for target in empty)]
        if any(possible(way, wanted, lifts_left - 1, spare) for way in ways):
            return True
    brought = ((space, piece) for space in empty for piece in {*wanted.values()})
    return any(
        possible({**now, space: piece}, wanted, lifts_left - 1, spare) for space, piece in brought
    )


def check_cascades(lines: list[str]) -> int:
    """Compare the plans for all actions of these positions with every other way."""
    compared = 0
    for line in lines:
        position = parse_position(json.loads(line)["before"])
        board = position.board
        for cascade in resolve_all(position):
            before, after = standing_of(position.pieces), standing_of(cascade.after.pieces)
            moves = plan(board.grid, before, after, hexes=board.hexes)
            assert carried_out(before, moves, [])[0] == after
            displaced = {s for s in {*before, *after} if before.get(s) is not after.get(s)}
            if least(before, after) > 6:
                continue
            spare = next(s for s in spaces_of(board.hexes) if s not in before and s not in after)
            # What stands right may stay out of the search: to lift it as well needs two lifts
            # more than the least, and so many are never asked for.
            assert lifts(moves) <= least(before, after) + 1
            now = {s: p for s, p in before.items() if s in displaced}
            goal = {s: p for s, p in after.items() if s in displaced}
            assert not possible(now, goal, lifts(moves) - 1, spare), format_position(position)
            compared += 1
    return compared


@pytest.mark.parametrize("part", range(8))
def test_no_way_to_carry_out_any_cascade_of_the_vectors_needs_fewer_lifts(part: int) -> None:
    assert check_cascades(VECTORS.read_text("utf-8").splitlines()[part::8]) > 1000
