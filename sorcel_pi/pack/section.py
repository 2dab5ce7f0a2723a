"""A cut through the board, three times its size: how a hex and a hole are built.

The cut goes through the middle of a space and its two lights.  It is where the measures of the
stack can be seen together; nothing in it is measured again.
"""

from collections.abc import Iterator

from . import svg
from .geometry import Geometry, Point
from .pieces import Solid, solids

_SCALE = 3.0
_REACH_MM = 25.0
_WOODS = {"top": "#e6c48f", "floor": "#d8ae72", "carrier": "#c4935a"}
_WIRE, _GLASS, _METAL, _PIXEL, _GLOW = "#1565c0", "#dcecf2", "#7d8790", "#2e7d32", "#ffe082"
_PLUG = "#fff3c4"
_WORDS_MM = 4.6


class _Cut:
    """One space, cut: its own coordinates, x north, z up from the top's upper side."""

    def __init__(self, g: Geometry, middle: float, ground: float, *, hole: bool) -> None:
        self.g = g
        self.middle = middle
        self.ground = ground
        self.hole = hole
        m = g.measures
        self.light = m.light_part * g.pitch_mm
        self.seat = -m.top_mm if hole else 0.0
        self.under_top = -m.top_mm
        self.under_floor = self.under_top - m.floor_mm
        self.under_carrier = self.under_floor - m.carrier_mm
        self.tip = self.under_floor if hole else self.under_top

    def at(self, x: float, z: float) -> Point:
        return self.middle + x * _SCALE, self.ground - z * _SCALE

    def box(self, left: float, low: float, right: float, high: float, fill: str) -> str:
        points = ((left, low), (right, low), (right, high), (left, high))
        return svg.area([self.at(*point) for point in points], fill, svg.INK, 0.25)

    def clear(self, middle: float, across: float, low: float, high: float, fill: str) -> str:
        left, right = middle - across / 2, middle + across / 2
        points = ((left, low), (right, low), (right, high), (left, high))
        return svg.area([self.at(*point) for point in points], fill)


def section(g: Geometry) -> str:
    """Return the picture: a Shif on a hex, and a Sentinel in a hole."""
    tall, short = solids(g)
    wide = 2 * _REACH_MM * _SCALE
    ground = (tall.height_mm + 6) * _SCALE
    depth = g.measures.plates_mm + g.measures.reed_glass_mm + 14
    cuts = (
        _Cut(g, wide / 2 + 10, ground, hole=False),
        _Cut(g, wide * 1.5 + 76, ground, hole=True),
    )
    parts: list[str] = []
    for cut, piece in zip(cuts, (short, tall), strict=True):
        parts += [*_wood(cut), *_below(cut), *_piece(cut, piece)]
    parts += _words(cuts[0], cuts[1])
    title = "A hex and a hole, cut through the middle and the light"
    return svg.document(2 * wide + 100, ground + depth * _SCALE, title, parts)


def _wood(cut: _Cut) -> Iterator[str]:
    g, m = cut.g, cut.g.measures
    yield cut.box(-_REACH_MM, cut.under_top, _REACH_MM, 0, _WOODS["top"])
    yield cut.box(-_REACH_MM, cut.under_floor, _REACH_MM, cut.under_top, _WOODS["floor"])
    yield cut.box(-_REACH_MM, cut.under_carrier, _REACH_MM, cut.under_floor, _WOODS["carrier"])
    if cut.hole:
        yield cut.clear(0, g.pit_mm, cut.under_top, 0.2, svg.PAPER)
        # The hole is open toward its lights.
        yield cut.clear(0, 2 * cut.light, cut.under_top, 0.2, svg.PAPER)
    else:
        yield cut.clear(0, m.reed_bore_mm, cut.under_floor, cut.under_top, svg.PAPER)
    yield cut.clear(0, m.reed_bore_mm, cut.under_carrier, cut.under_floor, svg.PAPER)
    for light in (cut.light, -cut.light):
        yield cut.clear(light, m.light_hole_mm, cut.under_floor, 0.2, _GLOW)
        yield cut.clear(light, m.pixel_pocket_mm, cut.under_carrier, cut.under_floor, svg.PAPER)
        half = m.light_hole_mm / 2
        yield cut.box(light - half, cut.under_floor + 1, light + half, 0, _PLUG)


