"""Quick play: what pages ask for is done one after the other, and what follows from it at once."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sorcel_pi import (
    Action,
    EndTurn,
    Game,
    Pass,
    Placement,
    Step,
    format_action,
    resolve_all,
    start_position,
)
from sorcel_pi.rules.board import standard_board
from sorcel_pi.table.referee.inference import standing_of
from sorcel_pi.web.screen_hands import Request
from tests.web.table import Table

CLIENT = 5


@pytest.fixture(name="quick")
def _quick(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path, quick=True)
    yield table
    table.close()


def point(table: Table, space: int) -> dict[str, float]:
    x, y = table.mock.reeds.centres[space]
    return {"x": x, "y": y}


def beside(table: Table, letter: str) -> int:
    """Return a piece of that kind that lies beside the board."""
    standing = set(table.mock.truth().values())
    kinds = table.screen_board.kinds
    return next(n for n, kind in kinds.items() if kind.letter == letter and n not in standing)


def ask(
    table: Table, what: str, space: int | None = None, *, client: int = CLIENT, **more: Any
) -> None:
    values = more if space is None else more | point(table, space)
    table.page.move_hand(Request(client, what, **values))


def click(table: Table, action: Action, side: int, revision: int) -> None:
    """Ask for an action as a page does, without waiting for anything."""
    if isinstance(action, Step):
        ask(table, "click", action.origin)
        ask(table, "click", action.target)
    elif isinstance(action, Placement):
        ask(table, "click", piece=beside(table, "Ff"[side]), x=900.0, y=900.0)
        ask(table, "click", action.space)
    elif isinstance(action, EndTurn):
        ask(table, "end", revision=revision)


def script(seed: int, length: int) -> list[tuple[Action, int]]:
    """Return the actions of a game that likes pushes, each with its side; passes are the table's."""
    game, rng = Game(start_position(standard_board())), Random(seed)
    actions: list[tuple[Action, int]] = []
    while game.outcome is None and len(actions) < length:
        cascades = resolve_all(game.position)
        best = max(cascades, key=lambda c: len(c.consequences) + rng.random() * 2)
        if not isinstance(best.action, Pass):
            actions.append((best.action, int(game.position.side)))
        game.play(best.action)
    return actions


def played(table: Table) -> list[str]:
    board = table.game.start.board
    return [format_action(board, a) for a in table.game.actions if not isinstance(a, Pass)]


def check_game(table: Table, seed: int, length: int) -> None:
    """Ask for a whole game at once; it is played as asked, and wood is as believed."""
    actions = script(seed, length)
    table.run(lambda app: app.new_game())
    table.until(lambda: not table.game.actions and table.state()["mode"] == "PLAY")
    revision = table.app.revision
    for action, side in actions:
        click(table, action, side, revision)
    wanted = [format_action(standard_board(), action) for action, _ in actions]
    table.until(lambda: len(played(table)) >= len(wanted))
    assert played(table) == wanted
    table.until(lambda: stands(table))


def stands(table: Table) -> bool:
    """Whether the pieces stand as the position has them, kinds and all."""
    kinds = table.screen_board.kinds
    wood = {space: kinds[number] for space, number in table.mock.truth().items()}
    return wood == standing_of(table.game.position.pieces)


def test_a_queue_of_clicks_is_a_game(quick: Table) -> None:
    for seed in range(3):
        check_game(quick, seed, 60)


def choice(table: Table) -> Any:
    return json.loads(table.page.broadcast.latest("pieces") or "{}").get("choice")
