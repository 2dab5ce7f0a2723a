"""A microcontroller at the other end of a serial line reads the contacts and drives the lights.

This finds the port, keeps it open, and opens it again when it was gone; `link` knows what is said
over it.  One thread does all reading and writing, so that neither a scan nor a frame ever waits
for the line; it ends with `close`.
"""

import errno
import sys
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import TracebackType
from typing import Any, NamedTuple, Self

from ..errors import DeviceError
from ..table.sensing.debouncer import Scan
from .mcu_link import Link, LinkStatus, Trouble
from .ports import Frame
from .shift import check_spares

VENDOR, PRODUCT = 0x2E8A, 0x0005
"""The USB identity of MicroPython on RP2040 and RP2350."""
BAUD = 115200
INSTALL = f"{sys.executable} -m pip install 'pyserial>=3.5'"
POLL_S = 0.05
WRITE_TIMEOUT_S = 1.0
CLOSE_TIMEOUT_S = 2.0
RETRY_S = (0.25, 0.5, 1.0, 2.0, 5.0)
"""How long to wait after the first failure, the second and so on."""
_MAX_READ = 4096


class LineCounts(NamedTuple):
    """What has gone over the line since the driver was made."""

    bytes_in: int
    bytes_out: int
    lines: int
    bad: int
    repeats: int
    gaps: int
    missed: int
    lost: int
    """Lines that the board has missed."""
    connections: int
    passes: int
    """How often the thread has looked what is to be done."""


