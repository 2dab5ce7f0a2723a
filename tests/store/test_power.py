"""The plug is pulled: the process dies at any moment, or the disk keeps only some of a write."""

import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sorcel_pi.store.records import Setting
from sorcel_pi.store.store import Store, StoredGame

from .games import (
    checkpoint_often,
    completed,
    files_of,
    new_game,
    played,
    put_files,
    put_game,
    texts,
)
from .writing import state_of

SECTOR = 512
PAGE = 4096


# -- the process dies -----------------------------------------------------------------------------


def said_before_death(path: Path, seed: int, how: str) -> list[list[str]]:
    """Let a process write, kill it, and return the words of every line that it got out."""
    chance = random.Random(seed)
    command = [sys.executable, "-m", "tests.store.writing", str(path), str(seed), how]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=root) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(chance.randint(1, 60))]
        for _ in range(chance.randint(0, 20_000)):
            pass  # so that the blow falls anywhere in what comes next
        process.kill()
        lines += process.stdout.readlines()
    assert lines[0], "it died by itself"
    return [line.decode().split() for line in lines if line.endswith(b"\n")]


def possible_states(lines: list[list[str]]) -> set[str]:
    """Return what may be stored: the last acknowledged state, or any announced after it."""
    done = max((int(ticket) for word, ticket, *_ in lines if word == "done"), default=0)
    announced = {int(ticket): " ".join(state) for word, ticket, *state in lines if word == "submit"}
    return {state for ticket, state in announced.items() if ticket >= done}


def last_stored(store: Store) -> StoredGame:
    return store.stored(store.games()[0].game_id)


def kill_again_and_again(path: Path, seeds: range, how: str) -> None:
    before = set[str]()
    for seed in seeds:
        lines = said_before_death(path, seed, how)
        possible = possible_states(lines)
        if not any(word == "done" for word, *_ in lines):
            possible |= before
        with Store.open(path) as store:
            assert store.notices == []
            if not store.games():
                assert seed == seeds[0]
                continue
            found = last_stored(store)
            state = state_of(found.game_id, found.game)
            assert state in possible, seed
            if found.game.actions and found.open_state is not None:
                assert found.open_state == {"ply": len(found.game.actions)}
            before = {state}


@pytest.mark.parametrize("how", ["store", "writer"])
def test_killed_at_any_moment(tmp_path: Path, how: str) -> None:
    kill_again_and_again(tmp_path / "games.sqlite3", range(12), how)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["store", "writer"])
def test_killed_at_any_moment_often(tmp_path: Path, how: str) -> None:
    kill_again_and_again(tmp_path / "games.sqlite3", range(100, 200), how)


# -- the disk keeps only some of it ---------------------------------------------------------------


def mixed(old: bytes, new: bytes, unit: int, chance: random.Random) -> bytes:
    """Return `new` with some of its units not yet written over `old`, as a cache may leave it.

    Sometimes the first units are written and the rest is not, sometimes any of them.
    """
    size = max(len(old), len(new))
    old, new = old.ljust(size, b"\0"), new.ljust(size, b"\0")
    parts = range(0, size, unit)
    end, anywhere = chance.choice(parts), chance.random() < 0.5
    made = bytearray()
    for part in parts:
        written = chance.random() < 0.5 if anywhere else part < end
        made += (new if written else old)[part : part + unit]
    return bytes(made)


def torn(
    old: dict[str, bytes], new: dict[str, bytes], chance: random.Random
) -> Iterator[tuple[dict[str, bytes], bool]]:
    """Yield what the disk may hold around one commit, and whether that commit must be there.

    A commit syncs the head of a journal that it begins anew, then appends to the journal and syncs
    that.  Only then, and not each time, pages go from there to the main file, which is synced
    before the journal is begun anew.
    """
    before, after, head = old["-wal"], new["-wal"], slice(0, 32)
    yield {"": old[""], "-wal": mixed(before[head], after[head], 4, chance) + before[32:]}, False
    for unit in (1, SECTOR, PAGE + 24):
        wal = after[head] + mixed(before[32:], after[32:], unit, chance)
        yield {"": old[""], "-wal": wal}, False
    yield {"": old[""], "-wal": after}, True
    yield {"": mixed(old[""], new[""], SECTOR, chance), "-wal": after}, True
    yield new, True


def tear_every_commit(folder: Path, actions: int, seed: int) -> int:
    """Store a game; look at what any disk may hold after each commit; return how many looks."""
    chance = random.Random(seed)
    game = played(new_game(), actions, seed)
    path, copy = folder / "games.sqlite3", folder / "copy" / "games.sqlite3"
    copy.parent.mkdir()
    looks = 0
    with Store.open(path) as store:
        checkpoint_often(store)
        game_id = put_game(store, new_game())
        old = files_of(path)
        for ply, text in enumerate(texts(game)):
            store.apply([*completed(game_id, ply, text), Setting("length", "x" * ply)])
            new = files_of(path)
            for files, written in torn(old, new, chance):
                put_files(copy, files)
                with Store.open(copy) as survivor:
                    assert survivor.notices == []
                    found = survivor.running_game()
                assert found is not None
                kept = len(found.game.actions)
                assert kept == ply + 1 if written else kept in (ply, ply + 1)
                assert texts(found.game) == texts(game)[:kept]
                assert found.open_state == ({"ply": kept} if kept else None)
                looks += 1
            old = new
    return looks


def test_whatever_of_a_commit_is_on_the_disk(tmp_path: Path) -> None:
    assert tear_every_commit(tmp_path, 40, 1) >= 100


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_whatever_of_a_commit_is_on_the_disk_often(tmp_path: Path, seed: int) -> None:
    assert tear_every_commit(tmp_path, 150, seed) >= 100
