"""The rules on one page, with pictures, in each language: for the screen and for two sheets.

The words stand in `en.html` and `de.html`; the pictures are drawn by `rules.svg` from positions and
actions, so that they show what the rules do.  The printed pages are files made from them.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from types import MappingProxyType
from xml.etree import ElementTree

from ..rules.actions import resolve
from ..rules.hexgrid import hexgrid, spaces_of
from ..rules.movegen import spots
from ..rules.notation import parse_action, parse_position
from ..rules.svg import PITCH, Point, draw_cascade, draw_position, geometry

LANGUAGES: Mapping[str, str] = MappingProxyType({"en": "English", "de": "Deutsch"})
TITLES: Mapping[str, str] = MappingProxyType(
    {"en": "The rules of Sorcel", "de": "Die Regeln von Sorcel"}
)
_OTHER: Mapping[str, tuple[str, str, str]] = MappingProxyType(
    {
        "en": ("To the board", "The lights", "As a PDF for two sheets"),
        "de": ("Zum Brett", "Die Lichter", "Als PDF auf zwei Blättern"),
    }
)
_START = "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -"
_LIT = "#00c853"
_PAIR = re.compile(r"(-?[\d.]+) (-?[\d.]+)")
_FIGURE = re.compile(r'<figure data-picture="(\w+)">')


@dataclass(frozen=True, slots=True)
class Picture:
    """A position, or what an action leads to in it, and how much of the board is seen.

    `action` is empty for a position alone; `around` names the spaces that are seen with all next to
    them, none for the whole board; `lit` names spaces with a ring, `spots` those for a placement.
    """

    code: str
    action: str = ""
    around: str = ""
    lit: str = ""
    reach: float = 0.85
    """How far is seen around the named spaces, in distances of neighbours."""


PICTURES: Mapping[str, Picture] = MappingProxyType(
    {
        "start": Picture(_START),
        "step": Picture(_START, around="b3 b4 c3 c4 c5 d4 d5", lit="d4 d5"),
        "push": Picture("5/6/4f2/3S4/2SF2s2/3F2f1/6s/6/5 l 2/0 4/4 -", "f5g6", "f5 g6 g7 g8 e6"),
        "chain": Picture(
            "F4/2s1S1/2Ss3/4f3/9/8/F6/6/5 l 1/0 4/5 -",
            "h8h7",
            "i5 i9 h6 g5 g6 f8 f7",
            reach=1.25,
        ),
        "hole": Picture("5/6/2F1F2/3S4/3S1fs2/8/2s4/1f4/5 l 2/0 4/4 -", "f5f6", "f5 f6 e6 d6 e7"),
        "release": Picture(
            "5/6/3S3/4F3/3s5/2f1S3/2f1F2/2s3/5 l 2/0 4/4 -", "f6f5", "f6 f5 e4 d3 d5"
        ),
        "close": Picture(
            "5/6/4f2/3S4/2SF2s2/3F2f1/6s/6/5 l 2/0 4/4 -", "f5f6", "f5 f6 g7 h8 e7 e4"
        ),
        "place": Picture(_START, around="a2 b2 b3 b4 b5 c3 c5", lit="spots"),
        "win": Picture("5/6/2F1F2/3S4/3S1sf2/8/6s/6/5 l 2/0 4/5 -", "f5f6", "f5 f6 e6 d6 e7 c7"),
    }
)


@cache
def draw(name: str) -> str:
    """Return a picture as SVG to stand in a page: without words, cut to what matters."""
    picture = PICTURES[name]
    position = parse_position(picture.code)
    board = position.board
    places = spots(position, position.side) if picture.lit == "spots" else 0
    named = () if places else picture.lit.split()
    lit = dict.fromkeys([*spaces_of(places), *map(board.grid.number, named)], _LIT)
    if picture.action:
        cascade = resolve(position, parse_action(board, picture.action))
        text = draw_cascade(cascade, names=True, lit=lit)
    else:
        text = draw_position(position, names=True, lit=lit)
    return _cut(text, board.side, picture)


def _cut(text: str, side: int, picture: Picture) -> str:
    """Return a drawing without its words, cut to the named spaces and those next to them."""
    root = ElementTree.fromstring(text.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1))
    around = picture.around.split()
    left_out = ("words", "reserves") if around else ("words",)
    for child in list(root):
        if child.tag in ("title", "desc", "rect") or child.get("class") in left_out:
            root.remove(child)
    if around:
        shape, grid = geometry(side), hexgrid(side)
        _frame(root, [shape.centres[grid.number(name)] for name in around], picture.reach * PITCH)
    for element in root.iter():
        element.attrib.pop("class", None)  # the page has classes of its own
    root.set("aria-hidden", "true")  # what is seen is said below it
    del root.attrib["role"]
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=True)


def _frame(root: ElementTree.Element, points: list[Point], reach: float) -> None:
    """Show no more of a drawing than what is around `points`, and leave out what is not seen."""
    (left, right), (top, bottom) = (
        (min(each) - reach, max(each) + reach) for each in zip(*points, strict=True)
    )
    root.set("viewBox", f"{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}")
    root.set("width", f"{right - left:.0f}")
    root.set("height", f"{bottom - top:.0f}")
    for group in root.findall("g"):
        for child in list(group):
            x, y = _place(child) or points[0]
            if not (left - PITCH < x < right + PITCH and top - PITCH < y < bottom + PITCH):
                group.remove(child)


def _place(element: ElementTree.Element) -> Point | None:
    """Return where an element of a drawing begins; None if that is not its own to say."""
    for x, y in (("cx", "cy"), ("x", "y")):
        if x in element.attrib:
            return float(element.attrib[x]), float(element.attrib[y])
    found = _PAIR.search(element.get("d") or element.get("transform") or "")
    return (float(found[1]), float(found[2])) if found else None


@cache
def rules_page(language: str) -> str:
    """Return the page of the rules in a language of `LANGUAGES`, as HTML."""
    text = files(__package__).joinpath(f"{language}.html").read_text(encoding="utf-8")
    body = _FIGURE.sub(lambda found: f'<figure class="{found[1]}">{draw(found[1])}', text)
    board, lights, printed = _OTHER[language]
    others = "".join(
        f'<a href="rules-{tag}.html" lang="{tag}" hreflang="{tag}">{escape(name)}</a>'
        for tag, name in LANGUAGES.items()
        if tag != language
    )
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(TITLES[language])}</title>\n"
        '<link rel="icon" href="icon.svg" type="image/svg+xml">\n'
        '<script src="theme.js"></script>\n'
        '<link rel="stylesheet" href="style.css">\n<link rel="stylesheet" href="rules.css">\n'
        f'</head>\n<body class="rules">\n<nav><a href="./">{board}</a>'
        f'<a href="./#lights">{lights}</a><a href="{pdf_name(language)}">{printed}</a>{others}'
        f"</nav>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )


def pdf_name(language: str) -> str:
    """Return the name of the file with the printed rules.

    >>> pdf_name("de")
    'sorcel-rules-de.pdf'
    """
    return f"sorcel-rules-{language}.pdf"


def rules_pdf(language: str) -> bytes:
    """Return the printed rules in a language of `LANGUAGES`: two pages of A4."""
    return files(__package__).joinpath(pdf_name(language)).read_bytes()
