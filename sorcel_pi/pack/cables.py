"""Every piece of wire of a build: from where to where, how long, which colour and kind.

What is soldered lead to lead (reed to diode) needs no wire and is not listed.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from math import dist
from typing import NamedTuple

from .builds import Build, Pin
from .geometry import Geometry, Point
from .headers import EXPANDER, PI
from .wiring import (
    CHAINS,
    FUSE,
    RESISTORS,
    SHIFTER,
    SUPPLY,
    Terminal,
    diode,
    light,
    power,
    reed,
    terminal,
)

SLACK_MM = 15.0
"""For stripping and soldering, each end."""
LEAD_MM = 200.0
"""From the plates down to controller and supply on the back, long enough to open the case."""
BUTTON_MM, CHIP_MM = 400, 150
LIGHTS_A_FEED = 30
"""At most so many lights from one place where power comes in to the next."""


class Wire(NamedTuple):
    """A piece of wire: its net, from, to, its length, colour and kind."""

    net: str
    start: str
    end: str
    length_mm: int
    colour: str
    kind: str


def wires(g: Geometry, build: Build) -> tuple[Wire, ...]:
    """Return every piece of wire to cut."""
    return (
        *_down(g, build),
        *_buses(g, build),
        *_data(g, build),
        *_power(g, build),
        *_grounds(build),
        *_buttons(build),
        *_expander(build),
    )


def feeds(build: Build) -> tuple[int, ...]:
    """Return the numbers of the lights at which power comes in: both ends, and between."""
    last = len(build.lights) - 1
    spans = -(-last // LIGHTS_A_FEED)
    return tuple(sorted({round(k * last / spans) for k in range(spans + 1)}))


def bus(g: Geometry, spaces: Iterable[int]) -> tuple[int, ...]:
    """Return `spaces` in an order in which a wire that joins them is short.

    Each space in turn begins, the nearest that is left follows; the shortest such way is taken,
    and parts of it turned round as long as that helps.
    """
    every = tuple(spaces)
    ways = (_nearest_first(g, start, every) for start in every)
    way = min(ways, key=lambda way: _length(g, way))
    while True:
        better = min(_turned(way), key=lambda other: _length(g, other), default=way)
        if _length(g, better) >= _length(g, way):
            return way
        way = better


def _nearest_first(g: Geometry, start: int, spaces: tuple[int, ...]) -> tuple[int, ...]:
    way, left = [start], [k for k in spaces if k != start]
    while left:
        last = g.centres[way[-1]]
        way.append(min(left, key=lambda k: (round(dist(last, g.centres[k]), 3), k)))
        left.remove(way[-1])
    return tuple(way)


def _turned(way: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield `way` with each part of it turned round."""
    for start in range(len(way) - 1):
        for end in range(start + 2, len(way) + 1):
            yield (*way[:start], *reversed(way[start:end]), *way[end:])


def _length(g: Geometry, way: tuple[int, ...]) -> float:
    return round(sum(dist(g.centres[a], g.centres[b]) for a, b in pairwise(way)), 3)


# -- contacts -------------------------------------------------------------------------------------


def _down(g: Geometry, build: Build) -> Iterator[Wire]:
    """Yield the thin wires that come down beside the glass."""
    length = _mm(g.measures.reed_glass_mm + g.measures.reed_stub_mm + 10)
    for space, (_, column) in enumerate(build.places):
        end = f"{reed(g, space)} 2"
        yield Wire(f"COL{column}", f"{end} above", f"{end} below", length, "blue", "thin")


def _buses(g: Geometry, build: Build) -> Iterator[Wire]:
    for row in build.used_rows:
        spaces = build.spaces_in_row(row)
        yield from _bus_wires(g, f"ROW{row}", build.rows[row], spaces, diode, "K", "orange")
    for column in build.used_columns:
        spaces = build.spaces_in_column(column)
        yield from _bus_wires(g, f"COL{column}", build.columns[column], spaces, reed, "2", "blue")


