"""The rules beside python-chess: perft, and all legal actions with all that they lead to."""

import random
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median, quantiles
from time import perf_counter

import chess

from sorcel_pi import Position, parse_position, perft, resolve_all, standard_board, start_position

from ..rules.kit import DENSE, vector_positions
from . import in_turns

GOAL, AIM = 5, 10  # times python-chess's leaves per second
MEDIAN_MS, P99_MS = 0.5, 3.0


def forget() -> None:
    """Empty the tables that fill while the rules are asked, so that each run starts cold."""
    grid = standard_board().grid
    for table in (grid.adjacent_to, grid.exits, grid.loose):
        table.clear()


def cold_perft(position: Position, depth: int) -> int:
    forget()
    return perft(position, depth)


def chess_perft(board: chess.Board, depth: int) -> int:
    """Return the leaves, the last ply counted and not played, as `perft` does it."""
    if depth == 1:
        return board.legal_moves.count()
    leaves = 0
    for move in board.legal_moves:
        board.push(move)
        leaves += chess_perft(board, depth - 1)
        board.pop()
    return leaves


def leaves_per_second() -> Iterator[str]:
    """Perft from both starts and from positions full of pushes."""
    start = start_position(standard_board())
    works = {
        "python-chess from its start, depth 4": partial(chess_perft, chess.Board(), 4),
        "Sorcel from its start, depth 4": partial(cold_perft, start, 4),
    }
    for code in DENSE:
        works[f"{code}, depth 4"] = partial(cold_perft, parse_position(code), 4)
    leaves = [work() for work in works.values()]
    times = in_turns(list(works.values()), rounds=7)
    rates = [count / seconds for count, seconds in zip(leaves, times, strict=True)]
    yield "Perft: leaves per second, last ply counted; medians of 7 runs in turns"
    for name, rate in zip(works, rates, strict=True):
        ratio = f"{rate / rates[0]:5.1f} times python-chess" if rate != rates[0] else ""
        yield f"  {name:66} {rate:10,.0f}  {ratio}"
    yield f"  The goal is {GOAL} times from the start, the aim {AIM}."


def milliseconds(work: Callable[[], object]) -> float:
    begun = perf_counter()
    work()
    return (perf_counter() - begun) * 1000


def chess_positions(count: int) -> list[chess.Board]:
    """Return positions of chess games played at random."""
    rng = random.Random(1)
    boards: list[chess.Board] = []
    board = chess.Board()
    while len(boards) < count:
        moves = list(board.legal_moves)
        if not moves or len(board.move_stack) > 80:
            board = chess.Board()
            continue
        board.push(rng.choice(moves))
        boards.append(board.copy(stack=False))
    return boards


def all_chess_moves(board: chess.Board) -> list[chess.Board]:
    """Return the positions after all legal moves."""
    after = []
    for move in board.legal_moves:
        other = board.copy(stack=False)
        other.push(move)
        after.append(other)
    return after


def all_that_actions_lead_to() -> Iterator[str]:
    """All legal actions of a position and what each leads to, over the positions of the vectors."""
    positions = vector_positions()
    ours = [partial(resolve_all, position) for position in positions]
    theirs = [partial(all_chess_moves, board) for board in chess_positions(len(positions))]
    rounds: dict[str, list[list[float]]] = {"Sorcel": [], "python-chess": []}
    for _ in range(5):
        forget()
        rounds["Sorcel"].append([milliseconds(work) for work in ours])
        rounds["python-chess"].append([milliseconds(work) for work in theirs])
    yield f"All legal actions and what they lead to: {len(positions)} positions, medians of 5 runs"
    for name, runs in rounds.items():
        times = [median(each) for each in zip(*runs, strict=True)]
        p99 = quantiles(times, n=100)[98]
        yield f"  {name:14} median {median(times):6.3f} ms   p99 {p99:6.3f} ms"
    yield f"  The goal is {MEDIAN_MS} ms and {P99_MS} ms."
