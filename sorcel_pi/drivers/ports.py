"""The two contracts of hardware: something that reads contacts, something that shows a frame.

They know nothing of pieces, rules or each other; one device may be both.  Every driver keeps them,
the simulated table included, and one suite of tests holds all drivers to them.
"""

from typing import Protocol

from ..table.sensing.debouncer import Scan

Colour = tuple[int, int, int]
"""Red, green, blue, each 0 to 255, as sent to the light: gamma and limit are already in it."""

Frame = tuple[Colour, ...]
"""One colour for each light; light k stands beside space k unless the config says otherwise."""


class SensorSource(Protocol):
    """Reads all contacts and buttons at once."""

    def scan(self) -> Scan:
        """Return the state now, stamped with the driver's clock in seconds.

        Raises `DeviceError` when it cannot be read.  That is never told as "empty", and a later
        call may succeed again.
        """
        ...

    def close(self) -> None:
        """Let go of the device; closing twice does no harm, and a later scan is a `DeviceError`."""
        ...


class LightSink(Protocol):
    """Shows whole frames."""

    def show(self, frame: Frame) -> None:
        """Show `frame`, one colour for each light, until the next one.

        Raises `ValueError` for a frame of another length, and `DeviceError` when the lights cannot
        be reached; a later call may succeed again.
        """
        ...

    def close(self) -> None:
        """Make every light dark and let go; closing twice does no harm, a later show fails."""
        ...
