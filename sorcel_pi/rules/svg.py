"""A position or a cascade as an SVG picture, seen from above with Light in the south.

For the README, the page and the build pack.  The picture needs no colour: sides differ in tone
and mark (Light a dot, Dark a crescent), kinds in form (a Sentinel is large and wears a crown), and
consequences differ from the action in the style of their arrows.  It refers to nothing outside
itself, holds no ids, so that several may stand in one page, and is the same for the same value.

A cascade is drawn on the position before it: a broad hollow arrow is the step, a numbered solid
arrow each consequence in rule order; a crossed ring is a piece that comes off where it stands.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from math import atan2, cos, pi, sin, sqrt
from typing import NamedTuple

from .actions import Cascade, Placement, Step, outcome
from .cascade import Consequence, Event
from .describe import count, describe_cascade, describe_position
from .hexgrid import HexGrid, hexgrid, spaces_of
from .notation import format_action, format_position
from .position import SIDES, Piece, Position, Side, shif

Point = tuple[float, float]

PITCH = 60.0
"""Units of the drawing between the centres of neighbouring spaces."""

CORNER = PITCH / sqrt(3)  # from the centre of a hex to its corners
MARGIN = (
    1.25 * PITCH
)  # from the outermost centres to the edge: rim, and arrows that leave the board
TEXT = 0.25 * PITCH

CARD, INK = "#f7f0e3", "#3a2413"
RIM, RIM_EDGE = "#6d4627", "#452a16"
WOOD, GROOVE = ("#e6c48f", "#dfb97f", "#d8ae72"), "#a67c48"
HOLE, HOLE_EDGE, HOLE_LIP = "#22150d", "#5a3a20", "#f2d9ae"
FILL = {Side.LIGHT: "#fdf6e4", Side.DARK: "#38271f"}
EDGE = {Side.LIGHT: "#3a2413", Side.DARK: "#160d08"}
MARK = {Side.LIGHT: "#7a4a1c", Side.DARK: "#f4dfb6"}
PUSH, HALO, STEP = "#bf2518", "#fffaf0", "#174f7c"

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Geometry:
    """Where the spaces of a board of one side are in its drawing, x to the east and y to the south.

    `width` and `height` are those of the view box, and `centres[k]` is the middle of space k; all
    in units of the drawing, of which `PITCH` lie between neighbours.
    """

    side: int
    width: float
    height: float
    centres: tuple[Point, ...]

    def hexagon(self, space: int, inset: float = 0.0) -> tuple[Point, ...]:
        """Return the six corners of the hex around `space`, moved in by `inset` units."""
        x, y = self.centres[space]
        radius = CORNER - inset * 2 / sqrt(3)
        turns = [pi / 6 + k * pi / 3 for k in range(6)]
        return tuple((x + radius * cos(turn), y + radius * sin(turn)) for turn in turns)


@cache
def geometry(side: int) -> Geometry:
    """Return the geometry of the drawings of boards of `side`.

    >>> geometry(5).centres[30] == (geometry(5).width / 2, geometry(5).height / 2)
    True
    """
    grid = hexgrid(side)
    width = 2 * (PITCH * (side - 1) + MARGIN)
    # Small boards leave too little room in the corners for reserves and words.
    height = 2 * (PITCH * (side - 1) * sqrt(3) / 2 + MARGIN + 0.55 * PITCH * max(0, 5 - side))
    places = (grid.centre(space, PITCH) for space in range(grid.n))
    return Geometry(
        side, width, height, tuple((width / 2 + east, height / 2 - north) for east, north in places)
    )


def draw_position(
    position: Position, *, names: bool = False, lit: Mapping[int, str] | None = None
) -> str:
    """Return `position` as the text of an SVG file.

    `names` writes its name in each space; `lit` gives spaces (by number) a ring of light in a
    colour as SVG writes it, such as `#00c853`.
    """
    title = f"Sorcel: {format_position(position)}"
    return _draw(position, None, title, describe_position(position), names, lit or {})


def draw_cascade(
    cascade: Cascade, *, names: bool = False, lit: Mapping[int, str] | None = None
) -> str:
    """Return `cascade` as the text of an SVG file: the position before it, with arrows.

    `names` and `lit` as in `draw_position`.
    """
    before = cascade.before
    action, *rest = describe_cascade(cascade)
    told = f"{action[0].upper()}{action[1:]}. "
    told += "".join(f"{number}: {each}. " for number, each in enumerate(rest, 1))
    title = f"Sorcel: {format_action(before.board, cascade.action)} in {format_position(before)}"
    return _draw(before, cascade, title, told + describe_position(before), names, lit or {})


def _draw(
    position: Position,
    cascade: Cascade | None,
    title: str,
    description: str,
    names: bool,
    lit: Mapping[int, str],
) -> str:
    board = position.board
    shape = geometry(board.side)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(shape.width)} '
        f'{_n(shape.height)}" width="{_n(shape.width)}" height="{_n(shape.height)}" role="img" '
        'font-family="Arial, Liberation Sans, DejaVu Sans, sans-serif">',
        f"<title>{_text(title)}</title>",
        f"<desc>{_text(description)}</desc>",
        f'<rect width="{_n(shape.width)}" height="{_n(shape.height)}" rx="{_n(PITCH / 4)}" '
        f'fill="{CARD}"/>',
        _rim(shape),
        *_group("hexes", _hexes(shape, board.grid, board.hexes)),
        *_group("holes", (_hole(shape.centres[k]) for k in spaces_of(board.detaining))),
        *_group("lit", _lit(shape, lit)),
        *_group("pieces", _pieces(shape, position)),
        *_group("names", _names(shape, position) if names else iter(())),
        *_group("reserves", _reserves(shape, position)),
        *_group("words", _words(shape, position, cascade)),
    ]
    if cascade is not None:
        parts += _group("action", _action(shape, cascade))
        parts += _group("consequences", _consequences(shape, cascade))
    return "\n".join([*parts, "</svg>", ""])


# -- the board ------------------------------------------------------------------------------------


def _rim(shape: Geometry) -> str:
    """Return the frame: a large hexagon around all hexes."""
    radius = (PITCH * (shape.side - 1) * sqrt(3) / 2 + CORNER + 0.13 * PITCH) * 2 / sqrt(3)
    middle = shape.width / 2, shape.height / 2
    corners = [_along(middle, k * pi / 3, radius) for k in range(6)]
    return (
        f'<path class="rim" d="{_path(corners)}" fill="{RIM}" stroke="{RIM_EDGE}" '
        f'stroke-width="{_n(PITCH / 10)}" stroke-linejoin="round"/>'
    )


def _hexes(shape: Geometry, grid: HexGrid, hexes: int) -> Iterator[str]:
    """Yield the hexes in three tones, no two neighbours alike; around holes the edge is darker."""
    for space, (q, r) in enumerate(grid.axial):
        tone = WOOD[(q - r) % 3]
        edge = GROOVE if hexes >> space & 1 else HOLE_EDGE
        yield (
            f'<path d="{_path(shape.hexagon(space, 0.6))}" fill="{tone}" stroke="{edge}" '
            'stroke-width="1.2"/>'
        )


def _hole(centre: Point) -> str:
    """Return a hole in the wood, whose southern wall catches the light."""
    x, y = centre
    radius = 0.39 * PITCH
    return (
        f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius + 1.5)}" fill="{HOLE_LIP}"/>'
        f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="{HOLE_EDGE}"/>'
        f'<circle cx="{_n(x)}" cy="{_n(y - 2.4)}" r="{_n(radius - 2.6)}" fill="{HOLE}"/>'
    )


def _lit(shape: Geometry, lit: Mapping[int, str]) -> Iterator[str]:
    for space in sorted(lit):
        path = _path(shape.hexagon(space, 3.5))
        yield f'<path d="{path}" fill="none" stroke="{INK}" stroke-width="6.5"/>'
        yield (
            f'<path d="{path}" fill="none" stroke="{_text(lit[space])}" stroke-width="4.5" '
            'stroke-linejoin="round"/>'
        )


def _names(shape: Geometry, position: Position) -> Iterator[str]:
    """Yield the name of each space: in its middle, or in its southern corner below a piece."""
    holes, taken = position.board.detaining, position.occupied
    for space, name in enumerate(position.board.grid.names):
        x, y = shape.centres[space]
        if taken >> space & 1:
            yield _words_at(name, (x, y + 0.51 * PITCH), 0.2 * PITCH, anchor="middle", halo=True)
        else:
            ink = HOLE_LIP if holes >> space & 1 else INK
            yield _words_at(name, (x, y + 0.08 * PITCH), 0.23 * PITCH, anchor="middle", ink=ink)


# -- pieces ---------------------------------------------------------------------------------------


def _pieces(shape: Geometry, position: Position) -> Iterator[str]:
    for space, piece in position.placed():
        held = position.board.detaining >> space & 1
        yield (_detained if held else _piece)(shape.centres[space], piece)


def _piece(centre: Point, piece: Piece, *, scale: float = 1.0, held: bool = False) -> str:
    """Return a piece from above: a Shif is a plain disc, a Sentinel a larger one with a crown.

    A piece that is `held` in a hole has a light edge, which sets it off from the dark.
    """
    side, unit = piece.side, PITCH * scale
    radius = (0.36 if piece.is_sentinel else 0.27) * unit
    height = (0.07 if piece.is_sentinel else 0.03) * unit
    parts = []
    if not held:
        parts.append(
            f'<circle cx="{_n(height)}" cy="{_n(height * 1.3)}" r="{_n(radius)}" '
            'fill="#1d0f05" fill-opacity="0.4"/>'
        )
    parts.append(
        f'<circle r="{_n(radius)}" fill="{FILL[side]}" '
        f'stroke="{HOLE_LIP if held else EDGE[side]}" stroke-width="{_n(0.035 * unit)}"/>'
    )
    # A line inside the edge: the bevel of the wood, and what shows a dark piece on dark ground.
    parts.append(
        f'<circle r="{_n(radius - 0.055 * unit)}" fill="none" stroke="{MARK[side]}" '
        f'stroke-width="{_n(0.025 * unit)}"/>'
    )
    if piece.is_sentinel:
        crown = [_along((0, 0), k * pi / 8, (0.27 if k % 2 else 0.19) * unit) for k in range(16)]
        parts.append(
            f'<path d="{_path(crown)}" fill="none" stroke="{MARK[side]}" '
            f'stroke-width="{_n(0.04 * unit)}" stroke-linejoin="round"/>'
        )
    parts.append(_mark(side, 0.1 * unit))
    x, y = centre
    name = piece.word.lower().replace(" ", "-")
    return f'<g class="{name}" transform="translate({_n(x)} {_n(y)})">{"".join(parts)}</g>'


def _mark(side: Side, radius: float) -> str:
    """Return the mark of `side` around (0, 0): a dot for Light, a crescent for Dark."""
    r = _n(radius)
    if side is Side.LIGHT:
        return f'<circle r="{r}" fill="{MARK[side]}"/>'
    x, y = _n(radius * 0.6), _n(radius * 0.9)
    return (
        f'<path d="M{x} -{y}A{r} {r} 0 1 0 {x} {y}A{_n(radius * 0.95)} {_n(radius * 0.95)} 0 0 1 '
        f'{x} -{y}z" fill="{MARK[side]}"/>'
    )


def _detained(centre: Point, piece: Piece) -> str:
    """Return a piece down in its hole: smaller, half in shadow, inside a bright edge."""
    x, y = centre
    outer, inner = 0.37 * PITCH, 0.6 * PITCH
    shade = (
        f'<path d="M{_n(x - outer)} {_n(y)}A{_n(outer)} {_n(outer)} 0 0 1 {_n(x + outer)} {_n(y)}'
        f'A{_n(inner)} {_n(inner)} 0 0 0 {_n(x - outer)} {_n(y)}z" fill="{HOLE}" '
        'fill-opacity="0.55"/>'
    )
    ring = (
        f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(0.4 * PITCH)}" fill="none" '
        f'stroke="{HOLE_LIP}" stroke-width="3"/>'
    )
    small = _piece(centre, piece, scale=0.7 if piece.is_sentinel else 0.8, held=True)
    return f'<g class="detained">{small}{shade}{ring}</g>'


# -- beside the board -----------------------------------------------------------------------------

_TRAY_COLUMNS = 3
_TRAY_CELL = 0.56 * PITCH


def _reserves(shape: Geometry, position: Position) -> Iterator[str]:
    """Yield the Shifs in reserve: Dark's in the north-west corner, Light's in the south-east."""
    pad = 0.2 * PITCH
    for side, number in zip(SIDES, position.reserve, strict=True):
        rows = 1 if number <= _TRAY_COLUMNS or number > 2 * _TRAY_COLUMNS else 2
        width, height = _TRAY_COLUMNS * _TRAY_CELL, rows * _TRAY_CELL
        left, top = pad, pad
        if side is Side.LIGHT:
            left, top = shape.width - pad - width, shape.height - pad - height
        yield (
            f'<rect x="{_n(left)}" y="{_n(top)}" width="{_n(width)}" height="{_n(height)}" '
            f'rx="{_n(_TRAY_CELL / 2)}" fill="{WOOD[2]}" stroke="{RIM}" stroke-width="2"/>'
        )
        shown = number if number <= 2 * _TRAY_COLUMNS else 1
        for k in range(shown):
            row, column = divmod(k, _TRAY_COLUMNS)
            place = left + (column + 0.5) * _TRAY_CELL, top + (row + 0.5) * _TRAY_CELL
            yield _piece(place, shif(side), scale=0.8)
        if shown < number:
            place = left + 1.1 * _TRAY_CELL, top + _TRAY_CELL / 2 + 0.36 * TEXT
            yield _words_at(f"× {number}", place, TEXT)
        if position.coins is not None:
            purse = f"purse {position.coins[side]}"
            if side is Side.LIGHT:
                yield _words_at(purse, (left + width, top - 0.6 * TEXT), TEXT, anchor="end")
            else:
                yield _words_at(purse, (left, top + height + 1.2 * TEXT), TEXT)


def _words(shape: Geometry, position: Position, cascade: Cascade | None) -> Iterator[str]:
    """Yield whose turn it is, in the south-west corner, and the pot, in the north-east."""
    pad = 0.25 * PITCH
    who = position.side.word.capitalize()
    ended = outcome(position)
    if cascade is not None:
        lines = [f"{who} plays", format_action(position.board, cascade.action)]
    elif ended is None:
        lines = [f"{who} to act", f"{count(position.steps_left, 'step')} left"]
    else:
        winner = ended.winner
        lines = ["Drawn" if winner is None else f"{winner.word.capitalize()} has won", ended.reason]
    for k, line in enumerate(lines):
        place = pad, shape.height - pad - (1 - k) * 1.35 * TEXT
        yield _words_at(line, place, TEXT, bold=k == 0)
    if position.coins is not None:
        for k, line in enumerate((f"pot {position.coins.pot}", f"stake {position.coins.stake}")):
            place = shape.width - pad, pad + TEXT * (0.8 + 1.35 * k)
            yield _words_at(line, place, TEXT, anchor="end", bold=k == 0)


def _words_at(
    text: str,
    place: Point,
    size: float,
    *,
    anchor: str = "start",
    bold: bool = False,
    halo: bool = False,
    ink: str = INK,
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    turned = "" if anchor == "start" else f' text-anchor="{anchor}"'
    words = f'<text x="{_n(place[0])}" y="{_n(place[1])}" font-size="{_n(size)}"{weight}{turned} '
    inside = f">{_text(text)}</text>"
    under = f'{words}stroke="{WOOD[0]}" stroke-width="4" stroke-linejoin="round"{inside}'
    return f'{under if halo else ""}{words}fill="{ink}"{inside}'


# -- arrows ---------------------------------------------------------------------------------------


class _Arrow(NamedTuple):
    """The form of an arrow, in units: shaft, head, and how far it is from where to where."""

    begin: float
    end: float
    half_shaft: float
    half_head: float
    head: float


_STEP_ARROW = _Arrow(0.16 * PITCH, 0.83 * PITCH, 0.1 * PITCH, 0.21 * PITCH, 0.25 * PITCH)
_PUSH_ARROW = _Arrow(0.29 * PITCH, 0.81 * PITCH, 0.05 * PITCH, 0.13 * PITCH, 0.18 * PITCH)
_OFF_ARROW = _PUSH_ARROW._replace(end=1.16 * PITCH)


def _action(shape: Geometry, cascade: Cascade) -> Iterator[str]:
    """Yield the action: a broad hollow arrow, or a ghost of the Shif that is placed."""
    action = cascade.action
    match action:
        case Step(origin, target):
            (x, y), (x2, y2) = shape.centres[origin], shape.centres[target]
            outline = _outline((x, y), atan2(y2 - y, x2 - x), _STEP_ARROW)
            yield (
                f'<path d="{_path(outline)}" fill="{HALO}" fill-opacity="0.92" stroke="{STEP}" '
                'stroke-width="3.4" stroke-linejoin="round"/>'
            )
        case Placement(space):
            x, y = shape.centres[space]
            yield (
                f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(0.4 * PITCH)}" fill="{HALO}" '
                f'stroke="{STEP}" stroke-width="3.4"/>'
            )
            yield _piece((x, y), shif(cascade.before.side))


def _consequences(shape: Geometry, cascade: Cascade) -> Iterator[str]:
    """Yield a crossed ring or an arrow for each consequence, numbered in rule order."""
    grid = cascade.before.board.grid
    rings, arrows, badges = [], [], []
    lanes: Counter[frozenset[Point]] = Counter()
    for number, each in enumerate(cascade.consequences, 1):
        start = shape.centres[each.origin]
        lifted = each.event in (Event.RELEASE, Event.STRAY)
        dq, dr = (0, 0) if lifted else _heading(grid, each)
        # A second arrow on the same way, or back, keeps beside the first; so does a second number.
        way = frozenset((grid.axial[each.origin], _sum(grid.axial[each.origin], (dq, dr))))
        lane = lanes[way]
        lanes[way] += 1
        beside = 0.3 * PITCH * ((lane + 1) // 2) * (1 if lane % 2 else -1)
        if lifted:
            rings.append(_crossed(start))
            badges.append(_badge(_sum(start, (beside, -0.54 * PITCH)), number))
            continue
        turn = atan2(dr * sqrt(3) / 2, dq + dr / 2)
        form = _OFF_ARROW if each.target is None else _PUSH_ARROW
        arrows.append(_push_arrow(_outline(start, turn, form, beside)))
        tail = _along(start, turn, form.begin)
        badges.append(_badge(_along(tail, turn + pi / 2, beside), number))
    yield from (*rings, *arrows, *badges)


def _heading(grid: HexGrid, consequence: Consequence) -> tuple[int, int]:
    """Return the (dq, dr) of a push: a line's pieces lie straight behind what pushes it."""
    origin = grid.axial[consequence.origin]
    if consequence.target is not None:
        target = grid.axial[consequence.target]
        return target[0] - origin[0], target[1] - origin[1]
    assert consequence.cause is not None
    cause = grid.axial[consequence.cause]
    dq, dr = origin[0] - cause[0], origin[1] - cause[1]
    far = max(abs(dq), abs(dr))
    return dq // far, dr // far


