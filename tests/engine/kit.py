"""What the tests of the engine share: the library in C, random positions, games of the levels."""

import importlib.util
import random
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from sorcel_pi import (
    Game,
    Layout,
    Position,
    RuleSet,
    Side,
    legal_actions,
    resolve,
    rule_set_from_text,
    spaces_of,
    standard_board,
    start_position,
)
from sorcel_pi.engine import LEVELS, LevelPlayer, Player, openings, play_game
from sorcel_pi.engine.native import Library

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "engine" / "sorcel_engine" / "engine.c"
BOARD = standard_board()
RULES = tuple(
    map(
        rule_set_from_text,
        (
            "egressian",
            "ahumm",
            "egressian shifs=9 detained=4",
            "egressian placement_pushes=yes early_end=no",
            "ahumm purse=3 stake=2 detained=1",
            "ahumm shifs=3 placement_pushes=yes detained=5",
        ),
    )
)


@cache
def build_hook() -> ModuleType:
    """Return the module that builds wheels of the engine."""
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "engine" / "hatch_build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def has_compiler() -> bool:
    return shutil.which("cc") is not None


def compiled(folder: Path) -> Library:
    """Compile the engine into `folder` and load it."""
    hook = build_hook()
    path = folder / hook.own_library()
    subprocess.run(hook.command(SOURCE, path), check=True)
    return Library(path)


def random_position(rules: RuleSet, rng: random.Random) -> Position:
    """Return a position at the beginning of a turn with pieces anywhere, some of them detained."""
    while True:
        start = start_position(BOARD, rules)
        masks, taken = [], 0
        for _ in ("light", "dark"):
            hexes = [k for k in range(BOARD.grid.n) if not taken >> k & 1]
            sentinels = sum(1 << k for k in rng.sample(hexes, rng.choice((1, 2, 2))))
            taken |= sentinels
            shifs = 0
            for _ in range(rng.randint(0, min(rules.shifs, 8))):
                near = [
                    j
                    for k in spaces_of((sentinels | shifs) & BOARD.hexes)
                    for j in spaces_of(BOARD.grid.near[k] & ~taken)
                ]
                if near:
                    spot = 1 << rng.choice(near)
                    shifs, taken = shifs | spot, taken | spot
            masks += [sentinels, shifs]
        side = rng.choice((Side.LIGHT, Side.DARK))
        position = start._replace(pieces=Layout(*masks), side=side)
        position = position._replace(steps_left=position.shifs_in_play(side))
        loose = BOARD.grid.loose
        connected = not any(
            loose[masks[2 * s] & BOARD.hexes, masks[2 * s + 1] & BOARD.hexes] for s in (0, 1)
        )
        if connected and legal_actions(position):
            return position


def random_positions(seed: int) -> Iterator[Position]:
    """Yield positions of random games from random positions, for ever, many with pushes."""
    rng = random.Random(seed)
    while True:
        position = random_position(rng.choice(RULES), rng)
        for _ in range(24):
            yield position
            actions = list(legal_actions(position))
            if not actions:
                break
            for _ in range(4):
                cascade = resolve(position, rng.choice(actions))
                if cascade.consequences:
                    break
            position = cascade.after


def level_player(number: int, seed: int = 1, library: Library | None = None) -> LevelPlayer:
    rules = RULES[0]
    if library is None:
        return LevelPlayer(LEVELS[number - 1], BOARD, rules, seed=seed, native=False)
    return LevelPlayer(LEVELS[number - 1], BOARD, rules, seed=seed, library=library)


def games_of(light: Player, dark: Player, count: int, seed: int = 1) -> Iterator[Game]:
    """Yield games from random openings."""
    starts = openings(BOARD, RULES[0], seed)
    for _ in range(count):
        yield play_game(next(starts), light, dark)
