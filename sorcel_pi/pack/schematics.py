"""The wiring of a build as drawn schematics: the matrix, the lights with their supply, the pins.

What is drawn is what `wiring` says; this module only knows how to lay it out.
"""

import re

import schemdraw
from schemdraw import elements as elm
from schemdraw.backends import svg as backend
from schemdraw.segments import SegmentText
from schemdraw.types import Halign

from . import svg
from .builds import Build
from .cables import feeds
from .geometry import Geometry
from .headers import HEADERS, Header
from .parts import fuse_a, supply_a
from .wiring import light, pins, terminal

_CELL = 2.6
_TAP = 0.55
"""How far above its row a contact leaves its column, in cells."""
_SIZE, _SMALL = 11.0, 9.0
_PIN, _WIDE = 0.62, 6.0
"""Of a device: from pin to pin, and across."""
_DECIMALS = re.compile(r"-?\d+\.\d{3,}")


def matrix(g: Geometry, build: Build) -> bytes:
    """Return the matrix: each contact is a reed and a diode between its column and its row."""
    drawing = _drawing()
    columns = {column: x * _CELL for x, column in enumerate(build.used_columns)}
    rows = {row: -y * _CELL for y, row in enumerate(build.used_rows)}
    for column, x in columns.items():
        last = min(rows[row] for row, other in build.places if other == column)
        _wire(drawing, (x, _CELL * 0.85), (x, last + _CELL * _TAP))
        _words(drawing, f"column {column}", (x, _CELL * 1.18), _SIZE)
        _words(drawing, terminal(build.columns[column]).pin, (x, _CELL), _SMALL)
    for row, y in rows.items():
        last = max(columns[column] for other, column in build.places if other == row)
        _wire(drawing, (-0.3, y), (last + _CELL / 2, y))
        _words(drawing, f"row {row}", (-1.4, y + 0.25), _SIZE)
        _words(drawing, terminal(build.rows[row]).pin, (-1.4, y - 0.2), _SMALL)
    for space, (row, column) in enumerate(build.places):
        _contact(drawing, g.name(space), columns[column], rows[row])
    _words(
        drawing,
        "Columns are pulled up; one row at a time is driven low. "
        "Every diode 1N4148, band to the row.",
        (-1.8, min(rows.values()) - 0.8),
        _SIZE,
        align="left",
    )
    _words(drawing, g.mark, (-1.8, min(rows.values()) - 1.2), _SMALL, align="left")
    return _svg(drawing, f"Contacts: {build.title}")


def _contact(drawing: schemdraw.Drawing, name: str, x: float, y: float) -> None:
    """Add a reed from the column at x, and a diode down to the row at y."""
    top, right = y + _CELL * _TAP, x + _CELL / 2
    drawing += elm.Dot(radius=0.06).at((x, top))
    drawing += elm.SwitchReed().at((x, top)).to((right, top)).scale(0.55)
    drawing += elm.Diode().at((right, top)).to((right, y)).scale(0.6).fill(True)
    drawing += elm.Dot(radius=0.06).at((right, y))
    _words(drawing, name, (right + 0.12, y + _CELL * 0.42), _SIZE, align="left")


# -- lights ---------------------------------------------------------------------------------------


