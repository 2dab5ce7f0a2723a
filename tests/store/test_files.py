"""The file itself: damaged, newer, missing, held by somebody else, on a disk that fails."""

import os
import random
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from sorcel_pi.errors import StoreError
from sorcel_pi.store.database import SCHEMA
from sorcel_pi.store.records import Health, RefusedError, Setting
from sorcel_pi.store.rows import DamagedGameError, Status
from sorcel_pi.store.store import Store

from .games import (
    BESIDE,
    completed,
    files_of,
    new_game,
    played,
    put_files,
    put_game,
    put_open,
    texts,
)

NOW_S = 1_700_000_000.0
Listed = dict[int, tuple[list[str], Status, str]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with three games, closed."""
    path = tmp_path / "state" / "games.sqlite3"
    with Store.open(path) as store:
        for actions in (70, 90, 40):
            game_id = put_game(store, played(new_game(Event="?"), actions, actions))
        put_open(store, game_id, {"hand": 1})
        store.apply([Health("c3", {"flicker": 2}), Setting("games", 3)])
    return path


def listed(store: Store) -> Listed:
    """Return every game that can be read."""
    found = {}
    for game in store.games():
        try:
            found[game.game_id] = (texts(store.load(game.game_id)), game.status, game.outcome)
        except DamagedGameError:
            continue
    return found


def beside(path: Path, word: str) -> dict[str, Path]:
    """Return the files of the database that was set aside, by what their names end in."""
    found = list(path.parent.glob(f"{path.name}.{word}-*"))
    bases = [file for file in found if not file.name.endswith(BESIDE[1:])]
    assert len(bases) == 1, found
    return {file.name.removeprefix(bases[0].name): file for file in found}


# -- damaged --------------------------------------------------------------------------------------


def damaged(content: bytes, chance: random.Random) -> bytes:
    """Return `content` as a worn card may give it back."""
    made = bytearray(content)
    match chance.randrange(5):
        case 0:
            for _ in range(chance.choice([1, 1, 3, 20])):
                made[chance.randrange(len(made))] ^= 1 << chance.randrange(8)
        case 1:
            for _ in range(chance.choice([1, 3, 20])):
                made[chance.randrange(len(made))] = chance.randrange(256)
        case 2:
            made[chance.randrange(100)] = chance.randrange(256)
        case 3:
            where, length = chance.randrange(len(made)), chance.choice([8, 64, 512, 4096])
            made[where : where + length] = bytes(len(made[where : where + length]))
        case _:
            del made[chance.randrange(len(made)) :]
    return bytes(made)


def look_through_damage(path: Path, seeds: range) -> dict[str, int]:
    """Open damaged copies; each is set aside untouched, or shows what is whole and names the rest.

    Returns how often each came.
    """
    good = files_of(path)
    with Store.open(path) as store:
        whole = listed(store)
    counts = {"aside": 0, "named": 0, "whole": 0}
    for seed in seeds:
        for file in path.parent.iterdir():
            file.unlink()
        content = damaged(good[""], random.Random(seed))
        put_files(path, good | {"": content})
        with Store.open(path) as store:
            offered = store.running_game()
            if any("set aside" in notice for notice in store.notices):
                word = "newer" if "newer version" in store.notices[0] else "damaged"
                assert beside(path, word)[""].read_bytes() == content
                assert store.games() == []
                counts["aside"] += 1
                continue
            found = listed(store)
            assert found.items() <= whole.items(), seed
            assert len(store.games()) == len(whole), seed
            if offered is not None:
                assert texts(offered.game) == whole[offered.game_id][0]
                assert offered.open_state in (None, {"hand": 1})
            store.health()
            store.settings()
            counts["whole" if found == whole else "named"] += 1
    return counts


def test_damage_is_never_taken_for_a_game(path: Path) -> None:
    counts = look_through_damage(path, range(150))
    assert min(counts.values()) > 0


@pytest.mark.slow
def test_damage_is_never_taken_for_a_game_often(path: Path) -> None:
    look_through_damage(path, range(1000, 4000))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "it is empty"),
        (b"not a database at all, but long enough to be looked at" * 100, "not a database"),
        (b"SQLite format 3\0", "not a database"),
        (bytes(8192), "not a database"),
    ],
)
def test_what_is_no_database_is_set_aside(path: Path, content: bytes, said: str) -> None:
    path.write_bytes(content)
    with Store.open(path, clock=lambda: NOW_S) as store:
        (notice,) = store.notices
        aside = beside(path, "damaged")[""]
        assert notice.startswith(f"{path}: ")
        assert said in notice
        assert f"It was set aside as {aside.name}, and a new one begun." in notice
        assert aside.read_bytes() == content
        assert put_game(store, new_game()) == 1
    with Store.open(path) as store:
        assert store.notices == []
        assert len(store.games()) == 1


def test_other_databases_are_set_aside(path: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other")) as db:
        db.execute("CREATE TABLE games (id)")
    put_files(path, files_of(tmp_path / "other"))
    with Store.open(path) as store:
        assert "it is not a database of this program" in store.notices[0]


@pytest.mark.parametrize(
    ("change", "word", "said"),
    [
        (f"PRAGMA user_version = {SCHEMA + 1}", "newer", "it is from a newer version ("),
        ("PRAGMA user_version = 0", "damaged", "its tables are not those of this program"),
        ("DROP TABLE written", "damaged", "its tables are not those of this program"),
        ("ALTER TABLE games ADD COLUMN more", "damaged", "its tables are not those"),
        ("PRAGMA application_id = 1", "damaged", "it is not a database of this program"),
    ],
)
def test_another_schema_is_set_aside(path: Path, change: str, word: str, said: str) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute(change)
    before = path.read_bytes()
    with Store.open(path) as store:
        assert said in store.notices[0]
        assert beside(path, word)[""].read_bytes() == before
        assert store.games() == []


def test_what_belongs_to_a_database_goes_with_it(path: Path) -> None:
    with Store.open(path) as store:
        store.apply([Setting("x", 1)])
        files = files_of(path)
    assert len(files["-wal"]) > 0
    files[""] = files[""][:5000]
    for number in ("", "-2"):
        put_files(path, files)
        with Store.open(path, clock=lambda: NOW_S) as store:
            assert f"{number}, and a new one begun" in store.notices[0]
            assert store.settings() == {}
    kept = sorted(path.parent.glob("*.damaged-*-wal"))
    assert [file.read_bytes() for file in kept] == [files["-wal"]] * 2
    for file in kept:
        with_it = file.with_name(file.name.removesuffix("-wal"))
        assert with_it.read_bytes() == files[""]


def test_a_journal_without_its_database_is_set_aside(path: Path) -> None:
    with Store.open(path) as store:
        store.apply([Setting("x", 1)])
        files = files_of(path)
    put_files(path, {"-wal": files["-wal"]})
    with Store.open(path) as store:
        assert "only its journal is there" in store.notices[0]
        assert store.settings() == {}
        store.apply([Setting("x", 2)])
    with Store.open(path) as store:
        assert (store.notices, store.settings()) == ([], {"x": 2})


def test_what_was_left_of_making_one_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    for suffix in (".new", ".new-wal", ".new-journal"):
        Path(f"{path}{suffix}").write_bytes(b"half a database" * 500)
    with Store.open(path) as store:
        assert store.notices == []
        put_game(store, new_game())
    assert sorted(file.name for file in tmp_path.iterdir()) == [path.name, f"{path.name}.lock"]


def test_to_read_only_changes_nothing(path: Path) -> None:
    with pytest.raises(StoreError, match="it does not exist"):
        Store.open(path.with_name("none"), read_only=True)
    path.write_bytes(path.read_bytes()[:5000])
    before = path.read_bytes()
    with pytest.raises(StoreError, match="it is damaged"):
        Store.open(path, read_only=True)
    assert path.read_bytes() == before


# -- held by somebody else ------------------------------------------------------------------------


def test_a_second_one_is_told_who_has_it(path: Path) -> None:
    with Store.open(path) as store:
        with pytest.raises(StoreError, match=rf"{path} is in use by process {os.getpid()} \("):
            Store.open(path)
        store.apply([Setting("x", 1)])
    Store.open(path).close()


def test_another_process_is_named_until_it_is_killed(path: Path) -> None:
    program = (
        "import sys; from sorcel_pi.store.store import Store; store = Store.open(sys.argv[1]);"
        "print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(StoreError, match=f"is in use by process {other.pid} "):
            Store.open(path)
        with Store.open(path, read_only=True) as reader:
            assert len(reader.games()) == 3
        other.kill()
    with Store.open(path) as store:
        assert (store.notices, len(store.games())) == ([], 3)


def test_a_stranger_who_writes_is_waited_for_and_named(path: Path) -> None:
    with Store.open(path) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        assert store._db is not None
        store._db.execute("PRAGMA busy_timeout = 0")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another program is writing to it"):
            store.apply([Setting("x", 1)])
        other.execute("ROLLBACK")
        store.apply([Setting("x", 1)])


# -- a disk that fails ----------------------------------------------------------------------------


def test_a_full_disk_is_said_and_nothing_is_half_written(path: Path) -> None:
    with Store.open(path) as store:
        assert store._db is not None
        (pages,) = store._db.execute("PRAGMA page_count").fetchone()
        store._db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match="the disk is full") as caught:
            store.apply([*completed(3, 40, "end"), Setting("long", "x" * 100_000)])
        assert str(path) in str(caught.value)
        assert not isinstance(caught.value, RefusedError)
        assert len(store.load(3).actions) == 40
        store.apply([Setting("short", 1)])
        store._db.execute(f"PRAGMA max_page_count = {pages + 100}")
        store.apply([Setting("long", "x" * 100_000)])
        assert sorted(store.settings()) == ["games", "long", "short"]


def test_a_disk_that_may_not_be_written_is_said(path: Path) -> None:
    with Store.open(path) as store:
        assert store._db is not None
        store._db.execute("PRAGMA query_only = ON")
        with pytest.raises(StoreError, match="it may not be written") as caught:
            store.apply([Setting("x", 1)])
        assert str(path) in str(caught.value)
        store._db.execute("PRAGMA query_only = OFF")
        store.apply([Setting("x", 1)])


@pytest.mark.parametrize("below", ["file/games.sqlite3", "a\0b", "folder"])
def test_a_place_where_nothing_can_be_is_said(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("a file", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError) as caught:
        Store.open(tmp_path / below)
    assert str(tmp_path)[:20] in str(caught.value)  # a long path is shortened in the middle
    assert (tmp_path / "folder").is_dir()


def test_a_database_that_is_gone_is_not_begun_anew_behind_the_back(path: Path) -> None:
    with Store.open(path) as store:
        put_files(path, {})
        with pytest.raises(StoreError, match="it cannot be opened"):
            store.reopen()
        with pytest.raises(StoreError):
            store.apply([Setting("x", 1)])
        assert not path.exists()
