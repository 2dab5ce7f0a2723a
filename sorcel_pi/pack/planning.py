"""From board and config to a `Geometry`; what cannot be built is refused here, in words."""

from itertools import combinations
from math import cos, dist, inf, isfinite, sin, sqrt

from ..config.schema import Config, MockConfig
from ..drivers.mock.field import COMMON_REEDS_MT
from ..errors import quote
from ..rules.board import Board
from ..rules.hexgrid import spaces_of
from .contacts import pitches, reed_fields, window
from .geometry import LIGHT_ANGLES, PLATES, Geometry, Point
from .magnetics import Disc
from .measures import DEPTHS_MM, MAGNETS, MIN_PITCH_MM, PITCH_MM, GeometryError, Measures


def plan(
    board: Board,
    config: Config,
    *,
    pitch_mm: float | None = None,
    measures: Measures | None = None,
) -> Geometry:
    """Return the geometry of a board; the magnet is that of the config's [mock].

    The pitch, where it is not given, is the config's [mock] pitch_mm if that was changed, else
    `PITCH_MM`: the simulated table's own usual pitch is for no real board.
    Raises `GeometryError` that says what cannot be built, and why.
    """
    m = Measures() if measures is None else measures
    pitch = _usual_pitch(config) if pitch_mm is None else pitch_mm
    magnet = MAGNETS[config.mock.magnet]
    centres = tuple(board.grid.centre(k, pitch) for k in range(board.grid.n))
    reeds = _check_field(pitch, magnet, m)
    made = Geometry(
        board=board,
        pitch_mm=pitch,
        magnet=magnet,
        measures=m,
        centres=centres,
        lights=tuple(_lights(centre, m.light_part * pitch) for centre in centres),
        reeds_mt=reeds,
        cluster=_cluster(board),
    )
    _check_space(made)
    for plate in PLATES:
        _check_holes(made, plate)
    return made


def _usual_pitch(config: Config) -> float:
    mock = config.mock.pitch_mm
    return PITCH_MM if mock == MockConfig().pitch_mm else mock


def _lights(centre: Point, away: float) -> tuple[Point, Point]:
    """Return the middles of the two light holes of a space."""
    x, y = centre
    north, south = (
        (round(x + away * cos(turn), 9), y + away * sin(turn)) for turn in LIGHT_ANGLES.values()
    )
    return north, south


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


def _check_field(pitch: float, magnet: Disc, m: Measures) -> tuple[float, float]:
    """Return between which fields, in mT, a reed has to close."""
    name = f"{magnet.across_mm:g} x {magnet.high_mm:g} mm"
    if not DEPTHS_MM[0] <= m.depth_mm <= DEPTHS_MM[1]:
        raise GeometryError(
            f"from magnet to the glass of a reed are {m.depth_mm:g} mm ({m.wood_mm:g} mm of wood, "
            f"felt, clearance and lead): expected {DEPTHS_MM[0]:g} to {DEPTHS_MM[1]:g} mm, at best "
            "4 to 6"
        )
    least, most = pitches(magnet, m.depth_mm, MIN_PITCH_MM)
    if not isfinite(pitch) or not least <= pitch <= most:
        raise GeometryError(f"pitch {pitch:g} mm: {_what_would_do(pitch, name, least, most)}")
    low, high = window(reed_fields(magnet, pitch, m.depth_mm))
    if not low < min(high, COMMON_REEDS_MT[1]):  # between two half mm
        raise GeometryError(f"pitch {pitch:g} mm: {_what_would_do(pitch, name, least, most)}")
    return low, high


def _what_would_do(pitch: float, name: str, least: float, most: float) -> str:
    """Return why a pitch does not do, and which would."""
    if least == inf:
        return f"no pitch works with magnets of {name} and this wood; take 6x3 magnets"
    why = (
        f"nearer together, magnets of {name} act on the reeds of their neighbours"
        if not pitch > most
        else f"in so wide a hex a piece at its side is too far from the reed for magnets of {name}"
    )
    return f"with magnets of {name} {least:g} to {most:g} mm work; {why}"


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
