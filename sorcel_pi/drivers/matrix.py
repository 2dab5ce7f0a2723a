"""Contacts in a matrix of rows and columns: one driver, whatever its lines hang on.

A row is driven low, the columns are read, the row is let go again: a closed contact pulls its
column low while its row is low, through a diode whose band is at the row::

    column (pull-up) ---- contact ---->|---- row (idle high, driven low one at a time)

Here are the lines of a Pi, by lgpio (fast) and by gpiozero (everywhere); `expander` brings others.
It knows places and spaces, neither pieces nor bounce.
"""

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from ..errors import DeviceError
from ..table.sensing import Scan

INSTALL = f'"{sys.executable}" -m pip install "gpiozero>=2.0.1.post3"'
SPIN_S = 0.00005
"""Shorter waits are spun: a sleep takes longer than it is asked to."""
_MOST_CHIPS = 16
_PI_CHIPS = "pinctrl-"


class LineBank(Protocol):
    """The lines of one matrix; whatever it raises means that it cannot be read now."""

    def ready(self) -> None:
        """Be ready for a reading."""
        ...

    def drive(self, row: int) -> None:
        """Drive this row low."""
        ...

    def release(self, row: int) -> None:
        """Let this row go high again."""
        ...

    def read(self) -> int:
        """Return the columns that are low, one bit each."""
        ...

    def idle(self) -> int:
        """Make sure that the lines were as they should be; return the columns that are low.

        It comes last in a reading, when no row is driven: a column that is low then is stuck.
        """
        ...

    def name(self, column: int) -> str:
        """Return what to call a column."""
        ...

    def close(self) -> None:
        """Let go of all lines."""
        ...


class Matrix:
    """The contacts of a matrix; `order` is the place (row x columns + column) of each space.

    The waits after driving and after releasing a row are in seconds.  `wait` waits, `clock` gives
    the time; both only for tests.
    """

    def __init__(
        self,
        bank: LineBank,
        rows: int,
        columns: int,
        *,
        order: Sequence[int],
        drive_s: float = 0.00002,
        release_s: float = 0.0001,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] | None = None,
    ) -> None:
        """Take over `bank`, which `close` closes."""
        self._bank = bank
        self._clock = clock
        self._wait = _pause if wait is None else wait
        self._drive_s, self._release_s = drive_s, release_s
        spaces = {place: space for space, place in enumerate(order)}
        self._rows = tuple(
            _table([spaces.get(row * columns + column) for column in range(columns)])
            for row in range(rows)
        )
        """For each row: from what is read to the mask of spaces."""
        self._columns = columns
        self._closed = False

    def scan(self) -> Scan:
        """Return which contacts are closed now."""
        if self._closed:
            raise DeviceError("the contacts are closed: this matrix has been let go")
        now = self._clock()
        try:
            return Scan(now, self._read())
        except DeviceError:
            raise
        except Exception as error:  # of gpiozero, of lgpio, of a bus: all mean the same
            raise DeviceError(f"the contacts cannot be read: {describe(error)}") from error

    def close(self) -> None:
        """Let go of the lines."""
        if not self._closed:
            self._closed = True
            try:
                self._bank.close()
            except Exception as error:
                raise DeviceError(f"the contacts cannot be let go: {describe(error)}") from error

    def _read(self) -> int:
        bank, wait = self._bank, self._wait
        bank.ready()
        closed = 0
        for row, table in enumerate(self._rows):
            bank.drive(row)
            try:
                wait(self._drive_s)
                low = bank.read()
            finally:
                bank.release(row)
            wait(self._release_s)
            closed |= table[low]
        stuck = bank.idle()
        if stuck:
            names = " and ".join(bank.name(k) for k in range(self._columns) if stuck >> k & 1)
            raise DeviceError(
                f"the contacts cannot be read: low without any row driven: {names}; look for a "
                "short of such a column, or of a row, to ground"
            )
        return closed


def describe(error: Exception) -> str:
    """Return what a library says, with what helps where that is known."""
    text = " ".join(f"{error}".split()).strip("'\"") or type(error).__name__
    if "busy" in text.lower() or type(error).__name__ == "GPIOPinInUse":
        return f"{text}; another program has the lines: systemctl stop sorcel.service?"
    if isinstance(error, PermissionError) or "permission" in text.lower():
        return f"{text}; sorcel doctor says what helps"
    return text


def _pause(seconds: float) -> None:
    if seconds > SPIN_S:
        time.sleep(seconds)
        return
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        pass


def _table(spaces: Sequence[int | None]) -> tuple[int, ...]:
    """Return the mask of spaces for every reading of a row."""
    bits = [0 if space is None else 1 << space for space in spaces]
    return tuple(
        sum(bit for k, bit in enumerate(bits) if reading >> k & 1)
        for reading in range(1 << len(bits))
    )


# -- lines of a Pi --------------------------------------------------------------------------------


def open_lines(rows: Sequence[int], columns: Sequence[int]) -> LineBank:
    """Return the lines with these BCM numbers, by lgpio if it is there and not ruled out.

    GPIOZERO_PIN_FACTORY, where it names another library, is obeyed.
    """
    asked = os.environ.get("GPIOZERO_PIN_FACTORY", "lgpio")
    if asked == "lgpio":
        try:
            return LgpioLines(rows, columns)
        except ImportError:
            pass  # gpiozero has other ways
    return GpiozeroLines(rows, columns)


