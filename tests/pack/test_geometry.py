"""Where everything is, and what is refused because it cannot be built."""

from dataclasses import replace
from math import dist
from typing import Any

import pytest

from sorcel_pi import standard_board
from sorcel_pi.config.schema import Config, MockConfig
from sorcel_pi.drivers.mock.field import BASE
from sorcel_pi.pack.geometry import PLATES, Geometry
from sorcel_pi.pack.measures import GeometryError, Measures
from sorcel_pi.pack.planning import check_bed, plan
from sorcel_pi.pack.template import sheet_of, size_of

from . import ALL, PITCH, geometry


def refused(pitch: float = PITCH, **measures: Any) -> str:
    """Return why a geometry is refused."""
    with pytest.raises(GeometryError) as caught:
        plan(standard_board(), Config(), pitch_mm=pitch, measures=Measures(**measures))
    return str(caught.value)


@pytest.mark.parametrize(("side", "pitch"), ALL)
def test_the_normative_measures(side: int, pitch: float) -> None:
    g = geometry(side, pitch)
    for space in g.whole.spaces:
        assert g.centres[space] == g.board.grid.centre(space, pitch)
        x, y = g.centres[space]
        # In the northern and the southern corner of its hex.
        for light, sign in zip(g.lights[space], (1, -1), strict=True):
            assert light == pytest.approx((x, y + sign * 0.43 * pitch))
            assert any(
                dist(light, corner) + 0.43 * pitch == pytest.approx(dist((x, y), corner))
                for corner in g.hexagon(space)
            )
    assert g.base_mm <= BASE * pitch < g.base_mm + 0.1
    assert g.base_mm / 2 < 0.43 * pitch - g.measures.light_hole_mm / 2
    assert 4 <= g.measures.depth_mm <= 6
    assert g.measures.top_mm == g.measures.floor_mm == 3  # an ordinary sheet, the same everywhere
    assert g.measures.top_mm > g.measures.rim_mm + g.measures.felt_mm


@pytest.mark.parametrize(("side", "pitch"), ALL)
def test_every_space_has_two_lights_and_one_reed(side: int, pitch: float) -> None:
    g = geometry(side, pitch)
    names = list(g.board.grid.names)
    holes = {g.name(k) for k in g.whole.spaces if g.is_hole(k)}

    def places(plate: str, use: str) -> list[str]:
        return [hole.place for hole in g.holes(plate) if hole.use == use]

    twice = [name for name in names for _ in "ns"]
    assert places("top", "light") == places("floor", "light") == places("carrier", "pixel") == twice
    assert places("carrier", "reed") == names
    assert places("floor", "reed") == [name for name in names if name not in holes]
    assert set(places("top", "hole")) == holes
    assert not places("top", "reed")
    for plate in PLATES:
        assert len(places(plate, "screw")) == 6


@pytest.mark.parametrize(("side", "pitch"), ALL)
def test_the_trial_is_a_space_with_all_its_neighbours(side: int, pitch: float) -> None:
    g = geometry(side, pitch)
    middle, *around = g.cluster
    assert len(around) == 6
    assert all(g.board.grid.distance(middle, space) == 1 for space in around)
    assert not g.is_hole(middle)
    assert any(map(g.is_hole, around))


def test_screws_are_far_from_reeds() -> None:
    g = geometry()
    for plate in PLATES:
        for region in (g.whole, g.trial):
            screws = [h.centre for h in g.holes(plate, region) if h.use == "screw"]
            assert min(dist(s, g.centres[k]) for s in screws for k in region.spaces) > 15


@pytest.mark.parametrize("pitch", [0.0, -36.0, 20.0, 31.9, float("nan"), float("inf")])
def test_a_pitch_below_the_least_is_refused(pitch: float) -> None:
    words = refused(pitch)
    if pitch != float("inf"):
        assert "with magnets of 6 x 3 mm 32 to 44.5 mm work" in words
        assert "6 x 3 mm act on the reeds of their neighbours" in words


def test_a_pitch_beyond_the_magnet_is_refused() -> None:
    for pitch in (45.0, 60.0, 1e6):
        words = refused(pitch)
        assert f"pitch {pitch:g} mm: with magnets of 6 x 3 mm 32 to 44.5 mm work; in so" in words
    assert plan(standard_board(), Config(), pitch_mm=44).reeds_mt[1] > 1.5
    strong = replace(Config(), mock=MockConfig(magnet="8x3"))
    assert plan(standard_board(), strong, pitch_mm=40).magnet.across_mm == 8


@pytest.mark.parametrize(
    ("measures", "words"),
    [
        ({"light_hole_mm": 8.0}, "covers the light hole"),
        ({"light_part": 0.54}, "does not lie inside its hex"),
        ({"pit_clearance_mm": 6.0}, "leaves no wood between two neighbours"),
        ({"rim_mm": 2.6}, "no hole for a rim of 2.6 mm"),
        ({"top_mm": 4.5}, "from magnet to the glass of a reed are 7.2 mm (4.5 mm of wood"),
        ({"floor_mm": 6.0}, "are 8.7 mm (6 mm of wood, felt, clearance and lead): expected 2 to 7"),
        ({"pixel_mm": 12.0}, "do not fit into pockets of 10.4 mm"),
        ({"reed_bore_mm": 3.0}, "do not fit into bores of 3 mm"),
        ({"band_mm": 4.0}, "make the band wider"),
        (
            {"pixel_pocket_mm": 27.0, "band_mm": 30.0},
            "the reed of a1 and the pixel of a1 in the carrier overlap",
        ),
        ({"reed_bore_mm": 17.6}, "leave 0.33 mm of wood between them (at least 1 mm)"),
    ],
)
def test_what_cannot_be_built_is_refused_in_words(measures: dict[str, float], words: str) -> None:
    assert words in refused(**measures)


def test_a_bed_too_small_is_refused() -> None:
    g = geometry()
    check_bed(g, "400x320", 400, 320)
    check_bed(g, "320x400", 320, 400)
    for width, height in ((338, 338), (400, 293), (300, 300)):
        with pytest.raises(GeometryError, match=r"bed of '.*' is too small: .* 339 x 293 mm"):
            check_bed(g, f"{width}x{height}", width, height)


def test_sheets_of_paper() -> None:
    assert sheet_of("a4") == sheet_of("A4") == ("A4", 210.0, 297.0)
    assert sheet_of("LETTER")[1:] == (215.9, 279.4)
    assert sheet_of("300x400") == ("300x400", 300.0, 400.0)
    for text in ("120x200", "297x60"):
        with pytest.raises(GeometryError, match=r"too small: the ruler and the edges need 124 x"):
            sheet_of(text)
    for text in ("A6", "", "300", "x", "0x400", "300x-4", "nanx400", "1e9x2"):
        with pytest.raises(GeometryError, match="expected a sheet: one of A5, A4"):
            sheet_of(text)
    with pytest.raises(GeometryError, match="'huge': expected a bed"):
        size_of("huge", "a bed:")


def test_a_geometry_is_a_value() -> None:
    assert plan(standard_board(), Config()) == geometry()
    assert isinstance(geometry(), Geometry)
    assert hash(geometry()) == hash(plan(standard_board(), Config()))
