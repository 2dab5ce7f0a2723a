"""People at the table: they choose on the board in their heads, act with hands, follow the lights.

A person sees the lights (through `eyes`), the wood, and its own idea of the game; what to do when
the lights ask for something odd is what the documentation of the table says.  Everything here is
a script: it yields the time at which it goes on.  How people err is in `slips`.
"""

from dataclasses import dataclass
from random import Random

from ..rules.actions import Action, EndTurn, Placement, Step
from ..rules.position import Piece, Side, shif
from .choice import Choice
from .eyes import Reading, Says
from .scene import Scene, Script, TableError, wait_and_read

PUZZLED = 3
"""After so many odd looks in a row a person does what the documentation says."""
BOTH = 3
PRESS_S = 0.15
HOLD_BOTH_S = 3.2
HOLD_S = 2.2


@dataclass(frozen=True, slots=True)
class Temper:
    """How somebody acts: all speeds in mm/s, times in seconds as (least, most)."""

    name: str
    lift_mm: float = 50.0
    lift_mm_s: float = 250.0
    carry_mm_s: float = 400.0
    think_s: tuple[float, float] = (0.6, 2.0)
    rest_s: tuple[float, float] = (0.15, 0.4)
    """Between two movements of a hand."""
    waits: bool = True
    """Whether the lights are awaited before the pushed pieces are moved."""
    slides: float = 0.0
    """How often a step is slid rather than carried."""
    shoves: float = 0.0
    """How often a pushed line is shoved with a finger."""
    two_hands: float = 0.0
    """How often two relocations are done at once."""
    slips: float = 0.0
    """How often something goes wrong, or is done oddly, in an action."""
    off_centre_mm: float = 0.0


CAREFUL = Temper("careful")


