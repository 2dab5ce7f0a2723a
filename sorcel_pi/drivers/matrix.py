"""Contacts in a matrix of rows and columns: one driver, whatever its lines hang on.

A row is driven low, the columns are read, the row is let go again: a closed contact pulls its
column low while its row is low, through a diode whose band is at the row::

    column (pull-up) ---- contact ---->|---- row (idle high, driven low one at a time)

Lines come from `lines` and from `expander`.  It knows places and spaces, neither pieces nor bounce.
"""

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..errors import DeviceError
from ..table.sensing.debouncer import Scan
from .gpio_lines import LineBank, describe

SPIN_S = 0.00005
"""Shorter waits are spun: a sleep takes longer than it is asked to."""


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
