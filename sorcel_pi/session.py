"""The games of one table, one after the other: what goes into the store, and which game is next.

It turns what the companion says into records, and the end of a game into the next game of the
match.  It knows neither drivers nor threads nor the clock; `app` runs it.
"""

from collections.abc import Mapping
from typing import Any

from .rules.game import Game, Match
from .rules.notation import format_action
from .store.records import (
    ActionDone,
    GameAbandoned,
    GameEnded,
    GameStarted,
    OpenState,
    Record,
    Setting,
)
from .store.records import TakenBack as TakenBackRecord
from .table.events import Done, Ended, Masked, TableEvent, TakenBack


class Session:
    """A match at a table, and the numbers under which its games are stored."""

    def __init__(self, match: Match, headers: Mapping[str, str], first_id: int) -> None:
        """Begin a match; `headers` go into each record, `first_id` is the next free game number."""
        self.match = match
        self.headers = dict(headers)
        self.game_id = first_id
        self._next_id = first_id
        self._plies = 0
        self._finished = False

    def begin(self) -> tuple[Game, list[Record]]:
        """Return the next game of the match (or of a new match), and what to record of it."""
        if self.match.over:
            old = self.match
            self.match = Match(old.board, old.rules, old.games)
        game = self.match.next_game(self.headers)
        self.game_id, self._next_id = self._next_id, self._next_id + 1
        self._plies, self._finished = 0, False
        return game, [GameStarted.of(self.game_id, game)]

    def resume(self, game_id: int, game: Game) -> None:
        """Go on with a stored game; its match begins with it."""
        self.game_id, self._plies = game_id, len(game.actions)
        self.match = Match(
            game.start.board,
            game.start.rules,
            self.match.games,
            begins=game.start.side,
            coins=game.start.coins,
        )

    def next_game(self, game: Game) -> tuple[Game, list[Record]]:
        """Leave `game` behind, unfinished or not, and return the next one."""
        records: list[Record] = []
        if game.outcome is None:
            records.append(GameAbandoned(self.game_id))
        elif not self.match.over:
            self.match.finish(game)
        following, started = self.begin()
        return following, records + started

    def change_sides(self) -> None:
        """Let the players sit down at each other's side for the games that follow."""
        names = self.headers
        light, dark = names.get("Light"), names.get("Dark")
        self.headers = {**names, **{k: v for k, v in (("Light", dark), ("Dark", light)) if v}}

    def records(
        self, events: tuple[TableEvent, ...], state: Mapping[str, Any], masked: tuple[str, ...]
    ) -> list[Record]:
        """Return what to record of a step: its events, and the open state after them."""
        batch: list[Record] = []
        ended: Ended | None = None
        for event in events:
            match event:
                case Done(cascade):
                    text = format_action(cascade.before.board, cascade.action)
                    batch.append(ActionDone(self.game_id, self._plies, text))
                    self._plies += 1
                case TakenBack():
                    self._plies -= 1
                    batch.append(TakenBackRecord(self.game_id, self._plies))
                    ended = None
                case Ended():
                    ended = event
                case Masked():
                    batch.append(Setting("masked", list(masked)))
        if ended is None:
            batch.append(OpenState(self.game_id, dict(state)))
        else:
            batch += [OpenState(self.game_id, dict(state)), GameEnded(self.game_id, ended.outcome)]
        return batch
