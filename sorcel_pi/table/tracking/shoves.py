"""Lines of pieces that were shoved one space on with a finger, read from what the contacts did.

A hand that shoves lifts nothing, but contacts open and close as if it did: all of a line at once,
or only the first and the one beyond the last.  Pure functions of what was lifted and what stands.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...rules.hexgrid import HexGrid
from ...rules.position import Piece
from ..timing import Waits
from .pieces import Shove, Token

TOO_QUICK_S = 0.15
"""No hand carries a piece over another one, from contact to contact, in so short a time."""


class Scene(NamedTuple):
    """What there is to read a shove from.

    `burst` are the tokens lifted at about the same time, wherever they are believed to be now;
    `twitched` says when the contact of a space last opened too briefly to count; `target` is what
    the open task wants, `hints` where the rules move the piece that stood on a space.
    """

    grid: HexGrid
    hexes: int
    waits: Waits
    standing: Mapping[int, Token]
    burst: Sequence[Token]
    twitched: Mapping[int, float]
    target: Mapping[int, Piece]
    hints: Mapping[int, int]


def read_shove(scene: Scene, now: float, *, late: bool = False) -> Shove | None:
    """Return the shove that explains what the contacts did, or None.

    When it is `late`, nothing else explains them either, and what the open task asks for exactly
    is enough.
    """
    times = [token.lifted_s for token in scene.burst]
    if not times or (now - min(times) > 2 * scene.waits.shove_far_s and not late):
        return None
    origins = {token.origin: token for token in scene.burst if token.origin is not None}
    for near in origins:
        if near in scene.standing:
            continue
        for direction in range(6):
            line = _line_from(scene, near, direction, origins)
            if len(line) > 1:
                shove = _shoved(scene, line, direction, origins, now, late)
                if shove is not None:
                    return shove
    return None


def other_reading(scene: Scene, token: Token) -> Shove | None:
    """Return the shove that looks like carrying `token` to where it stands, or None."""
    if token.origin is None or token.space is None:
        return None
    for direction in range(6):
        line = [token.origin]
        for space in scene.grid.ray(token.origin, direction):
            if space == token.space and len(line) > 1:
                moved = [token, *(scene.standing[s] for s in line[1:])]
                return Shove(tuple(zip(moved, [*line[1:], space], strict=True)), sure=False)
            if space not in scene.standing or space == token.space:
                break
            line.append(space)
    return None


def _line_from(scene: Scene, near: int, direction: int, origins: Mapping[int, Token]) -> list[int]:
    """Return the unbroken line of spaces that held pieces before any was lifted."""
    line = [near]
    for space in scene.grid.ray(near, direction):
        stood = scene.standing.get(space)
        if space not in origins and (stood is None or stood in scene.burst):
            break
        if not scene.hexes >> space & 1:
            break
        line.append(space)
    return line


def _shoved(
    scene: Scene,
    line: list[int],
    direction: int,
    origins: Mapping[int, Token],
    now: float,
    late: bool,
) -> Shove | None:
    """Return the shove of `line` if the contacts are now as they are after it."""
    beyond = scene.grid.neighbours[line[-1]][direction]
    falls = _falls(scene, beyond)
    ends: list[int | None] = [*line[1:], None if falls else beyond]
    places = [place for place in ends if place is not None]
    down = {token.space for token in scene.burst if token.space is not None}
    in_air = sum(token.space is None for token in scene.burst)
    if not (
        down <= set(places)
        and all(space in scene.standing for space in places)
        and set(origins) <= set(line)
        and in_air == falls
    ):
        return None
    moved = [origins.get(space) or scene.standing[space] for space in line]
    since = min(token.lifted_s for token in scene.burst)
    still = [space for space in line if space not in origins]
    unlike = len({token.piece for token in moved}) > 1
    if all(scene.twitched.get(space, -1.0) >= since - 0.1 for space in still):
        likely = bool(still) or len(origins) > 1
    else:
        likely = _likely(scene, moved, ends, line[0], now - since, late)
    sure = not (unlike and still)
    return Shove(tuple(zip(moved, ends, strict=True)), sure) if likely else None


def _likely(
    scene: Scene,
    moved: Sequence[Token],
    ends: Sequence[int | None],
    near: int,
    took_s: float,
    late: bool,
) -> bool:
    """Whether pieces were shoved although not all contacts between have so much as twitched.

    A line that really moves twitches, unless its pieces touch; so over an undisturbed line unlike
    pieces count as shoved only where that is just what the open task asks for.
    """
    wanted = near not in scene.target and all(
        end is None or scene.target.get(end) is token.piece
        for token, end in zip(moved, ends, strict=True)
    )
    if None in ends:
        # One contact has opened and no other: pieces that touch, or a piece held in the hand.
        return wanted and late and scene.hints.get(near) == ends[0]
    unlike = len({token.piece for token in moved}) > 1
    if took_s <= TOO_QUICK_S:
        return True
    return took_s <= scene.waits.shove_far_s and (wanted or not unlike)


def _falls(scene: Scene, space: int) -> bool:
    """Whether a piece that is shoved onto `space` is seen no more: an edge, or a full hole."""
    if space < 0:
        return True
    stood = scene.standing.get(space)
    return not scene.hexes >> space & 1 and stood is not None and stood not in scene.burst
