"""Quick play: what pages ask for is done one after the other, and what follows from it at once."""

import json
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
from sorcel_pi.table.commands import TakeBack
from sorcel_pi.table.referee.inference import standing_of
from sorcel_pi.table.scanlog import replay
from sorcel_pi.web.api import StartNextGame
from sorcel_pi.web.screen_hands import Request
from tests.web.positions import CHAIN
from tests.web.table import Table

CLIENT = 5


@pytest.fixture(name="quick")
def _quick() -> bool:
    return True


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
    """Return the actions of a game that likes pushes, each with its side; passes are left out."""
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


def test_a_queue_of_clicks_is_a_game(table: Table) -> None:
    for seed in range(3):
        check_game(table, seed, 60)


def choice(table: Table) -> Any:
    return json.loads(table.page.broadcast.latest("pieces") or "{}").get("choice")


def notice(table: Table) -> str:
    return str(table.state()["notice"][1][0])


def at(table: Table, name: str) -> int:
    return table.game.start.board.grid.number(name)


def test_a_piece_that_is_taken_up_says_where_it_may_go_and_lets_others_be_chosen(
    table: Table,
) -> None:
    ask(table, "click", at(table, "c4"))
    found = table.until(lambda: choice(table))
    assert found[1:3] == [CLIENT, at(table, "c4")]
    assert at(table, "d4") in found[3]
    table.until(lambda: table.state()["words"][0][0] == "lifted")
    ask(table, "click", at(table, "c5"))
    table.until(lambda: choice(table) and choice(table)[2] == at(table, "c5"))
    ask(table, "back")
    table.until(lambda: choice(table) is None and stands(table))
    assert table.game.actions == ()


def test_a_click_that_is_no_step_says_why_and_moves_nothing(table: Table) -> None:
    for clicks, key in (
        (("c4", "e4"), "why.far"),
        (("g5",), "why.others_turn"),
        (("c4", "c5"), ""),
    ):
        for name in clicks:
            ask(table, "click", at(table, name))
        if key:
            table.until(lambda: notice(table) == key)  # noqa: B023
    ask(table, "back")
    table.until(lambda: choice(table) is None and stands(table))
    assert table.game.actions == ()


def test_a_page_that_goes_lets_go_of_its_piece(table: Table) -> None:
    ask(table, "click", at(table, "c4"))
    table.until(lambda: choice(table))
    ask(table, "back", client=CLIENT + 1)  # another page
    table.run(lambda app: None)
    assert choice(table) is not None
    ask(table, "back")
    table.until(lambda: choice(table) is None)


def test_an_end_of_turn_is_of_the_turn_that_its_page_saw(table: Table) -> None:
    revision = table.app.revision
    ask(table, "click", at(table, "c4"))
    ask(table, "click", at(table, "d4"))
    ask(table, "end", revision=revision)
    table.until(lambda: len(played(table)) == 2)
    ask(table, "end", revision=revision, client=CLIENT + 1)  # saw nothing of all that
    table.until(lambda: notice(table) == "notice.overtaken")
    assert played(table) == ["c4d4", "end"]


def test_a_take_back_and_a_next_game_need_no_hands(table: Table) -> None:
    table.begin(CHAIN)
    ask(table, "click", at(table, "d5"))
    ask(table, "click", at(table, "e6"))
    table.until(lambda: played(table) == ["d5e6"] and stands(table))
    table.page.do(TakeBack())
    table.until(lambda: not played(table) and stands(table))
    table.page.do(StartNextGame())
    table.until(lambda: table.state()["mode"] == "PLAY" and stands(table))
    assert table.game.position == start_position(standard_board())


def test_as_on_wood_every_piece_is_moved_by_hand(table: Table) -> None:
    table.begin(CHAIN)
    ask(table, "quick", x=0.0, y=0.0)
    table.until(lambda: not table.screen_board.quick)
    ask(table, "click", at(table, "d5"))
    number = table.mock.truth()[at(table, "d5")]
    ask(table, "lift", piece=number)
    ask(table, "drop", at(table, "e6"))
    table.until(lambda: table.state()["open"] == "d5e6")
    assert not stands(table)
    ask(table, "quick", x=1.0, y=0.0)
    table.until(lambda: played(table) == ["d5e6"] and stands(table))


def test_a_whole_quick_game_is_in_the_scan_log(table: Table) -> None:
    check_game(table, 4, 20)
    table.run(lambda app: None)
    lines = table.run(lambda app: table.scans.read_text("utf-8").splitlines())
    differences = [line.difference for _, line in replay(lines)]
    assert not any(differences)
