"""The pins of a Raspberry Pi's header, of a Pico and of an expander: which is which, and where.

A signal is called as its maker calls it: `GPIO5` on a Pi (BCM numbers), `GP5` on a Pico, `GPB3` on
an MCP23017 (whose pins the config numbers 0 to 15: GPA, then GPB).
"""

from typing import NamedTuple

PI, PICO, EXPANDER = "Pi", "Pico", "MCP23017"

# What the firmware uses; a Pico's pins are no setting.
PICO_ROWS = tuple(range(2, 10))
PICO_COLUMNS = tuple(range(10, 18))
PICO_BUTTONS = (18, 19, 20)
PICO_CHAIN = (2, 3, 4)
"""Load, clock and data of a chain of registers; rows and columns are free then."""
PICO_JUMPER = 21
PICO_LIGHTS = 22
PICO_SPACES = 61
"""Of the board that the firmware is set up for."""


class Header(NamedTuple):
    """A device seen from above: (number, name) of the pins on its left and right, from above."""

    device: str
    title: str
    left: tuple[tuple[int, str], ...]
    right: tuple[tuple[int, str], ...]

    def number(self, signal: str) -> int:
        """Return the number of the pin that carries a signal; the first of several."""
        return next(number for number, name in sorted(self.left + self.right) if name == signal)

    def numbers(self, signal: str) -> tuple[int, ...]:
        """Return the numbers of all pins that carry a signal."""
        return tuple(number for number, name in sorted(self.left + self.right) if name == signal)


def signal(device: str, pin: int) -> str:
    """Return the name of the pin that the config calls `pin`.

    >>> signal(PI, 5), signal(PICO, 5), signal(EXPANDER, 11)
    ('GPIO5', 'GP5', 'GPB3')
    """
    if device == EXPANDER:
        return f"GP{'AB'[pin // 8]}{pin % 8}"
    return f"{'GPIO' if device == PI else 'GP'}{pin}"


def _across(names: str) -> tuple[tuple[tuple[int, str], ...], tuple[tuple[int, str], ...]]:
    """Return the sides of a header whose pins count across: 1 left, 2 right, 3 left ..."""
    pins = [(k, _named(name)) for k, name in enumerate(names.split(), 1)]
    return tuple(pins[0::2]), tuple(pins[1::2])


def _around(names: str) -> tuple[tuple[tuple[int, str], ...], tuple[tuple[int, str], ...]]:
    """Return the sides of a chip whose pins count down the left and up the right side."""
    pins = [(k, _named(name)) for k, name in enumerate(names.split(), 1)]
    half = len(pins) // 2
    return tuple(pins[:half]), tuple(reversed(pins[half:]))


def _named(name: str) -> str:
    return f"GPIO{name}" if name.isdigit() else name


HEADERS = {
    PI: Header(
        PI,
        "Raspberry Pi, 40-pin header, seen from above, USB sockets below",
        *_across(
            "3V3 5V 2 5V 3 GND 4 14 GND 15 17 18 27 GND 22 23 3V3 24 10 GND 9 25 11 8 GND 7 0 1 "
            "5 GND 6 12 13 GND 19 16 26 20 GND 21"
        ),
    ),
    PICO: Header(
        PICO,
        "Raspberry Pi Pico, seen from above, USB socket above",
        *_around(
            "GP0 GP1 GND GP2 GP3 GP4 GP5 GND GP6 GP7 GP8 GP9 GND GP10 GP11 GP12 GP13 GND GP14 GP15 "
            "GP16 GP17 GND GP18 GP19 GP20 GP21 GND GP22 RUN GP26 GP27 AGND GP28 ADC_VREF 3V3_OUT "
            "3V3_EN GND VSYS VBUS"
        ),
    ),
    EXPANDER: Header(
        EXPANDER,
        "MCP23017 in a DIP case, seen from above, notch above",
        *_around(
            "GPB0 GPB1 GPB2 GPB3 GPB4 GPB5 GPB6 GPB7 VDD VSS NC SCL SDA NC A0 A1 A2 RESET INTB "
            "INTA GPA0 GPA1 GPA2 GPA3 GPA4 GPA5 GPA6 GPA7"
        ),
    ),
}