def _push_arrow(outline: list[Point]) -> str:
    path = _path(outline)
    return (
        f'<path d="{path}" fill="{HALO}" stroke="{HALO}" stroke-width="5" stroke-linejoin="round"/>'
        f'<path d="{path}" fill="{PUSH}" stroke="{PUSH}" stroke-width="1" stroke-linejoin="round"/>'
    )


def _badge(centre: Point, number: int) -> str:
    """Return the number of a consequence on a disc."""
    x, y = centre
    size = (0.24 if number < 10 else 0.19) * PITCH
    return (
        f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(0.16 * PITCH)}" fill="{PUSH}" stroke="{HALO}" '
        'stroke-width="2"/>'
        f'<text x="{_n(x)}" y="{_n(y + 0.36 * size)}" font-size="{_n(size)}" font-weight="bold" '
        f'text-anchor="middle" fill="{HALO}">{number}</text>'
    )


def _crossed(centre: Point) -> str:
    """Return a crossed ring: the piece here comes off the board."""
    x, y = centre
    radius = 0.38 * PITCH
    reach = radius / sqrt(2)
    lines = (
        f"M{_n(x - reach)} {_n(y - reach)}L{_n(x + reach)} {_n(y + reach)}"
        f"M{_n(x - reach)} {_n(y + reach)}L{_n(x + reach)} {_n(y - reach)}"
    )
    ring = f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}" fill="none"'
    return (
        f'{ring} stroke="{HALO}" stroke-width="6"/>'
        f'<path d="{lines}" stroke="{HALO}" stroke-width="5" stroke-linecap="round"/>'
        f'{ring} stroke="{PUSH}" stroke-width="3" stroke-dasharray="8 4"/>'
        f'<path d="{lines}" stroke="{PUSH}" stroke-width="2.6" stroke-linecap="round"/>'
    )


