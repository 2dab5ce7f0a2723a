"""A board on a line: the real firmware, the real driver with pyserial, and one simulated clock.

The driver opens a pseudo-terminal.  What it writes there goes through `Noise` to the firmware, and
back, whenever the test lets time pass.  Each slice of time is finished on both sides before the
next begins, so a run is the same every time and waits for nothing.
"""

import os
import select
import tty
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Self

from sorcel_pi.config.chain import chain_order, register_inputs, spare_places
from sorcel_pi.drivers.mcu import PRODUCT, VENDOR, Mcu
from sorcel_pi.drivers.mcu_link import LinkState
from sorcel_pi.drivers.mock.table import MockTable
from sorcel_pi.drivers.ports import Frame
from sorcel_pi.rules.board import Board
from sorcel_pi.rules.hexgrid import spaces_of

from .fuzz import harm
from .process import Cable, Firmware, install

SLICE_S = 0.02
BUSY_S = 0.004
"""A slice while something moves on the table."""
BYTE_S = 0.0001
HANG_S = 30.0
"""Real seconds after which a test counts as hung; nothing takes so long."""
SERIAL_NUMBER = "E6614104032B5C2F"


class Clock:
    """Seconds, as the test has it."""

    def __init__(self) -> None:
        """Begin somewhere."""
        self.now = 1000.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


class Noise:
    """What becomes of lines on their way: each is harmed with probability `rate`."""

    def __init__(self, rate: float, seed: int) -> None:
        """Begin without any line having passed."""
        self.rate = rate
        self.harmed = 0
        self._random = Random(seed)
        self._before: list[bytes] = []

    def __call__(self, data: bytes) -> bytes:
        """Return what arrives of `data`."""
        return b"".join(map(self._line, data.splitlines(keepends=True))) if self.rate else data

    def _line(self, line: bytes) -> bytes:
        harmed = self._random.random() < self.rate
        self.harmed += harmed
        arrives = harm(line, self._before, self._random) if harmed else line
        self._before = [*self._before[-20:], line]
        return arrives


def row_boards(board: Board) -> dict[str, Any]:
    """Return the options of a rig whose contacts are on row boards, as the config has them."""
    n, registers = board.grid.n, len(register_inputs(board))
    return {
        "settings": {"REGISTERS": registers, "SPACES": n},
        "wired": chain_order(board),
        "spaces": n,
        "order": chain_order(board),
        "places": 8 * registers,
        "spares": spare_places(board),
    }


