"""The pieces as files: STL and 3MF to print, OpenSCAD source to change, a 1:1 picture to turn by.

All come from the same outline.  The mesh is closed: every edge belongs to two triangles.
"""

from collections.abc import Iterator
from html import escape
from io import BytesIO
from itertools import chain, pairwise
from math import cos, pi, sin, sqrt
from struct import pack
from zipfile import ZipFile, ZipInfo

from . import svg
from .pieces import NOTCHES, SEGMENTS, Outline, Solid

Vector = tuple[float, float, float]
Triangle = tuple[Vector, Vector, Vector]


def triangles(solid: Solid) -> tuple[Triangle, ...]:
    """Return the surface, each triangle counter-clockwise as seen from outside."""
    rings = [_ring(solid, radius, height) for radius, height in solid.outline]
    found = []
    for lower, upper in pairwise(rings):
        for k in range(SEGMENTS):
            a, b = lower[k], lower[(k + 1) % SEGMENTS]
            c, d = upper[(k + 1) % SEGMENTS], upper[k]
            # Where a ring is a point on the axis, or two meet at a notch, there is less to cover.
            found += [each for each in ((a, b, c), (a, c, d)) if len(set(each)) == 3]
    return tuple(found)


def _ring(solid: Solid, radius: float, height: float) -> list[Vector]:
    ring = []
    for k in range(SEGMENTS):
        turn = 2 * pi * k / SEGMENTS
        r = solid.radius_at(radius, height, turn)
        ring.append((round(r * cos(turn), 4) + 0.0, round(r * sin(turn), 4) + 0.0, height))
    return ring


def stl(solid: Solid, mark: str) -> bytes:
    """Return a binary STL file, in mm."""
    surface = triangles(solid)
    head = f"Sorcel {solid.name}, mm, {mark}".encode()[:80].ljust(80)
    body = (pack("<12fH", *_normal(*each), *each[0], *each[1], *each[2], 0) for each in surface)
    return head + pack("<I", len(surface)) + b"".join(body)


def _normal(a: Vector, b: Vector, c: Vector) -> Vector:
    (ux, uy, uz), (vx, vy, vz) = _minus(b, a), _minus(c, a)
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    long = sqrt(x * x + y * y + z * z)
    return x / long, y / long, z / long


