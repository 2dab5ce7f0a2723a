"""A wired matrix, as a circuit: which lines are low, given what drives them and what is closed.

Three stand-ins for hardware read it: pins of gpiozero, an lgpio module, an MCP23017 on I2C.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from gpiozero.pins.mock import MockPin

from sorcel_pi.rules.hexgrid import spaces_of


class Wiring:
    """Rows and columns by their pins, a contact and a diode at each place, buttons to ground."""

    def __init__(self, rows: tuple[int, ...], columns: tuple[int, ...], seed: int = 0) -> None:
        self.rows, self.columns = rows, columns
        self.closed: set[int] = set()
        self.missing: set[int] = set()
        """Places whose diode is missing: they conduct both ways."""
        self.turned: set[int] = set()
        self.grounded: set[int] = set()
        """Pins with a short to ground."""
        self.bouncing = 0
        """For so many reads closed contacts chatter."""
        self.pressed: set[int] = set()
        self.driven: dict[int, bool] = {}
        """The level of each output."""
        self.error: Exception | None = None
        """What every access raises."""
        self._random = Random(seed)

    def close_places(self, mask: int) -> None:
        self.closed = {
            place for place in range(len(self.rows) * len(self.columns)) if mask >> place & 1
        }

    def drive(self, pin: int, level: bool) -> None:
        self.fail()
        self.connect(pin, level)

    def connect(self, pin: int, level: bool | None) -> None:
        """Drive a pin, or with None make it an input."""
        self.driven.pop(pin, None)
        if level is not None:
            self.driven[pin] = level

    def level(self, pin: int) -> bool:
        """Return whether an input with a pull-up reads high."""
        self.fail()
        return pin not in self.pressed and pin not in self._low_pins()

    def levels(self, pins: tuple[int, ...]) -> list[bool]:
        self.fail()
        low = self._low_pins()
        return [pin not in self.pressed and pin not in low for pin in pins]

    def fail(self) -> None:
        if self.error is not None:
            raise self.error

    def _low_pins(self) -> set[int]:
        """Spread what is low through closed contacts; low wins over high."""
        low = self.grounded | {pin for pin, level in self.driven.items() if not level}
        paths = list(self._paths())
        before = -1
        while len(low) != before:
            before = len(low)
            low |= {end for start, end in paths if start in low}
        return low

    def _paths(self) -> Iterator[tuple[int, int]]:
        """Yield the pins between which low goes, with its direction."""
        chatter = self.bouncing > 0
        self.bouncing = max(0, self.bouncing - 1)
        for place in self.closed:
            if chatter and self._random.random() < 0.5:
                continue
            row = self.rows[place // len(self.columns)]
            column = self.columns[place % len(self.columns)]
            if place not in self.turned:
                yield row, column
            if place in self.turned | self.missing:
                yield column, row


class Registers(Wiring):
    """A chain of 74HC165 by the pins load, clock and data; behind it all is low.

    `closed` are places: the bits in the order in which they come out.
    """

    def __init__(self, load: int, clock: int, data: int, registers: int, tied: int = 0) -> None:
        super().__init__((load, clock), (data,))
        self.fitted = self.answering = registers
        """Behind the last register that answers all is low."""
        self.tied = tied
        """Places that are at 3.3 V, whatever a contact might do."""
        self.plugged = True
        """Without its cable data is pulled up."""
        self._held = 0
        self._levels = [True, True]

    def close_places(self, mask: int) -> None:
        self.closed = set(spaces_of(mask & ~self.tied))

    def drive(self, pin: int, level: bool) -> None:
        super().drive(pin, level)
        if pin not in self.rows:
            return
        line = self.rows.index(pin)
        rises, self._levels[line] = level and not self._levels[line], level
        if not self._levels[0]:
            places = 8 * self.answering
            closed = sum(1 << place for place in self.closed) & ((1 << places) - 1)
            self._held = closed | -1 << places
        elif line == 1 and rises:
            self._held >>= 1

    def _low_pins(self) -> set[int]:
        return {self.columns[0]} if self.plugged and self._held & 1 else set()


class WiredPin(MockPin):  # type: ignore[misc]
    """A pin of gpiozero's mock factory that is soldered to a wiring."""

    wiring: Wiring

    @property
    def number(self) -> int:
        return int(self.info.name.removeprefix("GPIO"))

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        self.wiring.connect(self.number, bool(self._state) if value == "output" else None)

    def _set_state(self, value: int) -> None:
        super()._set_state(value)
        self.wiring.drive(self.number, bool(value))

    def _get_state(self) -> bool:
        if self._function == "output":
            self.wiring.fail()
            return bool(self._state)
        return self.wiring.level(self.number)


