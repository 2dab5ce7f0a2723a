"""Board files: what is read, what is written, and what is refused with the reason."""

import pickle
from pathlib import Path

import pytest
from hypothesis import given

from sorcel_pi import (
    Board,
    ImpossiblePositionError,
    Layout,
    NotationError,
    board_from_text,
    format_board,
    hexgrid,
    load_board,
    standard_board,
    start_position,
)
from sorcel_pi.rules.board import MAX_FILE, make_board

from .kit import boards

SMALL = """
name = "small"
side = 3
detaining = ["c3"]

[start.light]
sentinels = ["a2"]
shifs = ["b2", "b3"]

[start]
dark = "half turn"
"""


def small(**changes: str) -> str:
    """Return the file above with the values of some keys changed; an empty one takes it out."""
    lines = []
    for line in SMALL.splitlines():
        key = line.partition(" = ")[0]
        if key not in changes:
            lines.append(line)
        elif changes[key]:
            lines.append(f"{key} = {changes[key]}")
    return "\n".join(lines)


def test_the_standard_board() -> None:
    board = standard_board()
    assert (board.name, board.side, board.grid.n) == ("standard", 5, 61)
    assert board.hexes.bit_count() == 52
    assert board.grid.turn_mask(board.detaining) == board.detaining
    names = [board.grid.names_of(mask) for mask in board.start]
    assert names == [("b3", "b4"), ("c3", "c4", "c5"), ("h6", "h7"), ("g5", "g6", "g7")]


def test_half_turn() -> None:
    board = board_from_text(SMALL)
    assert board.grid.names_of(board.start.dark_sentinels) == ("e4",)
    assert board.grid.names_of(board.start.dark_shifs) == ("d3", "d4")


def test_dark_given() -> None:
    board = board_from_text(small(dark='{ sentinels = ["e3", "e5"], shifs = [] }'))
    assert board.grid.names_of(board.start.dark_sentinels) == ("e3", "e5")
    assert board.start.dark_shifs == 0


@pytest.mark.parametrize("side", range(3, 9))
def test_every_side(side: int) -> None:
    board = board_from_text(small(side=str(side), detaining="[]"))
    assert (board.side, board.hexes) == (side, hexgrid(side).everywhere)
    assert start_position(board).board is board


@given(boards())
def test_what_is_written_is_read_back(board: Board) -> None:
    assert board_from_text(format_board(board)) == board


@pytest.mark.parametrize("name", ['a "quoted" \\ one', "tab\tline\nend\x7f", "Jürgens Brett ⬡"])
def test_names_are_read_back(name: str) -> None:
    board = standard_board()
    named = make_board(name, board.side, board.detaining, board.start)
    assert board_from_text(format_board(named)) == named


