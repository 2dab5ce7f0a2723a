"""Whole games by simulated people on a simulated clock, one by one or many at once.

The same seed, number and options give the same game, on any machine and in any process.
"""

import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, fields, replace
from functools import partial
from random import Random
from time import perf_counter

from ..drivers.mock.field import DISC_6X3, DISC_12X5_DEEP
from ..drivers.mock.table import MockTable
from ..rules.board import standard_board
from ..rules.game import Game
from ..rules.hexgrid import spaces_of
from ..rules.notation import format_position
from ..rules.position import AHUMM, EGRESSIAN, SIDES, start_position
from ..table.commands import AgreeDraw
from ..table.companion import Companion
from ..table.lights.frame import FrameMaker
from ..table.timing import HALL_LATENCY_S, Timing
from .announcer import Announcer
from .body import Profile
from .choice import CHOICES
from .people import Habits, Person
from .profiles import PROFILES
from .report import Failure, GameReport, Summary
from .scene import Scene, Script, TableError

SCANS_S = 30.0
"""So much of the scans is kept with a failure."""
RANDOM = 0.2
"""So many of mixed people play anything; they meet few pushes, and their games are long."""
SET_UP_BY_HAND = 0.1
"""In so many games the pieces are put up one by one."""


@dataclass(frozen=True, slots=True)
class Options:
    """What kind of table and play: the same for all games of a run.

    `choice` is `random`, `greedy` or `mixed`; `rules` `egressian`, `ahumm` or `mixed`.  `eager`:
    who comes next lifts 100 ms after the last piece has landed.  `overlaps`: contacts of
    neighbours overlap.  `masked`: so many contacts are dead, and known to be.  `store_s`: how long
    it takes until an action is durable.  `most` actions are played, then a draw is agreed.
    `touches`: in this share of steps a sleeve opens the contact of a neighbour.  `noise`: in this
    share of scans one contact reads the other way.  `hurried`: who comes next lifts 100 to 350 ms
    after any piece was put down or taken off.  `together`: wherever they can, people do two
    relocations at once, or the other player lifts a piece, the own next one if it is to act.
    `sweeps`: before this share of actions, or in them, all or many pieces are swept off.
    `borders`: in this share of steps the piece wobbles on a border before it rests.  `forgetful`:
    nobody remembers what stood where; only the lights help.  `hall`: contacts are the slowest Hall
    switches of 20 Hz, and the waiting times allow for that.  `against`: one person plays an engine
    whose moves are announced one `action` after the other, or a whole `turn` at once.
    """

    choice: str = "mixed"
    rules: str = "mixed"
    eager: bool = False
    overlaps: bool = False
    masked: int = 0
    store_s: float = 0.0
    most: int = 300
    touches: float = 0.0
    noise: float = 0.0
    hurried: bool = False
    together: bool = False
    sweeps: float = 0.0
    borders: float = 0.0
    forgetful: bool = False
    hall: bool = False
    against: str = ""

    def __str__(self) -> str:
        """Return the options as on the command line, those with their default left out."""
        words = []
        for item in fields(self):
            value, name = getattr(self, item.name), "--" + item.name.replace("_s", "")
            if value != item.default:
                words.append(name if value is True else f"{name} {value}")
        return " ".join(words)


def play_game(
    seed: int,
    number: int,
    people: Sequence[str],
    options: Options = Options(),
    *,
    watch: Callable[[Scene], None] | None = None,
) -> GameReport:
    """Play one whole game and report; `people` are names of profiles, two of which sit down."""
    rng = Random(f"{seed} {number}")
    began = perf_counter()
    profiles = [rng.choice(people) for _ in SIDES]
    report = GameReport(number)
    scene = _scene(rng, options, watch)
    persons = [
        Person(
            scene,
            side,
            _profile(profiles[side], options),
            CHOICES[_choice(rng, options)],
            Random(rng.random()),
            eager=options.eager or options.hurried,
            habits=Habits(
                options.touches,
                options.hurried,
                options.sweeps,
                options.borders,
                options.forgetful,
                options.together,
            ),
        )
        for side in SIDES
    ]
    for person, partner in zip(persons, reversed(persons), strict=True):
        person.partner = partner
    by_hand = rng.random() < SET_UP_BY_HAND
    seats: list[Person | Announcer] = [*persons]
    if options.against:
        side = rng.choice(SIDES)
        whole_turns = options.against == "turn"
        engine = Announcer(scene, side, persons[side.other], rng, whole_turns=whole_turns)
        seats[side] = engine
    problem: TableError | None = None
    try:
        if not by_hand:
            _put_up(scene)
        scene.run(_game(scene, seats, persons, options.most, by_hand=by_hand))
    except TableError as failed:
        problem = failed
    except Exception as error:
        where = traceback.format_exc(limit=-4)
        problem = TableError("error", f"{type(error).__name__}: {error}\n{where}")
    if problem is not None:
        report.failure = _failure(scene, problem, seed, number, people, options)
    if options.noise:
        scene.counts["noisy scans"] = scene.disturbances.noisy
    report.counts = scene.counts
    ended = scene.own.outcome
    report.outcome = "failed" if problem else f"{ended.word}, {ended.reason}" if ended else "none"
    report.simulated_s = scene.now
    report.real_s = perf_counter() - began
    return report


