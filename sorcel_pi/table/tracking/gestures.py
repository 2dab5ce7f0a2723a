"""What hands did, read from what the contacts did: lines shoved with a finger, pieces slid over.

A hand that shoves lifts nothing, but contacts open and close as if it did: all of a line at once,
or only the first and the one beyond the last.  Where contacts overlap, the next one closes before
that of a sliding piece opens.  Pure functions: evidence goes in, a reading or None comes out.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ...rules.hexgrid import HexGrid
from ...rules.position import Piece
from ..timing import Timing
from .pieces import Goal, PendingPlacement, Shove, TrackedPiece, TrackerState

TOO_QUICK_S = 0.15
"""No hand carries a piece over another one, from contact to contact, in so short a time."""


class Evidence(NamedTuple):
    """What there is to read a gesture from: board, waiting times, what is believed and wanted."""

    grid: HexGrid
    hexes: int
    timing: Timing
    state: TrackerState
    goal: Goal

    @property
    def target(self) -> Mapping[int, Piece]:
        """What the open task wants where; empty without one."""
        return self.goal.target or {}

    @property
    def standing(self) -> Mapping[int, TrackedPiece]:
        """What stands on the board."""
        return self.state.standing


def came_from(goal: Goal, piece: TrackedPiece, space: int) -> bool:
    """Whether `space` counts as where `piece` came from."""
    further = goal.returns.get(piece.home, 0) if piece.home is not None else 0
    return space in (piece.origin, piece.home) or bool(further >> space & 1)


# -- shoved lines -------------------------------------------------------------------------------


def shove_at(evidence: Evidence, now: float, lifted_s: float, *, late: bool) -> Shove | None:
    """Return the shove that explains what was lifted at about `lifted_s`, or None.

    When it is `late`, the board has settled or another piece is lifted: only then a line that goes
    over an edge or a full hole is taken as shoved.
    """
    off = evidence.state.off
    burst = [
        piece
        for piece in evidence.state.recent
        if abs(piece.lifted_s - lifted_s) <= evidence.timing.shove_s
    ]
    # A piece that was down before this one was lifted, or that has left the board, may have
    # nothing to do with it.
    close = [p for p in burst if p.space is None or p.landed_s >= lifted_s]
    alone = [p for p in close if p.lifted_s == lifted_s or p.id not in off]
    held = [p for p in close if p.lifted_s == lifted_s] if late else alone
    tries = (_read_shove(evidence, each, now, late) for each in (burst, close, alone, held))
    return next((shove for shove in tries if shove is not None), None)


def other_readings(evidence: Evidence) -> list[Shove]:
    """Return what else would look like what was lately read.

    Those are shoves that look like what was taken for carrying, and the other way round.
    """
    state = evidence.state
    readings = [_other_reading(evidence, piece) for piece in state.recent]
    readings += [_carried(evidence, state.those(k for k, _ in line)) for line in state.shoves]
    return [reading for reading in readings if reading is not None]


def _carried(evidence: Evidence, line: Sequence[TrackedPiece]) -> Shove | None:
    """Return the reading that the nearest piece of a shoved line was carried to its far end."""
    spaces = [piece.space for piece in line]
    if None in spaces or any(piece.space not in evidence.standing for piece in line):
        return None
    first, *others = line
    return Shove(((first, spaces[-1]), *zip(others, spaces[:-1], strict=True)), sure=False)


def is_shoving(evidence: Evidence, space: int | None, now: float) -> bool:
    """Whether a piece that has just left the board may be the first of a shoved line.

    `space` is where the next one is being lifted, None where one is put down.
    """
    state, far_s = evidence.state, evidence.timing.shove_far_s
    lately = [piece for piece in state.recent if now - piece.lifted_s <= far_s]
    lifted = {piece.origin for piece in lately}
    held = {piece.origin for piece in state.hand}
    next_ones = {space} if space is not None else held & lifted
    for piece in state.gone:
        if piece.origin is None or piece.origin not in lifted:
            continue
        # What was down again before this one was lifted was carried, and is no part of a line.
        rest = [p for p in lately if p.space is None or p.landed_s >= piece.lifted_s]
        stood = {p.origin for p in rest} | state.on.keys()
        for direction in range(6):
            for place in evidence.grid.ray(piece.origin, direction):
                if place not in stood:
                    break
                if place in next_ones:
                    return True
    return False


def _read_shove(
    evidence: Evidence, burst: Sequence[TrackedPiece], now: float, late: bool
) -> Shove | None:
    """Return the shove of the pieces in `burst`, lifted at about the same time, or None."""
    times = [piece.lifted_s for piece in burst]
    if not times or (now - min(times) > 2 * evidence.timing.shove_far_s and not late):
        return None
    for near in dict.fromkeys(piece.origin for piece in burst if piece.origin is not None):
        if near in evidence.standing:
            continue
        for direction in range(6):
            line = _line_from(evidence, near, direction, burst)
            if len(line) > 1:
                involved = _without_touched(evidence, burst, line, direction)
                shove = _shoved(evidence, line, direction, involved, now, late)
                if shove is not None:
                    return shove
    return None


def _without_touched(
    evidence: Evidence, burst: Sequence[TrackedPiece], line: Sequence[int], direction: int
) -> Sequence[TrackedPiece]:
    """Return `burst` without what a sleeve touched beside a line that was lifted as a whole.

    A piece behind the line may belong to it.
    """
    if not {*line} <= {piece.origin for piece in burst}:
        return burst
    places = (*line, evidence.grid.neighbours[line[0]][(direction + 3) % 6])
    return [p for p in burst if p.origin in places or p.space not in (None, p.origin)]


def _other_reading(evidence: Evidence, piece: TrackedPiece) -> Shove | None:
    """Return the shove that looks like carrying `piece` to where it stands, or None."""
    if piece.origin is None or piece.space is None:
        return None
    for direction in range(6):
        line = [piece.origin]
        for space in evidence.grid.ray(piece.origin, direction):
            if space == piece.space and len(line) > 1:
                moved = [piece, *(evidence.standing[s] for s in line[1:])]
                return Shove(tuple(zip(moved, [*line[1:], space], strict=True)), sure=False)
            if space not in evidence.standing or space == piece.space:
                break
            line.append(space)
    return None


def _line_from(
    evidence: Evidence, near: int, direction: int, burst: Sequence[TrackedPiece]
) -> list[int]:
    """Return the unbroken line of spaces that held pieces before any was lifted."""
    origins = {piece.origin for piece in burst}
    line = [near]
    for space in evidence.grid.ray(near, direction):
        stood = evidence.standing.get(space)
        if space not in origins and (stood is None or stood in burst):
            break
        if not evidence.hexes >> space & 1:
            break
        line.append(space)
    return line


def _shoved(
    evidence: Evidence,
    line: list[int],
    direction: int,
    burst: Sequence[TrackedPiece],
    now: float,
    late: bool,
) -> Shove | None:
    """Return the shove of `line` if the contacts are now as they are after it."""
    origins = {piece.origin: piece for piece in burst if piece.origin is not None}
    beyond = evidence.grid.neighbours[line[-1]][direction]
    falls = _falls(evidence, beyond, burst)
    ends: list[int | None] = [*line[1:], None if falls else beyond]
    places = [place for place in ends if place is not None]
    down = {piece.space for piece in burst if piece.space is not None}
    in_air = sum(piece.space is None for piece in burst)
    moves = list(zip(line, ends, strict=True))
    if not (
        down <= set(places)
        and all(space in evidence.standing for space in places)
        and set(origins) <= set(line)
        and in_air == falls
        and not any(_came_before(evidence, origins.get(k), end, burst) for k, end in moves)
    ):
        return None
    moved = [origins.get(space) or evidence.standing[space] for space in line]
    since = min(piece.lifted_s for piece in burst)
    still = [space for space in line if space not in origins]
    unlike = len({piece.piece for piece in moved}) > 1
    if falls:
        likely = late and not moved[0].led and _is_wanted(evidence, moved, ends, line, beyond)
    elif moved[0].led and not _is_asked(evidence, zip(moved, ends, strict=True)):
        likely = False  # it was carried to where the lights asked for it, and the rest touched
    elif still:
        likely = _is_quick(evidence, moved, ends, line[0], now - since)
    else:
        likely = len(origins) > 1
    return Shove(tuple(zip(moved, ends, strict=True)), not (unlike and still)) if likely else None


def _came_before(
    evidence: Evidence,
    piece: TrackedPiece | None,
    end: int | None,
    burst: Sequence[TrackedPiece],
) -> bool:
    """Whether another piece of `burst` was put down on `end` when `piece` still stood."""
    there = evidence.standing.get(end) if end is not None else None
    if piece is None or there is None or there not in burst:
        return False
    return there.landed_s < piece.lifted_s - TOO_QUICK_S


def _is_wanted(
    evidence: Evidence,
    moved: Sequence[TrackedPiece],
    ends: Sequence[int | None],
    line: Sequence[int],
    beyond: int,
) -> bool:
    """Whether the open action asks for just that these pieces have moved so.

    The farthest must be one that it wants off the board, or in the full hole `beyond`.
    """
    goal, near = evidence.goal, line[0]
    if goal.hints.get(near) != ends[0] or near in evidence.target:
        return False
    if goal.hints.get(line[-1], beyond) != beyond:
        return False
    return _is_asked(evidence, zip(moved, ends, strict=True))


def is_asked(evidence: Evidence, shove: Shove) -> bool:
    """Whether the open task wants the pieces of `shove`, or like ones, where they have come to."""
    return _is_asked(evidence, shove.places)


def _is_asked(evidence: Evidence, places: Iterable[tuple[TrackedPiece, int | None]]) -> bool:
    return all(end is None or evidence.target.get(end) is piece.piece for piece, end in places)


def _is_quick(
    evidence: Evidence,
    moved: Sequence[TrackedPiece],
    ends: Sequence[int | None],
    near: int,
    took_s: float,
) -> bool:
    """Whether a near lift and a far drop over an undisturbed middle were a shove.

    Slower than `shove_far_s`, or where the open task asks for something else, the near piece was
    carried to the far end.  With nothing open, unlike pieces are taken as carried: the action that
    is judged later may say otherwise (`other_readings`).
    """
    if took_s <= TOO_QUICK_S:
        return True
    if took_s > evidence.timing.shove_far_s:
        return False
    if evidence.goal.target is None:
        return len({piece.piece for piece in moved}) == 1
    asked = _is_asked(evidence, zip(moved, ends, strict=True))
    return near not in evidence.target and asked


def _falls(evidence: Evidence, space: int, burst: Sequence[TrackedPiece]) -> bool:
    """Whether a piece that is shoved onto `space` is seen no more: an edge, or a full hole."""
    if space < 0:
        return True
    stood = evidence.standing.get(space)
    return not evidence.hexes >> space & 1 and stood is not None and stood not in burst


# -- slides over overlapping contacts -----------------------------------------------------------


def find_slide(evidence: Evidence, near: int, now: float) -> Shove | None:
    """Return the slide, or the shove of a line, that begins on `near`, if one has ended."""
    state = evidence.state
    arrival = state.newcomer or state.landed
    line = _line_to(evidence, near, arrival) if arrival is not None else []
    if arrival is None or not line or not arrival.neighbours >> line[-1] & 1:
        return None
    moved = [state.standing[space] for space in line]
    shove = Shove(tuple(zip(moved, [*line[1:], arrival.space], strict=True)), sure=True)
    waited_s = now - arrival.since_s
    if arrival.taken_as is None and len(line) == 1:
        likely = _outwaits(evidence, moved[0], arrival, waited_s)
    else:
        likely = _outdoes(evidence, shove, arrival, waited_s)
    return shove if likely else None


def _line_to(evidence: Evidence, near: int, arrival: PendingPlacement) -> list[int]:
    """Return the spaces of the unbroken line of pieces from `near` up to the arrival."""
    for direction in range(6):
        line = [near]
        for space in evidence.grid.ray(near, direction):
            if space == arrival.space:
                return line if near in evidence.standing else []
            if space not in evidence.standing:
                break
            line.append(space)
    return []


def _outwaits(
    evidence: Evidence, piece: TrackedPiece, arrival: PendingPlacement, waited_s: float
) -> bool:
    """Whether `piece` may still be what has come, rather than one from beside the board."""
    goal = evidence.goal
    if not goal.placeable >> arrival.space & 1:
        return True
    patient = piece.piece in goal.mover or goal.target is not None
    return waited_s <= (evidence.timing.slide_s if patient else evidence.timing.settle_s)


def _outdoes(evidence: Evidence, shove: Shove, arrival: PendingPlacement, waited_s: float) -> bool:
    """Whether `shove` is likelier than what the arrival has been taken for."""
    goal, timing = evidence.goal, evidence.timing
    taken_as = None if arrival.taken_as is None else evidence.state.now_of(arrival.taken_as)
    if taken_as is not None and _belongs(evidence, taken_as, arrival.space):
        return False
    target, first = goal.target, shove.places[0][0]
    if target is None:
        back = taken_as is not None and came_from(goal, taken_as, arrival.space)
        slides = first.piece in goal.mover and len(shove.places) == 1 and not back
        return waited_s <= (timing.settle_s if slides else TOO_QUICK_S)
    if all(end is not None and target.get(end) is p.piece for p, end in shove.places):
        return waited_s <= timing.slide_s
    return waited_s <= TOO_QUICK_S


def _belongs(evidence: Evidence, piece: TrackedPiece, space: int) -> bool:
    """Whether `piece` itself may have been meant to come to `space`."""
    goal = evidence.goal
    if goal.target is None:
        steps = piece.origin is not None and evidence.grid.adjacent[piece.origin] >> space & 1
        return piece.piece in goal.mover and bool(steps)
    if piece.home is None:
        return False
    stays = piece.home == space and goal.target.get(space) is piece.piece
    hinted = goal.hints.get(piece.home) == space
    return stays or hinted or bool(goal.returns.get(piece.home, 0) >> space & 1)
