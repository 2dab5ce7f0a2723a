"""`make tune`: new weights from self-play against a pool, taken only if they gain on its average.

Each round plays games between weights of the pool, the newest more often.  Positions of the games
and random ones off the beaten track are learned from by logistic regression: their targets are what
a search thinks of the chances, and for positions of games also who won.  The new weights join the
pool, so that the next ones learn to beat them as well as the older ones; they become the package's
`weights.json` only if they score better against the pool than those that it has.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sorcel_pi import (
    EGRESSIAN,
    Action,
    Game,
    Position,
    Side,
    legal_actions,
    outcome,
    play,
    standard_board,
)
from sorcel_pi.engine.matches import MAX_TURNS, openings, play_pair, points_of
from sorcel_pi.engine.search import Think
from sorcel_pi.engine.thinking import make_search, past_of
from sorcel_pi.engine.values import (
    PLIES,
    SQUARES,
    WIN,
    Values,
    Weights,
    all_terms,
    load_weights,
    place_of,
    weights_from_text,
    weights_to_data,
)

Floats = npt.NDArray[np.float32]
BOARD = standard_board()
N = BOARD.grid.n
SHIPPED = Path(__file__).parents[2] / "sorcel_pi" / "engine" / "weights.json"
UNIT = 200.0  # the value that is worth e to 1
RIDGE = 2e-4
WON = 0.4  # what the result of the game counts, beside the search
BESIDE = 0.6  # turns beside which a random position is learned from
NOISE = 10
HISTORY = 4  # rounds that are learned from


class Learner:
    """Weights of the pool with a search of their own; as a player it gives `nodes` to a turn."""

    def __init__(self, name: str, weights: Weights, nodes: int) -> None:
        self.name, self.nodes = name, nodes
        self.search = make_search(BOARD, EGRESSIAN, weights)

    def think(
        self, position: Position, past: Sequence[Position], noise: int = 0, seed: int = 0
    ) -> tuple[list[Action], int]:
        self.search.begin(Think(position, past, self.nodes, noise, seed))
        line: list[Action] = []
        value = 0
        for depth in range(1, 64):
            found = self.search.deepen(depth)
            if found.line:
                line, value = list(found.line), found.value
            if not found.finished or abs(found.value) > WIN - PLIES:
                break
        return line, value

    def begin(self, game: Game) -> None:
        self.search.forget()

    def turn(self, game: Game) -> None:
        side = game.position.side
        line: list[Action] = []
        while game.outcome is None and game.position.side == side:
            line = line or self.think(game.position, past_of(game))[0]
            game.play(line.pop(0))


Row = tuple[Position, float]


def self_play(pool: Sequence[tuple[str, Weights]], games: int, nodes: int, seed: int) -> list[Row]:
    """Return positions, and for each what the side to act may expect, from 0 to 1."""
    rng = random.Random(seed)
    players = [Learner(name, weights, nodes) for name, weights in pool]
    starts = {n: openings(BOARD, EGRESSIAN, seed + n, turns=n) for n in range(1, 7)}
    rows: list[Row] = []
    for _ in range(games):
        two = [players[-1] if rng.random() < 0.6 else rng.choice(players) for _ in "ab"]
        rng.shuffle(two)
        rows += one_game(two, next(starts[rng.randint(1, 6)]), rng)
    return rows


def one_game(players: Sequence[Learner], start: Position, rng: random.Random) -> list[Row]:
    """Play a game with a little noise; return positions of it and positions beside it."""
    for player in players:
        player.begin(Game(start))
    game, beside, seen = Game(start), list[Row](), list[Row]()
    line: list[Action] = []
    side: Side | None = None
    while game.outcome is None and len(seen) < MAX_TURNS:
        position = game.position
        if not line or position.side != side:
            side = position.side
            player = players[side]
            line, value = player.think(position, past_of(game), NOISE, rng.getrandbits(63))
            seen.append((position, expected(value)))
            if rng.random() < BESIDE:
                beside += strayed(player, position, rng)
        game.play(line.pop(0))
    for position, hoped in seen:
        won = points_of(game, position.side)
        beside.append((position, WON * won + (1 - WON) * hoped))
    return beside


def expected(value: int) -> float:
    return float(1 / (1 + np.exp(-np.clip(value / UNIT, -30, 30))))


def strayed(player: Learner, position: Position, rng: random.Random) -> list[Row]:
    """Return a position some random actions further on, with what a search thinks of it."""
    for _ in range(rng.randint(1, 8)):
        if outcome(position) is None:
            position = play(position, rng.choice(list(legal_actions(position))))
    if outcome(position) is not None:
        return []
    return [(position, expected(player.think(position, ())[1]))]


def classes() -> npt.NDArray[np.int64]:
    """Return the column of each flat weight: spaces that mirror each other share one."""
    axial = BOARD.grid.axial
    found: dict[int, int] = {}
    for k, (q, r) in enumerate(axial):
        mirror = BOARD.grid.at(-q - r, r)
        assert mirror is not None
        found[k] = found[mirror] if mirror in found else len(set(found.values()))
    count = len(set(found.values()))
    columns = list(range(SQUARES))
    columns += [SQUARES + found[k] for k in range(N)]
    columns += [SQUARES + count + found[k] for k in range(N)]
    return np.array(columns)


COLUMNS = classes()


def table_of(rows: Sequence[tuple[Position, float]]) -> tuple[Floats, Floats]:
    """Return the terms of each position by column, and the points."""
    values = Values(BOARD, EGRESSIAN)
    terms = np.zeros((len(rows), COLUMNS.max() + 1), np.float32)
    for row, (position, _) in zip(terms, rows, strict=True):
        for place, count in all_terms(values, position).items():
            row[COLUMNS[place]] += count
    return terms, np.array([points for _, points in rows], np.float32)


def learned(terms: Floats, points: Floats) -> Weights:
    """Return the weights that fit best, by Newton's method on the regularised likelihood."""
    w = np.zeros(terms.shape[1], np.float64)
    n = len(terms)
    ridge = RIDGE * np.eye(len(w))
    for _ in range(10):  # from nothing, as Newton's method may run away from elsewhere
        p = 1 / (1 + np.exp(-(terms @ w.astype(np.float32))))
        gradient = terms.T @ (p - points) / n + RIDGE * w
        hessian = (terms * (p * (1 - p))[:, None]).T @ terms / n + ridge
        w -= np.linalg.solve(hessian.astype(np.float64), gradient.astype(np.float64))
    p = np.clip(1 / (1 + np.exp(-(terms @ w))), 1e-6, 1 - 1e-6)
    loss = -np.mean(points * np.log(p) + (1 - points) * np.log(1 - p))
    print(f"  {n} positions, loss {loss:.4f}", flush=True)
    return weights_of([round(float(w[c]) * UNIT) for c in COLUMNS])


