"""Games by simulated people over the line to the emulated Pico, with pyserial and the driver."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sorcel_pi.rules.board import standard_board
from sorcel_pi.sim import run

from ..firmware.process import needs_micropython
from ..firmware.rig import row_boards
from ..firmware.tables import LineTable
from ..firmware.test_games import BadLine, Tables, Watchful, played
from .chip import PicoBoard, needs_pico

pytestmark = [needs_pico, needs_micropython, pytest.mark.pico]


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tables]:
    """Tables with a Pico each; nothing that it said may have been harmed or lost."""
    made = Tables(tmp_path)
    made.line = {"board": PicoBoard}
    monkeypatch.setattr(run, "MockTable", made)
    yield made
    for table in made.made:
        board, counts = table.rig.firmware, table.rig.mcu.counts
        assert isinstance(board, PicoBoard)
        table.close()
        assert board.events == ["watchdog 8000 ms"]
        assert (counts.bad, counts.gaps, counts.repeats, counts.lost) == (0, 0, 0, 0)
        assert table.rig.mcu.troubles == ()
        print(f"{table.now:.0f} s on the table, {board.chip.cpu_s:.0f} s of CPU, {counts}")


def test_a_game_is_begun(tables: Tables) -> None:
    played(0, most=2)
    (table,) = tables.made
    assert table.rig.mcu.counts.connections == 1


@pytest.mark.slow
def test_a_whole_game_unplugged_and_plugged_twice(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "Scene", Watchful)
    monkeypatch.setattr(Watchful, "faults", faults := ["another port", "another port"])
    tables.kind = BadLine
    played(1, rules="egressian")
    assert faults == []
    assert tables.made[0].rig.mcu.counts.connections == 3


def test_a_game_is_begun_on_row_boards(tables: Tables) -> None:
    tables.line |= row_boards(standard_board())
    played(0, most=2)
    assert tables.made[0].rig.mcu.counts.connections == 1


@pytest.mark.slow
def test_a_whole_game_on_row_boards(tables: Tables) -> None:
    tables.line |= row_boards(standard_board())
    tables.kind = LineTable
    played(2)


@pytest.mark.slow
def test_a_whole_game(tables: Tables) -> None:
    tables.kind = LineTable
    played(2)
