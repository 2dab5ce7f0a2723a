"""The underside of the board as pictures: the way of each wire from space to space.

Everything here is seen from below, with Light's seat below, so east is left: what is soldered is
seen like this.  Each picture says so.
"""

from collections.abc import Iterator
from itertools import pairwise
from math import dist

from . import svg
from .builds import Build
from .cables import bus, feeds
from .geometry import Geometry, Point
from .wiring import CHAINS, terminal

COLOURS = (
    "#b3261e", "#c66900", "#8a7a00", "#2e7d32", "#00796b", "#1565c0", "#6a1b9a", "#ad1457",
    "#5d4037", "#455a64", "#000000", "#7cb342",
)  # fmt: skip
"""Of rows and columns, in turn; each wire carries its number too."""
_DATA = {"n": "#2e7d32", "s": "#1565c0"}
"""The colours of the two chains."""
_NAMES = {"n": "northern", "s": "southern"}
_HEX, _HOLE, _SHADE = "#d8cbb6", "#efe6d6", "#8c8070"
_HEAD_MM, _LEAST_MM = 34.0, 200.0
_NEAR_MM = 7.0
"""A wire that passes the middle of a space so closely would be taken to go there."""
_MARGIN_MM = 8.0


class _Under:
    """The picture's own coordinates: mirrored, y down, from the upper left corner."""

    def __init__(self, g: Geometry) -> None:
        self.g = g
        board = 2 * ((g.board.grid.side - 1) * g.pitch_mm + g.corner_mm + _MARGIN_MM)
        self.width = max(board, _LEAST_MM)
        self.height = 2 * (g.field_mm + _MARGIN_MM) + _HEAD_MM

    def at(self, place: Point) -> Point:
        """Return where a place of the board, seen from above, is in the picture."""
        middle = self.height / 2 + _HEAD_MM / 2
        return self.width / 2 - place[0], middle - place[1]

    def background(self, title: str, *hints: str) -> Iterator[str]:
        """Yield title, spaces, and where the seats are."""
        at = (self.width - _MARGIN_MM, self.height - 2.5)
        yield svg.words(self.g.mark, at, 3.2, anchor="end", ink=_SHADE)
        yield svg.words("SEEN FROM BELOW: east is left", (_MARGIN_MM, 10), 6.0, bold=True)
        yield svg.words(title, (_MARGIN_MM, 17.5), 5.0, bold=True)
        for k, hint in enumerate(hints):
            yield svg.words(hint, (_MARGIN_MM, 24 + 5.5 * k), 4.2)
        for space in self.g.whole.spaces:
            points = [self.at(corner) for corner in self.g.hexagon(space)]
            fill = _HOLE if self.g.is_hole(space) else svg.PAPER
            yield svg.area(points, fill, _HEX, 0.5)
        for name, x, y in (("Dark's seat", 0.0, 1.0), ("Light's seat", 0.0, -1.0)):
            place = self.at((x, y * (self.g.field_mm + 1)))
            down = place[1] + (4.5 if y < 0 else -1)
            yield svg.words(name, (place[0], down), 5.0, anchor="middle", ink=_SHADE)


def light_map(g: Geometry, build: Build, chain: str) -> str:
    """Return a chain of lights, with the number of each and where power comes in."""
    under, side = _Under(g), CHAINS.index(chain)
    title = f"Lights, {_NAMES[chain]} chain: {build.title}"
    parts = list(
        under.background(
            title,
            "The data wire goes from light 0 on as the arrows show.",
            "A square is a feed of 5 V and ground; both also go along the chain.",
        )
    )
    places = [under.at(g.lights[space][side]) for space in build.chain()]
    for a, b in pairwise(places):
        parts += _arrow(a, b, _DATA[chain])
    for number, place in enumerate(places):
        parts += _numbered(place, number, _DATA[chain], fed=number in feeds(build))
    for space in build.chain():
        x, y = under.at(g.centres[space])
        name = svg.words(g.name(space), (x, y + 1.7), 5.0, anchor="middle", ink=_SHADE, halo=True)
        parts.append(name)
    return svg.document(under.width, under.height, f"{title}, from below", parts)


