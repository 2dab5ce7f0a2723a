"""From what stands where to what must stand where: relocations in an order that a hand can do.

Everything that people are led through (pushes, setting up, taking back, coming back after a
power cut) is this one task.  It knows pieces and spaces, neither rules nor contacts nor time.

The pieces that must leave a space and the spaces that need a piece are matched kind by kind.
Drawn as arrows from space to space, a matching is a set of paths and rings, because each space
holds one piece.  Every piece that stands wrong is lifted once, and every ring costs one lift
more; two arrows of one kind in different paths or rings can trade targets, which joins them, so
rings are joined to anything they share a kind with before the last ones are broken.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from typing import NamedTuple

from ..rules.hexgrid import HexGrid
from ..rules.position import PIECES, Piece

Standing = Mapping[int, "Piece | None"]
"""Which piece stands on which space; None is a piece that nobody knows."""


class Relocation(NamedTuple):
    """One piece to be moved by hand: `origin` None is the hand or the reserve, `target` None off.

    `held` says that the piece is in the hand already.  A `detour` brings the piece not to where
    it belongs but to a free hex, to open a ring.
    """

    piece: Piece | None
    origin: int | None
    target: int | None
    held: bool = False
    detour: bool = False


def plan(
    grid: HexGrid,
    standing: Standing,
    wanted: Mapping[int, Piece],
    *,
    hand: Sequence[Piece] = (),
    hints: Mapping[int, int] | None = None,
    hand_at: int | None = None,
    hexes: int | None = None,
) -> list[Relocation]:
    """Return the fewest relocations from `standing` to `wanted`, each possible when its turn comes.

    `hand` lists the pieces in the hand; they go first.  `hints` maps spaces to where the rules
    moved the piece that stood there, which settles ties; `hand_at` is the space near which the
    hand was last; `hexes` is the mask of spaces to which a piece may be led out of a ring (all).
    """
    moves = _match(grid, standing, wanted, hand, hints or {})
    _join_rings(moves)
    free = grid.everywhere if hexes is None else hexes
    return _in_order(grid, standing, moves, hand_at, free)


def lifts(relocations: Iterable[Relocation]) -> int:
    """Return how many pieces are taken up in the hand, those already held not counted."""
    return sum(not relocation.held for relocation in relocations)


def _match(
    grid: HexGrid,
    standing: Standing,
    wanted: Mapping[int, Piece],
    hand: Sequence[Piece],
    hints: Mapping[int, int],
) -> list[Relocation]:
    """Return one relocation for each piece that must move, in no order yet."""
    moves = [Relocation(None, space, None) for space, piece in standing.items() if piece is None]
    for piece in PIECES:
        sources: list[int | None] = [
            s for s, p in sorted(standing.items()) if p is piece and wanted.get(s) is not piece
        ]
        held = hand.count(piece)
        sinks: list[int | None] = [
            s for s, p in sorted(wanted.items()) if p is piece and standing.get(s) is not piece
        ]
        starts = [*sources, *[None] * held]
        # What is left over leaves the board; what is missing comes from beside it.
        ends = sinks + [None] * (len(starts) - len(sinks))
        missing = len(ends) - len(starts)
        for start, end in _pairs(grid, starts, ends, hints):
            moves.append(Relocation(piece, start, end, held=start is None))
        taken = {move.target for move in moves if move.piece is piece}
        moves += [Relocation(piece, None, end) for end in sinks if end not in taken][:missing]
    return moves


_FREE = 0.5
"""A move from or to beside the board: less than the shortest way, as it saves carrying about."""


def _pairs(
    grid: HexGrid,
    starts: Sequence[int | None],
    ends: Sequence[int | None],
    hints: Mapping[int, int],
) -> list[tuple[int | None, int | None]]:
    """Return the pairs of `starts` and `ends` with the least travel; every start gets an end."""

    def cost(start: int | None, end: int | None) -> float:
        if start is None or end is None:
            return _FREE
        hinted = hints.get(start) == end
        return grid.distance(start, end) - (0.25 if hinted else 0.0)

    if len(starts) <= 6 and len(ends) <= 7:
        best = min(
            permutations(ends, len(starts)),
            key=lambda order: sum(map(cost, starts, order)),
            default=(),
        )
        return list(zip(starts, best, strict=True))
    pairs = []
    rest = list(ends)
    for start in starts:
        end = min(rest, key=lambda e: cost(start, e))
        rest.remove(end)
        pairs.append((start, end))
    return pairs


def _rings(moves: Sequence[Relocation]) -> list[list[int]]:
    """Return the rings among `moves` as lists of their numbers."""
    at = {move.origin: k for k, move in enumerate(moves) if move.origin is not None}
    seen: set[int] = set()
    rings = []
    for first in range(len(moves)):
        chain: list[int] = []
        k: int | None = first
        while k is not None and k not in seen:
            seen.add(k)
            chain.append(k)
            target = moves[k].target
            k = None if target is None else at.get(target)
        if k is not None and k in chain:
            rings.append(chain[chain.index(k) :])
    return rings


def _join_rings(moves: list[Relocation]) -> None:
    """Trade targets between like pieces in place until no ring can be joined to anything."""
    while True:
        swap = None
        for ring in _rings(moves):
            for i in ring:
                for j, other in enumerate(moves):
                    if j not in ring and other.piece is moves[i].piece:
                        swap = (i, j)
        if swap is None:
            return
        a, b = moves[swap[0]], moves[swap[1]]
        moves[swap[0]] = a._replace(target=b.target)
        moves[swap[1]] = b._replace(target=a.target)


def _in_order(
    grid: HexGrid,
    standing: Standing,
    moves: list[Relocation],
    hand_at: int | None,
    free: int,
) -> list[Relocation]:
    """Return `moves` so that each target is free in time, the nearest to the hand first."""
    occupied = set(standing)
    rest = list(moves)
    order: list[Relocation] = []
    targets = {move.target for move in moves}
    while rest:
        ready = [m for m in rest if m.target is None or m.target not in occupied]
        if ready:
            move = min(ready, key=lambda m: _urgency(grid, m, hand_at))
            rest.remove(move)
        else:
            move = _detour(grid, rest, occupied | targets, free)
            k = next(i for i, m in enumerate(rest) if m.origin == move.origin)
            rest[k] = rest[k]._replace(origin=move.target)
        order.append(move)
        if move.origin is not None:
            occupied.discard(move.origin)
        if move.target is not None:
            occupied.add(move.target)
        hand_at = move.target if move.target is not None else move.origin
    return order


def _urgency(grid: HexGrid, move: Relocation, hand_at: int | None) -> tuple[int, int, int]:
    """Return the key by which the next relocation is chosen, least first."""
    if move.held:
        rank = 0
    elif move.target is None:
        rank = 1
    else:
        rank = 2 if move.origin is not None else 3
    place = move.origin if move.origin is not None else move.target
    near = 0 if hand_at is None or place is None else grid.distance(hand_at, place)
    return rank, near, -1 if place is None else place


def _detour(
    grid: HexGrid, ring: Sequence[Relocation], avoid: set[int | None] | set[int], free: int
) -> Relocation:
    """Return the move that opens a ring: a piece to the nearest hex that nobody needs."""
    open_hexes = [k for k in range(grid.n) if free >> k & 1 and k not in avoid]
    held = [m for m in ring if m.origin is None]
    candidates = [m for m in ring if m.origin is not None]
    if not candidates or not open_hexes:
        # Nothing is free (no real board is this full): the hand must keep the piece meanwhile.
        move = (candidates or held)[0]
        return move._replace(target=None, detour=True)
    return min(
        (m._replace(target=k, detour=True) for m in candidates for k in open_hexes),
        key=lambda m: grid.distance(m.origin or 0, m.target or 0),
    )
