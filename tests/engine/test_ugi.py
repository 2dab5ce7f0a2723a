"""The protocol by itself: what lines mean and what is answered."""

import json

import pytest

from sorcel_pi import (
    EndTurn,
    Game,
    board_from_text,
    format_action,
    format_board,
    parse_position,
    standard_board,
    start_position,
)
from sorcel_pi.engine import Engine, Limits, Thought
from sorcel_pi.engine.levels import SECONDS
from sorcel_pi.engine.ugi import MAX_ACTIONS, Forget, Go, Order, Quit, Stop, Ugi

SMALL = """
name = "small"
side = 4
detaining = ["d4"]
[start]
dark = "half turn"
[start.light]
sentinels = ["a2", "a3"]
shifs = ["b2", "b3", "b4"]
"""


@pytest.fixture
def ugi() -> Ugi:
    return Ugi("Sorcel Pi", "its developers")


def ask(ugi: Ugi, *lines: str) -> list[str | Order]:
    """Return all answers and orders but the stops that go before others."""
    found = [answer for line in lines for answer in ugi.receive(line)]
    return [answer for answer in found if not isinstance(answer, Stop)]


def go(ugi: Ugi, *lines: str) -> Go:
    (order,) = ask(ugi, *lines)
    assert isinstance(order, Go)
    return order


def test_introduction(ugi: Ugi) -> None:
    lines = ask(ugi, "ugi")
    assert lines[:2] == ["id name Sorcel Pi", "id author its developers"]
    assert "option name Level type spin default 10 min 1 max 10" in lines
    assert "option name Board type string default standard" in lines
    assert lines[-1] == "ugiok"
    assert ask(ugi, "isready", "quit") == ["readyok", Quit()]


def test_queries(ugi: Ugi) -> None:
    questions = ["query p1turn", "query gameover", "query result"]
    assert ask(ugi, *questions) == ["response true", "response false", "response none"]
    assert ask(ugi, "position startpos moves +a3", "query p1turn") == ["response false"]
    over = "position fen 5/6/fSff3/1F1sF3/1S1F5/1s1F1f2/1F5/1F4/5 l 6/0 0/2 - moves e2d1"
    assert ask(ugi, over, *questions) == ["response true", "response true", "response p1win"]
    assert ask(ugi, "go") == ["bestmove 0000"]


def test_who_begins_does_not_matter_to_p1(ugi: Ugi) -> None:
    code = "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 d 3/0 3/3 -"
    assert ask(ugi, f"position fen {code}", "query p1turn") == ["response false"]


def test_a_position_is_taken_over_with_its_moves(ugi: Ugi) -> None:
    order = go(ugi, "position startpos moves c3d4 c4d5 end", "go nodes 100")
    game = Game(start_position(standard_board()))
    for word in ["c3d4", "c4d5", "end"]:
        game.play(word)
    assert order.game.position == game.position and order.game.actions == game.actions
    assert order.limits == Limits(nodes=100)
    assert go(ugi, "position startpos moves c3d4", "go nodes 5").game.position.steps_made == 1


def test_the_standard_start_needs_no_option_and_ahumm_is_seen_from_its_code(ugi: Ugi) -> None:
    code = "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 20/20/0/1"
    assert go(ugi, f"position fen {code} moves +a3=4", "go depth 2").game.position.coins == (
        16,
        20,
        4,
        4,
    )
    ask(ugi, "setoption name Rules value ahumm purse=7")
    assert go(ugi, "position startpos", "go").game.position.coins == (7, 7, 0, 1)


