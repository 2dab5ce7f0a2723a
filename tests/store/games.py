"""Games to store, and what is asked of a store again and again."""

import random
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from sorcel_pi.rules.actions import Action, EndTurn
from sorcel_pi.rules.board import board_from_text, standard_board
from sorcel_pi.rules.game import Game
from sorcel_pi.rules.notation import format_action
from sorcel_pi.rules.position import EGRESSIAN, RuleSet, start_position
from sorcel_pi.store.records import ActionDone, GameEnded, GameStarted, OpenState, Record, TakenBack
from sorcel_pi.store.store import Store

BESIDE = ("", "-wal", "-shm")
LONG_ENOUGH_S = 60.0

SMALL_BOARD = board_from_text(
    """
    name = "Größe \\"3\\""
    side = 3
    detaining = ["c3"]
    [start]
    dark = "half turn"
    [start.light]
    sentinels = ["a1"]
    shifs = ["a2"]
    """
)


def new_game(rules: RuleSet = EGRESSIAN, **headers: str) -> Game:
    return Game(start_position(standard_board(), rules), headers)


def some_action(game: Game, chance: random.Random) -> Action:
    """Return a legal action, most of the time one that does something."""
    actions = list(game.legal_actions)
    others = [action for action in actions if not isinstance(action, EndTurn)]
    return chance.choice(others or actions)


def played(game: Game, actions: int, seed: int = 0) -> Game:
    """Play up to so many random actions in `game`, and return it."""
    chance = random.Random(seed)
    while len(game.actions) < actions and game.outcome is None:
        game.play(some_action(game, chance))
    return game


def texts(game: Game) -> list[str]:
    return [format_action(game.start.board, action) for action in game.actions]


def completed(game_id: int, ply: int, text: str) -> list[Record]:
    """Return what an action is stored with: the action, and the belief after it."""
    return [ActionDone(game_id, ply, text), OpenState(game_id, {"ply": ply + 1})]


def put_game(store: Store, game: Game) -> int:
    """Store `game` with all that was played in it, and return its number."""
    game_id = store.next_game_id()
    batch: list[Record] = [GameStarted.of(game_id, game)]
    batch += [ActionDone(game_id, ply, text) for ply, text in enumerate(texts(game))]
    if game.outcome is not None:
        batch.append(GameEnded(game_id, game.outcome))
    store.apply(batch)
    return game_id


def put_action(store: Store, game_id: int, ply: int, text: str) -> None:
    store.apply([ActionDone(game_id, ply, text)])


def take_back(store: Store, game_id: int, ply: int) -> None:
    store.apply([TakenBack(game_id, ply)])


def put_open(store: Store, game_id: int, data: Mapping[str, object] | None) -> None:
    store.apply([OpenState(game_id, data)])


def same(one: Game, other: Game) -> bool:
    return (
        one.start == other.start
        and one.headers == other.headers
        and one.cascades == other.cascades
        and one.outcome == other.outcome
        and one.position == other.position
    )


def files_of(path: Path) -> dict[str, bytes]:
    """Return the files of the database at `path`, except what is only an index in memory."""
    found = {suffix: Path(f"{path}{suffix}") for suffix in BESIDE[:2]}
    return {suffix: file.read_bytes() for suffix, file in found.items() if file.exists()}


def put_files(path: Path, files: dict[str, bytes]) -> None:
    """Make the database at `path` consist of these files."""
    for suffix in BESIDE:
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    for suffix, content in files.items():
        Path(f"{path}{suffix}").write_bytes(content)


def until(condition: Callable[[], bool]) -> None:
    """Wait for something that another thread does; the bound only ends a test that hangs."""
    for _ in range(int(LONG_ENOUGH_S * 1000)):
        if condition():
            return
        time.sleep(0.001)
    raise AssertionError("it never happened")


def checkpoint_often(store: Store) -> None:
    """Have what is journalled moved into the main file every few pages."""
    assert store._db is not None
    store._db.execute("PRAGMA wal_autocheckpoint = 8")