def lights(g: Geometry, build: Build) -> bytes:
    """Return the chain of lights, shortened in the middle, with level shifter and supply."""
    drawing = _drawing()
    chain = [light(g, build, space, "n") for space in build.chain()]
    last = len(chain) - 1
    shown = sorted({0, 1, *feeds(build), last - 1, last} & set(range(len(chain))))
    device, pin = terminal(build.pixel)
    _box(drawing, (0, 0), 2.6, [f"{device}", pin])
    _wire(drawing, (2.6, 1.0), (3.4, 1.0))
    _box(drawing, (3.4, 0), 2.6, ["U1", "74AHCT125", "in 2, out 3"])
    drawing += elm.Resistor().at((6.0, 1.0)).to((8.2, 1.0)).scale(0.6)
    _words(drawing, "R1 330 Ω", (7.1, 1.5), _SMALL)
    x, before = 8.2, -1
    rails = (3.4, -1.8)
    for number in shown:
        if number - before > 1:
            _words(drawing, f"… {number - before - 1} more …", (x + 1.1, 1.0), _SMALL)
            x += 2.2
        elif before >= 0:
            _wire(drawing, (x, 1.0), (x + 0.6, 1.0))
            x += 0.6
        _pixel(drawing, chain[number], x, rails, fed=number in feeds(build))
        x, before = x + 2.2, number
    _rails(drawing, x, rails, build)
    _chips(drawing, rails)
    again = (
        "The chain of the southern light holes is the same once more: U1 in 5 (joined to in 2), "
        "out 6, R2 330 Ω, its own first light, the same feeds and rails."
    )
    _words(drawing, again, (-4.6, rails[1] - 1.2), _SIZE, align="left")
    _words(drawing, g.mark, (-4.6, rails[1] - 1.7), _SMALL, align="left")
    return _svg(drawing, f"Lights of the northern light holes: {build.title}")


def _pixel(
    drawing: schemdraw.Drawing, name: str, x: float, rails: tuple[float, float], *, fed: bool
) -> None:
    number, space = name[1:].replace("n", "", 1).split("_")
    _box(drawing, (x, 0), 2.2, [f"light {number}", space, "DIN → DOUT"])
    for y, rail in zip((2.0, 0.0), rails, strict=True):
        _wire(drawing, (x + 1.1, y), (x + 1.1, rail))
        drawing += elm.Dot(radius=0.09 if fed else 0.05).at((x + 1.1, rail))
    if fed:
        _words(drawing, "feed", (x + 1.5, rails[0] - 0.3), _SMALL)


def _rails(
    drawing: schemdraw.Drawing, right: float, rails: tuple[float, float], build: Build
) -> None:
    """Add both rails, and between them on the left supply, fuse and capacitor."""
    high, low = rails
    supply = ["PSU", f"5 V, {supply_a(build):g} A", "for lights alone"]
    _box(drawing, (-4.6, -0.2), 2.8, supply)
    for start, end in (
        ((-3.2, 1.8), (-3.2, high)),
        ((-3.2, high), (-2.6, high)),
        ((-0.9, high), (right, high)),
        ((-3.2, -0.2), (-3.2, low)),
        ((-3.2, low), (right, low)),
    ):
        _wire(drawing, start, end)
    drawing += elm.Fuse().at((-2.6, high)).to((-0.9, high)).scale(0.6)
    _words(drawing, f"F1 {fuse_a(build):g} A slow", (-1.75, high + 0.4), _SMALL)
    drawing += elm.Capacitor(polar=True).at((-0.9, high)).to((-0.9, low)).scale(0.7)
    _words(drawing, "C1 1000 µF", (-0.6, -1.2), _SMALL, align="left")
    _words(drawing, "5 V", (right + 0.4, high), _SIZE)
    _words(drawing, "ground", (right + 0.6, low), _SIZE)


def _chips(drawing: schemdraw.Drawing, rails: tuple[float, float]) -> None:
    """Join controller and level shifter to the rails."""
    high, low = rails
    for x, start, end in ((1.3, 0.0, low), (4.7, 0.0, low), (4.7, 2.0, high)):
        _wire(drawing, (x, start), (x, end))
        drawing += elm.Dot(radius=0.06).at((x, end))
    _words(drawing, "ground of the controller", (1.3, low - 0.35), _SMALL)
    _words(drawing, "U1: 14 to 5 V; 7, 1, 4 to ground", (4.85, 2.95), _SMALL, align="left")
    _words(drawing, "C2 100 nF close by", (4.85, 2.6), _SMALL, align="left")


# -- pins -----------------------------------------------------------------------------------------


