"""From board and config to a `Geometry`; what cannot be built is refused here, in words."""

from itertools import combinations
from math import cos, dist, isfinite, sin, sqrt

from ..config.schema import Config
from ..drivers.mock.field import COMMON_REEDS_MT, pull_in_range
from ..errors import quote
from ..rules.board import Board
from ..rules.hexgrid import spaces_of
from .geometry import LIGHT_ANGLE, PLATES, Geometry, Point
from .measures import MAGNETS, MAX_REACH_MM, MIN_PITCH_MM, GeometryError, Magnet, Measures


def plan(
    board: Board,
    config: Config,
    *,
    pitch_mm: float | None = None,
    measures: Measures | None = None,
) -> Geometry:
    """Return the geometry of a board; pitch and magnet are those of the config's [mock].

    Raises `GeometryError` that says what cannot be built, and why.
    """
    m = Measures() if measures is None else measures
    pitch = config.mock.pitch_mm if pitch_mm is None else pitch_mm
    magnet = MAGNETS[config.mock.magnet]
    away = m.light_part * pitch
    east, north = away * cos(LIGHT_ANGLE), away * sin(LIGHT_ANGLE)
    centres = tuple(board.grid.centre(k, pitch) for k in range(board.grid.n))
    reeds = _check_field(pitch, magnet, m)
    made = Geometry(
        board=board,
        pitch_mm=pitch,
        magnet=magnet,
        measures=m,
        centres=centres,
        lights=tuple((x + east, y + north) for x, y in centres),
        reeds_mt=reeds,
        cluster=_cluster(board),
    )
    _check_space(made)
    for plate in PLATES:
        _check_holes(made, plate)
    return made


def _cluster(board: Board) -> tuple[int, ...]:
    """Return a space and its six neighbours: a hex near the middle, beside one hole at best."""
    grid = board.grid

    def rank(space: int) -> tuple[bool, int, float, int]:
        around = (grid.adjacent[space] & board.detaining).bit_count()
        far = dist(grid.centre(space), (0.0, 0.0))
        return bool(board.detaining >> space & 1), abs(around - 1), round(far, 6), space

    full = [k for k in range(grid.n) if grid.adjacent[k].bit_count() == 6]
    middle = min(full, key=rank)
    return (middle, *spaces_of(grid.adjacent[middle]))


# -- what cannot be built -------------------------------------------------------------------------


def _check_field(pitch: float, magnet: Magnet, m: Measures) -> tuple[float, float]:
    """Return between which fields, in mT, a reed has to close."""
    name = f"{magnet.across_mm:g} x {magnet.high_mm:g} mm"
    if not isfinite(pitch) or pitch < MIN_PITCH_MM:
        raise GeometryError(
            f"pitch {pitch:g} mm: the least is {MIN_PITCH_MM:g} mm; nearer together, magnets of "
            f"{name} act on the reeds of their neighbours"
        )
    try:
        low, high = pull_in_range(magnet.field, pitch)
    except ValueError as error:
        raise GeometryError(str(error)) from None
    if low >= COMMON_REEDS_MT[1]:
        raise GeometryError(
            f"pitch {pitch:g} mm with magnets of {name}: six neighbours hold a reed closed that "
            f"needs less than {low:.2f} mT, and common ones need at most {COMMON_REEDS_MT[1]:g} "
            "mT; take smaller magnets or a larger pitch"
        )
    if m.reach_mm > MAX_REACH_MM:
        raise GeometryError(
            f"from magnet to reed are {m.reach_mm:g} mm ({m.wood_mm:g} mm of wood, felt and "
            f"clearance): the most is {MAX_REACH_MM:g} mm"
        )
    return low, high


def _check_space(g: Geometry) -> None:
    """Refuse what does not go together on one space."""
    m = g.measures
    near = m.light_part * g.pitch_mm - m.light_hole_mm / 2
    pocket = g.magnet.across_mm + m.magnet_clearance_mm
    inner = g.edge_mm - m.ledge_mm
    wrong = {
        f"a base of {g.base_mm:g} mm covers the light hole, which begins {near:.2f} mm from the "
        "middle": g.base_mm / 2 > near,
        f"a light hole {m.light_hole_mm:g} mm wide, {m.light_part:g} of the pitch from the middle, "
        "does not lie inside its hex": _beyond(g) < m.light_hole_mm / 2 + m.web_mm / 2,
        f"a hole {g.pit_mm:g} mm wide leaves no wood between two neighbours": g.pit_mm + m.web_mm
        > g.pitch_mm,
        f"a dish that is level for {g.dish_floor_mm:g} mm has no slope left": g.dish_lip_mm
        < g.dish_floor_mm + 2,
        f"a dish {m.dish_mm:g} mm deep is too deep for a top of {m.top_mm:g} mm": m.top_mm
        < m.dish_mm + 1.5,
        f"a top of {m.top_mm:g} mm is no hole for a rim of {m.rim_mm:g} mm with "
        f"{m.felt_mm:g} mm of felt": m.top_mm <= m.rim_mm + m.felt_mm,
        f"a magnet's pocket of {pocket:g} mm does not fit into a base of {g.base_mm:g} mm": pocket
        > g.base_mm / 2,
        f"pixels of {m.pixel_mm:g} mm do not fit into pockets of "
        f"{m.pixel_pocket_mm:g} mm": m.pixel_mm > m.pixel_pocket_mm,
        f"reeds of {m.reed_across_mm:g} mm with a wire beside them do not fit into bores of "
        f"{m.reed_bore_mm:g} mm": m.reed_across_mm + 1 > m.reed_bore_mm,
        "the ledge that carries the plates covers pockets of pixels; make the band wider": any(
            _out(hole.centre) + hole.radius > inner
            for hole in g.holes("carrier")
            if hole.use != "screw"
        ),
    }
    for words, holds in wrong.items():
        if holds:
            raise GeometryError(f"pitch {g.pitch_mm:g} mm: {words}")


def _beyond(g: Geometry) -> float:
    """Return how far the middle of a light hole is from the nearest sides of its hex."""
    return (g.corner_mm - g.measures.light_part * g.pitch_mm) * sqrt(3) / 2


def _out(place: Point) -> float:
    """Return how far out a place is toward the nearest edge of the plates."""
    x, y = place
    return max(abs(y), abs(x) * sqrt(3) / 2 + abs(y) / 2)


def _check_holes(g: Geometry, plate: str) -> None:
    """Refuse two holes with too little wood between them; a hole and its own light may meet."""
    web = g.measures.web_mm
    for a, b in combinations(g.holes(plate), 2):
        if a.place == b.place and {a.use, b.use} == {"hole", "light"}:
            continue
        wood = dist(a.centre, b.centre) - a.radius - b.radius
        if wood < web - 1e-6:
            raise GeometryError(
                f"the {a.use} of {a.place} and the {b.use} of {b.place} in the {plate} "
                + ("overlap" if wood <= 0 else f"leave {wood:.2f} mm of wood between them")
                + f" (at least {web:g} mm): pitch {g.pitch_mm:g} mm is too small for them"
            )


def check_bed(g: Geometry, bed: str, width_mm: float, height_mm: float) -> None:
    """Refuse a bed or sheet (named `bed`) of wood on which the plates do not fit."""
    long, short = g.plate_mm
    if max(width_mm, height_mm) < long or min(width_mm, height_mm) < short:
        raise GeometryError(
            f"a bed of {quote(bed)} is too small: the plates are {long:.0f} x {short:.0f} mm"
        )
