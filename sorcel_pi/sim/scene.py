"""One simulated table with everything around it: clock, wood, companion, eyes, and the truth.

The scene lets time jump from one moment at which anything can happen to the next, and compares
what the companion has recorded and believes with what the people really did.  It knows nothing of
how people choose or err; they are scripts that it resumes when their time has come.
"""

from collections import Counter, deque
from collections.abc import Callable, Generator, Mapping
from random import Random
from typing import TypeVar

from ..drivers.mock.table import MockTable
from ..messages.catalogue import render
from ..rules.actions import Action, Cascade, Pass, Placement, Step
from ..rules.game import Game
from ..rules.hexgrid import mask_of, spaces_of
from ..rules.notation import format_action
from ..rules.position import SIDES, Piece, sentinel, shif
from ..table.commands import Command
from ..table.companion import Companion, Output
from ..table.events import Accepted, Done, Dropped, Illegal, Masked, Notice, SetUp, TakenBack
from ..table.referee.inference import standing_of
from ..table.sensing.debouncer import Scan
from ..table.view import Mode
from .disturbances import Disturbances
from .eyes import LONG_LOOK_S, LOOK_S, Eyes
from .reading import Reading

T = TypeVar("T")
Script = Generator[float, None, T]
"""What somebody does: it yields the time at which it goes on."""

STUCK_S = 120.0
"""Without progress for so long, a table is stuck."""
SCANS_KEPT = 4000
_SPINS = 200


class TableError(Exception):
    """The table has failed its players: `kind` is one word or two, the text says the rest."""

    def __init__(self, kind: str, text: str) -> None:
        """Say what failed."""
        super().__init__(f"{kind}: {text}")
        self.kind = kind
        self.text = text


