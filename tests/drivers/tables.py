"""Simulated tables for the tests, and what is read from them while time passes."""

from collections.abc import Iterator

from sorcel_pi.drivers.mock.field import DISC_6X3, DISC_8X3, DISC_12X5_DEEP, MagnetField
from sorcel_pi.drivers.mock.table import MockTable
from sorcel_pi.rules.board import standard_board

BOARD = standard_board()
GRID = BOARD.grid
MAGNETS = (DISC_6X3, DISC_8X3, DISC_12X5_DEEP)
EAST, NORTH_EAST = 0, 5


def table(
    *names: str,
    pitch_mm: float = 36.0,
    magnet: MagnetField = DISC_6X3,
    seed: int = 0,
    bounce_s: float = 0.0,
) -> MockTable:
    """Return a table with pieces 0, 1, 2 ... on the named spaces, scanned once."""
    made = MockTable(BOARD, pitch_mm=pitch_mm, magnet=magnet, seed=seed, bounce_s=bounce_s)
    for number, name in enumerate(names):
        made.put(number, GRID.number(name))
    made.scan()
    return made


def closed(made: MockTable) -> tuple[str, ...]:
    """Return the names of the contacts that read closed now."""
    return GRID.names_of(made.scan().closed)


def standing(made: MockTable) -> dict[str, int]:
    """Return the truth with names."""
    return {GRID.names[space]: piece for space, piece in made.truth().items()}


def watch(made: MockTable, until_s: float, *, period_s: float = 0.001) -> Iterator[int]:
    """Yield what is closed every `period_s` until that time, and a period later."""
    while made.now <= until_s + period_s:
        yield made.scan().closed
        made.advance(period_s)


def jump(made: MockTable) -> Iterator[int]:
    """Yield what is closed at every moment that `next_change` names, until nothing moves."""
    while (when := made.next_change()) is not None:
        made.advance_to(when)
        yield made.scan().closed


def distinct(masks: Iterator[int]) -> list[tuple[str, ...]]:
    """Return the readings with their repetitions taken out, as names."""
    seen: list[int] = []
    for mask in masks:
        if not seen or seen[-1] != mask:
            seen.append(mask)
    return [GRID.names_of(mask) for mask in seen]
