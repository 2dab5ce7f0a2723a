"""`sorcel perft`."""

import re
import sys
from pathlib import Path

import pytest

from . import AHUMM, SMALL_BOARD, bad, good, sorcel

DENSE = "5/6/4fs1/7f/9/2FF1f1s/5S1/3F1F/4S l 3/0 2/3 -"


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("0", 1),
        ("1", 19),
        ("3", 6494),
        ("3 --rules ahumm", 6494),
        ("1 --code start", 19),
    ],
)
def test_counts(line: str, count: int) -> None:
    depth = line.split()[0]
    assert re.match(rf"perft {depth}: {count} in \d+\.\d\d s", good("perft", *line.split()))


def test_from_a_code() -> None:
    assert "perft 2: 306 in" in good("perft", 2, "--code", DENSE)
    assert "perft 2: 347 in" in good("perft", 2, "--code", AHUMM)


def test_on_another_board(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL_BOARD, encoding="utf-8")
    assert "perft 1: 7 in" in good("perft", 1, "--board", path)


def test_divided_by_the_first_action() -> None:
    *rows, total = good("perft", 3, "--divide").splitlines()
    counts = {text: int(count) for text, count in (row.split() for row in rows)}
    assert len(counts) == 19
    assert list(counts) == sorted(counts)
    assert counts["c3d4"] == 282
    assert sum(counts.values()) == 6494
    assert "perft 3: 6494 in" in total


def test_a_game_that_is_over_has_no_branches() -> None:
    over = "5/6/7/8/9/8/2FFF2/2SS2/5 l 2/1 3/6 -"
    assert good("perft", 1, "--divide", "--code", over) == "perft 1: 0 in 0.00 s\n"


def test_long_work_shows_a_bar_where_somebody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sorcel_pi.commands.perft.LONG", 2)
    assert "perft 2" not in sorcel("perft", 2).stderr
    monkeypatch.setattr("sorcel_pi.commands.perft.is_watched", lambda: True)
    monkeypatch.setattr("rich.console.Console.is_terminal", True)
    assert sys.stderr
    assert "perft 2" in sorcel("perft", 2).stderr
    assert "perft 1" not in sorcel("perft", 1).stderr


def test_errors() -> None:
    assert "position code 'x'" in bad("perft", 1, "--code", "x")
