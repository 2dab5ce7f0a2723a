"""The drawings to cut, read by ezdxf's audit, by trimesh, and as XML."""

from functools import cache
from io import BytesIO, StringIO
from math import dist
from typing import Any
from xml.etree import ElementTree

import ezdxf
import pytest
import trimesh
from ezdxf import units

from sorcel_pi.pack.casing import cuts
from sorcel_pi.pack.geometry import Geometry, Hole, Point, corners
from sorcel_pi.pack.shapes import LAYERS, Layer

from . import ALL, PITCH, dxf, geometry, svg

NEAR_MM = 0.01
SVG = "{http://www.w3.org/2000/svg}"
WHOLE = ("top", "floor", "carrier", "back", "frame")
TRIAL = ("trial-top", "trial-floor", "trial-carrier")

Round = tuple[str, Point, float]
"""Layer, centre and radius of a circle."""


@cache
def by_ezdxf(name: str, side: int = 5, pitch: float = PITCH) -> Any:
    return ezdxf.read(StringIO(dxf(name, side, pitch).decode("cp1252")))


def circles(name: str, side: int = 5, pitch: float = PITCH) -> list[Round]:
    """Return the circles that ezdxf finds."""
    found = by_ezdxf(name, side, pitch).modelspace().query("CIRCLE")
    return [(c.dxf.layer, (c.dxf.center.x, c.dxf.center.y), c.dxf.radius) for c in found]


def circles_by_trimesh(name: str, side: int = 5, pitch: float = PITCH) -> list[Round]:
    """Return the circles that trimesh finds."""
    path = trimesh.load_path(BytesIO(dxf(name, side, pitch)), file_type="dxf")
    assert path.units == "millimeters"
    found = []
    for entity in path.entities:
        if type(entity).__name__ == "Arc" and entity.closed:
            arc = entity.center(path.vertices)
            x, y = arc.center[:2]
            found.append((str(entity.layer), (float(x), float(y)), float(arc.radius)))
    return found


def is_there(found: list[Round], layer: str, centre: Point, radius: float) -> bool:
    """Whether exactly one circle of that layer and radius lies within 0.01 mm of `centre`."""
    near = [c for c in found if c[0] == layer and dist(c[1], centre) < NEAR_MM]
    return len([c for c in near if abs(c[2] - radius) < NEAR_MM]) == 1


@pytest.mark.parametrize(("side", "pitch"), ALL)
@pytest.mark.parametrize("name", WHOLE + TRIAL)
def test_a_dxf_passes_the_audit_in_millimetres(name: str, side: int, pitch: float) -> None:
    document = by_ezdxf(name, side, pitch)
    audit = document.audit()
    assert not audit.errors
    assert not audit.fixes
    assert document.units == units.MM
    assert document.header["$MEASUREMENT"] == 1
    used = {entity.dxf.layer for entity in document.modelspace()}
    assert "CUT" in used
    assert used <= set(Layer)
    for layer in used:
        assert document.layers.get(layer).color == LAYERS[Layer(layer)].number


@pytest.mark.parametrize("reader", [circles, circles_by_trimesh])
@pytest.mark.parametrize(("side", "pitch"), ALL)
def test_each_centre_is_where_the_board_says(side: int, pitch: float, reader: Any) -> None:
    g, grid = geometry(side, pitch), geometry(side, pitch).board.grid
    top, floor = reader("top", side, pitch), reader("floor", side, pitch)
    carrier = reader("carrier", side, pitch)
    for space in range(grid.n):
        x, y = grid.centre(space, pitch)
        hole = g.is_hole(space)
        assert is_there(floor, "CUT", (x, y), 2.0) is not hole
        # From below: mirrored.
        assert is_there(carrier, "CUT", (-x, y), 2.0)
        for north in (0.43 * pitch, -0.43 * pitch):
            light = x, y + north
            assert is_there(top, "CUT", light, 2.5) is not hole  # there it is part of the hole
            assert is_there(floor, "CUT", light, 2.5)
            assert is_there(carrier, "CUT", (-light[0], light[1]), 5.2)
    screws = 6
    spaces, holes = grid.n, g.board.detaining.bit_count()
    assert len([c for c in top if c[0] == "CUT"]) == 2 * (spaces - holes) + screws
    assert len([c for c in floor if c[0] == "CUT"]) == 3 * spaces - holes + screws
    assert len([c for c in carrier if c[0] == "CUT"]) == 3 * spaces + screws


