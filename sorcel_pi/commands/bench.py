"""What the commands share that try a board out: keys from the terminal, lights, steady passes."""

import sys
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue

from ..app import Clock, SystemClock
from ..config.schema import Config
from ..drivers import factory
from ..drivers.ports import Frame, LightSink, SensorSource
from ..errors import ConfigError, DeviceError
from ..host.machine import Machine
from ..host.systemd import SERVICE
from ..rules.board import Board
from ..table.lights.frame import BLACK, limited
from ..table.lights.palette import Colour
from ..table.sensing.debouncer import Scan

WHITE: Colour = (90, 90, 90)

Keys = Callable[[], str | None]
"""Returns the next line that was typed, None if there is none, and `END` at the end of input."""
END = "\x04"


def terminal_keys() -> Keys:
    """Return what gives the lines of standard input without waiting for them."""
    lines: SimpleQueue[str] = SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line.strip().lower())
        lines.put(END)

    threading.Thread(target=read, name="keys", daemon=True).start()

    def next_line() -> str | None:
        try:
            return lines.get_nowait()
        except Empty:
            return None

    return next_line


class Bench:
    """A board that is tried out: contacts by place or space, lights by number, keys, time."""

    def __init__(
        self,
        config: Config,
        board: Board,
        sensors: SensorSource,
        lights: LightSink,
        *,
        keys: Keys,
        say: Callable[[str], None],
        clock: Clock,
    ) -> None:
        """Take over the drivers, which `close` closes."""
        self.config, self.board = config, board
        self.sensors, self.lights = sensors, lights
        self.keys, self.say, self.clock = keys, say, clock
        self._trouble = ""
        self._frame: Frame = ()

    def scan(self) -> Scan | None:
        """Wait for the next pass and read the contacts; None, and a word, where that fails."""
        self.clock.sleep(1 / self.config.table.scan_hz)
        try:
            scan = self.sensors.scan()
        except DeviceError as error:
            self._say_once(str(error))
            return None
        self._trouble = ""
        return scan

    def light(self, colours: dict[int, Colour]) -> None:
        """Show these colours at these lights and nothing else, within the limit."""
        frame = tuple(colours.get(k, BLACK) for k in range(self.board.grid.n))
        frame = limited(frame, self.config.lights.current_limit_a)
        if frame == self._frame:
            return
        try:
            self.lights.show(frame)
            self._frame = frame
        except DeviceError as error:
            self._say_once(str(error))

    def close(self) -> None:
        """Make the lights dark and let go of the board."""
        for device in (self.lights, self.sensors):
            try:
                device.close()
            except DeviceError as error:
                self._say_once(str(error))

    def _say_once(self, text: str) -> None:
        if text != self._trouble:
            self._trouble = text
            self.say(text)


def open_bench(
    config: Config,
    board: Board,
    say: Callable[[str], None],
    *,
    places: bool = False,
    raw: bool = False,
) -> Bench:
    """Return the board of the config, ready to be tried out at this terminal."""
    need_free(Machine())
    clock = SystemClock()
    sensors, lights = factory.open_drivers(config, board, clock=clock.now, places=places, raw=raw)
    return Bench(config, board, sensors, lights, keys=terminal_keys(), say=say, clock=clock)


def need_free(machine: Machine) -> None:
    """Raise `DeviceError` where the service has the board, which only one program can use."""
    from ..doctor.live import is_busy

    if is_busy(machine):
        raise DeviceError(f"the service has the board: sudo systemctl stop {SERVICE} first")


def need_real(what: str, driver: str) -> None:
    """Raise `ConfigError` where there is nothing to try out."""
    if driver == "mock":
        raise ConfigError(
            f"the config has simulated {what}: set [{what}] driver in the config file first "
            "(sorcel config says which file that is; sorcel config --default begins one)"
        )
