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
from .builds import PIXELS_A_LIGHT, Build, hand_wired
from .cables import feeds, wires
from .casing import cuts
from .contacts import HALL_DEPTHS_MM, SURE, Window, order_of
from .geometry import Geometry
from .headers import EXPANDER, PI, PICO
from .pieces import least_weight_g, weights_g
from .rowboards import row_boards

FULL_A = 0.060
"""What a pixel draws at full white."""
_FUSES_A: tuple[float, ...] = (
    1.0,
    1.25,
    1.6,
    2.0,
    2.5,
    3.15,
    4.0,
    5.0,
    6.3,
    8.0,
    10.0,
    12.5,
    16.0,
    20.0,
    25.0,
    32.0,
)
_FUSES_A += (40.0,)
_SUPPLIES_A = (3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 15.0, 20.0, 30.0, 40.0, 60.0, 100.0, 120.0)
HOLDS, BLOWS = 0.75, 2.75
"""A slow fuse carries this part of its rating for ever, and blows within ten seconds at this
multiple (IEC 60127); between them it may take an hour, which the wires have to bear."""

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
    by_hand = hand_wired(builds)
    return (
        *(_contacts(g) if by_hand else _row_boards(g)),
        *(part for part in _pixels(g, config) if by_hand or not part.what.startswith("single")),
        *_power(g, builds),
        *_controllers(builds),
        *_plates(g),
        *_case(g),
        *_pieces(g, config),
        *(_wire(g, by_hand) if by_hand else ()),
    )


def spare(count: int, part: float) -> str:
    """Return `count` and some more, at least two, in words.

    >>> spare(61, 0.1)
    '68 (61 and spares)'
    """
    return f"{count + max(2, ceil(count * part))} ({count} and spares)"


def fuse_a(build: Build) -> float:
    """Return the fuse, in A: the least that carries for ever what the program allows."""
    wanted = build.limit_a / HOLDS
    return next(fuse for fuse in _FUSES_A if fuse >= wanted)


def supply_a(build: Build) -> float:
    """Return what the supply of the lights gives at least, in A: enough to blow the fuse."""
    wanted = BLOWS * fuse_a(build)
    return next(supply for supply in _SUPPLIES_A if supply >= wanted)


def piece_counts(g: Geometry, config: Config) -> tuple[int, int]:
    """Return how many Sentinels and Shifs both sides have together."""
    start = g.board.start
    sentinels = (start.light_sentinels | start.dark_sentinels).bit_count()
    return sentinels, 2 * rules_of(config).shifs


_AREAS = (
    # mm2, AWG, and what it carries for ever in a bundle, in A
    (0.34, 22, 4.0), (0.5, 20, 6.0), (0.75, 18, 9.0), (1.0, 17, 12.0), (1.5, 15, 16.0),
    (2.5, 13, 24.0), (4.0, 11, 32.0), (6.0, 9, 41.0), (10.0, 7, 57.0), (16.0, 5, 76.0),
)  # fmt: skip


def wire_kinds(build: Build) -> dict[str, str]:
    """Return what each kind of wire of the cable list is.

    Each wire of the supply, thin as it may be, carries for ever what its fuse may let by for an
    hour, half as much again as its rating.
    """
    carried = 1.5 * fuse_a(build)
    fits = [k for k, (_, _, most) in enumerate(_AREAS) if most >= carried]
    power, feed = (_AREAS[min(k, len(_AREAS) - 1)] for k in (fits[0], fits[0] + 1))
    return {
        "thin": "wrapping wire, 0.05 mm² (AWG 30), solid",
        "signal": "stranded wire, 0.14 mm² (AWG 26)",
        "power": f"stranded wire, {power[0]:g} mm² (AWG {power[1]})",
        "feed": f"stranded wire, {feed[0]:g} mm² (AWG {feed[1]})",
    }


# -- groups ---------------------------------------------------------------------------------------


def reeds_to_order(g: Geometry) -> int:
    """Return how many reeds to buy, with one in twenty to break."""
    order = order_of(g.board.grid.n, Window(*g.reeds_mt).usable)
    return order + max(2, ceil(order / 20))


def plug_mm(g: Geometry) -> float:
    """Return how long the plug in a light hole is: it ends 1 mm above the pixel."""
    return g.measures.top_mm + g.measures.floor_mm - 1


def plugs_of(g: Geometry) -> int:
    """Return how many plugs there are, one in every light hole."""
    return PIXELS_A_LIGHT * g.board.grid.n


