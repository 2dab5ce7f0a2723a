"""A side that is away: its actions are announced, and who sits at the board carries them out.

What it plays comes from the engine at level 1.  The person here knows only what the lights say, and
now and then lifts a piece meanwhile, or sweeps the board in the middle of it.
"""

from random import Random

from ..engine.levels import LevelPlayer, level
from ..rules.actions import Action
from ..rules.game import Game
from ..rules.position import Side
from ..table.commands import Announce, SetAway
from . import disorder, mistakes
from .people import Person
from .scene import Scene, Script, TableError, wait_and_read

THINKS_S = 3.0
"""So long it takes at most to find what is announced."""
READY_S = 60.0
"""So long it may take until the table is ready for it."""
FIDDLES = 0.1
"""So often somebody lifts a piece before an announced action is carried out, or in it."""


class Announcer:
    """Plays `side` at a table where only `person` sits."""

    def __init__(
        self, scene: Scene, side: Side, person: Person, rng: Random, *, whole_turns: bool
    ) -> None:
        """Prepare the engine; `whole_turns` are announced at once."""
        start = scene.own.start
        self.scene, self.side, self.person, self.rng = scene, side, person, rng
        self.whole_turns = whole_turns
        self.engine = LevelPlayer(
            level(1), start.board, start.rules, seed=rng.getrandbits(30), native=False
        )
        scene.command(SetAway(frozenset({side})))

    def act(self) -> Script[None]:
        """Announce the next action, or the turn, and let the person carry it out."""
        scene = self.scene
        actions = self._actions()
        yield scene.now + self.rng.uniform(0.0, THINKS_S)
        yield from self._wait_until_ready()
        scene.note("announced: " + " ".join(map(scene.text, actions)))
        scene.counts["announced"] += len(actions)
        for action in actions:
            scene.make(action)
        scene.command(Announce(actions))
        yield from self._carried_out()
        yield from self.person.follow()

    def _actions(self) -> tuple[Action, ...]:
        """Return what is played next, up to the end of the turn or of the game."""
        game = Game(self.scene.own.start)
        for action in self.scene.own.actions:
            game.play(action)
        before = len(game.actions)
        self.engine.turn(game)
        played = game.actions[before:]
        return played if self.whole_turns else played[:1]

    def _wait_until_ready(self) -> Script[None]:
        """Do what the lights ask for until the table awaits the announcement."""
        scene, until = self.scene, self.scene.now + READY_S
        while not scene.companion.referee.awaits_announcement:
            if scene.now > until:
                raise TableError("stuck", "the table never is ready for what is announced")
            reading = yield from wait_and_read(scene)
            if not reading.quiet:
                yield from self.person.obey(reading)

    def _carried_out(self) -> Script[None]:
        """Do what the lights ask for, with slips, until it has been recorded."""
        scene, person = self.scene, self.person
        while scene.recorded < len(scene.made):
            scene.check_progress()
            if person.chance(FIDDLES):
                yield from mistakes.lift_wrong(person)
            if person.chance(person.habits.sweeps):
                yield from disorder.sweep(person)
            reading = yield from wait_and_read(scene)
            if scene.recorded < len(scene.made):
                yield from person.obey(reading)