@pytest.mark.parametrize(("side", "pitch"), ALL)
def test_centres_are_marked(side: int, pitch: float) -> None:
    grid = geometry(side, pitch).board.grid
    for name, sign in (("top", 1), ("floor", 1), ("carrier", -1)):
        points = by_ezdxf(name, side, pitch).modelspace().query("POINT")
        found = sorted((p.dxf.location.x, p.dxf.location.y) for p in points)
        wanted = sorted((sign * x, y) for x, y in (grid.centre(k, pitch) for k in range(grid.n)))
        assert len(found) == grid.n
        assert all(dist(a, b) < NEAR_MM for a, b in zip(found, wanted, strict=True))


@pytest.mark.parametrize(("side", "pitch"), ALL)
def test_every_side_of_a_hex_is_engraved_once(side: int, pitch: float) -> None:
    g = geometry(side, pitch)
    lines = by_ezdxf("top", side, pitch).modelspace().query('LINE[layer=="ENGRAVE"]')
    ends = {frozenset((_near(p.x), _near(p.y)) for p in (e.dxf.start, e.dxf.end)) for e in lines}
    long = pitch / 3**0.5
    sides = [e for e in lines if abs(e.dxf.start.distance(e.dxf.end) - long) < NEAR_MM]
    # Euler: 6 sides a hex, those inside shared by two.
    assert len(sides) == 9 * side * side - 3 * side
    wanted = set()
    for space in g.whole.spaces:
        around = g.hexagon(space)
        for a, b in zip(around, around[1:] + around[:1], strict=True):
            wanted.add(frozenset((_near(x), _near(y)) for x, y in (a, b)))
    assert wanted <= ends


def _near(length: float) -> float:
    """Round to hundredths, off the halves on which places of the grid lie."""
    return round(length + 0.002, 2) + 0.0


@pytest.mark.parametrize(("side", "pitch"), ALL)
def test_a_hole_and_its_lights_are_one_opening(side: int, pitch: float) -> None:
    g = geometry(side, pitch)
    openings = [
        line
        for line in by_ezdxf("top", side, pitch).modelspace().query('LWPOLYLINE[layer=="CUT"]')
        if line.has_arc
    ]
    assert len(openings) == g.board.detaining.bit_count()
    pits = {h.place: h for h in g.holes("top") if h.use == "hole"}
    lights = [h for h in g.holes("top") if h.use == "light"]
    for line in openings:
        assert line.closed
        arcs = [e for e in line.virtual_entities() if e.dxftype() == "ARC"]
        place = next(p for p, h in pits.items() if any(_is_arc_of(arc, h) for arc in arcs))
        own = [h for h in lights if h.place == place]
        of_light = [next((h for h in own if _is_arc_of(arc, h)), None) for arc in arcs]
        assert sorted(h.centre for h in of_light if h) == sorted(h.centre for h in own)
        assert sum(_is_arc_of(arc, pits[place]) for arc in arcs) == len(arcs) - 2 == 2


def _is_arc_of(arc: Any, hole: Hole) -> bool:
    centre = arc.dxf.center.x, arc.dxf.center.y
    return dist(centre, hole.centre) < NEAR_MM and abs(arc.dxf.radius - hole.radius) < NEAR_MM


def test_trimesh_finds_the_same_openings() -> None:
    path = trimesh.load_path(BytesIO(dxf("top")), file_type="dxf")
    arcs = [
        entity.center(path.vertices)
        for entity in path.entities
        if type(entity).__name__ == "Arc" and not entity.closed
    ]
    for hole in geometry().holes("top"):
        if hole.use == "hole":
            near = [a for a in arcs if dist(a.center[:2], hole.centre) < NEAR_MM]
            assert [round(float(a.radius), 3) for a in near] == 2 * [round(hole.radius, 3)]
            # Nearly all the way round, outside of the lights' openings.
            assert sum(float(a.span) for a in near) > 5


def test_the_trial_is_a_piece_of_the_board() -> None:
    g = geometry()
    x0, y0 = g.centres[g.cluster[0]]
    top, floor, carrier = (circles(name) for name in TRIAL)
    for space in g.cluster:
        x, y = g.centres[space]
        assert is_there(carrier, "CUT", (x0 - x, y - y0), 2.0)
        for lx, ly in g.lights[space]:
            assert is_there(floor, "CUT", (lx - x0, ly - y0), 2.5)
            assert is_there(top, "CUT", (lx - x0, ly - y0), 2.5) is not g.is_hole(space)
    assert len([c for c in carrier if c[0] == "CUT"]) == 3 * 7 + 6


def test_the_outline_and_the_bed() -> None:
    for name in ("top", "floor", "carrier", "back"):
        cut = by_ezdxf(name).modelspace().query('LWPOLYLINE[layer=="CUT"]')
        outline = next(line for line in cut if not line.has_arc and len(line) == 6)
        found = [(x, y) for x, y, *_ in outline.get_points()]
        wanted = corners((0, 0), geometry().edge_mm * 2 / 3**0.5, 0)
        for corner in wanted:
            assert min(dist(corner, each) for each in found) < NEAR_MM
    width, height = geometry().plate_mm
    assert (round(width, 1), round(height, 1)) == (338.8, 293.4)


