"""Records into rows: each is refused unless it fits what is stored."""

import sqlite3
from collections.abc import Callable

from .errors import quote
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
from .ledger import Row, Status, as_json, outcome_text, put, row_of, rows_of, seal_of


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
