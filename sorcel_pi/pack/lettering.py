"""Names in single strokes, for a laser or a router that follows a line.

A font would be another on each machine, or an outline that burns twice.  Only what names of
spaces, numbers and the words on row boards need is here: digits and some small letters, on a grid
in which small letters are 4 high and digits 6.
"""

from collections.abc import Iterator

from .geometry import Point
from .shapes import Layer, Path, polygon

HEIGHT = 6.0
"""Of a digit, in units of the grid."""
_GAP = 1.3

_STROKES = {
    "0": "10 30 41 45 36 16 05 01 10",
    "1": "05 26 20;00 40",
    "2": "05 16 36 45 44 00 40",
    "3": "05 16 36 45 44 33 13;33 42 41 30 10 01",
    "4": "30 36 02 42",
    "5": "46 06 03 14 34 43 41 30 10 01",
    "6": "36 26 04 01 10 30 41 42 33 13 02",
    "7": "06 46 20",
    "8": "13 04 05 16 36 45 44 33 13 02 01 10 30 41 42 33",
    "9": "10 20 42 45 36 16 05 04 13 33 44",
    "a": "33 24 14 03 01 10 20 31;34 30",
    "b": "06 00;03 14 24 33 31 20 10 01",
    "c": "33 24 14 03 01 10 20 31",
    "d": "36 30;33 24 14 03 01 10 20 31",
    "e": "02 32 33 24 14 03 01 10 30",
    "f": "36 26 15 10;04 24",
    "g": "33 24 14 03 01 10 20 31;34 3- 2= 1= 0-",
    "h": "06 00;03 14 24 33 30",
    "i": "04 14 10;15 16",
    "j": "14 1- 0=;15 16",
    "k": "06 00;34 01;12 30",
    "l": "06 16 11 20",
    "m": "04 00;03 14 23 20;23 34 43 40",
    "n": "04 00;03 14 24 33 30",
    "o": "10 20 31 33 24 14 03 01 10",
    "r": "04 00;03 14 24",
    "t": "16 11 20;04 24",
    "u": "04 01 10 20 31;34 30",
    "v": "04 20 44",
}
_UNITS = {str(k): float(k) for k in range(7)} | {"-": -1.0, "=": -2.0}


def _glyph(letter: str) -> tuple[tuple[Point, ...], ...]:
    """Return the strokes of a letter in units of the grid."""
    return tuple(
        tuple((_UNITS[point[0]], _UNITS[point[1]]) for point in stroke.split())
        for stroke in _STROKES[letter].split(";")
    )


def _width(letter: str) -> float:
    return max(x for stroke in _glyph(letter) for x, _ in stroke)


def width_of(text: str, size_mm: float) -> float:
    """Return how wide `text` is with digits `size_mm` high."""
    units = sum(map(_width, text)) + _GAP * (len(text) - 1)
    return units * size_mm / HEIGHT


def lettered(layer: Layer, text: str, middle: Point, size_mm: float) -> Iterator[Path]:
    """Yield the strokes of `text` around `middle`, with digits `size_mm` high.

    >>> [len(path.vertices) for path in lettered(Layer.ENGRAVE, "e5", (0, 0), 4)]
    [9, 10]
    """
    unit = size_mm / HEIGHT
    x = middle[0] - width_of(text, size_mm) / 2
    y = middle[1] - size_mm / 2
    for letter in text:
        for stroke in _glyph(letter):
            yield polygon(layer, ((x + a * unit, y + b * unit) for a, b in stroke), closed=False)
        x += (_width(letter) + _GAP) * unit