class FakeLgpio:
    """What the driver uses of lgpio, on a chip as a Pi has it."""

    SET_PULL_UP = 32

    class error(Exception):  # noqa: N801, N818 - lgpio calls it so
        pass

    def __init__(self, wiring: Wiring, labels: tuple[str, ...] = ("pinctrl-bcm2835",)) -> None:
        self.wiring, self.labels = wiring, labels
        self.open: dict[int, int] = {}
        self.groups: dict[int, tuple[int, ...]] = {}
        self.busy: set[int] = set()
        self.calls = self.handles = 0

    def gpiochip_open(self, number: int) -> int:
        if number >= len(self.labels):
            raise self.error("can not open gpiochip")
        self.handles += 1
        handle = self.handles
        self.open[handle] = number
        return handle

    def gpiochip_close(self, handle: int) -> None:
        del self.open[handle]

    def gpio_get_chip_info(self, handle: int) -> list[object]:
        return [0, 54, f"gpiochip{self.open[handle]}", self.labels[self.open[handle]]]

    def gpio_claim_output(self, handle: int, pin: int, level: int) -> int:
        self._check(handle, pin)
        self.wiring.drive(pin, bool(level))
        return 0

    def group_claim_input(self, handle: int, pins: list[int], flags: int) -> int:
        for pin in pins:
            self._check(handle, pin)
        assert flags == self.SET_PULL_UP
        self.groups[pins[0]] = tuple(pins)
        return 0

    def gpio_write(self, handle: int, pin: int, level: int) -> int:
        self._check(handle, pin)
        self.wiring.drive(pin, bool(level))
        return 0

    def group_read(self, handle: int, leader: int) -> list[int]:
        self._check(handle, leader)
        levels = self.wiring.levels(self.groups[leader])
        return [len(levels), sum(level << k for k, level in enumerate(levels))]

    def _check(self, handle: int, pin: int) -> None:
        self.calls += 1
        if handle not in self.open:
            raise self.error("unknown handle")
        if pin in self.busy:
            raise self.error("GPIO busy")


class FakeChip:
    """An I2C bus with an MCP23017: its registers, and pins soldered to a wiring."""

    IODIR, IPOL, GPPU, GPIO, OLAT = 0x00, 0x02, 0x0C, 0x12, 0x14

    def __init__(self, wiring: Wiring, address: int = 0x20) -> None:
        self.wiring = wiring
        self.address = address
        self.transfers = 0
        self.locked = self.closed = False
        self.after_transfers: dict[int, Callable[[], None]] = {}
        """What happens before the transfer of that number."""
        self.power_on()

    def power_on(self) -> None:
        """All registers as after a reset."""
        self.registers = bytearray(0x16)
        self.registers[0] = self.registers[1] = 0xFF
        self._drive()

    def _word(self, register: int) -> int:
        return self.registers[register] | self.registers[register + 1] << 8

    def _drive(self) -> None:
        inputs, levels = self._word(self.IODIR), self._word(self.OLAT)
        for pin in range(16):
            self.wiring.driven.pop(pin, None)
            if not inputs >> pin & 1:
                self.wiring.driven[pin] = bool(levels >> pin & 1)

    def _transfer(self, address: int) -> None:
        self.transfers += 1
        self.after_transfers.pop(self.transfers, lambda: None)()
        assert self.locked and not self.closed
        if self.wiring.error is not None:
            raise self.wiring.error
        if address != self.address:
            raise OSError(121, "Remote I/O error")

    def writeto(self, address: int, data: Any, *, start: int = 0, end: int | None = None) -> None:
        self._transfer(address)
        register, *values = bytes(data[start:end]) or b"\0"
        for offset, value in enumerate(values):
            where = register + offset
            if where & ~1 == self.GPIO:  # writing GPIO writes the latch
                where += self.OLAT - self.GPIO
            self.registers[where] = value
        self._drive()

    def writeto_then_readfrom(
        self,
        address: int,
        out: Any,
        into: Any,
        *,
        out_start: int,
        out_end: int,
        in_start: int,
        in_end: int,
    ) -> None:
        self._transfer(address)
        assert out_end - out_start == 1
        register = out[out_start]
        pins = self.wiring.levels(tuple(range(16)))
        outputs = ~self._word(self.IODIR)
        latch, pulled = self._word(self.OLAT), self._word(self.GPPU)
        word = sum(
            (latch & 1 << pin)
            if outputs >> pin & 1
            # An input without a pull-up floats: it reads low here, which is the worst.
            else (high and bool(pulled >> pin & 1)) << pin
            for pin, high in enumerate(pins)
        )
        shown = bytearray(self.registers)
        shown[self.GPIO], shown[self.GPIO + 1] = word & 0xFF, word >> 8
        into[in_start:in_end] = shown[register : register + in_end - in_start]

    def try_lock(self) -> bool:
        assert not self.locked
        self.locked = True
        return True

    def unlock(self) -> None:
        self.locked = False

    def deinit(self) -> None:
        self.closed = True
