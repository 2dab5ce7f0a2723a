"""Lines that were shoved on with a finger: what the contacts show of them, read into the belief."""

from collections.abc import Callable, Mapping

from ...rules.position import Piece
from .pieces import Shove, Token
from .shoves import Scene, other_reading, read_shove
from .standing import Standing


def reread(belief: Standing, now: float) -> None:
    """Read the pieces that were in the hand together anew, now that one more is down."""
    bundle = belief.bundle
    if belief.recent and read_at(belief, now, belief.recent[-1].lifted_s):
        return
    origins = [t.origin for t in bundle]
    if len(bundle) < 2 or belief.hand or None in origins:
        return
    if {t.space for t in bundle} == set(origins) and _agrees(
        belief, {t.origin: t.piece for t in bundle}
    ):
        belief.reassign({t: t.origin for t in bundle if t.origin is not None})


def _agrees(belief: Standing, places: Mapping[int | None, Piece | None]) -> bool:
    """Whether the open task does not speak against `places`."""
    target = belief.wish.target
    return target is None or all(target.get(s) is p for s, p in places.items() if s is not None)


def read_at(belief: Standing, now: float, lifted_s: float, *, late: bool = False) -> bool:
    """Read what was lifted at about `lifted_s` as a shoved line; True if it was one."""
    shove = _shove_at(belief, now, lifted_s, late=late)
    if shove is None:
        return False
    belief.take_over(shove)
    belief.part_with_surplus()
    return True


def _shove_at(belief: Standing, now: float, lifted_s: float, *, late: bool) -> Shove | None:
    """Return the shove that explains what was lifted at about `lifted_s`."""
    burst = [t for t in belief.recent if abs(t.lifted_s - lifted_s) <= belief.waits.shove_s]
    # A piece that was down before this one was lifted, or that has left the board, may have
    # nothing to do with it.
    close = [t for t in burst if t.space is None or t.landed_s >= lifted_s]
    alone = [t for t in close if t.lifted_s == lifted_s or t not in belief.gone]
    held = [t for t in close if t.lifted_s == lifted_s] if late else alone
    tries = (
        read_shove(_scene(belief, tokens), now, late=late) for tokens in (burst, close, alone, held)
    )
    return next((shove for shove in tries if shove is not None), None)


def read_late(belief: Standing, leaving: int, now: float) -> None:
    """Read a shove that only its near contacts show, as another piece is lifted elsewhere.

    A hand that held a piece could hardly lift the one on `leaving`.
    """
    if len(belief.hand) != 1 or belief.hand[0] not in belief.recent:
        return
    shove = _shove_at(belief, now, belief.hand[0].lifted_s, late=True)
    if shove is not None and belief.standing.get(leaving) not in [t for t, _ in shove.places]:
        belief.take_over(shove)
        belief.part_with_surplus()


def _scene(belief: Standing, burst: list[Token]) -> Scene:
    return Scene(
        belief.grid,
        belief.hexes,
        belief.waits,
        belief.standing,
        burst,
        belief.glimpsed,
        belief.wish.target or {},
        belief.wish.hints,
    )


def other_readings(belief: Standing) -> list[Shove]:
    """Return the shoves that would look like what was lately taken for carrying."""
    readings = [other_reading(_scene(belief, []), token) for token in belief.recent]
    return [shove for shove in readings if shove is not None]


def try_out(belief: Standing, shove: Shove) -> Callable[[], None]:
    """Read something as a shove after all; the result, called, undoes that."""
    undo = belief.memory()
    belief.take_over(shove)
    return undo


def is_shoving(belief: Standing, space: int | None, now: float) -> bool:
    """Whether a piece that has just left the board may be the first of a shoved line.

    `space` is where the next one is being lifted, None where one is put down.
    """
    lifted = {t.origin for t in belief.recent if now - t.lifted_s <= belief.waits.shove_far_s}
    stood = lifted | belief.standing.keys()
    next_ones = {space} if space is not None else {t.origin for t in belief.hand} & lifted
    for token in belief.gone:
        if token.origin is None or token.origin not in lifted:
            continue
        for direction in range(6):
            for place in belief.grid.ray(token.origin, direction):
                if place not in stood:
                    break
                if place in next_ones:
                    return True
    return False


def shoved_off(belief: Standing, space: int, now: float) -> bool:
    """Read a drop as the far end of a line whose near piece counted as leaving the board."""
    token = belief.recent[-1] if belief.recent else None
    if token is None or token not in belief.gone:
        return False
    # Tried out: the near piece as if it had been put down here.
    belief.put(token, space, now)
    if read_at(belief, now, token.lifted_s):
        return True
    del belief.standing[space]
    token.space = None
    return False
