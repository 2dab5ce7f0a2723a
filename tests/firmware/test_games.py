"""Whole games by simulated people over the line, and what lines do meanwhile."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from sorcel_pi.drivers.mcu_link import LinkState
from sorcel_pi.drivers.mock.table import MockTable
from sorcel_pi.drivers.ports import Frame
from sorcel_pi.errors import DeviceError
from sorcel_pi.rules.board import Board, standard_board
from sorcel_pi.rules.game import Game
from sorcel_pi.sim import run
from sorcel_pi.sim.eyes import LONG_LOOK_S, Eyes
from sorcel_pi.sim.reading import Reading
from sorcel_pi.sim.run import Options, play_game
from sorcel_pi.sim.scene import Scene
from sorcel_pi.table.companion import Companion
from sorcel_pi.table.view import Trouble

from .process import needs_micropython
from .rig import row_boards
from .tables import LineTable

pytestmark = needs_micropython

PEOPLE = ("careful", "fast", "clumsy")
DARK = ((0, 0, 0),) * 61


class Tables:
    """Makes the tables of games, each on a line of its own, and keeps them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.line: dict[str, Any] = {}
        self.kind: type[LineTable] = LineTable
        self.made: list[LineTable] = []

    def __call__(self, board: Board, **options: Any) -> LineTable:
        """Return a table, as `MockTable` does."""
        folder = self.folder / str(len(self.made))
        self.made.append(self.kind(board, folder, line=self.line, **options))
        return self.made[-1]


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tables]:
    """Tables on lines in place of those without."""
    made = Tables(tmp_path)
    monkeypatch.setattr(run, "MockTable", made)
    yield made
    for table in made.made:
        table.close()
        assert table.rig.firmware.events == ["watchdog 8000 ms"]


def played(number: int, *, most: int = 300, rules: str = "mixed") -> None:
    """Play a game; what was made must be what was recorded."""
    report = play_game(8, number, PEOPLE, Options(most=most, rules=rules))
    failure = report.failure
    assert failure is None, (failure.kind, failure.text, failure.story)


def test_a_game(tables: Tables) -> None:
    played(0, most=12)
    (table,) = tables.made
    counts = table.rig.mcu.counts
    assert (counts.bad, counts.gaps, counts.repeats, counts.connections) == (0, 0, 0, 1)
    assert counts.bytes_out < 2000 * table.now


def test_a_whole_game_on_row_boards(tables: Tables) -> None:
    tables.line = row_boards(standard_board())
    played(2)
    (table,) = tables.made
    assert table.rig.mcu.counts.bad == table.rig.mcu.counts.gaps == 0


@pytest.mark.slow
@pytest.mark.parametrize("number", range(20))
def test_whole_games(tables: Tables, number: int) -> None:
    played(number)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(3))
def test_whole_games_byte_by_byte(tables: Tables, number: int) -> None:
    tables.line = {"byte_by_byte": True}
    played(number)
    assert tables.made[0].rig.mcu.counts.bad == 0


class BadLine(LineTable):
    """A table on a line that can be down."""

    def show(self, frame: Frame) -> None:
        """Show it as soon as it can be."""
        try:
            super().show(frame)
        except DeviceError:
            self._slice(self._now + 0.01)

    def next_change(self, now: float | None = None) -> float | None:
        """Look again soon."""
        change = super().next_change(now)
        if self.rig.readable and self.rig.lights == self.frame:
            return change
        return self._now + 0.05 if change is None else min(change, self._now + 0.05)


class Patient(Eyes):
    """Eyes of somebody who was kept waiting and does not go by what was lit long ago."""

    def read(self, since_s: float, now_s: float) -> Reading:
        """Return what can be read of the last few seconds."""
        return super().read(max(since_s, now_s - LONG_LOOK_S), now_s)


class Watchful(Scene):
    """People who also see what the lights do between two frames of the table.

    When a cascade is open, the next of `faults` happens, and they wait until it is over.
    """

    faults: ClassVar[list[str]] = []
    last_seen: Frame = ()

    def __init__(self, table: MockTable, companion: Companion, own: Game, **options: Any) -> None:
        super().__init__(table, companion, own, **options)
        self.eyes = Patient(self.board, palette=companion.lights.palette)

    def step(self) -> None:
        """Scan, look, and let happen what is to happen."""
        self._look()
        if self.faults and self.companion.referee.open is not None:
            fault = self.faults.pop(0)
            assert isinstance(self.table, BadLine)
            table, rig = self.table, self.table.rig
            self.note(fault)
            match fault:
                case "cut for 30 s":
                    rig.cut = True
                    self._wait(30)
                    assert rig.mcu.status.state is LinkState.LOST
                    assert table.frame == DARK
                    rig.cut = False
                case "the board starts again":
                    rig.restart_firmware()
                case "another port":
                    rig.unplug()
                    self._wait(5)
                    rig.plug(elsewhere=True)
                case "the driver starts again":
                    rig.stop_host()
                    rig.start_host(wait=False)
            while not rig.readable or self.companion.view(self.now).trouble is Trouble.LINE:
                self._wait(0.1)
            self._wait(LONG_LOOK_S)

    def _wait(self, seconds: float) -> None:
        """Let time pass without anybody moving."""
        end = self.now + seconds
        while self.now < end:
            self.table.advance_to(self.now + 0.05)
            self._look()

    def _look(self) -> None:
        try:
            super().step()
        except DeviceError:  # as the app does
            self._take(self.companion.step(None, self.now))
        if self.table.frame != self.last_seen:
            self.last_seen = self.table.frame
            self.eyes.see(self.now, self.last_seen)


@pytest.fixture
def watchful(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> Tables:
    """Tables on bad lines."""
    monkeypatch.setattr(run, "Scene", Watchful)
    tables.kind = BadLine
    return tables


@pytest.mark.slow
@pytest.mark.parametrize("number", range(4))
def test_whole_games_over_a_noisy_line(watchful: Tables, number: int) -> None:
    watchful.line = {"noise": 0.03}
    # Every press arrives, but lights that count coins are wrong until a lost frame comes again,
    # and people who count them then bid too much: so nobody bids.
    played(number, rules="egressian")
    rig = watchful.made[0].rig
    assert rig.to_host.harmed + rig.to_device.harmed > 5


FAULTS = ["cut for 30 s", "the board starts again", "another port", "the driver starts again"]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(6))
def test_26_whole_games_with_faults_in_the_middle_of_cascades(
    watchful: Tables, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    faults = FAULTS[number % 4 :] + FAULTS[: number % 4]
    monkeypatch.setattr(Watchful, "faults", faults)
    played(number)
    assert len(faults) < 4
