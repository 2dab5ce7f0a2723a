"""Hints: the turn is legal, and every reason is replayed by the rules and is true."""

import itertools
import random

import pytest

from sorcel_pi import (
    IllegalActionError,
    Pass,
    Placement,
    Position,
    Side,
    Step,
    board_from_text,
    outcome,
    parse_position,
    play,
    resolve,
    rule_set_from_text,
    standard_board,
    start_position,
)
from sorcel_pi.engine import Engine, Hint, Reason, Why, hint
from sorcel_pi.engine.hints import NODES, harm_to, lost_pieces
from sorcel_pi.engine.native import Library
from sorcel_pi.engine.review import turns_of
from sorcel_pi.rules.cascade import Consequence

from .kit import BOARD, RULES, games_of, level_player, random_positions
from .test_ugi import SMALL

FEW = (2_000, 1_000)


def replayed(position: Position, turn: tuple[object, ...]) -> tuple[Position, list[Consequence]]:
    """Play `turn` by the rules alone, as far as it goes."""
    found: list[Consequence] = []
    for action in turn:
        try:
            cascade = resolve(position, action)  # type: ignore[arg-type]
        except IllegalActionError:
            break
        found += cascade.consequences
        position = cascade.after
    return position, found


def skipped(position: Position) -> Position:
    """Return `position` with the other side to begin a turn, worked out anew."""
    other = position.side.other
    steps = position.shifs_in_play(other)
    return position._replace(side=other, steps_left=steps, steps_made=0)


def check(found: Hint) -> None:
    position = found.position
    side = position.side
    here = position
    for action in found.turn:
        assert here.side == side
        here = play(here, action)
    assert here.side != side or outcome(here) is not None
    first = found.turn[0]
    assert found.piece == (first.origin if isinstance(first, Step) else None)
    assert found.places == isinstance(first, Placement)
    for reason in found.reasons:
        check_reason(found, reason, here)
        assert str(reason)


def check_reason(found: Hint, reason: Reason, after: Position) -> None:
    side = found.position.side
    end, consequences = replayed(reason.position, reason.turn)
    ended = outcome(end)
    victim = side if reason.why in (Why.PREVENTS, Why.PREVENTS_LOSS) else side.other
    assert set(reason.consequences) <= set(harm_to(consequences, victim))
    match reason.why:
        case Why.WINS:
            assert (reason.position, reason.turn) == (found.position, found.turn)
            assert ended is not None and ended.winner == side
        case Why.DOES:
            assert (reason.position, reason.turn) == (found.position, found.turn)
            assert reason.consequences
        case Why.STRENGTHENS:
            assert end.shifs_in_play(side) == found.position.shifs_in_play(side) + 1
        case Why.THREATENS_WIN:
            assert reason.position == skipped(after)
            assert ended is not None and ended.winner == side
        case Why.THREATENS:
            assert reason.position == skipped(after) and reason.consequences
        case Why.PREVENTS_LOSS:
            assert reason.position == skipped(found.position)
            assert ended is not None and ended.winner == side.other
            now, _ = replayed(after, reason.turn)
            still = outcome(now)
            assert still is None or still.winner != side.other
        case Why.PREVENTS:
            assert reason.position == skipped(found.position) and reason.consequences
            _, now_lost = replayed(after, reason.turn)
            assert not lost_pieces(harm_to(now_lost, side))


def positions_of_games(library: Library | None, count: int, seed: int) -> list[Position]:
    """Return unfiltered turn starts of games of the levels 3 to 8."""
    rng = random.Random(seed)
    found: list[Position] = []
    players = [level_player(n, seed, library) for n in range(3, 9 if library else 5)]
    while len(found) < 3 * count:
        light, dark = rng.sample(players, 2)
        for game in games_of(light, dark, 2, seed + len(found)):
            found += [position for position, _ in turns_of(game)]
    return rng.sample(found, count)


def hints_of(engine: Engine, positions: list[Position], nodes: tuple[int, int] | None) -> float:
    """Check the hints in all positions; return the share of them with a reason."""
    reasons = 0
    for position in positions:
        engine.forget()
        found = hint(engine, position, nodes=nodes)
        assert found is not None
        check(found)
        reasons += bool(found.reasons)
    return reasons / len(positions)


def test_every_reason_is_true(library: Library) -> None:
    engine = Engine(BOARD, RULES[0], library=library)
    assert hints_of(engine, positions_of_games(library, 100, 1), (20_000, 8_000)) > 0.5


@pytest.mark.slow
def test_most_hints_have_a_reason(library: Library) -> None:
    for engine, nodes in (
        (Engine(BOARD, RULES[0], library=library), NODES["C"]),
        (Engine(BOARD, RULES[0], library=library), NODES["Python"]),
    ):
        share = hints_of(engine, positions_of_games(library, 500, 5), nodes)
        print(f"a reason in {share:.1%} of 500 positions at {nodes} nodes")
        assert share >= 0.65


def test_odd_positions() -> None:
    """In the middle of turns, with house rules, with coins, anywhere."""
    for position in itertools.islice(random_positions(21), 0, 400, 10):
        engine = Engine(position.board, position.rules, native=False)
        found = hint(engine, position, nodes=(300, 100))
        if outcome(position) is not None:
            assert found is None
        else:
            assert found is not None
            check(found)


def test_another_board() -> None:
    board = board_from_text(SMALL)
    position = start_position(board)
    engine = Engine(board, position.rules)
    assert engine.name == "Python"
    found = hint(engine, position, nodes=FEW)
    assert found is not None
    check(found)


def told(code: str) -> Hint:
    position = parse_position(code)
    found = hint(Engine(position.board, position.rules, native=False), position, nodes=FEW)
    assert found is not None
    check(found)
    return found


def test_a_win_is_told() -> None:
    found = told("5/6/fSff3/1F1sF3/1S1F5/1s1F1f2/1F5/1F4/5 l 6/0 0/2 -")
    assert found.why == "wins: the Dark Sentinel on d2 is detained in d3"
    assert standard_board().grid.names[found.piece or 0] == "e2"


def test_a_placement_is_told() -> None:
    """Nothing else can be done here: Light has no Shif in play, and one spot."""
    found = told("5/2ss2/2fff2/8/9/8/7/2S3/5 l 0/0 6/3 -")
    assert found.piece is None and found.places
    assert "gives 1 steps a turn" not in found.why
    assert "gives 1 step a turn" in found.why


def test_a_pass_has_no_piece() -> None:
    rules = rule_set_from_text("egressian shifs=2 detained=4")
    position = parse_position("4s/5f/7/8/4F4/8/F6/6/S4 l 0/0 0/1 -", None, rules)
    found = hint(Engine(position.board, rules, native=False), position, nodes=FEW)
    assert found is not None and found.turn == (Pass(),)
    assert found.piece is None and not found.places
    check(found)


def test_sides_are_equal() -> None:
    light = told("5/6/fSff3/1F1sF3/1S1F5/1s1F1f2/1F5/1F4/5 l 6/0 0/2 -")
    assert light.position.side == Side.LIGHT and light.thought.ends_in == 1
