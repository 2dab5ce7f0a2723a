"""The plates as drawings: top, floor, carrier and back, for the board and for the trial.

Top, floor and back are seen from above.  The carrier holds reeds and lights and is worked on from
below, so it is drawn from below, mirrored, with the names on the side that is seen then.
"""

from collections.abc import Iterable, Iterator
from math import acos, asin, dist, pi, sqrt, tan

from .geometry import Geometry, Hole, Point, Region, corners
from .lettering import lettered
from .shapes import (
    Circle,
    Dot,
    Drawing,
    Layer,
    Path,
    Shape,
    mirrored,
    moved,
    polygon,
    with_remarks,
)

NAME_MM, NUMBER_MM = 2.8, 3.0
_NAME_PART = 0.455
"""From the middle of a space to its name, as a part of the pitch."""
_BORDER_MM = 2.5
_MARK_MM = 2.6
"""Radius of the marks at the seats."""
_VENT_MM = 4.0


def plates(g: Geometry, light_order: tuple[int, ...]) -> tuple[Drawing, ...]:
    """Return the drawings of all plates of the board; `light_order` numbers the lights."""
    return (*_three(g, g.whole, light_order, (*_border(g), *_seats(g))), _back(g))


def trial(g: Geometry, light_order: tuple[int, ...]) -> tuple[Drawing, ...]:
    """Return the plates of the trial: seven spaces of the board, moved to the middle."""
    return _three(g, g.trial, light_order, ())


def _three(
    g: Geometry, region: Region, light_order: tuple[int, ...], decoration: tuple[Shape, ...]
) -> tuple[Drawing, ...]:
    m = g.measures
    return (
        _sheet(
            g,
            region,
            "top",
            f"Top, {m.top_mm:g} mm, seen from above, Light's seat below",
            (*_common(g, "top", region), *_face(g, region), *decoration),
            "Sand and varnish the flat top before the lines are engraved, or mask it meanwhile.",
        ),
        _sheet(
            g,
            region,
            "floor",
            f"Floor, {m.floor_mm:g} mm, seen from above, Light's seat below",
            _common(g, "floor", region),
            "It is the floor of the holes: where the top has a hole, it has no bore for a reed.",
        ),
        _sheet(
            g,
            region,
            "carrier",
            f"Carrier of reeds and lights, {m.carrier_mm:g} mm, SEEN FROM BELOW (mirrored: east "
            "is left), Light's seat below",
            (*_common(g, "carrier", region), *_numbers(g, region, light_order)),
            "Engrave the side that will face down: the name of the space below its reed, the "
            "number of its lights above.",
            turned=True,
        ),
    )


def _sheet(
    g: Geometry,
    region: Region,
    name: str,
    title: str,
    shapes: Iterable[Shape],
    remark: str,
    *,
    turned: bool = False,
) -> Drawing:
    """Return a drawing around the middle of its region, from below if `turned`."""
    x, y = region.middle
    around = [moved(shape, -x, -y) for shape in shapes]
    if turned:
        around = [_turned(shape) for shape in around]
    if region.name:
        title = f"Trial of seven spaces. {title}"
    return with_remarks(Drawing(region.name + name, title, tuple(around), (remark, g.mark)))


def _turned(shape: Shape) -> Shape:
    """Return a shape from below; letters are already drawn to be read from there."""
    return shape if isinstance(shape, Path) and shape.layer is Layer.ENGRAVE else mirrored(shape)


def _common(g: Geometry, plate: str, region: Region) -> tuple[Shape, ...]:
    """Return outline, openings and middles of the spaces."""
    radius = region.edge_mm * 2 / sqrt(3)
    return (
        polygon(Layer.CUT, corners(region.middle, radius, 0)),
        *_openings(g.holes(plate, region)),
        *(Dot(Layer.NOTES, g.centres[space]) for space in region.spaces),
    )


def _openings(holes: tuple[Hole, ...]) -> Iterator[Circle | Path]:
    """Yield what is cut out of a plate."""
    pits = {hole.place: hole for hole in holes if hole.use == "hole"}
    for place, pit in pits.items():
        lights = (h for h in holes if h.use == "light" and h.place == place)
        yield keyhole(pit, tuple(lights))
    for hole in holes:
        if hole.use != "hole" and not (hole.use == "light" and hole.place in pits):
            yield Circle(Layer.CUT, hole.centre, hole.radius)


