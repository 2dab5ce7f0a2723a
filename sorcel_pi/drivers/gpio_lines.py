"""The lines of a contact matrix on a Pi's own pins, by lgpio (fast) and by gpiozero (everywhere).

What `matrix` asks of any lines is the `LineBank`; `expander` has others.  They know rows and
columns by number, neither places nor spaces.
"""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from tempfile import gettempdir
from typing import Any, Protocol
from warnings import catch_warnings, simplefilter

from ..errors import DeviceError

INSTALL = f'"{sys.executable}" -m pip install "gpiozero>=2.0.1.post3"'
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


def describe(error: Exception) -> str:
    """Return what a library says, with what helps where that is known."""
    text = " ".join(f"{error}".split()).strip("'\"") or type(error).__name__
    if "busy" in text.lower() or type(error).__name__ == "GPIOPinInUse":
        return f"{text}; another program has the lines: systemctl stop sorcel.service?"
    if isinstance(error, PermissionError) or "permission" in text.lower():
        return f"{text}; sorcel doctor says what helps"
    return text


def give_lgpio_a_folder() -> None:
    """Let lgpio keep its pipe where it may write, not in the current folder (case 41).

    Before it or gpiozero is imported.
    """
    os.environ.setdefault("LG_WD", gettempdir())


def open_lines(rows: Sequence[int], columns: Sequence[int]) -> LineBank:
    """Return the lines with these BCM numbers, by lgpio if it is there and not ruled out.

    GPIOZERO_PIN_FACTORY, where it names another library, is obeyed.
    """
    give_lgpio_a_folder()
    asked = os.environ.get("GPIOZERO_PIN_FACTORY", "lgpio")
    if asked == "lgpio":
        try:
            return LgpioLines(rows, columns)
        except ImportError:
            pass  # gpiozero has other ways
    return GpiozeroLines(rows, columns)


@contextmanager
def opened_by_gpiozero(what: str, devices: Sequence[Any]) -> Iterator[None]:
    """If something fails, close the devices and raise one `DeviceError`.

    What gpiozero warns of, while it looks for a library, is told only then.
    """
    with catch_warnings(record=True) as warned:
        simplefilter("always")
        try:
            yield
        except Exception as error:  # BadPinFactory, GPIOPinInUse, or of the library below
            for device in devices:
                device.close()
            reasons = "; ".join(f"{each.message}" for each in warned)
            text = f"the {what} cannot be opened: {describe(error)}"
            raise DeviceError(f"{text} ({reasons})" if reasons else text) from error


class GpiozeroLines:
    """Lines by gpiozero, with whatever library it finds below it."""

    def __init__(self, rows: Sequence[int], columns: Sequence[int]) -> None:
        """Claim the lines; raises `DeviceError`."""
        try:
            from gpiozero import InputDevice, OutputDevice
        except ImportError:
            raise DeviceError(f"contacts by gpio need gpiozero: {INSTALL}") from None
        self._devices: list[Any] = []
        with opened_by_gpiozero("contacts", self._devices):
            for pin in rows:
                self._devices.append(OutputDevice(pin, active_high=False, initial_value=False))
            for pin in columns:
                self._devices.append(InputDevice(pin, pull_up=True))
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
