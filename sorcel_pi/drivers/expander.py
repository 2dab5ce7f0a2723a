"""The lines of a contact matrix on one MCP23017, over I2C.

Pins 0-7 are GPA0-GPA7, 8-15 GPB0-GPB7; 7 and 15 can only drive, says the chip's data sheet.
It is found again, and set up again, whenever it was gone: a chip that has been without power reads
nothing at all, and that must never look like an empty board.  `matrix` makes contacts of it.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..errors import DeviceError

PACKAGES = "adafruit-circuitpython-mcp230xx 'gpiod<3'"
INSTALL = f'"{sys.executable}" -m pip install {PACKAGES}'
ADDRESS = 0x20
_ALL = 0xFFFF
_OUTPUT_ONLY = 1 << 7 | 1 << 15


class ExpanderLines:
    """Rows and columns on a chip at `address`, opened when it is first asked for anything.

    `open_bus` returns an I2C bus as CircuitPython has it; by default that of the Pi's header.
    """

    def __init__(
        self,
        rows: Sequence[int],
        columns: Sequence[int],
        *,
        address: int = ADDRESS,
        open_bus: Callable[[], Any] | None = None,
    ) -> None:
        """Raise `DeviceError` only where the library is not installed: a chip may come later."""
        self._make = _library()
        self._open_bus = open_bus or _header_bus
        self._bus: Any = None
        self._chip: Any = None
        self._address = address
        self._rows = tuple(1 << pin for pin in rows)
        self._columns = tuple((1 << pin, 1 << k) for k, pin in enumerate(columns))
        self._names = tuple(columns)
        self._inputs = _ALL & ~(sum(self._rows) | _OUTPUT_ONLY)
        self._pulled = sum(1 << pin for pin in columns)

    def ready(self) -> None:
        """Set the chip up if it has not been, or has been gone."""
        with self._talking():
            if self._chip is None:
                self._chip = self._set_up()

    def drive(self, row: int) -> None:
        """Drive this row low."""
        with self._talking():
            self._chip.gpio = _ALL & ~self._rows[row]

    def release(self, row: int) -> None:
        """Let this row, and with it all others, go high again."""
        if self._chip is not None:
            with self._talking():
                self._chip.gpio = _ALL

    def read(self) -> int:
        """Return the columns that are low."""
        with self._talking():
            levels = self._chip.gpio
        return sum(bit for pin, bit in self._columns if not levels & pin)

    def idle(self) -> int:
        """Make sure that the chip is set up as it was; return the columns that are low."""
        low = self.read()
        with self._talking():
            if (self._chip.iodir, self._chip.gppu) != (self._inputs, self._pulled):
                raise OSError("it has been without power")
        return low

    def name(self, column: int) -> str:
        """Return what to call a column."""
        pin = self._names[column]
        return f"GP{'AB'[pin // 8]}{pin % 8}"

    def close(self) -> None:
        """Let go of the bus."""
        self._chip = None
        if self._bus is not None:
            self._bus.deinit()

    @contextmanager
    def _talking(self) -> Iterator[None]:
        """Whatever goes wrong, the chip is set up anew before it is trusted again."""
        try:
            yield
        except Exception as error:
            self._chip = None
            text = " ".join(f"{error}".split()) or type(error).__name__
            raise DeviceError(
                f"the expander at I2C address 0x{self._address:02x} does not answer: {text}; "
                "sorcel doctor says what to look at"
            ) from error

    def _set_up(self) -> Any:
        if self._bus is None:
            self._bus = self._open_bus()
        chip = self._make(self._bus, address=self._address)
        chip.gpio = _ALL
        chip.gppu = self._pulled
        chip.iodir = self._inputs
        return chip


def _library() -> Callable[..., Any]:
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    try:
        from adafruit_mcp230xx.mcp23017 import MCP23017
    except ImportError:
        raise DeviceError(
            f"contacts by expander need adafruit-circuitpython-mcp230xx: {INSTALL}"
        ) from None
    make: Callable[..., Any] = MCP23017
    return make


def _header_bus() -> Any:
    import board

    return board.I2C()
