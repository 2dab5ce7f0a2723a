"""The paper template, read by PDFium."""

from collections.abc import Iterator
from itertools import pairwise, product
from math import dist
from typing import Any

import pypdfium2
import pytest

from sorcel_pi.pack.template import EDGE_MM, Tiling, sheet_of, template, tiling

from . import ALL, MM, geometry, paper

Box = tuple[float, float, float, float]

SHEETS = ["A4", "Letter"]
SIZES = {"A4": {210.0, 297.0}, "Letter": {215.9, 279.4}}


def pages(data: bytes) -> Iterator[Any]:
    document = pypdfium2.PdfDocument(data)
    for number in range(len(document)):
        yield document[number]


def boxes(page: Any) -> list[Box]:
    """Return left, bottom, right and top of every path, in mm, from the page's lower left."""
    found = []
    for item in page.get_objects():
        if item.type == pypdfium2.raw.FPDF_PAGEOBJ_PATH:
            left, bottom, right, top = item.get_bounds()
            found.append((left / MM, bottom / MM, right / MM, top / MM))
    return found


def middle(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


@pytest.mark.parametrize(("side", "pitch"), ALL)
@pytest.mark.parametrize("name", SHEETS)
def test_the_ruler_measures_100_mm_on_every_page(name: str, side: int, pitch: float) -> None:
    for page in pages(paper(name, side, pitch)):
        foot = [box for box in boxes(page) if box[3] < EDGE_MM + 13]
        ticks = [box for box in foot if box[2] - box[0] < 1 < box[3] - box[1]]
        xs = sorted(middle(box)[0] for box in ticks)
        assert len(xs) == 11
        assert xs[-1] - xs[0] == pytest.approx(100, abs=0.01)
        assert all(b - a == pytest.approx(10, abs=0.01) for a, b in pairwise(xs))
        lines = [box for box in foot if box[2] - box[0] > 99]
        assert len(lines) == 1
        assert middle(lines[0])[0] == pytest.approx((xs[0] + xs[-1]) / 2, abs=0.01)


def test_the_ruler_measures_100_mm_in_ink() -> None:
    dots = 20  # a mm
    page = next(pages(paper("A4")))
    bitmap = page.render(scale=dots / MM, grayscale=True)
    row = round((297 - (EDGE_MM + 8)) * dots)  # the ruler's line
    line = bytes(bitmap.buffer)[row * bitmap.stride : row * bitmap.stride + bitmap.width]
    ink = [x for x, grey in enumerate(line) if grey < 128]
    # The line and half a stroke (0.25 mm) at each end.
    assert (ink[-1] - ink[0] + 1) / dots == pytest.approx(100 + 0.25, abs=2.5 / dots)
    assert len(ink) == ink[-1] - ink[0] + 1


@pytest.mark.parametrize("name", SHEETS)
def test_pages_have_the_size_of_the_sheet(name: str) -> None:
    for page in pages(paper(name)):
        size = {round(length / MM, 1) for length in page.get_size()}
        assert size == SIZES[name]


@pytest.mark.parametrize(("side", "pitch"), ALL)
@pytest.mark.parametrize("name", SHEETS)
def test_all_light_holes_are_there_at_their_places(name: str, side: int, pitch: float) -> None:
    g, laid = geometry(side, pitch), tiling(geometry(side, pitch), sheet_of(name))
    data = paper(name, side, pitch)
    found = []
    for (row, column), page in zip(_tiles(laid), pages(data), strict=True):
        left, bottom = laid.corner(column, row)
        foot = laid.sheet.height_mm - EDGE_MM - laid.height
        for box in boxes(page):
            if 5.0 <= box[2] - box[0] < 5.6 and 5.0 <= box[3] - box[1] < 5.6:
                x, y = middle(box)
                place = x - EDGE_MM + left, y - foot + bottom
                if abs(place[1]) < g.field_mm:  # beyond are the marks of the seats
                    found.append(place)
    for hole in g.holes("top"):
        if hole.use == "light" and not g.is_hole(g.board.grid.number(hole.place)):
            assert min(dist(hole.centre, place) for place in found) < 0.02
    # What lies on two sheets is drawn on both, and nowhere else.
    lights = [hole.centre for hole in g.holes("top") if hole.use == "light"]
    assert all(min(dist(place, light) for light in lights) < 0.02 for place in found)


def _tiles(laid: Tiling) -> Iterator[tuple[int, int]]:
    return product(range(laid.rows), range(laid.columns))


@pytest.mark.parametrize("sheet", ["A5", "A4", "Letter", "A2", "130x110"])
def test_sheets_cover_the_board_and_join_by_the_same_letters(sheet: str) -> None:
    g, laid = geometry(), tiling(geometry(), sheet_of(sheet))
    width, height = g.plate_mm
    assert laid.left <= -width / 2
    assert laid.left + laid.columns * laid.width >= width / 2
    assert laid.bottom <= -height / 2
    assert laid.bottom + laid.rows * laid.height >= height / 2
    marks: dict[str, list[tuple[float, float]]] = {}
    data = template(g, sheet_of(sheet))
    for (row, column), page in zip(_tiles(laid), pages(data), strict=True):
        left, bottom = laid.corner(column, row)
        foot = laid.sheet.height_mm - EDGE_MM - laid.height
        for letter, (x, y) in _letters(page):
            marks.setdefault(letter, []).append((x - EDGE_MM + left, y - foot + bottom))
    joints = (laid.columns - 1) * laid.rows + (laid.rows - 1) * laid.columns
    assert len(marks) == joints
    for letter, places in marks.items():
        # Two crosses on each of two sheets, each cross with its letter on both sides.
        assert len(places) == 8, letter
        rounded = {(round(x, 1), round(y, 1)) for x, y in places}
        assert len(rounded) == 4, letter


def _letters(page: Any) -> Iterator[tuple[str, tuple[float, float]]]:
    """Yield every text of capital letters alone, with its place in mm."""
    text = page.get_textpage()
    for item in page.get_objects():
        if item.type == pypdfium2.raw.FPDF_PAGEOBJ_TEXT:
            left, bottom, right, top = item.get_bounds()
            words = text.get_text_bounded(left - 0.1, bottom - 0.1, right + 0.1, top + 0.1).strip()
            if words.isalpha() and words.isupper() and len(words) < 3:
                yield words, (left / MM, bottom / MM)


def test_every_page_says_which_it_is() -> None:
    texts = [page.get_textpage().get_text_range() for page in pages(paper("A4"))]
    for number, text in enumerate(texts, 1):
        assert f"Sheet {number} of {len(texts)}" in text
        assert "Print at 100 %" in text
        assert "Board standard, pitch 33.33 mm" in text


def test_the_file_has_no_date_and_no_random_identity() -> None:
    assert template(geometry(), sheet_of("A4")) == paper("A4")
    meta = pypdfium2.PdfDocument(paper("A4")).get_metadata_dict()
    assert meta["Title"] == "Sorcel: template of the board standard, pitch 33.33 mm"
    assert "2000" in meta["CreationDate"]
