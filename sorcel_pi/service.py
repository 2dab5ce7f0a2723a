"""What the loop does beside playing when it runs as a service: tell systemd, watch the power.

Each is called with the app after every pass of its loop.  Neither knows how the app came about.
"""

import os
import socket
from collections.abc import Callable, Mapping
from dataclasses import replace

from .app import App
from .machine import Power
from .table.companion import Command, Do, Output
from .table.verdicts import Notice

ALIVE_S = 1.0
"""At least so often systemd is told that the loop goes round, if it wants to know."""
LOOK_S = 2.0
"""How often voltage and heat are looked at."""
DIMMED = 0.5
"""What is left of the brightness while the voltage is too low."""
TOLD = {
    ("voltage", True): (
        "The Pi reports too low a voltage: the lights are dimmed. Use another supply."
    ),
    ("voltage", False): "The voltage is high enough again.",
    ("heat", True): "The Pi is too hot and works slowly. Let more air reach it.",
    ("heat", False): "The Pi is cool enough again.",
}
"""What is said when something begins or ends."""
SEARCHING = "looking for the board"

Duty = Callable[[App], None]


def all_of(*duties: Duty) -> Duty:
    """Return one duty that does them in turn."""

    def do(app: App) -> None:
        for duty in duties:
            duty(app)

    return do


class Notifier:
    """Tells systemd that the loop runs, what it does, and that it still goes round.

    `address` is what systemd puts into NOTIFY_SOCKET, "" where nobody listens; `watchdog_s` after
    how much silence it restarts the service, 0 if never.  What cannot be told is left.
    """

    def __init__(self, address: str = "", *, watchdog_s: float = 0.0) -> None:
        """Nothing is told before the first pass."""
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self._period_s = min(ALIVE_S, watchdog_s / 4)
        self._status = ""
        self._told_s: float | None = None

    @classmethod
    def of(cls, environ: Mapping[str, str]) -> "Notifier":
        """Return the one for the service that runs this, by its environment."""
        usec = environ.get("WATCHDOG_USEC", "")
        own = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        watchdog_s = int(usec) / 1e6 if own and usec.isdigit() else 0.0
        return cls(environ.get("NOTIFY_SOCKET", ""), watchdog_s=watchdog_s)

    @property
    def listened_to(self) -> bool:
        """Whether a service manager runs this."""
        return bool(self._address)

    def __call__(self, app: App) -> None:
        """Tell what is new after a pass of the loop, with a device or without."""
        now = app.clock.now()
        lines = []
        if self._told_s is None:
            lines.append("READY=1")
        status = f"{SEARCHING}: {app.blind}" if app.blind else "the board is read"
        if status != self._status:
            lines.append(f"STATUS={' '.join(status.split())}")
        due = self._told_s is None or now - self._told_s >= self._period_s - 1e-9
        if self._period_s and due:
            lines.append("WATCHDOG=1")
        if lines and self._send("\n".join(lines)):
            self._told_s, self._status = now, status

    def stopping(self) -> None:
        """Tell that the loop has ended as it was asked to."""
        self._send("STOPPING=1")

    def _send(self, text: str) -> bool:
        """Return whether that is done with; the loop never waits for a manager that is busy."""
        if self._address:
            try:
                with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
                    line.setblocking(False)
                    line.sendto(text.encode(), self._address)
            except BlockingIOError:
                return False
            except OSError:
                pass  # nobody is there
        return True


class PowerWatch:
    """Halves the brightness while the voltage is too low; tells page and log of that and of heat.

    `look` returns what the machine reports, None where nothing does.
    """

    def __init__(self, look: Callable[[], Power | None]) -> None:
        """Begin with all well."""
        self._look = look
        self._before: float | None = None
        """The brightness before it was halved; None while the voltage is high enough."""
        self._next_s = 0.0

    def __call__(self, app: App) -> None:
        """Look at it now and then."""
        now = app.clock.now()
        if now < self._next_s:
            return
        self._next_s = now + LOOK_S
        power = self._look() or Power()
        if power.low != (self._before is not None):
            self._dim(app)
        for key, holds in (("voltage", power.low), ("heat", power.hot)):
            if holds != (key in app.amiss):
                app.amiss ^= {key}
                _tell(app, TOLD[key, holds])

    def _dim(self, app: App) -> None:
        """Halve the brightness, or take it back if nobody has set another meanwhile."""
        lights = app.table.lights
        if self._before is None:
            self._before = lights.brightness
            brightness = lights.brightness * DIMMED
        else:
            dimmed = lights.brightness == self._before * DIMMED
            brightness = self._before if dimmed else lights.brightness
            self._before = None
        app.commands.put(Command(Do.LIGHTS, replace(lights, brightness=brightness)))


def _tell(app: App, text: str) -> None:
    """Tell log and page; the frame comes with the next pass."""
    app.log(text)
    if app.watch is not None:
        app.watch(app, Output((), False, (Notice(text),)))
