"""A body at the table: hands at their own speed, and eyes that look at the lights.

What is done with them is decided in `following`, `mistakes` and `people`.  Everything that takes
time is a script: it yields the time at which it goes on.
"""

from dataclasses import dataclass
from math import cos, pi, sin, sqrt
from random import Random

from ..drivers.mock.field import BASE
from ..rules.position import Side
from .scene import Scene, Script

PRESS_S = 0.15
_INSIDE = 0.95
"""Of the room that a base has in its hex, so much is used at most."""


@dataclass(frozen=True, slots=True)
class Profile:
    """How somebody acts: speeds in mm/s, times in seconds as (least, most), shares from 0 to 1."""

    name: str
    lift_mm: float = 50.0
    lift_mm_s: float = 250.0
    carry_mm_s: float = 400.0
    think_s: tuple[float, float] = (0.6, 2.0)
    rest_s: tuple[float, float] = (0.15, 0.4)
    """Between two movements of a hand."""
    waits: float = 1.0
    """In how many actions the lights are awaited before the pushed pieces are moved."""
    looks: float = 1.0
    """How often the lights are looked at after an action, rather than glanced at."""
    foes_first: float = 0.0
    """How often enemy pieces are moved before the step that pushes them."""
    slides: float = 0.0
    """How often a piece that goes next door is slid, not carried."""
    shoves: float = 0.0
    """How often a pushed line is shoved with a finger."""
    two_hands: float = 0.0
    """How often two relocations are done at once."""
    mistakes: float = 0.0
    """How often something goes wrong, or is done oddly, in an action."""
    off_centre: float = 0.2
    """How far from the centre pieces are put down, as a share of what a hex has room for."""
    ponders: float = 0.0
    """How often the lights are looked at with the piece in the hand."""
    dawdles: float = 0.0
    """How often a long pause is made."""


class Body:
    """One player's hands and eyes at `scene`."""

    def __init__(self, scene: Scene, side: Side, profile: Profile, rng: Random) -> None:
        """Sit down."""
        self.scene = scene
        self.side = side
        self.profile = profile
        self.rng = rng

    def chance(self, share: float) -> bool:
        """Tell whether something happens that happens so often."""
        return share > 0 and self.rng.random() < share

    def rest(self) -> float:
        """Return when the hand goes on."""
        return self.scene.now + self.rng.uniform(*self.profile.rest_s)

    def after(self, least_s: float, most_s: float) -> float:
        """Return a time between the two from now."""
        return self.scene.now + self.rng.uniform(least_s, most_s)

    def lift(self, piece: int, *, at: float | None = None) -> float:
        """Begin to lift a piece; return when it is up."""
        t = self.profile
        return self.scene.table.lift(piece, height_mm=t.lift_mm, speed_mm_s=t.lift_mm_s, at=at)

    def set_down(self, piece: int, space: int) -> float:
        """Begin to carry a piece that is up, or beside the board, to `space`; return the end."""
        t, table = self.profile, self.scene.table
        table.carry(piece, space, height_mm=t.lift_mm, speed_mm_s=t.carry_mm_s)
        return table.drop(piece, space, offset_mm=self.offset(), speed_mm_s=t.lift_mm_s)

    def offset(self) -> tuple[float, float]:
        """Return how far from the centre, in mm, a piece comes to stand, its base in its hex."""
        room = (1 - BASE) / 2 * self.scene.table.pitch_mm * _INSIDE
        far = room * self.profile.off_centre * sqrt(self.rng.random())
        angle = self.rng.uniform(0, 2 * pi)
        return far * cos(angle), far * sin(angle)

    def move(self, piece: int, space: int) -> Script[None]:
        """Bring a piece to `space`, carried or, now and then, slid next door."""
        here = self.scene.table.space_of(piece)
        near = here >= 0 and self.scene.board.grid.adjacent[here] >> space & 1
        if near and self.chance(self.profile.slides):
            self.scene.counts["slides"] += 1
            pause = self.rng.uniform(0.05, 0.4) if self.chance(0.3) else 0.0
            speed = self.rng.uniform(80, 300)
            yield self.scene.table.slide(
                piece, space, speed_mm_s=speed, pause_on_border_s=pause, offset_mm=self.offset()
            )
            return
        self.lift(piece)
        yield self.set_down(piece, space)

    def take_off(self, piece: int) -> Script[None]:
        """Take a piece off the board."""
        t = self.profile
        self.scene.taken_off.append(piece)
        yield self.scene.table.take_off(piece, height_mm=t.lift_mm, speed_mm_s=t.carry_mm_s)

    def press(self, buttons: int, hold_s: float = PRESS_S) -> Script[None]:
        """Press buttons and let go of them."""
        self.scene.table.press(buttons, hold_s=hold_s)
        yield self.scene.now + hold_s + 0.05

    @property
    def button(self) -> int:
        """The own button."""
        return 1 << self.side
