"""Seats, the engine's process and thread, and who asks it: faults end at the table's edge."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sorcel_pi import EndTurn, Game, Side, Step, standard_board, start_position
from sorcel_pi.errors import NotationError
from sorcel_pi.messages.message import Message
from sorcel_pi.players import process
from sorcel_pi.players.opponent import (
    SILENCE_S,
    Announced,
    HandedOver,
    Opponent,
    Situation,
)
from sorcel_pi.players.seats import Seats, seat_from_text
from sorcel_pi.players.thinker import Answer, Request, Thinker

from .engines import command
from .script import Script

START = start_position(standard_board())
LONG_S = 60.0


def request(number: int, *, whole_turn: bool = False, level: int = 1) -> Request:
    return Request(number, START, (), level, whole_turn)


def answer_of(thinker: Thinker) -> Answer:
    """Wait for an answer, with an end for a test that fails."""
    due = time.monotonic() + LONG_S
    while time.monotonic() < due:
        if found := thinker.answers():
            return found[0]
        time.sleep(0.01)
    raise AssertionError("no answer came")


@pytest.fixture(name="thinkers")
def _thinkers() -> Iterator[list[Thinker]]:
    made: list[Thinker] = []
    yield made
    for thinker in made:
        thinker.close()


# -- seats ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "level"), [("person", None), ("engine", 3), ("engine:1", 1), ("engine:10", 10)]
)
def test_a_seat_is_a_person_or_an_engine_of_a_level(text: str, level: int | None) -> None:
    assert seat_from_text(text) == level


@pytest.mark.parametrize("text", ["", "engine:0", "engine:11", "engine:+3", "engine:", "person:1"])
def test_another_seat_is_refused_with_what_was_expected(text: str) -> None:
    with pytest.raises(NotationError, match="expected person, engine, or engine:LEVEL"):
        seat_from_text(text)


def test_seats_survive_in_the_headers_of_a_record() -> None:
    for seats in (Seats(), Seats(3), Seats(None, 10), Seats(1, 2)):
        assert Seats.of(seats.headers) == seats
    assert Seats(None, 4).away == {Side.DARK}
    assert Seats(None, 4).swapped() == Seats(4, None)


# -- the engine itself ----------------------------------------------------------------------------


def test_the_own_engine_answers_with_an_action_and_with_a_whole_turn(
    thinkers: list[Thinker],
) -> None:
    thinkers.append(thinker := Thinker())
    thinker.ask(request(1))
    first = answer_of(thinker)
    assert not first.fault
    assert len(first.actions) == 1
    thinker.ask(request(2, whole_turn=True))
    turn = answer_of(thinker)
    game = Game(START)
    for action in turn.actions:
        assert game.position.side is Side.LIGHT
        game.play(action)
    assert game.position.side is Side.DARK


def test_the_engine_is_told_to_answer_now(thinkers: list[Thinker]) -> None:
    thinkers.append(thinker := Thinker())
    thinker.ask(request(1, level=10))  # 10 s a turn
    thinker.hurry()
    began = time.monotonic()
    assert not answer_of(thinker).fault
    assert time.monotonic() - began < LONG_S


@pytest.mark.skipif(not hasattr(os, "sched_getscheduler"), reason="this system has no such thing")
def test_its_process_stands_back_and_knows_nothing(
    thinkers: list[Thinker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", "/nowhere")
    monkeypatch.setenv("HOME", "/nowhere")
    started = process.start(command("silent"))
    try:
        assert os.sched_getscheduler(started.pid) == os.SCHED_IDLE
        assert os.getsid(started.pid) == started.pid
        assert len(os.sched_getaffinity(started.pid)) == 1
        known = Path(f"/proc/{started.pid}/environ").read_bytes()
        assert b"NOTIFY_SOCKET" not in known
        assert b"HOME=" not in known
    finally:
        process.kill(started)
        started.communicate()


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        ("dead", "has ended"),
        ("dies", "has ended"),
        ("nonsense", "z9z9"),
        ("illegal", "a1a2"),
        ("wordy", "2 words"),
    ],
)
def test_what_an_engine_does_wrong_is_an_answer(
    kind: str, fault: str, thinkers: list[Thinker]
) -> None:
    thinkers.append(thinker := Thinker(command(kind)))
    thinker.ask(request(1))
    assert fault in answer_of(thinker).fault


def test_an_engine_that_is_not_there_is_an_answer(thinkers: list[Thinker]) -> None:
    thinkers.append(thinker := Thinker(("/nowhere/engine",)))
    thinker.ask(request(1))
    assert "cannot be started" in answer_of(thinker).fault


def test_a_flood_on_both_outputs_hides_no_answer(thinkers: list[Thinker]) -> None:
    thinkers.append(thinker := Thinker(command("floods")))
    thinker.ask(request(1))
    answer = answer_of(thinker)
    assert not answer.fault
    assert len(answer.actions) == 1


@pytest.mark.parametrize("kind", ["silent", "deaf"])
def test_one_that_is_killed_answers_with_a_fault(kind: str, thinkers: list[Thinker]) -> None:
    thinkers.append(thinker := Thinker(command(kind)))
    thinker.ask(request(1))
    time.sleep(1.0)
    thinker.kill()
    assert "has ended" in answer_of(thinker).fault


def test_one_that_was_given_up_is_not_waited_for(thinkers: list[Thinker]) -> None:
    thinkers.append(thinker := Thinker())
    thinker.ask(request(1, level=10))
    thinker.cancel()
    thinker.ask(request(2))
    found: list[Answer] = []
    while 2 not in [answer.number for answer in found]:
        found.append(answer_of(thinker))
    assert [answer.number for answer in found] == [1, 2]


# -- who asks it ----------------------------------------------------------------------------------


STEP = Step(START.board.grid.number("c4"), START.board.grid.number("d5"))


def situation(revision: int = 1, *, ready: bool = True) -> Situation:
    return Situation(START, (), START, revision, ready)


def test_an_engine_is_asked_once_when_its_turn_has_come() -> None:
    thinker = Script()
    opponent = Opponent(thinker, Seats(light=4))
    assert opponent.poll(situation(ready=False), 0.0) == []
    assert thinker.asked == []
    for now in (0.1, 0.2):
        assert opponent.poll(situation(), now) == []
    assert [asked.level for asked in thinker.asked] == [4]
    thinker.said = [Answer(thinker.asked[0].number, (STEP,))]
    assert opponent.poll(situation(), 0.3) == [Announced((STEP,))]


def test_nobody_is_asked_for_a_side_that_people_play() -> None:
    thinker = Script()
    opponent = Opponent(thinker, Seats(dark=4))
    opponent.poll(situation(), 0.0)
    assert thinker.asked == []


def test_an_answer_to_an_old_position_or_revision_is_dropped() -> None:
    thinker = Script()
    opponent = Opponent(thinker, Seats(light=4))
    opponent.poll(situation(1), 0.0)
    thinker.said = [Answer(thinker.asked[0].number, (EndTurn(),))]
    assert opponent.poll(situation(2), 0.1) == []
    assert "cancel" in thinker.done
    assert len(thinker.asked) == 2
    thinker.said = [Answer(thinker.asked[0].number, (EndTurn(),))]
    assert opponent.poll(situation(2), 0.2) == []
    thinker.said = [Answer(thinker.asked[1].number, (STEP,))]
    assert opponent.poll(situation(2), 0.3) == [Announced((STEP,))]


def test_an_answer_waits_until_the_board_is_right() -> None:
    thinker = Script()
    opponent = Opponent(thinker, Seats(light=4))
    opponent.poll(situation(), 0.0)
    thinker.said = [Answer(thinker.asked[0].number, (STEP,))]
    assert opponent.poll(situation(ready=False), 0.1) == []
    assert opponent.poll(situation(), 0.2) == [Announced((STEP,))]


def test_an_engine_at_fault_is_asked_again_once_and_then_its_side_is_handed_over() -> None:
    thinker = Script()
    opponent = Opponent(thinker, Seats(light=4))
    opponent.poll(situation(), 0.0)
    thinker.said = [Answer(thinker.asked[0].number, fault="it has ended")]
    (again,) = opponent.poll(situation(), 0.1)
    assert isinstance(again, Message)
    assert again.key == "engine.again"
    thinker.said = [Answer(thinker.asked[1].number, fault="it has ended")]
    said, handed = opponent.poll(situation(), 0.2)
    assert isinstance(said, Message)
    assert said.key == "engine.handed_over"
    assert handed == HandedOver(Side.LIGHT)
    assert opponent.seats == Seats()
    opponent.poll(situation(), 0.3)
    assert len(thinker.asked) == 2


def test_one_that_is_silent_past_its_time_is_killed() -> None:
    thinker = Script()
    opponent = Opponent(thinker, Seats(light=4))
    opponent.poll(situation(), 0.0)
    opponent.poll(situation(), SILENCE_S)
    assert thinker.done == []
    opponent.poll(situation(), SILENCE_S + 0.1)
    opponent.poll(situation(), SILENCE_S + 0.2)
    assert thinker.done == ["kill"]