def _outline(start: Point, turn: float, form: _Arrow, beside: float = 0.0) -> list[Point]:
    """Return the seven corners of an arrow that turns from east, lying `beside` to the right."""
    neck = form.end - form.head
    return [
        _along(_along(start, turn, along), turn + pi / 2, across + beside)
        for along, across in (
            (form.begin, form.half_shaft),
            (neck, form.half_shaft),
            (neck, form.half_head),
            (form.end, 0.0),
            (neck, -form.half_head),
            (neck, -form.half_shaft),
            (form.begin, -form.half_shaft),
        )
    ]


# -- text -----------------------------------------------------------------------------------------


def _sum(a: Point, b: Point) -> Point:
    return a[0] + b[0], a[1] + b[1]


def _along(start: Point, turn: float, length: float) -> Point:
    return start[0] + length * cos(turn), start[1] + length * sin(turn)


def _group(name: str, parts: Iterator[str]) -> list[str]:
    """Return the parts as a group of that class, or nothing when there is none."""
    inside = list(parts)
    return [f'<g class="{name}">', *inside, "</g>"] if inside else []


def _path(points: "list[Point] | tuple[Point, ...]") -> str:
    return "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points) + "z"


def _n(number: float) -> str:
    """Return a number with one decimal at most, never `-0`, the same on every machine."""
    # The millionth decides what lies exactly between two, which sines and cosines leave to chance.
    return f"{round(number + 1e-6, 1) + 0.0:.1f}".removesuffix(".0")


def _text(text: str) -> str:
    """Return `text` for XML: escaped, and what XML cannot hold replaced."""
    return escape(_NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text))
