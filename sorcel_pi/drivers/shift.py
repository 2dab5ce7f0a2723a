"""Contacts behind a chain of 74HC165 registers, on three lines of the Pi.

Every register takes its inputs over while load is low; after that each pulse of the clock moves all
bits one step toward data, which is pulled up.  The input of the last register is tied low::

    data <--- register 0 <--- register 1 <--- ... <--- the last <--- low
                  |               |                       |
                contacts: closed is low       load, clock: to all of them

So what comes behind the last bit tells whether anything is there at all.  Lines are those of a
matrix of two rows and a column: `drive` and `release` make a pulse.  Neither pieces nor bounce are
known here.
"""

import time
from collections.abc import Callable, Iterator, Sequence

from ..config.chain import INPUTS
from ..errors import DeviceError
from ..rules.hexgrid import spaces_of
from ..table.sensing.debouncer import Scan
from .gpio_lines import LineBank, describe

LOAD, CLOCK = 0, 1
"""The rows of the line bank."""
_BEHIND = 8
"""So many bits behind the last register have to be low."""


class Shift:
    """The contacts of `registers`; `order` is the place (the number of the bit) of each space.

    `spares` is a mask of places that read open as long as all registers answer.
    """

    def __init__(
        self,
        bank: LineBank,
        registers: int,
        *,
        order: Sequence[int],
        spares: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take over `bank`, which `close` closes."""
        self._bank = bank
        self._places = INPUTS * registers
        self._bits = tuple((place, 1 << space) for space, place in enumerate(order))
        self._spares = spares
        self._clock = clock
        self._closed = False

    def scan(self) -> Scan:
        """Return which contacts are closed now."""
        if self._closed:
            raise DeviceError("the contacts are closed: these registers have been let go")
        now = self._clock()
        try:
            places = self._read()
        except DeviceError:
            raise
        except Exception as error:  # of gpiozero or lgpio: all mean the same
            raise DeviceError(f"the contacts cannot be read: {describe(error)}") from error
        return Scan(now, sum(bit for place, bit in self._bits if places >> place & 1))

    def close(self) -> None:
        """Let go of the lines."""
        if not self._closed:
            self._closed = True
            try:
                self._bank.close()
            except Exception as error:
                raise DeviceError(f"the contacts cannot be let go: {describe(error)}") from error

    def _read(self) -> int:
        bank = self._bank
        bank.ready()
        bank.drive(LOAD)
        bank.release(LOAD)
        places = sum(low << place for place, low in enumerate(self._shift_out(self._places)))
        if not all(self._shift_out(_BEHIND)):
            raise DeviceError(
                "the contacts cannot be read: what comes behind the last register is not low; look "
                "for the cable and the 3.3 V of the registers, and for the right [contacts] "
                "registers"
            )
        check_spares(places, self._spares)
        return places

    def _shift_out(self, count: int) -> Iterator[int]:
        """Yield 1 for each bit that is low."""
        bank = self._bank
        for _ in range(count):
            yield bank.read()
            bank.drive(CLOCK)
            bank.release(CLOCK)


def check_spares(places: int, spares: int) -> None:
    """Raise `DeviceError` if places read closed that are at 3.3 V on every row board.

    A register behind a cable that is out reads low at all inputs.
    """
    wrong = places & spares
    if wrong:
        number = next(spaces_of(wrong)) // INPUTS + 1
        raise DeviceError(
            f"the contacts cannot be read: register {number} of the chain, or one before it, does "
            "not answer; look for the cable to its row board, and for its 3.3 V; registers that "
            "are wired in another way need sorcel calibrate first"
        )