def test_the_case_takes_the_plates() -> None:
    g = geometry()
    plan = [
        [(x, y) for x, y, *_ in line.get_points()]
        for line in by_ezdxf("frame").modelspace().query('LWPOLYLINE[layer=="CUT"]')
        if len(line) == 6
    ]
    inner = min(max(y for _, y in points) for points in plan)
    outer = max(max(y for _, y in points) for points in plan)
    assert inner == pytest.approx(g.edge_mm + 0.5, abs=NEAR_MM)
    assert outer - inner == pytest.approx(12, abs=NEAR_MM)
    walls = [
        line
        for line in by_ezdxf("frame").modelspace().query('LWPOLYLINE[layer=="CUT"]')
        if len(line) == 4
    ]
    lengths = {round(max(p[0] for p in w) - min(p[0] for p in w), 2) for w in walls}
    assert lengths == {round(cuts(g)[0].length_mm, 2)} == {round(outer * 2 / 3**0.5, 2)}
    assert sum(cut.number for cut in cuts(g) if "wall" in cut.what) == 6


# -- SVG ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "pitch"), ALL)
@pytest.mark.parametrize("name", WHOLE + TRIAL)
def test_an_svg_is_the_dxf_at_one_to_one(name: str, side: int, pitch: float) -> None:
    root = ElementTree.fromstring(svg(name, side, pitch))
    box = [float(number) for number in root.attrib["viewBox"].split()]
    assert box[:2] == [0, 0]
    assert root.attrib["width"] == f"{box[2]:g}mm" or float(root.attrib["width"][:-2]) == box[2]
    assert float(root.attrib["height"].removesuffix("mm")) == box[3]
    groups = {g.attrib["id"]: g for g in root.iter(f"{SVG}g")}
    rings = [
        (layer, (float(c.attrib["cx"]), float(c.attrib["cy"])), float(c.attrib["r"]))
        for layer, group in groups.items()
        for c in group.iter(f"{SVG}circle")
    ]
    wanted = circles(name, side, pitch)
    assert len(rings) == len(wanted)
    if wanted:
        # The same circles, moved and with y down.
        rings.sort(key=lambda c: (c[0], round(c[2], 3), round(c[1][1], 2), round(c[1][0], 2)))
        wanted.sort(key=lambda c: (c[0], round(c[2], 3), round(-c[1][1], 2), round(c[1][0], 2)))
        dx, dy = rings[0][1][0] - wanted[0][1][0], rings[0][1][1] + wanted[0][1][1]
        for (la, (xa, ya), ra), (lb, (xb, yb), rb) in zip(rings, wanted, strict=True):
            assert la == lb
            assert ra == pytest.approx(rb, abs=NEAR_MM)
            assert (xa, ya) == pytest.approx((xb + dx, dy - yb), abs=NEAR_MM)
    for layer, group in groups.items():
        assert group.attrib["stroke"] == LAYERS[Layer(layer)].colour


def test_the_carrier_says_that_it_is_mirrored() -> None:
    for name in ("carrier", "trial-carrier"):
        assert "SEEN FROM BELOW (mirrored: east is left)" in svg(name).decode()
        notes = [t.dxf.text for t in by_ezdxf(name).modelspace().query("TEXT")]
        assert any("SEEN FROM BELOW (mirrored: east is left)" in note for note in notes)
    for name in ("top", "floor"):
        assert "seen from above" in svg(name).decode()


def test_names_are_strokes_and_never_need_a_font() -> None:
    for name in WHOLE + TRIAL:
        texts = by_ezdxf(name).modelspace().query("TEXT")
        assert {text.dxf.layer for text in texts} <= {"NOTES"}


def test_names_lie_inside_their_hexes() -> None:
    for side, pitch in ALL:
        g = geometry(side, pitch)
        _names_inside(g, side, pitch)


def _names_inside(g: Geometry, side: int, pitch: float) -> None:
    strokes = [
        [(x, y) for x, y, *_ in line.get_points()]
        for line in by_ezdxf("top", side, pitch).modelspace().query('LWPOLYLINE[layer=="ENGRAVE"]')
        if not line.closed
    ]
    assert len(strokes) >= g.board.grid.n
    for points in strokes:
        middle = min(g.centres, key=lambda c: max(dist(c, p) for p in points))
        for x, y in points:
            dx, dy = abs(x - middle[0]), abs(y - middle[1])
            inside = max(dx, dx / 2 + dy * 3**0.5 / 2)
            assert inside < pitch / 2
            assert dist((x, y), middle) > g.pit_mm / 2  # not in a hole