class Scene:
    """A table, its companion and the game as it is really played.

    `own` is the game that the people keep in their heads.  What is to be recorded is durable
    `store_s` after it was handed over.  With `sound` contacts the lights never ask for anything
    that is done already.  `watch` is called after each step, for a spectator.
    """

    def __init__(
        self,
        table: MockTable,
        companion: Companion,
        own: Game,
        *,
        store_s: float = 0.0,
        sound: bool = True,
        watch: Callable[["Scene"], None] | None = None,
        noise: float = 0.0,
        rng: Random | None = None,
    ) -> None:
        """Put all pieces beside the board; `noise` is the share of scans with a flipped contact."""
        self.table = table
        self.companion = companion
        self.own = own
        self.board = own.start.board
        self.eyes = Eyes(self.board, palette=companion.lights.palette)
        self.store_s = store_s
        n = self.board.grid.n
        self.disturbances = Disturbances(n, noise=noise, rng=rng or Random(0))
        self.sound = sound
        self.dead = companion.referee.masked
        """The contacts that are known to be dead: their lights say so."""
        self.watch = watch
        self.kinds: dict[int, Piece] = {}
        for side in SIDES:
            for piece, count in ((sentinel(side), 2), (shif(side), own.start.rules.shifs)):
                self.kinds |= {len(self.kinds) + k: piece for k in range(count)}
        for number in self.kinds:
            table.put(number, None)
        self.made: list[Action] = []
        """All actions that were really made."""
        self.recorded = 0
        """How many of them the companion has recorded."""
        self.taken_off: list[int] = []
        """The wooden pieces that were taken off the board, the last one last."""
        self.taking_back = 0
        self.wobbling = False
        """Whether a piece wobbles: what is recorded meanwhile may be taken back again."""
        self.counts: Counter[str] = Counter()
        self.scans: deque[Scan] = deque(maxlen=SCANS_KEPT)
        self.story: deque[tuple[float, str]] = deque(maxlen=80)
        """What happened last, in words."""
        self.progress_s = 0.0
        self.touched_s = 0.0
        """When the last movement ended."""
        self._storing: deque[tuple[float, int]] = deque()
        self._guessed: dict[int, Piece | None] = {}
        """What was shown as a guess, by space: people could have seen it."""

    # -- time ---------------------------------------------------------------------------------

    @property
    def now(self) -> float:
        """The time in seconds."""
        return self.table.now

    def run(self, script: Script[None]) -> None:
        """Let a script run to its end."""
        for due in script:
            self.pass_to(due)

    def pass_to(self, due: float) -> None:
        """Let time pass, with everything that happens meanwhile."""
        spins = 0
        while True:
            now = self.now
            soon = self._soon()
            if soon is None or soon >= due:
                self.table.advance_to(max(due, now))
                return
            if soon <= now:
                spins += 1
                soon = now
                if spins > _SPINS:
                    raise TableError("spin", f"the companion asks for {soon} s again and again")
            else:
                spins = 0
            self.table.advance_to(soon)
            self.step()

    def _soon(self) -> float | None:
        dues = [self.table.next_change(), self.companion.next_deadline()]
        dues.append(self.disturbances.next_change(self.now))
        if self._storing:
            dues.append(self._storing[0][0])
        return min((due for due in dues if due is not None), default=None)

    def step(self) -> None:
        """Scan, and let the companion make of it what it can."""
        now = self.now
        scan = self.table.scan()
        scan = scan._replace(closed=scan.closed ^ self.disturbances.flipped(now))
        self.scans.append(scan)
        busy_s = self.table.busy_until()
        if busy_s > now:
            self.touched_s = busy_s
        while self._storing and self._storing[0][0] <= now:
            self.companion.recorded(self._storing.popleft()[1], now)
        self._take(self.companion.step(scan, now))
        if self._storing and self._storing[0][0] <= now:
            self.companion.recorded(self._storing.popleft()[1], now)
            self._take(self.companion.step(scan, now))
        if self.watch is not None:
            self.watch(self)

    def command(self, command: Command) -> None:
        """Ask the companion for something, as the page does."""
        self._take(self.companion.command(command, self.now))

    def _take(self, output: Output) -> None:
        if output.serial is not None:
            self._storing.append((self.now + self.store_s, output.serial))
        if output.changed:
            self.counts["frames"] += 1
            self.table.show(output.frame)
            self.eyes.see(self.now, self.table.frame)
            self._remember_guesses()
        for event in output.events:
            self._hear(event)

    # -- what the companion says --------------------------------------------------------------

    def _hear(self, event: object) -> None:
        match event:
            case Done(cascade):
                self.note(f"recorded {self.text(cascade.action)}")
                self._compare(cascade.action)
            case TakenBack(cascade):
                self.note(f"taken back {self.text(cascade.action)}")
                if not self.taking_back and not self.wobbling:
                    raise TableError("not made", f"took back {self.text(cascade.action)} unasked")
                self.recorded -= 1
            case Dropped(cascade):
                self.note(f"dropped {self.text(cascade.action)}")
            case Illegal(spaces):
                self.counts["illegal boards"] += 1
                self.note(f"not legal: {self.names(mask_of(spaces))}")
            case Masked(spaces):
                self.counts["contacts masked"] += spaces.bit_count()
                self.note(f"masked {self.names(spaces)}")
            case Notice(said):
                self.note(render(said))
            case SetUp() | Accepted():
                self.note(type(event).__name__)

    def _compare(self, action: Action) -> None:
        """Compare an action that was recorded with the one that was made."""
        if self.wobbling:
            self.recorded += 1
            return
        if self.recorded >= len(self.made):
            raise TableError("not made", f"recorded {self.text(action)}, nothing was made")
        made = self.made[self.recorded]
        if made != action:
            raise TableError("not made", f"recorded {self.text(action)}, made {self.text(made)}")
        self.recorded += 1

    def check_wobble(self) -> None:
        """Now that the piece rests, what is recorded must be what was made."""
        made, recorded = self.made, list(self.companion.game.actions)
        if made[: len(recorded)] != recorded:
            text = " ".join(map(self.text, recorded[-3:]))
            raise TableError("not made", f"after a wobble {text}, made {self.text(made[-1])}")

    # -- what is true -------------------------------------------------------------------------

    def make(self, action: Action) -> None:
        """Say that an action is really made now, and the passes that follow from it."""
        self.note(f"makes {self.text(action)}")
        cascade = self.own.play(action)
        self.made.append(action)
        self.progress_s = self.now
        self.counts["actions"] += 1
        pushes = sum(event.cause is not None for event in cascade.consequences)
        self.counts["with pushes"] += pushes > 0
        self.counts["with three or more"] += pushes >= 3
        self.counts["releases"] += sum(e.event == "release" for e in cascade.consequences)
        while list(self.own.legal_actions) == [Pass()]:
            self.own.play(Pass())
            self.made.append(Pass())

    def unmake(self) -> None:
        """Say that the last action is taken back, with the passes that followed from it."""
        while True:
            action = self.made.pop()
            self.note(f"unmakes {self.text(action)}")
            self.own.undo()
            if action != Pass() or not self.made:
                return

    @property
    def goal(self) -> dict[int, Piece]:
        """What has to stand where when the last action is completed."""
        return standing_of(self.own.position.pieces)

    @property
    def wood(self) -> dict[int, Piece]:
        """What really stands where, as anybody can see."""
        return {space: self.kinds[number] for space, number in self.table.truth().items()}

    def piece_on(self, space: int) -> int | None:
        """Return the wooden piece that stands on `space`."""
        return self.table.truth().get(space)

    def beside(self, piece: Piece) -> int | None:
        """Return a wooden piece of that kind that lies beside the board."""
        found = (n for n in self.table.off_board() if self.kinds[n] is piece)
        return next(found, None)

    def touches_dead(self, cascade: Cascade) -> bool:
        """Whether a dead contact has to do with an action, or lies beside a placement."""
        if not self.dead:
            return False
        spaces = [k for event in cascade.consequences for k in (event.origin, event.target)]
        match cascade.action:
            case Step(origin, target):
                spaces += [origin, target]
            case Placement(space):
                spaces += [space, *spaces_of(self.board.grid.adjacent[space])]
        return any(space is not None and self.dead >> space & 1 for space in spaces)

    # -- what must hold -----------------------------------------------------------------------

    @property
    def at_rest(self) -> bool:
        """Whether no piece moves or is held."""
        return not self.table.held() and self.table.busy_until() <= self.now

    def check(self) -> None:
        """Where the companion leaves the players to themselves, it must know what stands where.

        Pieces that it shows as a guess are for the players to look at.
        """
        view = self.companion.view(self.now)
        quiet = (
            view.mode is Mode.PLAY
            and self.companion.referee.open is None
            and self.companion.referee.state.newcomer is None  # not made up its mind yet
            and not (view.next or view.wrong or view.hand)
            and self.at_rest
        )
        if not quiet:
            return
        wood = self.wood
        wrong = {
            s for s in wood.keys() | view.standing.keys() if wood.get(s) is not view.standing.get(s)
        }
        wrong -= {s for s in wrong if view.guesses >> s & 1}
        if wrong:
            self.counts["wrong identities"] += 1
            seen = {
                self.board.grid.names[s]: (_word(wood, s), _word(view.standing, s)) for s in wrong
            }
            told = view.shown_until_s > self.touched_s or all(
                s in self._guessed and self._guessed[s] is view.standing.get(s) for s in wrong
            )
            kind = "wrong identity" if told else "silent"
            raise TableError(kind, f"space: (wood, belief): {seen}")

    def _remember_guesses(self) -> None:
        """Keep what the lights have shown as a guess."""
        view = self.companion.view(self.now)
        if view.guesses:
            self._guessed |= {s: view.standing.get(s) for s in spaces_of(view.guesses)}

    def check_recorded(self) -> None:
        """All that was made must be recorded by now."""
        if self.recorded < len(self.made):
            text = " ".join(map(self.text, self.made[self.recorded :]))
            raise TableError("lost", f"made but not recorded: {text}")

    def check_progress(self) -> None:
        """Something must have come of it within a reasonable time."""
        if self.now - self.progress_s > STUCK_S:
            raise TableError("stuck", f"no progress for {STUCK_S:.0f} s")

    # -- words --------------------------------------------------------------------------------

    def note(self, text: str) -> None:
        """Remember what happens, for whoever looks into a failure."""
        self.story.append((self.now, text))

    def text(self, action: Action) -> str:
        """Return the text of an action."""
        return format_action(self.board, action)

    def names(self, mask: int) -> str:
        """Return the names of the spaces in `mask`."""
        return " ".join(self.board.grid.names_of(mask))

    def name(self, space: int | None) -> str:
        """Return the name of a space; None is beside the board."""
        return "off" if space is None else self.board.grid.names[space]


def _word(pieces: Mapping[int, Piece | None], space: int) -> str:
    piece = pieces.get(space, "-")
    return "?" if piece is None else piece.letter if isinstance(piece, Piece) else piece


def wait_and_read(scene: Scene) -> Script[Reading]:
    """Look at the lights until they can be told, and return what they say."""
    since = scene.now
    yield since + LOOK_S
    reading = scene.eyes.read(since, scene.now)
    while reading.unclear and scene.now < since + LONG_LOOK_S - 1e-6:
        yield min(scene.now + 0.4, since + LONG_LOOK_S)
        reading = scene.eyes.read(since, scene.now)
    return reading