def _minus(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def threemf(solids: tuple[Solid, ...], mark: str) -> bytes:
    """Return a 3MF file, in mm, with all pieces side by side; the same bytes each time."""
    objects, items = [], []
    for number, solid in enumerate(solids, 1):
        surface = triangles(solid)
        places = {vertex: k for k, vertex in enumerate(dict.fromkeys(chain(*surface)))}
        vertices = "".join(
            f'<vertex x="{svg.n(x)}" y="{svg.n(y)}" z="{svg.n(z)}"/>' for x, y, z in places
        )
        sides = "".join(
            f'<triangle v1="{places[a]}" v2="{places[b]}" v3="{places[c]}"/>' for a, b, c in surface
        )
        objects.append(
            f'<object id="{number}" type="model" name="{solid.name}"><mesh><vertices>{vertices}'
            f"</vertices><triangles>{sides}</triangles></mesh></object>"
        )
        away = svg.n((number - 1) * 1.5 * solid.base_mm)
        items.append(f'<item objectid="{number}" transform="1 0 0 0 1 0 0 0 1 {away} 0 0"/>')
    model = (
        f'{_XML}<model unit="millimeter" xml:lang="en-US" xmlns="{_CORE}">'
        f'<metadata name="Title">Pieces of Sorcel, {escape(mark)}</metadata>'
        f"<resources>{''.join(objects)}</resources><build>{''.join(items)}</build></model>"
    )
    return _zipped({**_PARTS_3MF, "3D/3dmodel.model": model})


_XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
# Names of formats, as its standard (ECMA-376 and the 3MF core specification) wants them.
_CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_PARTS_3MF = {
    "[Content_Types].xml": f'{_XML}<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="model" '
    'ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>',
    "_rels/.rels": f'{_XML}<Relationships xmlns="{_PACKAGE}/relationships">'
    '<Relationship Target="/3D/3dmodel.model" Id="rel0" '
    'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>',
}


def _zipped(files: dict[str, str]) -> bytes:
    """Return files in a ZIP archive without dates, and stored, so that no library changes it."""
    stream = BytesIO()
    with ZipFile(stream, "w") as archive:
        for name, text in files.items():
            archive.writestr(ZipInfo(name), text)
    return stream.getvalue()


def scad(solid: Solid, magnet_mm: tuple[float, float], clearance_mm: float, mark: str) -> str:
    """Return OpenSCAD source: the outline turned, less notches and the magnet's pocket."""
    # The pocket is cut out of the whole, so that its measures are in one place.
    outside = [(0.0, 0.0), *solid.outline[5:]]
    points = ",\n".join(f"    [{svg.n(r)}, {svg.n(z)}]" for r, z in outside)
    lines = [
        f"// A {solid.name.capitalize()} of Sorcel, in mm; printed as it stands.",
        "// Made by the command `sorcel hardware`; the STL beside it is the same piece.",
        f"// {mark}",
        "",
        f"magnet_across = {svg.n(magnet_mm[0])};",
        f"magnet_high = {svg.n(magnet_mm[1])};",
        f"clearance = {svg.n(clearance_mm)};  // the pocket is so much wider and deeper",
        f"$fn = {SEGMENTS};",
        "",
        "outline = [  // radius, height",
        f"{points}",
        "];",
        "",
        "difference() {",
        "    rotate_extrude() polygon(outline);",
    ]
    if solid.notch_mm:
        away, start = svg.n(solid.notch_away_mm), svg.n(solid.notch_from_mm)
        lines += [
            f"    for (k = [0:{NOTCHES - 1}])  // the crown",
            f"        rotate(k * 360 / {NOTCHES})",
            f"            translate([{away}, 0, {start}])",
            f"                cylinder(r = {svg.n(solid.notch_mm)}, h = {svg.n(solid.height_mm)});",
        ]
    lines += [
        "    translate([0, 0, -1])  // the magnet's pocket, open below",
        "        cylinder(d = magnet_across + clearance, h = magnet_high + clearance + 1);",
        "    translate([0, 0, -1])  // the ring of brass around it",
        f"        cylinder(d = {svg.n(solid.ring_across_mm)}, "
        f"h = {svg.n(solid.ring_deep_mm)} + 1);",
        "}",
        "",
    ]
    return "\n".join(lines)


# -- the picture ----------------------------------------------------------------------------------

_GAP_MM, _MARGIN_MM, _NOTE_MM = 38.0, 6.0, 3.2


def turning_picture(solids: tuple[Solid, ...], mark: str) -> str:
    """Return both pieces at 1:1, cut in half, with the measures that matter."""
    tallest = max(solid.height_mm for solid in solids)
    step = solids[0].base_mm + _GAP_MM
    width, height = 2 * _MARGIN_MM + step * len(solids), tallest + 2 * _MARGIN_MM + 8
    ground = _MARGIN_MM + tallest + 4
    parts: list[str] = []
    for k, solid in enumerate(solids):
        middle = _MARGIN_MM + solid.base_mm / 2 + 4 + k * step
        parts += _cut_piece(solid, middle, ground)
    parts.append(svg.words(mark, (_MARGIN_MM, height - 1.5), 2.4))
    return svg.document(width, height, "Pieces at 1:1, cut in half", parts)


def _cut_piece(solid: Solid, middle: float, ground: float) -> Iterator[str]:
    def place(points: Outline, side: int) -> list[tuple[float, float]]:
        return [(middle + side * radius, ground - height) for radius, height in points]

    half = place(solid.outline, 1)
    yield svg.area([*half, *reversed(place(solid.outline, -1))], "#e6c48f", svg.INK, 0.25)
    axis = [(middle, ground + 2), (middle, ground - solid.height_mm - 2)]
    yield svg.line(axis, svg.INK, 0.1, dash="2 1")
    lines = [
        solid.name.capitalize(),
        f"height {solid.height_mm:.1f}",
        f"base ⌀ {solid.base_mm:.1f}",
        f"pocket ⌀ {solid.pocket_across_mm:.1f}",
        f"pocket {solid.pocket_deep_mm:.1f} deep",
        f"ring ⌀ {solid.ring_across_mm:.1f}, {solid.ring_deep_mm:.1f} deep",
    ]
    if solid.notch_mm:
        lines += [f"{NOTCHES} notches", f"from {solid.notch_from_mm:.1f} up"]
    for k, words in enumerate(lines):
        at = middle + solid.base_mm / 2 + 2, ground - (len(lines) - 1 - k) * 4.2
        yield svg.words(words, at, _NOTE_MM, bold=k == 0)
