"""Row boards: for each row of spaces a printed circuit with its contacts, registers and lights.

Routed by construction, for any pitch and any number of spaces: everything level runs on the lower
layer, each net at a height of its own; everything upright runs on the upper layer, at a place of
its own; a via joins the two.  Boards are as high as rows are apart, so board r also has the
southern lights of the row above it, on the line of its own northern ones; one more board, without
contacts, has those of the southernmost row.

Lengths in mm, seen from above, x east, y SOUTH from the line of the contacts::

    -14.5   [L]   [l]   [L]   [l]     pixels: of this row (n), of the row above (s)
    -10     levels: registers in chain, data n, data s, 5 V, ground
      0     o Hall   [165]   o Hall   contacts and registers
      4   =reed=         =reed=
     6-10   levels: contacts, clock, load
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

from ..config.chain import INPUTS, register_inputs
from .geometry import Geometry, Point
from .lettering import lettered
from .measures import REVISION, GeometryError, Measures
from .shapes import Layer, Path

TRACK_MM, VIA_MM, DRILL_MM, CLEAR_MM = 0.2, 0.5, 0.3, 0.2
_GAP_MM = 0.4
"""Between the boards of two rows."""
MEASURES = Measures(band_mm=36.0)
"""Of a board with row boards: their ends need a wider band, so that no ledge is above them."""
_PINS = ("11", "12", "13", "14", "3", "4", "5", "6")
"""Of a register: its inputs A to H."""
OPEN = "unconnected-"
"""How the net of a pad begins that is joined to nothing, as KiCad calls it."""


class Pad(NamedTuple):
    """A pad of a footprint: its number, middle and size, and its drill if it goes through."""

    number: str
    x: float
    y: float
    width: float
    height: float
    drill: float = 0.0


class Footprint(NamedTuple):
    """What is soldered: its name, pads, and half the size of its courtyard."""

    name: str
    pads: tuple[Pad, ...]
    half: Point


class Placed(NamedTuple):
    """A part on a board: reference, what it is, footprint, place, and the net of each pad."""

    ref: str
    value: str
    footprint: Footprint
    x: float
    y: float
    nets: dict[str, str]


class Track(NamedTuple):
    """A straight track, on the upper layer unless `lower`."""

    net: str
    start: Point
    end: Point
    width: float
    lower: bool


class Via(NamedTuple):
    """A hole that joins both layers."""

    net: str
    at: Point


def _two(name: str, apart: float, width: float, height: float, half: Point) -> Footprint:
    pads = (Pad("1", -apart / 2, 0, width, height), Pad("2", apart / 2, 0, width, height))
    return Footprint(name, pads, half)


def _header(count: int) -> Footprint:
    pads = [Pad(str(k + 1), 0, (k - (count - 1) / 2) * 2.54, 1.7, 1.7, 1.0) for k in range(count)]
    return Footprint(f"Header_1x{count}_2.54mm", tuple(pads), (1.6, count * 1.27 + 0.3))


def _tssop() -> Footprint:
    """Pins 1 to 8 below from the left, 9 to 16 above from the right."""
    below = [Pad(str(k + 1), -2.275 + 0.65 * k, 2.87, 0.4, 1.45) for k in range(8)]
    above = [Pad(str(16 - k), -2.275 + 0.65 * k, -2.87, 0.4, 1.45) for k in range(8)]
    return Footprint("TSSOP-16_4.4x5mm_0.65mm", (*below, *above), (2.8, 3.85))


CHIP = _tssop()
SMALL = _two("0603", 1.55, 0.8, 0.95, (1.45, 0.75))
REED = _two("Reed_SMD_18mm", 18.0, 2.5, 1.6, (10.5, 1.6))
HALL = Footprint(
    "SOT-23",
    (
        Pad("1", -0.9375, -0.95, 1.475, 0.6),
        Pad("2", -0.9375, 0.95, 1.475, 0.6),
        Pad("3", 0.9375, 0, 1.475, 0.6),
    ),
    (1.9, 1.7),
)
PIXEL = Footprint(
    "WS2812B_5x5mm_turned",
    (
        Pad("1", 2.45, 1.6, 1.5, 1.0),
        Pad("2", 2.45, -1.6, 1.5, 1.0),
        Pad("3", -2.45, -1.6, 1.5, 1.0),
        Pad("4", -2.45, 1.6, 1.5, 1.0),
    ),
    (3.4, 2.75),
)
HEADER = _header(7)
FEED = Footprint(
    "Feed_2x_1.3mm",
    (Pad("1", 0, -1.5, 2.2, 2.2, 1.3), Pad("2", 0, 1.5, 2.2, 2.2, 1.3)),
    (1.4, 2.9),
)
SCREW = Footprint("Hole_2.2mm", (Pad("", 0, 0, 2.2, 2.2, 2.2),), (2.4, 2.4))

# Levels of the lower layer.
_SERIAL = (-9.1, -9.8)
_DATA = {"n": -8.2, "s": -7.5}
_5V, _GND, _3V3, _GND2 = -5.4, -2.4, 2.2, 5.5
_POWER_MM, _THIN_MM = 2.4, 0.6
_WEST = (-0.75, -0.15, 0.45, 1.05)
_EAST = (6.3, 6.9, 7.5, 8.1)
"""Of contacts west and east of their register."""
_CLOCK, _LOAD = 8.75, 9.4


@dataclass(slots=True)
class RowBoard:
    """A board, as it grows: `names` are its spaces from west to east, `box` its edges."""

    name: str
    names: tuple[str, ...]
    box: tuple[float, float, float, float]
    """Left, top, right, bottom."""
    parts: list[Placed] = field(default_factory=list)
    tracks: list[Track] = field(default_factory=list)
    vias: list[Via] = field(default_factory=list)
    silk: list[Path] = field(default_factory=list)

    def add(self, ref: str, value: str, footprint: Footprint, at: Point, **nets: str) -> Placed:
        """Put a part on the board; nets are named by pad, such as `p1`."""
        of = {pad.removeprefix("p"): net for pad, net in nets.items()}
        placed = Placed(ref, value, footprint, *at, of)
        self.parts.append(placed)
        return placed

    def up(self, net: str, *points: Point, width: float = TRACK_MM) -> None:
        """Draw a track on the upper layer, from point to point."""
        self.tracks += [Track(net, a, b, width, False) for a, b in pairwise(points) if a != b]

    def level(self, net: str, y: float, left: float, right: float, width: float = 0.0) -> None:
        """Draw a level track on the lower layer."""
        wide = width or TRACK_MM
        if right > left:
            self.tracks.append(Track(net, (left, y), (right, y), wide, True))

    def drop(self, net: str, *points: Point, width: float = TRACK_MM) -> None:
        """Draw a track on the upper layer that ends in a via."""
        self.up(net, *points, width=width)
        self.vias.append(Via(net, points[-1]))


def row_boards(g: Geometry) -> tuple[RowBoard, ...]:
    """Return all boards, the southernmost (which has no contacts) first."""
    if g.pitch_mm > 45 or g.pitch_mm < 32:
        raise GeometryError(f"pitch {g.pitch_mm:g} mm: row boards are made for 32 to 45 mm")
    rows = _rows(g)
    empty: tuple[int, ...] = ()
    pairs = [(empty, rows[0]), *pairwise(rows), (rows[-1], empty)]
    return tuple(_board(g, k, own, above) for k, (own, above) in enumerate(pairs))


def _rows(g: Geometry) -> list[tuple[int, ...]]:
    """Return the spaces of each row, from south to north, from west to east."""
    found: dict[float, list[int]] = {}
    for space in g.whole.spaces:
        found.setdefault(round(g.centres[space][1], 3), []).append(space)
    return [tuple(sorted(found[y], key=lambda k: g.centres[k][0])) for y in sorted(found)]


def _board(g: Geometry, number: int, own: tuple[int, ...], above: tuple[int, ...]) -> RowBoard:
    xs = [g.centres[space][0] for space in (*own, *above)]
    row = g.pitch_mm * sqrt(3) / 2
    top = g.measures.light_part * g.pitch_mm - row - 3.2
    # A reed reaches 17 mm west of its contact; a pixel, 4 mm.
    left = min(min(xs) - 18.5, *(g.centres[space][0] - 26.0 for space in own[:1]), 0.0)
    right = max(xs) + 18.5
    board = RowBoard(
        f"row-{number}",
        tuple(g.name(space) for space in own),
        (left, top, right, top + row - _GAP_MM),
    )
    _pixels(board, g, own, above)
    _contacts(board, g, own)
    _ends(board, g, own)
    _silk(board, g, number, own)
    return board


# -- lights ---------------------------------------------------------------------------------------


def _pixels(board: RowBoard, g: Geometry, own: tuple[int, ...], above: tuple[int, ...]) -> None:
    part, row = g.measures.light_part * g.pitch_mm, g.pitch_mm * sqrt(3) / 2
    left, right = _header_x(board)
    for chain, spaces, y in (("n", own, -part), ("s", above, part - row)):
        level = _DATA[chain]
        start = left
        for k, space in enumerate(spaces):
            x = g.centres[space][0]
            before, after = f"D{chain}{k}", f"D{chain}{k + 1}"
            name = f"{chain}{g.name(space)}"
            _pixel(board, name, (x, y), before, after, level)
            board.level(before, level, start, x - 2.45)
            start = x + 3.9
        board.level(f"D{chain}{len(spaces)}", level, start, right)


def _pixel(board: RowBoard, name: str, at: Point, before: str, after: str, level: float) -> None:
    """Add a pixel with its capacitor below, and lead all six pads down to their levels."""
    x, y = at
    board.add(f"L{name}", "WS2812B", PIXEL, at, p1="+5V", p2=after, p3="GND", p4=before)
    board.add(f"CL{name}", "100n", SMALL, (x, y + 4.2), p1="GND", p2="+5V")
    board.drop(before, (x - 2.45, y + 1.6), (x - 2.45, level))
    board.drop(after, (x + 2.45, y - 1.6), (x + 3.9, y - 1.6), (x + 3.9, level))
    board.drop("GND", (x - 2.45, y - 1.6), (x - 3.9, y - 1.6), (x - 3.9, _GND), width=0.4)
    board.drop("GND", (x - 0.775, y + 4.2), (x - 0.775, _GND), width=0.4)
    board.drop("+5V", (x + 0.775, y + 4.2), (x + 0.775, _5V), width=0.4)
    board.drop("+5V", (x + 2.45, y + 1.6), (x + 2.45, _5V), width=0.4)


# -- contacts and registers -----------------------------------------------------------------------


def _contacts(board: RowBoard, g: Geometry, own: tuple[int, ...]) -> None:
    left, right = _header_x(board)
    for space in own:
        _contact(board, g.name(space), g.centres[space][0])
    inputs = [each for each in register_inputs(g.board) if set(own) & set(each)]
    start = left
    for number, each in enumerate(inputs):
        start = _register(board, g, number, each, own, start)
    board.level(f"SER{len(inputs)}", _SERIAL[len(inputs) % 2], start, right)


def _contact(board: RowBoard, name: str, x: float) -> None:
    """Add a Hall switch or a reed with its pull-up, which share a net."""
    out = f"IN_{name}"
    board.add(f"Q{name}", "DRV5032FA", HALL, (x, 0), p1="+3V3", p2=out, p3="GND")
    board.add(f"S{name}", "reed (instead of Q)", REED, (x - 7, 4.2), p1="GND", p2=out)
    board.add(f"R{name}", "10k (with a reed)", SMALL, (x - 5.8, 0.6), p1="+3V3", p2=out)
    board.add(f"CQ{name}", "100n", SMALL, (x + 4, 0.6), p1="GND", p2="+3V3")
    board.drop("+3V3", (x - 0.9375, -0.95), (x - 2.3, -0.95), (x - 2.3, _3V3))
    board.drop("GND", (x + 0.9375, 0), (x + 0.9375, _GND))
    board.drop("GND", (x + 3.225, 0.6), (x + 3.225, _GND))
    board.drop("+3V3", (x + 4.775, 0.6), (x + 4.775, _3V3))
    board.drop("+3V3", (x - 6.575, 0.6), (x - 6.575, _3V3))
    board.drop("GND", (x - 16, 4.2), (x - 16, _GND2))
    board.up(out, (x - 5.025, 0.6), (x - 3.6, 0.6), (x - 3.6, 3.0), (x - 0.9375, 3.0))
    board.up(out, (x - 0.9375, 0.95), (x - 0.9375, 4.2), (x + 2, 4.2))


def _register(
    board: RowBoard,
    g: Geometry,
    number: int,
    spaces: tuple[int | None, ...],
    own: tuple[int, ...],
    start: float,
) -> float:
    """Add a register west of its first eastern contact; return where its own input begins."""
    west, east = ([k for k in half if k is not None] for half in (spaces[:4], spaces[4:]))
    # West of the pixel that is half a pitch on, clear of its upright tracks.
    x = g.centres[east[0]][0] - g.pitch_mm / 2 - 7.2
    inputs = {
        pin: f"IN_{g.name(space)}"
        for pin, space in zip(_PINS, spaces, strict=True)
        if space is not None
    }
    # An input without a contact reads open, so that a register that does not answer shows.
    nets = dict.fromkeys(_PINS, "+3V3") | inputs
    nets |= {"1": "LOAD", "2": "CLOCK", "8": "GND", "15": "GND", "16": "+3V3"}
    nets |= {"9": f"SER{number}", "10": f"SER{number + 1}"}
    nets["7"] = f"{OPEN}(U{number + 1}-Pad7)"
    board.add(f"U{number + 1}", "74HC165", CHIP, (x, 1.0), **{f"p{k}": v for k, v in nets.items()})
    board.add(f"CU{number + 1}", "100n", SMALL, (x + 4.9, 0.6), p1="GND", p2="+3V3")
    board.drop("GND", (x + 4.125, 0.6), (x + 4.125, _GND))
    board.drop("+3V3", (x + 5.675, 0.6), (x + 5.675, _3V3))
    places = {pad.number: (x + pad.x, 1.0 + pad.y) for pad in CHIP.pads}
    for level, pin in ((_LOAD, "1"), (_CLOCK, "2"), (_3V3, "16"), (_GND2, "8")):
        board.drop(nets[pin], places[pin], (places[pin][0], level))
    board.drop("GND", places["15"], (places["15"][0], -3.1))
    spare = [pin for pin in _PINS if pin not in inputs]
    for pin in spare:
        board.up("+3V3", places[pin], (places[pin][0], _3V3))
    board.vias += [Via("+3V3", (x, _3V3)) for x in sorted({places[pin][0] for pin in spare})]
    for k, (pin, space) in enumerate(zip(_PINS[:4], west, strict=False)):
        _to_register(board, inputs[pin], places[pin], g.centres[space][0] - 3.6, 0.6, _WEST[k])
    for k, (pin, space) in enumerate(zip(_PINS[4:], east, strict=False)):
        at = g.centres[space][0] - 0.9375
        _to_register(board, inputs[pin], places[pin], at, 4.2, _EAST[k])
    here, there = places["9"], places["10"]
    level, other = _SERIAL[number % 2], _SERIAL[(number + 1) % 2]
    board.drop(nets["9"], here, (here[0], level))
    board.level(nets["9"], level, start, here[0])
    board.drop(nets["10"], there, (there[0], other))
    return there[0]


def _to_register(
    board: RowBoard, net: str, pin: Point, contact_x: float, contact_y: float, level: float
) -> None:
    board.drop(net, pin, (pin[0], level))
    board.drop(net, (contact_x, contact_y), (contact_x, level))
    board.level(net, level, min(pin[0], contact_x), max(pin[0], contact_x))


# -- ends -----------------------------------------------------------------------------------------


def _header_x(board: RowBoard) -> Point:
    """Return from where to where the levels go: between the headers' own upright tracks."""
    return board.box[0] + 7.5, board.box[2] - 7.5


