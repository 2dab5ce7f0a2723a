"""The pieces: closed bodies with the right pocket, and sources that say the same."""

import re
from functools import cache
from io import BytesIO
from itertools import pairwise
from math import hypot
from typing import Any

import pytest
import trimesh

from sorcel_pi.pack.pieces import NOTCHES, Solid, solids
from sorcel_pi.pack.solids import scad, stl

from . import ALL, PITCH, geometry

NAMES = ("sentinel", "shif")


def solid(name: str, side: int = 5, pitch: float = PITCH) -> Solid:
    return {each.name: each for each in solids(geometry(side, pitch))}[name]


@cache
def mesh(name: str, side: int = 5, pitch: float = PITCH) -> Any:
    return trimesh.load_mesh(BytesIO(stl(solid(name, side, pitch), "a mark")), file_type="stl")


@pytest.mark.parametrize(("side", "pitch"), ALL)
@pytest.mark.parametrize("name", NAMES)
def test_the_body_is_closed(name: str, side: int, pitch: float) -> None:
    body = mesh(name, side, pitch)
    assert body.is_watertight
    assert body.is_winding_consistent
    assert body.is_volume
    assert body.volume > 0
    assert body.euler_number == 2  # one piece, no hole through it
    assert body.area_faces.min() > 0


@pytest.mark.parametrize(("side", "pitch"), ALL)
def test_both_kinds_have_the_same_footprint_and_differ_in_height(side: int, pitch: float) -> None:
    g = geometry(side, pitch)
    tall, short = (mesh(name, side, pitch) for name in NAMES)
    for body in (tall, short):
        assert body.extents[:2] == pytest.approx([g.base_mm, g.base_mm], abs=0.01)
        assert body.bounds[0] == pytest.approx([-g.base_mm / 2, -g.base_mm / 2, 0], abs=0.01)
        rim = body.vertices[abs(body.vertices[:, 2] - g.measures.rim_mm) < 0.01]
        assert (rim[:, 0] ** 2 + rim[:, 1] ** 2).max() ** 0.5 == pytest.approx(
            g.base_mm / 2, abs=0.01
        )
    assert tall.extents[2] > 2 * short.extents[2]
    assert tall.extents[2] == pytest.approx(solid("sentinel", side, pitch).height_mm, abs=0.001)


def cut(body: Any, normal: tuple[int, int, int], through: tuple[float, float, float]) -> Any:
    """Return the lines in which a plane cuts the surface, as an array of pairs of points."""
    return trimesh.intersections.mesh_plane(body, normal, through)


def from_axis(line: Any) -> float:
    """Return how near a level line comes to the axis."""
    (x, y, _), (x2, y2, _) = line
    dx, dy = x2 - x, y2 - y
    along = min(1.0, max(0.0, -(x * dx + y * dy) / (dx * dx + dy * dy)))
    return float(hypot(x + along * dx, y + along * dy))


@pytest.mark.parametrize(("side", "pitch"), ALL)
@pytest.mark.parametrize("name", NAMES)
def test_the_pocket_has_the_stated_clearance(name: str, side: int, pitch: float) -> None:
    g, body = geometry(side, pitch), mesh(name, side, pitch)
    clearance = g.measures.magnet_clearance_mm
    assert clearance == 0.2
    for height in (1.9, 2.5, 3.1):  # above the ring
        lines = cut(body, (0, 0, 1), (0, 0, height))
        inner = [line for line in lines if from_axis(line) < g.magnet.across_mm]
        corners = max(hypot(x, y) for line in inner for x, y, _ in line)
        assert corners == pytest.approx((g.magnet.across_mm + clearance) / 2, abs=0.001)
        # Across the flats of the polygon a little less is left.
        assert 2 * min(map(from_axis, inner)) > g.magnet.across_mm + 0.9 * clearance
    ceiling = [
        z for line in cut(body, (0, 1, 0), (0, 0.001, 0)) for x, _, z in line if abs(x) < 2.9
    ]
    assert min(ceiling) == pytest.approx(g.magnet.high_mm + clearance, abs=0.001)


def test_fingers_tell_them_apart() -> None:
    tall, short = mesh("sentinel"), mesh("shif")
    top = solid("sentinel").height_mm - 0.01
    rim = tall.vertices[tall.vertices[:, 2] > top]
    radii = sorted({round(float(r), 2) for r in (rim[:, 0] ** 2 + rim[:, 1] ** 2) ** 0.5})
    assert radii[-1] - radii[0] > 1.5  # notches, more than 1.5 mm deep
    crown = solid("sentinel")
    ring = [crown.radius_at(9.0, top, k / 1000) for k in range(6284)]
    inward = sum(a >= 9.0 > b for a, b in pairwise(ring))
    assert inward == NOTCHES
    # A Shif is round all over, with a hollow on its head.
    assert solid("shif").notch_mm == 0
    middle = short.vertices[(abs(short.vertices[:, 0]) < 0.01) & (abs(short.vertices[:, 1]) < 0.01)]
    assert max(middle[:, 2]) < short.bounds[1][2] - 1


@pytest.mark.parametrize("name", NAMES)
def test_the_source_says_the_same(name: str) -> None:
    g, body = geometry(), solid(name)
    text = scad(
        body, (g.magnet.across_mm, g.magnet.high_mm), g.measures.magnet_clearance_mm, g.mark
    )
    numbers = dict(re.findall(r"^(\w+) = ([\d.]+);", text, re.MULTILINE))
    assert numbers == {"magnet_across": "6", "magnet_high": "3", "clearance": "0.2"}
    points = [(float(r), float(z)) for r, z in re.findall(r"^ +\[([\d.]+), ([\d.]+)\]", text, re.M)]
    # Without the pocket, which the source cuts out.
    assert points == [(0.0, 0.0), *body.outline[5:]]
    assert (f"0:{NOTCHES - 1}" in text) is bool(body.notch_mm)
    if body.notch_mm:
        assert f"translate([{body.notch_away_mm:g}, 0, {body.notch_from_mm:g}])" in text
        assert f"cylinder(r = {body.notch_mm:g}," in text
    assert text.count("(") == text.count(")")
    assert text.count("[") == text.count("]")
    assert text.count("{") == text.count("}")


def test_a_piece_stands_in_a_hole() -> None:
    g = geometry()
    assert g.base_mm + 2 * g.measures.pit_clearance_mm == g.pit_mm < g.pitch_mm
    assert g.measures.rim_mm + g.measures.felt_mm < g.measures.top_mm
