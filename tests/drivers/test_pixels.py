"""Lights on a pin of the Pi: Adafruit's own libraries run, and only what writes is replaced."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from sorcel_pi.drivers import pixels as drivers
from sorcel_pi.drivers.pixels import RESET_S, Pixels, is_pi_5, machine_model, why_not
from sorcel_pi.drivers.ports import Frame
from sorcel_pi.errors import DeviceError
from sorcel_pi.table.lights.frame import COLOUR_ORDERS, to_wire_bytes

from .contract import LightContract, LightRig

LIGHTS = 61
SPI_HZ = 6_400_000
PI_ZERO, PI_5 = "Raspberry Pi Zero 2 W Rev 1.0", "Raspberry Pi 5 Model B Rev 1.0"


class Pin:
    """What `board` has for each pin, and `digitalio` makes of it."""

    direction = None

    def __init__(self, pin: object) -> None:
        self.pin = pin

    def deinit(self) -> None:
        self.pin = None


class Bus:
    """An SPI bus that keeps what goes over it."""

    frequency = SPI_HZ

    def __init__(self, wire: "Wire") -> None:
        self.wire = wire

    def try_lock(self) -> bool:
        return True

    def unlock(self) -> None:
        pass

    def configure(self, **settings: object) -> None:
        pass

    def write(self, data: bytes) -> None:
        self.wire.spi = bytes(data)
        self.wire.take(decoded(bytes(data)))


class Wire:
    """What has gone over the wire to the lights last."""

    def __init__(self) -> None:
        self.data = self.spi = b""
        self.sent = 0
        self.error: Exception | None = None

    def take(self, data: bytes) -> None:
        if self.error is not None:
            raise self.error
        self.data = data
        self.sent += 1

    def frame(self, colour_order: str) -> Frame:
        width = len(colour_order)
        places = [colour_order.index(letter) for letter in "RGB"]
        lights = [self.data[k : k + width] for k in range(0, len(self.data), width)]
        return tuple((each[places[0]], each[places[1]], each[places[2]]) for each in lights)


def decoded(data: bytes) -> bytes:
    """Return the bytes that lights would read: each octet on SPI is one bit, by its length."""
    pulses = data.strip(b"\0")
    assert set(pulses) <= {0b11000000, 0b11110000}
    bits = "".join("1" if pulse == 0b11110000 else "0" for pulse in pulses)
    return bytes(int(bits[k : k + 8], 2) for k in range(0, len(bits), 8))


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[Wire]:
    """Stand-ins for `board`, `digitalio` and `neopixel_write`; the libraries above are real."""
    made = Wire()

    def module(name: str, **names: Any) -> None:
        fake = ModuleType(name)
        fake.__dict__.update(names)
        monkeypatch.setitem(sys.modules, name, fake)

    module("board", D10="D10", D18="D18", SPI=lambda: Bus(made))
    module("digitalio", DigitalInOut=Pin, Direction=SimpleNamespace(OUTPUT=1))
    module("neopixel_write", neopixel_write=lambda pin, data: made.take(bytes(data)))
    for name in ("neopixel", "neopixel_spi"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield made
    for name in ("neopixel", "neopixel_spi"):
        sys.modules.pop(name, None)


def pixels(way: str = "spi", order: str = "GRB", model: str = PI_ZERO) -> Pixels:
    pin = 10 if way == "spi" else 18
    return Pixels(LIGHTS, way=way, pin=pin, colour_order=order, model=model)


def rig_of(wire: Wire, way: str, order: str) -> LightRig:
    def unplug() -> None:
        wire.error = OSError(5, "Input/output error")

    def plug() -> None:
        wire.error = None

    return LightRig(pixels(way, order), LIGHTS, lambda: wire.frame(order), unplug, plug)


class TestSpi(LightContract):
    @pytest.fixture
    def rig(self, wire: Wire) -> LightRig:
        return rig_of(wire, "spi", "GRB")


class TestPwm(LightContract):
    @pytest.fixture
    def rig(self, wire: Wire) -> LightRig:
        return rig_of(wire, "pwm", "BRGW")


FRAME = tuple((k, 255 - 3 * k, (7 * k) % 256) for k in range(LIGHTS))


@pytest.mark.parametrize("way", ["spi", "pwm"])
@pytest.mark.parametrize("order", COLOUR_ORDERS)
def test_19_the_bytes_on_the_wire_in_all_colour_orders(wire: Wire, way: str, order: str) -> None:
    chain = pixels(way, order)
    assert wire.data == bytes(LIGHTS * len(order))  # dark as soon as it is opened
    chain.show(FRAME)
    assert wire.data == to_wire_bytes(FRAME, order)
    grey = ((9, 9, 9),) * LIGHTS  # which Adafruit's library would give to the white of the light
    chain.show(grey)
    assert wire.data == to_wire_bytes(grey, order)
    chain.close()
    assert wire.data == bytes(LIGHTS * len(order))


def test_by_spi_each_frame_ends_with_enough_silence(wire: Wire) -> None:
    pixels("spi").show(FRAME)
    silence = len(wire.spi) - len(wire.spi.rstrip(b"\0"))
    assert silence * 8 / SPI_HZ >= RESET_S - 1 / SPI_HZ
    assert RESET_S > 280e-6


def test_a_frame_on_spi_is_never_cut_in_two(
    wire: Wire, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 169 lights it has more bytes than the usual buffer of kernel and library."""
    buffer = tmp_path / "bufsiz"
    monkeypatch.setattr(drivers, "SPI_BUFFER", buffer)
    monkeypatch.delenv("SPI_BUFSIZE", raising=False)
    Pixels(169).show(((1, 2, 3),) * 169)  # where nothing is known of the buffer
    assert len(wire.spi) == drivers.spi_bytes(169, 3) > 4096
    buffer.write_text("4096\n")
    with pytest.raises(DeviceError, match=r"holds 4096 bytes, a frame has 4536; append spidev"):
        Pixels(169)
    Pixels(127)
    monkeypatch.delenv("SPI_BUFSIZE")
    buffer.write_text("32768\n")
    Pixels(169)
    assert os.environ["SPI_BUFSIZE"] == "32768"
    monkeypatch.delenv("SPI_BUFSIZE")