class Mcu:
    """Contacts and lights of a board with a microcontroller; both contracts in one.

    `spaces` is how many the board must have, `places` how many contacts it must tell; 0: that does
    not matter.  `order` is the place of each space, `spares` a mask of places that read open as
    long as all registers answer.  `port` names the serial port, else it is the first with the right
    USB identity, and `serial_number` where one is given, that answers.  With `raw` scans are as the
    board reads them, before its filter.  Raises `DeviceError` at once only where pyserial is not
    installed: without a board it searches, and `status` says so.
    """

    def __init__(
        self,
        spaces: int = 61,
        *,
        port: str = "",
        serial_number: str = "",
        order: tuple[int, ...] = (),
        places: int = 0,
        spares: int = 0,
        current_limit_a: float = 1.5,
        colour_order: str = "GRB",
        raw: bool = False,
        clock: Callable[[], float] = time.monotonic,
        ports: Callable[[], Iterable[Any]] | None = None,
    ) -> None:
        """Begin to search; `ports` lists the serial ports as pyserial's `comports` does."""
        self._serial, comports = _pyserial()
        self._ports = comports if ports is None else ports
        self._port, self._serial_number = port, serial_number
        self._order = order or tuple(range(spaces))
        self._spares = spares
        self._clock = clock
        self._link = Link(
            spaces, current_limit_a=current_limit_a, colour_order=colour_order, places=places
        )
        self._link.watch_raw(raw)
        self._changed = threading.Condition()
        """Guards all that follows and the link; told after every pass of the thread."""
        self._line: Any = None
        self._closing = False
        self._bytes_in = self._bytes_out = 0
        self._passes = 0
        self._seen: tuple[bytes, int] = (b"", 0)
        self._wake = threading.Event()
        self._tries = 0
        self._thread = threading.Thread(target=self._run, name="mcu", daemon=True)
        self._thread.start()

    # The two contracts.

    def scan(self) -> Scan:
        """Return the newest state of contacts and buttons, which holds now."""
        with self._changed:
            octets, buttons = self._link.contacts()
            octets = self._link.raw or octets
            if self._seen[0] != octets:
                self._seen = (octets, self._spaces_of(octets))
            return Scan(self._clock(), self._seen[1], buttons)

    def show(self, frame: Frame) -> None:
        """Show `frame`, at once or when the line has room; of several only the newest counts.

        A frame that is refused because the board is lost is shown as soon as it is back, unless
        there is a newer one by then.
        """
        with self._changed:
            self._link.show(frame)
        self.wake()

    def close(self) -> None:
        """Make all lights dark and let go of the port."""
        with self._changed:
            self._closing = True
        self.wake()
        self._thread.join(CLOSE_TIMEOUT_S)
        with self._changed:
            self._link.closed()

    # Beyond them.

    @property
    def status(self) -> LinkStatus:
        """How things stand with the board, in words too."""
        with self._changed:
            return self._link.status

    @property
    def port(self) -> str:
        """The port that is open now, if any."""
        with self._changed:
            return "" if self._line is None else str(self._line.port)

    @property
    def counts(self) -> LineCounts:
        """What has gone over the line."""
        with self._changed:
            seen = self._link.decoder
            return LineCounts(
                self._bytes_in,
                self._bytes_out,
                seen.good,
                seen.bad,
                seen.repeats,
                seen.gaps,
                seen.missed,
                self._link.lost,
                self._link.connections,
                self._passes,
            )

    @property
    def troubles(self) -> tuple[Trouble, ...]:
        """What the board has complained about last, taken or not."""
        with self._changed:
            return tuple(self._link.troubles)

    def take_troubles(self) -> tuple[Trouble, ...]:
        """Return the complaints that nobody has taken yet, for somebody who shows them.

        The board repeats the reason of a crash at every hello until it was taken.  The same
        complaint is handed out at most once a minute.
        """
        with self._changed:
            return self._link.take_troubles(self._clock())

    def wait_for(self, predicate: Callable[[], bool], timeout_s: float) -> bool:
        """Wait until `predicate` holds, looked at after every pass; return whether it does."""
        with self._changed:
            return self._changed.wait_for(predicate, timeout_s)

    def wake(self) -> None:
        """Let the thread look at once what is to be done."""
        self._wake.set()
        with self._changed, suppress(AttributeError, OSError):  # no port, or it cannot
            self._line.cancel_read()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    def _spaces_of(self, octets: bytes) -> int:
        places = int.from_bytes(octets, "big")
        check_spares(places, self._spares)
        return sum((places >> place & 1) << space for space, place in enumerate(self._order))

    # The thread.

    def _run(self) -> None:
        failures = 0
        while not self._closing:
            before = self._link.connections
            port = self._choose()
            if port:
                self._use(port)
            failures = 1 if self._link.connections != before else failures + 1
            self._rest(RETRY_S[min(failures, len(RETRY_S)) - 1])

    def _choose(self) -> str:
        """Return the port to try next, or nothing."""
        if self._port:
            return self._port
        try:
            found = board_ports(self._serial_number, self._ports)
        except Exception as error:  # whatever a system's list of ports may do
            return self._absent(f"the serial ports cannot be listed: {error}")
        if not found:
            number = f" and serial number {self._serial_number}" if self._serial_number else ""
            return self._absent(
                f"no board found: there is no serial port with USB identity "
                f"{VENDOR:04x}:{PRODUCT:04x}{number}"
            )
        self._tries += 1
        return found[self._tries % len(found)]

    def _absent(self, reason: str) -> str:
        with self._changed:
            self._link.absent(reason)
        return ""

    def _use(self, port: str) -> None:
        """Open the port and talk until it breaks, nobody answers, or the driver is closed."""
        try:
            line = self._serial.Serial(
                port, BAUD, timeout=POLL_S, write_timeout=WRITE_TIMEOUT_S, exclusive=True
            )
        except Exception as error:  # OSError, ValueError, termios.error
            with self._changed:
                self._link.broke(_why_not_open(port, error))
            return
        with self._changed:
            self._line = line
            self._link.opened(port, self._clock())
        try:
            reason = self._talk(line)
        except Exception as error:
            reason = self._why_broken(port, error)
        with self._changed:
            self._line = None
            if reason:
                self._link.broke(reason)
            else:
                self._link.let_go()
            self._changed.notify_all()
        with suppress(Exception):  # without the lock: it may wait for what was written last
            line.close()

    def _talk(self, line: Any) -> str:
        """Read and write; return why the line is no use any more, or nothing if that is known."""
        while not self._closing:
            with self._changed:
                now = self._clock()
                if self._link.given_up(now):
                    return self._link.why_given_up()
                due = self._link.due(now)
                self._bytes_out += len(due)
                self._passed()
            if due:
                line.write(due)
            arrived = line.read(min(max(1, line.in_waiting), _MAX_READ))
            with self._changed:
                self._bytes_in += len(arrived)
                self._link.receive(arrived, self._clock())
                self._changed.notify_all()
        with self._changed:
            farewell = self._link.farewell()
            self._bytes_out += len(farewell)
        line.write(farewell)
        line.flush()
        return ""

    def _why_broken(self, port: str, error: Exception) -> str:
        """Say in words why an open port is no use any more."""
        if isinstance(error, self._serial.SerialTimeoutException):
            return f"the board on {port} does not take what it is sent"
        return f"the board on {port} is gone; unplugged? ({error})"

    def _passed(self) -> None:
        self._passes += 1
        self._changed.notify_all()

    def _rest(self, seconds: float) -> None:
        """Wait by the driver's clock."""
        until = self._clock() + seconds
        while not self._closing and self._clock() < until:
            with self._changed:
                self._passed()
            self._wake.wait(POLL_S)
            self._wake.clear()


def board_ports(
    serial_number: str = "", ports: Callable[[], Iterable[Any]] | None = None
) -> list[str]:
    """Return the names of the ports with the right USB identity, and serial number if given."""
    return sorted(
        str(each.device)
        for each in (ports or _pyserial()[1])()
        if (each.vid, each.pid) == (VENDOR, PRODUCT)
        and serial_number.lower() in ("", (each.serial_number or "").lower())
    )


def _pyserial() -> tuple[Any, Callable[[], Iterable[Any]]]:
    """Return the module and its list of ports; importing it is left until it is needed."""
    try:
        import serial
        from serial.tools.list_ports import comports
    except ImportError:
        raise DeviceError(f"a board with a microcontroller needs pyserial: {INSTALL}") from None
    return serial, comports


def _why_not_open(port: str, error: Exception) -> str:
    """Say in words why a port could not be opened."""
    number = getattr(error, "errno", None)
    if number == errno.ENOENT:
        return f"there is no port {port}"
    if number in (errno.EACCES, errno.EPERM):
        return f"{port} may not be opened by this user; sorcel doctor says what helps"
    if number in (errno.EAGAIN, errno.EBUSY):
        return f"{port} is in use by another program"
    return f"{port} cannot be opened: {error}"
