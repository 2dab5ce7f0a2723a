"""What a position is worth: a linear evaluation, worked out once for the pieces of each side.

A value is a whole number for the side to act; `chance` turns it into a share of won games.  The
weights are data (`weights.json`) with the results that earned them; `make tune` makes new ones.
It knows no search.  `engine/sorcel_engine/engine.c` has the same evaluation for the standard board.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import exp
from typing import Any, NamedTuple

from ..errors import NotationError, quote
from ..rules.board import Board, standard_board
from ..rules.hexgrid import OFF_BOARD, HexGrid, Memo, spaces_of
from ..rules.position import Position, RuleSet

TERMS: tuple[tuple[str, int], ...] = (
    ("both_sentinels", 1),  # two Sentinels in play
    ("detained", 2),  # two more lose; one more loses
    ("shifs", 7),  # 0 to 6 Shifs in play
    ("reserve", 1),  # for each Shif in reserve
    ("steps", 1),  # in the middle of a turn, for each step left
    ("begin", 1),  # at the beginning of a turn
    ("dependent", 1),  # for each Shif that would come off without one of its Sentinels
    ("apart", 4),  # the two Sentinels 1-2, 3-4, 5-6, more spaces apart
    ("sentinel_now", 2),  # ways to push a Sentinel out of play, one step and two steps away
    ("sentinel_later", 2),  # the same against the side to act
    ("shif_now", 1),  # ways to push a Shif into a hole, one step away
    ("shif_later", 1),  # the same against the side to act
)
"""The terms and how many weights each has; behind them stand the values of the spaces."""

PLACES: dict[str, int] = {}
"""Where the weights of each term begin in a flat list of weights."""
SQUARES = 0
for _name, _count in TERMS:
    PLACES[_name] = SQUARES
    SQUARES += _count

CHANCE_SCALE = 47.0
"""How fast chances grow with the value around nothing."""
LOWEST_CHANCE, HIGHEST_CHANCE = 0.10, 0.79
"""What is left, and what is sure, while no end is in sight, however the value stands."""
WORTH_SCALE = 200.0
WIN = 30_000
"""The value of a game that is won here and now; each action until then takes one off."""
PLIES = 500
"""No win is further away than this many actions: values beyond `WIN - PLIES` are wins."""

MASK = (1 << 64) - 1
_SENTINELS_MIX, _SHIFS_MIX = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F


def chance(value: int) -> float:
    """Return the share of games that the side to act wins with `value`, from 0 to 1.

    Fitted to games of levels 8 and 9; `make soak` measures it on others.

    >>> round(chance(0), 2), round(chance(100), 2), chance(WIN - 3)
    (0.45, 0.72, 1.0)
    """
    if abs(value) > WIN - PLIES:
        return float(value > 0)
    share = 1 / (1 + exp(-value / CHANCE_SCALE))
    return LOWEST_CHANCE + (HIGHEST_CHANCE - LOWEST_CHANCE) * share


def worth(value: int) -> float:
    """Return `value` on a scale from 0 to 1 that is the same for both sides, for comparing turns.

    Unlike `chance` it is gentle around nothing, where searches differ most, and goes on beyond.
    """
    if abs(value) > WIN - PLIES:
        return float(value > 0)
    return 1 / (1 + exp(-value / WORTH_SCALE))


# -- weights --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights of all terms and spaces.

    `terms` has the `SQUARES` weights of `TERMS` in order.  The value of a Sentinel or a Shif on a
    space is the sum of what its distance from the edge, the number of holes beside it and the rows
    that it has come forward say on any board (`by_place`); on the standard board `standard` has
    (Sentinel, Shif) values by space, as Light sees them, instead.
    """

    terms: tuple[int, ...]
    by_place: Mapping[str, Mapping[str, tuple[int, ...]]]
    standard: tuple[tuple[int, ...], tuple[int, ...]]

    def squares(self, board: Board) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the value of a Sentinel and of a Shif of Light by space of `board`."""
        if is_standard(board):
            return self.standard
        return self.general(board, "sentinel"), self.general(board, "shif")

    def general(self, board: Board, kind: str) -> tuple[int, ...]:
        """Return the values of all spaces of any board for Light's `kind` of piece."""
        table = self.by_place[kind]
        return tuple(
            sum(_at(table[key], index) for key, index in place_of(board, k).items())
            for k in range(board.grid.n)
        )

    def flat(self, board: Board) -> list[int]:
        """Return all weights for `board` in one list: terms, Sentinel spaces, Shif spaces."""
        tall, small = self.squares(board)
        return [*self.terms, *tall, *small]