def _numbered(place: Point, number: int, colour: str, *, fed: bool) -> Iterator[str]:
    """Yield a pixel with its number, in a square where power comes in."""
    x, y = place
    if fed:
        square = [(x - 5, y - 5), (x + 5, y - 5), (x + 5, y + 5), (x - 5, y + 5)]
        yield svg.area(square, "#f2b8b5", "#b3261e", 0.6)
    yield svg.disc(place, 4.2, svg.PAPER, colour, 0.6)
    yield svg.words(str(number), (x, y + 1.6), 4.4, anchor="middle", bold=True)


def _arrow(a: Point, b: Point, colour: str) -> Iterator[str]:
    """Yield a wire from a to b with a head in its middle."""
    yield svg.line((a, b), colour, 0.9)
    long = dist(a, b)
    ux, uy = (b[0] - a[0]) / long, (b[1] - a[1]) / long
    x, y = (a[0] + b[0]) / 2 + 2 * ux, (a[1] + b[1]) / 2 + 2 * uy
    wings = [(x - 4 * ux - side * 2 * uy, y - 4 * uy + side * 2 * ux) for side in (-1, 1)]
    yield svg.area([(x, y), *wings], colour)


def row_map(g: Geometry, build: Build) -> str:
    """Return the wires of the rows, which join the bands of diodes."""
    rows = [(k, build.rows[k], build.spaces_in_row(k)) for k in build.used_rows]
    hint = "Each wire joins the diodes of a row, on the side of their bands."
    return _bus_map(g, f"Rows: {build.title}", hint, rows)


def column_map(g: Geometry, build: Build) -> str:
    """Return the wires of the columns, which join the reeds."""
    columns = [(k, build.columns[k], build.spaces_in_column(k)) for k in build.used_columns]
    hint = "Each wire joins the reeds of a column, at the thin wires from their upper ends."
    return _bus_map(g, f"Columns: {build.title}", hint, columns)


def _bus_map(
    g: Geometry,
    title: str,
    hint: str,
    buses: list[tuple[int, tuple[str, int], tuple[int, ...]]],
) -> str:
    under = _Under(g)
    lead = "The lead to the pin begins at the filled disc."
    parts = list(under.background(title, hint, lead))
    nodes: list[str] = []
    for number, pin, spaces in buses:
        colour = COLOURS[number % len(COLOURS)]
        way = bus(g, spaces)
        parts += [_hop(under, a, b, colour) for a, b in pairwise(way)]
        label = terminal(pin).pin
        for space in way:
            nodes += _node(under, space, number, colour, label if space == way[0] else "")
    return svg.document(under.width, under.height, title, [*parts, *nodes])


def _node(under: _Under, space: int, number: int, colour: str, label: str) -> Iterator[str]:
    """Yield a space of a bus with its number; the first one has a label, and is filled."""
    x, y = under.at(under.g.centres[space])
    fill, ink = (colour, svg.PAPER) if label else (svg.PAPER, colour)
    name = under.g.name(space)
    yield svg.words(name, (x, y + 11), 4.8, anchor="middle", ink=_SHADE, halo=True)
    yield svg.words(label, (x, y - 7.5), 4.0, anchor="middle", ink=colour, halo=True)
    yield svg.disc((x, y), 5.4, fill, colour, 0.9)
    yield svg.words(str(number), (x, y + 2), 5.6, anchor="middle", bold=True, ink=ink)


def _hop(under: _Under, a: int, b: int, colour: str) -> str:
    """Return the wire from space to space: straight, or in a bow around spaces on its way."""
    g = under.g
    (x, y), (x2, y2) = under.at(g.centres[a]), under.at(g.centres[b])
    long = dist((x, y), (x2, y2))
    ux, uy = (x2 - x) / long, (y2 - y) / long

    def is_in_the_way(space: int) -> bool:
        px, py = under.at(g.centres[space])
        along = (px - x) * ux + (py - y) * uy
        beside = abs((px - x) * uy - (py - y) * ux)
        return space not in (a, b) and 0 < along < long and beside < _NEAR_MM

    if not any(is_in_the_way(space) for space in g.whole.spaces):
        return svg.line([(x, y), (x2, y2)], colour, 1.1)
    return svg.bow((x, y), (x2, y2), g.pitch_mm * 0.36, colour, 1.1)
