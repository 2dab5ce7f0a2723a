"""The wiring of a build as data: nets, pins in use, and wires with their lengths.

A net is a name and the terminals that it joins.  The current of a contact goes from a column (pulled
up) through the reed and the diode into the row that is driven low, so the diode's band (cathode, `K`)
looks to the row::

    column ---[ reed S ]---|>|--- row        pull-up at the column
              2        1   A K
"""

from collections.abc import Iterable, Iterator
from math import dist
from typing import NamedTuple

from .builds import Build, Pin
from .geometry import Geometry, Point
from .headers import EXPANDER, HEADERS, PI, PICO, signal

SLACK_MM = 15.0
"""For stripping and soldering, each wire."""
LEAD_MM = 200.0
"""From the plates down to controller and supply on the back, long enough to open the case."""
LIGHTS_A_FEED = 30
"""At most so many lights from one place where power comes in to the next."""
SHIFTER, RESISTOR, BULK, BYPASS, FUSE, SUPPLY = "U1", "R1", "C1", "C2", "F1", "PSU"


class Terminal(NamedTuple):
    """A pin of a part."""

    part: str
    pin: str


class Net(NamedTuple):
    """What is joined."""

    name: str
    terminals: tuple[Terminal, ...]


class PinUse(NamedTuple):
    """A pin of a device that is used: its number, its name, what for, and the config's key for it."""

    device: str
    number: int
    signal: str
    use: str
    key: str


class Wire(NamedTuple):
    """A piece of wire: what it belongs to, from, to, its length, colour and kind."""

    net: str
    start: str
    end: str
    length_mm: int
    colour: str
    kind: str


def reed(g: Geometry, space: int) -> str:
    """Return the name of the reed under `space`."""
    return f"S_{g.name(space)}"


def diode(g: Geometry, space: int) -> str:
    """Return the name of the diode of `space`."""
    return f"D_{g.name(space)}"


def light(g: Geometry, build: Build, space: int) -> str:
    """Return the name of the light of `space`, which begins with its number in the chain."""
    return f"L{build.lights[space]}_{g.name(space)}"


# -- pins -----------------------------------------------------------------------------------------


def pins(build: Build) -> tuple[PinUse, ...]:
    """Return the pins in use; rows and columns that this board leaves unused are left out."""
    uses = [
        *(_use(build.rows[k], f"row {k}", f"contacts.rows[{k}]") for k in build.used_rows),
        *(_use(build.columns[k], f"column {k}", f"contacts.columns[{k}]") for k in build.used_columns),
        _use(build.pixel, "lights", "pixels.pin"),
        *(_use(pin, f"button {name}", f"buttons.{name}") for name, pin in build.buttons),
    ]
    if build.jumper is not None:
        uses.append(_use(build.jumper, "maintenance jumper", ""))
    if EXPANDER in build.devices:
        uses += [_use((PI, 2), "SDA of the expander", ""), _use((PI, 3), "SCL of the expander", "")]
    return tuple(uses)


def _use(pin: Pin, use: str, key: str) -> PinUse:
    device, number = pin
    name = signal(device, number)
    # A Pico's pins are the firmware's, no setting.
    return PinUse(device, HEADERS[device].number(name), name, use, "" if device == PICO else key)


def terminal(pin: Pin) -> Terminal:
    """Return a controller's pin as a terminal: its name, and its number in brackets."""
    device, number = pin
    name = signal(device, number)
    return Terminal(device, f"{name} ({HEADERS[device].number(name)})")


def _power(device: str, name: str) -> Terminal:
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
        ends = (Terminal(reed(g, space), "1"), Terminal(diode(g, space), "A"))
        yield Net(f"N_{g.name(space)}", ends)


