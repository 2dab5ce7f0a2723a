"""The engine: nodes a second in Python and in C beside python-chess, and how soon it stops."""

import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import chess

from sorcel_pi import EGRESSIAN, Game, parse_position, start_position
from sorcel_pi.engine import Engine, Limits, Thought, hint, review
from sorcel_pi.engine.native import NativeSearch

from ..engine.kit import BOARD, compiled, has_compiler
from ..rules.kit import DENSE
from . import in_turns
from .rules import chess_perft, forget

GOALS = {"Python": 100_000, "C": 3_500_000}
PLAYED = 30_000_000
NODES = {"Python": 30_000, "C": 1_000_000}


def engines(folder: Path) -> Iterator[Engine]:
    """Yield the engine in Python, and the one in C where there is a compiler."""
    yield Engine(BOARD, EGRESSIAN, native=False)
    if has_compiler():
        yield Engine(BOARD, EGRESSIAN, library=compiled(folder))


def think_afresh(engine: Engine) -> int:
    """Search the start and a dense position; return the nodes."""
    forget()
    engine.forget()
    limits = Limits(nodes=NODES[engine.name])
    starts = (start_position(BOARD), parse_position(next(iter(DENSE))))
    return sum(engine.think(position, limits).nodes for position in starts)


def delays(engine: Engine, count: int) -> list[float]:
    """Return how many milliseconds the engine takes to stop."""
    found = []
    for _ in range(count):
        engine.forget()
        engine.ready()
        reached = threading.Event()

        def follow(thought: Thought, done: threading.Event = reached) -> None:
            done.set()

        work = partial(engine.think, start_position(BOARD), Limits(), follow=follow)
        thread = threading.Thread(target=work)
        thread.start()
        reached.wait()
        begun = perf_counter()
        engine.stop()
        thread.join()
        found.append((perf_counter() - begun) * 1000)
    engine.ready()
    return found


def engine_speed() -> Iterator[str]:
    """Nodes a second, stopping, a hint and a review."""
    with TemporaryDirectory() as folder:
        for engine in engines(Path(folder)):
            works = [partial(chess_perft, chess.Board(), 4), partial(think_afresh, engine)]
            counts = [work() for work in works]
            seconds = in_turns([*works], rounds=5)
            rates = [count / took for count, took in zip(counts, seconds, strict=True)]
            yield (
                f"The engine in {engine.name}: {rates[1]:,.0f} nodes a second (goal "
                f"{GOALS[engine.name]:,}), {rates[1] / rates[0]:.2f} times python-chess's perft"
            )
            waits = delays(engine, 30)
            p90 = quantiles(waits, n=10)[8]
            yield f"  stops within {max(waits):.1f} ms (p90 {p90:.1f}; goal 50)"
            begun = process_time()
            hint(engine, start_position(BOARD))
            yield f"  a hint in {(process_time() - begun) * 1000:.0f} ms of this core"
            game = Game(start_position(BOARD))
            while len(game.cascades) < 60 and game.outcome is None:
                game.play(engine.think(game.position, Limits(nodes=300)).line[0])
            begun = process_time()
            turns = len(review(engine, game).turns)
            yield f"  a review of {turns} turns in {process_time() - begun:.1f} s of this core"
            search = engine.search
            if isinstance(search, NativeSearch):
                begun = process_time()
                leaves = search.perft(start_position(BOARD), 5)
                rate = leaves / (process_time() - begun)
                yield f"  {rate:,.0f} actions played a second (goal {PLAYED:,})"
            engine.close()
