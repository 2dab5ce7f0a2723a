"""The engine as a whole: limits, stopping, mates, blindness, coins."""

import itertools
import random
import threading

import pytest

from sorcel_pi import (
    AHUMM,
    EGRESSIAN,
    Game,
    NotationError,
    Placement,
    board_from_text,
    parse_position,
    start_position,
)
from sorcel_pi.engine import LEVELS, Engine, Limits, Manner, level, think_at
from sorcel_pi.engine.search import PythonSearch, Think
from sorcel_pi.engine.thinking import past_of, toll_of
from sorcel_pi.engine.values import Values, all_terms, dot, load_weights, weights_from_text

from .kit import BOARD, random_positions
from .test_ugi import SMALL

START = start_position(BOARD)


@pytest.fixture
def engine() -> Engine:
    return Engine(BOARD, EGRESSIAN, native=False)


def test_limits_end_a_think(engine: Engine) -> None:
    assert engine.think(START, Limits(depth=2)).depth == 2
    few = engine.think(START, Limits(nodes=500))
    assert 500 <= few.nodes < 600
    assert engine.think(START, Limits(seconds=0.05)).line
    assert engine.think(START, Limits(nodes=1)).line  # never without an action


def test_a_stop_from_another_thread_ends_it(engine: Engine) -> None:
    reached = threading.Event()
    found = []

    def think() -> None:
        found.append(engine.think(START, Limits(), follow=lambda thought: reached.set()))

    thread = threading.Thread(target=think)
    thread.start()
    assert reached.wait(60)
    engine.stop()
    thread.join(60)
    assert not thread.is_alive() and found[0].line


def test_a_stop_before_it_began_is_not_forgotten(engine: Engine) -> None:
    engine.stop()
    assert engine.think(START, Limits()).depth == 0
    engine.ready()
    assert engine.think(START, Limits(depth=1)).depth == 1


def test_the_table_is_kept_between_turns(engine: Engine) -> None:
    first = engine.think(START, Limits(depth=4)).nodes
    again = engine.think(START, Limits(depth=4)).nodes
    assert again < first
    engine.forget()
    assert engine.think(START, Limits(depth=4)).nodes == first


def test_noise_is_the_same_within_a_think_and_another_with_another_seed() -> None:
    values = set()
    for seed in (1, 1, 2):
        engine = Engine(BOARD, EGRESSIAN, native=False)
        manner = Manner(noise=60, seed=seed)
        values.add(engine.think(START, Limits(nodes=400), manner=manner).value)
    assert len(values) == 2


def test_the_blind_do_not_see_the_answer() -> None:
    search = PythonSearch(BOARD, EGRESSIAN)
    for blind in (False, True):
        search.forget()
        search.begin(Think(START, blind=blind))
        line = [search.deepen(depth) for depth in range(1, 9)][-1].line
        game = Game(START)
        sides = set()
        for action in line:
            sides.add(game.position.side)
            game.play(action)
        assert len(sides) == (1 if blind else 2)


def test_a_turn_that_comes_again_is_a_draw(engine: Engine) -> None:
    """Light is far ahead but for the rule; where all that it does was there before, it is even."""
    game = Game(START)
    for word in ["c3d4", "d4c3", "end"]:
        game.play(word)
    past = past_of(game)
    assert past == [START]
    search = engine.search
    search.begin(Think(game.position, past, limit=3_000))
    assert search.deepen(2).line


def test_coins_make_placements_dearer() -> None:
    rich = start_position(BOARD, AHUMM)
    assert toll_of(START) == 0 and toll_of(rich) > 0
    assert toll_of(rich._replace(coins=rich.coins and rich.coins._replace(pot=400))) < toll_of(rich)
    engine = Engine(BOARD, AHUMM, native=False)
    poor = parse_position("5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 0/20/0/1")
    thought = engine.think(poor, Limits(nodes=1_000))
    assert not isinstance(thought.line[0], Placement)


def test_other_boards_and_levels() -> None:
    board = board_from_text(SMALL)
    engine = Engine(board, EGRESSIAN)
    for each in LEVELS[:6]:
        thought = think_at(engine, each, Game(start_position(board)), random.Random(1))
        assert thought.line[0] in Game(start_position(board)).legal_actions


def test_levels_are_named() -> None:
    assert [level(n).number for n in range(1, 11)] == list(range(1, 11))
    assert "depends" in str(level(10)) or "as strong as the machine" in str(level(10))
    for wrong in (0, 11, True, "5"):
        with pytest.raises(NotationError, match="from 1 to 10"):
            level(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"terms": 5}', "[" * 10_000])
def test_weights_that_cannot_be_used_are_refused(text: str) -> None:
    with pytest.raises(NotationError, match="weights"):
        weights_from_text(text)


def test_terms_and_weights_make_the_value() -> None:
    """What tuning learns from is what the search uses."""
    for position in itertools.islice(random_positions(41), 0, 900, 3):
        values = Values(position.board, position.rules)
        weights = values.weights.flat(position.board)
        assert dot(weights, all_terms(values, position)) == values.of(position)


def test_the_weights_mirror() -> None:
    """The standard board looks the same in a mirror, and so do the values of its spaces."""
    axial = BOARD.grid.axial
    for squares in load_weights().standard:
        for k, (q, r) in enumerate(axial):
            mirror = BOARD.grid.at(-q - r, r)
            assert mirror is not None and squares[k] == squares[mirror]
