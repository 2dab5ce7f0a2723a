"""What happens to a table in play beside mistakes: sleeves, pieces on borders, a sweep.

None of it is meant, and none of it may become an action.
"""

from ..rules.actions import Action, Step
from ..rules.hexgrid import spaces_of
from .following import Follower
from .moves import Move
from .scene import Script

WOBBLES = 8
"""So often a piece on a border closes the space that it came from again."""
SWEEP_S = 1.5
MANY = 3
"""With so many pieces missing the board is led as it is set up."""


def touch(person: Follower, move: Move) -> None:
    """Let a sleeve open the contact of a neighbour while a piece is moved.

    Half of them are seen by one scan alone, the others for 30 to 150 ms.
    """
    scene, rng = person.scene, person.rng
    here = scene.table.space_of(move.pieces[0])
    around = 0
    for space in (here, move.target):
        around |= scene.board.grid.adjacent[space] if space is not None and space >= 0 else 0
    spaces = [s for s in spaces_of(around) if s in scene.wood and s != here]
    spaces = [s for s in spaces if not scene.dead >> s & 1]
    if spaces:
        from_s = scene.now + rng.uniform(0.0, 0.4)
        long_s = 0.01 if rng.random() < 0.5 else rng.uniform(0.03, 0.15)
        scene.disturbances.add(from_s, from_s + long_s, 1 << rng.choice(spaces))
        scene.counts["touched neighbours"] += 1


def wobble(person: Follower, action: Action) -> Script[None]:
    """Let a piece wobble between the two spaces before it rests."""
    scene, rng = person.scene, person.rng
    if not isinstance(action, Step):
        return
    both = 1 << action.origin | 1 << action.target
    to_and_fro = scene.made[-2:-1] == [Step(action.target, action.origin)]
    if scene.dead & both or to_and_fro:  # whoever goes to and fro so soon wobbles anyway
        return
    time = scene.now + 0.02
    for _ in range(WOBBLES):
        away_s = rng.uniform(0.03, 0.11)
        scene.disturbances.add(time, time + away_s, both)
        time += away_s + rng.uniform(0.03, 0.11)
    scene.counts["wobbles"] += 1
    # A step that was recorded before it was seen to wobble is taken back until the piece rests.
    scene.wobbling = True
    yield time + 0.5
    scene.wobbling = False
    scene.check_wobble()


def sweep(person: Follower) -> Script[None]:
    """Let a sleeve sweep all or many pieces off, and put up again what the lights ask for."""
    scene, rng = person.scene, person.rng
    pieces = list(scene.table.truth().values())
    if scene.own.outcome is not None or scene.dead or len(pieces) < MANY:
        return
    if person.chance(0.5):
        pieces = rng.sample(pieces, rng.randint(max(MANY, len(pieces) // 2), len(pieces)))
    scene.note(f"sweeps {len(pieces)} pieces off")
    scene.counts["sweeps"] += 1
    scene.counts["partial sweeps"] += len(pieces) < len(scene.table.truth())
    scene.taken_off += pieces
    ends = [
        scene.table.take_off(number, at=scene.now + rng.uniform(0.0, SWEEP_S)) for number in pieces
    ]
    yield max(ends, default=scene.now)
    eager, person.eager = person.eager, False
    yield from person.follow()
    person.eager = eager
