"""What fails at the page does not reach the game, and the other way round."""

import json
import webbrowser
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from typer.testing import CliRunner
from websockets.exceptions import ConnectionClosed

from sorcel_pi import cli, format_action
from sorcel_pi.commands import page, play
from sorcel_pi.table.scanlog import replay
from sorcel_pi.web.broadcast import Broadcast
from tests.web.positions import CHAIN, SMALL
from tests.web.table import Table


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
def test_10_a_page_that_fails_does_not_stop_an_action(
    table: Table, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    table.until(lambda: table.state().get("mode") == "PLAY")

    def fail(*_: Any) -> None:
        raise RuntimeError("no more")

    monkeypatch.setattr(table.page, name, fail)
    step(table, "c4", "d4")
    table.until(lambda: len(table.game.actions) == 1)
    assert table.game.position.steps_left == 2
    table.until(lambda: len([line for line in table.lines if "page cannot be told" in line]) == 1)
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
    assert [row["status"] for row in table.games()] == ["running"]


def test_a_new_game_on_another_board(table: Table) -> None:
    game = {"do": "new_game", "board": SMALL, "rules": "ahumm", "light": "A", "dark": "B"}
    assert table.post("/api/do", game, Cookie=table.token()).status == 200
    table.until(lambda: table.state()["board"] == "small" and table.state()["mode"] == "PLAY")
    assert len(json.loads(table.page.broadcast.latest("board") or "")["names"]) == 37
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


def test_16_after_a_power_cut_in_a_cascade_the_rest_of_it_is_offered(tmp_path: Path) -> None:
    table = Table(tmp_path)
    try:
        table.begin(CHAIN)
        step(table, "d5", "e6")
        table.until(lambda: table.state()["open"] == "d5e6")
        words, left = table.state()["words"], table.state()["left"]
    finally:
        table.close()
    table = Table(tmp_path)
    try:
        table.until(lambda: table.state().get("words") == words)
        assert table.state()["open"] == "d5e6" and table.state()["left"] == left
        with table.open() as line:
            seen = next(m for m in iter(lambda: json.loads(line.recv(10)), None) if "words" in m)
        assert seen["words"] == words and seen["mode"] == "PLAY", "nothing is asked"
    finally:
        table.close()


def test_34_pages_that_poll_do_not_disturb_a_game(table: Table) -> None:
    done = Event()

    def poll() -> None:
        with table.open() as line:
            while not done.is_set():
                table.ask("/api/games")
                with suppress(TimeoutError):
                    line.recv(timeout=0.1)

    readers = [Thread(target=poll, daemon=True) for _ in range(10)]
    try:
        for reader in readers:
            reader.start()
        for number, (origin, target) in enumerate([("c4", "d4"), ("c5", "d5"), ("c3", "c2")], 1):
            step(table, origin, target)
            table.until(lambda: len(table.game.actions) == number)  # noqa: B023
    finally:
        done.set()
        for reader in readers:
            reader.join()
    board = table.game.start.board
    assert [format_action(board, each) for each in table.game.actions] == ["c4d4", "c5d5", "c3c2"]


@pytest.mark.parametrize("messages", [["x" * 1_000_000], ["{}"] * 1000])
def test_35_a_noisy_spectator_is_dropped_and_the_game_goes_on(
    table: Table, messages: list[str]
) -> None:
    with table.open() as noisy, table.open() as other:
        with suppress(ConnectionClosed):
            for message in messages:
                noisy.send(message)
        with suppress(ConnectionClosed):
            while True:
                noisy.recv(timeout=10)
        step(table, "c4", "d4")
        table.until(lambda: len(table.game.actions) == 1)
        ply = 0
        while ply < 1:  # who is quiet still sees all
            ply = json.loads(other.recv(timeout=10)).get("ply", 0)
    assert table.state()["trouble"] == "none"


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
        table.until(lambda: table.app.sensor_error)  # while the pieces are being put
        table.until(lambda: not table.app.sensor_error and table.state()["trouble"] == "none")
    table.until(lambda: table.state()["words"] == words)
    assert table.state()["open"] == "d5e6"


def test_a_hub_keeps_the_latest_of_each_kind() -> None:
    broadcast = Broadcast()
    for number in range(1000):
        broadcast.put("frame", str(number))
        broadcast.put("state", "same")
    found = broadcast.after(0)
    assert [message.text for message in found] == ["same", "999"]
    assert broadcast.after(found[-1].number) == [] and broadcast.latest("log") is None


def test_the_scan_file_keeps_no_code_and_has_an_end(tmp_path: Path) -> None:
    file = play.ScanFile(tmp_path / "scans", most=20)
    for line in ("s 1 a 0\n", 'c 1 SHOW_CODE "1234"\n', "s 2 b 0\n", "s 3 c 0\n"):
        file.write(line)
    file.close()
    assert (tmp_path / "scans").read_text(encoding="utf-8") == "s 1 a 0\ns 2 b 0\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_37_a_scan_log_on_a_full_disk_ends_with_a_notice(tmp_path: Path) -> None:
    said: list[str] = []
    file = play.ScanFile(Path("/dev/full"), log=said.append)
    for _ in range(3):
        file.write("s 1 a 0\n")
    file.close()
    assert len(said) == 1
    assert "No space left" in said[0]


def test_38_a_second_program_on_the_same_data_empties_no_log_of_the_first(
    table: Table, tmp_path: Path
) -> None:
    table.until(lambda: table.scans.stat().st_size > 0)
    config = tmp_path / "second.toml"
    config.write_text(f'[store]\npath = "{tmp_path}"\n[web]\nport = 0\n', encoding="utf-8")
    result = CliRunner().invoke(cli.app, ["play", "--config", str(config), "--no-browser"])
    assert result.exit_code != 0
    lines = table.run(lambda app: table.scans.read_text("utf-8").splitlines())
    assert not any(line.difference for _, line in replay(lines))


def test_a_browser_enters_its_code_once_for_a_table(tmp_path: Path) -> None:
    key = page.page_key(tmp_path)
    assert page.page_key(tmp_path) == key and len(key) == 32
    assert (tmp_path / "page.key").stat().st_mode & 0o777 == 0o600
    (tmp_path / "page.key").write_bytes(b"short")
    assert page.page_key(tmp_path) != key


def test_a_port_that_is_taken_is_said_in_words(table: Table, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(
        f'[store]\npath = "{tmp_path / "other"}"\n[web]\nhost = "127.0.0.1"\n'
        f"port = {table.server.port}\n",
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
    monkeypatch.setattr(page, "_has_browser", lambda: True)
    page.announce("localhost", 8061, "0123", last="Ctrl-C ends it.", browser=True)
    said = capsys.readouterr().out
    assert "http://localhost:8061/" in said and "0123" in said and "Ctrl-C ends it." in said
    assert opened == ["http://localhost:8061/#code=0123"]
    page.announce("0.0.0.0", 8061, "0123", last="")
    assert "http://0.0.0.0" not in capsys.readouterr().out


def test_51_of_two_browsers_that_ask_the_same_at_once_the_second_is_late(table: Table) -> None:
    step(table, "c4", "d4")
    table.until(lambda: table.state()["ply"] == 1)
    step(table, "d4", "d5")
    table.until(lambda: table.state()["ply"] == 2)
    seen, headers = table.state()["revision"], {"Cookie": table.token()}
    for _ in range(2):
        asked = {"do": "take_back", "revision": seen}
        assert table.post("/api/do", asked, **headers).status == 200
    table.until(lambda: table.state()["notice"][1:] == [["notice.overtaken", {}]])
    assert len(table.game.actions) == 1, "it is taken back once"
    assert table.state()["revision"] == seen + 1
    table.until(lambda: table.state()["mode"] == "RESTORE")
    bad = {"do": "take_back", "revision": "x"}
    assert table.post("/api/do", bad, **headers).status == 400