def _below(cut: _Cut) -> Iterator[str]:
    """Yield reed, thin wire, diode and pixel."""
    m = cut.g.measures
    top, half = cut.tip - m.reed_stub_mm, m.reed_across_mm / 2
    bottom = top - m.reed_glass_mm
    side = m.reed_bore_mm / 2 - 0.3
    yield svg.line([cut.at(0, cut.tip), cut.at(0, bottom - 9)], _METAL, 1.2)
    yield cut.box(-half, bottom, half, top, _GLASS)
    yield svg.line([cut.at(0, top), cut.at(0, (top + bottom) / 2 + 0.4)], _METAL, 1.2)
    yield svg.line([cut.at(0.5, (top + bottom) / 2 - 1), cut.at(0.1, bottom)], _METAL, 1.2)
    wire = ((0, cut.tip - 0.7), (-side, cut.tip - 1.2), (-side, bottom - 6), (-7, bottom - 6))
    yield svg.line([cut.at(*point) for point in wire], _WIRE, 0.9)
    yield cut.box(-1, bottom - 7, 1, bottom - 3, "#c66900")
    yield cut.clear(0, 2, bottom - 6.6, bottom - 6.1, svg.INK)
    for light in (cut.light, -cut.light):
        yield from _pixel(cut, light)


def _pixel(cut: _Cut, light: float) -> Iterator[str]:
    board, face = cut.g.measures.pixel_mm / 2, cut.under_floor
    yield cut.box(light - 2.5, face - 1.6, light + 2.5, face, "#f5f5f5")
    yield cut.box(light - board, face - 2.6, light + board, face - 1.6, _PIXEL)
    for x, colour in ((-2.5, "#b3261e"), (0, "#2e7d32"), (2.5, svg.INK)):
        places = ((light + x, face - 2.6), (light + x, cut.under_carrier - 4))
        yield svg.line([cut.at(*place) for place in places], colour, 0.9)


def _piece(cut: _Cut, piece: Solid) -> Iterator[str]:
    g, m = cut.g, cut.g.measures
    foot = cut.seat + m.felt_mm
    outline = [cut.at(r, foot + z) for r, z in piece.outline]
    outline += [cut.at(-r, foot + z) for r, z in reversed(piece.outline)]
    yield svg.area(outline, "#fdf6e4", svg.INK, 0.35)
    yield cut.box(1 - g.base_mm / 2, cut.seat, g.base_mm / 2 - 1, foot, "#4b7f52")
    low = foot + m.magnet_clearance_mm
    half = g.magnet.across_mm / 2
    ring, hole = m.ring_across_mm / 2, m.ring_hole_mm / 2
    for left in (-ring, hole):
        yield cut.box(left, foot, left + ring - hole, foot + m.ring_high_mm, "#c9a227")
    yield cut.box(-half, low, half, low + g.magnet.high_mm, "#5f6b75")


def _words(hexed: _Cut, holed: _Cut) -> Iterator[str]:
    """Yield what the parts are called, with lines to them."""
    g, m = hexed.g, hexed.g.measures
    half = m.ring_across_mm / 2
    reed = hexed.tip - m.reed_stub_mm - m.reed_glass_mm / 2
    between = hexed.middle + _REACH_MM * _SCALE + 8
    notes = (
        (hexed, 0.0, 2.5, f"magnet {g.magnet.across_mm:g} x {g.magnet.high_mm:g}", 14.0),
        (hexed, half - 2, g.measures.felt_mm + 0.8, f"ring of brass {m.ring_across_mm:g}", 8.5),
        (hexed, hexed.light, -2.5, f"light hole {m.light_hole_mm:g}, clear plug", 3.0),
        (hexed, 22.0, -1.5, f"top {m.top_mm:g}", -1.5),
        (hexed, 22.0, -4.5, f"floor {m.floor_mm:g}", -5.0),
        (hexed, 22.0, -9.0, f"carrier {m.carrier_mm:g}", -9.0),
        (hexed, hexed.light + 4, hexed.under_floor - 2.1, "pixel, face up", -13.0),
        (hexed, 1.1, reed, "reed, upright", -18.0),
        (hexed, 1.0, reed - 12, "diode, band down", reed - 12),
    )
    for cut, x, z, text, level in notes:
        start, end = cut.at(x, z), (between - 1.5, cut.at(0, level)[1])
        yield svg.line([start, end], svg.INK, 0.25)
        yield svg.disc(start, 0.7, svg.INK)
        yield svg.words(text, (between, end[1] + 1.6), _WORDS_MM)
    x, z = -m.reed_bore_mm / 2, hexed.tip - m.reed_stub_mm - m.reed_glass_mm - 6
    place = hexed.at(x - 5.5, z)
    yield svg.words("thin wire", (place[0], place[1] + 1.6), _WORDS_MM, anchor="end")
    for cut, title in (
        (hexed, "A hex"),
        (holed, "A hole: it glows from its sides"),
    ):
        yield svg.words(title, cut.at(-_REACH_MM, -36), 6.0, bold=True)
    gap = f"magnet to the reed's glass: {m.depth_mm:g} mm in both"
    yield svg.words(g.mark, hexed.at(-_REACH_MM, 30), 3.6)
    yield svg.words(gap, (holed.middle - _REACH_MM * _SCALE, holed.at(0, -32)[1]), _WORDS_MM)
