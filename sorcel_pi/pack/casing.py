"""The case as a drawing: six mitred walls around the plates, ledges that carry them, corner blocks.

Seen from above, with the walls laid flat below.  A saw makes it, from strips of wood; the numbers
for the saw are `cuts`, which the list of parts shows too.
"""

from collections.abc import Iterator
from math import sqrt
from typing import NamedTuple

from .geometry import Geometry, corners
from .shapes import Circle, Drawing, Layer, Note, Path, Shape, polygon, rectangle, with_remarks


class Cut(NamedTuple):
    """Strips of wood: how many, what for, and length x width x thickness."""

    number: int
    what: str
    length_mm: float
    width_mm: float
    thick_mm: float


def inside_mm(g: Geometry) -> float:
    """Return how far the inner faces of the walls are from the middle."""
    return g.edge_mm + g.measures.gap_mm


def cuts(g: Geometry) -> tuple[Cut, ...]:
    """Return the strips to saw; lengths are the longer side of the mitre."""
    m = g.measures
    inner = inside_mm(g)
    wall, ledge = (inner + m.wall_mm) * 2 / sqrt(3), inner * 2 / sqrt(3)
    return (
        Cut(2, "walls at the seats, with a button each", wall, m.height_mm, m.wall_mm),
        Cut(1, "wall with menu button and cable", wall, m.height_mm, m.wall_mm),
        Cut(3, "plain walls", wall, m.height_mm, m.wall_mm),
        Cut(6, "ledges under the plates", ledge, m.ledge_mm, m.ledge_mm),
        Cut(6, "ledges over the back", ledge, m.ledge_mm, m.ledge_mm),
    )


def frame(g: Geometry) -> Drawing:
    """Return the drawing of the case."""
    m = g.measures
    inner, outer = inside_mm(g), inside_mm(g) + m.wall_mm
    plan: list[Shape] = [
        polygon(Layer.CUT, corners((0, 0), outer * 2 / sqrt(3), 0)),
        polygon(Layer.CUT, corners((0, 0), inner * 2 / sqrt(3), 0)),
        polygon(Layer.NOTES, corners((0, 0), (inner - m.ledge_mm) * 2 / sqrt(3), 0)),
    ]
    for a, b in zip(
        corners((0, 0), inner * 2 / sqrt(3), 0),
        corners((0, 0), outer * 2 / sqrt(3), 0),
        strict=True,
    ):
        plan.append(polygon(Layer.CUT, (a, b), closed=False))
    below = -outer - 20
    for k, words in enumerate(("seats (2)", "menu and cable (1)", "plain (3)")):
        plan += _wall(g, below - (k + 1) * (m.height_mm + 14), words)
    return with_remarks(
        Drawing(
            "frame",
            f"Case, walls {m.wall_mm:g} x {m.height_mm:g} mm, from above and laid flat",
            tuple(plan),
            (
                "To saw: every end is mitred by 30 degrees, so that six walls close; the longer "
                "face is outside.",
                f"Grey lines: ledges of {m.ledge_mm:g} x {m.ledge_mm:g} mm inside, the upper ones "
                f"{m.plates_mm:g} mm below the upper edge, the lower ones {m.back_mm:g} mm above "
                "the lower edge.",
                g.mark,
            ),
        )
    )


def _wall(g: Geometry, bottom: float, words: str) -> Iterator[Shape]:
    """Yield a wall, its outer face laid flat: holes, mitres and where the ledges come inside."""
    m = g.measures
    length = (inside_mm(g) + m.wall_mm) * 2 / sqrt(3)
    slope = m.wall_mm / sqrt(3)
    top = bottom + m.height_mm
    yield rectangle(Layer.CUT, -length / 2, bottom, length, m.height_mm)
    for x in (slope - length / 2, length / 2 - slope):
        yield _line((x, bottom), (x, top))
    for y in (top - m.plates_mm, top - m.plates_mm - m.ledge_mm):
        yield _line((slope - length / 2, y), (length / 2 - slope, y))
    for y in (bottom + m.back_mm, bottom + m.back_mm + m.ledge_mm):
        yield _line((slope - length / 2, y), (length / 2 - slope, y))
    middle = (bottom + m.back_mm + top - m.plates_mm) / 2
    if not words.startswith("plain"):
        yield Circle(Layer.CUT, (0, middle), m.button_hole_mm / 2)
    if words.startswith("menu"):
        yield Circle(Layer.CUT, (length / 4, middle), m.cable_hole_mm / 2)
    yield Note(Layer.NOTES, (-length / 2, top + 2), 4.0, f"Wall: {words}")


def _line(a: tuple[float, float], b: tuple[float, float]) -> Path:
    return polygon(Layer.NOTES, (a, b), closed=False)
