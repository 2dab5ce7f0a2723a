"""Missing diodes, found in play on a matrix that is computed wire by wire."""

import random
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorcel_pi import Game, parse_position
from sorcel_pi.messages.message import message
from sorcel_pi.rules.hexgrid import spaces_of
from sorcel_pi.table.companion import Companion
from sorcel_pi.table.events import Notice
from sorcel_pi.table.lights.frame import FrameMaker
from sorcel_pi.table.sensing.debouncer import Scan
from sorcel_pi.table.sensing.diodes import Diodes

START = "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -"
WIDTH = 8
SPACES = 61
PLACES = {space: divmod(space, WIDTH) for space in range(SPACES)}


def read(pieces: int, missing: int = 0) -> int:
    """Return which contacts read closed when pieces stand so, some diodes being bridges.

    A column is pulled low by a row that it reaches: from column to row through any closed
    contact, from row to column only through one whose diode does not block.
    """
    closed = 0
    for column in range(WIDTH):
        columns, rows = {column}, set[int]()
        while True:
            more = {PLACES[s][0] for s in spaces_of(pieces) if PLACES[s][1] in columns}
            back = {PLACES[s][1] for s in spaces_of(pieces & missing) if PLACES[s][0] in more}
            if more <= rows and back <= columns:
                break
            rows |= more
            columns |= back
        for row in rows:
            space = row * WIDTH + column
            if space < SPACES:
                closed |= 1 << space
    return closed


def moves(seed: int, count: int, pieces: int = 20) -> Iterable[int]:
    """Yield the mask of pieces after each of `count` random lifts and drops."""
    rng = random.Random(seed)
    standing = set(rng.sample(range(SPACES), pieces))
    for _ in range(count):
        lifted = rng.choice(sorted(standing))
        standing.remove(lifted)
        yield sum(1 << s for s in standing)
        standing.add(rng.choice([s for s in range(SPACES) if s not in standing]))
        yield sum(1 << s for s in standing)


def found_in(diodes: Diodes, masks: Iterable[int], missing: int = 0) -> int:
    found = 0
    for k, mask in enumerate(masks):
        found |= diodes.feed(read(mask, missing), k * 0.4)
    return found


@given(st.integers(0, 2**20))
def test_a_sound_matrix_is_never_accused(seed: int) -> None:
    assert found_in(Diodes(PLACES), moves(seed, 60)) == 0


@pytest.mark.parametrize("missing", [0, 9, 27, 44, 60])
def test_a_missing_diode_is_found_and_no_other(missing: int) -> None:
    assert found_in(Diodes(PLACES), moves(5, 1500), 1 << missing) == 1 << missing


def test_lines_that_are_shoved_close_together_and_accuse_nobody() -> None:
    diodes, rng, now = Diodes(PLACES), random.Random(3), 0.0
    standing = set(rng.sample(range(SPACES), 20))
    for _ in range(400):
        for _ in range(3):
            standing.remove(rng.choice(sorted(standing)))
        now += 0.4
        assert diodes.feed(sum(1 << s for s in standing), now) == 0
        standing |= set(rng.sample([s for s in range(SPACES) if s not in standing], 3))
        now += 0.4
        assert diodes.feed(sum(1 << s for s in standing), now) == 0


def test_the_table_says_so_once() -> None:
    game = Game(parse_position(START))
    board = game.start.board
    companion = Companion(game, FrameMaker(board), matrix=PLACES)
    bare = Companion(Game(parse_position(START)), FrameMaker(board))
    said, now = [], 0.0
    for mask in moves(5, 400):
        for _ in range(4):
            scan = Scan(now, read(mask, 1 << 27))
            said += [v for v in companion.step(scan, now).events if isinstance(v, Notice)]
            assert not [v for v in bare.step(scan, now).events if isinstance(v, Notice)]
            now += 0.1
    assert said == [Notice(message("notice.diode", at=board.grid.names[27]))]


def test_a_missing_diode_is_told_at_the_first_piece_that_is_lifted_and_put_back() -> None:
    """The four pieces stand there at power-on already, the phantom with them."""
    middle, one, two = 9, 8, 17  # places (1, 1), (1, 0), (2, 1): the phantom is (2, 0), 16
    pieces = 1 << middle | 1 << one | 1 << two
    assert read(pieces, 1 << middle) >> 16 & 1
    diodes = Diodes(PLACES)
    masks = [pieces, pieces & ~(1 << two), pieces]
    found = [
        diodes.feed(read(mask, 1 << middle), k * 0.5, expected=pieces)
        for k, mask in enumerate(masks)
    ]
    assert found == [0, 0, 1 << middle]
