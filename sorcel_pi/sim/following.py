"""Doing what the lights ask for, and what the documentation says when they ask for odd things.

A person sees the lights and the wood and knows the game that it plays; it follows the lights until
they leave the players to themselves.
"""

from random import Random

from ..rules.actions import Action, EndTurn, Pass, Placement, Step
from ..rules.position import Piece, Side
from ..table.lights.layout import home_row
from .body import Body, Profile
from .reading import Reading, Says
from .scene import Scene, Script, TableError, wait_and_read

PUZZLED = 3
"""After so many odd looks in a row a person does what the documentation says."""
UNLED_S = 8.0
"""Within this time the lights must say that a board is not as it should be."""
END_S = 12.0
"""Within this time the table must know that the game is over."""
BOTH = 3
HOLD_BOTH_S = 3.2


class Follower(Body):
    """A person who follows the lights; an `eager` one does not wait for their last word."""

    def __init__(
        self,
        scene: Scene,
        side: Side,
        profile: Profile,
        rng: Random,
        *,
        eager: bool = False,
        remembers: bool = True,
    ) -> None:
        """Sit down."""
        super().__init__(scene, side, profile, rng)
        self.eager = eager
        self.remembers = remembers
        """Whether this person knows where pieces belong without the lights."""
        self.odd = 0
        """How many looks in a row made no sense."""

    def follow(self) -> Script[int]:
        """Do what the lights ask for until they ask for nothing; return how often they led."""
        scene = self.scene
        began = led = scene.counts["led by light"]
        since = scene.now
        self.odd = 0
        yield self.rest()
        over = scene.own.outcome is not None
        while over or not (self.eager and scene.wood == scene.goal):
            reading = yield from wait_and_read(scene)
            scene.check_progress()
            if scene.own.outcome is not None:
                yield from self.see_the_end()
                break
            if scene.counts["led by light"] > led:
                led, since = scene.counts["led by light"], scene.now
            if reading.quiet and self._agrees(reading):
                scene.check()
                if scene.wood == scene.goal:
                    break
                if scene.now - since > UNLED_S:
                    raise TableError("silent", "the lights are quiet over a wrong board")
                yield scene.now + 0.3
            else:
                yield from self.obey(reading)
        return scene.counts["led by light"] - began

    def _agrees(self, reading: Reading) -> bool:
        """Whether points and guesses are what one expects."""
        position, scene = self.scene.own.position, self.scene
        guesses = reading.pieces
        if any(scene.wood.get(space) is not piece for space, piece in guesses.items()):
            return False
        if guesses or reading.where(Says.COIN, Says.PASSED):
            return True
        if position.side in scene.companion.referee.away:
            return bool(reading.where(Says.THINKING))
        left = position.steps_left
        return reading.turn == ((position.side, left) if left else None)

    def see_the_end(self) -> Script[None]:
        """The game has been won: the table must know it too, or ask."""
        scene = self.scene
        until = scene.now + END_S
        while scene.companion.game.outcome is None and scene.now < until:
            reading = yield from wait_and_read(scene)
            if reading.where(Says.CANDIDATE):
                yield from self.answer(reading)
            elif reading.quiet and self._went_unseen():
                yield from self.press(self.button)
        scene.check_recorded()
        if scene.companion.game.outcome != scene.own.outcome:
            raise TableError("lost", f"{scene.own.outcome}, but not for the table")

    def obey(self, reading: Reading) -> Script[None]:
        """Do the next thing that the lights ask for, or wonder."""
        scene, one = self.scene, reading.one
        wood = scene.wood
        origin = one(Says.ORIGIN, Says.WRONG)
        target = one(Says.DESTINATION, Says.HOLE, Says.BELONGS)
        off, lifted = one(Says.OFF), one(Says.LIFTED)
        done = wood == scene.goal
        if reading.where(Says.SHOWN_SHIF, Says.SHOWN_SENTINEL, Says.SHOWN_UNKNOWN):
            yield scene.now + 1.0
        elif reading.where(Says.CANDIDATE):
            yield from self.answer(reading)
        elif done and self._ends_again(reading):
            yield from self.press(1 << scene.own.position.side.other)
        elif reading.quiet and self._went_unseen():
            yield from self.press(self.button)
        elif reading.quiet and not done and (pair := self._mixed_up(reading)):
            yield from self._swap(*pair, reading)
        elif done or reading.unclear:
            yield from self.wonder(reading)
        elif off is not None and off in wood:
            yield from self._led(reading)
            yield from self.take_off(scene.table.truth()[off])
        elif origin in wood and target is not None and target not in wood:
            yield from self._led(reading)
            yield from self.move(scene.table.truth()[origin], target)
        elif origin is None and target is not None and target not in wood:
            yield from self._put_from_beside({target: self._taken_off(target)}, reading)
        elif lifted is not None and lifted not in wood:
            yield from self._put_from_beside({lifted: self._taken_off(lifted)}, reading)
        elif wanted := self._at_hand(reading):
            yield from self._put_from_beside(wanted, reading)
        elif reading.where(Says.SURPLUS):
            yield from self.take_off(scene.table.truth()[reading.where(Says.SURPLUS)[0]])
        else:
            yield from self.wonder(reading)

    def _ends_again(self, reading: Reading) -> bool:
        """Whether the turn that was ended is still shown: then the button is pressed again."""
        own, points = self.scene.own, reading.turn
        ended = bool(self.scene.made) and self.scene.made[-1] == EndTurn()
        return ended and points is not None and points[0] is own.position.side.other

    def _went_unseen(self) -> bool:
        """Whether the last step went from one dead contact to another: the button asks for it."""
        scene = self.scene
        last = scene.made[-1] if scene.recorded < len(scene.made) else None
        if not isinstance(last, Step):
            return False
        return bool(scene.dead >> last.origin & scene.dead >> last.target & 1)

    def _led(self, reading: Reading) -> Script[None]:
        """Note that the lights are followed."""
        self.odd = 0
        self.scene.counts["led by light"] += 1
        self.scene.note("follows " + self._told(reading))
        yield self.rest()

    def _mixed_up(self, reading: Reading) -> tuple[int, int] | None:
        """Return a space where the lights take the piece for another, and where such a one stands.

        That is another place that is shown wrongly, if there is one; where such a one lies beside
        the board, it is the space itself.
        """
        wood, shown = self.scene.wood, reading.pieces
        wrong = [space for space in shown if space in wood and wood[space] is not shown[space]]
        for space in wrong:
            if self.scene.beside(shown[space]) is not None:
                return space, space
            fits = [other for other, piece in wood.items() if piece is shown[space]]
            fits = [other for other in fits if other in wrong] or [
                s for s in fits if s not in shown
            ]
            if fits:
                return space, fits[0]
        return None

    def _swap(self, space: int, other: int, reading: Reading) -> Script[None]:
        """Let two pieces trade places, as the lights believe them to stand."""
        scene, truth = self.scene, self.scene.table.truth()
        if space == other:
            yield from self._exchange(space, reading.pieces[space])
            return
        scene.note(f"swaps {scene.name(space)} and {scene.name(other)}, as they are shown")
        scene.counts["swapped as shown"] += 1
        for place in (space, other):
            yield self.lift(truth[place])
            yield self.rest()
        yield self.set_down(truth[other], space)
        yield self.rest()
        yield self.set_down(truth[space], other)
        yield scene.now + 0.5

    def _exchange(self, space: int, piece: Piece) -> Script[None]:
        """Take the piece on `space` off, and put one of another kind there."""
        scene, number = self.scene, self.scene.beside(piece)
        assert number is not None
        scene.note(f"puts the piece that is shown on {scene.name(space)}")
        scene.counts["swapped as shown"] += 1
        yield from self.take_off(scene.table.truth()[space])
        yield self.rest()
        yield from self.move(number, space)
        yield scene.now + 0.5

    def _at_hand(self, reading: Reading) -> dict[int, Piece | None]:
        """Return the missing pieces that lie beside the board; others stand as surplus."""
        missing = reading.where(Says.MISSING_SENTINEL, Says.MISSING_SHIF)
        return {
            space: piece
            for space, piece in reading.pieces.items()
            if space in missing
            and space not in self.scene.wood
            and self.scene.beside(piece) is not None
        }

    def _taken_off(self, space: int) -> Piece | None:
        """Return which kind belongs on `space`; without a memory, what was taken off last."""
        if self.remembers:
            return self.scene.goal.get(space)
        beside = self.scene.table.off_board()
        last = [number for number in self.scene.taken_off if number in beside]
        return self.scene.kinds[last[-1]] if last else None

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
        """Press when what one has done is lit, as the table asks what was meant.

        That is the hex that one has acted on, or where a step came from if that contact is dead.
        """
        scene = self.scene
        done = [action for action in scene.made if not isinstance(action, Pass)]
        # Who has done nothing that is not recorded does not know what the table means.
        known = scene.recorded >= len(scene.made)
        meant = self._shown_at(done[-1]) if done and not known else frozenset()
        scene.counts["asked"] += 1
        eyes = scene.eyes
        # What has only just gone on may be a destination whose origin has yet to light.
        reading = yield from wait_and_read(scene)
        if not reading.where(Says.CANDIDATE):
            return
        for _ in range(60):
            lit = eyes.white()
            if meant and lit == meant:
                yield scene.now + 0.25
                if eyes.white() == lit:
                    yield from self.press(self.button, 0.1)
                    return
            yield scene.now + 0.1
        yield from self.wonder(reading)

    def _shown_at(self, action: Action) -> frozenset[int]:
        """Return which lights stand for `action` in a question."""
        dead = self.scene.dead
        match action:
            case Step(origin, target) if dead >> origin & ~(dead >> target) & 1:
                return frozenset((origin,))
            case Step(_, target):
                return frozenset((target,))
            case Placement(space):
                return frozenset((space,))
            case EndTurn():
                return frozenset(home_row(self.scene.board.grid, self.side))
        return frozenset()

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
        elif scene.sound and scene.wood == scene.goal:
            raise TableError("misled", f"the board is right, the lights say {self._told(reading)}")
        yield from self.press(BOTH)
        yield scene.now + 1.5
        if scene.wood == scene.goal:
            scene.note("accepts")
            scene.counts["accepted"] += 1
            yield from self.press(BOTH, HOLD_BOTH_S)
        elif self.remembers:
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
