"""People at the table: they choose on the board in their heads and carry it out with their hands.

The careful wait for the lights, the fast push before the lights say so, the clumsy err now and
then; what is chosen and how it is done is drawn by a seed.
"""

from random import Random
from typing import NamedTuple

from ..rules.actions import Action, EndTurn, Placement, Step, legal_actions, outcome, resolve
from ..rules.position import Side, shif
from ..table.lights.signs import Ink
from . import disorder, mistakes
from .body import Profile
from .choice import Choice
from .following import Follower
from .moves import Move, by_the_rules, to_the_end
from .reading import Says
from .scene import Scene, Script, TableError, wait_and_read

ALARM = frozenset((Ink.WHITE, Ink.RED, Ink.ORANGE, Ink.VIOLET))
"""Colours that ask for something, seen from the corner of an eye."""
SAME_PIECE_S = 0.12
"""A piece that is let go rests so long at least before the same hand takes it again."""
CHECK_S = 0.8
"""So long after the last movement the table must have made up its mind."""


class Habits(NamedTuple):
    """What people do to the table beside playing: shares from 0 to 1 (see `run.Options`)."""

    touches: float = 0.0
    hurried: bool = False
    sweeps: float = 0.0
    borders: float = 0.0
    forgetful: bool = False
    together: bool = False


