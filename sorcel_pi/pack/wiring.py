"""The wiring of a build as data: pins in use and nets.

A net is a name and the terminals that it joins.  The current of a contact goes from a column, which
is pulled up, through reed and diode into the row that is driven low: the diode's band (cathode,
`K`) is on the side of the row::

    column ---[ reed S ]---|>|--- row        pull-up at the column
              2        1   A K
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from .builds import Build, Pin
from .geometry import Geometry
from .headers import EXPANDER, HEADERS, PI, PICO, signal

SHIFTER, BULK, BYPASS, FUSE, SUPPLY = "U1", "C1", "C2", "F1", "PSU"
CHAINS = ("n", "s")
"""Two chains of pixels, one under the northern, one under the southern light holes.  Both get the
same signal, so to the program they are one chain: light k is pixel k of both."""
RESISTORS = {"n": "R1", "s": "R2"}
_GATES = {"n": ("2", "3"), "s": ("5", "6")}
"""Input and output of the level shifter's gate for each chain."""

_EXPANDER_LINES = (
    (PI, "3V3", f"VDD and RESET of {EXPANDER}"),
    (PI, "GPIO2", f"SDA of {EXPANDER}"),
    (PI, "GPIO3", f"SCL of {EXPANDER}"),
    (EXPANDER, "VDD", f"3V3 of {PI}"),
    (EXPANDER, "RESET", f"3V3 of {PI}"),
    (EXPANDER, "SDA", f"GPIO2 of {PI}"),
    (EXPANDER, "SCL", f"GPIO3 of {PI}"),
)
_ADDRESS = ("A0", "A1", "A2")
"""All grounded: 0x20."""


class Terminal(NamedTuple):
    """A pin of a part."""

    part: str
    pin: str


class Net(NamedTuple):
    """What is joined."""

    name: str
    terminals: tuple[Terminal, ...]


class PinUse(NamedTuple):
    """A pin in use: its device, number and name, what for, and the config's key for it."""

    device: str
    number: int
    signal: str
    use: str
    key: str


def reed(g: Geometry, space: int) -> str:
    """Return the name of the reed under `space`."""
    return f"S_{g.name(space)}"


def diode(g: Geometry, space: int) -> str:
    """Return the name of the diode of `space`."""
    return f"D_{g.name(space)}"


def light(g: Geometry, build: Build, space: int, chain: str) -> str:
    """Return the name of a pixel of `space`, which begins with its number and its chain."""
    return f"L{build.lights[space]}{chain}_{g.name(space)}"


# -- pins -----------------------------------------------------------------------------------------


def pins(build: Build) -> tuple[PinUse, ...]:
    """Return the pins in use; rows and columns that this board leaves unused are left out."""
    rows = (_use(build.rows[k], f"row {k}", f"contacts.rows[{k}]") for k in build.used_rows)
    columns = (
        _use(build.columns[k], f"column {k}", f"contacts.columns[{k}]") for k in build.used_columns
    )
    uses = [*rows, *columns, _use(build.pixel, "lights", "pixels.pin")]
    uses += [_use(pin, f"button {name}", f"buttons.{name}") for name, pin in build.buttons]
    if build.jumper is not None:
        uses.append(_use(build.jumper, "maintenance jumper", ""))
    if EXPANDER in build.devices:
        uses += [_named(*line) for line in _EXPANDER_LINES]
        uses += [_named(EXPANDER, name, "ground") for name in _ADDRESS]
    return tuple(uses)


def _use(pin: Pin, use: str, key: str) -> PinUse:
    device, number = pin
    # A Pico's pins are the firmware's, no setting.
    return _named(device, signal(device, number), use, "" if device == PICO else key)


def _named(device: str, name: str, use: str, key: str = "") -> PinUse:
    return PinUse(device, HEADERS[device].number(name), name, use, key)


def terminal(pin: Pin) -> Terminal:
    """Return a controller's pin as a terminal: its name, and its number in brackets."""
    device, number = pin
    name = signal(device, number)
    return Terminal(device, f"{name} ({HEADERS[device].number(name)})")


