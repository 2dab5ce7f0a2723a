"""What one scan and one frame cost each driver on this machine, hardware left out.

Below the libraries stand fakes that do as little as they can, so what is measured is the project
and the libraries: the time that lines, buses and lights take is not in it.
"""

import sys
from collections.abc import Callable, Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

from sorcel_pi.config.schema import Config, ContactsConfig
from sorcel_pi.config.wiring import contact_pins
from sorcel_pi.drivers.gpio_lines import GpiozeroLines, LgpioLines, LineBank
from sorcel_pi.drivers.matrix import Matrix
from sorcel_pi.table.lights.frame import to_wire_bytes

from . import in_turns

SPACES = 61
SCANS = 200
GPIO = contact_pins(Config(contacts=ContactsConfig(driver="gpio")))
EXPANDER = contact_pins(Config(contacts=ContactsConfig(driver="expander")))


class QuietLgpio:
    """lgpio without lines: nothing is closed."""

    SET_PULL_UP = 32

    def __init__(self) -> None:
        self.calls = 0

    def gpiochip_open(self, number: int) -> int:
        return 1

    def gpiochip_close(self, handle: int) -> None:
        pass

    def gpio_get_chip_info(self, handle: int) -> list[object]:
        return [0, 54, "gpiochip0", "pinctrl-bench"]

    def gpio_claim_output(self, *_: object) -> int:
        return 0

    group_claim_input = gpio_claim_output

    def gpio_write(self, *_: object) -> int:
        self.calls += 1
        return 0

    def group_read(self, *_: object) -> tuple[int, int]:
        self.calls += 1
        return 8, 0xFF


class QuietBus:
    """An I2C bus with an expander that holds what is written to it, on which nothing is closed."""

    def __init__(self) -> None:
        self.registers = bytearray(0x20)
        self.transfers = 0

    def try_lock(self) -> bool:
        return True

    def unlock(self) -> None:
        pass

    def deinit(self) -> None:
        pass

    def writeto(self, _: int, data: bytes, *, start: int = 0, end: int | None = None) -> None:
        self.transfers += 1
        register, *values = data[start:end] or b"\0"
        self.registers[register : register + len(values)] = bytes(values)

    def writeto_then_readfrom(self, _: int, out: bytes, into: bytearray, **ends: int) -> None:
        self.transfers += 1
        count = ends["in_end"] - ends["in_start"]
        into[ends["in_start"] : ends["in_end"]] = self.registers[out[0] : out[0] + count]


def scans(bank: LineBank, rows: int, columns: int) -> Callable[[], None]:
    """Return what scans many times without waiting."""
    matrix = Matrix(bank, rows, columns, order=range(SPACES), wait=lambda seconds: None)
    matrix.scan()

    def work() -> None:
        for _ in range(SCANS):
            matrix.scan()

    return work


def one_scan() -> Iterator[str]:
    """One scan of the contacts, by each kind of lines."""
    from gpiozero import Device
    from gpiozero.pins.mock import MockFactory

    from sorcel_pi.drivers.expander import ExpanderLines

    quiet, bus = QuietLgpio(), QuietBus()
    before, sys.modules["lgpio"] = sys.modules.get("lgpio"), quiet  # type: ignore[assignment]
    Device.pin_factory = MockFactory()
    try:
        works = {
            "gpio by lgpio": scans(LgpioLines(*GPIO), 8, 8),
            "gpio by gpiozero": scans(GpiozeroLines(*GPIO), 8, 8),
            "expander": scans(ExpanderLines(*EXPANDER, open_bus=lambda: bus), 9, 7),
        }
        times = in_turns(list(works.values()), rounds=7)
    finally:
        Device.pin_factory.reset()
        Device.pin_factory = None
        sys.modules.pop("lgpio")
        if before is not None:
            sys.modules["lgpio"] = before
    rounds = 7 * SCANS + 1
    yield f"One scan of {SPACES} contacts; medians of 7 runs in turns, hardware left out"
    beside = ["", "", f"and {bus.transfers // rounds} transfers over I2C"]
    beside[0] = f"and {quiet.calls // rounds} calls of the library"
    for name, seconds, more in zip(works, times, beside, strict=True):
        yield f"  {name:20} {seconds / SCANS * 1e6:8.0f} us  {more}".rstrip()


def one_frame() -> Iterator[str]:
    """One frame, by each library for lights, down to where bytes are handed to the system."""
    from sorcel_pi.drivers.pixels import Pixels

    sent: dict[str, int] = {}
    fakes: dict[str, dict[str, Any]] = {
        "board": {"D18": 18, "SPI": lambda: _Spi(sent)},
        "digitalio": {
            "DigitalInOut": lambda pin: SimpleNamespace(deinit=lambda: None),
            "Direction": SimpleNamespace(OUTPUT=1),
        },
        "neopixel_write": {"neopixel_write": lambda pin, data: sent.update(pwm=len(data))},
    }
    before = {name: sys.modules.get(name) for name in fakes}
    for name, names in fakes.items():
        sys.modules[name] = ModuleType(name)
        sys.modules[name].__dict__.update(names)
    frames = [tuple((k, n, 255 - k) for k in range(SPACES)) for n in range(20)]

    def shows(chain: Any) -> Callable[[], None]:
        def work() -> None:
            for frame in frames:
                chain.show(frame)

        return work

    def bytes_alone() -> None:
        for frame in frames:
            to_wire_bytes(frame)

    try:
        works = {
            "pwm": shows(Pixels(SPACES, way="pwm", pin=18, model="a Pi")),
            "spi": shows(Pixels(SPACES, way="spi", pin=10, model="a Pi")),
            "bytes alone": bytes_alone,
        }
        times = in_turns(list(works.values()), rounds=7)
    finally:
        for name, module in before.items():
            sys.modules.pop(name)
            if module is not None:
                sys.modules[name] = module
    yield f"One frame of {SPACES} lights; medians of 7 runs in turns, hardware left out"
    for name, seconds in zip(works, times, strict=True):
        size = f"{sent[name]:5} bytes" if name in sent else ""
        yield f"  {name:20} {seconds / len(frames) * 1e6:8.0f} us  {size}".rstrip()


class _Spi:
    frequency = 6_400_000

    def __init__(self, sent: dict[str, int]) -> None:
        self._sent = sent

    def try_lock(self) -> bool:
        return True

    def unlock(self) -> None:
        pass

    def configure(self, **_: object) -> None:
        pass

    def write(self, data: bytes) -> None:
        self._sent["spi"] = len(data)
