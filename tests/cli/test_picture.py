"""`sorcel picture`."""

from pathlib import Path
from xml.etree import ElementTree

from sorcel_pi import parse_action, parse_position, resolve, standard_board
from sorcel_pi.rules.svg import draw_cascade, draw_position

from . import AHUMM, SMALL_BOARD, START, bad, good, sorcel


def test_a_position_in_a_file(tmp_path: Path) -> None:
    out = tmp_path / "start.svg"
    assert good("picture", "start", "--out", out) == ""
    assert out.read_text(encoding="utf-8") == draw_position(parse_position(START))
    assert b"\r" not in out.read_bytes()


def test_standard_output() -> None:
    drawn = draw_position(parse_position(AHUMM), names=True)
    assert good("picture", AHUMM, "--names") == drawn
    assert good("picture", AHUMM, "--names", "--out", "-") == drawn
    assert good("picture", "--rules", "ahumm", "--names") == drawn


def test_a_cascade() -> None:
    code = "F4/2s1S1/2Ss3/4f3/9/8/F6/6/5 l 1/0 4/5 -"
    cascade = resolve(parse_position(code), parse_action(standard_board(), "h8h7"))
    assert good("picture", code, "--action", "h8h7") == draw_cascade(cascade)
    assert good("picture", code, "--action", "h8h7", "--names") == draw_cascade(cascade, names=True)


def test_another_board(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL_BOARD, encoding="utf-8")
    assert ElementTree.fromstring(good("picture", "--board", path)).get("viewBox")


def test_errors(tmp_path: Path) -> None:
    assert "action 'x'" in bad("picture", "start", "--action", "x")
    assert "e5 is not next to c3" in bad("picture", "start", "--action", "c3e5")
    assert "cannot be written: " in bad("picture", "start", "--out", tmp_path)
    assert "cannot be written: " in bad("picture", "start", "--out", tmp_path / "no" / "x.svg")
    assert sorcel("picture", "start", "--colour").exit_code == 2
