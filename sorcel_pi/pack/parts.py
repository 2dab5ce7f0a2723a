"""What to buy: parts with quantities computed from geometry, wiring and rules.

Parts are named by what they have to be, not by who sells them; each says what else would do and what
to look at before buying.  Prices and sellers change; nothing here knows them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from math import ceil
from typing import NamedTuple

from ..config import rules_of
from ..settings import Config
from .builds import Build
from .casing import cuts
from .geometry import Geometry
from .headers import EXPANDER, PI, PICO
from .wiring import feeds, wires

FULL_A = 0.060
"""What a pixel draws at full white."""
_FUSES_A = (1.0, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 8.0, 10.0, 12.5, 16.0, 20.0, 25.0)
_LEAST_SUPPLY_A = 3.0

KINDS = {
    "thin": "wrapping wire, 0.05 mm² (AWG 30), solid",
    "signal": "stranded wire, 0.14 mm² (AWG 26)",
    "power": "stranded wire, 0.34 mm² (AWG 22)",
    "feed": "stranded wire, 0.75 mm² (AWG 18)",
}


class Part(NamedTuple):
    """A line of the list: group, what, how much, for which builds, remarks."""

    group: str
    what: str
    quantity: str
    builds: str
    instead: str
    check: str


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


def parts(g: Geometry, builds: tuple[Build, ...]) -> tuple[Part, ...]:
    """Return all parts."""
    return (
        *_contacts(g),
        *_lights(g, builds),
        *_controllers(builds),
        *_wood(g),
        *_pieces(g, builds[0].config),
        *_wire(g, builds),
    )


def spare(count: int, part: float) -> int:
    """Return `count` and some more, at least two."""
    return count + max(2, ceil(count * part))


def _contacts(g: Geometry) -> Iterator[Part]:
    n, m = g.board.grid.n, g.measures
    low, high = g.reeds_mt
    yield Part(
        "contacts",
        f"reed switch, normally open, glass about {m.reed_glass_mm:g} x {m.reed_across_mm:g} mm, "
        "15-25 AT",
        f"{spare(n, 0.2)} ({n} and spares)",
        "all",
        "sealed Hall switches would do, with three wires each and another wiring; not drawn here",
        f"by calculation those fit that close at {low:.1f} to {high:.1f} mT, roughly 15-25 AT; the "
        "trial shows whether yours do; buy them from one lot",
    )
    yield Part(
        "contacts",
        "diode 1N4148, wired",
        f"{spare(n, 0.1)} ({n} and spares)",
        "all",
        "BAT42 or another small Schottky diode",
        "the band has to be visible",
    )
    yield Part("contacts", "heat-shrink tube, 3 mm", f"{n * 15 / 1000 + 0.5:.1f} m", "all", "", "")


def _lights(g: Geometry, builds: tuple[Build, ...]) -> Iterator[Part]:
    n, m, config = g.board.grid.n, g.measures, builds[0].config
    yield Part(
        "lights",
        f"single pixel WS2812B on a round board of {m.pixel_mm:g} mm, 5 V",
        f"{spare(n, 0.1)} ({n} and spares)",
        "all",
        "addressable LEDs of 5 mm with four wires, pushed into the light holes from below",
        "order of colours (the config has colour_order); no ready strips: their pitch is another",
    )
    yield Part(
        "lights",
        f"supply 5 V for the lights alone, {supply_a(config):g} A or more, short-circuit proof",
        "1",
        "all",
        "",
        f"{n} lights at full white would draw {n * FULL_A:.1f} A; the program keeps them at "
        f"{config.lights.current_limit_a:g} A by estimate",
    )
    yield Part(
        "lights",
        f"fuse {fuse_a(config):g} A, slow, with holder",
        "1",
        "all",
        "a resettable fuse of the same rating",
        "it goes into the plus wire, right at the supply; a supply that gives little more than the "
        "fuse's rating may never blow it",
    )
    yield Part("lights", "74AHCT125 in a DIP case, with socket", "1", "all", "74HCT125", "HCT or AHCT, not HC; no MOSFET level shifter: too slow")
    yield Part("lights", "resistor 330 Ω", "1", "all", "300 to 500 Ω", "")
    yield Part("lights", "capacitor 1000 µF, 6.3 V or more", "1", "all", "", "mind the polarity")
    yield Part("lights", "capacitor 100 nF", "1", "all", "", "")
    yield Part("lights", "screw terminals for feeds, two poles", f"{1 + max(len(feeds(b)) for b in builds)}", "all", "", "")


def _controllers(builds: tuple[Build, ...]) -> Iterator[Part]:
    for device, what, instead, check in (
        (PI, "Raspberry Pi with soldered header, its own supply, SD card", "Zero 2 W, 3, 4 or 5", "a Pi 5 drives lights by SPI, or needs the PIO package"),
        (PICO, "Raspberry Pi Pico with headers, USB data cable", "Pico 2", "some cables only charge"),
        (EXPANDER, "MCP23017 in a DIP case, with socket", "", ""),
    ):
        names = [build.name for build in builds if device in build.devices]
        if names:
            yield Part("controller", what, "1", ", ".join(names), instead, check)
    buttons = max(len(build.buttons) for build in builds)
    yield Part("controller", "push button for panels, 12 mm, normally open", f"{buttons}", "all", "", "not latching")
    if any(build.jumper for build in builds):
        names = [build.name for build in builds if build.jumper]
        yield Part("controller", "pin header with two pins, and jumper", "1", ", ".join(names), "a switch", "")


def _wood(g: Geometry) -> Iterator[Part]:
    m = g.measures
    long, short = g.plate_mm
    for what, thick in (("top", m.top_mm), ("floor", m.floor_mm), ("carrier", m.carrier_mm), ("back", m.back_mm)):
        yield Part(
            "wood",
            f"plywood for the {what}, {thick:g} mm, at least {ceil(long)} x {ceil(short)} mm",
            "1",
            "all",
            "solid wood of the same thickness for the top" if what == "top" else "",
            "measure it: sheets are often thinner than sold"
            + ("; more is too much between magnet and reed" if what in ("top", "floor") else ""),
        )
    for cut in cuts(g):
        yield Part(
            "wood",
            f"strip {cut.width_mm:g} x {cut.thick_mm:g} mm: {cut.what}",
            f"{cut.count} x {ceil(cut.length_mm)} mm",
            "all",
            "",
            "mitred by 30 degrees at both ends",
        )
    yield Part("wood", "screws 3 x 16 mm of brass", "12", "all", "stainless steel that no magnet holds", f"steel stays more than 15 mm from reeds; holes of {m.screw_hole_mm:g} mm are drawn")


def _pieces(g: Geometry, config: Config) -> Iterator[Part]:
    sentinels, shifs = piece_counts(g, config)
    every = sentinels + shifs
    magnet = g.magnet
    yield Part("pieces", "Sentinels, half of them dark", f"{sentinels}", "all", "turned or printed", "")
    yield Part("pieces", "Shifs, half of them dark", f"{shifs}", "all", "turned or printed", "")
    yield Part(
        "pieces",
        f"disc magnet {magnet.across_mm:g} x {magnet.high_mm:g} mm, N42, through its thickness",
        f"{spare(every, 0.1)} ({every} and spares)",
        "all",
        "",
        "no stronger and no larger ones: they act on the reeds of neighbours",
    )
    yield Part("pieces", f"felt, {g.measures.felt_mm:g} mm thick, discs of {g.base_mm - 2:.0f} mm", f"{every}", "all", "", f"thicker felt is too far from the reed (at most {g.measures.felt_mm:g} mm)")


def _wire(g: Geometry, builds: tuple[Build, ...]) -> Iterator[Part]:
    totals = [wire_totals(g, build) for build in builds]
    for kind, words in KINDS.items():
        colours = sorted({colour for total in totals for of, colour in total if of == kind})
        for colour in colours:
            most = max(total[kind, colour] for total in totals)
            metres = ceil(most * 1.1 / 500) / 2
            yield Part("wire", f"{words}, {colour}", f"{metres:g} m", "all", "", "")


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
        "Made by `sorcel hardware` from the board file and the config. Nobody has built a board from this "
        "list yet: buy for the trial of seven spaces first, and the rest when it works.",
        "",
        "| group | what | how much | builds | instead | look at |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    lines += ["| " + " | ".join(part) + " |" for part in listed]
    return "\n".join([*lines, ""])