def is_standard(board: Board) -> bool:
    """Whether spaces and holes are those of the standard board, whatever the start."""
    other = standard_board()
    return board.side == other.side and board.detaining == other.detaining


def place_of(board: Board, space: int) -> dict[str, int]:
    """Return what matters about a space on any board, as Light sees it, counted from 0."""
    grid = board.grid
    q, r = grid.axial[space]
    ring = max(abs(q), abs(r), abs(q + r))
    return {
        "edge": grid.side - 1 - ring,
        "holes": (grid.adjacent[space] & board.detaining).bit_count(),
        "row": round((grid.side - 1 - r) * 8 / (2 * grid.side - 2)),
    }


def _at(values: Sequence[int], index: int) -> int:
    return values[min(index, len(values) - 1)]


def weights_from_text(text: str) -> Weights:
    """Return the weights that a JSON text holds; `NotationError` says what is wrong with it."""
    try:
        data = json.loads(text)
        terms = [_numbers(data["terms"][name], count, name) for name, count in TERMS]
        by_place = {
            kind: {key: tuple(_numbers(data["by_place"][kind][key], size, key)) for key, size in
                   (("edge", 5), ("holes", 4), ("row", 9))}
            for kind in ("sentinel", "shif")
        }  # fmt: skip
        n = standard_board().grid.n
        tall, small = (tuple(_numbers(data["standard"][k], n, k)) for k in ("sentinel", "shif"))
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise NotationError(f"weights: {type(error).__name__}: {quote(error)}") from None
    return Weights(tuple(w for term in terms for w in term), by_place, (tall, small))


def _numbers(values: Any, count: int, name: str) -> list[int]:
    listed = values if isinstance(values, list) else [values]
    if len(listed) != count or not all(type(v) is int and abs(v) < WIN for v in listed):
        raise ValueError(f"{name}: expected {count} whole numbers")
    return listed


def weights_to_data(weights: Weights) -> dict[str, object]:
    """Return the form that `weights_from_text` reads, for `json.dumps`."""
    terms: dict[str, object] = {}
    for name, count in TERMS:
        values = list(weights.terms[PLACES[name] : PLACES[name] + count])
        terms[name] = values if count > 1 else values[0]
    by_place = {
        kind: {key: list(values) for key, values in table.items()}
        for kind, table in weights.by_place.items()
    }
    tall, small = weights.standard
    return {
        "terms": terms,
        "by_place": by_place,
        "standard": {"sentinel": list(tall), "shif": list(small)},
    }


@cache
def load_weights(name: str = "weights") -> Weights:
    """Return the weights that the package ships: `weights`, or `weights_by_hand`, the first."""
    return weights_from_text(resources.files(__package__).joinpath(f"{name}.json").read_text())


# -- evaluation -----------------------------------------------------------------------------------


class SideValue(NamedTuple):
    """What is known of the pieces of one side, whatever the other side does (masks).

    A foe that enters `sentinel_danger` or `shif_danger` pushes such a piece out of play; `reach_1`
    and `reach_2` are the spaces that its own pieces can come to in one and in two steps.
    """

    value: int
    sentinel_danger: int
    shif_danger: int
    reach_1: int
    reach_2: int


