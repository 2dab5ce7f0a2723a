"""Rows of the database: records into rows, and a game played again from them.

A row carries a checksum over all that it says, because SQLite would not see a letter that changed
on a worn card; those of actions are chained, so that none can be missing.  A record is refused
unless it fits what is stored.
"""

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import NamedTuple

from ..errors import SorcelError, StoreError, quote
from ..rules.actions import Outcome, Reason
from ..rules.game import Game
from ..rules.position import SIDES
from .records import (
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


class Row(NamedTuple):
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


_COLUMNS = ", ".join(Row._fields)
ACTIONS_OF = "SELECT ply, text, time, seal FROM actions WHERE game = ? ORDER BY ply"
UNFIT = (
    RecursionError,
    ArithmeticError,
    TypeError,
    ValueError,
    sqlite3.DataError,
    sqlite3.IntegrityError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
)


def seal_of(*parts: object) -> int:
    """Return the checksum over `parts`."""
    return zlib.crc32("\x1f".join(map(str, parts)).encode("utf-8", "surrogatepass"))


def as_json(value: object) -> str:
    """Return `value` as JSON; ValueError where that cannot say it."""
    return json.dumps(value, allow_nan=False)


def rows_of(db: sqlite3.Connection, rest: str, *values: object) -> list[tuple[Row, bool]]:
    """Return rows of games, each with whether its seal is whole."""
    found = db.execute(f"SELECT {_COLUMNS}, seal FROM games {rest}", values)
    return [(Row(*row), seal_of(*row) == seal) for *row, seal in found]


def row_of(db: sqlite3.Connection, game_id: int) -> Row:
    """Return the row of a game; `DamagedGameError` or `RefusedError` if there is none."""
    for row, sound in rows_of(db, "WHERE id = ?", game_id):
        if sound:
            return row
        raise DamagedGameError(f"game {game_id}: what is stored of it is damaged")
    raise RefusedError(f"there is no game {game_id}")


def put(db: sqlite3.Connection, row: Row) -> None:
    """Write the row of a game, sealed."""
    marks = ", ".join("?" * (len(row) + 1))
    db.execute(f"REPLACE INTO games ({_COLUMNS}, seal) VALUES ({marks})", (*row, seal_of(*row)))


def when(row: Row) -> datetime:
    """Return when a game began."""
    return datetime.fromtimestamp(row.started, UTC)


def summary_of(row: Row, sound: bool) -> GameSummary:
    """Return the line of a list of games; a row that is not `sound` says only that."""
    if not sound:
        never = datetime.fromtimestamp(0, UTC)
        problem = "what is stored of it is damaged"
        return GameSummary(row.id, never, Status.ABANDONED, "", {}, "", 0, problem)
    status, headers = Status(row.status), json.loads(row.headers)
    return GameSummary(row.id, when(row), status, row.outcome, headers, row.rules, row.actions)


def replayed(row: Row, actions: Iterable[tuple[int, str, float, int]]) -> Game:
    """Return the game that is stored; raises a `SorcelError` where it cannot be played."""
    game = GameStarted(row.id, row.board, row.rules, json.loads(row.headers), row.start).game()
    seal, number = row.id, -1
    for number, (ply, text, at, sealed) in enumerate(actions):
        seal = seal_of(seal, ply, text, at)
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
    real = outcome_text(game.outcome) if game.outcome else ""
    if row.outcome and row.outcome != real:
        raise StoreError(f"it is stored as {quote(row.outcome)}, the actions say {quote(real)}")
    return game


def outcome_text(outcome: Outcome) -> str:
    """Return an outcome as it is stored."""
    return f"{outcome.word} {outcome.reason}"


# -- writing ---------------------------------------------------------------------------------------


def is_written(db: sqlite3.Connection, writer: str, ticket: int) -> bool:
    """Return whether the ticket was written before; if not, note it as written now."""
    found = db.execute("SELECT ticket FROM written WHERE writer = ?", (writer,)).fetchone()
    if found is not None and found[0] >= ticket:
        return True
    db.execute("DELETE FROM written")
    db.execute("INSERT INTO written VALUES (?, ?)", (writer, ticket))
    return False


def write(db: sqlite3.Connection, record: Record, clock: Callable[[], float]) -> None:
    """Write a record; `RefusedError` if it does not fit what is stored."""
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
            text = as_json(data)
            values = row_of(db, game_id).id, text, seal_of(game_id, text)
            db.execute("REPLACE INTO open_states VALUES (?, ?, ?)", values)
        case GameEnded(game_id, outcome):
            row = _row_that_is(db, game_id, Status.RUNNING)
            put(db, row._replace(status=Status.FINISHED.value, outcome=outcome_text(outcome)))
        case GameAbandoned(game_id):
            row = _row_that_is(db, game_id, Status.RUNNING, Status.ABANDONED)
            put(db, row._replace(status=Status.ABANDONED.value))
        case GameResumed(game_id):
            row = _row_that_is(db, game_id, Status.RUNNING, Status.ABANDONED)
            put(db, row._replace(status=Status.RUNNING.value, turn=_next_turn(db)))
        case Health(space, counters):
            db.execute("REPLACE INTO health VALUES (?, ?)", (space, as_json(dict(counters))))
        case Setting(key, value):
            db.execute("REPLACE INTO settings VALUES (?, ?)", (key, as_json(value)))


def _write_start(db: sqlite3.Connection, record: GameStarted, clock: Callable[[], float]) -> None:
    if rows_of(db, "WHERE id = ?", record.game_id):
        raise RefusedError(f"there is a game {record.game_id} already")
    at = clock() if record.at is None else record.at
    texts = record.board, record.rules, as_json(dict(record.headers)), record.start
    running = Status.RUNNING.value
    row = Row(record.game_id, float(at), *texts, running, "", _next_turn(db), 0, record.game_id)
    put(db, row)


def _write_action(db: sqlite3.Connection, record: ActionDone, clock: Callable[[], float]) -> None:
    game_id, ply, text = record.game_id, record.ply, record.text
    row = _row_that_is(db, game_id, Status.RUNNING)
    if ply != row.actions:
        raise RefusedError(
            f"game {game_id}: action {quote(text)} has the number {ply}, the next is {row.actions}"
        )
    at = float(clock() if record.at is None else record.at)
    tip = seal_of(row.tip, ply, text, at)
    db.execute("INSERT INTO actions VALUES (?, ?, ?, ?, ?)", (game_id, ply, text, at, tip))
    db.execute("DELETE FROM open_states WHERE game = ?", (game_id,))
    put(db, row._replace(actions=ply + 1, tip=tip))


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
    put(db, row._replace(status=Status.RUNNING.value, outcome="", actions=ply, tip=tip))


def _row_that_is(db: sqlite3.Connection, game_id: int, *wanted: Status) -> Row:
    row = row_of(db, game_id)
    if row.status not in wanted:
        raise RefusedError(f"game {game_id} is {row.status} {row.outcome}".rstrip())
    return row


def _next_turn(db: sqlite3.Connection) -> int:
    (last,) = db.execute("SELECT max(turn) FROM games").fetchone()
    return (last or 0) + 1
