"""A paper template at 1:1 as PDF: the top and the bores below it, over as many sheets as it takes.

Sheets meet at thin lines, on which crosses with the same letters lie on each other; every sheet has
a ruler of 100 mm, because printers like to scale.  The same template gives the same bytes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from math import ceil
from typing import NamedTuple

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from ..errors import quote
from .geometry import Geometry, Point
from .measures import GeometryError
from .plates import plates
from .shapes import Circle, Dot, Layer, Note, Path, Shape, bounds, flattened

SHEETS = {
    "A5": (148.0, 210.0),
    "A4": (210.0, 297.0),
    "A3": (297.0, 420.0),
    "A2": (420.0, 594.0),
    "A1": (594.0, 841.0),
    "Letter": (215.9, 279.4),
    "Legal": (215.9, 355.6),
    "Tabloid": (279.4, 431.8),
}
RULER_MM = 100.0
EDGE_MM = 12.0
"""What printers leave white, and the little that is drawn beyond the meeting lines."""
_BLEED_MM = 4.0
_FOOT_MM = 22.0
_LEAST_MM = 40.0
"""A tile less wide or high is nothing to cut and glue."""


class Sheet(NamedTuple):
    """A sheet of paper, upright."""

    name: str
    width_mm: float
    height_mm: float


def sheet_of(text: str) -> Sheet:
    """Return the sheet called `text`, such as `A4` or `300x400` (in mm).

    Raises `GeometryError` for a name that is not known and for one too small to print on.
    """
    known = {name.lower(): name for name in SHEETS}
    if text.lower() in known:
        name = known[text.lower()]
        return Sheet(name, *SHEETS[name])
    width, height = size_of(text, f"a sheet: one of {', '.join(SHEETS)}, or")
    return _checked(Sheet(text.lower(), width, height))


def size_of(text: str, what: str) -> tuple[float, float]:
    """Return the two lengths of a text such as `600x400`; `what` says what it should have been."""
    first, _, second = text.lower().partition("x")
    try:
        width, height = float(first), float(second)
    except ValueError:
        width = height = 0.0
    if not (0 < width < 1e5 and 0 < height < 1e5):
        raise GeometryError(f"{quote(text)}: expected {what} width x height in mm such as 600x400")
    return width, height


def _checked(sheet: Sheet) -> Sheet:
    least = RULER_MM + 2 * EDGE_MM, _LEAST_MM + 2 * EDGE_MM + _FOOT_MM
    if sheet.width_mm < least[0] or sheet.height_mm < least[1]:
        raise GeometryError(
            f"a sheet of {quote(sheet.name)} is too small: the ruler and the edges need "
            f"{least[0]:g} x {least[1]:g} mm"
        )
    return sheet


@dataclass(frozen=True, slots=True)
class Tiling:
    """How the drawing is laid over sheets: columns and rows of tiles, and the size of one."""

    sheet: Sheet
    left: float
    bottom: float
    columns: int
    rows: int
    width: float
    height: float

    def corner(self, column: int, row: int) -> Point:
        """Return the lower left corner of a tile; row 0 is the upper one."""
        return (
            self.left + column * self.width,
            self.bottom + (self.rows - 1 - row) * self.height,
        )


def tiling(g: Geometry, sheet: Sheet) -> Tiling:
    """Return the tiling with the fewest sheets, upright before lying."""
    ways = [_tiling(g, sheet)]
    if sheet.width_mm != sheet.height_mm:
        ways.append(_tiling(g, Sheet(sheet.name, sheet.height_mm, sheet.width_mm)))
    return min(ways, key=lambda way: way.columns * way.rows)


def _tiling(g: Geometry, sheet: Sheet) -> Tiling:
    wide, high = (length + 4.0 for length in g.plate_mm)
    width = sheet.width_mm - 2 * EDGE_MM
    height = sheet.height_mm - 2 * EDGE_MM - _FOOT_MM
    columns, rows = ceil(wide / width), ceil(high / height)
    # The drawing lies in the middle of all tiles.
    return Tiling(sheet, -columns * width / 2, -rows * height / 2, columns, rows, width, height)


def template(g: Geometry, sheet: Sheet) -> bytes:
    """Return the PDF."""
    laid = tiling(g, sheet)
    stream = BytesIO()
    canvas = Canvas(
        stream,
        pagesize=(laid.sheet.width_mm * mm, laid.sheet.height_mm * mm),
        pageCompression=0,
        invariant=1,
    )
    canvas.setTitle(f"Sorcel: template of the board {g.board.name}, pitch {g.pitch_mm:g} mm")
    canvas.setAuthor("")
    canvas.setCreator("sorcel hardware")
    shapes = tuple(_shapes(g))
    for row in range(laid.rows):
        for column in range(laid.columns):
            _page(canvas, g, laid, column, row, shapes)
            canvas.showPage()
    canvas.save()
    return stream.getvalue()


def _shapes(g: Geometry) -> Iterator[Shape]:
    """Yield what is drawn: the top, and dashed the bores and pockets below it."""
    top = plates(g, tuple(range(g.board.grid.n)))[0]
    for shape in top.shapes:
        if not isinstance(shape, Note):
            yield shape
    for hole in g.holes("carrier"):
        if hole.use in ("reed", "pixel"):
            yield Circle(Layer.BELOW, hole.centre, hole.radius)


# -- a page ---------------------------------------------------------------------------------------


def _page(
    canvas: Canvas, g: Geometry, laid: Tiling, column: int, row: int, shapes: tuple[Shape, ...]
) -> None:
    left, bottom = laid.corner(column, row)
    x, y = EDGE_MM, EDGE_MM + _FOOT_MM
    window = (
        left - _BLEED_MM,
        bottom - _BLEED_MM,
        left + laid.width + _BLEED_MM,
        bottom + laid.height + _BLEED_MM,
    )
    canvas.saveState()
    clip = canvas.beginPath()
    clip.rect(
        (x - _BLEED_MM) * mm,
        (y - _BLEED_MM) * mm,
        (laid.width + 2 * _BLEED_MM) * mm,
        (laid.height + 2 * _BLEED_MM) * mm,
    )
    canvas.clipPath(clip, stroke=0, fill=0)
    for shape in shapes:
        if _touches(bounds((shape,)) if not isinstance(shape, Dot) else _spot(shape), window):
            _draw(canvas, shape, x - left, y - bottom)
    canvas.restoreState()
    _joints(canvas, laid, column, row)
    _foot(canvas, g, laid, column, row)


def _spot(dot: Dot) -> tuple[float, float, float, float]:
    (x, y), arm = dot.centre, 3.0
    return x - arm, y - arm, x + arm, y + arm


def _touches(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> bool:
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def _draw(canvas: Canvas, shape: Shape, dx: float, dy: float) -> None:
    """Draw a shape, moved by dx and dy mm."""
    engraved = shape.layer in (Layer.ENGRAVE, Layer.FILL)
    canvas.setLineWidth(0.15 * mm if engraved else 0.25 * mm)
    canvas.setStrokeGray(0.45 if engraved else 0.0)
    canvas.setDash(*((2, 2) if shape.layer is Layer.BELOW else ()))
    if isinstance(shape, Circle):
        (x, y), r = shape.centre, shape.radius
        canvas.circle((x + dx) * mm, (y + dy) * mm, r * mm)
    elif isinstance(shape, Dot):
        x, y = shape.centre[0] + dx, shape.centre[1] + dy
        _cross(canvas, x, y, 3.0)
    elif isinstance(shape, Path):
        points = flattened(shape)
        path = canvas.beginPath()
        path.moveTo((points[0][0] + dx) * mm, (points[0][1] + dy) * mm)
        for px, py in points[1:]:
            path.lineTo((px + dx) * mm, (py + dy) * mm)
        if shape.closed:
            path.close()
        canvas.drawPath(path)


def _cross(canvas: Canvas, x: float, y: float, arm: float) -> None:
    canvas.line((x - arm) * mm, y * mm, (x + arm) * mm, y * mm)
    canvas.line(x * mm, (y - arm) * mm, x * mm, (y + arm) * mm)


def _joints(canvas: Canvas, laid: Tiling, column: int, row: int) -> None:
    """Draw the lines at which this sheet meets others, each with two crosses and a letter."""
    canvas.setDash(1, 3)
    canvas.setStrokeGray(0.3)
    canvas.setLineWidth(0.15 * mm)
    left, low = EDGE_MM, EDGE_MM + _FOOT_MM
    right, high = left + laid.width, low + laid.height
    upright = [(x, k) for x, k in ((left, column), (right, column + 1)) if 0 < k < laid.columns]
    level = [(y, k) for y, k in ((high, row), (low, row + 1)) if 0 < k < laid.rows]
    for x, k in upright:
        canvas.line(x * mm, (low - _BLEED_MM) * mm, x * mm, (high + _BLEED_MM) * mm)
        letter = _letter((k - 1) * laid.rows + row)
        for part in (0.2, 0.8):
            _mark(canvas, x, low + part * laid.height, letter)
    for y, k in level:
        canvas.line((left - _BLEED_MM) * mm, y * mm, (right + _BLEED_MM) * mm, y * mm)
        letter = _letter(laid.rows * (laid.columns - 1) + (k - 1) * laid.columns + column)
        for part in (0.2, 0.8):
            _mark(canvas, left + part * laid.width, y, letter)


def _letter(number: int) -> str:
    """Return A to Z, then AA and so on.

    >>> _letter(0), _letter(25), _letter(26)
    ('A', 'Z', 'AA')
    """
    before, last = divmod(number, 26)
    return (_letter(before - 1) if before else "") + chr(65 + last)


def _mark(canvas: Canvas, x: float, y: float, letter: str) -> None:
    canvas.saveState()
    canvas.setDash()
    canvas.setStrokeGray(0)
    canvas.setLineWidth(0.2 * mm)
    _cross(canvas, x, y, _BLEED_MM)
    canvas.circle(x * mm, y * mm, 2 * mm)
    canvas.setFont("Helvetica-Bold", 9)
    canvas.drawString((x + 2.2) * mm, (y + 1.2) * mm, letter)
    canvas.drawRightString((x - 2.2) * mm, (y - 3.4) * mm, letter)
    canvas.restoreState()


def _foot(canvas: Canvas, g: Geometry, laid: Tiling, column: int, row: int) -> None:
    """Draw the ruler, and what has to be known."""
    canvas.setDash()
    canvas.setStrokeGray(0)
    canvas.setLineWidth(0.25 * mm)
    x, y = EDGE_MM, EDGE_MM + 8
    canvas.line(x * mm, y * mm, (x + RULER_MM) * mm, y * mm)
    for k in range(11):
        high = 3.0 if k % 5 == 0 else 1.8
        at = x + k * RULER_MM / 10
        canvas.line(at * mm, y * mm, at * mm, (y + high) * mm)
    canvas.setFont("Helvetica", 8)
    canvas.drawString(x * mm, (y + 4) * mm, "0")
    canvas.drawRightString((x + RULER_MM) * mm, (y + 4) * mm, "100 mm")
    number, last = row * laid.columns + column + 1, laid.rows * laid.columns
    lines = (
        f"Board {g.board.name}, pitch {g.pitch_mm:g} mm. Sheet {number} of {last}: row {row + 1}, "
        f"column {column + 1}. {g.mark[0].upper()}{g.mark[1:]}.",
        "Print at 100 %, then measure the ruler. Cut at dotted lines, lay crosses of the same "
        "letter on each other.",
        "Black: cut through the top. Grey: hexes. Dashed: bores for reeds and pockets for pixels "
        "below.",
    )
    for k, words in enumerate(lines):
        canvas.drawString(x * mm, (y - 3.2 - 3.4 * k) * mm, words)
