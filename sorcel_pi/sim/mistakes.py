"""How people err: they bump, lift a wrong piece, put one on a wrong space, change their mind.

Each slip is put right by the person or, when it waits for that, by the lights' lead; either way it
is counted.  What stands on the board meanwhile is never a legal step that was not meant, unless
the person then takes it back as the documentation says.
"""

from collections.abc import Callable
from math import cos, pi, sin

from ..rules.actions import Step, outcome, resolve
from ..rules.hexgrid import spaces_of
from .following import Follower
from .moves import Move
from .scene import Script, TableError

HOVER_MM = 20.0
_IN_HEX = 0.45
"""So far from the centre, as a part of the pitch, a piece is still in its hex."""
HOLD_S = 2.2

Slip = Callable[[Follower], Script[None]]


def before(person: Follower) -> Script[None]:
    """Do one odd thing before an action."""
    slip = person.rng.choice(_BEFORE)
    person.scene.note(f"slip: {slip.__name__}")
    yield from slip(person)
    yield person.rest()


def lift_wrong(person: Follower) -> Script[None]:
    """Lift a piece, and put it back."""
    found = _any_piece(person)
    if found is not None:
        space, number = found
        _made(person)
        yield person.lift(number)
        yield person.after(0.1, 2.0)
        yield person.set_down(number, space)
        person.scene.counts["mistakes undone"] += 1


def bump(person: Follower) -> Script[None]:
    """Bump a piece within its hex, and put it right."""
    found = _any_piece(person)
    if found is not None:
        space, number = found
        _made(person)
        table = person.scene.table
        x, y, _ = table.position(number)
        (to_x, to_y), far = table.reeds.centres[space], _IN_HEX * table.pitch_mm
        angle = person.rng.uniform(0, 2 * pi)
        dx, dy = to_x + far * cos(angle) - x, to_y + far * sin(angle) - y
        yield table.nudge(number, dx, dy, speed_mm_s=person.rng.uniform(60, 300))
        yield person.after(0.05, 1.5)
        yield table.nudge(number, -dx, -dy, speed_mm_s=100)
        person.scene.counts["mistakes undone"] += 1


def bump_out(person: Follower) -> Script[None]:
    """Bump an enemy piece out of its hex, and put it right or let the lights lead."""
    scene, position = person.scene, person.scene.own.position
    foes = list(spaces_of(position.in_play(position.side.other) & ~scene.dead))
    if not foes:
        return
    space = person.rng.choice(foes)
    free = [near for near in _free_around(person, space) if not _is_put_back(person, space, near)]
    number = scene.piece_on(space)
    if free and number is not None:
        _made(person)
        yield scene.table.slide(number, person.rng.choice(free), speed_mm_s=200)
        yield from _put_right(person, number, space)


def off_and_back(person: Follower) -> Script[None]:
    """Take a piece off the board, and bring it back."""
    found = _any_piece(person)
    if found is not None:
        space, number = found
        _made(person)
        yield from person.take_off(number)
        yield from _put_right(person, number, space)


def wrong_space(person: Follower) -> Script[None]:
    """Put an own piece where it cannot step to, and put it right or let the lights lead."""
    scene, position = person.scene, person.scene.own.position
    own = list(spaces_of(position.in_play(position.side) & ~scene.dead))
    if not own:
        return
    space = person.rng.choice(own)
    number = scene.piece_on(space)
    near = position.board.grid.adjacent[space]
    far = list(spaces_of(position.board.hexes & ~near & ~position.occupied & ~scene.dead))
    if far and number is not None:
        _made(person)
        person.lift(number)
        yield person.set_down(number, person.rng.choice(far))
        yield from _put_right(person, number, space)


def press_wrong(person: Follower) -> Script[None]:
    """Press the button of the side that is not to act, where somebody else plays that side."""
    if person.scene.companion.referee.away:
        return
    _made(person)
    yield from person.press(1 << person.side.other)
    person.scene.counts["mistakes undone"] += 1


def regret(person: Follower) -> Script[None]:
    """Make a step, and take it back: by hand while pieces are still to be pushed, or by button."""
    scene, rng = person.scene, person.rng
    position = scene.own.position
    steps = [a for a in scene.own.legal_actions if isinstance(a, Step)]
    if not steps:
        return
    step = rng.choice(steps)
    cascade = resolve(position, step)
    number = scene.piece_on(step.origin)
    stays = all(step.target not in (e.origin, e.target) for e in cascade.consequences)
    ends = outcome(cascade.after) is not None
    if ends or number is None or not stays or scene.touches_dead(cascade):
        return
    _made(person)
    scene.make(step)
    person.lift(number)
    yield person.set_down(number, step.target)
    yield person.after(0.2, 3.0)
    if scene.wood != scene.goal:
        scene.unmake()
        person.lift(number)
        yield person.set_down(number, step.origin)
        yield from person.follow()
    else:
        yield person.after(0.5, 2.0)
        yield from take_back(person)
    scene.counts["mistakes caught"] += 1


