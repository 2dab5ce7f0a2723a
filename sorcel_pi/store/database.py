"""The file that games are kept in: its tables, and how it is opened, checked and set aside.

Writing to it is durable from the start: a commit that has returned is on the disk.  Nothing is
overwritten or deleted because it cannot be read; it is renamed, with the files that belong to it.
"""

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path

from ..errors import StoreError, quote

SCHEMA = 1
_APPLICATION = 0x536F7263  # "Sorc", in the header of the file
_BUSY_S = 2.0
_BESIDE = ("", "-wal", "-shm")  # the files that make up a database

_TABLES = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY, started REAL NOT NULL, board TEXT NOT NULL, rules TEXT NOT NULL,
    headers TEXT NOT NULL, start TEXT NOT NULL, status TEXT NOT NULL, outcome TEXT NOT NULL,
    turn INTEGER NOT NULL, actions INTEGER NOT NULL, tip INTEGER NOT NULL, seal INTEGER NOT NULL
);
CREATE TABLE actions (
    game INTEGER NOT NULL, ply INTEGER NOT NULL, text TEXT NOT NULL, time REAL NOT NULL,
    seal INTEGER NOT NULL, PRIMARY KEY (game, ply)
) WITHOUT ROWID;
CREATE TABLE open_states (game INTEGER PRIMARY KEY, data TEXT NOT NULL, seal INTEGER NOT NULL);
CREATE TABLE health (space TEXT PRIMARY KEY, counters TEXT NOT NULL);
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE written (writer TEXT PRIMARY KEY, ticket INTEGER NOT NULL);
"""

_WORDS = {
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_READONLY: "it may not be written",
    sqlite3.SQLITE_PERM: "it may not be written",
    sqlite3.SQLITE_IOERR: "the disk failed",
    sqlite3.SQLITE_CANTOPEN: "it cannot be opened",
    sqlite3.SQLITE_BUSY: "another program is writing to it",
    sqlite3.SQLITE_LOCKED: "another program is writing to it",
    sqlite3.SQLITE_CORRUPT: "it is damaged",
    sqlite3.SQLITE_NOTADB: "it is no database",
}
_DAMAGED = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


@contextmanager
def in_words(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and the system into `StoreError`, with path and reason."""
    try:
        yield
    except StoreError:
        raise
    except sqlite3.Error as error:
        words = _WORDS.get(_code(error), "it cannot be used")
        raise StoreError(f"{path}: {words} ({error})") from error
    except OSError as error:
        raise StoreError(f"{error.filename or path}: {error.strerror}") from error
    except ValueError as error:  # a NUL in the path
        raise StoreError(f"{quote(path)}: {error}") from None


