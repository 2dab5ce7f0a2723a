"""SVG text, in mm: a drawing at 1:1, and the little that pictures need besides.

It refers to nothing outside itself, and is the same for the same value.
"""

from collections.abc import Iterable, Mapping
from html import escape
from math import hypot

from .geometry import Point
from .shapes import LAYERS, Circle, Dot, Drawing, Layer, Note, Path, Shape, arc_of, bounds

FONT = "Arial, Liberation Sans, DejaVu Sans, sans-serif"
INK, PAPER = "#2b2118", "#ffffff"
_LINE_MM = 0.2
_HAIRLINE_MM = 0.05
_MARGIN_MM = 5.0


def n(number: float) -> str:
    """Return a number with at most four decimals, never `-0`."""
    return f"{round(number, 4) + 0.0:.4f}".rstrip("0").rstrip(".")


def document(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """Return a file of `width` x `height` mm, of which the inside measures as many units."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{n(width)}mm" height="{n(height)}mm" '
            f'viewBox="0 0 {n(width)} {n(height)}" font-family="{FONT}">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{n(width)}" height="{n(height)}" fill="{PAPER}"/>',
            *parts,
            "</svg>",
            "",
        ]
    )


def words(
    text: str,
    at: Point,
    size: float,
    *,
    anchor: str = "start",
    bold: bool = False,
    ink: str = INK,
    halo: bool = False,
) -> str:
    """Return a line of text."""
    weight = ' font-weight="bold"' if bold else ""
    turned = "" if anchor == "start" else f' text-anchor="{anchor}"'
    begin = f'<text x="{n(at[0])}" y="{n(at[1])}" font-size="{n(size)}"{weight}{turned} '
    end = f">{escape(text)}</text>"
    under = f'{begin}fill="{PAPER}" stroke="{PAPER}" stroke-width="{n(size / 3)}"{end}'
    return f'{under if halo else ""}{begin}fill="{ink}"{end}'


def line(points: Iterable[Point], colour: str, width: float, *, dash: str = "") -> str:
    """Return straight lines from point to point."""
    path = "M" + "L".join(f"{n(x)} {n(y)}" for x, y in points)
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{n(width)}"{dashed} '
        'stroke-linejoin="round" stroke-linecap="round"/>'
    )


def bow(start: Point, end: Point, away: float, colour: str, width: float) -> str:
    """Return a curve from start to end that is `away` from the straight line in its middle."""
    (x, y), (x2, y2) = start, end
    long = hypot(x2 - x, y2 - y)
    turn_x = (x + x2) / 2 + 2 * away * (y2 - y) / long
    turn_y = (y + y2) / 2 - 2 * away * (x2 - x) / long
    return (
        f'<path d="M{n(x)} {n(y)}Q{n(turn_x)} {n(turn_y)} {n(x2)} {n(y2)}" fill="none" '
        f'stroke="{colour}" stroke-width="{n(width)}"/>'
    )


def area(points: Iterable[Point], fill: str, edge: str = "none", width: float = 0.0) -> str:
    """Return a filled polygon."""
    path = "M" + "L".join(f"{n(x)} {n(y)}" for x, y in points) + "z"
    return f'<path d="{path}" fill="{fill}" stroke="{edge}" stroke-width="{n(width)}"/>'


def disc(at: Point, radius: float, fill: str, edge: str = "none", width: float = 0.0) -> str:
    """Return a filled circle."""
    return (
        f'<circle cx="{n(at[0])}" cy="{n(at[1])}" r="{n(radius)}" fill="{fill}" stroke="{edge}" '
        f'stroke-width="{n(width)}"/>'
    )


# -- drawings -------------------------------------------------------------------------------------


def svg_of(drawing: Drawing) -> bytes:
    """Return a drawing at 1:1, its layers as groups, as programs for lasers read it."""
    left, bottom, right, top = bounds(drawing.shapes)
    notes = [shape for shape in drawing.shapes if isinstance(shape, Note)]
    low = min([bottom, *(note.at[1] - note.size for note in notes)])
    far = max([right, *(note.at[0] + 0.55 * note.size * len(note.words) for note in notes)])
    x, y = left - _MARGIN_MM, top + _MARGIN_MM
    parts = []
    for layer in drawing.layers():
        parts.append(
            f'<g id="{layer}" fill="none" stroke="{LAYERS[layer].colour}" '
            f'stroke-width="{_LINE_MM}">'
        )
        parts += [_shape(shape, x, y) for shape in drawing.shapes if shape.layer is layer]
        parts.append("</g>")
    width, height = far + _MARGIN_MM - x, y - low + _MARGIN_MM
    return document(width, height, f"{drawing.title}. 1:1", parts).encode()


def svg_sheet(
    shapes: Iterable[Shape],
    colours: Mapping[Layer, str],
    size_mm: tuple[float, float],
    mark: str,
) -> bytes:
    """Return a sheet for a laser: shapes alone, hairlines in these colours, areas filled."""
    every = tuple(shapes)
    parts = []
    for layer, colour in colours.items():
        fill = colour if layer is Layer.FILL else "none"
        stroke = "none" if layer is Layer.FILL else colour
        parts.append(
            f'<g id="{layer}" fill="{fill}" stroke="{stroke}" stroke-width="{_HAIRLINE_MM}">'
        )
        parts += [_shape(shape, 0.0, size_mm[1]) for shape in every if shape.layer is layer]
        parts.append("</g>")
    width, height = map(n, size_mm)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
            f'viewBox="0 0 {width} {height}">',
            f"<desc>Sorcel, {escape(mark)}</desc>",
            *parts,
            "</svg>",
            "",
        ]
    ).encode()


def _shape(shape: Shape, left: float, top: float) -> str:
    if isinstance(shape, Path):
        return f'<path d="{_path(shape, left, top)}"/>'
    if isinstance(shape, Note):
        at = (shape.at[0] - left, top - shape.at[1])
        text = words(shape.words, at, shape.size, ink=LAYERS[shape.layer].colour)
        return text.replace("<text ", '<text stroke="none" ')
    x, y = shape.centre[0] - left, top - shape.centre[1]
    if isinstance(shape, Circle):
        return f'<circle cx="{n(x)}" cy="{n(y)}" r="{n(shape.radius)}"/>'
    assert isinstance(shape, Dot)
    return f'<path d="M{n(x - 1)} {n(y)}h2M{n(x)} {n(y - 1)}v2"/>'


def _path(path: Path, left: float, top: float) -> str:
    ends = path.vertices[1:] + (path.vertices[:1] if path.closed else ())
    x, y, _ = path.vertices[0]
    text = [f"M{n(x - left)} {n(top - y)}"]
    for (x, y, bulge), (x2, y2, _) in zip(path.vertices, ends, strict=False):
        end = f"{n(x2 - left)} {n(top - y2)}"
        if bulge:
            radius = n(arc_of((x, y), (x2, y2), bulge)[1])
            # y turns round, so counter-clockwise is what SVG sweeps by 0.
            text.append(f"A{radius} {radius} 0 {int(abs(bulge) > 1)} {int(bulge < 0)} {end}")
        else:
            text.append(f"L{end}")
    return "".join(text) + ("z" if path.closed else "")