def power(device: str, name: str) -> Terminal:
    """Return a pin of a device that is no signal, such as `GND`; the first of several."""
    return Terminal(device, f"{name} ({HEADERS[device].number(name)})")


# -- nets -----------------------------------------------------------------------------------------


def nets(g: Geometry, build: Build) -> tuple[Net, ...]:
    """Return all nets."""
    return (*_matrix(g, build), *_buttons(build), *_data(g, build), *_supply(g, build))


def _matrix(g: Geometry, build: Build) -> Iterator[Net]:
    for row in build.used_rows:
        ends = (Terminal(diode(g, k), "K") for k in build.spaces_in_row(row))
        yield Net(f"ROW{row}", (terminal(build.rows[row]), *ends))
    for column in build.used_columns:
        ends = (Terminal(reed(g, k), "2") for k in build.spaces_in_column(column))
        yield Net(f"COL{column}", (terminal(build.columns[column]), *ends))
    for space in g.whole.spaces:
        between = Terminal(reed(g, space), "1"), Terminal(diode(g, space), "A")
        yield Net(f"N_{g.name(space)}", between)


def _buttons(build: Build) -> Iterator[Net]:
    for name, pin in build.buttons:
        yield Net(f"BUTTON_{name.upper()}", (terminal(pin), Terminal(f"B_{name}", "1")))
    if build.jumper is not None:
        yield Net("JUMPER", (terminal(build.jumper), Terminal("J1", "1")))
    if EXPANDER in build.devices:
        for name, pin_name in (("SDA", "GPIO2"), ("SCL", "GPIO3")):
            yield Net(name, (power(PI, pin_name), power(EXPANDER, name)))
        chip = (power(EXPANDER, name) for name in ("VDD", "RESET"))
        yield Net("3V3", (power(PI, "3V3"), *chip))


def _data(g: Geometry, build: Build) -> Iterator[Net]:
    inputs = (Terminal(SHIFTER, _GATES[chain][0]) for chain in CHAINS)
    yield Net("DATA_3V3", (terminal(build.pixel), *inputs))
    for chain in CHAINS:
        name, resistor = f"DATA_{chain.upper()}", RESISTORS[chain]
        pixels = [light(g, build, space, chain) for space in build.chain()]
        yield Net(f"{name}_5V", (Terminal(SHIFTER, _GATES[chain][1]), Terminal(resistor, "1")))
        yield Net(f"{name}0", (Terminal(resistor, "2"), Terminal(pixels[0], "DIN")))
        for k, (before, after) in enumerate(pairwise(pixels), 1):
            yield Net(f"{name}{k}", (Terminal(before, "DOUT"), Terminal(after, "DIN")))


def _supply(g: Geometry, build: Build) -> Iterator[Net]:
    chain = [light(g, build, space, each) for each in CHAINS for space in build.chain()]
    yield Net("5V_SUPPLY", (Terminal(SUPPLY, "+"), Terminal(FUSE, "1")))
    # The level shifter's supply, and its gates that are not used, switched off.
    shifter = (Terminal(SHIFTER, pin) for pin in ("14", "10", "13"))
    capacitors = (Terminal(part, "+") for part in (BULK, BYPASS))
    lights = (Terminal(each, "5V") for each in chain)
    yield Net("5V", (Terminal(FUSE, "2"), *capacitors, *shifter, *lights))
    # Its ground, the gates that are used, switched on, and the inputs that are not used.
    shifter = (Terminal(SHIFTER, pin) for pin in ("7", "1", "4", "9", "12"))
    minus = (Terminal(part, "-") for part in (SUPPLY, BULK, BYPASS))
    lights = (Terminal(each, "GND") for each in chain)
    yield Net("GND", (*minus, *shifter, *_grounds(build), *lights))


def _grounds(build: Build) -> Iterator[Terminal]:
    """Yield what is grounded of controllers and buttons."""
    for device in build.devices:
        yield power(device, "VSS" if device == EXPANDER else "GND")
    if EXPANDER in build.devices:
        yield from (power(EXPANDER, name) for name in _ADDRESS)
    yield from (Terminal(f"B_{name}", "2") for name, _ in build.buttons)
    if build.jumper is not None:
        yield Terminal("J1", "2")
