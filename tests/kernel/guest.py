"""The checks that run in the machine of `boot`: this environment, a real kernel, simulated lines.

gpiozero, lgpio and pyserial are as they are; a thread is the wiring, a stub the Pico's pins.
"""

import os
import threading
import time
import traceback
import tty
from collections.abc import Callable
from pathlib import Path

import pytest

from sorcel_pi import Step, legal_actions, play
from sorcel_pi.commands.table import open_app
from sorcel_pi.config.schema import Config, ContactsConfig
from sorcel_pi.config.wiring import contact_pins
from sorcel_pi.drivers.buttons import GpioButtons
from sorcel_pi.drivers.gpio_lines import GpiozeroLines, LgpioLines, LineBank, open_lines
from sorcel_pi.drivers.matrix import Matrix
from sorcel_pi.drivers.mcu import Mcu
from sorcel_pi.drivers.mcu_link import LinkState
from sorcel_pi.drivers.mock.table import MockTable
from sorcel_pi.errors import DeviceError
from sorcel_pi.rules.board import standard_board
from sorcel_pi.table.referee.inference import standing_of

from ..drivers.wired import Wiring
from ..firmware.process import Firmware, install

ROWS, COLUMNS = contact_pins(Config(contacts=ContactsConfig(driver="gpio")))
SPACES = 61
BREATH_S = 0.003
"""What a pass of the loop leaves to the others in real seconds, while 0.01 s pass on the table."""
MASKS = (0, 1, 1 << 60, (1 << 61) - 1, 0x0AAA_AAAA_AAAA_AAAA, 0b1011 | 0b1011 << 16)
PICO = Path("/sys/kernel/config/usb_gadget/pico/UDC")


def lines_folder() -> Path:
    """Return where the simulated lines are played with."""
    (found,) = Path("/sys/devices/platform").glob("gpio-sim.*/gpiochip*/sim_gpio0")
    return found.parent


class Copper:
    """Reads what the rows are driven to, and pulls the columns accordingly, all the time."""

    def __init__(self) -> None:
        folder = lines_folder()
        self.wiring = Wiring(ROWS, COLUMNS)
        self._values = {pin: (folder / f"sim_gpio{pin}/value") for pin in ROWS}
        self._pulls = {pin: (folder / f"sim_gpio{pin}/pull") for pin in COLUMNS}
        self._pulled: dict[int, bool] = {}
        self._passes = 0
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "Copper":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._end.is_set():
            for pin, value in self._values.items():
                self.wiring.connect(pin, value.read_text() == "1\n")
            for pin, level in zip(COLUMNS, self.wiring.levels(COLUMNS), strict=True):
                if self._pulled.get(pin) != level:
                    self._pulled[pin] = level
                    self._pulls[pin].write_text("pull-up" if level else "pull-down")
            self._passes += 1
            time.sleep(0.0005)

    def settle(self, _: float = 0.0) -> None:
        """Wait until what is driven and closed now has its effect."""
        passes = self._passes
        while self._passes < passes + 2:
            time.sleep(0.0005)


def scan_all(open_bank: Callable[[], LineBank]) -> None:
    """Read several boards by these lines."""
    with Copper() as copper:
        matrix = Matrix(open_bank(), 8, 8, order=range(SPACES), wait=copper.settle)
        try:
            for mask in MASKS:
                copper.wiring.close_places(mask)
                copper.settle()
                closed = matrix.scan().closed
                assert closed == mask, f"{closed:016x} for {mask:016x}"
        finally:
            matrix.close()


def check_lgpio_reads_the_matrix() -> None:
    """lgpio, by groups."""
    scan_all(lambda: LgpioLines(ROWS, COLUMNS))


def check_gpiozero_reads_the_matrix() -> None:
    """gpiozero, with the library that it chooses itself."""
    from gpiozero import Device

    scan_all(lambda: GpiozeroLines(ROWS, COLUMNS))
    assert type(Device.pin_factory).__name__ == "LGPIOFactory"
    let_go_of_gpiozero()


def let_go_of_gpiozero() -> None:
    """Free the lines: gpiozero keeps those of closed devices as long as its factory lives."""
    from gpiozero import Device

    Device.pin_factory.close()
    Device.pin_factory = None


def check_the_driver_takes_lgpio() -> None:
    """Where lgpio is there it is taken."""
    lines = open_lines(ROWS, COLUMNS)
    assert isinstance(lines, LgpioLines)
    lines.close()


def check_lines_in_use_are_named() -> None:
    """What a second program is told."""
    lines = LgpioLines(ROWS, COLUMNS)
    try:
        with pytest.raises(DeviceError, match=r"busy.*another program"):
            LgpioLines(ROWS, COLUMNS)
    finally:
        lines.close()


def check_buttons() -> None:
    """Buttons, by gpiozero."""
    pins = (18, 2, 3)
    pulls = [lines_folder() / f"sim_gpio{pin}/pull" for pin in pins]
    for pull in pulls:
        pull.write_text("pull-up")
    buttons = GpioButtons(pins)
    for mask in (0, 1, 2, 4, 7, 5, 0):
        for bit, pull in enumerate(pulls):
            pull.write_text("pull-down" if mask >> bit & 1 else "pull-up")
        assert buttons.read() == mask
    buttons.close()
    let_go_of_gpiozero()