def _buttons(build: Build) -> Iterator[Net]:
    for name, pin in build.buttons:
        yield Net(f"BUTTON_{name.upper()}", (terminal(pin), Terminal(f"B_{name}", "1")))
    if build.jumper is not None:
        yield Net("JUMPER", (terminal(build.jumper), Terminal("J1", "1")))
    if EXPANDER in build.devices:
        for name, pin in (("SDA", 2), ("SCL", 3)):
            yield Net(name, (terminal((PI, pin)), _power(EXPANDER, name)))
        chip = (_power(EXPANDER, name) for name in ("VDD", "RESET"))
        yield Net("3V3", (_power(PI, "3V3"), *chip))


def _data(g: Geometry, build: Build) -> Iterator[Net]:
    chain = [light(g, build, space) for space in build.chain()]
    yield Net("DATA_3V3", (terminal(build.pixel), Terminal(SHIFTER, "2")))
    yield Net("DATA_5V", (Terminal(SHIFTER, "3"), Terminal(RESISTOR, "1")))
    yield Net("DATA_0", (Terminal(RESISTOR, "2"), Terminal(chain[0], "DIN")))
    for k, (before, after) in enumerate(zip(chain, chain[1:], strict=False), 1):
        yield Net(f"DATA_{k}", (Terminal(before, "DOUT"), Terminal(after, "DIN")))


def _supply(g: Geometry, build: Build) -> Iterator[Net]:
    chain = [light(g, build, space) for space in build.chain()]
    grounds = [_power(device, "VSS" if device == EXPANDER else "GND") for device in build.devices]
    if EXPANDER in build.devices:
        grounds += [_power(EXPANDER, name) for name in ("A0", "A1", "A2")]
    grounds += [Terminal(f"B_{name}", "2") for name, _ in build.buttons]
    grounds += [] if build.jumper is None else [Terminal("J1", "2")]
    yield Net("5V_SUPPLY", (Terminal(SUPPLY, "+"), Terminal(FUSE, "1")))
    yield Net(
        "5V",
        (
            Terminal(FUSE, "2"),
            *(Terminal(part, "+") for part in (BULK, BYPASS)),
            # Supply of the level shifter, and the gates that are not used switched off.
            *(Terminal(SHIFTER, pin) for pin in ("14", "4", "10", "13")),
            *(Terminal(each, "5V") for each in chain),
        ),
    )
    yield Net(
        "GND",
        (
            *(Terminal(part, "-") for part in (SUPPLY, BULK, BYPASS)),
            # Ground, the gate that is used switched on, and the inputs that are not used.
            *(Terminal(SHIFTER, pin) for pin in ("7", "1", "5", "9", "12")),
            *grounds,
            *(Terminal(each, "GND") for each in chain),
        ),
    )


# -- wires ----------------------------------------------------------------------------------------


