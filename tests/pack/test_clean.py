"""The sheets that shops take: what is cut and engraved, once, and nothing else."""

import re
from collections import Counter
from io import BytesIO, StringIO
from typing import Any
from xml.etree import ElementTree
from zipfile import ZipFile

import ezdxf
import pytest
import trimesh

from sorcel_pi.pack.clean import BURNT, EDGE_MM, GAP_MM, SHOPS, STOCKS, Nest, nests, shop_of
from sorcel_pi.pack.dxf import dxf_sheet
from sorcel_pi.pack.measures import GeometryError
from sorcel_pi.pack.pieces import solids
from sorcel_pi.pack.shapes import Circle, Layer, bounds
from sorcel_pi.pack.solids import stl, threemf
from sorcel_pi.pack.svg import svg_sheet

from . import ROOT, drawings, geometry

SVG = "{http://www.w3.org/2000/svg}"
CLEAN = ROOT / "hardware" / "plates" / "clean"


def laid(stock: str) -> tuple[Nest, ...]:
    plates = tuple(d for name, d in drawings().items() if name != "frame")
    return nests(geometry(), plates, STOCKS[stock])


@pytest.mark.parametrize("stock", STOCKS)
def test_all_plates_lie_on_real_sheets_of_their_thickness(stock: str) -> None:
    found = Counter(name for nest in laid(stock) for name in nest.plates)
    assert found == Counter(name for name in drawings() if name != "frame")
    width, height = STOCKS[stock]
    for nest in laid(stock):
        left, bottom, right, top = bounds(nest.shapes)
        assert left >= EDGE_MM - 1e-6
        assert bottom >= EDGE_MM - 1e-6
        assert right <= width - EDGE_MM + 1e-6
        assert top <= height - EDGE_MM + 1e-6
        assert nest.name.startswith(f"{nest.thick_mm:g}mm-")


@pytest.mark.parametrize("stock", STOCKS)
def test_plates_do_not_overlap(stock: str) -> None:
    for nest in laid(stock):
        cuts = [bounds((s,)) for s in nest.shapes if s.layer is Layer.CUT]
        wide = [box for box in cuts if box[2] - box[0] > 100]
        assert len(wide) == len(nest.plates)
        for k, a in enumerate(wide):
            for b in wide[:k]:
                apart = max(a[0] - b[2], b[0] - a[2], a[1] - b[3], b[1] - a[3])
                assert apart >= GAP_MM - 1e-6


def test_a_plate_keeps_all_that_is_done_to_it() -> None:
    for nest in laid("600x400"):
        wanted = Counter(
            shape.layer
            for name in nest.plates
            for shape in drawings()[name].shapes
            if shape.layer in BURNT
        )
        assert Counter(shape.layer for shape in nest.shapes) == wanted
        layers = [BURNT.index(shape.layer) for shape in nest.shapes]
        assert layers == sorted(layers)  # cuts come last


def test_what_is_too_large_says_so() -> None:
    with pytest.raises(GeometryError, match=r"too large for a sheet of 300 x 200 mm with 1.5 mm"):
        nests(geometry(), (drawings()["top"],), (300.0, 200.0))


@pytest.mark.parametrize("shop", SHOPS)
def test_a_shop_gets_its_own_colours_and_layers_and_no_words(shop: str) -> None:
    inks, (nest, *_) = SHOPS[shop].inks, laid("600x400")
    layers = {layer: (ink.layer, ink.number) for layer, ink in inks.items()}
    document = ezdxf.read(StringIO(dxf_sheet(nest.shapes, layers, "a mark").decode("cp1252")))
    assert not document.audit().errors
    kinds = Counter(entity.dxftype() for entity in document.modelspace())
    assert not kinds.keys() & {"TEXT", "MTEXT", "POINT"}
    assert kinds["HATCH"] == 6  # dots and crescents
    assert {entity.dxf.layer for entity in document.modelspace()} == {
        i.layer for i in inks.values()
    }
    for ink in inks.values():
        assert document.layers.get(ink.layer).color == ink.number
    root = ElementTree.fromstring(
        svg_sheet(nest.shapes, {k: i.colour for k, i in inks.items()}, (600.0, 400.0), "a mark")
    )
    assert root.attrib["viewBox"] == "0 0 600 400"
    assert not list(root.iter(f"{SVG}text"))
    assert not list(root.iter(f"{SVG}rect"))
    groups = {group.attrib["id"]: group.attrib for group in root.iter(f"{SVG}g")}
    for layer, ink in inks.items():
        filled = layer is Layer.FILL
        assert groups[layer]["fill"] == (ink.colour if filled else "none")
        assert groups[layer]["stroke"] == ("none" if filled else ink.colour)
        assert groups[layer]["stroke-width"] == "0.05"


def test_a_shop_is_chosen_by_name_and_sheet() -> None:
    assert shop_of("red-cut").stock == "600x400"
    assert (shop_of("blue-cut:A3").name, shop_of("blue-cut:A3").stock) == ("blue-cut", "A3")
    for text in ("", "plaid", "red-cut:A9", "A3"):
        with pytest.raises(GeometryError, match="expected a shop: one of red-cut, blue-cut"):
            shop_of(text)


def test_minutes_grow_with_what_is_cut() -> None:
    top = next(nest for nest in laid("600x400") if "top" in nest.plates)
    circle = Circle(Layer.CUT, (10.0, 10.0), 5.0)
    more = top._replace(shapes=(*top.shapes, *[circle] * 10))
    # Ten times 31.4 mm at 20 mm/s and the way there.
    assert (more.minutes - top.minutes) * 60 == pytest.approx(10 * (31.416 / 20 + 0.4), rel=1e-3)
    thick = more._replace(thick_mm=6.0)
    assert thick.minutes > more.minutes


def test_the_list_of_sheets_names_what_is_there() -> None:
    text = (CLEAN / "sheets.md").read_text("utf-8")
    named = set(re.findall(r"^\| (\dmm-\d) \|", text, re.MULTILINE))
    assert named == {path.stem for path in CLEAN.glob("*.dxf")}


# -- 3MF ------------------------------------------------------------------------------------------


def test_a_3mf_holds_both_pieces_as_the_stl_has_them() -> None:
    both = solids(geometry())
    data = threemf(both, "a mark")
    assert data == threemf(both, "a mark")
    with ZipFile(BytesIO(data)) as archive:
        assert archive.testzip() is None
        model = ElementTree.fromstring(archive.read("3D/3dmodel.model"))
        for name in ("[Content_Types].xml", "_rels/.rels"):
            ElementTree.fromstring(archive.read(name))
    space = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"
    assert model.attrib["unit"] == "millimeter"
    objects = list(model.iter(f"{space}object"))
    assert [each.attrib["name"] for each in objects] == ["sentinel", "shif"]
    for each, solid in zip(objects, both, strict=True):
        corners = [[float(v.attrib[axis]) for axis in "xyz"] for v in each.iter(f"{space}vertex")]
        faces = [
            [int(t.attrib[corner]) for corner in ("v1", "v2", "v3")]
            for t in each.iter(f"{space}triangle")
        ]
        body: Any = trimesh.Trimesh(corners, faces)
        other: Any = trimesh.load_mesh(BytesIO(stl(solid, "")), file_type="stl")
        assert body.is_watertight
        assert body.volume == pytest.approx(other.volume, rel=1e-5)
        assert body.volume == pytest.approx(solid.volume_mm3, rel=0.04)
