"""What the loop tells systemd when it runs as a service.  It knows nothing of how it came about."""

import os
import socket
from collections.abc import Mapping

from ..app import App

ALIVE_S = 1.0
"""At least so often systemd is told that the loop goes round, if it wants to know."""
SERVICE = "sorcel.service"
"""The name of our unit."""


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
        status = (
            f"looking for the board: {app.sensor_error}"
            if app.sensor_error
            else "the board is read"
        )
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