def feeds(build: Build) -> tuple[int, ...]:
    """Return the numbers of the lights at which power comes in: both ends, and between."""
    last = len(build.lights) - 1
    spans = -(-last // LIGHTS_A_FEED)
    return tuple(sorted({round(k * last / spans) for k in range(spans + 1)}))


def bus(g: Geometry, spaces: Iterable[int]) -> tuple[int, ...]:
    """Return `spaces` in an order in which a wire that joins them is short.

    Each space in turn begins, the nearest that is left follows; the shortest such way is taken.
    """
    every = tuple(spaces)
    return min((_nearest_first(g, start, every) for start in every), key=lambda way: _length(g, way))


def _nearest_first(g: Geometry, start: int, spaces: tuple[int, ...]) -> tuple[int, ...]:
    way, left = [start], [k for k in spaces if k != start]
    while left:
        last = g.centres[way[-1]]
        way.append(min(left, key=lambda k: (round(dist(last, g.centres[k]), 3), k)))
        left.remove(way[-1])
    return tuple(way)


def _length(g: Geometry, way: tuple[int, ...]) -> float:
    hops = zip(way, way[1:], strict=False)
    return round(sum(dist(g.centres[a], g.centres[b]) for a, b in hops), 3)


def wires(g: Geometry, build: Build) -> tuple[Wire, ...]:
    """Return every piece of wire to cut; what is soldered lead to lead is left out."""
    return (*_contact_wires(g, build), *_light_wires(g, build), *_other_wires(build))


def _contact_wires(g: Geometry, build: Build) -> Iterator[Wire]:
    m, kind = g.measures, "thin"
    down = _mm(m.reed_glass_mm + m.reed_stub_mm + 10)
    for space in g.whole.spaces:
        name = reed(g, space)
        yield Wire(f"COL{build.places[space][1]}", f"{name} above", f"{name} below", down, "blue", kind)
    for what, used, pins_of, spaces_of, part, pin, colour in (
        ("ROW", build.used_rows, build.rows, build.spaces_in_row, diode, "K", "orange"),
        ("COL", build.used_columns, build.columns, build.spaces_in_column, reed, "2", "blue"),
    ):
        for k in used:
            way = bus(g, spaces_of(k))
            ends = [f"{part(g, space)} {pin}" for space in way]
            first = g.centres[way[0]]
            yield Wire(
                f"{what}{k}",
                " ".join(terminal(pins_of[k])),
                ends[0],
                _mm(dist(first, (0.0, 0.0)) + LEAD_MM),
                colour,
                "signal",
            )
            for a, b, start, end in zip(way, way[1:], ends, ends[1:], strict=False):
                yield _hop(f"{what}{k}", start, end, g.centres[a], g.centres[b], colour, "signal")


def _light_wires(g: Geometry, build: Build) -> Iterator[Wire]:
    chain = build.chain()
    names = [light(g, build, space) for space in chain]
    start = _mm(dist(g.lights[chain[0]], (0.0, 0.0)) + LEAD_MM)
    yield Wire("DATA_3V3", " ".join(terminal(build.pixel)), f"{SHIFTER} 2", 100, "green", "signal")
    yield Wire("DATA_0", f"{RESISTOR} 2", f"{names[0]} DIN", start, "green", "signal")
    for k, (a, b) in enumerate(zip(chain, chain[1:], strict=False), 1):
        before, after = names[k - 1], names[k]
        at = g.lights[a], g.lights[b]
        yield _hop(f"DATA_{k}", f"{before} DOUT", f"{after} DIN", *at, "green", "signal")
        yield _hop("5V", f"{before} 5V", f"{after} 5V", *at, "red", "power")
        yield _hop("GND", f"{before} GND", f"{after} GND", *at, "black", "power")
    for k in feeds(build):
        length = _mm(dist(g.lights[chain[k]], (0.0, 0.0)) + LEAD_MM)
        yield Wire("5V", f"{FUSE} 2", f"{names[k]} 5V", length, "red", "feed")
        yield Wire("GND", f"{SUPPLY} -", f"{names[k]} GND", length, "black", "feed")


def _other_wires(build: Build) -> Iterator[Wire]:
    ground = " ".join(_power(build.pixel[0], "GND"))
    yield Wire("GND", f"{SUPPLY} -", ground, _mm(LEAD_MM), "black", "feed")
    for name, pin in build.buttons:
        yield Wire(f"BUTTON_{name.upper()}", " ".join(terminal(pin)), f"B_{name} 1", 400, "white", "signal")
        yield Wire("GND", " ".join(_power(pin[0], "GND")), f"B_{name} 2", 400, "black", "signal")
    if EXPANDER in build.devices:
        for net, a, b, colour in (
            ("3V3", "3V3", "VDD", "red"),
            ("GND", "GND", "VSS", "black"),
            ("SDA", "GPIO2", "SDA", "white"),
            ("SCL", "GPIO3", "SCL", "white"),
        ):
            start, end = " ".join(_power(PI, a)), " ".join(_power(EXPANDER, b))
            yield Wire(net, start, end, 150, colour, "signal")


def _hop(net: str, start: str, end: str, a: Point, b: Point, colour: str, kind: str) -> Wire:
    return Wire(net, start, end, _mm(dist(a, b) + 2 * SLACK_MM), colour, kind)


def _mm(length: float) -> int:
    """Return a length in whole mm, rounded up."""
    return int(-(-round(length, 3) // 1))
