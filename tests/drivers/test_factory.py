"""From the config to drivers, and what is closed again when something fails."""

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from sorcel_pi.config.load import default_config_text
from sorcel_pi.config.schema import ButtonsConfig, Config, ContactsConfig, McuConfig, PixelsConfig
from sorcel_pi.config.wiring import contact_pins
from sorcel_pi.drivers.buttons import GpioButtons
from sorcel_pi.drivers.factory import open_drivers
from sorcel_pi.drivers.gpio_lines import open_lines
from sorcel_pi.drivers.matrix import Matrix
from sorcel_pi.drivers.mock.table import MockTable
from sorcel_pi.errors import ConfigError, DeviceError
from sorcel_pi.rules.board import standard_board

from .wired import FakeLgpio, WiredPin, Wiring

BOARD = standard_board()
N = BOARD.grid.n


def config_of(contacts: str, pixels: str, **more: Any) -> Config:
    config = Config(contacts=ContactsConfig(driver=contacts), pixels=PixelsConfig(driver=pixels))
    return replace(config, **more)


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeLgpio]:
    wiring = Wiring(*contact_pins(config_of("gpio", "mock")))
    Device.pin_factory = MockFactory(pin_class=type("Soldered", (WiredPin,), {"wiring": wiring}))
    fake = FakeLgpio(wiring)
    monkeypatch.setitem(sys.modules, "lgpio", fake)
    yield fake
    Device.pin_factory.reset()
    Device.pin_factory = None


class Lights:
    """Stands in for a chain of lights."""

    def __init__(self, lights: int, **settings: object) -> None:
        self.settings = settings

    def show(self, frame: object) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.fixture
def lights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sorcel_pi.drivers.pixels.Pixels", Lights)


def test_the_simulated_table_is_one_for_both() -> None:
    both = open_drivers(Config(), BOARD)
    assert len(set(map(id, both))) == 1
    assert isinstance(both[0], MockTable)


def test_contacts_and_lights_of_the_pi(lgpio: FakeLgpio, lights: None) -> None:
    sensors, chain = open_drivers(config_of("gpio", "pwm"), BOARD)
    assert isinstance(chain, Lights)
    assert chain.settings == {"way": "pwm", "pin": 18, "colour_order": "GRB"}
    lgpio.wiring.close_places(1 << 60 | 1)
    lgpio.wiring.pressed = {7, 9}
    scan = sensors.scan()
    assert (scan.closed, scan.buttons) == (1 << 60 | 1, 0b101)
    sensors.close()


def test_places_instead_of_spaces(lgpio: FakeLgpio) -> None:
    order = tuple(range(63, 63 - N, -1))
    turned = ContactsConfig(driver="gpio", order=order)
    config = replace(config_of("gpio", "mock"), contacts=turned)
    lgpio.wiring.close_places(1 << 63)
    sensors, _ = open_drivers(config, BOARD)
    assert sensors.scan().closed == 1
    sensors.close()
    sensors, _ = open_drivers(config, BOARD, places=True)
    assert sensors.scan().closed == 1 << 63
    sensors.close()


def test_no_buttons_no_gpiozero(lgpio: FakeLgpio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiozero", None)
    none = ButtonsConfig("none", "none", "none")
    sensors, _ = open_drivers(config_of("gpio", "mock", buttons=none), BOARD)
    assert isinstance(sensors, Matrix)
    with pytest.raises(DeviceError, match="buttons on the Pi need gpiozero"):
        open_drivers(config_of("gpio", "mock"), BOARD)
    assert len(lgpio.open) == 1  # the contacts that could be opened were let go


def test_one_microcontroller_for_both_or_for_one(lgpio: FakeLgpio, lights: None) -> None:
    mcu = McuConfig(port="/dev/no-such-port")
    sensors, chain = open_drivers(config_of("mcu", "mcu", mcu=mcu), BOARD)
    assert id(sensors) == id(chain)
    sensors.close()
    sensors, chain = open_drivers(config_of("gpio", "mcu", mcu=mcu), BOARD)
    assert type(chain).__name__ == "Mcu"
    sensors.close()
    chain.close()
    sensors, chain = open_drivers(config_of("mcu", "spi", mcu=mcu), BOARD)
    assert isinstance(chain, Lights)
    sensors.close()


@pytest.mark.parametrize("raw", [False, True])
def test_a_microcontroller_is_asked_for_raw_scans_when_they_are_wanted(
    monkeypatch: pytest.MonkeyPatch, raw: bool
) -> None:
    asked: list[dict[str, Any]] = []

    def made(spaces: int, **options: Any) -> Lights:
        asked.append(options)
        return Lights(spaces)

    monkeypatch.setattr("sorcel_pi.drivers.mcu.Mcu", made)
    open_drivers(config_of("mcu", "mcu"), BOARD, raw=raw)
    assert [options["raw"] for options in asked] == [raw]


def test_lights_that_cannot_be_opened_leave_nothing_open(
    lgpio: FakeLgpio, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(lights: int, **settings: object) -> None:
        raise DeviceError("no lights today")

    monkeypatch.setattr("sorcel_pi.drivers.pixels.Pixels", fail)
    with pytest.raises(DeviceError, match="no lights today"):
        open_drivers(config_of("gpio", "spi"), BOARD)
    assert not lgpio.open


def test_a_config_that_does_not_go_together_is_refused_before_anything_is_opened() -> None:
    with pytest.raises(ConfigError, match="used twice"):
        open_drivers(config_of("gpio", "spi", buttons=ButtonsConfig(light=5)), BOARD)
    assert "[contacts]" in default_config_text()


def test_41_lgpio_keeps_nothing_in_the_current_folder(
    lgpio: FakeLgpio, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LG_WD", "")
    monkeypatch.delenv("LG_WD")
    monkeypatch.chdir(tmp_path)
    open_lines((5, 6), (12, 13)).close()
    assert Path(os.environ["LG_WD"]).is_dir()
    assert Path(os.environ["LG_WD"]) != tmp_path
    monkeypatch.setenv("LG_WD", str(tmp_path))  # what the service or the owner says stays
    GpioButtons((None, None, None)).close()
    assert os.environ["LG_WD"] == str(tmp_path)
