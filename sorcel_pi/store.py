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
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, Self

from .database import connect, in_words, prepare, take_lock, why_unusable
from .errors import SorcelError, StoreError, quote
from .journal import (
    ActionDone,
    GameAbandoned,
    GameEnded,
    GameResumed,
    GameStarted,
    Health,
    OpenState,
    Record,
    RefusedError,
    Setting,
    TakenBack,
)
from .rules.actions import Outcome, Reason
from .rules.game import Game
from .rules.notation import format_action
from .rules.position import SIDES

DATABASE = "games.sqlite3"


class DamagedGameError(StoreError):
    """What is stored of a game cannot be played again; it is left as it is."""


class Status(StrEnum):
    """What has become of a game."""

    RUNNING = "running"
    FINISHED = "finished"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A line of a list of games; `problem` says why one cannot be read."""

    game_id: int
    started: datetime
    status: Status
    outcome: str
    headers: Mapping[str, str]
    rules: str
    actions: int
    problem: str | None = None


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
            if ticket is not None and _is_written(db, *ticket):
                return
            for record in batch:
                try:
                    _write(db, record, self._clock)
                except _UNFIT as error:
                    raise RefusedError(f"{quote(record)} cannot be stored: {error}") from error

    def new_game(self, game: Game) -> int:
        """Store `game` with all that was played in it, and return its number."""
        game_id = self.next_game_id()
        batch: list[Record] = [GameStarted.of(game_id, game)]
        for ply, action in enumerate(game.actions):
            batch.append(ActionDone(game_id, ply, format_action(game.start.board, action)))
        if game.outcome is not None:
            batch.append(GameEnded(game_id, game.outcome))
        self.apply(batch)
        return game_id

    def append_action(self, game_id: int, ply: int, text: str) -> None:
        """Store the action number `ply` (from 0); `RefusedError` if it is not the next."""
        self.apply([ActionDone(game_id, ply, text)])

    def take_back(self, game_id: int, ply: int) -> None:
        """Take back the action number `ply`; `RefusedError` if it is not the last."""
        self.apply([TakenBack(game_id, ply)])

    def save_open(self, game_id: int, data: Mapping[str, object] | None) -> None:
        """Store the open action, belief and hand of a game, or that there is none."""
        self.apply([OpenState(game_id, data)])

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
            rows = _rows(db, "WHERE id < ? ORDER BY id DESC LIMIT ?", below, limit)
        return [_summary(row, sound) for row, sound in rows]

    def running_game(self) -> StoredGame | None:
        """Return the running game that was begun or resumed last.

        Games that cannot be read are passed over, and `notices` says which.
        """
        with self._reading() as db:
            rows = _rows(db, "ORDER BY turn DESC")
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
                row = _row(db, game_id)
                actions = db.execute(_ACTIONS_OF, (game_id,)).fetchall()
                state = db.execute(
                    "SELECT data, seal FROM open_states WHERE game = ?", (game_id,)
                ).fetchone()
            finally:
                db.execute("ROLLBACK")
        try:
            game = _replayed(row, actions)
        except SorcelError as error:
            raise DamagedGameError(f"{self.path}: game {game_id}: {error}") from None
        data = None
        if state is not None and state[1] == _seal(game_id, state[0]):
            data = json.loads(state[0])
        elif state is not None:
            self._notice(f"{self.path}: game {game_id}: the open action is damaged, and left out")
        return StoredGame(game_id, _when(row), Status(row.status), game, data)

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


# -- rows -----------------------------------------------------------------------------------------


class _Row(NamedTuple):
    """A row of `games` without its seal; `tip` is the seal of the last of its `actions`."""

    id: int
    started: float
    board: str
    rules: str
    headers: str
    start: str
    status: str
    outcome: str
    turn: int
    actions: int
    tip: int


_COLUMNS = ", ".join(_Row._fields)
_ACTIONS_OF = "SELECT ply, text, time, seal FROM actions WHERE game = ? ORDER BY ply"
_LARGEST = 2**63 - 1
"""More than the id of any game."""
_UNFIT = (
    RecursionError,
    ArithmeticError,
    TypeError,
    ValueError,
    sqlite3.DataError,
    sqlite3.IntegrityError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
)


def _seal(*parts: object) -> int:
    return zlib.crc32("\x1f".join(map(str, parts)).encode("utf-8", "surrogatepass"))


def _json(value: object) -> str:
    return json.dumps(value, allow_nan=False)


def _rows(db: sqlite3.Connection, rest: str, *values: object) -> list[tuple[_Row, bool]]:
    """Return rows of games, each with whether its seal is whole."""
    found = db.execute(f"SELECT {_COLUMNS}, seal FROM games {rest}", values)
    return [(_Row(*row), _seal(*row) == seal) for *row, seal in found]


def _row(db: sqlite3.Connection, game_id: int) -> _Row:
    for row, sound in _rows(db, "WHERE id = ?", game_id):
        if sound:
            return row
        raise DamagedGameError(f"game {game_id}: what is stored of it is damaged")
    raise RefusedError(f"there is no game {game_id}")


def _put(db: sqlite3.Connection, row: _Row) -> None:
    marks = ", ".join("?" * (len(row) + 1))
    db.execute(f"REPLACE INTO games ({_COLUMNS}, seal) VALUES ({marks})", (*row, _seal(*row)))


def _when(row: _Row) -> datetime:
    return datetime.fromtimestamp(row.started, UTC)


def _summary(row: _Row, sound: bool) -> GameSummary:
    if not sound:
        never = datetime.fromtimestamp(0, UTC)
        problem = "what is stored of it is damaged"
        return GameSummary(row.id, never, Status.ABANDONED, "", {}, "", 0, problem)
    status, headers = Status(row.status), json.loads(row.headers)
    return GameSummary(row.id, _when(row), status, row.outcome, headers, row.rules, row.actions)


def _replayed(row: _Row, actions: Iterable[tuple[int, str, float, int]]) -> Game:
    """Return the game that is stored; raises a `SorcelError` where it cannot be played."""
    game = GameStarted(row.id, row.board, row.rules, json.loads(row.headers), row.start).game()
    seal, number = row.id, -1
    for number, (ply, text, at, sealed) in enumerate(actions):
        seal = _seal(seal, ply, text, at)
        if ply != number or seal != sealed:
            raise StoreError(f"action {number} is damaged")
        try:
            game.play(text)
        except SorcelError as error:
            raise StoreError(f"action {number}: {error}") from None
    if (number + 1, seal) != (row.actions, row.tip):
        raise StoreError(f"it has {row.actions} actions, and {number + 1} of them can be read")
    word, _, reason = row.outcome.partition(" ")
    if game.outcome is None and reason == Reason.RESIGNATION:
        game.resign(next(side for side in SIDES if side.other.word == word))
    elif game.outcome is None and reason == Reason.AGREEMENT:
        game.agree_draw()
    real = _outcome_text(game.outcome) if game.outcome else ""
    if row.outcome and row.outcome != real:
        raise StoreError(f"it is stored as {quote(row.outcome)}, the actions say {quote(real)}")
    return game


def _outcome_text(outcome: Outcome) -> str:
    return f"{outcome.word} {outcome.reason}"


# -- records into rows ----------------------------------------------------------------------------


def _is_written(db: sqlite3.Connection, writer: str, ticket: int) -> bool:
    """Return whether the ticket was written before; if not, note it as written now."""
    found = db.execute("SELECT ticket FROM written WHERE writer = ?", (writer,)).fetchone()
    if found is not None and found[0] >= ticket:
        return True
    db.execute("DELETE FROM written")
    db.execute("INSERT INTO written VALUES (?, ?)", (writer, ticket))
    return False


def _write(db: sqlite3.Connection, record: Record, clock: Callable[[], float]) -> None:
    match record:
        case GameStarted():
            _write_start(db, record, clock)
        case ActionDone():
            _write_action(db, record, clock)
        case TakenBack(game_id, ply):
            _write_take_back(db, game_id, ply)
        case OpenState(game_id, None):
            db.execute("DELETE FROM open_states WHERE game = ?", (game_id,))
        case OpenState(game_id, data):
            text = _json(data)
            values = _row(db, game_id).id, text, _seal(game_id, text)
            db.execute("REPLACE INTO open_states VALUES (?, ?, ?)", values)
        case GameEnded(game_id, outcome):
            row = _row_that_is(db, game_id, Status.RUNNING)
            _put(db, row._replace(status=Status.FINISHED.value, outcome=_outcome_text(outcome)))
        case GameAbandoned(game_id):
            row = _row_that_is(db, game_id, Status.RUNNING, Status.ABANDONED)
            _put(db, row._replace(status=Status.ABANDONED.value))
        case GameResumed(game_id):
            row = _row_that_is(db, game_id, Status.RUNNING, Status.ABANDONED)
            _put(db, row._replace(status=Status.RUNNING.value, turn=_next_turn(db)))
        case Health(space, counters):
            db.execute("REPLACE INTO health VALUES (?, ?)", (space, _json(dict(counters))))
        case Setting(key, value):
            db.execute("REPLACE INTO settings VALUES (?, ?)", (key, _json(value)))


def _write_start(db: sqlite3.Connection, record: GameStarted, clock: Callable[[], float]) -> None:
    if _rows(db, "WHERE id = ?", record.game_id):
        raise RefusedError(f"there is a game {record.game_id} already")
    at = clock() if record.at is None else record.at
    texts = record.board, record.rules, _json(dict(record.headers)), record.start
    running = Status.RUNNING.value
    row = _Row(record.game_id, float(at), *texts, running, "", _next_turn(db), 0, record.game_id)
    _put(db, row)


def _write_action(db: sqlite3.Connection, record: ActionDone, clock: Callable[[], float]) -> None:
    game_id, ply, text = record.game_id, record.ply, record.text
    row = _row_that_is(db, game_id, Status.RUNNING)
    if ply != row.actions:
        raise RefusedError(
            f"game {game_id}: action {quote(text)} has the number {ply}, the next is {row.actions}"
        )
    at = float(clock() if record.at is None else record.at)
    tip = _seal(row.tip, ply, text, at)
    db.execute("INSERT INTO actions VALUES (?, ?, ?, ?, ?)", (game_id, ply, text, at, tip))
    db.execute("DELETE FROM open_states WHERE game = ?", (game_id,))
    _put(db, row._replace(actions=ply + 1, tip=tip))


def _write_take_back(db: sqlite3.Connection, game_id: int, ply: int) -> None:
    row = _row_that_is(db, game_id, Status.RUNNING, Status.FINISHED)
    if ply != row.actions - 1 or ply < 0:
        raise RefusedError(
            f"game {game_id} has {row.actions} actions: number {ply} is not the last"
        )
    db.execute("DELETE FROM actions WHERE game = ? AND ply = ?", (game_id, ply))
    db.execute("DELETE FROM open_states WHERE game = ?", (game_id,))
    found = db.execute(
        "SELECT seal FROM actions WHERE game = ? AND ply = ?", (game_id, ply - 1)
    ).fetchone()
    tip = found[0] if found else game_id
    _put(db, row._replace(status=Status.RUNNING.value, outcome="", actions=ply, tip=tip))


def _row_that_is(db: sqlite3.Connection, game_id: int, *wanted: Status) -> _Row:
    row = _row(db, game_id)
    if row.status not in wanted:
        raise RefusedError(f"game {game_id} is {row.status} {row.outcome}".rstrip())
    return row


def _next_turn(db: sqlite3.Connection) -> int:
    (last,) = db.execute("SELECT max(turn) FROM games").fetchone()
    return (last or 0) + 1