def test_a_frame_is_sent_only_when_it_is_shown(wire: Wire) -> None:
    chain = pixels("pwm")
    before = wire.sent
    chain.show(FRAME)
    assert wire.sent == before + 1


def test_models_with_their_pins_behind_another_chip() -> None:
    models = {
        PI_5: True,
        "Raspberry Pi 500 Rev 1.0": True,
        "Raspberry Pi Compute Module 5 Rev 1.0": True,
        "Raspberry Pi 4 Model B Rev 1.5": False,
        "Raspberry Pi 3 Model B Plus Rev 1.3": False,
        PI_ZERO: False,
        "": False,
    }
    assert {model: is_pi_5(model) for model in models} == models


def test_22_the_way_that_works_on_a_pi_5_is_chosen_or_named(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(DeviceError, match=r"pwm do not work on a Pi 5: take driver spi .* pio "):
        pixels("pwm", model=PI_5)
    with pytest.raises(DeviceError, match="pio need a Pi 5, and this is a Raspberry Pi Zero 2 W"):
        pixels("pio", model=PI_ZERO)
    pixels("spi", model=PI_5).show(FRAME)
    pixels("pio", model=PI_5).show(FRAME)
    assert wire.data == to_wire_bytes(FRAME)
    library = ModuleType("adafruit_raspberry_pi5_neopixel_write")
    library.__spec__ = sys.__spec__
    monkeypatch.setitem(sys.modules, library.__name__, library)
    assert not why_not("pwm", PI_5)  # the same library drives both then


def test_pwm_without_root_names_what_works_without(wire: Wire) -> None:
    wire.error = RuntimeError("NeoPixel support requires running with sudo, please try again!")
    with pytest.raises(DeviceError, match=r"driver spi \(lights on GPIO10\) or a microcontroller"):
        pixels("pwm")


@pytest.mark.parametrize(
    ("way", "module", "package"),
    [
        ("spi", "neopixel_spi", "adafruit-circuitpython-neopixel-spi"),
        ("pwm", "neopixel", "rpi_ws281x"),
        ("pio", "board", "Adafruit-Blinka-Raspberry-Pi5-Neopixel"),
    ],
)
def test_a_missing_library_is_one_sentence_with_the_line_that_installs_it(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, way: str, module: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(DeviceError, match=f'" -m pip install .*{package}') as caught:
        pixels(way, model=PI_5 if way == "pio" else PI_ZERO)
    assert "\n" not in str(caught.value)


def test_blinka_is_told_to_ask_nothing(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BLINKA_SKIP_DEPENDENCY_CHECK", raising=False)
    import os

    pixels()
    assert os.environ["BLINKA_SKIP_DEPENDENCY_CHECK"] == "1"


def test_the_model_is_read_from_the_device_tree(tmp_path: Any) -> None:
    (tmp_path / "model").write_bytes(PI_5.encode() + b"\0")
    assert machine_model(tmp_path / "model") == PI_5
    assert machine_model(tmp_path / "none") == ""