def take_back(person: Follower) -> Script[None]:
    """Hold the own button for 2 s, and put back what the lights say."""
    scene = person.scene
    before = scene.recorded
    scene.taking_back += 1
    yield from person.press(1 << person.side, HOLD_S)
    if scene.recorded >= before:
        raise TableError("lost", "the button was held for 2 s and nothing was taken back")
    scene.taking_back -= 1
    scene.counts["taken back"] += 1
    scene.unmake()
    yield from person.follow()


_BEFORE: tuple[Slip, ...] = (
    lift_wrong,
    lift_wrong,
    bump,
    bump,
    bump_out,
    off_and_back,
    wrong_space,
    press_wrong,
    regret,
)


def hover(person: Follower, piece: int, space: int) -> Script[None]:
    """Hover over some spaces on the way, as if not sure yet."""
    scene = person.scene
    scene.counts["hovers"] += 1
    person.lift(piece)
    around = [k for k in scene.board.grid.neighbours[space] if k >= 0]
    path = [person.rng.choice(around) for _ in range(3)]
    yield scene.table.hover(piece, [*path, space], height_mm=HOVER_MM, speed_mm_s=200)
    yield person.set_down(piece, space)


def misplace(person: Follower, move: Move, actor: int) -> Script[bool]:
    """Put a pushed piece elsewhere first; return whether the rest is left to the lights."""
    scene = person.scene
    wood = scene.wood
    number = move.pieces[0]
    here = scene.table.space_of(number)
    free = [s for s in _free_around(person, here) if s != move.target] if here >= 0 else []
    if move.direction is not None or not free or scene.own.outcome is not None:
        return False
    # The acting piece elsewhere would be another step; one that leaves the board is in no hand.
    if number == actor or move.target is None:
        return False
    _made(person)
    wrong = person.rng.choice(free)
    scene.note(
        f"slip: puts {scene.kinds[number].letter} from {scene.name(here)} on {scene.name(wrong)}"
    )
    assert wrong not in wood
    yield from person.move(number, wrong)
    if person.chance(0.5):
        yield person.after(0.2, 4.0)
        scene.counts["mistakes undone"] += 1
        return False
    yield from person.follow()
    scene.counts["mistakes caught"] += 1
    return True


def both_hands(person: Follower, one: Move, two: Move) -> Script[bool]:
    """Do two relocations at once where that is possible; return whether it was done."""
    scene, table = person.scene, person.scene.table
    wood = scene.wood
    targets = [move.target for move in (one, two)]
    single = one.direction is None and two.direction is None and not (one.acts or two.acts)
    if not single or targets[0] == targets[1] or one.pieces == two.pieces:
        return False
    if any(target is None or target in wood for target in targets):
        return False
    scene.counts["two-handed acts"] += 1
    ends = []
    for move in (one, two):
        piece = move.pieces[0]
        scene.counts["relocations"] += 1
        person.lift(piece, at=person.after(0.0, 0.2))
        target = move.target
        assert target is not None
        ends.append(person.set_down(piece, target))
    assert table.now <= max(ends)
    yield max(ends)
    return True


# What mistakes have in common.


def _made(person: Follower) -> None:
    person.scene.counts["mistakes made"] += 1


def _any_piece(person: Follower) -> tuple[int, int] | None:
    """Return a space and the wooden piece on it."""
    scene = person.scene
    found = [(s, number) for s, number in scene.table.truth().items() if not scene.dead >> s & 1]
    return person.rng.choice(found) if found else None


def _is_put_back(person: Follower, space: int, near: int) -> bool:
    """Whether to move a piece so is how the last step is taken back by hand."""
    made = person.scene.made
    return bool(made) and made[-1] == Step(near, space)


def _free_around(person: Follower, space: int) -> list[int]:
    """Return the empty hexes next to `space`."""
    board = person.scene.board
    free = board.grid.adjacent[space] & board.hexes
    return [s for s in spaces_of(free & ~person.scene.dead) if s not in person.scene.wood]


def _put_right(person: Follower, number: int, space: int) -> Script[None]:
    """Put a piece back to `space` by oneself, sooner or later, or let the lights lead."""
    scene = person.scene
    if person.chance(0.6) and person.remembers:
        yield person.after(0.2, 4.0)
        person.lift(number)
        yield person.set_down(number, space)
        scene.counts["mistakes undone"] += 1
    else:
        asked = scene.counts["asked"]
        led = yield from person.follow()
        # Beside a dead contact the table may ask instead; then one puts it back by oneself.
        if not led and scene.counts["asked"] == asked:
            raise TableError("unled", f"nothing led back to {scene.name(space)}")
        scene.counts["mistakes caught"] += 1
