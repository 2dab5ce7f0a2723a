"""`sorcel show`."""

from pathlib import Path

import pytest

from sorcel_pi import parse_position
from sorcel_pi.commands.terminal import board_text

from . import AHUMM, SMALL, SMALL_BOARD, START, WON, good

PASS = "5/6/7/Ff6/Sf7/Fs6/7/6/5 l 2/0 4/4 -"

BOARD = """\
i          .   .   .   .   .
h        .   .   s   s   .   .
g      o   .   f   f   f   .   o
f    .   .   o   .   .   o   .   .
e  .   .   .   .   o   .   .   .   .
d    .   .   o   .   .   o   .   .   9
c      o   .   F   F   F   .   o   8
b        .   .   S   S   .   .   7
a          .   .   .   .   .   6
             1   2   3   4   5
"""


def tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def test_the_start() -> None:
    told = tidy(good("show"))
    assert told.startswith(BOARD)
    assert told == tidy(good("show", "start")) == tidy(good("show", START))
    assert "\nLight to act, 3 steps left\n" in told
    assert "\nIn reserve: Light 3 Shifs, Dark 3 Shifs\n" in told
    assert f"\nBoard standard, rules egressian\n{START}\n" in told
    assert "\n19 legal actions\nplace a Shif           +a2 +a3 +a4 +b2 +b5\n" in told
    assert "\nstep with Sentinel b3  b3a2 b3a3 b3b2\n" in told
    assert "Purses" not in told
    assert told.isascii()


def test_ahumm_has_coins() -> None:
    told = good("show", AHUMM)
    assert "\nPurses: Light 20, Dark 20; pot 0, stake 1\n" in told
    assert "(a placement pays the stake, 1; +c4=9 pays 9)" in told
    assert told == good("show", "start", "--rules", "ahumm")
    assert "stake 2" in good("show", "--rules", "ahumm stake=2")


def test_a_turn_under_way_and_detained_pieces() -> None:
    told = good("show", "5/1s1S2/7/3S1f2/4s4/2F5/F6/6/5 l 1/1 4/5 -")
    assert "\nLight to act, 1 step left and 1 made\n" in told
    assert "\nend the turn " in told
    assert "  (F)" in told
    assert "  (s)" in told


def test_a_side_that_can_only_pass() -> None:
    told = good("show", PASS)
    assert "\n1 legal action\npass  pass\n" in told


def test_a_game_that_is_over() -> None:
    told = good("show", WON)
    assert "\nLight has won (sentinels)\n" in told
    assert "legal action" not in told


def test_another_board(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL_BOARD.replace('"small"', '"[red]small[/]"'), encoding="utf-8")
    told = tidy(good("show", "--board", path))
    assert told.startswith(
        "e      .   f   s\n"
        "d    .   .   .   .\n"
        "c  .   .   o   .   .\n"
        "b    .   .   .   .   5\n"
        "a      S   F   .   4\n"
        "         1   2   3\n"
    )
    assert f"\nBoard [red]small[/], rules egressian\n{SMALL}\n" in told


@pytest.mark.parametrize("code", [START, "5/1s1S2/7/3S1f2/4s4/2F5/F6/6/5 l 1/1 4/5 -"])
def test_colours_tell_sides_and_holes_apart(code: str) -> None:
    position = parse_position(code)
    text = board_text(position)
    styles = {text.plain[span.start : span.end]: str(span.style) for span in text.spans}
    letters = [style for key, style in styles.items() if key.strip(" ()") in ("S", "F", "s", "f")]
    assert styles[" o "] != styles[" . "]
    assert len(set(letters)) >= 2