def _bus_wires(
    g: Geometry,
    net: str,
    pin: Pin,
    spaces: tuple[int, ...],
    part: Callable[[Geometry, int], str],
    end: str,
    colour: str,
) -> Iterator[Wire]:
    """Yield the lead from a pin to the first space of a row or column, and from space to space."""
    way = bus(g, spaces)
    first = f"{part(g, way[0])} {end}"
    yield Wire(net, _name(terminal(pin)), first, _lead(g.centres[way[0]]), colour, "signal")
    for a, b in pairwise(way):
        length = _hop(g.centres[a], g.centres[b])
        yield Wire(net, f"{part(g, a)} {end}", f"{part(g, b)} {end}", length, colour, "signal")


# -- lights ---------------------------------------------------------------------------------------


def _data(g: Geometry, build: Build) -> Iterator[Wire]:
    spaces = build.chain()
    pin = _name(terminal(build.pixel))
    yield Wire("DATA_3V3", pin, f"{SHIFTER} 2", CHIP_MM, "green", "signal")
    yield Wire("DATA_3V3", f"{SHIFTER} 2", f"{SHIFTER} 5", _mm(2 * SLACK_MM), "green", "signal")
    for side, chain in enumerate(CHAINS):
        name, resistor = f"DATA_{chain.upper()}", RESISTORS[chain]
        pixels = [light(g, build, space, chain) for space in spaces]
        lead = _lead(g.lights[spaces[0]][side])
        yield Wire(f"{name}0", f"{resistor} 2", f"{pixels[0]} DIN", lead, "green", "signal")
        for k, (a, b) in enumerate(pairwise(range(len(spaces))), 1):
            length = _hop(g.lights[spaces[a]][side], g.lights[spaces[b]][side])
            ends = f"{pixels[a]} DOUT", f"{pixels[b]} DIN"
            yield Wire(f"{name}{k}", *ends, length, "green", "signal")


def _power(g: Geometry, build: Build) -> Iterator[Wire]:
    spaces = build.chain()
    for net, source, colour in (("5V", f"{FUSE} 2", "red"), ("GND", f"{SUPPLY} -", "black")):
        for side, chain in enumerate(CHAINS):
            pixels = [f"{light(g, build, space, chain)} {net}" for space in spaces]
            places = [g.lights[space][side] for space in spaces]
            for k in feeds(build):
                yield Wire(net, source, pixels[k], _lead(places[k]), colour, "feed")
            for a, b in pairwise(range(len(spaces))):
                length = _hop(places[a], places[b])
                yield Wire(net, pixels[a], pixels[b], length, colour, "power")


# -- the rest -------------------------------------------------------------------------------------


def _grounds(build: Build) -> Iterator[Wire]:
    for device in build.devices:
        if device != EXPANDER:
            ground = _name(power(device, "GND"))
            yield Wire("GND", f"{SUPPLY} -", ground, _mm(LEAD_MM), "black", "feed")


def _buttons(build: Build) -> Iterator[Wire]:
    for name, pin in build.buttons:
        net, button = f"BUTTON_{name.upper()}", f"B_{name}"
        ground = _name(power(pin[0], "GND"))
        yield Wire(net, _name(terminal(pin)), f"{button} 1", BUTTON_MM, "white", "signal")
        yield Wire("GND", ground, f"{button} 2", BUTTON_MM, "black", "signal")


def _expander(build: Build) -> Iterator[Wire]:
    if EXPANDER not in build.devices:
        return
    for net, pin, end, colour in (
        ("3V3", "3V3", "VDD", "red"),
        ("GND", "GND", "VSS", "black"),
        ("SDA", "GPIO2", "SDA", "white"),
        ("SCL", "GPIO3", "SCL", "white"),
    ):
        start, to = _name(power(PI, pin)), _name(power(EXPANDER, end))
        yield Wire(net, start, to, CHIP_MM, colour, "signal")


def _name(at: Terminal) -> str:
    return f"{at.part} {at.pin}"


def _lead(place: Point) -> int:
    """Return the length from controller and supply, which sit in the middle, to a place."""
    return _mm(dist(place, (0.0, 0.0)) + LEAD_MM)


def _hop(a: Point, b: Point) -> int:
    return _mm(dist(a, b) + 2 * SLACK_MM)


def _mm(length: float) -> int:
    """Return a length in whole mm, rounded up."""
    return int(-(-round(length, 3) // 1))