class Person(Follower):
    """One player, who plays one action after the other."""

    def __init__(
        self,
        scene: Scene,
        side: Side,
        profile: Profile,
        choose: Choice,
        rng: Random,
        *,
        eager: bool = False,
        habits: Habits | None = None,
    ) -> None:
        """Sit down at `scene`."""
        self.habits = habits or Habits()
        remembers = not self.habits.forgetful
        super().__init__(scene, side, profile, rng, eager=eager, remembers=remembers)
        self.choose = choose
        self.partner: Person | None = None
        self._early: tuple[Step, int] | None = None
        """The next step and its piece, which is in the hand while the other still moves pieces."""

    def act(self) -> Script[None]:
        """Choose one action, carry it out, and see to it that the table agrees."""
        scene = self.scene
        if self._early is not None:
            yield from self._carry_out(self._early[0])
            yield from self._finish()
            return
        yield from self._think()
        if self.chance(self.habits.sweeps / 2):
            yield from disorder.sweep(self)
        if self.chance(self.profile.mistakes):
            yield from mistakes.before(self)
            if scene.own.outcome is not None:
                return
        action = self.choose(scene.own.position, self.rng, scene.dead)
        if isinstance(action, EndTurn):
            scene.make(action)
            yield from self.press(self.button)
        else:
            yield from self._carry_out(action)
        yield from self._finish()

    def _think(self) -> Script[None]:
        """Take one's time before an action."""
        if self.habits.hurried:
            yield self.after(0.1, 0.35)
        elif self.eager:
            yield self.scene.now + 0.1
        elif self.chance(self.profile.dawdles):
            yield self.after(4.0, 20.0)
        else:
            yield self.after(*self.profile.think_s)
        if self.scene.now - self.scene.touched_s >= CHECK_S:
            self.scene.check()

    def _carry_out(self, action: Action) -> Script[None]:
        """Step or place, and move what is pushed, or leave that to the lights."""
        scene = self.scene
        actor = self._actor(action)
        if isinstance(action, Placement):
            yield from self._pay(action)
        moves = self._moves(action, actor)
        scene.make(action)
        acted = False
        while moves:
            move = moves.pop(0)
            acted |= move.acts
            if move.acts and self.chance(self.habits.touches):
                disorder.touch(self, move)
            if moves and acted and not move.acts and self.chance(self.profile.two_hands):
                done = yield from mistakes.both_hands(self, move, moves[0])
                if done:
                    moves.pop(0)
                    continue
            if acted and not move.acts and self.chance(self.profile.mistakes / 3):
                given_up = yield from mistakes.misplace(self, move, actor)
                if given_up:
                    return
            yield from self._do_together(move, moves) if acted else self.do(move)
            if move.acts and self.chance(self.habits.borders):
                yield from disorder.wobble(self, action)
            if acted and moves and self.chance(self.habits.sweeps / 2):
                yield scene.now + CHECK_S / 2  # what stood too briefly may be no step
                yield from disorder.sweep(self)
                return
            if moves:
                same = set(move.pieces) & set(moves[0].pieces)
                yield max(self.rest(), scene.now + (SAME_PIECE_S if same else 0.0))

    def _moves(self, action: Action, actor: int) -> list[Move]:
        """Return what the hands will do without being led."""
        t = self.profile
        cascade = resolve(self.scene.own.position, action)
        truth = self.scene.table.truth()
        if self._early is not None:
            truth = {**truth, self._early[0].origin: actor}
        moves = None
        if self.chance(0.5):
            moves = to_the_end(
                cascade, truth, actor, self.rng, foes_first=self.chance(t.foes_first)
            )
        if moves is None:
            moves = by_the_rules(cascade, truth, actor, self.rng, t.shoves)
        if self.chance(t.waits) or self.scene.touches_dead(cascade):
            return [move for move in moves if move.acts]
        if outcome(cascade.after) is not None and self.chance(0.5):
            acts = next(k for k, move in enumerate(moves) if move.acts)
            return moves[: acts + 1 + self.rng.randrange(len(moves) - acts)]
        return moves

    def _do_together(self, move: Move, later: list[Move]) -> Script[None]:
        """Do one move while the other player, now and then, lifts a piece of the own."""
        partner = self.partner
        other = None
        if partner is not None and self.habits.together and not move.acts and self.chance(0.5):
            other = partner.lift_meanwhile(move, later)
        yield from self.do(move)
        if other is not None and partner is not None and partner._early is None:
            yield from partner.put_back(*other)

    def lift_meanwhile(self, move: Move, later: list[Move]) -> tuple[int, int] | None:
        """Begin to lift an own piece while the other player does `move`; return it and its space.

        If no move is left and the turn is one's own, it is the piece of the next step.
        """
        scene = self.scene
        busy = {number for each in (move, *later) for number in each.pieces}
        position, truth = scene.own.position, scene.table.truth()
        own = [(n, s) for s, n in truth.items() if position.in_play(self.side) >> s & 1]
        free = [(n, s) for n, s in own if n not in busy]
        if not free or scene.dead or scene.own.outcome is not None:
            return None
        found = self.rng.choice(free)
        if not later and position.side is self.side:
            action = self.choose(position, self.rng, scene.dead)
            mine = truth.get(action.origin) if isinstance(action, Step) else None
            if not isinstance(action, Step) or mine is None or mine in busy:
                return None
            self._early = action, mine
            found = mine, action.origin
        scene.counts["lifted meanwhile"] += 1
        scene.note(f"{self.side.name.lower()} lifts {scene.name(found[1])} meanwhile")
        self.lift(found[0], at=self.after(0.0, 0.4))
        return found

    def put_back(self, number: int, space: int) -> Script[None]:
        """Put a piece that was lifted meanwhile back where it stood."""
        yield max(self.after(0.0, 0.5), self.scene.table.busy_until())
        yield self.set_down(number, space)

    def _actor(self, action: Action) -> int:
        """Return the wooden piece that steps or is placed."""
        scene = self.scene
        if self._early is not None:
            return self._early[1]
        if isinstance(action, Step):
            actor = scene.piece_on(action.origin)
        else:
            actor = scene.beside(shif(self.side))
        if actor is None:
            raise TableError("wood", f"there is no piece for {scene.text(action)}")
        return actor

    def do(self, move: Move) -> Script[None]:
        """Do one move."""
        scene = self.scene
        scene.counts["relocations"] += 0 if move.acts else len(move.pieces)
        first = move.pieces[0]
        if move.acts and self._early is not None and move.target is not None:
            self._early = None
            yield max(scene.now, scene.table.busy_until())
            yield self.set_down(first, move.target)
        elif move.direction is not None:
            scene.counts["shoves"] += len(move.pieces) > 1
            yield scene.table.shove(
                move.pieces,
                move.direction,
                speed_mm_s=self.rng.uniform(100, 400),
                touching=self.chance(0.4),
            )
        elif move.target is None:
            yield from self.take_off(first)
        elif move.acts and self.chance(self.profile.ponders):
            yield from self._ponder(first, move.target)
        elif move.acts and self.chance(self.profile.mistakes / 4):
            yield from mistakes.hover(self, first, move.target)
        else:
            yield from self.move(first, move.target)

    def _ponder(self, piece: int, space: int) -> Script[None]:
        """Look, with the piece in the hand, where the lights say that it may go."""
        scene = self.scene
        before, here = scene.own.cascades[-1].before, scene.table.space_of(piece)
        alone = scene.wood == dict(before.placed()) and not scene.dead
        yield self.lift(piece)
        yield self.rest()
        reading = yield from wait_and_read(scene)
        seen = {*reading.where(Says.MAY_STEP, Says.MAY_PUSH)}
        steps = [a for a in legal_actions(before) if isinstance(a, Step)]
        legal = {step.target for step in steps if step.origin == here}
        if alone and here >= 0 and seen != legal:
            raise TableError("lights", f"{scene.name(here)} may go to {legal}, they say {seen}")
        scene.counts["pondered"] += 1
        yield self.set_down(piece, space)

    def _pay(self, placement: Placement) -> Script[None]:
        """Raise the stake by the button, once for each coin, and count the lights."""
        coins = self.scene.own.position.coins
        if coins is None or placement.coins is None:
            return
        missing = placement.coins - coins.stake
        while missing > 0:
            for _ in range(missing):
                yield from self.press(self.button)
                yield self.scene.now + 0.2
            reading = yield from wait_and_read(self.scene)
            if reading.unclear:
                continue
            shown = len(reading.where(Says.COIN)) or coins.stake
            missing = placement.coins - shown
            self.scene.check_progress()

    def _finish(self) -> Script[None]:
        """Look whether the lights are content, or only glance at them."""
        scene = self.scene
        if self.partner is not None and self.partner._early is not None:
            return  # who is next has begun already
        unfinished = scene.wood != scene.goal and scene.own.outcome is None
        doubtful = scene.touches_dead(scene.own.cascades[-1])
        if unfinished or doubtful or self.chance(self.profile.looks):
            yield from self.follow()
            return
        yield self.after(0.12, 0.3)
        if scene.own.outcome is not None:
            yield from self.see_the_end()
        elif scene.eyes.glance() & ALARM:
            yield from self.follow()
        elif scene.recorded < len(scene.made) - 2:
            scene.check_recorded()