class Values:
    """The evaluation on one board under one rule set."""

    def __init__(self, board: Board, rules: RuleSet, weights: Weights | None = None) -> None:
        """Prepare the tables; without `weights` those of the package."""
        self.board, self.rules = board, rules
        self.weights = load_weights() if weights is None else weights
        self.noise = self.seed = 0
        tall, small = self.weights.squares(board)
        self._squares = ((tall, small), (tall[::-1], small[::-1]))
        self.sides: tuple[Memo[tuple[int, int], SideValue], ...] = (
            Memo(lambda key: self._side(0, *key)),
            Memo(lambda key: self._side(1, *key)),
        )

    def disturb(self, noise: int, seed: int) -> None:
        """Let the value of each side be off by up to three times `noise`, the same all the time."""
        if noise or self.noise:
            for table in self.sides:
                table.clear()
        self.noise, self.seed = noise, seed & MASK

    def of(self, position: Position) -> int:
        """Return the value of `position` for the side to act."""
        board, _, (ls, lf, ds, df), side, left, made, _ = position
        light, dark = self.sides[0][ls, lf], self.sides[1][ds, df]
        mine, yours = (dark, light) if side else (light, dark)
        w = self.weights.terms
        empty = board.hexes & ~(ls | lf | ds | df)
        value, tall, small, near, far = mine
        their_value, their_tall, their_small, their_near, their_far = yours
        value -= their_value
        if their_tall := their_tall & empty:
            value += (their_tall & near).bit_count() * w[SENTINEL_NOW]
            value += (their_tall & far).bit_count() * w[SENTINEL_NOW + 1]
        if their_small := their_small & empty & near:
            value += their_small.bit_count() * w[SHIF_NOW]
        if tall := tall & empty:
            value -= (tall & their_near).bit_count() * w[SENTINEL_LATER]
            value -= (tall & their_far).bit_count() * w[SENTINEL_LATER + 1]
        if small := small & empty & their_near:
            value -= small.bit_count() * w[SHIF_LATER]
        return value + (w[STEPS] * left if made else w[BEGIN])

    def _side(self, side: int, sentinels: int, shifs: int) -> SideValue:
        board, w = self.board, self.weights.terms
        grid, hexes = board.grid, board.hexes
        value = sum(
            w[place] * count
            for place, count in side_terms(board, self.rules, side, sentinels, shifs).items()
            if place < SQUARES
        )
        tall_at, small_at = self._squares[side]
        value += sum(tall_at[k] for k in spaces_of(sentinels & hexes))
        value += sum(small_at[k] for k in spaces_of(shifs & hexes))
        if self.noise:
            value += self._noise(side, sentinels, shifs)
        reach = grid.adjacent_to[(sentinels | shifs) & hexes]
        return SideValue(
            value,
            _danger(board, sentinels & hexes, over_the_edge=True),
            _danger(board, shifs & hexes, over_the_edge=False),
            reach,
            reach | grid.adjacent_to[reach],
        )

    def _noise(self, side: int, sentinels: int, shifs: int) -> int:
        h = (_folded(sentinels) * _SENTINELS_MIX ^ _folded(shifs) * _SHIFS_MIX ^ self.seed) & MASK
        h = mixed(h ^ side << 63)
        off = (h & 1023) + (h >> 10 & 1023) + (h >> 20 & 1023) - 1535
        scaled = abs(off * self.noise) // 512  # towards zero, as C divides
        return scaled if off >= 0 else -scaled


STEPS, BEGIN = PLACES["steps"], PLACES["begin"]
SENTINEL_NOW, SENTINEL_LATER = PLACES["sentinel_now"], PLACES["sentinel_later"]
SHIF_NOW, SHIF_LATER = PLACES["shif_now"], PLACES["shif_later"]


def mixed(x: int) -> int:
    """Return 64 well mixed bits of `x` (splitmix64)."""
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def _folded(mask: int) -> int:
    """Return `mask` in 64 bits: of a larger board the words one on the other."""
    return (mask ^ mask >> 64 ^ mask >> 128) & MASK


