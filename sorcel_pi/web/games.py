"""Stored games for the page: the list, and each game position by position.

Each look opens the store anew, to read only, so that nothing waits for the one who writes.
"""

from contextlib import suppress
from pathlib import Path
from typing import Any

from ..errors import SorcelError, StoreError
from ..rules.describe import describe_cascade
from ..rules.game import Game
from ..store.rows import GameSummary
from ..store.store import MAX_ID, Store
from .snapshot import board_message, cascade_row, scores, standing

MAX_GAMES = 100
"""How many games one answer lists."""
MAX_PLIES = 4000


def list_games(path: Path | None, before: int = MAX_ID) -> dict[str, Any]:
    """Return the newest `games` of the store at `path` with ids below `before`, a part at a time.

    `older` says whether there are more below the last.  There are none where there is no store.
    """
    found: list[GameSummary] = []
    if path is not None:
        with suppress(StoreError), Store.open(path, read_only=True) as store:
            found = store.games(before=min(before, MAX_ID), most=MAX_GAMES + 1)
    older = len(found) > MAX_GAMES
    return {"games": [_row(game) for game in found[:MAX_GAMES]], "older": older}


def _row(game: GameSummary) -> dict[str, Any]:
    return {
        "id": game.game_id,
        "started": game.started.isoformat(timespec="minutes"),
        "status": str(game.status),
        "outcome": game.outcome,
        "players": [game.headers.get("Light", ""), game.headers.get("Dark", "")],
        "rules": game.rules,
        "actions": game.actions,
        "readable": game.problem is None,
    }


def load_game(path: Path | None, number: int) -> Game | None:
    """Return a stored game, None if there is none that can be read."""
    if path is None or not 0 < number < MAX_ID:
        return None
    try:
        with Store.open(path, read_only=True) as store:
            return store.load(number)
    except SorcelError:
        return None


def replayed(game: Game) -> dict[str, Any]:
    """Return every position of a game, and what led to it."""
    start = game.start
    plies = [{"pieces": standing(start), **scores(start)}]
    for cascade in game.cascades[:MAX_PLIES]:
        row = cascade_row(start.board.grid, cascade)
        after = {"pieces": standing(cascade.after), **scores(cascade.after)}
        plies.append({**after, **row, "side": int(cascade.before.side), "told": _told(cascade)})
    ended = game.outcome
    return {
        "board": board_message(start.board, 36.0),
        "players": [game.headers.get("Light", ""), game.headers.get("Dark", "")],
        "rules": str(start.rules),
        "outcome": None if ended is None else [ended.word, str(ended.reason)],
        "plies": plies,
    }


def _told(cascade: Any) -> str:
    return "; ".join(describe_cascade(cascade))
