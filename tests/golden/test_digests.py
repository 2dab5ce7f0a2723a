"""Nothing that a table says changes unnoticed: digests of whole games, kept logs, a kept store."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sorcel_pi.rules.notation import format_action
from sorcel_pi.store.store import Store
from tests.app.hands import Desk
from tests.golden.digests import GAMES, HERE, KEPT, KINDS, log_digest, logs

KEPT_DIGESTS = json.loads(KEPT.read_text(encoding="utf-8"))
ROOT = Path(__file__).parents[2]


def digests(kind: str, games: int, hash_seed: str) -> list[str]:
    """Return the digests of games that are played in a process with that hash seed."""
    command = [sys.executable, "-m", "tests.golden.digests", "--kinds", kind]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [*command, "--games", str(games)],
        cwd=ROOT,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    found: list[str] = json.loads(done.stdout)[kind]
    return found


@pytest.mark.parametrize("hash_seed", ["0", "20261201"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_first_games_are_as_they_were(kind: str, hash_seed: str) -> None:
    assert digests(kind, 12, hash_seed) == KEPT_DIGESTS[kind][:12]


@pytest.mark.slow
@pytest.mark.parametrize("hash_seed", ["0", "20261201"])
@pytest.mark.parametrize("kind", KINDS)
def test_all_games_are_as_they_were(kind: str, hash_seed: str) -> None:
    assert digests(kind, GAMES, hash_seed) == KEPT_DIGESTS[kind]


def test_kept_scan_logs_give_what_they_gave() -> None:
    assert [log_digest(path) for path in logs()] == KEPT_DIGESTS["logs"]


def test_a_kept_store_opens_with_its_open_action(tmp_path: Path) -> None:
    shutil.copy(HERE / "stores/open-action.sqlite3", tmp_path / "games.sqlite3")
    desk = Desk(tmp_path)
    table = desk.app.table
    board = table.game.start.board
    assert [format_action(board, action) for action in table.game.actions] == ["g6f5", "f5e4"]
    opened = table.referee.open
    assert opened is not None and format_action(board, opened.action) == "e4d4"
    desk.app.close()
    store = Store.open(tmp_path / "games.sqlite3")
    assert [summary.game_id for summary in store.games()] == [2, 1]
    store.close()