def keyhole(pit: Hole, lights: tuple[Hole, ...]) -> Path:
    """Return the outline of a hole and the light holes beside it as one opening.

    The bridges between them would be too thin to stay; so the hole glows from its sides.  The
    lights are given counter-clockwise, and are alike.
    """
    (x, y), r = pit.centre, lights[0].radius
    half = asin(r / pit.radius)
    meets = sqrt(pit.radius**2 - r**2)
    round_pit = tan((2 * pi / len(lights) - 2 * half) / 4)
    vertices: list[tuple[float, float, float]] = []
    for light in lights:
        (x2, y2), away = light.centre, dist(pit.centre, light.centre)
        ux, uy = (x2 - x) / away, (y2 - y) / away
        for forward, left, bulge in (
            (meets, -r, 0.0),
            (away, -r, 1.0),  # half around the light
            (away, r, 0.0),
            (meets, r, round_pit),  # around the hole to the next light
        ):
            at_x, at_y = x + ux * forward - uy * left, y + uy * forward + ux * left
            vertices.append((at_x, at_y, bulge))
    return Path(Layer.CUT, tuple(vertices), closed=True)


# -- the face of the top --------------------------------------------------------------------------


def _face(g: Geometry, region: Region) -> Iterator[Shape]:
    """Yield hexes and names."""
    yield from _edges(g, region.spaces)
    for space in region.spaces:
        x, y = g.centres[space]
        away = _NAME_PART * g.pitch_mm
        # In the south-western corner of the hex, where neither a hole nor a light is.
        at = x - away * sqrt(3) / 2, y - away / 2
        yield from lettered(Layer.ENGRAVE, g.name(space), at, NAME_MM)


def _edges(g: Geometry, spaces: tuple[int, ...]) -> Iterator[Path]:
    """Yield every side of the hexes once, so that none is burnt twice."""
    seen = set()
    for space in spaces:
        around = g.hexagon(space)
        for a, b in zip(around, around[1:] + around[:1], strict=True):
            key = frozenset((round(x, 3) + 0.0, round(y, 3) + 0.0) for x, y in (a, b))
            if key not in seen:
                seen.add(key)
                yield polygon(Layer.ENGRAVE, (a, b), closed=False)


def _border(g: Geometry) -> Iterator[Path]:
    yield polygon(Layer.ENGRAVE, corners((0, 0), (g.edge_mm - _BORDER_MM) * 2 / sqrt(3), 0))


def _seats(g: Geometry) -> Iterator[Shape]:
    """Yield the marks of the sides at their seats: dots for Light, crescents for Dark."""
    y = (g.field_mm + g.edge_mm - _BORDER_MM) / 2
    for k in (-1, 0, 1):
        x = 4 * k * _MARK_MM
        yield Circle(Layer.FILL, (x, -y), _MARK_MM)
        yield _crescent((x, y))


def _crescent(middle: Point) -> Path:
    """Return a crescent, open to the right: a circle less one that lies to its right."""
    x, y = middle
    part = 0.55  # of the radius, from one circle's middle to the other's
    dx, dy = _MARK_MM * part / 2, _MARK_MM * sqrt(1 - (part / 2) ** 2)
    half = acos(part / 2)
    outer, inner = tan((2 * pi - 2 * half) / 4), -tan(2 * half / 4)
    return Path(Layer.FILL, ((x + dx, y + dy, outer), (x + dx, y - dy, inner)), closed=True)


# -- carrier and back -----------------------------------------------------------------------------


def _numbers(g: Geometry, region: Region, light_order: tuple[int, ...]) -> Iterator[Path]:
    """Yield names and numbers of lights where they are seen from below, to be read from there."""
    middle = region.middle[0]
    for space in region.spaces:
        x, y = g.centres[space]
        x = 2 * middle - x
        number = str(light_order[space])
        yield from lettered(Layer.ENGRAVE, g.name(space), (x, y - 0.185 * g.pitch_mm), NAME_MM)
        yield from lettered(Layer.ENGRAVE, number, (x, y + 0.2 * g.pitch_mm), NUMBER_MM)


def _back(g: Geometry) -> Drawing:
    """Return the panel that closes the case from below, with holes that let warm air out."""
    screws = (hole for hole in g.holes("floor") if hole.use == "screw")
    step = g.pitch_mm / 2
    vents = (
        (column * step, row * step * sqrt(3))
        for row in (-1, 0, 1)
        for column in (range(-3, 4, 2) if row else range(-4, 5, 2))
    )
    shapes: list[Shape] = [polygon(Layer.CUT, corners((0, 0), g.edge_mm * 2 / sqrt(3), 0))]
    shapes += [Circle(Layer.CUT, hole.centre, hole.radius) for hole in screws]
    shapes += [Circle(Layer.CUT, vent, _VENT_MM) for vent in vents]
    title = f"Back, {g.measures.back_mm:g} mm"
    return _sheet(g, g.whole, "back", title, shapes, "The holes let warm air out: keep them free.")
