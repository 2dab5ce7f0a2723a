"""Games and the journal of the running one, in one SQLite file that outlives a pulled plug.

The records of one `apply` are written together or not at all, and are on the disk when it returns.
The store knows texts and their order, not what is legal: that shows when a game is loaded and
played again.  Rows carry a checksum, because SQLite would not see a letter that changed on a worn
card.  Nothing is overwritten or deleted because it cannot be read.
"""

import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Self

from ..errors import SorcelError, StoreError, quote
from ..rules.game import Game
from .database import connect, in_words, prepare, take_lock, why_unusable
from .records import (
    GameAbandoned,
    GameResumed,
    Record,
    RefusedError,
)
from .rows import (
    ACTIONS_OF,
    UNFIT,
    DamagedGameError,
    GameSummary,
    Status,
    is_written,
    replayed,
    row_of,
    rows_of,
    seal_of,
    summary_of,
    when,
    write,
)

DATABASE = "games.sqlite3"
MAX_ID = 2**62
"""Ids that are given by people are below; no store comes near."""
_LARGEST = 2**63 - 1
"""More than the id of any game."""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as it was left, with its open state if there is one."""

    game_id: int
    started: datetime
    status: Status
    game: Game
    open_state: Mapping[str, object] | None


class Store:
    """The database at `path`; `open` makes one.  To be used by one thread at a time.

    `notices` says in words what was found wrong, and what was done about it.
    """

    def __init__(
        self, path: Path, *, read_only: bool, clock: Callable[[], float], lock: int | None
    ) -> None:
        """Use `open`."""
        self.path = path
        self.notices: list[str] = []
        self._read_only = read_only
        self._clock = clock
        self._lock = lock
        self._db: sqlite3.Connection | None = None

    @classmethod
    def open(
        cls, path: str | Path, *, read_only: bool = False, clock: Callable[[], float] = time.time
    ) -> Self:
        """Open or make the database at `path`.

        One that is damaged or from a newer version is renamed, with what belongs to it, and a
        fresh one made; `notices` then says so.  With `read_only` it must be there, nothing is
        changed, and another process may have it open.  `StoreError` says who holds it, or what
        the disk has against it.
        """
        path = Path(path).absolute()
        with in_words(path):
            if not read_only:
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            lock = None if read_only else take_lock(path)
            store = cls(path, read_only=read_only, clock=clock, lock=lock)
            try:
                if read_only:
                    _check_readable(path)
                elif notice := prepare(path, now=clock()):
                    store.notices.append(notice)
                store._db = connect(path, read_only=read_only)
            except BaseException:
                store.close()
                raise
            return store

    def reopen(self) -> None:
        """Connect anew after an error, to what is there now; it is not looked through again."""
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
        with in_words(self.path):
            self._db = connect(self.path, read_only=self._read_only)

    def close(self) -> None:
        """Close the database and let others have it; closing twice does no harm."""
        db, self._db = self._db, None
        lock, self._lock = self._lock, None
        try:
            if db is not None:
                with in_words(self.path):
                    db.close()
        finally:
            if lock is not None:
                os.close(lock)

    def __enter__(self) -> Self:
        """Return the store."""
        return self

    def __exit__(self, *exception: object) -> None:
        """Close it."""
        self.close()

    # -- writing ----------------------------------------------------------------------------------

    def apply(self, batch: Sequence[Record], *, ticket: tuple[str, int] | None = None) -> None:
        """Write all records of `batch`, durably, or none of them.

        A `ticket` (who writes, and a number that rises) that was written already does nothing, so
        that a write which failed may be tried again even if it had reached the disk.
        `RefusedError` means that a record does not fit, any other `StoreError` that it may later.
        """
        with self._transaction() as db:
            if ticket is not None and is_written(db, *ticket):
                return
            for record in batch:
                try:
                    write(db, record, self._clock)
                except UNFIT as error:
                    raise RefusedError(f"{quote(record)} cannot be stored: {error}") from error

    def abandon(self, game_id: int) -> None:
        """See to it that an unfinished game is not offered again."""
        self.apply([GameAbandoned(game_id)])

    def resume(self, game_id: int) -> StoredGame:
        """Make an unfinished game, also an abandoned one, the one that is offered; return it."""
        self.stored(game_id)
        self.apply([GameResumed(game_id)])
        return self.stored(game_id)

    # -- reading ----------------------------------------------------------------------------------

    def next_game_id(self) -> int:
        """Return the number of the next new game."""
        with self._reading() as db:
            (last,) = db.execute("SELECT max(id) FROM games").fetchone()
            return (last or 0) + 1

    def games(self, *, before: int | None = None, most: int | None = None) -> list[GameSummary]:
        """List the games, the newest first: at most so many, of those with ids below `before`."""
        below, limit = _LARGEST if before is None else before, -1 if most is None else most
        with self._reading() as db:
            rows = rows_of(db, "WHERE id < ? ORDER BY id DESC LIMIT ?", below, limit)
        return [summary_of(row, sound) for row, sound in rows]

    def running_game(self) -> StoredGame | None:
        """Return the running game that was begun or resumed last.

        Games that cannot be read are passed over, and `notices` says which.
        """
        with self._reading() as db:
            rows = rows_of(db, "ORDER BY turn DESC")
        found = None
        for row, sound in rows:
            if sound and (found or row.status != Status.RUNNING):
                continue
            try:
                found = self.stored(row.id)
            except DamagedGameError as error:
                self._notice(f"{error}. It is kept, but not offered.")
        return found

    def stored(self, game_id: int) -> StoredGame:
        """Return a game as it was left; `DamagedGameError` if it cannot be played again."""
        with self._reading() as db:
            db.execute("BEGIN")  # all three reads see the same moment
            try:
                row = row_of(db, game_id)
                actions = db.execute(ACTIONS_OF, (game_id,)).fetchall()
                state = db.execute(
                    "SELECT data, seal FROM open_states WHERE game = ?", (game_id,)
                ).fetchone()
            finally:
                db.execute("ROLLBACK")
        try:
            game = replayed(row, actions)
        except SorcelError as error:
            raise DamagedGameError(f"{self.path}: game {game_id}: {error}") from None
        data = None
        if state is not None and state[1] == seal_of(game_id, state[0]):
            data = json.loads(state[0])
        elif state is not None:
            self._notice(f"{self.path}: game {game_id}: the open action is damaged, and left out")
        return StoredGame(game_id, when(row), Status(row.status), game, data)

    def load(self, game_id: int) -> Game:
        """Return a game, replayed; errors as `stored`."""
        return self.stored(game_id).game

    def export(self, game_id: int) -> str:
        """Return the record of a game."""
        return self.load(game_id).record()

    def health(self) -> dict[str, Mapping[str, int]]:
        """Return what is known of contacts, by the names of spaces."""
        return {key: value for key, value in self._pairs("health") if isinstance(value, dict)}

    def settings(self) -> dict[str, object]:
        """Return the settings of the match."""
        return dict(self._pairs("settings"))

    def _pairs(self, table: str) -> Iterator[tuple[str, Any]]:
        with self._reading() as db:
            rows = db.execute(f"SELECT * FROM {table}").fetchall()
        for key, text in rows:
            with suppress(ValueError, TypeError):  # damaged: as if it had not been stored
                yield key, json.loads(text)

    def _notice(self, text: str) -> None:
        if text not in self.notices:
            self.notices.append(text)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with in_words(self.path):
            if self._db is None:
                raise StoreError(f"{self.path}: the store is closed")
            yield self._db

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._reading() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:  # some errors have rolled back already
                    with suppress(sqlite3.Error):
                        db.execute("ROLLBACK")
                raise


def _check_readable(path: Path) -> None:
    found = why_unusable(path)
    if found or not path.exists():
        raise StoreError(f"{path}: {found[1] if found else 'it does not exist'}")