def simulate(
    games: int,
    people: Sequence[str],
    seed: int,
    options: Options = Options(),
    *,
    first: int = 0,
    jobs: int = 1,
    progress: Callable[[GameReport], None] | None = None,
) -> Summary:
    """Play games number `first` and on in `jobs` processes; `progress` hears of each."""
    began = perf_counter()
    one = partial(play_game, seed, people=tuple(people), options=options)
    summary = Summary()
    for report in _all(one, range(first, first + games), jobs):
        summary.add(report)
        if progress is not None:
            progress(report)
    summary.failures.sort(key=lambda failure: failure.number)
    summary.real_s = perf_counter() - began
    return summary


def _all(
    one: Callable[[int], GameReport], numbers: Sequence[int], jobs: int
) -> Iterator[GameReport]:
    if jobs <= 1:
        yield from map(one, numbers)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from pool.map(one, numbers, chunksize=1)


# One game.


def _scene(rng: Random, options: Options, watch: Callable[[Scene], None] | None) -> Scene:
    """Return a table as the options want it, with all pieces beside it."""
    board = standard_board()
    names = ("egressian", "egressian", "ahumm") if options.rules == "mixed" else (options.rules,)
    rules = AHUMM if rng.choice(names) == "ahumm" else EGRESSIAN
    start = start_position(board, rules)
    seed = rng.getrandbits(32)
    pitch_mm = 28 if options.overlaps else rng.choice((28, 32, 36, 40))
    magnet = DISC_12X5_DEEP if options.overlaps else DISC_6X3
    latency_s = HALL_LATENCY_S if options.hall else 0.0
    table = MockTable(board, pitch_mm=pitch_mm, magnet=magnet, seed=seed, look_s=latency_s)
    masked = 0
    for space in rng.sample(list(spaces_of(board.hexes)), options.masked):
        table.break_contact(space, "dead")
        masked |= 1 << space
    companion = Companion(
        Game(start),
        FrameMaker(board),
        timing=Timing().with_latency(latency_s),
        overlaps=dict(enumerate(board.grid.adjacent)) if options.overlaps or latency_s else None,
        masked=masked,
    )
    return Scene(
        table,
        companion,
        Game(start),
        store_s=options.store_s,
        sound=not (options.masked or options.noise),
        watch=watch,
        noise=options.noise,
        rng=Random(seed),
    )


def _profile(name: str, options: Options) -> Profile:
    """Return how somebody plays; together means with both hands wherever they can."""
    profile = PROFILES[name]
    return replace(profile, two_hands=1.0) if options.together else profile


def _choice(rng: Random, options: Options) -> str:
    """Return the name of what somebody chooses by; of mixed people most are greedy."""
    if options.choice != "mixed":
        return options.choice
    return "random" if rng.random() < RANDOM else "greedy"


def _put_up(scene: Scene) -> None:
    """Let the pieces stand as the game starts before anything is switched on."""
    for space, piece in scene.goal.items():
        number = scene.beside(piece)
        assert number is not None
        scene.table.put(number, space)


def _game(
    scene: Scene,
    seats: Sequence[Person | Announcer],
    persons: Sequence[Person],
    most: int,
    *,
    by_hand: bool,
) -> Script[None]:
    """Play from the start to the end; `seats` say who plays each side."""
    scene.step()
    if by_hand or scene.dead:
        yield from persons[0].follow()
        scene.counts["led by light"] = 0
    yield scene.now + 1.0
    while scene.own.outcome is None and len(scene.made) < most:
        yield from seats[scene.own.position.side].act()
    if scene.own.outcome is None:
        yield scene.now + 1.0
        scene.check_recorded()
        scene.own.agree_draw()
        scene.command(AgreeDraw())
        yield scene.now + 0.5
    scene.check_recorded()
    if scene.companion.game.outcome != scene.own.outcome:
        raise TableError(
            "lost", f"{scene.own.outcome} is {scene.companion.game.outcome} to the table"
        )


def _failure(
    scene: Scene,
    problem: TableError,
    seed: int,
    number: int,
    people: Sequence[str],
    options: Options,
) -> Failure:
    now, cascades = scene.now, scene.own.cascades
    before = cascades[-1].before if cascades else scene.own.start
    return Failure(
        problem.kind,
        problem.text,
        seed,
        number,
        tuple(people),
        str(options),
        round(now, 3),
        format_position(before),
        tuple(map(scene.text, scene.made)),
        tuple(f"{time:.2f} {text}" for time, text in scene.story),
        tuple(
            (round(s.time_s, 4), s.closed, int(s.buttons))
            for s in scene.scans
            if s.time_s > now - SCANS_S
        ),
    )
