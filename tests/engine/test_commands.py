"""The commands: match with its records and foreign engines, analyse, hint, puzzle."""

import json
import shlex
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sorcel_pi import EngineError, Game, format_board, parse_record, start_position
from sorcel_pi.cli import app
from sorcel_pi.engine import load_puzzles
from sorcel_pi.engine.client import UgiPlayer

from .kit import BOARD
from .test_ugi import SMALL

RUN = CliRunner()
OURS = f"ugi:{shlex.quote(sys.executable)} -m sorcel_pi engine"

FOREIGN = """
import sys
kind = sys.argv[1]
for line in sys.stdin:
    word = line.split()[0]
    if word == "ugi":
        print("id name Foreign\\x1b[1m\\nid author x\\nugiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "go":
        if kind == "dies":
            sys.exit(3)
        print({"nonsense": "bestmove z9z8", "words": "bestmove +a3 ponder +a4"}[kind], flush=True)
    elif word == "quit":
        break
"""


def run(*words: str) -> str:
    result = RUN.invoke(app, list(words))
    assert result.exit_code == 0, result.output
    return result.output


def failed(*words: str) -> str:
    result = RUN.invoke(app, list(words))
    assert result.exit_code == 1
    return result.output


@pytest.fixture
def foreign(tmp_path: Path) -> str:
    path = tmp_path / "foreign.py"
    path.write_text(FOREIGN)
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(path))}"


def test_a_match_says_the_score_and_writes_records(tmp_path: Path) -> None:
    out = tmp_path / "games.txt"
    said = run("match", "3", "1", "--games", "4", "--out", str(out))
    assert said.startswith("level 3 - level 1: ") and "Elo" in said
    records = out.read_text().split("[Board ")[1:]
    assert len(records) == 4
    games = [parse_record("[Board " + record) for record in records]
    assert games[0].start == games[1].start and games[0].headers != games[1].headers
    assert all(game.outcome is not None for game in games)


def test_our_engine_plays_by_its_own_protocol() -> None:
    said = run("match", OURS, "1", "--games", "2", "--go", "nodes 300")
    assert said.startswith("Sorcel Pi ") and "of 2" in said


def test_another_board_and_rules(tmp_path: Path) -> None:
    board = tmp_path / "small.toml"
    board.write_text(SMALL)
    said = run("match", OURS, "python:1", "--games", "2", "--go", "nodes 50", "--board", str(board),
               "--rules", "ahumm purse=5")  # fmt: skip
    assert "of 2" in said


@pytest.mark.parametrize("kind", ["dies", "nonsense", "words"])
def test_an_engine_at_fault_loses_and_is_started_again(
    foreign: str, kind: str, tmp_path: Path
) -> None:
    out = tmp_path / "games.txt"
    said = run("match", f"ugi:{foreign} {kind}", "1", "--games", "2", "--out", str(out))
    assert "Foreign[1m - level 1: 0 of 2" in said
    assert out.read_text().count("[Fault ") == 2


def test_an_engine_that_cannot_be_started_is_said() -> None:
    assert "cannot be started" in failed("match", "ugi:/nowhere/engine", "1")
    with pytest.raises(EngineError, match="silent"):
        UgiPlayer([sys.executable, "-c", "import time; time.sleep(60)"], ready_s=0.2)


@pytest.mark.parametrize("name", ["11", "0", "strong", "ugi:", "c:x", "ugi:'"])
def test_players_that_cannot_be_meant(name: str) -> None:
    assert "player" in failed("match", name, "1") or "level" in failed("match", name, "1")


def test_analyse(tmp_path: Path) -> None:
    game = Game(start_position(BOARD))
    for word in ["c3d4", "c4d5", "end", "g6f5", "g7f6", "end"]:
        game.play(word)
    path = tmp_path / "game.txt"
    path.write_text(game.record())
    said = run("analyse", str(path), "--nodes", "500")
    assert "1. light" in said and "2. dark" in said and "end" in said
    assert "mistake" in said
    assert "cannot be read" in failed("analyse", str(tmp_path / "none.txt"))


def test_hint() -> None:
    code = "5/6/fSff3/1F1sF3/1S1F5/1s1F1f2/1F5/1F4/5 l 6/0 0/2 -"
    assert run("hint", "--code", code, "--press", "1") == "piece: e2\n"
    said = run("hint", "--code", code).splitlines()
    assert said[1].startswith("turn: e2d1") and said[2].startswith("why: wins")
    over = "5/6/7/8/4o4/8/7/3S2/5 l 0/0 6/6 -".replace("4o4", "9")
    assert "the game is over" in failed("hint", "--code", over)


def test_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = load_puzzles()[0]
    listed = run("puzzle").splitlines()
    assert len(listed) == len(load_puzzles())
    solution = run("puzzle", "1", "--solve").split()
    assert len(solution) == puzzle.actions
    answer = "\n".join(["nonsense", "b", *solution[:1], "b", *solution]) + "\n"
    result = RUN.invoke(app, ["puzzle", "1"], input=answer)
    assert result.output.endswith("Solved.\n")
    assert RUN.invoke(app, ["puzzle", "1"], input="q\n").exit_code == 0
    assert "there are puzzles 1 to" in failed("puzzle", "100000")


def test_the_engine_says_what_it_is() -> None:
    lines = f"ugi\nsetoption name Board value {json.dumps(format_board(BOARD))}\nquit\n"
    result = RUN.invoke(app, ["engine"], input=lines)
    assert result.exit_code == 0 and "ugiok" in result.output
