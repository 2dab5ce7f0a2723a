"""`sorcel record`."""

import re
from pathlib import Path

import pytest

from sorcel_pi import AHUMM, Game, Side, standard_board, start_position

from . import bad, good, sorcel

ACTIONS = "c3d4 c4d5 end g7f6 g6g7 end +a3"


def played() -> Game:
    game = Game(start_position(standard_board(), AHUMM), {"Event": "\x1b[31mred [b]bold"})
    for text in ACTIONS.split():
        game.play(text)
    return game


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a record on disk that ends with a resignation."""
    game = played()
    game.resign(Side.LIGHT)
    path = tmp_path / "game.txt"
    path.write_text(game.record(), encoding="utf-8")
    return path


def test_turns_and_the_final_position(path: Path) -> None:
    told = good("record", path)
    # The record keeps the control character; the terminal does not get it.
    assert told.startswith(
        "Event: \\x1b[31mred [b]bold\n"
        "   1. light  c3d4 c4d5 end\n"
        "   2. dark   g7f6 g6g7 end\n"
        "   3. light  +a3\n"
        "\n"
        "i   "
    )
    assert "\nDark has won (resignation)\n" in told
    assert "\nPurses: Light 19, Dark 21; pot 0, stake 1\n" in told
    assert good("record", "-", stdin=path.read_bytes()) == told


def test_a_game_that_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(played().record(), encoding="utf-8-sig")
    assert "\nDark to act, 3 steps left\n" in good("record", path)


@pytest.mark.parametrize(
    ("at", "turns", "status"),
    [
        (0, "", "Light to act, 3 steps left"),
        (2, "   1. light  c3d4 c4d5\n", "Light to act, 1 step left and 2 made"),
        (3, "   1. light  c3d4 c4d5 end\n", "Dark to act, 3 steps left"),
        (7, "   3. light  +a3\n", "Dark has won (resignation)"),
    ],
)
def test_the_position_after_some_actions(path: Path, at: int, turns: str, status: str) -> None:
    told = good("record", path, "--at", at)
    assert f"{turns}\ni   " in told
    assert f"\n{status}\n" in told


def test_at_is_within_the_record(path: Path) -> None:
    assert sorcel("record", path, "--at", 8).exit_code == 2
    assert "7 actions" in sorcel("record", path, "--at", 8).stderr
    assert sorcel("record", path, "--at", -1).exit_code == 2


def test_stepping_without_a_terminal_prints_all(path: Path) -> None:
    assert good("record", path, "--step") == good("record", path)


@pytest.mark.parametrize(
    ("keys", "arguments", "visited"),
    [
        ("\n\nb\nq\n", [], [0, 1, 2, 1]),
        ("", [], [0]),  # the end of the input
        ("b\nQ\n", [], [0, 0]),
        ("\n\n\n\n\n\n\n\n", [], [0, 1, 2, 3, 4, 5, 6, 7]),
        ("x\nback\n\n", ["--at", "6"], [6, 7, 6, 7]),
    ],
)
def test_stepping(
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    keys: str,
    arguments: list[str],
    visited: list[int],
) -> None:
    monkeypatch.setattr("sorcel_pi.commands.record.is_interactive", lambda: True)
    told = good("record", path, "--step", *arguments, stdin=keys)
    assert [int(number) for number in re.findall(r"-- (\d) of 7 actions --", told)] == visited
    if 1 in visited:
        assert "\n- the Light Shif steps from c3 to d4\n" in told
    assert ("Dark has won (resignation)" in told) == (7 in visited)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the header Board is missing"),
        ('[Board "standard"]\n[Rules "egressian"]\n\n1. c3d4 e5e6\n', "line 4: e5e6: "),
        ('[Board "standard"]\n[Rules "egressian"]\n\n1. c3 d4\n', "line 4: action 'c3'"),
        ('[Board "x"]\n[Rules "egressian"]\n', "board 'x'"),
    ],
)
def test_a_record_that_does_not_hold(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "game.txt"
    path.write_text(text, encoding="utf-8")
    assert words in bad("record", path)


def test_files_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "cannot be read: No such file" in bad("record", tmp_path / "missing")
    assert "cannot be read: " in bad("record", tmp_path)
    (tmp_path / "latin").write_bytes(b"\xe4")
    assert "is not a text in UTF-8" in bad("record", tmp_path / "latin")
    monkeypatch.setattr("sorcel_pi.commands.common.MAX_FILE", 10)
    (tmp_path / "long").write_bytes(b"x" * 11)
    assert "is longer than" in bad("record", tmp_path / "long")