def test_a_pickled_board_is_equal_and_shares_its_grid() -> None:
    board = pickle.loads(pickle.dumps(standard_board()))
    assert board == standard_board()
    assert board.grid is hexgrid(5)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("side = ", "board file: not TOML: "),
        ("side = " + "9" * 5000, "not TOML: .*limit"),
        ("side = 5 " + "#" * MAX_FILE, f"longer than {MAX_FILE} characters"),
        ("a = " + "[" * 5000, "nested too deeply"),
        ("", "the key detaining is missing"),
        (small(side=""), "the key side is missing"),
        (small(side="5\ncolour = 1"), "'colour' is not a key here; the keys are detaining, name,"),
        (small(name="3"), "name: '3' is not a text"),
        (small(name='" "'), "name: ' ' is empty"),
        (small(side="2"), "side: '2' is not a whole number from 3 to 8"),
        (small(side="9"), "side: '9' is not"),
        (small(side="5.0"), "side: '5.0' is not"),
        (small(side="true"), "side: 'True' is not"),
        (small(side="0x" + "f" * 5000), "side: something too large to show is not"),
        (small(detaining='"c3"'), "detaining: 'c3' is not a list of names of spaces"),
        (small(detaining="[3]"), "detaining: .* is not a list of names of spaces"),
        (small(detaining='["c9"]'), "detaining: 'c9' is not a space of a board of side 3; .* a1"),
        (small(detaining='["C3"]'), "detaining: 'C3' is not a space"),
        (small(detaining='["c3", "c3"]'), "detaining: c3 is named twice"),
        ('name="x"\nside=3\ndetaining=[]\nstart="half turn"', "start: 'half turn' is not a table"),
        (small(dark=""), "the key start.dark is missing"),
        (small(dark='"mirror"'), "start.dark: 'mirror' is not a table .* or 'half turn'"),
        (
            'name="x"\nside=3\ndetaining=[]\nstart={light="half turn", dark="half turn"}',
            "start.light: 'half turn' is not a table of sentinels and shifs$",
        ),
        (small(sentinels=""), "the key start.light.sentinels is missing"),
        (small(shifs='["b2"]\nreserve = 3'), "'start.light.reserve' is not a key here"),
        (small(sentinels='"a2"'), "start.light.sentinels: 'a2' is not a list"),
        (small(sentinels='["f1"]'), "start.light.sentinels: 'f1' is not a space"),
    ],
)
def test_what_cannot_be_read(text: str, complaint: str) -> None:
    with pytest.raises(NotationError, match=complaint):
        board_from_text(text)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (small(detaining='["b2"]'), "start: a piece stands on a detaining space: b2"),
        (small(shifs='["a2"]'), "start: two pieces stand on a2"),
        (small(detaining="[]", sentinels='["c3"]'), "start: two pieces stand on c3"),
        (small(sentinels="[]"), "start: Light has 0 Sentinels, expected 1 or 2"),
        (small(sentinels='["a1", "a2", "a3"]'), "start: Light has 3 Sentinels"),
        (small(dark="{ sentinels = [], shifs = [] }"), "start: Dark has 0 Sentinels"),
        (small(shifs='["d2"]'), "start: Light's Shif is not connected: d2"),
        (
            small(dark='{ sentinels = ["e5"], shifs = ["e3", "a1"] }'),
            "start: Dark's Shif is not connected: a1",
        ),
    ],
)
def test_what_cannot_stand(text: str, complaint: str) -> None:
    with pytest.raises(ImpossiblePositionError, match=complaint):
        board_from_text(text)


def test_masks_beyond_the_board_are_refused() -> None:
    with pytest.raises(ImpossiblePositionError, match="bits beyond the 19 spaces"):
        make_board("x", 3, 1 << 19, Layout(1, 0, 2, 0))
    with pytest.raises(ImpossiblePositionError, match="bits beyond"):
        make_board("x", 3, 0, Layout(1, 0, -1, 0))
    with pytest.raises(NotationError, match="side '9': a board has a side of 3 to 8"):
        make_board("x", 9, 0, Layout(1, 0, 2, 0))


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL, encoding="utf-8")
    assert load_board(path) == load_board(str(path)) == board_from_text(SMALL)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"\xff\xfe", r"board file '.*b\.toml' cannot be read: .*decode"),
        (b"side = 5", r"board file '.*b\.toml': the key detaining is missing"),
        (b"# " + b"x" * MAX_FILE, r"board file '.*b\.toml': longer than"),
        (small(shifs='["a2"]').encode(), r"board file '.*b\.toml': start: two pieces"),
    ],
)
def test_errors_name_the_file(tmp_path: Path, content: bytes, complaint: str) -> None:
    (tmp_path / "b.toml").write_bytes(content)
    with pytest.raises((NotationError, ImpossiblePositionError), match=complaint):
        load_board(tmp_path / "b.toml")


def test_files_that_are_not_there(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.toml", "a\0b"):
        with pytest.raises(NotationError, match="cannot be read"):
            load_board(path)