def _code(error: sqlite3.Error) -> int:
    """Return the primary code of an error, or 0 for one that Python raised by itself."""
    code: int = getattr(error, "sqlite_errorcode", 0)
    return code & 0xFF


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """Return a connection to a file that must be there; writing is durable from the start."""
    db = sqlite3.connect(
        f"{path.as_uri()}?mode={'ro' if read_only else 'rw'}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=_BUSY_S,
    )
    try:
        db.text_factory = lambda raw: raw.decode("utf-8", "replace")
        if not read_only:
            (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
            if mode != "wal":
                raise StoreError(f"{path}: this file system does not let it be written safely")
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA fullfsync = ON")  # macOS: past the disk's own cache
    except BaseException:
        db.close()
        raise
    return db


def _create(path: Path) -> None:
    """Make an empty database, whole from the moment that it is seen under its name."""
    made = path.with_name(f"{path.name}.new")
    for suffix in (*_BESIDE, "-journal"):
        Path(f"{made}{suffix}").unlink(missing_ok=True)
    with closing(sqlite3.connect(made, isolation_level=None)) as db:
        db.executescript(
            f"PRAGMA journal_mode = WAL; PRAGMA application_id = {_APPLICATION};"
            f"PRAGMA user_version = {SCHEMA}; BEGIN; {_TABLES} COMMIT;"
        )
    with made.open("r+b") as file:
        os.fsync(file.fileno())
    made.replace(path)
    _sync_folder(path.parent)


def prepare(path: Path, *, now: float) -> str | None:
    """See to it that there is a good database at `path`; say what was set aside for that."""
    found = why_unusable(path) or _why_not_writable(path)
    notice = None
    if found:
        kind, reason = found
        aside = _set_aside(path, kind, now)
        notice = f"{path}: {reason}. It was set aside as {aside.name}, and a new one begun."
    if not path.exists():
        _create(path)
    return notice


def why_unusable(path: Path) -> tuple[str, str] | None:
    """Return `damaged` or `newer` and the reason in words; None if the file is good or absent.

    Looks without changing anything, so that what is set aside is as it was found.
    """
    if not path.exists():
        wal = Path(f"{path}-wal")
        return ("damaged", "only its journal is there") if wal.exists() else None
    if path.stat().st_size == 0:
        return "damaged", "it is empty"
    try:
        with closing(connect(path, read_only=True)) as db:
            (application,) = db.execute("PRAGMA application_id").fetchone()
            (version,) = db.execute("PRAGMA user_version").fetchone()
            if application != _APPLICATION:
                return "damaged", "it is not a database of this program"
            if version > SCHEMA:
                return "newer", f"it is from a newer version ({version}, this one knows {SCHEMA})"
            found = [text for (text,) in db.execute("PRAGMA quick_check(1)")]
            if version != SCHEMA or _schema(db) != _expected_schema():
                found = ["its tables are not those of this program"]
            return None if found == ["ok"] else ("damaged", f"it is damaged ({found[0]})")
    except UnicodeDecodeError:  # of SQLite's own message, which quotes what it found
        return "damaged", "it is damaged"
    except sqlite3.DatabaseError as error:
        if _code(error) not in _DAMAGED:
            raise
        return "damaged", f"it is damaged ({error})"


def _why_not_writable(path: Path) -> tuple[str, str] | None:
    """Find the one damage that a reader does not meet: the header asks for a newer SQLite.

    Only for a time when this process has no connection: closing a file gives up its locks.
    """
    if not path.exists():
        return None
    with path.open("rb") as file:
        versions = file.read(20)[18:]
    return None if versions == b"\x02\x02" else ("damaged", "it is damaged (its header)")


def _schema(db: sqlite3.Connection) -> list[tuple[object, ...]]:
    return db.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY name").fetchall()


def _expected_schema() -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(_TABLES)
        return _schema(db)


def _set_aside(path: Path, kind: str, now: float) -> Path:
    """Rename the database with what belongs to it, and return its new path."""
    stamp = datetime.fromtimestamp(now).strftime("%Y%m%d-%H%M%S")
    base = aside = path.with_name(f"{path.name}.{kind}-{stamp}")
    number = 1
    while any(Path(f"{aside}{suffix}").exists() for suffix in _BESIDE):
        number += 1
        aside = base.with_name(f"{base.name}-{number}")
    for suffix in _BESIDE:
        with suppress(FileNotFoundError):
            Path(f"{path}{suffix}").rename(f"{aside}{suffix}")
    _sync_folder(path.parent)
    return aside


def _sync_folder(folder: Path) -> None:
    """See to it that new names outlive a power cut; Windows has no such call."""
    if sys.platform != "win32":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def take_lock(path: Path) -> int:
    """Return the descriptor of the lock beside `path`; the system frees it when we are killed."""
    lock = os.open(f"{path}.lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(lock, 1 << 20, os.SEEK_SET)  # a byte that nobody wants to read
            msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(lock, 0)
        os.lseek(lock, 0, os.SEEK_SET)
        os.write(lock, f"process {os.getpid()} ({Path(sys.argv[0]).name})".encode())
    except (BlockingIOError, PermissionError):
        os.lseek(lock, 0, os.SEEK_SET)
        holder = os.read(lock, 200).decode("utf-8", "replace")
        os.close(lock)
        raise StoreError(f"{path} is in use by {holder or 'another program'}") from None
    except BaseException:
        os.close(lock)
        raise
    return lock