def test_another_board(ugi: Ugi) -> None:
    board = board_from_text(SMALL)
    text = json.dumps(format_board(board))
    assert ask(ugi, f"setoption name Board value {text}") == []
    order = go(ugi, "position startpos", "go nodes 50")
    assert order.game.position == start_position(board)
    assert ask(ugi, "setoption name Board value standard", "position startpos") == []


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("castle", "not a command"),
        ("position", "expected startpos"),
        ("position startpos moves e5e6", "e5"),
        ("position fen 5/5 l", "five fields"),
        ("position startpos moves " + "c3d4 " * (MAX_ACTIONS + 1), "more than"),
        ("setoption name Level value 11", "from 1 to 10"),
        ("setoption name Level value ten", "from 1 to 10"),
        ("setoption name Hash value 5", "no option"),
        ("setoption Level 5", "expected setoption name"),
        ("setoption name Board value {", "one JSON string"),
        ('setoption name Board value "name = 5"', "missing"),
        ("setoption name Board value " + "[" * 5000, "one JSON string"),
        ("setoption name Rules value chess", "rule set"),
        ("setoption name Native value perhaps", "true or false"),
        ("setoption name Seed value -1", "from 0"),
        ("query weather", "expected gameover"),
    ],
)
def test_nonsense_is_refused_in_words(ugi: Ugi, line: str, part: str) -> None:
    (answer,) = ask(ugi, line)
    assert isinstance(answer, str) and answer.startswith("info string error: ")
    assert part in answer and "\n" not in answer


@pytest.mark.parametrize("line", ["go nodes", "go nodes 0", "go wibble", "go movetime x"])
def test_a_go_that_cannot_be_read_still_has_its_bestmove(ugi: Ugi, line: str) -> None:
    answers = ask(ugi, line)
    assert answers[0] == "bestmove 0000" and len(answers) == 2


def test_after_a_bad_position_there_is_none(ugi: Ugi) -> None:
    ask(ugi, "position startpos moves c3c9")
    assert ask(ugi, "go") == ["bestmove 0000"]
    assert "no position" in str(ask(ugi, "query p1turn")[0])
    assert isinstance(go(ugi, "position startpos", "go nodes 1"), Go)


def test_control_characters_and_blank_lines_do_not_matter(ugi: Ugi) -> None:
    assert ask(ugi, "", "   ", "\x00\x1b", "is\x07ready\x00") == ["readyok"]


def test_times(ugi: Ugi) -> None:
    assert go(ugi, "go").limits == Limits(seconds=SECONDS)
    assert go(ugi, "go infinite") == go(ugi, "go infinite")._replace(limits=Limits(), infinite=True)
    assert go(ugi, "go movetime 1050").limits == Limits(seconds=1.0)
    ask(ugi, "setoption name Level value 9")
    assert go(ugi, "go").limits == Limits(nodes=30_000)
    timed = go(ugi, "go p1time 60000 p2time 1000 p1inc 1000 p2inc 0").limits
    assert timed.nodes == 30_000 and timed.seconds == pytest.approx(3.5)
    ask(ugi, "position startpos moves +a3")
    low = go(ugi, "go p1time 60000 p2time 100").limits
    assert low.seconds is not None and 0 < low.seconds <= 0.01
    assert go(ugi, "go p1time 5 p2time -300").limits.seconds == 0.01


def test_the_rest_of_a_turn_is_played_as_planned(ugi: Ugi) -> None:
    ask(ugi, "setoption name Level value 4")
    order = go(ugi, "position startpos", "go")
    shadow = Game(order.game.position)
    line = tuple(shadow.play(word).action for word in ("c3d4", "c4d5"))
    thought = Thought((*line, EndTurn()), 30, 3, 100, 0.1)
    assert ugi.decided(order.game, thought) == "bestmove c3d4"
    second = go(ugi, "position startpos moves c3d4", "go")
    assert second.planned == line[1] and ugi.planned(second) == "bestmove c4d5"
    third = go(ugi, "position startpos moves c3d4 c4d5", "go")
    assert third.planned == EndTurn()
    assert go(ugi, "position startpos moves c3d4", "go nodes 50").planned is None
    assert go(ugi, "position startpos moves b3b2", "go").planned is None
    assert ask(ugi, "uginewgame") == [Forget()]
    assert go(ugi, "position startpos moves c3d4", "go").planned is None


def test_progress_gives_scores_and_mates(ugi: Ugi) -> None:
    position = parse_position("5/6/fSff3/1F1sF3/1S1F5/1s1F1f2/1F5/1F4/5 l 6/0 0/2 -")
    engine = Engine(position.board, position.rules, native=False)
    thought = engine.think(position, Limits(nodes=3_000))
    assert thought.ends_in == 1 and format_action(position.board, thought.line[0]) == "e2d1"
    line = ugi.progress(position.board, thought)
    assert " score mate 1 " in line and line.endswith(" pv e2d1")
    other = ugi.progress(position.board, thought._replace(value=-25))
    assert " score cp -25 " in other