def side_terms(
    board: Board, rules: RuleSet, side: int, sentinels: int, shifs: int
) -> dict[int, int]:
    """Return how often each weight of a flat list counts for the pieces of `side` alone."""
    grid, hexes, holes = board.grid, board.hexes, board.detaining
    tall, small = sentinels & hexes, shifs & hexes
    held, count = ((sentinels | shifs) & holes).bit_count(), small.bit_count()
    terms = {PLACES["reserve"]: rules.shifs - shifs.bit_count()}
    left = rules.detained - held
    if held and left in (1, 2):
        terms[PLACES["detained"] + 2 - left] = 1
    for place, times in _shif_terms(count).items():
        terms[place] = times
    stands = list(spaces_of(tall))
    terms[PLACES["dependent"]] = sum(grid.loose[tall ^ 1 << k, small].bit_count() for k in stands)
    if len(stands) == 2:
        terms[PLACES["both_sentinels"]] = 1
        apart = (grid.distance(*stands) - 1) // 2
        terms[PLACES["apart"] + min(apart, 3)] = 1
    turn = grid.n - 1
    for base, mask in ((SQUARES, tall), (SQUARES + grid.n, small)):
        for k in spaces_of(mask):
            place = base + (turn - k if side else k)
            terms[place] = terms.get(place, 0) + 1
    return terms


def _shif_terms(count: int) -> dict[int, int]:
    """Return the terms for `count` Shifs in play; beyond six each is worth what the sixth is."""
    base = PLACES["shifs"]
    if count <= 6:
        return {base + count: 1}
    return {base + 6: count - 5, base + 5: 6 - count}


def all_terms(values: Values, position: Position) -> dict[int, int]:
    """Return how often each weight of a flat list counts in `position`, for the side to act.

    The sum of weight times count is `values.of(position)`: this is what tuning learns from.
    """
    board, rules, pieces, side, left, made, _ = position
    total: dict[int, int] = {STEPS: left} if made else {BEGIN: 1}
    facts = [values.sides[s][pieces[2 * s], pieces[2 * s + 1]] for s in (0, 1)]
    for s in (0, 1):
        sign = 1 if s == side else -1
        terms = side_terms(board, rules, s, pieces[2 * s], pieces[2 * s + 1])
        for place, count in terms.items():
            total[place] = total.get(place, 0) + sign * count
    empty = board.hexes & ~position.occupied
    for s, tall, small in ((side, SENTINEL_LATER, SHIF_LATER), (1 - side, SENTINEL_NOW, SHIF_NOW)):
        sign = -1 if s == side else 1
        danger, foe = facts[s], facts[1 - s]
        for place, mask in (
            (tall, danger.sentinel_danger & foe.reach_1),
            (tall + 1, danger.sentinel_danger & foe.reach_2),
            (small, danger.shif_danger & foe.reach_1),
        ):
            total[place] = sign * (mask & empty).bit_count()
    return total


def _danger(board: Board, pieces: int, *, over_the_edge: bool) -> int:
    """Return the spaces from which a foe pushes one of `pieces` into a hole, or over the edge."""
    danger = 0
    for k in spaces_of(pieces):
        danger |= _ways_out(board.grid, board.detaining)[k][over_the_edge]
    return danger


@cache
def _ways_out(grid: HexGrid, holes: int) -> tuple[tuple[int, int], ...]:
    """Return for each space the spaces opposite a hole, and opposite a hole or the edge."""
    found = []
    for ring in grid.neighbours:
        into = over = 0
        for direction, onto in enumerate(ring):
            source = ring[(direction + 3) % 6]
            if source == OFF_BOARD:
                continue
            if onto == OFF_BOARD:
                over |= 1 << source
            elif holes >> onto & 1:
                into |= 1 << source
        found.append((into, into | over))
    return tuple(found)


def dot(weights: Sequence[int], terms: Mapping[int, int] | Iterable[tuple[int, int]]) -> int:
    """Return the sum of weight times count."""
    items = terms.items() if isinstance(terms, Mapping) else terms
    return sum(weights[place] * count for place, count in items)