def weights_of(flat: Sequence[int]) -> Weights:
    """Return the weights with these values, and fits to those of spaces for other boards."""
    tall, small = tuple(flat[SQUARES : SQUARES + N]), tuple(flat[SQUARES + N :])
    by_place = {"sentinel": fitted(tall), "shif": fitted(small)}
    return Weights(tuple(flat[:SQUARES]), by_place, (tall, small))


def fitted(squares: Sequence[int]) -> dict[str, tuple[int, ...]]:
    """Return what edge, holes and row say about a space, by least squares over the hexes."""
    sizes = {"edge": 5, "holes": 4, "row": 9}
    hexes = [k for k in range(N) if BOARD.hexes >> k & 1]
    design = np.zeros((len(hexes), sum(sizes.values())))
    for row, k in zip(design, hexes, strict=True):
        base = 0
        for key, index in place_of(BOARD, k).items():
            row[base + min(index, sizes[key] - 1)] = 1
            base += sizes[key]
    target = np.array([squares[k] for k in hexes], float)
    size = design.shape[1]
    solved = np.linalg.solve(design.T @ design + 0.5 * np.eye(size), design.T @ target)
    table, base = {}, 0
    for key, count in sizes.items():
        table[key] = tuple(round(float(v)) for v in solved[base : base + count])
        base += count
    # Three holes beside one space do not occur on the standard board.
    return table | {"holes": (*table["holes"][:3], 2 * table["holes"][2] - table["holes"][1])}


def against(one: Weights, other: Weights, games: int, nodes: int, seed: int) -> float:
    """Return the share of points of `one` from paired openings."""
    first, second = Learner("one", one, nodes), Learner("other", other, nodes)
    starts = openings(BOARD, EGRESSIAN, seed)
    points = 0.0
    for _ in range(games // 2):
        points += sum(result.points for result in play_pair(next(starts), first, second))
    return points / (games // 2 * 2)


def pool_average(
    candidate: Weights, pool: Sequence[tuple[str, Weights]], games: int, nodes: int
) -> tuple[float, dict[str, float]]:
    each = {name: against(candidate, w, games, nodes, 10 + i) for i, (name, w) in enumerate(pool)}
    return sum(each.values()) / len(each), each


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--games", type=int, default=2000, help="of self-play in a round")
    parser.add_argument("--trial", type=int, default=200, help="games against each of the pool")
    parser.add_argument("--nodes", type=int, default=1000, help="a turn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pool", type=Path, default=Path("build/tune"), help="folder of the pool")
    options = parser.parse_args(arguments)
    options.pool.mkdir(parents=True, exist_ok=True)
    pool = [("by hand", load_weights("weights_by_hand"))]
    pool += [
        (path.stem, weights_from_text(path.read_text()))
        for path in sorted(options.pool.glob("*.json"))
    ]
    tables: list[tuple[Floats, Floats]] = []
    for number in range(len(pool), len(pool) + options.rounds):
        begun = time.monotonic()
        rows = self_play(pool[-5:], options.games, options.nodes, options.seed * 1000 + number)
        tables = [*tables, table_of(rows)][-HISTORY:]
        candidate = learned(
            np.concatenate([terms for terms, _ in tables]),
            np.concatenate([points for _, points in tables]),
        )
        members = [pool[0], *pool[1:][-4:]]
        shipped = load_weights()
        average, each = pool_average(candidate, members, options.trial, options.nodes)
        best, _ = pool_average(shipped, members, options.trial, options.nodes)
        shown = ", ".join(f"{name} {share:.1%}" for name, share in each.items())
        name = f"learned-{number:03}"
        results = [f"{share:.1%} of {options.trial} games against {n}" for n, share in each.items()]
        text = json.dumps({"name": name, "results": results, **weights_to_data(candidate)})
        (options.pool / f"{name}.json").write_text(text)
        pool.append((name, candidate))
        took = time.monotonic() - begun
        print(f"{name}: {average:.1%} of the pool (shipped {best:.1%}): {shown}; {took:.0f} s")
        if average > best:
            SHIPPED.write_text(text)
            load_weights.cache_clear()
            print("  taken", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
