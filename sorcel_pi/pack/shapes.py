"""Drawings as values: circles, paths and notes on layers, in mm, x to the right and y up.

What a layer asks of a laser or a router is said once, in `LAYERS`.  A path may have arcs, written
as in DXF: the bulge of a vertex is the tangent of a quarter of the angle of the arc that begins
there, counter-clockwise if positive.  No file format is known here.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from math import atan, atan2, ceil, cos, hypot, pi, sin
from typing import NamedTuple

from .geometry import Point

Vertex = tuple[float, float, float]
"""x, y and the bulge of what leads to the next vertex."""


class Layer(StrEnum):
    """What is done with a shape."""

    CUT = "CUT"
    ENGRAVE = "ENGRAVE"
    FILL = "FILL"
    BELOW = "BELOW"
    NOTES = "NOTES"


class LayerStyle(NamedTuple):
    """A layer's colour by number in DXF and as SVG writes it, and what it asks for."""

    number: int
    colour: str
    words: str


LAYERS = {
    Layer.CUT: LayerStyle(1, "#ff0000", "cut through"),
    Layer.ENGRAVE: LayerStyle(5, "#0000ff", "engrave the line"),
    Layer.FILL: LayerStyle(3, "#000000", "engrave the whole area"),
    Layer.BELOW: LayerStyle(4, "#00a0c0", "do nothing: what is in the plates below"),
    Layer.NOTES: LayerStyle(8, "#808080", "do nothing: centres and words for people"),
}


class Circle(NamedTuple):
    """A circle."""

    layer: Layer
    centre: Point
    radius: float


class Path(NamedTuple):
    """Straight lines and arcs from vertex to vertex."""

    layer: Layer
    vertices: tuple[Vertex, ...]
    closed: bool = False


class Dot(NamedTuple):
    """The middle of something."""

    layer: Layer
    centre: Point


class Note(NamedTuple):
    """Words for people, of letters `size` mm high, that begin at a place."""

    layer: Layer
    at: Point
    size: float
    words: str


Shape = Circle | Path | Dot | Note


@dataclass(frozen=True, slots=True)
class Drawing:
    """A sheet: a file's name without ending, a title, shapes, and what has to be known about it."""

    name: str
    title: str
    shapes: tuple[Shape, ...]
    remarks: tuple[str, ...] = ()

    def layers(self) -> tuple[Layer, ...]:
        """Return the layers on which there is something, in the order of `Layer`."""
        used = {shape.layer for shape in self.shapes}
        return tuple(layer for layer in Layer if layer in used)


def polygon(layer: Layer, points: Iterable[Point], *, closed: bool = True) -> Path:
    """Return a path of straight lines."""
    return Path(layer, tuple((x, y, 0.0) for x, y in points), closed)


def rectangle(layer: Layer, left: float, bottom: float, width: float, height: float) -> Path:
    """Return a rectangle."""
    right, top = left + width, bottom + height
    return polygon(layer, ((left, bottom), (right, bottom), (right, top), (left, top)))


def moved(shape: Shape, dx: float, dy: float) -> Shape:
    """Return `shape`, moved."""
    if isinstance(shape, Path):
        return shape._replace(vertices=tuple((x + dx, y + dy, b) for x, y, b in shape.vertices))
    if isinstance(shape, Note):
        return shape._replace(at=(shape.at[0] + dx, shape.at[1] + dy))
    return shape._replace(centre=(shape.centre[0] + dx, shape.centre[1] + dy))


def mirrored(shape: Shape) -> Shape:
    """Return `shape` as seen from the other side: x turned round."""
    if isinstance(shape, Path):
        return shape._replace(vertices=tuple((-x, y, -b) for x, y, b in shape.vertices))
    if isinstance(shape, Note):
        return shape._replace(at=(-shape.at[0], shape.at[1]))
    return shape._replace(centre=(-shape.centre[0], shape.centre[1]))


def flattened(path: Path, step: float = pi / 36) -> tuple[Point, ...]:
    """Return the points of a path whose arcs have become chords of at most the angle `step`.

    >>> path = Path(Layer.CUT, ((1, 0, 1.0), (-1, 0, 0.0)))
    >>> [(round(x, 3), round(y, 3)) for x, y in flattened(path, pi / 2)]
    [(1, 0), (0.0, 1.0), (-1, 0)]
    """
    ends = path.vertices[1:] + (path.vertices[:1] if path.closed else ())
    points: list[Point] = [path.vertices[0][:2]]
    for (x, y, bulge), (x2, y2, _) in zip(path.vertices, ends, strict=False):
        points.extend(_arc((x, y), (x2, y2), bulge, step) if bulge else ())
        points.append((x2, y2))
    return tuple(points)


def _arc(start: Point, end: Point, bulge: float, step: float) -> Iterator[Point]:
    """Yield the points between the ends of an arc."""
    middle, radius = arc_of(start, end, bulge)
    angle = 4 * atan(bulge)
    first = atan2(start[1] - middle[1], start[0] - middle[0])
    count = ceil(abs(angle) / step - 1e-9)
    for k in range(1, count):
        turn = first + angle * k / count
        yield middle[0] + radius * cos(turn), middle[1] + radius * sin(turn)


def arc_of(start: Point, end: Point, bulge: float) -> tuple[Point, float]:
    """Return the middle and the radius of an arc."""
    (x, y), (x2, y2) = start, end
    chord = hypot(x2 - x, y2 - y)
    radius = chord * (1 + bulge * bulge) / (4 * abs(bulge))
    # From the middle of the chord, to the left of the way by:
    off = (1 - bulge * bulge) / (4 * bulge)
    return ((x + x2) / 2 - (y2 - y) * off, (y + y2) / 2 + (x2 - x) * off), radius


def bounds(shapes: Iterable[Shape]) -> tuple[float, float, float, float]:
    """Return the least and greatest x and y: (left, bottom, right, top); words do not count."""
    xs: list[float] = []
    ys: list[float] = []
    for shape in shapes:
        if isinstance(shape, Path):
            points = flattened(shape)
            xs += [x for x, _ in points]
            ys += [y for _, y in points]
        elif isinstance(shape, Circle):
            (x, y), r = shape.centre, shape.radius
            xs += [x - r, x + r]
            ys += [y - r, y + r]
    return min(xs), min(ys), max(xs), max(ys)


def with_remarks(drawing: Drawing) -> Drawing:
    """Return the drawing with title, remarks and what its layers ask for written below it."""
    left, bottom, _, _ = bounds(drawing.shapes)
    lines = [f"{drawing.title}. 1:1, all in mm.", *drawing.remarks]
    lines += [f"{layer}: {LAYERS[layer].words}" for layer in drawing.layers()]
    size = 4.0
    notes = (
        Note(Layer.NOTES, (left, bottom - 8 - k * 1.7 * size), size, words)
        for k, words in enumerate(lines)
    )
    return replace(drawing, shapes=(*drawing.shapes, *notes))