class Person:
    """One player, with the hands of one."""

    def __init__(
        self,
        scene: Scene,
        side: Side,
        temper: Temper,
        choose: Choice,
        rng: Random,
        *,
        avoid: int = 0,
        eager: bool = False,
    ) -> None:
        """Sit down at `scene`; nothing is placed on the spaces in `avoid`."""
        self.scene = scene
        self.side = side
        self.temper = temper
        self.choose = choose
        self.rng = rng
        self.avoid = avoid
        self.eager = eager
        self.odd = 0
        """How many looks in a row made no sense."""

    # -- hands --------------------------------------------------------------------------------

    def rest(self) -> float:
        """Return when the hand goes on."""
        return self.scene.now + self.rng.uniform(*self.temper.rest_s)

    def lift(self, piece: int) -> float:
        """Begin to lift a piece; return when it is up."""
        t = self.temper
        return self.scene.table.lift(piece, height_mm=t.lift_mm, speed_mm_s=t.lift_mm_s)

    def set_down(self, piece: int, space: int) -> float:
        """Begin to carry a piece that is up, or beside the board, to `space`; return the end."""
        t, table = self.temper, self.scene.table
        table.carry(piece, space, height_mm=t.lift_mm, speed_mm_s=t.carry_mm_s)
        spread = t.off_centre_mm
        offset = (self.rng.uniform(-spread, spread), self.rng.uniform(-spread, spread))
        return table.drop(piece, space, offset_mm=offset, speed_mm_s=t.lift_mm_s)

    def move(self, piece: int, space: int) -> Script[None]:
        """Lift a piece and put it down on `space`."""
        self.scene.counts["relocations"] += 1
        self.lift(piece)
        yield self.set_down(piece, space)

    def take_off(self, piece: int) -> Script[None]:
        """Take a piece off the board."""
        self.scene.counts["relocations"] += 1
        t = self.temper
        yield self.scene.table.take_off(piece, height_mm=t.lift_mm, speed_mm_s=t.carry_mm_s)

    def press(self, buttons: int, hold_s: float = PRESS_S) -> Script[None]:
        """Press buttons and let go of them."""
        self.scene.table.press(buttons, hold_s=hold_s)
        yield self.scene.now + hold_s + 0.05

    @property
    def button(self) -> int:
        """The own button."""
        return 1 << self.side

    # -- a turn -------------------------------------------------------------------------------

    def think(self) -> Script[None]:
        """Take one's time before an action."""
        yield self.scene.now + (0.1 if self.eager else self.rng.uniform(*self.temper.think_s))

    def act(self) -> Script[None]:
        """Choose one action, carry it out, and see to it that the table agrees."""
        scene = self.scene
        yield from self.think()
        action = self.choose(scene.own.position, self.rng, self.avoid)
        yield from self.begin(action)
        yield from self.follow()

    def begin(self, action: Action) -> Script[None]:
        """Do what makes `action`: the step, the placement, the press."""
        scene = self.scene
        match action:
            case Step():
                piece = scene.piece_on(action.origin)
                if piece is None:
                    raise TableError("lost", f"no wood on {scene.name(action.origin)} to step with")
                scene.make(action)
                yield from self.move(piece, action.target)
            case Placement():
                yield from self.pay(action)
                piece = scene.beside(shif(self.side))
                if piece is None:
                    raise TableError("lost", "no Shif beside the board to place")
                scene.make(action)
                yield from self.move(piece, action.space)
            case EndTurn():
                scene.make(action)
                yield from self.press(self.button)

    def pay(self, placement: Placement) -> Script[None]:
        """Raise the stake by the button, once for each coin."""
        coins = self.scene.own.position.coins
        if coins is not None and placement.coins is not None:
            for _ in range(placement.coins - coins.stake):
                yield from self.press(self.button)
                yield self.scene.now + 0.2

    # -- following the lights -----------------------------------------------------------------

    def follow(self) -> Script[None]:
        """Do what the lights ask for until they leave the players to themselves."""
        scene = self.scene
        self.odd = 0
        yield self.rest()
        while True:
            reading = yield from wait_and_read(scene)
            scene.check_progress()
            if scene.own.outcome is not None:
                yield from self._see_the_end()
                return
            if reading.quiet and self._agrees(reading):
                scene.check()
                return
            yield from self.obey(reading)

    def _agrees(self, reading: Reading) -> bool:
        """Whether points and guesses are what one expects."""
        position, scene = self.scene.own.position, self.scene
        guesses = reading.pieces
        if any(scene.wood.get(space) is not piece for space, piece in guesses.items()):
            return False
        if guesses or reading.where(Says.COIN, Says.PASSED):
            return True
        left = position.steps_left
        return reading.turn == ((position.side, left) if left else None)

    def _see_the_end(self) -> Script[None]:
        """The game has been won: the table must know it too."""
        scene = self.scene
        until = scene.now + 3
        while scene.companion.game.outcome is None and scene.now < until:
            yield scene.now + 0.5
        scene.check_recorded()
        if scene.companion.game.outcome != scene.own.outcome:
            raise TableError("lost", f"{scene.own.outcome}, but not for the table")

    def obey(self, reading: Reading) -> Script[None]:
        """Do the next thing that the lights ask for, or wonder."""
        scene, one = self.scene, reading.one
        wood = scene.wood
        origin = one(Says.ORIGIN, Says.WRONG)
        target = one(Says.DESTINATION, Says.HOLE, Says.BELONGS)
        off = one(Says.OFF)
        done = wood == scene.goal
        if reading.where(Says.SHOWN_SHIF, Says.SHOWN_SENTINEL, Says.SHOWN_UNKNOWN):
            yield scene.now + 1.0
        elif reading.where(Says.CANDIDATE):
            yield from self.answer(reading)
        elif done or reading.unclear:
            yield from self.wonder(reading)
        elif off is not None and off in wood:
            yield from self._led(reading)
            yield from self.take_off(scene.table.truth()[off])
        elif origin in wood and target is not None and target not in wood:
            yield from self._led(reading)
            yield from self.move(scene.table.truth()[origin], target)
        elif origin is None and target is not None and target not in wood:
            yield from self._put_from_beside({target: scene.goal.get(target)}, reading)
        elif reading.where(Says.MISSING_SENTINEL, Says.MISSING_SHIF):
            wanted = {s: p for s, p in reading.pieces.items() if s not in wood}
            yield from self._put_from_beside(dict(list(wanted.items())[:1]), reading)
        elif reading.where(Says.SURPLUS):
            yield from self.take_off(scene.table.truth()[reading.where(Says.SURPLUS)[0]])
        else:
            yield from self.wonder(reading)

    def _led(self, reading: Reading) -> Script[None]:
        """Note that the lights are followed."""
        self.odd = 0
        self.scene.counts["led by light"] += 1
        self.scene.note("follows " + self._told(reading))
        yield self.rest()

    def _put_from_beside(self, wanted: dict[int, Piece | None], reading: Reading) -> Script[None]:
        """Put pieces from beside the board where lights ask for them."""
        for space, piece in wanted.items():
            number = None if piece is None else self.scene.beside(piece)
            if number is not None:
                yield from self._led(reading)
                yield from self.move(number, space)
                return
        yield from self.wonder(reading)

    def answer(self, reading: Reading) -> Script[None]:
        """Press when the hex that one has acted on is lit, as the table asks what was meant."""
        scene = self.scene
        meant = _entered(scene.made[-1]) if scene.made else None
        scene.counts["asked"] += 1
        eyes = scene.eyes
        for _ in range(60):
            lit = eyes.white()
            if meant is not None and lit == {meant}:
                yield scene.now + 0.25
                if eyes.white() == lit:
                    yield from self.press(self.button, 0.1)
                    return
            yield scene.now + 0.1
        yield from self.wonder(reading)

    # -- when the lights are odd --------------------------------------------------------------

    def wonder(self, reading: Reading) -> Script[None]:
        """Wait; when it goes on, do what the documentation says."""
        scene = self.scene
        self.odd += 1
        if self.odd < PUZZLED:
            yield scene.now + 0.3
            return
        self.odd = 0
        scene.counts["puzzled"] += 1
        scene.note("puzzled by " + self._told(reading))
        if reading.quiet:
            scene.check_recorded()
        yield from self.press(BOTH)
        yield scene.now + 1.5
        if scene.wood == scene.goal:
            scene.note("accepts")
            scene.counts["accepted"] += 1
            yield from self.press(BOTH, HOLD_BOTH_S)
        else:
            yield from self.mend()
        yield scene.now + 5.0

    def mend(self) -> Script[None]:
        """Put the wood right by one's own idea of the board, without lights."""
        scene = self.scene
        scene.note("puts the wood right")
        goal = scene.goal
        for space, piece in scene.wood.items():
            if goal.get(space) is not piece:
                yield from self.take_off(scene.table.truth()[space])
                yield self.rest()
        for space, piece in goal.items():
            number = scene.beside(piece)
            if space not in scene.wood and number is not None:
                yield from self.move(number, space)
                yield self.rest()

    def _told(self, reading: Reading) -> str:
        name = self.scene.board.grid.names
        words = [f"{name[s]}={w.says.name.lower()}" for s, w in sorted(reading.words.items())]
        return " ".join(words) + (
            f" unclear {self.scene.names(reading.unclear)}" if reading.unclear else ""
        )


def set_up(person: Person) -> Script[None]:
    """Put up the starting layout as the lights ask for it."""
    scene = person.scene
    yield scene.now + 0.5
    while scene.wood != scene.goal or scene.companion.view(scene.now).missing:
        reading = yield from wait_and_read(scene)
        scene.check_progress()
        yield from person.obey(reading)
    yield scene.now + 6.0


def _entered(action: Action) -> int | None:
    match action:
        case Step():
            return action.target
        case Placement():
            return action.space
    return None
