"""A process that plays and stores until it is killed: `python -m tests.store.writing ...`.

It says on standard output what it is about to store, as "submit TICKET STATE" with STATE the game
as it will then be, and "done TICKET" when that is on the disk.
"""

import os
import random
import sys
import time
from itertools import count
from pathlib import Path

from sorcel_pi.rules.game import Game
from sorcel_pi.store.records import GameEnded, GameStarted, OpenState, Record, TakenBack
from sorcel_pi.store.store import Store, StoredGame
from sorcel_pi.store.writer import Writer

from .games import checkpoint_often, completed, new_game, some_action, texts


def state_of(game_id: int, game: Game) -> str:
    return " ".join([str(game_id), game.outcome.word if game.outcome else "-", *texts(game)])


def say(words: str) -> None:
    os.write(1, f"{words}\n".encode())


class Player:
    """Plays random games, and gives the records of one happening after the other."""

    def __init__(self, running: StoredGame | None, next_game_id: int, chance: random.Random):
        self.chance = chance
        self.next_game_id = next_game_id
        self.game = running.game if running else None
        self.game_id = running.game_id if running else 0

    def records(self) -> list[Record]:
        game = self.game
        if game is None or not self.running():
            self.game = new_game()
            self.game_id, self.next_game_id = self.next_game_id, self.next_game_id + 1
            return [GameStarted.of(self.game_id, self.game)]
        ply, luck = len(game.actions), self.chance.random()
        if luck < 0.1:
            return [OpenState(self.game_id, {"ply": ply})]
        if luck < 0.2 and ply:
            game.undo()
            return [TakenBack(self.game_id, ply - 1), OpenState(self.game_id, {"ply": ply - 1})]
        game.play(some_action(game, self.chance))
        if luck > 0.98 and self.running():
            game.agree_draw()
        batch = completed(self.game_id, ply, texts(game)[-1])
        return [*batch, *([GameEnded(self.game_id, game.outcome)] if game.outcome else [])]

    def running(self) -> bool:
        return self.game is not None and self.game.outcome is None


def main(path: str, seed: str, how: str) -> None:
    store = Store.open(Path(path))
    checkpoint_often(store)
    player = Player(store.running_game(), store.next_game_id(), random.Random(int(seed)))
    writer = Writer(store) if how == "writer" else None
    for ticket in count(1):
        records = player.records()
        assert player.game is not None
        say(f"submit {ticket} {state_of(player.game_id, player.game)}")
        if writer is None:
            store.apply(records)
            say(f"done {ticket}")
            continue
        assert writer.submit(records) == ticket
        while writer.pending > 5:
            time.sleep(0)
        for done in writer.done():
            say(f"done {done}")


if __name__ == "__main__":
    main(*sys.argv[1:])
