"""Reviews: what turns cost, whether flags are right, whether chances are what they say."""

import random
from collections.abc import Iterator

import pytest

from sorcel_pi import Game, Side, parse_position, start_position
from sorcel_pi.engine import Engine, Limits, Review, judge, review
from sorcel_pi.engine.matches import points_of
from sorcel_pi.engine.native import Library
from sorcel_pi.engine.review import BLUNDER, NODES, Turn, turns_of

from .kit import BOARD, RULES, games_of, level_player

EGRESSIAN = RULES[0]
REFERENCE_NODES = 500_000


def some_game(seed: int = 3) -> Game:
    (game,) = games_of(level_player(2, seed), level_player(1, seed), 1, seed)
    return game


def test_a_review_follows_the_game(library: Library) -> None:
    game = some_game()
    told: list[tuple[int, int]] = []
    engine = Engine(BOARD, EGRESSIAN, library=library)
    found = review(engine, game, nodes=3_000, follow=lambda done, of: told.append((done, of)))
    assert [each.played for each in found.turns] == [played for _, played in turns_of(game)]
    assert sum((each.played for each in found.turns), ()) == game.actions
    assert len(found.curve) == len(found.turns) + 1
    assert all(0 <= share <= 1 for share in found.curve)
    winner = game.outcome and game.outcome.winner
    assert found.curve[-1] == (0.5 if winner is None else float(winner == Side.LIGHT))
    assert told[-1][0] == told[-1][1] == len(found.turns) + 1
    for side in Side:
        mistakes = found.mistakes(side)
        assert len(mistakes) <= 3
        assert all(each.side == side and each.is_blunder for each in mistakes)
        assert [each.loss for each in mistakes] == sorted((e.loss for e in mistakes), reverse=True)


def test_missing_a_win_is_a_blunder() -> None:
    position = parse_position("5/6/fSff3/1F1sF3/1S1F5/1s1F1f2/1F5/1F4/5 l 6/0 0/2 -")
    game = Game(position)
    engine = Engine(BOARD, EGRESSIAN, native=False)
    assert judge(engine, game, nodes=500) is None
    game.play("b2a2")
    assert judge(engine, game, nodes=500) is None  # the turn goes on
    game.play("end")
    turn = judge(engine, game, nodes=2_000)
    assert turn is not None and turn.chance == 1.0
    assert turn.played == game.actions


def test_the_best_turn_costs_nothing() -> None:
    position = parse_position("5/6/fSff3/1F1sF3/1S1F5/1s1F1f2/1F5/1F4/5 l 6/0 0/2 -")
    game = Game(position)
    game.play("e2d1")
    turn = judge(Engine(BOARD, EGRESSIAN, native=False), game, nodes=2_000)
    assert turn is not None and (turn.loss, turn.after) == (0.0, 1.0)


def test_games_without_turns_and_games_given_up() -> None:
    engine = Engine(BOARD, EGRESSIAN, native=False)
    game = Game(start_position(BOARD))
    assert review(engine, game, nodes=200) == Review(())
    assert Review(()).curve == ()
    game.play("c3d4")
    game.resign(Side.LIGHT)
    found = review(engine, game, nodes=500)
    assert found.curve[-1] == 0.0 and len(found.turns) == 1


def test_a_review_can_be_stopped() -> None:
    game = some_game()
    engine = Engine(BOARD, EGRESSIAN, native=False)

    def stop(done: int, of: int) -> None:
        if done == 3:
            engine.stop()

    found = review(engine, game, nodes=500, follow=stop)
    assert len(found.turns) == 2
    engine.ready()
    assert len(review(engine, game, nodes=200).turns) == len(list(turns_of(game)))


# -- how right it is ------------------------------------------------------------------------------


def games_of_people(library: Library, seed: int) -> Iterator[Game]:
    """Yield games of levels 3 to 6, for ever."""
    rng = random.Random(seed)
    players = [level_player(n, seed + n, library) for n in (3, 4, 5, 6)]
    number = 0
    while True:
        number += 1
        light, dark = rng.sample(players, 2)
        yield from games_of(light, dark, 1, seed + number)


def reviewed(engine: Engine, game: Game, nodes: int) -> tuple[Turn, ...]:
    engine.forget()
    return review(engine, game, nodes=nodes).turns


@pytest.mark.slow
def test_flags_are_right_and_found(library: Library) -> None:
    """Against a reference of 500 000 nodes with at least 300 blunders in it."""
    engine = Engine(BOARD, EGRESSIAN, library=library)
    counts = {name: [0, 0] for name in NODES}  # flagged, and of these right
    blunders = turns = 0
    for game in games_of_people(library, 90):
        truth = [turn.loss >= BLUNDER for turn in reviewed(engine, game, REFERENCE_NODES)]
        turns += len(truth)
        blunders += sum(truth)
        for name, nodes in NODES.items():
            flags = [turn.is_blunder for turn in reviewed(engine, game, nodes)]
            counts[name][0] += sum(flags)
            counts[name][1] += sum(a and b for a, b in zip(flags, truth, strict=True))
        if blunders >= 320:
            break
    for name, (flagged, right) in counts.items():
        print(
            f"{name}, {NODES[name]} nodes: {right / flagged:.1%} of {flagged} flags right, "
            f"{right / blunders:.1%} of {blunders} blunders in {turns} turns found"
        )
    for flagged, right in counts.values():
        assert right / flagged >= 0.75
        assert right / blunders >= 0.65


@pytest.mark.slow
def test_chances_are_what_they_say(library: Library) -> None:
    """In every tenth, by the chance, of 5 000 positions of games that were not trained on."""
    engine = Engine(BOARD, EGRESSIAN, library=library)
    rows: list[tuple[float, float]] = []
    for number in range(1_000):
        players = [level_player(8 + number % 2, 17 + number + s, library) for s in (0, 5_000)]
        for game in games_of(players[0], players[1], 4, 70_000 + 10 * number):
            for position, _ in turns_of(game):
                share = engine.think(position, Limits(nodes=NODES["Python"])).chance
                rows.append((share, points_of(game, position.side)))
        for player in players:
            player.close()
        if len(rows) >= 5_000:
            break
    rows = sorted(rows[:5_000])
    off = []
    for number in range(10):
        tenth = rows[500 * number : 500 * (number + 1)]
        said, won = (sum(each[k] for each in tenth) / len(tenth) for k in (0, 1))
        print(f"tenth {number}: said {said:.3f}, won {won:.3f}")
        off.append(abs(said - won))
    assert max(off) <= 0.10