class Rig:
    """A table, a board and a driver."""

    def __init__(
        self,
        folder: Path,
        *,
        table: MockTable | None = None,
        clock: Clock | None = None,
        noise: float = 0.0,
        byte_by_byte: bool = False,
        board: Callable[[Path, int, int], Firmware] = Firmware,
        settings: dict[str, Any] | None = None,
        wired: Sequence[int] = (),
        **options: Any,
    ) -> None:
        """Plug the board in and wait until it is found.

        `board` starts it, `settings` are those of the board's that differ, `wired` is the place of
        each space where contacts are given by space, and `options` are the driver's.
        """
        self.clock = clock or Clock()
        self.table = table
        self.contacts = self.buttons = 0
        """Closed places, or spaces, and buttons that are down, unless a table says so."""
        self._wired, self.settings = wired, settings or {}
        self.cut = False
        """While true nothing gets through, in either direction."""
        self.to_device, self.to_host = Noise(noise, 1), Noise(noise, 2)
        self.byte_by_byte = byte_by_byte
        self.order = options.get("colour_order", "GRB")
        self._folder = install(folder / "flash", **settings or {})
        self._options = options
        self._board = board
        self._master = self._slave = -1
        self._fillers: list[int] = []
        self._carried = 0
        self.plug()
        self.mcu = self.start_host()

    # The two ends.

    def start_host(self, *, wait: bool = True) -> Mcu:
        """Start a driver, as when the program starts, and `wait` until it is connected."""
        self._carried = 0
        self.mcu = Mcu(clock=self.clock, ports=lambda: self.ports, **self._options)
        if wait:
            self.until_connected()
        return self.mcu

    def stop_host(self) -> None:
        """End the driver, as when the program ends; what it said last still arrives."""
        self.mcu.close()
        with suppress(OSError):
            self.cable.send(self._from_host())

    def start_firmware(self) -> None:
        """Give the board power."""
        self.cable = Cable()
        self.firmware = self._board(self._folder, self.cable.stdin, self.cable.stdout)
        self.cable.let_go()
        self._born_s = self.clock.now

    def restart_firmware(self) -> None:
        """Reset the board; the port stays, as behind a converter."""
        self._power_off()
        self.start_firmware()

    def plug(self, *, elsewhere: bool = False) -> None:
        """Plug the board in, `elsewhere` so that the port has another name."""
        if elsewhere:
            self._fillers += os.openpty()  # takes the name that was used before
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.name = os.ttyname(self._slave)
        self.ports = [
            SimpleNamespace(device="/dev/ttyS0", vid=None, pid=None, serial_number=None),
            SimpleNamespace(device=self.name, vid=VENDOR, pid=PRODUCT, serial_number=SERIAL_NUMBER),
        ]
        self.start_firmware()

    def unplug(self) -> None:
        """Pull the plug; the board has its power from there."""
        self.ports = []
        self._power_off()
        os.close(self._master)
        os.close(self._slave)
        self._master = -1
        self._hold(lambda: self.mcu.port != self.name)
        self._carried = self.mcu.counts.bytes_out

    def _power_off(self) -> None:
        self.firmware.kill()
        self.cable.close()

    def close(self) -> None:
        """Let go of everything."""
        self.mcu.close()
        self._power_off()
        for fd in (self._master, self._slave, *self._fillers):
            with suppress(OSError):
                os.close(fd)

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of everything."""
        self.close()

    # Time.

    def advance(self, seconds: float) -> None:
        """Let time pass for table, board and driver."""
        end = self.clock.now + seconds
        while (left := end - self.clock.now) > 1e-9:
            self._slice(min(left, self._next_slice()))

    def until_connected(self, limit_s: float = 20.0) -> None:
        """Let time pass until the driver has read the board."""
        self.until(lambda: self.mcu.status.state is LinkState.CONNECTED and self.readable, limit_s)

    def until(self, condition: Any, limit_s: float) -> None:
        """Let time pass until `condition` holds."""
        end = self.clock.now + limit_s
        while not condition():
            assert self.clock.now < end, self.mcu.status
            self.advance(SLICE_S)

    @property
    def readable(self) -> bool:
        """Whether a scan works now."""
        try:
            self.mcu.scan()
        except OSError:
            return False
        return True

    @property
    def lights(self) -> Frame:
        """What the lights show."""
        return self.firmware.colours(self.order)

    def _next_slice(self) -> float:
        if self.table is None or (change := self.table.next_change()) is None:
            return SLICE_S
        return min(SLICE_S, max(BUSY_S, change - self.clock.now))

    def _slice(self, seconds: float) -> None:
        self.clock.now += seconds
        if self.table is not None:
            _, self.contacts, self.buttons = self.table.scan()
        for data in self._pieces(self.to_device(self._from_host())):
            with suppress(OSError):  # the board is off
                self.cable.send(data)
            if self.byte_by_byte:
                self._go(BYTE_S)
        self._go()
        for data in self._pieces(self.to_host(self.cable.receive())):
            self._hand_over(data)

    def _pieces(self, data: bytes) -> list[bytes]:
        if self.cut or not data:
            return []
        return [data[k : k + 1] for k in range(len(data))] if self.byte_by_byte else [data]

    def _go(self, seconds: float | None = None) -> None:
        """Let the firmware go on for a while, or until now."""
        now_us = round((self.clock.now - self._born_s) * 1e6)
        if seconds is not None:
            now_us = min(now_us, self.firmware.state["t"] + round(seconds * 1e6))
        contacts = self.contacts
        if self._wired:
            contacts = sum(1 << self._wired[space] for space in spaces_of(contacts))
        self.firmware.go(now_us, contacts=contacts, buttons=self.buttons)

    # What is on its way.

    def _from_host(self) -> bytes:
        """Let the driver do what is due and return what it wrote."""
        mcu = self.mcu_or_none
        if mcu is None:
            return b""
        passes = mcu.counts.passes
        mcu.wake()
        self._hold(lambda: mcu.counts.passes > passes or mcu.status.state is LinkState.CLOSED)
        data = b""
        while self._master >= 0 and self._carried < (total := mcu.counts.bytes_out):
            if not select.select([self._master], [], [], HANG_S)[0]:
                raise AssertionError(f"{total - self._carried} bytes were never written")
            piece = os.read(self._master, 65536)
            self._carried += len(piece)
            data += piece
        return data

    def _hand_over(self, data: bytes) -> None:
        """Let the driver read `data`, if it has the port open."""
        mcu = self.mcu_or_none
        if mcu is None or mcu.port != self.name:
            return
        target = mcu.counts.bytes_in + len(data)
        os.write(self._master, data)
        self._hold(lambda: mcu.counts.bytes_in >= target or mcu.port != self.name)

    @property
    def mcu_or_none(self) -> Mcu | None:
        """The driver, once there is one."""
        return getattr(self, "mcu", None)

    def _hold(self, condition: Any) -> None:
        assert self.mcu.wait_for(condition, HANG_S), self.mcu.status
