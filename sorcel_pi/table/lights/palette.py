"""Palettes: the colours that the signs are shown in.

Values are as a screen would show them (0 to 255, before gamma).  The default was searched for: each
two of its colours stay apart, also in protanopia, deuteranopia and tritanopia.
"""

from typing import NamedTuple

from ...rules.position import Side
from .signs import Ink

Colour = tuple[int, int, int]
"""Red, green, blue, each 0 to 255."""


class Palette(NamedTuple):
    """One colour for each `Ink`, in its order."""

    light: Colour
    dark: Colour
    white: Colour
    red: Colour
    orange: Colour
    violet: Colour
    green: Colour
    magenta: Colour

    def colour(self, ink: Ink, side: Side | None) -> Colour:
        """Return the colour of `ink` for a lamp of `side`."""
        if ink is Ink.SIDE:
            ink = Ink.WHITE if side is None else (Ink.LIGHT, Ink.DARK)[side]
        return self[ink]


DEFAULT = Palette(
    light=(255, 220, 0),
    dark=(0, 20, 255),
    white=(255, 255, 255),
    red=(215, 0, 0),
    orange=(255, 130, 0),
    violet=(185, 110, 255),
    green=(0, 205, 140),
    magenta=(255, 0, 195),
)
# Lighter where the default is dark, for weak eyes and bright rooms.
CONTRAST = Palette(
    light=(255, 240, 0),
    dark=(0, 90, 255),
    white=(255, 255, 255),
    red=(255, 0, 0),
    orange=(255, 140, 0),
    violet=(205, 130, 255),
    green=(0, 255, 130),
    magenta=(255, 60, 200),
)
# For a dark room: a third of the light.
DIM = Palette._make((r * 6 // 10, g * 6 // 10, b * 6 // 10) for r, g, b in DEFAULT)

PALETTES: dict[str, Palette] = {"default": DEFAULT, "contrast": CONTRAST, "dim": DIM}