def _ends(board: RowBoard, g: Geometry, own: tuple[int, ...]) -> None:
    """Add power, headers, feeds and screws."""
    left, right = _header_x(board)
    for net, level in (("CLOCK", _CLOCK), ("LOAD", _LOAD)):
        board.level(net, level, left, right)
    registers = -(-len(own) // INPUTS)
    lights = {chain: sum(p.ref.startswith(f"L{chain}") for p in board.parts) for chain in "ns"}
    tail = ("GND", "+3V3", "CLOCK", "LOAD")
    _plug(board, "J1", "in", ("SER0", "Dn0", "Ds0", *tail), 0, -1)
    last = (f"SER{registers}", f"Dn{lights['n']}", f"Ds{lights['s']}", *tail)
    _plug(board, "J2", "out", last, registers % 2, 1)
    # The input of the last register floats on the last board without this.
    net, x = f"SER{registers}", right - 0.6
    board.add("R1", "10k", SMALL, (x - 0.775, -12.4), p1="GND", p2=net)
    board.drop(net, (x, -12.4), (x, _SERIAL[registers % 2]))
    board.drop("GND", (x - 1.55, -12.4), (x - 1.55, _GND))
    for x in (left + 1.5, right + 0.2):
        board.drop("GND", (x, _GND2), (x, _GND), width=0.4)
        board.vias.append(Via("GND", (x, _GND2)))
    for k, x in enumerate(_feeds(board, g, own)):
        board.add(f"J{3 + k}", "5 V feed", FEED, (x, (_5V + _GND) / 2), p1="+5V", p2="GND")
    for net, level in (("+5V", _5V), ("GND", _GND), ("+3V3", _3V3), ("GND", _GND2)):
        _rail(board, net, level)


def _rail(board: RowBoard, net: str, level: float) -> None:
    """Draw a level of the supply from the first to the last place at which it is needed."""
    xs = [via.at[0] for via in board.vias if via.net == net and via.at[1] == level]
    xs += [part.x for part in board.parts if part.footprint is FEED and level in (_5V, _GND)]
    width = _THIN_MM if level in (_3V3, _GND2) else _POWER_MM
    board.level(net, level, min(xs), max(xs), width)


def _feeds(board: RowBoard, g: Geometry, own: tuple[int, ...]) -> Iterator[float]:
    """Yield where 5 V comes in: at the ends and in the middle, off everything upright."""
    left, right = _header_x(board)
    yield left + 3.6
    pixels = sorted(part.x for part in board.parts if part.ref.startswith("L"))
    blocked = [p.x for p in board.parts if p.footprint is CHIP]
    middle = (board.box[0] + board.box[2]) / 2
    gaps = [
        (a + b) / 2
        for a, b in pairwise(pixels)
        if b - a > 14 and all(abs((a + b) / 2 - x) > 6.5 for x in blocked)
    ]
    yield min(gaps, key=lambda x: (round(abs(x - middle), 3), x))
    yield right - 5.0


def _plug(
    board: RowBoard, ref: str, value: str, nets: tuple[str, ...], serial: int, side: int
) -> None:
    """Add a header whose pins are in the order of the levels, and lead each to its level.

    What goes up takes the upright places from above, what goes down those from below, so that no
    two cross.
    """
    edge = board.box[0] if side < 0 else board.box[2]
    x = edge - side * 2.4
    board.add(ref, value, HEADER, (x, -0.4), **{f"p{k + 1}": net for k, net in enumerate(nets)})
    levels = (_SERIAL[serial], _DATA["n"], _DATA["s"], _GND, _3V3, _CLOCK, _LOAD)
    first = x - side * 1.5
    pins = [(-0.4 + pad.y) for pad in HEADER.pads]
    ups = [k for k in range(len(nets)) if levels[k] < pins[k]]
    downs = [k for k in reversed(range(len(nets))) if levels[k] >= pins[k]]
    end = _header_x(board)[0 if side < 0 else 1]
    for order in (ups, downs):
        for step, k in enumerate(order):
            at = first - side * 0.7 * step
            board.drop(nets[k], (x, pins[k]), (at, pins[k]), (at, levels[k]))
            if nets[k] not in ("GND", "+3V3"):
                board.level(nets[k], levels[k], min(at, end), max(at, end))


def _silk(board: RowBoard, g: Geometry, number: int, own: tuple[int, ...]) -> None:
    """Add screws, names, which end and which pole is which, revision and hash."""
    left, top, right, bottom = board.box
    for k, at in enumerate(((left + 2.6, top + 2.6), (right - 2.6, top + 2.6)), 1):
        board.add(f"H{k}", "screw M2", SCREW, at)
    words = [(g.name(space), (g.centres[space][0] - 10.5, 0.5), 1.6) for space in own]
    digest = g.mark.rpartition(" ")[2]
    words.append((f"{number}", (left + 6.4, top + 1.6), 1.2))
    words.append((f"rev{REVISION}", (left + 10.5, 7.8), 1.2))
    words.append((digest, (left + 17.0, 7.8), 1.2))
    words.append(("in", (left + 1.6, bottom - 1.2), 1.2))
    words.append(("out", (right - 1.9, bottom - 1.2), 1.2))
    feeds = [part for part in board.parts if part.footprint is FEED]
    words += [("5v", (part.x + 2.8, part.y - 1.5), 1.2) for part in feeds]
    for text, (x, y), size in words:
        for path in lettered(Layer.NOTES, text, (0.0, 0.0), size):
            vertices = tuple((x + a, y - b, 0.0) for a, b, _ in path.vertices)
            board.silk.append(Path(Layer.NOTES, vertices))
