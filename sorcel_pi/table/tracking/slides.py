"""Pieces that slide over on contacts which overlap: the next contact closes before theirs opens."""

from .pieces import Arrival, Shove, Token
from .shoves import TOO_QUICK_S
from .standing import Standing


def find_slide(belief: Standing, near: int, now: float) -> Shove | None:
    """Return the slide, or the shove of a line, that begins on `near`, if one has ended."""
    arrival = belief.newcomer or belief.landed
    line = _line_to(belief, near, arrival) if arrival is not None else []
    if arrival is None or not line or not arrival.neighbours >> line[-1] & 1:
        return None
    moved = [belief.standing[space] for space in line]
    shove = Shove(tuple(zip(moved, [*line[1:], arrival.space], strict=True)), sure=True)
    waited_s = now - arrival.since_s
    if arrival.token is None and len(line) == 1:
        likely = _outwaits(belief, moved[0], arrival, waited_s)
    else:
        likely = _outdoes(belief, shove, arrival, waited_s)
    return shove if likely else None


def _line_to(belief: Standing, near: int, arrival: Arrival) -> list[int]:
    """Return the spaces of the unbroken line of pieces from `near` up to the arrival."""
    for direction in range(6):
        line = [near]
        for space in belief.grid.ray(near, direction):
            if space == arrival.space:
                return line if near in belief.standing else []
            if space not in belief.standing:
                break
            line.append(space)
    return []


def _outwaits(belief: Standing, token: Token, arrival: Arrival, waited_s: float) -> bool:
    """Whether `token` may still be what has come, rather than a piece from beside the board."""
    if not belief.wish.placeable >> arrival.space & 1:
        return True
    patient = token.piece in belief.wish.mover or belief.wish.target is not None
    return waited_s <= (belief.waits.slide_s if patient else belief.waits.settle_s)


def _outdoes(belief: Standing, shove: Shove, arrival: Arrival, waited_s: float) -> bool:
    """Whether `shove` is likelier than what the arrival has been taken for."""
    if arrival.token is not None and _belongs(belief, arrival.token, arrival.space):
        return False
    target, first = belief.wish.target, shove.places[0][0]
    if target is None:
        back = arrival.token is not None and belief.came_from(arrival.token, arrival.space)
        slides = first.piece in belief.wish.mover and len(shove.places) == 1 and not back
        return waited_s <= (belief.waits.settle_s if slides else TOO_QUICK_S)
    if all(end is not None and target.get(end) is t.piece for t, end in shove.places):
        return waited_s <= belief.waits.slide_s
    return waited_s <= TOO_QUICK_S


def _belongs(belief: Standing, token: Token, space: int) -> bool:
    """Whether `token` itself may have been meant to come to `space`."""
    if belief.wish.target is None:
        steps = token.origin is not None and belief.grid.adjacent[token.origin] >> space & 1
        return token.piece in belief.wish.mover and bool(steps)
    if token.home is None:
        return False
    stays = token.home == space and belief.wish.target.get(space) is token.piece
    hinted = belief.wish.hints.get(token.home) == space
    return stays or hinted or bool(belief.wish.returns.get(token.home, 0) >> space & 1)


def take_slide(belief: Standing, shove: Shove, now: float) -> None:
    """Take what has come as the end of `shove`, and leave in the hand what it was taken for."""
    arrival = belief.newcomer or belief.landed
    assert arrival is not None
    belief.newcomer = belief.landed = None
    if arrival.undo is not None:
        arrival.undo()
    first = shove.places[0][0]
    for token, _ in shove.places:
        assert token.space is not None
        del belief.standing[token.space]
        token.origin, token.lifted_s = token.space, arrival.since_s
    for token, end in shove.places:
        assert end is not None
        belief.put(token, end, now)
    belief.last_space = first.space
    belief.part_with_surplus()