class GpiozeroLines:
    """Lines by gpiozero, with whatever library it finds below it."""

    def __init__(self, rows: Sequence[int], columns: Sequence[int]) -> None:
        """Claim the lines; raises `DeviceError`."""
        try:
            from gpiozero import InputDevice, OutputDevice
        except ImportError:
            raise DeviceError(f"contacts by gpio need gpiozero: {INSTALL}") from None
        self._devices: list[Any] = []
        try:
            for pin in rows:
                self._devices.append(OutputDevice(pin, active_high=False, initial_value=False))
            for pin in columns:
                self._devices.append(InputDevice(pin, pull_up=True))
        except Exception as error:  # BadPinFactory, GPIOPinInUse, or of the library below
            self.close()
            raise DeviceError(f"the contacts cannot be opened: {describe(error)}") from error
        self._rows = [device.pin for device in self._devices[: len(rows)]]
        self._columns = [(1 << k, d.pin) for k, d in enumerate(self._devices[len(rows) :])]
        self._names = tuple(columns)

    def ready(self) -> None:
        """Do nothing: the lines are always ready."""

    def drive(self, row: int) -> None:
        """Drive this row low."""
        self._rows[row].state = 0

    def release(self, row: int) -> None:
        """Let this row go high again."""
        self._rows[row].state = 1

    def read(self) -> int:
        """Return the columns that are low."""
        return sum(bit for bit, pin in self._columns if not pin.state)

    def idle(self) -> int:
        """Return the columns that are low while no row is driven."""
        return self.read()

    def name(self, column: int) -> str:
        """Return what to call a column."""
        return f"GPIO{self._names[column]}"

    def close(self) -> None:
        """Let go of all lines."""
        for device in self._devices:
            device.close()


class LgpioLines:
    """Lines by lgpio, which reads all columns at once."""

    def __init__(self, rows: Sequence[int], columns: Sequence[int]) -> None:
        """Claim the lines; `ImportError` where there is no lgpio, else `DeviceError`."""
        import lgpio

        if not hasattr(lgpio, "group_claim_input"):
            raise ImportError("an empty package of that name")
        self._lgpio: Any = lgpio
        self._pins, self._names = tuple(rows), tuple(columns)
        self._all = (1 << len(columns)) - 1
        self._handle: int | None = None
        try:
            self._handle = self._open_chip()
            for pin in rows:
                lgpio.gpio_claim_output(self._handle, pin, 1)
            lgpio.group_claim_input(self._handle, list(columns), lgpio.SET_PULL_UP)
        except Exception as error:
            self.close()
            if isinstance(error, DeviceError):
                raise
            raise DeviceError(f"the contacts cannot be opened: {describe(error)}") from error

    def ready(self) -> None:
        """Do nothing: the lines are always ready."""

    def drive(self, row: int) -> None:
        """Drive this row low."""
        self._lgpio.gpio_write(self._handle, self._pins[row], 0)

    def release(self, row: int) -> None:
        """Let this row go high again."""
        self._lgpio.gpio_write(self._handle, self._pins[row], 1)

    def read(self) -> int:
        """Return the columns that are low."""
        count, levels = self._lgpio.group_read(self._handle, self._names[0])
        if count < 0:
            raise OSError(f"lgpio reports error {count}")
        return ~int(levels) & self._all

    def idle(self) -> int:
        """Return the columns that are low while no row is driven."""
        return self.read()

    def name(self, column: int) -> str:
        """Return what to call a column."""
        return f"GPIO{self._names[column]}"

    def close(self) -> None:
        """Let go of all lines."""
        if self._handle is not None:
            handle, self._handle = self._handle, None
            self._lgpio.gpiochip_close(handle)

    def _open_chip(self) -> int:
        """Open the chip with the lines of the header: which one differs from model to model."""
        reasons = []
        for number in range(_MOST_CHIPS):
            try:
                handle: int = self._lgpio.gpiochip_open(number)
            except Exception as error:
                if number == 0 or os.path.exists(f"/dev/gpiochip{number}"):  # noqa: PTH110
                    reasons.append(f"gpiochip{number}: {describe(error)}")
                continue
            _, _, _, label = self._lgpio.gpio_get_chip_info(handle)
            if str(label).startswith(_PI_CHIPS):
                return handle
            reasons.append(f"gpiochip{number} is {label}")
            self._lgpio.gpiochip_close(handle)
        raise DeviceError(f"there are no GPIO lines of a Raspberry Pi here ({'; '.join(reasons)})")


# -- which way round ------------------------------------------------------------------------------


class Direction(NamedTuple):
    """Places of the matrix by the way in which their closed contacts conduct."""

    right: int
    turned: int
    """Only from row to column: the diode is the wrong way round."""
    both: int
    """Both ways: the diode is missing or bridged."""


def direction_of(
    open_bank: Callable[[Sequence[int], Sequence[int]], LineBank],
    rows: Sequence[int],
    columns: Sequence[int],
) -> Direction:
    """Return how the contacts that are closed now conduct, by reading the matrix both ways round.

    Rows and columns change their parts for the second reading; nothing else may use them.
    """
    places = len(rows) * len(columns)
    forward = _read_once(open_bank(rows, columns), len(rows), len(columns), range(places))
    order = [column * len(rows) + row for row in range(len(rows)) for column in range(len(columns))]
    backward = _read_once(open_bank(columns, rows), len(columns), len(rows), order)
    return Direction(forward & ~backward, backward & ~forward, forward & backward)


def _read_once(bank: LineBank, rows: int, columns: int, order: Sequence[int]) -> int:
    matrix = Matrix(bank, rows, columns, order=order)
    try:
        return matrix.scan().closed
    finally:
        matrix.close()
