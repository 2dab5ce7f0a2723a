"""The loop: nothing is lost by a slow or failing store, a lost line, a command or a signal."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from sorcel_pi import (
    Game,
    Step,
    StoreError,
    format_action,
    legal_actions,
    play,
    standard_board,
    start_position,
)
from sorcel_pi.app import App
from sorcel_pi.store.records import Record
from sorcel_pi.store.store import Store
from sorcel_pi.store.writer import Writer
from sorcel_pi.table.commands import Resign, SetLights, TakeBack
from sorcel_pi.table.companion import Companion
from sorcel_pi.table.lights.frame import FrameMaker, dark
from sorcel_pi.table.scanlog import MAGIC, replay
from sorcel_pi.table.view import Mode, Trouble

from .hands import Desk


def quiet_step(desk: Desk) -> Step:
    """Return a step that pushes nobody and lets nothing stray."""
    position = desk.game.position
    foes = position.in_play(position.side.other)
    return next(
        action
        for action in legal_actions(position)
        if isinstance(action, Step)
        and not position.board.grid.adjacent[action.target] & foes
        and play(position, action).occupied.bit_count() == position.occupied.bit_count()
    )


class Held:
    """A store that writes only when it is told to."""

    def __init__(self) -> None:
        self.batches: list[Sequence[Record]] = []
        self.failing = False

    def apply(self, batch: Sequence[Record], *, ticket: tuple[str, int] | None = None) -> None:
        if self.failing:
            raise StoreError("no space left on device")
        self.batches.append(batch)

    def reopen(self) -> None:
        pass

    def close(self) -> None:
        pass


class SlowWriter(Writer):
    """A writer whose tickets count as written only when the test says so."""

    def __init__(self, store: Held) -> None:
        super().__init__(store, backoff_s=(0.01,))
        self.held: list[int] = []
        self.hold = True

    def done(self) -> list[int]:
        self.held += super().done()
        if self.hold:
            return []
        held, self.held = self.held, []
        return held


def test_an_action_is_confirmed_by_light_only_when_it_is_durable() -> None:
    desk = Desk(None).set_up()
    writer = desk.app.writer = SlowWriter(Held())
    desk.wait(6)
    step = quiet_step(desk)
    desk.act(step)
    assert not desk.app.table.view(desk.clock.time).flashes
    desk.act(quiet_step(desk))
    assert len(desk.game.actions) == 2, "scanning goes on while the store writes"
    writer.hold = False
    flashes = desk.app.table.view(desk.clock.time).flashes
    while not flashes:
        desk.wait(0.01)
        flashes = desk.app.table.view(desk.clock.time).flashes
    assert flashes[0].space == step.target
    writer.close()


def test_a_failing_store_loses_nothing_and_is_shown() -> None:
    desk = Desk(None).set_up()
    held = Held()
    desk.app.writer = Writer(held, backoff_s=(0.01,))
    held.failing = True
    texts = []
    for _ in range(3):
        step = quiet_step(desk)
        texts.append(format_action(desk.game.start.board, step))
        desk.act(step)
    while desk.app.table.view(desk.clock.time).save_trouble is False:
        desk.wait(0.01)
    held.failing = False
    assert desk.app.writer.close()
    written = [r.text for batch in held.batches for r in batch if hasattr(r, "text")]
    assert written == texts


def test_games_are_gone_on_with(tmp_path: Path) -> None:
    desk = Desk(tmp_path).set_up()
    steps = [quiet_step(desk)]
    desk.act(steps[0])
    steps.append(quiet_step(desk))
    desk.act(steps[1])
    desk.app.close()
    again = Desk(tmp_path)
    assert again.game.actions == tuple(steps)
    again.set_up()
    assert again.app.table.referee.mode is Mode.PLAY
    again.act(quiet_step(again))
    assert len(again.game.actions) == 3
    again.app.close()


def test_17_an_abandoned_game_is_not_offered_again(tmp_path: Path) -> None:
    desk = Desk(tmp_path).set_up()
    desk.act(quiet_step(desk))
    number = desk.app.session.game_id
    desk.app.close()
    with Store.open(tmp_path / "games.sqlite3") as store:
        store.abandon(number)
        assert store.running_game() is None
        assert len(store.load(number).actions) == 1, "its record is kept"
    again = Desk(tmp_path)
    assert again.game.actions == ()
    assert again.app.session.game_id != number
    again.app.close()


def test_the_health_of_contacts_is_kept(tmp_path: Path) -> None:
    desk = Desk(tmp_path).set_up()
    step = quiet_step(desk)
    desk.act(step)
    desk.app.close()
    with Store.open(tmp_path / "games.sqlite3") as store:
        health = store.health()
    names = desk.game.start.board.grid.names
    assert health[names[step.origin]]["changes"] >= 1
    assert health[names[step.target]]["changes"] >= 1


def test_a_lost_line_is_shown_and_found_again() -> None:
    desk = Desk(None).set_up()
    desk.mock.unplug()
    desk.wait(1)
    assert desk.app.table.view(desk.clock.time).trouble is Trouble.LINE
    desk.mock.plug()
    desk.wait(1)
    assert desk.app.table.view(desk.clock.time).trouble is Trouble.NONE
    desk.act(quiet_step(desk))
    assert len(desk.game.actions) == 1


def test_commands_are_done_between_two_steps() -> None:
    desk = Desk(None).set_up()
    desk.act(quiet_step(desk))
    desk.app.commands.put(TakeBack())
    desk.wait(0.1)
    assert desk.game.actions == ()
    desk.app.commands.put(Resign(desk.game.position.side))
    desk.wait(0.1)
    assert desk.game.outcome is not None


def test_what_is_asked_is_done_in_the_order_in_which_it_is_asked() -> None:
    desk = Desk(None).set_up()
    desk.act(quiet_step(desk))
    seen: list[tuple[int, bool]] = []

    def look(app: App) -> None:
        seen.append((len(app.table.game.actions), app.table.game.outcome is None))

    for asked in (TakeBack(), Resign(desk.game.position.side), App.new_game):
        desk.app.commands.put(look)
        desk.app.commands.put(asked)
    desk.app.commands.put(look)
    desk.app.pass_once()
    assert seen == [(1, True), (0, True), (0, False), (0, True)]


def test_21_however_the_loop_ends_the_lights_are_dark() -> None:
    desk = Desk(None).set_up()
    desk.app.run(most_scans=10)
    assert desk.mock.frame == dark(desk.game.start.board)
    again = Desk(None).set_up()
    again.app.watch = lambda app, output: 1 / 0  # type: ignore[assignment]
    with pytest.raises(ZeroDivisionError):
        again.app.run(most_scans=500)
    assert again.mock.frame == dark(again.game.start.board)


def test_a_scan_log_replays_with_the_same_result() -> None:
    lines: list[str] = []
    desk = Desk(None, write_scan=lines.append).set_up()
    for _ in range(5):
        desk.act(quiet_step(desk))
    desk.app.commands.put(TakeBack())
    desk.wait(1)
    run = list(replay(lines))
    companion, _ = run[-1]
    assert [line for _, line in run if line.difference is not None] == []
    assert companion.game.actions == desk.game.actions
    assert companion.state() == desk.app.table.state()
    lines.insert(3, "= c3d4\n")
    assert any(line.difference for _, line in replay(lines))


def test_the_table_of_another_board_keeps_the_light_and_the_log() -> None:
    lines: list[str] = []
    desk = Desk(None, write_scan=lines.append).set_up()
    desk.act(quiet_step(desk))
    desk.app.commands.put(SetLights(replace(desk.app.table.lights, brightness=0.125)))
    desk.wait(0.1)
    game = Game(start_position(standard_board()))
    desk.app.change_table(Companion(game, FrameMaker(game.start.board)))
    desk.app.begin(game, [])
    desk.wait(0.5)
    assert desk.game is game
    assert desk.app.table.lights.brightness == 0.125
    assert [line.split()[0] for line in lines].count(MAGIC) == 2
    run = list(replay(lines))
    assert [line for _, line in run if line.difference is not None] == []
    assert run[-1][0].state() == desk.app.table.state()


@pytest.mark.parametrize("name", ["SIGHUP", "SIGQUIT"])
def test_40_a_closed_terminal_leaves_the_lights_dark(name: str) -> None:
    test_21_a_signal_ends_the_loop_and_leaves_the_lights_dark(name)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_21_a_signal_ends_the_loop_and_leaves_the_lights_dark(name: str) -> None:
    process = _spawn("signals")
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(getattr(signal, name))
    out, err = process.communicate(timeout=60)
    assert out == "dark\n", err
    assert process.returncode == 0


def test_a_completed_action_survives_kill_9(tmp_path: Path) -> None:
    kill_often(tmp_path, times=8)


@pytest.mark.slow
def test_a_completed_action_survives_kill_9_at_200_moments(tmp_path: Path) -> None:
    kill_often(tmp_path, times=200)


def kill_often(folder: Path, *, times: int) -> None:
    """Kill a playing process after a varying number of its actions, and look what is stored."""
    known: list[str] = []
    for number in range(times):
        process = _spawn("play", str(folder))
        assert process.stdout is not None
        spare = 1 + number % 7
        for line in process.stdout:
            if line.startswith("start "):
                known = line.split()[1:]
            elif line.startswith("done "):
                known.append(line.split()[1])
                spare -= 1
            if not spare:
                break
        process.kill()
        # Not `communicate`, which would leave out what has been read ahead.
        known += [line.split()[1] for line in process.stdout if line.startswith("done ")]
        process.stdout.close()
        process.wait(timeout=60)
        with Store.open(folder / "games.sqlite3") as store:
            stored = store.running_game()
        assert stored is not None
        board = stored.game.start.board
        texts = [format_action(board, action) for action in stored.game.actions]
        assert texts[: len(known)] == known, "a completed action is missing"


def _spawn(*what: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.app.process", *what],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if what[0] == "signals" else None,
        text=True,
        cwd=Path(__file__).parents[2],
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
    )


def test_a_program_that_was_stopped_for_a_while_compares_the_board_as_a_whole() -> None:
    """Two pieces that trade places meanwhile are no two steps: contacts were not watched."""
    desk = Desk(None).set_up()
    table = desk.app.table
    piece = desk.mock.truth()[table.game.start.board.grid.number("c4")]
    desk.mock.put(piece, table.game.start.board.grid.number("d4"))
    desk.clock.sleep(2.0)
    desk.wait(1.0)
    assert table.game.actions == () and table.referee.mode is Mode.RESTORE
    assert table.view(desk.clock.time).shown_until_s > desk.clock.time


def test_in_a_rematch_the_players_change_sides() -> None:
    desk = Desk(None).set_up()
    desk.app.session.headers |= {"Light": "Ann", "Dark": "Ben"}
    revision = desk.app.revision
    desk.app.new_game(rematch=True)
    desk.wait(0.1)
    assert (desk.game.headers["Light"], desk.game.headers["Dark"]) == ("Ben", "Ann")
    assert desk.app.revision > revision