def check_what_a_scan_costs() -> None:
    """Measured, not judged."""
    for pin in COLUMNS:
        (lines_folder() / f"sim_gpio{pin}/pull").write_text("pull-up")
    for name, kind in (("lgpio", LgpioLines), ("gpiozero", GpiozeroLines)):
        bank: LineBank = kind(ROWS, COLUMNS)
        matrix = Matrix(bank, 8, 8, order=range(SPACES), drive_s=0, release_s=0)
        begun = time.perf_counter()
        for _ in range(50):
            matrix.scan()
        print(f"{name}: {(time.perf_counter() - begun) / 50 * 1000:.2f} ms a scan, emulated")
        matrix.close()
    let_go_of_gpiozero()


class Paced:
    """A clock that goes on by passes of the loop: however slow the machine is, none is late."""

    def __init__(self) -> None:
        self.time = 1.0

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time = round(self.time + seconds, 6)
        time.sleep(BREATH_S)


class Pico:
    """A board at USB: the firmware's own files, a table above, a plug to pull."""

    def __init__(self, table: MockTable, clock: Paced) -> None:
        self.table, self.clock = table, clock
        self.firmware: Firmware | None = None
        self.starts = 0
        self.begun = 0.0

    def plug(self) -> None:
        """Put the plug in: the firmware starts, and the host sees a new device."""
        (controller,) = Path("/sys/class/udc").iterdir()
        PICO.write_text(controller.name)
        self.starts += 1
        while not Path("/dev/ttyGS0").exists():
            time.sleep(BREATH_S)
        line = os.open("/dev/ttyGS0", os.O_RDWR | os.O_NOCTTY)
        tty.setraw(line)
        self.begun = self.clock.now()
        self.firmware = Firmware(install(Path(f"/dev/shm/flash{self.starts}")), line, line)
        os.close(line)

    def unplug(self) -> None:
        """Pull the plug: no power, no device."""
        if self.firmware is not None:
            self.firmware.kill()
        self.firmware = None
        PICO.write_text("\n")

    def follow(self) -> None:
        """Let the firmware's time pass until now."""
        if self.firmware is not None:
            now = round((self.clock.now() - self.begun) * 1e6)
            self.firmware.go(now, contacts=self.table.scan().closed)


class Desk:
    """A table of pieces over a Pico at USB, and the app at the other end of the line."""

    def __init__(self) -> None:
        self.clock = Paced()
        self.table = MockTable(standard_board(), clock=self.clock.now)
        self.pico = Pico(self.table, self.clock)
        self.pico.plug()
        self.mcu = Mcu(SPACES, clock=self.clock.now)
        both = (self.mcu, self.mcu)
        self.app = open_app(Config(), keep=False, drivers=lambda config, board: both)
        self.app.clock = self.clock
        for number, space in enumerate(standing_of(self.app.table.game.position.pieces)):
            self.table.put(number, space)

    def until(self, done: Callable[[], bool], what: str, seconds: float = 30) -> None:
        """Let the loop go round until something is so."""
        end = self.clock.now() + seconds
        while not done():
            assert self.clock.now() < end, (what, self.app.sensor_error, self.app.table.view(end))
            self.pico.follow()
            self.app.pass_once()
            self.clock.sleep(0.01)

    def rest(self) -> None:
        """Let the table see that all stands where it should."""
        end = self.clock.now() + 1
        self.until(lambda: self.clock.now() >= end, "a rest")

    def make_a_step(self) -> None:
        """Carry a piece to a hex where it pushes nobody, and wait for the record."""
        game = self.app.table.game
        position = game.position
        foes = position.in_play(position.side.other)
        step = next(
            action
            for action in legal_actions(position)
            if isinstance(action, Step)
            and not position.board.grid.adjacent[action.target] & foes
            and play(position, action).occupied.bit_count() == position.occupied.bit_count()
        )
        before = len(game.actions)
        piece = self.table.truth()[step.origin]
        self.table.carry(piece, step.target, speed_mm_s=300)
        self.table.drop(piece, step.target)
        self.until(lambda: len(self.app.table.game.actions) > before, f"recorded: {step}")
        assert self.app.table.game.actions[-1] == step

    def close(self) -> None:
        """End everything."""
        self.app.close()
        self.pico.unplug()


def check_a_game_through_a_usb_port_with_unplug_and_replug() -> None:
    """Steps that push nobody, made by a hand, before and after the plug was out."""
    desk = Desk()
    app, mcu = desk.app, desk.mcu
    try:
        desk.until(
            lambda: mcu.status.state is LinkState.CONNECTED and not app.sensor_error, "found"
        )
        assert mcu.port.startswith("/dev/ttyACM"), mcu.port
        assert mcu.status.firmware
        desk.rest()
        for _ in range(2):
            desk.make_a_step()
        desk.pico.unplug()
        desk.until(lambda: mcu.status.state is LinkState.LOST and bool(app.sensor_error), "lost")
        assert len(app.table.game.actions) == 2
        desk.pico.plug()
        desk.until(lambda: not app.sensor_error, "found again")
        desk.rest()
        for _ in range(2):
            desk.make_a_step()
        print(f"{len(app.table.game.actions)} actions, {mcu.counts}")
        assert mcu.counts.bad == 0 and mcu.counts.connections == 2
    finally:
        desk.close()


CHECKS = [value for name, value in list(globals().items()) if name.startswith("check_")]


def main() -> None:
    """Run all checks and write to the console what became of each."""
    for check in CHECKS:
        begun = time.monotonic()
        lines: list[str] = []
        try:
            check()
        except BaseException:
            lines = traceback.format_exc().splitlines()
        event = "FAILED" if lines else "ok"
        print(f"\n== {event} {check.__name__.removeprefix('check_')}")
        print("\n".join([*lines, f"{time.monotonic() - begun:.1f} s"]))
    print("\n== ok end")


if __name__ == "__main__":
    main()
