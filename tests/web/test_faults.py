"""What fails at the page does not reach the game, and the other way round."""

import json
import webbrowser
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from sorcel_pi import cli
from sorcel_pi.commands import play
from sorcel_pi.web.hub import Hub
from tests.web.table import Table

CHAIN = "5/6/2ff3/4s3/3S5/4Ss2/2F1F2/6/5 l 2/0 4/4 -"


def step(table: Table, origin: str, target: str) -> None:
    """Move a piece by hand, as a page does."""
    grid = table.game.start.board.grid
    piece = table.mock.truth()[grid.number(origin)]
    x, y = table.mock.reeds.centres[grid.number(target)]
    with table.open(table.token()) as line:
        line.send(json.dumps({"hand": "lift", "piece": piece}))
        table.until(lambda: piece in table.mock.held())
        line.send(json.dumps({"hand": "drop", "x": x, "y": y}))
        table.until(lambda: table.mock.truth().get(grid.number(target)) == piece)


@pytest.mark.parametrize("name", ["_hear", "_tell_state", "_code_is_shown"])
def test_a_page_that_fails_does_not_stop_an_action(
    table: Table, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    table.until(lambda: table.state().get("mode") == "PLAY")

    def fail(*_: Any) -> None:
        raise RuntimeError("no more")

    monkeypatch.setattr(table.page, name, fail)
    step(table, "c4", "d4")
    table.until(lambda: len(table.game.actions) == 1)
    assert table.game.position.steps_left == 2
    assert len([line for line in table.lines if "page cannot be told" in line]) == 1
    monkeypatch.undo()
    step(table, "d4", "d5")
    table.until(lambda: len(table.game.actions) == 2)
    table.until(lambda: table.state()["ply"] == 2)


def test_a_fault_in_what_is_asked_is_said_and_changes_nothing(table: Table) -> None:
    headers = {"Cookie": table.token()}
    game = {"do": "new_game", "board": "", "light": "A", "dark": "B"}
    for rules in ("chess", "egressian shifs=2", "egressian detained=0"):
        before = table.state().get("notice")
        assert table.post("/api/do", game | {"rules": rules}, **headers).status == 200
        table.until(lambda: table.state()["notice"] != before)  # noqa: B023
    bad_board = game | {"rules": "egressian", "board": "side = 99"}
    before = table.state()["notice"]
    assert table.post("/api/do", bad_board, **headers).status == 200
    table.until(lambda: table.state()["notice"] != before)
    assert [row["status"] for row in table.page.desk().games()] == ["running"]


def test_a_new_game_on_another_board(table: Table) -> None:
    text = (
        'name = "small"\nside = 4\ndetaining = ["d4"]\n[start.light]\nsentinels = ["a2", "a3"]\n'
        'shifs = ["b2", "b3"]\n[start]\ndark = "half turn"\n'
    )
    game = {"do": "new_game", "board": text, "rules": "ahumm", "light": "A", "dark": "B"}
    assert table.post("/api/do", game, Cookie=table.token()).status == 200
    table.until(lambda: table.state()["board"] == "small" and table.state()["mode"] == "PLAY")
    assert len(json.loads(table.page.hub.latest("board") or "")["names"]) == 37
    step(table, "b2", "c2")
    table.until(lambda: len(table.game.actions) == 1)
    assert table.state()["teaches"] is False


def test_after_a_restart_the_pieces_stand_where_they_stood(tmp_path: Path) -> None:
    for origin, target, left in (("c4", "d4", 2), ("d4", "d5", 1)):
        table = Table(tmp_path)
        try:
            table.until(lambda: table.state().get("mode") == "PLAY")  # noqa: B023
            step(table, origin, target)
            table.until(lambda: table.state()["left"] == left)  # noqa: B023
        finally:
            table.close()


def test_an_open_action_waits_for_the_end_of_the_lesson(table: Table) -> None:
    table.begin(CHAIN)
    step(table, "d5", "e6")
    table.until(lambda: table.state()["open"] == "d5e6")
    headers = {"Cookie": table.token()}
    words = table.state()["words"]
    for where in ("move", "push", "stop"):
        assert table.post("/api/do", {"do": "lesson", "step": where}, **headers).status == 200
        wanted = None if where == "stop" else where
        table.until(lambda: (table.state()["lesson"] or {}).get("step") == wanted)  # noqa: B023
        table.until(lambda: table.state()["trouble"] == "line")
        table.until(lambda: table.state()["trouble"] == "none")
    table.until(lambda: table.state()["words"] == words)
    assert table.state()["open"] == "d5e6"


def test_a_hub_keeps_the_latest_of_each_kind() -> None:
    hub = Hub()
    for number in range(1000):
        hub.put("frame", str(number))
        hub.put("state", "same")
    found = hub.after(0)
    assert [message.text for message in found] == ["same", "999"]
    assert hub.after(found[-1].number) == [] and hub.latest("log") is None


def test_the_scan_file_keeps_no_code_and_has_an_end(tmp_path: Path) -> None:
    file = play.ScanFile(tmp_path / "scans", most=20)
    for line in ("s 1 a 0\n", 'c 1 SHOW_CODE "1234"\n', "s 2 b 0\n", "s 3 c 0\n"):
        file.write(line)
    file.close()
    assert (tmp_path / "scans").read_text(encoding="utf-8") == "s 1 a 0\ns 2 b 0\n"


def test_a_browser_enters_its_code_once_for_a_table(tmp_path: Path) -> None:
    key = play.page_key(tmp_path)
    assert play.page_key(tmp_path) == key and len(key) == 32
    assert (tmp_path / "page.key").stat().st_mode & 0o777 == 0o600
    (tmp_path / "page.key").write_bytes(b"short")
    assert play.page_key(tmp_path) != key


def test_a_port_that_is_taken_is_said_in_words(table: Table, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(
        f'[store]\npath = "{tmp_path / "other"}"\n[web]\nhost = "127.0.0.1"\n'
        f"port = {table.serving.port}\n",
        encoding="utf-8",
    )
    ran = CliRunner().invoke(cli.app, ["play", "--no-browser", "--config", str(config)])
    assert ran.exit_code == 1
    assert "the page cannot be served" in ran.output and "--no-page" in ran.output


def test_where_the_page_is_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.setattr(play, "_has_browser", lambda: True)
    play._announce("localhost", 8061, "0123", browser=True)
    said = capsys.readouterr().out
    assert "http://localhost:8061/" in said and "0123" in said
    assert opened == ["http://localhost:8061/#code=0123"]
    play._announce("0.0.0.0", 8061, "0123", browser=False)
    assert "http://0.0.0.0" not in capsys.readouterr().out
