"""Chains of registers on all their lines, as row boards have them; cables that are out."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import prod
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from sorcel_pi import board_from_text
from sorcel_pi.config.chain import chain_order, register_inputs, spare_places
from sorcel_pi.config.schema import Config, ContactsConfig, McuConfig, PixelsConfig
from sorcel_pi.config.wiring import (
    button_pins,
    check_config,
    contact_grid,
    contact_order,
    contact_pins,
    contact_places,
    contact_spares,
)
from sorcel_pi.drivers.factory import open_drivers
from sorcel_pi.drivers.gpio_lines import LgpioLines
from sorcel_pi.drivers.mock.table import MockTable
from sorcel_pi.drivers.ports import SensorSource
from sorcel_pi.drivers.shift import Shift
from sorcel_pi.errors import ConfigError, DeviceError
from sorcel_pi.rules.board import Board, standard_board
from sorcel_pi.rules.hexgrid import spaces_of
from sorcel_pi.sim import run
from sorcel_pi.table.sensing.debouncer import Scan

from ..pack import board_text
from .contract import SensorContract, SensorRig
from .wired import FakeLgpio, Registers, WiredPin

STANDARD = standard_board()
LARGE = board_from_text(board_text(8))
SHIFT = Config(contacts=ContactsConfig(driver="shift"), pixels=PixelsConfig(driver="mock"))
Open = Callable[..., tuple[SensorSource, Registers]]


def registers_of(board: Board) -> Registers:
    """Return row boards, wired to the pins that the driver takes for granted."""
    (load, clock), (data,) = contact_pins(SHIFT)
    tied = spare_places(board)
    return Registers(load, clock, data, len(register_inputs(board)), tied)


@pytest.fixture(params=["gpiozero", "lgpio"])
def opened(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """What opens the contacts of a board by the config, on each kind of lines."""

    def open_board(
        board: Board = STANDARD, config: Config = SHIFT, wired: Registers | None = None, **more: Any
    ) -> tuple[SensorSource, Registers]:
        wiring = wired or registers_of(board)
        pin = type("Soldered", (WiredPin,), {"wiring": wiring})
        Device.pin_factory = MockFactory(pin_class=pin)
        monkeypatch.setitem(
            sys.modules, "lgpio", FakeLgpio(wiring) if request.param == "lgpio" else None
        )
        return open_drivers(config, board, **more)[0], wiring

    yield open_board
    if Device.pin_factory is not None:
        for each in (Device.pin_factory,):
            each.reset()
    Device.pin_factory = None


def rig_of(board: Board, opened: Open) -> SensorRig:
    source, wiring = opened(board)
    order, pins = chain_order(board), button_pins(SHIFT)

    def close(mask: int) -> None:
        wiring.close_places(sum(1 << order[k] for k in range(board.grid.n) if mask >> k & 1))

    def hold(mask: int) -> None:
        wiring.pressed = {pin or 0 for bit, pin in enumerate(pins) if mask >> bit & 1}

    def plug() -> None:
        wiring.plugged = True

    def unplug() -> None:
        wiring.plugged = False

    return SensorRig(source, board.grid.n, close, hold, unplug, plug)


class TestRowBoards(SensorContract):
    @pytest.fixture
    def rig(self, opened: Open) -> SensorRig:
        return rig_of(STANDARD, opened)


class TestRowBoardsOfSide8(SensorContract):
    @pytest.fixture
    def rig(self, opened: Open) -> SensorRig:
        return rig_of(LARGE, opened)


@pytest.mark.parametrize("missing", range(1, 11))
def test_a_cable_that_is_out_is_an_error_that_says_where(opened: Open, missing: int) -> None:
    source, wiring = opened()
    wiring.answering = missing - 1
    spare = spare_places(STANDARD)
    first = next(k for k in range(missing - 1, 10) if spare >> 8 * k & 0xFF)
    for closed in (0, 1 << 3, (1 << 80) - 1):
        wiring.close_places(closed)
        with pytest.raises(DeviceError, match=f"register {first + 1} of the chain, or one before"):
            source.scan()
    wiring.answering = 10
    wiring.close_places(0)
    assert source.scan().closed == 0


def test_lines_that_fail_are_an_error(opened: Open) -> None:
    source, wiring = opened()
    wiring.error = OSError(5, "Input/output error")
    with pytest.raises(DeviceError, match="the contacts cannot be read"):
        source.scan()
    wiring.error = None
    assert source.scan().closed == 0


def test_more_registers_than_the_config_knows_are_noticed(opened: Open) -> None:
    config = replace(SHIFT, contacts=ContactsConfig(driver="shift", registers=9))
    source, _ = opened(config=config)
    with pytest.raises(DeviceError, match=r"behind the last register is not low; .* registers"):
        source.scan()


def test_registers_wired_by_hand(opened: Open) -> None:
    """Eight are enough for 61 contacts, in any order, and unused inputs may be tied to ground."""
    order = tuple(range(60, -1, -1))
    (load, clock), (data,) = contact_pins(SHIFT)
    contacts = ContactsConfig(driver="shift", registers=8, order=order)
    source, wiring = opened(
        config=replace(SHIFT, contacts=contacts), wired=Registers(load, clock, data, 8)
    )
    wiring.close_places(1 << 60 | 0b111 << 61)
    assert source.scan().closed == 1


def test_places_for_calibration_are_all_told(opened: Open) -> None:
    source, wiring = opened(places=True)
    wiring.tied = 0
    wiring.close_places(1 << 79 | 1)
    assert source.scan().closed == 1 << 79 | 1


class ChainTable(MockTable):
    """A simulated table that the driver reads, from row boards at lines of lgpio."""

    def __init__(self, board: Board, **options: Any) -> None:
        super().__init__(board, **options)
        self.wired, self.order = registers_of(board), chain_order(board)
        sys.modules["lgpio"] = FakeLgpio(self.wired)  # type: ignore[assignment]
        lines = LgpioLines(self.wired.rows, self.wired.columns)
        self.shift = Shift(lines, 10, order=self.order, spares=spare_places(board))

    def scan(self) -> Scan:
        """Return what the driver reads."""
        seen = super().scan()
        self.wired.close_places(sum(1 << self.order[k] for k in spaces_of(seen.closed)))
        return seen._replace(closed=self.shift.scan().closed)


def test_a_whole_game_on_row_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)  # is put back in the end
    monkeypatch.setattr(run, "MockTable", ChainTable)
    report = run.play_game(8, 2, ("careful",), run.Options())
    assert report.failure is None
    assert report.outcome


def test_the_usual_order_is_that_of_the_row_boards() -> None:
    assert contact_grid(SHIFT, STANDARD) == (10, 8)
    assert contact_grid(SHIFT, LARGE) == (28, 8)
    assert contact_order(SHIFT, STANDARD) == chain_order(STANDARD)
    assert contact_spares(SHIFT, STANDARD).bit_count() == 80 - 61
    assert contact_places(SHIFT, STANDARD) == {}  # no matrix, no diodes
    at_pico = Config(contacts=ContactsConfig(driver="mcu"), mcu=McuConfig(contacts="shift"))
    assert contact_order(at_pico, LARGE) == chain_order(LARGE)
    assert prod(contact_grid(at_pico, LARGE)) == 224
    turned = ContactsConfig(driver="shift", order=chain_order(STANDARD)[::-1])
    assert contact_spares(replace(SHIFT, contacts=turned), STANDARD) == 0


def test_pins_of_the_chain_are_checked() -> None:
    for contacts, words in (
        (ContactsConfig(driver="shift", rows=(26, 21, 20)), "load and clock as rows"),
        (ContactsConfig(driver="shift", rows=(5, 21)), "pin 5 is used twice"),
        (ContactsConfig(driver="shift", registers=7), "reads 56 places, the board has 61 spaces"),
    ):
        with pytest.raises(ConfigError, match=words):
            check_config(replace(SHIFT, contacts=contacts))
    check_config(replace(SHIFT, pixels=PixelsConfig(driver="spi")))
