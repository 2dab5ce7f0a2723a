"""An engine at the table: its answers become actions of the game by the hands that are here."""

from pathlib import Path

import pytest

from sorcel_pi import Action, Side, Step
from sorcel_pi.players.seats import Seats
from sorcel_pi.players.thinker import Answer
from sorcel_pi.store.store import Store
from sorcel_pi.table import commands
from sorcel_pi.table.scanlog import replay
from tests.players.script import Script

from .hands import Desk
from .test_app import quiet_step


def seated(folder: Path | None = None, **more: object) -> tuple[Desk, Script]:
    """Return a table that is set up, where an engine plays Light."""
    thinker = Script()
    desk = Desk(folder, seats=Seats(light=4), thinker=thinker, **more)  # type: ignore[arg-type]
    return desk.set_up(), thinker


def played(desk: Desk) -> list[Action]:
    return list(desk.game.actions)


def answered(desk: Desk, thinker: Script) -> Step:
    """Let the engine answer with a step that pushes nobody."""
    step = quiet_step(desk)
    thinker.said = [Answer(thinker.asked[-1].number, (step,))]
    desk.wait(0.1)
    return step


def test_an_answer_is_announced_and_played_by_hand() -> None:
    desk, thinker = seated()
    assert [asked.level for asked in thinker.asked] == [4]
    step = answered(desk, thinker)
    assert played(desk) == []
    assert desk.app.table.view(desk.clock.time).announced == (step,)
    desk.act(step).wait(1.0)
    assert played(desk) == [step]
    assert len(thinker.asked) == 2
    assert thinker.asked[1].actions == (step,)


def test_who_plays_is_kept_with_the_game_and_so_is_what_was_announced(tmp_path: Path) -> None:
    desk, thinker = seated(tmp_path)
    step = answered(desk, thinker)
    desk.wait(0.5)
    desk.app.close()
    again = Desk(tmp_path, thinker=Script())
    assert again.app.opponent is not None
    assert again.app.opponent.seats == Seats(light=4)
    again.set_up(again.game.start).wait(1.0)
    assert again.app.table.view(again.clock.time).announced == (step,)
    again.act(step).wait(1.0)
    assert played(again) == [step]
    again.app.close()
    store = Store.open(tmp_path / "sorcel.db") if (tmp_path / "sorcel.db").exists() else None
    if store is not None:
        game = store.running_game()
        assert game is not None
        assert game.game.headers["LightSeat"] == "engine:4"
        store.close()


def test_a_take_back_gives_up_what_is_thought_about() -> None:
    desk, thinker = seated()
    step = answered(desk, thinker)
    desk.act(step).wait(1.0)
    desk.app.sit_down(Seats(dark=4))
    quiet = quiet_step(desk)
    desk.act(quiet).wait(1.0)
    desk.app.carry_out(commands.EndTurn())
    desk.wait(0.1)
    asked = len(thinker.asked)
    desk.app.carry_out(commands.TakeBack())
    desk.wait(0.1)
    assert "cancel" in thinker.done
    assert len(thinker.asked) == asked
    assert desk.game.position.side is Side.LIGHT


def test_a_nonsense_answer_is_asked_again_then_people_play_on() -> None:
    desk, thinker = seated()
    for _ in range(2):
        nonsense = Step(0, 1)
        thinker.said = [Answer(thinker.asked[-1].number, (nonsense,))]
        desk.wait(0.1)
    assert any("played by hand" in line for line in desk.lines)
    assert desk.app.table.referee.away == frozenset()
    step = quiet_step(desk)
    desk.act(step).wait(1.0)
    assert played(desk) == [step]


def test_the_loop_goes_on_while_an_engine_says_nothing() -> None:
    desk, thinker = seated()
    before = desk.app.scans
    desk.wait(5.0)
    assert thinker.done == []
    assert desk.app.table.view(desk.clock.time).thinking
    assert desk.app.scans == before


def test_a_rematch_changes_who_plays_which_side() -> None:
    desk, _ = seated()
    desk.app.new_game(rematch=True)
    assert desk.app.opponent is not None
    assert desk.app.opponent.seats == Seats(dark=4)
    assert desk.app.table.referee.away == {Side.DARK}
    assert desk.game.headers.get("DarkSeat") == "engine:4"


def test_the_menu_button_goes_through_the_choices_of_seats() -> None:
    desk = Desk(None, thinker=Script()).set_up()
    found = []
    for _ in range(3):
        desk.mock.press(4, hold_s=0.2)
        desk.wait(0.5)
        found.append(desk.app.table.referee.away)
    assert found == [{Side.DARK}, {Side.LIGHT}, frozenset()]


def test_a_scan_log_repeats_a_game_against_an_engine() -> None:
    lines: list[str] = []
    desk, thinker = seated(None, write_scan=lines.append)
    step = answered(desk, thinker)
    desk.act(step).wait(1.0)
    last = None
    for companion, replayed in replay(lines):
        assert replayed.difference is None
        last = companion
    assert last is not None
    assert last.game.actions == (step,)


@pytest.mark.parametrize("level", [1, 10])
def test_headers_of_a_new_game_say_who_plays(level: int) -> None:
    desk = Desk(None, seats=Seats(dark=level), thinker=Script())
    assert desk.game.headers["DarkSeat"] == f"engine:{level}"


def test_the_menu_button_chooses_the_level_of_the_engine() -> None:
    desk = Desk(None, seats=Seats(dark=3), thinker=Script()).set_up()
    assert desk.app.opponent is not None
    desk.mock.press(4, hold_s=3.0)
    desk.wait(3.5)
    assert desk.app.table.view(desk.clock.time).level == 3
    for _ in range(2):
        desk.mock.press(2, hold_s=0.2)  # Dark's: one up
        desk.wait(0.5)
    desk.mock.press(1, hold_s=0.2)  # Light's: one down
    desk.wait(0.5)
    assert desk.app.table.view(desk.clock.time).level == 4
    desk.wait(5.0)
    assert desk.app.table.view(desk.clock.time).level == 0
    assert desk.app.opponent.seats == Seats(dark=4)


def test_a_lift_ends_the_choice_and_is_a_step() -> None:
    desk = Desk(None, seats=Seats(dark=3), thinker=Script()).set_up()
    assert desk.app.opponent is not None
    desk.mock.press(4, hold_s=3.0)
    desk.wait(3.5)
    desk.mock.press(2, hold_s=0.2)
    desk.wait(0.5)
    step = quiet_step(desk)
    desk.act(step).wait(1.0)
    assert desk.app.opponent.seats == Seats(dark=4)
    assert played(desk) == [step]