def pin_map(g: Geometry, build: Build) -> bytes:
    """Return the pins of every device of a build, with what hangs on each."""
    drawing = _drawing()
    x = 0.0
    for device in build.devices:
        uses = {use.number: use.use for use in pins(build) if use.device == device}
        _header(drawing, HEADERS[device], uses, x)
        x += 17.0
    _words(drawing, g.mark, (0.0, -0.6), _SMALL, align="left")
    return _svg(drawing, f"Pins: {build.title}")


def _header(drawing: schemdraw.Drawing, header: Header, uses: dict[int, str], x: float) -> None:
    height = _PIN * len(header.left)
    _words(drawing, header.title, (x + _WIDE / 2, height + 0.9), _SIZE + 1)
    box = elm.Rect(corner1=(x, 0), corner2=(x + _WIDE, height + 0.2), lw=1.5)
    drawing += box.at((0, 0)).theta(0)
    for side, sign, edge in ((header.left, -1, x), (header.right, 1, x + _WIDE)):
        for k, (number, name) in enumerate(side):
            _pin(drawing, number, name, uses.get(number, ""), (edge, height - 0.3 - _PIN * k), sign)


def _pin(
    drawing: schemdraw.Drawing,
    number: int,
    name: str,
    use: str,
    at: tuple[float, float],
    sign: int,
) -> None:
    """Add a pin on the left (`sign` -1) or right (1) edge: number and name inside, use outside."""
    edge, y = at
    inside: Halign = "left" if sign < 0 else "right"
    outside: Halign = "right" if sign < 0 else "left"
    ground = "ground" if name in ("GND", "VSS") else ""
    colour, size = (svg.INK, _SMALL + 1) if use else ("#9a9a9a", _SMALL)
    _words(drawing, f"{number}", (edge - sign * 0.15, y), _SMALL, align=inside, colour=colour)
    _words(drawing, name, (edge - sign, y), _SMALL, align=inside, colour=colour)
    if use or ground:
        _wire(drawing, (edge, y), (edge + sign * 0.6, y), colour)
        place = edge + sign * 0.75, y
        _words(drawing, use or ground, place, size, align=outside, colour=colour)


# -- strokes --------------------------------------------------------------------------------------


def _drawing() -> schemdraw.Drawing:
    backend.config.text = "text"
    made = schemdraw.Drawing(canvas="svg", show=False)
    made.config(color=svg.INK, lw=1.2, bgcolor=svg.PAPER, font="Arial", margin=0.4)
    return made


def _wire(
    drawing: schemdraw.Drawing,
    start: tuple[float, float],
    end: tuple[float, float],
    colour: str = svg.INK,
) -> None:
    drawing += elm.Line().at(start).to(end).color(colour)


def _words(
    drawing: schemdraw.Drawing,
    text: str,
    at: tuple[float, float],
    size: float,
    *,
    align: Halign = "center",
    colour: str = svg.INK,
) -> None:
    if text:
        drawing += _Words(text, size, align, colour).at(at).theta(0)


class _Words(elm.Element):
    """Words that stand where they are put, whatever was drawn before."""

    def __init__(self, text: str, size: float, align: Halign, colour: str) -> None:
        super().__init__()
        self.segments.append(
            SegmentText((0, 0), text, align=(align, "center"), fontsize=size, color=colour)
        )


def _box(
    drawing: schemdraw.Drawing, corner: tuple[float, float], width: float, lines: list[str]
) -> None:
    x, y = corner
    drawing += elm.Rect(corner1=corner, corner2=(x + width, y + 2.0), lw=1.5).at((0, 0)).theta(0)
    for k, words in enumerate(lines):
        _words(drawing, words, (x + width / 2, y + 1.55 - 0.55 * k), _SMALL)


def _svg(drawing: schemdraw.Drawing, title: str) -> bytes:
    """Return the file, without the digits that sines leave to chance."""
    text = drawing.get_imagedata("svg").decode("utf-8")
    text = _DECIMALS.sub(lambda found: f"{round(float(found.group()), 2) + 0.0:g}", text)
    return text.encode("utf-8")
