"""`make puzzles` and `make openings`: the engine's data, mined with the engine in C.

Puzzles are from games of the levels: in the turn exactly one layout of pieces wins, and not by the
first action alone; openings are first turns of the standard game from which
both sides win about as many games.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from sorcel_pi import (
    EGRESSIAN,
    Layout,
    Position,
    Side,
    format_action,
    mask_of,
    outcome,
    play,
    spaces_of,
    standard_board,
    start_position,
)
from sorcel_pi.engine import LEVELS, Engine, LevelPlayer, Limits, openings, play_game
from sorcel_pi.engine.hints import whole_turn
from sorcel_pi.engine.matches import points_of
from sorcel_pi.engine.native import NativeSearch
from sorcel_pi.engine.puzzles import row_of
from sorcel_pi.engine.review import turns_of
from sorcel_pi.engine.swap import all_first_turns

FOLDER = Path(__file__).parents[2] / "sorcel_pi" / "engine"
BOARD = standard_board()
MOST_STEPS = 5
SWAPS_FROM = 6
"""The lowest level against which a swap is offered; games for fair first turns are of it."""
PROMISING = 250
"""Pairs of first turns that games are played from: those that a look finds best for Light."""
SIEVE = ((12, 0.3), (28, 0.18), (60, 0.1))
"""Games played from a pair, and how far from one half Dark's share of all may then be."""


def turn_starts(levels: Sequence[int], seed: int) -> Iterator[Position]:
    """Yield the turn starts of games between these levels, for ever."""
    rng = random.Random(seed)
    starts = openings(BOARD, EGRESSIAN, seed)
    players = [LevelPlayer(LEVELS[n - 1], BOARD, EGRESSIAN, seed=seed + n) for n in levels]
    while True:
        light, dark = rng.choice(players), rng.choice(players)
        if light is dark:
            continue
        game = play_game(next(starts), light, dark)
        yield from (position for position, _ in turns_of(game))


def mine_puzzles(count: int, seed: int) -> list[dict[str, str]]:
    """Return the rows of so many puzzles, those with few actions first."""
    engine = Engine(BOARD, EGRESSIAN, native=True)
    search = engine.search
    assert isinstance(search, NativeSearch)
    found: dict[object, tuple[int, int, dict[str, str]]] = {}
    for position in turn_starts((4, 5, 6, 7), seed):
        if position.steps_left > MOST_STEPS:
            continue
        wins, fewest = search.wins(position, 2)
        if wins != 1 or fewest < 2:
            continue
        turn, _, end = whole_turn(engine, position, 400_000)
        ended = outcome(end)
        won = ended is not None and ended.winner == position.side
        if not won or len(turn) != fewest or position.pieces in found:
            continue
        # As all steps are needed, most wins are long: of most the last part is a puzzle, too.
        for action in turn[: max(fewest - (2, 3, 4, 5)[len(found) % 4], 0)]:
            position, turn = play(position, action), turn[1:]
        found[position.pieces] = len(turn), position.steps_left, row_of(position, turn)
        print(f"\r{len(found)}", end="", file=sys.stderr, flush=True)
        if len(found) >= count:
            break
    return [row for _, _, row in sorted(found.values(), key=lambda each: each[:2])]


def mirrored(position: Position) -> Position:
    """Return `position` with east and west changed, which is worth the same."""
    grid = BOARD.grid
    images = [grid.at(-q - r, r) for q, r in grid.axial]
    masks = (mask_of(images[k] or 0 for k in spaces_of(mask)) for mask in position.pieces)
    return position._replace(pieces=Layout(*masks))


def mine_openings() -> dict[str, float]:
    """Return the fair first turns of the standard game, each with Dark's share of games from it.

    A turn and its mirror image are judged together, by twice the games.
    """
    engine = Engine(BOARD, EGRESSIAN, native=True)
    turns = all_first_turns(start_position(BOARD))
    worth = []
    for number, position in enumerate(turns):
        twin = mirrored(position)
        if outcome(position) is None and position.pieces <= twin.pieces:
            engine.forget()
            value = engine.think(position, Limits(nodes=30_000)).value
            worth.append((value, number, {position, twin}))
    at = LEVELS[SWAPS_FROM - 1]
    players = [LevelPlayer(at, BOARD, EGRESSIAN, seed=seed, native=True) for seed in (1, 10**6)]
    fair = {}
    for _, _, pair in sorted(worth, key=lambda each: each[:2])[:PROMISING]:
        share = dark_share(sorted(pair, key=lambda each: each.pieces), players)
        if share is None:
            continue
        for position in pair:
            words = " ".join(format_action(BOARD, action) for action in turns[position])
            fair[words] = round(share, 3)
        print(fair, file=sys.stderr, flush=True)
    return fair


def dark_share(pair: Sequence[Position], players: Sequence[LevelPlayer]) -> float | None:
    """Return Dark's share of games from these positions; None as soon as it is not fair."""
    points = played = 0.0
    for games, most_off in SIEVE:
        for number in range(games):
            light, dark = players if number & 2 else players[::-1]
            points += points_of(play_game(pair[number % len(pair)], light, dark), Side.DARK)
        played += games
        if abs(points / played - 0.5) > most_off:
            return None
    return points / played


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["puzzles", "openings"])
    parser.add_argument("--count", type=int, default=240)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    if options.what == "puzzles":
        rows = mine_puzzles(options.count, options.seed)
        text = ",\n".join(json.dumps(row) for row in rows)
        (FOLDER / "puzzles.json").write_text(f"[\n{text}\n]\n")
    else:
        data = {"dark_share": mine_openings()}
        (FOLDER / "openings.json").write_text(json.dumps(data, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
