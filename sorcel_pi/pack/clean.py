"""Sheets that a shop cuts as they are: plates nested on real sheets, nothing for people on them.

Only what is cut, engraved as a line or engraved as an area, each once, in a shop's own colours,
layers and strokes of 0.05 mm; no words, no frame.  What belongs to one thickness of wood goes onto
the same sheets.  How long a laser takes is estimated, by lengths and areas.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import dist, pi
from typing import NamedTuple

from ..errors import quote
from .dxf import dxf_sheet
from .geometry import Geometry
from .measures import GeometryError
from .shapes import Circle, Drawing, Layer, Note, Path, Shape, bounds, flattened, moved
from .svg import svg_sheet

GAP_MM, EDGE_MM = 3.0, 1.5
"""Between plates, and from them to the edge of a sheet."""
BURNT = (Layer.FILL, Layer.ENGRAVE, Layer.CUT)
"""What a laser does, in the order of work."""
STOCK = "600x400"
STOCKS = {"600x400": (600.0, 400.0), "600x300": (600.0, 300.0), "A3": (420.0, 297.0)}

# Of a 60 W laser in plywood, in mm/s and mm2/s, and for each path the way there.
_CUT_MM_S = {3.0: 20.0, 4.0: 14.0, 6.0: 8.0}
_LINE_MM_S, _AREA_MM2_S, _PATH_S = 100.0, 30.0, 0.4


class Ink(NamedTuple):
    """What a shop takes for a kind of work: its colour, its DXF colour and its DXF layer."""

    colour: str
    number: int
    layer: str


@dataclass(frozen=True, slots=True)
class Shop:
    """A convention of shops for colours and layers, and the sheet that they cut from."""

    name: str
    inks: dict[Layer, Ink]
    stock: str = STOCK


_RED, _BLUE, _BLACK = ("#ff0000", 1), ("#0000ff", 5), ("#000000", 7)


def _shop(
    name: str, cut: tuple[str, int], line: tuple[str, int], area: tuple[str, int], layers: str
) -> Shop:
    names = layers.split(", ")
    inks = (Ink(*area, names[0]), Ink(*line, names[1]), Ink(*cut, names[2]))
    return Shop(name, dict(zip(BURNT, inks, strict=True)))


SHOPS = {
    shop.name: shop
    for shop in (
        _shop("red-cut", _RED, _BLUE, _BLACK, "FILL, ENGRAVE, CUT"),
        _shop("blue-cut", _BLUE, _RED, _BLACK, "RASTER, SCORE, CUT"),
        _shop("black-cut", _BLACK, _BLUE, _RED, "FILL, LINE, CUT"),
    )
}
"""By the colour that cuts: red at most laser shops, blue at mail-order shops, black at others."""


def shop_of(text: str) -> Shop:
    """Return the shop called by a text such as `red-cut` or `blue-cut:A3`.

    Raises `GeometryError` for one that is not known.
    """
    name, _, stock = text.partition(":")
    if name not in SHOPS or (stock or STOCK) not in STOCKS:
        raise GeometryError(
            f"{quote(text)}: expected a shop: one of {', '.join(SHOPS)}, and if you like a colon "
            f"and a sheet: one of {', '.join(STOCKS)}"
        )
    return replace(SHOPS[name], stock=stock or STOCK)


class Nest(NamedTuple):
    """A sheet of wood with plates laid on it: its name, thickness, plates and shapes."""

    name: str
    thick_mm: float
    plates: tuple[str, ...]
    shapes: tuple[Shape, ...]

    @property
    def minutes(self) -> float:
        """How long a laser takes, by estimate."""
        return sum(map(self._seconds, self.shapes)) / 60

    def _seconds(self, shape: Shape) -> float:
        long = _length(shape)
        if shape.layer is Layer.CUT:
            slowest = min(_CUT_MM_S.values())
            return _PATH_S + long / _CUT_MM_S.get(self.thick_mm, slowest)
        if shape.layer is Layer.ENGRAVE:
            return _PATH_S + long / _LINE_MM_S
        left, bottom, right, top = bounds((shape,))
        return _PATH_S + (right - left) * (top - bottom) / _AREA_MM2_S


def _length(shape: Shape) -> float:
    """Return how long the way around a shape is."""
    if isinstance(shape, Circle):
        return 2 * pi * shape.radius
    assert isinstance(shape, Path)
    points = flattened(shape)
    return sum(dist(a, b) for a, b in pairwise(points))


def burnt(drawing: Drawing) -> tuple[Shape, ...]:
    """Return what of a drawing a laser does, engraving first and the outline last."""
    shapes = [s for s in drawing.shapes if s.layer in BURNT and not isinstance(s, Note)]
    outline = max(shapes, key=lambda shape: _area(shape) if shape.layer is Layer.CUT else 0.0)
    order = {layer: k for k, layer in enumerate(BURNT)}
    return tuple(sorted(shapes, key=lambda shape: (order[shape.layer], shape is outline)))


def _area(shape: Shape) -> float:
    left, bottom, right, top = bounds((shape,))
    return (right - left) * (top - bottom)


def thickness_mm(g: Geometry, name: str) -> float:
    """Return how thick the wood of a plate is."""
    m, plate = g.measures, name.rpartition("-")[2]
    thick = {"top": m.top_mm, "floor": m.floor_mm, "carrier": m.carrier_mm, "back": m.back_mm}
    return thick[plate]


def nests(
    g: Geometry, drawings: tuple[Drawing, ...], stock: tuple[float, float]
) -> tuple[Nest, ...]:
    """Return the plates laid on as few sheets of a size as a simple way finds.

    The largest go first, each into the first sheet and row in which it has room.  Raises
    `GeometryError` where a plate is larger than a sheet.
    """
    found = []
    for thick in sorted({thickness_mm(g, drawing.name) for drawing in drawings}):
        same = [d for d in drawings if thickness_mm(g, d.name) == thick]
        for number, laid in enumerate(_laid(same, stock), 1):
            shapes = [shape for _, shapes in laid for shape in shapes]
            order = {layer: k for k, layer in enumerate(BURNT)}
            shapes.sort(key=lambda shape: order[shape.layer])
            names = tuple(name for name, _ in laid)
            found.append(Nest(f"{thick:g}mm-{number}", thick, names, tuple(shapes)))
    return tuple(found)


_Laid = list[tuple[str, tuple[Shape, ...]]]


def _laid(drawings: list[Drawing], stock: tuple[float, float]) -> list[_Laid]:
    sheets: list[_Laid] = []
    rows: list[list[tuple[float, float, float]]] = []
    """Of each sheet: (bottom, height, used width) of its rows."""
    for drawing in sorted(drawings, key=lambda d: -_size(d)[1]):
        width, height = _size(drawing)
        if max(width, height) + 2 * EDGE_MM > max(stock) or (
            width + 2 * EDGE_MM > stock[0] or height + 2 * EDGE_MM > stock[1]
        ):
            raise GeometryError(
                f"the {drawing.name} is {width:.1f} x {height:.1f} mm, too large for a sheet of "
                f"{stock[0]:g} x {stock[1]:g} mm with {EDGE_MM:g} mm of edge; take a larger sheet "
                "or a smaller pitch"
            )
        sheet, x, y = _room(rows, width, height, stock)
        if sheet == len(sheets):
            sheets.append([])
        left, bottom, _, _ = bounds(burnt(drawing))
        shapes = tuple(moved(shape, x - left, y - bottom) for shape in burnt(drawing))
        sheets[sheet].append((drawing.name, shapes))
    return sheets


def _size(drawing: Drawing) -> tuple[float, float]:
    left, bottom, right, top = bounds(burnt(drawing))
    return right - left, top - bottom


def _room(
    rows: list[list[tuple[float, float, float]]],
    width: float,
    height: float,
    stock: tuple[float, float],
) -> tuple[int, float, float]:
    """Return sheet and lower left corner for a plate, and take the room."""
    for number, sheet in enumerate(rows):
        for k, (bottom, high, used) in enumerate(sheet):
            if height <= high + 1e-6 and used + GAP_MM + width <= stock[0] - EDGE_MM:
                sheet[k] = (bottom, high, used + GAP_MM + width)
                return number, used + GAP_MM, bottom
        bottom = sheet[-1][0] + sheet[-1][1] + GAP_MM
        if bottom + height <= stock[1] - EDGE_MM:
            sheet.append((bottom, height, EDGE_MM + width))
            return number, EDGE_MM, bottom
    rows.append([(EDGE_MM, height, EDGE_MM + width)])
    return len(rows) - 1, EDGE_MM, EDGE_MM


# -- files ----------------------------------------------------------------------------------------


def clean_files(
    g: Geometry, drawings: tuple[Drawing, ...], shop: Shop
) -> Iterator[tuple[str, bytes]]:
    """Yield the sheets of a shop as files, and a list of them."""
    name, stock = stock_of(g, drawings, shop.stock)
    laid = nests(g, drawings, stock)
    for nest in laid:
        yield f"{nest.name}.dxf", dxf_sheet(nest.shapes, _by_layer(shop), g.mark)
        yield f"{nest.name}.svg", svg_sheet(nest.shapes, _colours(shop), stock, g.mark)
    lines = [
        f"# Sheets for a laser: {name}, {shop.name}",
        "",
        f"Made by `sorcel hardware --shop {shop.name}`: {g.mark}. Cut each file once, as it is.",
        "Minutes are estimated for 60 W and plywood, from the lengths and areas in the files; no",
        "shop has cut them yet. Order is: areas, lines, cuts.",
        "",
        "| file | wood | plates | minutes |",
        "| --- | --- | --- | --- |",
        *(
            f"| {nest.name} | {nest.thick_mm:g} mm | {', '.join(nest.plates)} "
            f"| {nest.minutes:.0f} |"
            for nest in laid
        ),
        "",
        "| work | colour | DXF layer |",
        "| --- | --- | --- |",
        *(
            f"| {work} | {shop.inks[layer].colour} | {shop.inks[layer].layer} |"
            for layer, work in zip(BURNT, ("area", "line", "cut"), strict=True)
        ),
        "",
    ]
    yield "sheets.md", "\n".join(lines).encode()


def stock_of(
    g: Geometry, drawings: tuple[Drawing, ...], name: str
) -> tuple[str, tuple[float, float]]:
    """Return the sheet of that name, or for plates that are too large the least that takes them."""
    width, height = map(max, zip(*map(_size, drawings), strict=True))
    stock = STOCKS[name]
    if width + 2 * EDGE_MM <= stock[0] and height + 2 * EDGE_MM <= stock[1]:
        return name, stock
    wide, high = (100.0 * -(-(each + 2 * EDGE_MM) // 100) for each in (width, height))
    return f"{wide:g}x{high:g}", (wide, high)


def _by_layer(shop: Shop) -> dict[Layer, tuple[str, int]]:
    return {layer: (ink.layer, ink.number) for layer, ink in shop.inks.items()}


def _colours(shop: Shop) -> dict[Layer, str]:
    return {layer: ink.colour for layer, ink in shop.inks.items()}