def _contacts(g: Geometry) -> tuple[Part, ...]:
    n, m = g.board.grid.n, g.measures
    low, high = g.reeds_mt
    return (
        Part(
            "contacts",
            f"reed switch, normally open, glass about {m.reed_glass_mm:g} x "
            f"{m.reed_across_mm:g} mm, 15-25 AT",
            f"{reeds_to_order(g)} ({n} are needed)",
            f"Hall switches for 3.3 V, {HALL_DEPTHS_MM[0]:g} to {HALL_DEPTHS_MM[1]:g} mm below the "
            "magnet (measures.md); each needs an input of its own, no matrix reads them",
            f"by calculation those fit that close at {low:.2f} to {high:.2f} mT, "
            f"{100 * Window(low, high).usable:.0f} % of common ones; so many hold enough of them "
            f"{100 * SURE:.0f} times in 100, and some to break; the trial shows whether yours do",
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


def _row_boards(g: Geometry) -> tuple[Part, ...]:
    boards = len(row_boards(g))
    return (
        Part(
            "contacts",
            "row boards with their parts fitted, one for each row and one for the southern lights",
            f"{boards}",
            check="boards/ has the files for makers, and what is fitted (bom)",
        ),
        Part("contacts", "flat cable with seven wires and sockets, 2.54 mm", f"{boards}"),
    )


def _pixels(g: Geometry, config: Config) -> tuple[Part, ...]:
    n, m = g.board.grid.n, g.measures
    order = config.lights.colour_order
    return (
        Part(
            "lights",
            f"single pixel WS2812B, 5 V, on a round board of {m.pixel_mm:g} mm",
            spare(PIXELS_A_LIGHT * n, 0.05),
            f"addressable LEDs of {m.light_hole_mm:g} mm with four wires, in the light holes",
            f"two for each space; the order of colours (colour_order is {order})",
        ),
        Part(
            "lights",
            f"rod of clear acrylic, {m.light_hole_mm:g} mm, for plugs {plug_mm(g):g} mm long",
            f"{plugs_of(g)} plugs, {ceil(plugs_of(g) * (plug_mm(g) + 2) / 100) / 10:g} m",
            "drops of clear resin or hot glue in the light holes",
            "sand both ends dull, so that they are seen from the side; flush with the top",
        ),
        Part(
            "lights",
            "74AHCT125 in a DIP case, with socket",
            "1",
            check="AHCT only: HC reads 3.3 V badly, HCT feeds a rail that is off through its "
            "inputs, a MOSFET level shifter is too slow",
        ),
        Part("lights", "resistor 330 Ω", "2", "300 to 500 Ω"),
        Part("lights", "capacitor 1000 µF, 6.3 V or more", "1", check="its polarity"),
        Part("lights", "capacitor 100 nF", "1"),
    )


def _power(g: Geometry, builds: tuple[Build, ...]) -> tuple[Part, ...]:
    pixels, build = PIXELS_A_LIGHT * g.board.grid.n, builds[0]
    terminals = 1 + max(len(feeds(build)) for build in builds)
    return (
        Part(
            "power",
            f"supply 5 V for the lights alone, {supply_a(build):g} A or more, short-circuit proof",
            "1",
            check=f"{pixels} pixels at full white would draw {pixels * FULL_A:.1f} A; the program "
            f"keeps them at {build.limit_a:g} A by estimate; a smaller supply cannot blow the fuse",
        ),
        Part(
            "power",
            f"fuse {fuse_a(build):g} A, slow, with holder",
            "1",
            check="it goes into the plus wire right at the supply; it blows within ten seconds at "
            f"{BLOWS * fuse_a(build):g} A",
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
    thin = "; 2.5 to 3.5 mm do, no more"
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
    m, felt = g.measures, g.measures.felt_mm
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
            f"ring of brass, {m.ring_across_mm:g} x {m.ring_hole_mm:g} x {m.ring_high_mm:g} mm (a "
            "large washer M6)",
            f"{sentinels + shifs}",
            "copper or zinc; never steel",
            f"a piece weighs {least_weight_g(g):.1f} g or more, or magnets push it away before it "
            f"is touched; printed solid, a Shif weighs {weights_g(g)[1]:.1f} g with its ring",
        ),
        Part(
            "pieces",
            f"felt, {felt:g} mm thick, discs of {g.base_mm - 2:.0f} mm",
            f"{sentinels + shifs}",
            check="thicker felt is too far from the reed",
        ),
    )


def _wire(g: Geometry, builds: tuple[Build, ...]) -> Iterator[Part]:
    totals = [wire_totals(g, build) for build in builds]
    for kind, words in wire_kinds(builds[0]).items():
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


def parts_text(listed: Iterable[Part], mark: str) -> str:
    """Return the list in Markdown."""
    lines = [
        "# Parts",
        "",
        "Made by `sorcel hardware` from the board file and the config. Nobody has built a board",
        "from this list yet: buy for the trial of seven spaces first, the rest when it works.",
        f"This list: {mark}.",
        "",
        "| group | what | how much | instead | look at | builds |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    lines += ["| " + " | ".join(part) + " |" for part in listed]
    return "\n".join([*lines, ""])
