"""Buttons on the Pi's own pins, by gpiozero, and how they join a source of contacts.

They are polled with each scan, and opened without edge detection, which old libraries cannot do on
new kernels; bounce and how long they are held is judged by the table.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from ..errors import DeviceError
from ..table.sensing.debouncer import Scan
from .gpio_lines import INSTALL, give_lgpio_a_folder, opened_by_gpiozero
from .ports import SensorSource


class GpioButtons:
    """Buttons between a pin and ground; `pins` in the order Light, Dark, menu, None for none."""

    def __init__(self, pins: Sequence[int | None]) -> None:
        """Claim the pins; raises `DeviceError`."""
        give_lgpio_a_folder()
        try:
            from gpiozero import InputDevice
        except ImportError:
            raise DeviceError(f"buttons on the Pi need gpiozero: {INSTALL}") from None
        self._bits = [1 << bit for bit, pin in enumerate(pins) if pin is not None]
        self._buttons: list[Any] = []
        with opened_by_gpiozero("buttons", self._buttons):
            for pin in pins:
                if pin is not None:
                    self._buttons.append(InputDevice(pin, pull_up=True))

    def read(self) -> int:
        """Return the mask of buttons that are down, bounce and all."""
        try:
            pairs = zip(self._bits, self._buttons, strict=True)
            return sum(bit for bit, button in pairs if button.is_active)
        except Exception as error:
            raise DeviceError(f"the buttons cannot be read: {error}") from error

    def close(self) -> None:
        """Let go of the pins."""
        for button in self._buttons:
            button.close()


class WithButtons:
    """A source of contacts whose scans have these buttons too."""

    def __init__(self, contacts: SensorSource, buttons: GpioButtons) -> None:
        """Take over both, which `close` closes."""
        self._contacts, self._buttons = contacts, buttons

    def scan(self) -> Scan:
        """Return contacts and buttons now."""
        scan = self._contacts.scan()
        return scan._replace(buttons=scan.buttons | self._buttons.read())

    def close(self) -> None:
        """Let go of both."""
        with suppress(Exception):
            self._buttons.close()
        self._contacts.close()
