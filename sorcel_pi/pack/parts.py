"""What to buy: parts with quantities computed from geometry, wiring and rules.

Parts are named by what they have to be, not by who sells them; each says what else would do and
what to look at before buying.  Prices and sellers change; nothing here knows them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from math import ceil
from typing import NamedTuple

from ..config.schema import Config
from ..config.wiring import rules_of
from .builds import Build
from .cables import feeds, wires
from .casing import cuts
from .geometry import Geometry
from .headers import EXPANDER, PI, PICO

FULL_A = 0.060
"""What a pixel draws at full white."""
_LEAST_SUPPLY_A = 3.0
_FUSES_A = (1.0, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0, 10.0, 12.5, 16.0, 20.0, 25.0)

_ALL = "all"


class Part(NamedTuple):
    """A line of the list: group, what, how much, what else would do, what to look at, builds."""

    group: str
    what: str
    quantity: str
    instead: str = ""
    check: str = ""
    builds: str = _ALL


def parts(g: Geometry, builds: tuple[Build, ...]) -> tuple[Part, ...]:
    """Return all parts."""
    config = builds[0].config
    return (
        *_contacts(g),
        *_pixels(g, config),
        *_power(g, builds, config),
        *_controllers(builds),
        *_plates(g),
        *_case(g),
        *_pieces(g, config),
        *_wire(g, builds, config),
    )


def spare(count: int, part: float) -> str:
    """Return `count` and some more, at least two, in words.

    >>> spare(61, 0.1)
    '68 (61 and spares)'
    """
    return f"{count + max(2, ceil(count * part))} ({count} and spares)"


def supply_a(config: Config) -> float:
    """Return what the supply of the lights has to give at least, in A."""
    return max(_LEAST_SUPPLY_A, float(ceil(2 * config.lights.current_limit_a)))


def fuse_a(config: Config) -> float:
    """Return the fuse, in A: half as much again as the limit, so that it holds in play.

    >>> fuse_a(Config())
    2.5
    """
    wanted = 1.5 * config.lights.current_limit_a
    return next(fuse for fuse in _FUSES_A if fuse >= wanted)


def piece_counts(g: Geometry, config: Config) -> tuple[int, int]:
    """Return how many Sentinels and Shifs both sides have together."""
    start = g.board.start
    sentinels = (start.light_sentinels | start.dark_sentinels).bit_count()
    return sentinels, 2 * rules_of(config).shifs


def wire_kinds(config: Config) -> dict[str, str]:
    """Return what each kind of wire of the cable list is; a larger fuse needs thicker wire."""
    fuse = fuse_a(config)
    power, feed = next(
        areas
        for most, areas in (
            (4.0, ("0.34 mm² (AWG 22)", "0.75 mm² (AWG 18)")),
            (6.3, ("0.75 mm² (AWG 18)", "1 mm² (AWG 17)")),
            (10.0, ("1 mm² (AWG 17)", "1.5 mm² (AWG 15)")),
            (25.0, ("2.5 mm² (AWG 13)", "4 mm² (AWG 11)")),
        )
        if fuse <= most
    )
    return {
        "thin": "wrapping wire, 0.05 mm² (AWG 30), solid",
        "signal": "stranded wire, 0.14 mm² (AWG 26)",
        "power": f"stranded wire, {power}",
        "feed": f"stranded wire, {feed}",
    }


# -- groups ---------------------------------------------------------------------------------------


def _contacts(g: Geometry) -> tuple[Part, ...]:
    n, m = g.board.grid.n, g.measures
    low, high = g.reeds_mt
    return (
        Part(
            "contacts",
            f"reed switch, normally open, glass about {m.reed_glass_mm:g} x "
            f"{m.reed_across_mm:g} mm, 15-25 AT",
            spare(n, 0.2),
            check=f"by calculation those fit that close at {low:.1f} to {high:.1f} mT, roughly "
            "15-25 AT; the trial shows whether yours do; buy them from one lot",
        ),
        Part(
            "contacts",
            "diode 1N4148, wired",
            spare(n, 0.1),
            "a small Schottky diode such as BAT42",
            "the band has to be visible",
        ),
        Part("contacts", "heat-shrink tube, 3 mm", f"{n * 15 / 1000 + 0.5:.1f} m"),
    )


def _pixels(g: Geometry, config: Config) -> tuple[Part, ...]:
    n, m = g.board.grid.n, g.measures
    order = config.lights.colour_order
    return (
        Part(
            "lights",
            f"single pixel WS2812B, 5 V, on a round board of {m.pixel_mm:g} mm",
            spare(n, 0.1),
            f"addressable LEDs of {m.light_hole_mm:g} mm with four wires, in the light holes",
            f"the order of colours (colour_order is {order}); no ready strip has this pitch",
        ),
        Part(
            "lights",
            "74AHCT125 in a DIP case, with socket",
            "1",
            "74HCT125",
            "HCT or AHCT, not HC; no MOSFET level shifter: too slow",
        ),
        Part("lights", "resistor 330 Ω", "1", "300 to 500 Ω"),
        Part("lights", "capacitor 1000 µF, 6.3 V or more", "1", check="its polarity"),
        Part("lights", "capacitor 100 nF", "1"),
    )


def _power(g: Geometry, builds: tuple[Build, ...], config: Config) -> tuple[Part, ...]:
    n = g.board.grid.n
    terminals = 1 + max(len(feeds(build)) for build in builds)
    return (
        Part(
            "power",
            f"supply 5 V for the lights alone, {supply_a(config):g} A or more, short-circuit proof",
            "1",
            check=f"{n} lights at full white would draw {n * FULL_A:.1f} A; the program keeps them "
            f"at {config.lights.current_limit_a:g} A by estimate",
        ),
        Part(
            "power",
            f"fuse {fuse_a(config):g} A, slow, with holder",
            "1",
            check="it goes into the plus wire right at the supply; a supply that gives little more "
            "than the fuse's rating may never blow it",
        ),
        Part("power", "screw terminals, two poles", f"{terminals}"),
    )


def _controllers(builds: tuple[Build, ...]) -> Iterator[Part]:
    devices = {
        PI: Part(
            "controller",
            "Raspberry Pi with soldered header, its own supply, memory card",
            "1",
            "Zero 2 W, 3, 4 or 5",
            "a Pi 5 drives lights by SPI, or needs the PIO package",
        ),
        PICO: Part(
            "controller",
            "Raspberry Pi Pico with headers, USB cable",
            "1",
            "Pico 2",
            "some cables only charge",
        ),
        EXPANDER: Part("controller", "MCP23017 in a DIP case, with socket", "1"),
    }
    for device, part in devices.items():
        names = [build.name for build in builds if device in build.devices]
        if names:
            yield part._replace(builds=", ".join(names))
    jumper = ", ".join(build.name for build in builds if build.jumper)
    if jumper:
        yield Part("controller", "pin header with two pins, and jumper", "1", builds=jumper)
    buttons = max(len(build.buttons) for build in builds)
    if buttons:
        push = "push button for panels, 12 mm, normally open"
        yield Part("controller", push, f"{buttons}", check="it must not latch")


def _plates(g: Geometry) -> Iterator[Part]:
    m = g.measures
    long, short = map(ceil, g.plate_mm)
    thin = "; thicker is too far from magnet to reed"
    for name, thick, check in (
        ("top", m.top_mm, thin),
        ("floor", m.floor_mm, thin),
        ("carrier", m.carrier_mm, ""),
        ("back", m.back_mm, ""),
    ):
        yield Part(
            "wood",
            f"plywood for the {name}, {thick:g} mm, at least {long} x {short} mm",
            "1",
            "solid wood, well dried" if name == "top" else "",
            f"measure it: sheets are often thinner than sold{check}",
        )


def _case(g: Geometry) -> Iterator[Part]:
    for cut in cuts(g):
        yield Part(
            "wood",
            f"strip {cut.width_mm:g} x {cut.thick_mm:g} mm: {cut.what}",
            f"{cut.number} x {ceil(cut.length_mm)} mm",
            check="mitred by 30 degrees at both ends",
        )
    yield Part(
        "wood",
        "screws 3 x 16 mm of brass",
        "12",
        "stainless steel that no magnet holds",
        "steel stays more than 15 mm from reeds",
    )


def _pieces(g: Geometry, config: Config) -> tuple[Part, ...]:
    sentinels, shifs = piece_counts(g, config)
    felt = g.measures.felt_mm
    return (
        Part("pieces", "Sentinels, half of them dark", f"{sentinels}", "turned or printed"),
        Part("pieces", "Shifs, half of them dark", f"{shifs}", "turned or printed"),
        Part(
            "pieces",
            f"disc magnet {g.magnet.across_mm:g} x {g.magnet.high_mm:g} mm, N42, magnetised "
            "through its thickness",
            spare(sentinels + shifs, 0.1),
            check="no stronger or larger ones: they act on the reeds of neighbours",
        ),
        Part(
            "pieces",
            f"felt, {felt:g} mm thick, discs of {g.base_mm - 2:.0f} mm",
            f"{sentinels + shifs}",
            check="thicker felt is too far from the reed",
        ),
    )


def _wire(g: Geometry, builds: tuple[Build, ...], config: Config) -> Iterator[Part]:
    totals = [wire_totals(g, build) for build in builds]
    for kind, words in wire_kinds(config).items():
        colours = sorted({colour for total in totals for of, colour in total if of == kind})
        for colour in colours:
            most = max(total[kind, colour] for total in totals)
            metres = ceil(most * 1.1 / 500) / 2
            yield Part("wire", f"{words}, {colour}", f"{metres:g} m", "another colour")


def wire_totals(g: Geometry, build: Build) -> Counter[tuple[str, str]]:
    """Return how many mm of each kind and colour the cable list has."""
    total: Counter[tuple[str, str]] = Counter()
    for wire in wires(g, build):
        total[wire.kind, wire.colour] += wire.length_mm
    return total


def parts_text(listed: Iterable[Part]) -> str:
    """Return the list in Markdown."""
    lines = [
        "# Parts",
        "",
        "Made by `sorcel hardware` from the board file and the config. Nobody has built a board",
        "from this list yet: buy for the trial of seven spaces first, the rest when it works.",
        "",
        "| group | what | how much | instead | look at | builds |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    lines += ["| " + " | ".join(part) + " |" for part in listed]
    return "\n".join([*lines, ""])
