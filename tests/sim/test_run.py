"""Whole games by simulated people: what they made, what the table made of it, no matter who."""

import json
import os
from collections.abc import Sequence
from dataclasses import replace

import pytest

from sorcel_pi import parse_action, parse_position
from sorcel_pi.sim import run
from sorcel_pi.sim.report import GameReport
from sorcel_pi.sim.run import Options, play_game, simulate
from sorcel_pi.sim.scene import Scene, TableError
from sorcel_pi.table.companion import Companion, Output

ALL = ("careful", "fast", "clumsy")
HERE = 5
"""So many games in one test, so that several can run at once."""


def told(report: GameReport) -> str:
    """Return what one has to know about a game that failed."""
    failure = report.failure
    if failure is None:
        return ""
    return "\n".join([failure.command, f"{failure.kind}: {failure.text}", *failure.story[-12:]])


def played(number: int, people: Sequence[str] = ALL, options: Options | None = None) -> GameReport:
    """Return the report of a game that must not fail."""
    report = play_game(7, number, people, options or Options())
    assert report.failure is None, told(report)
    return report


@pytest.mark.parametrize("first", range(0, 50, HERE))
def test_fifty_games_by_all_kinds_of_people(first: int) -> None:
    for number in range(first, first + HERE):
        report = played(number)
        assert report.counts["actions"] > 3
        assert report.simulated_s > 10


@pytest.mark.parametrize("store_s", [0.0, 2.0])
def test_an_eager_next_player(store_s: float) -> None:
    options = Options(choice="greedy", eager=True, store_s=store_s)
    for number in range(3):
        played(number, options=options)


def test_the_same_game_again() -> None:
    one, two = (play_game(3, 1, ("clumsy",)) for _ in range(2))
    assert (one.counts, one.outcome, one.simulated_s) == (two.counts, two.outcome, two.simulated_s)
    other = play_game(3, 2, ("clumsy",))
    assert other.counts != one.counts


def test_games_in_several_processes_are_the_same_games() -> None:
    options = Options(choice="greedy", rules="egressian")
    alone = simulate(2, ("fast",), 5, options, first=4)
    heard: list[int] = []
    together = simulate(
        2, ("fast",), 5, options, first=4, jobs=2, progress=lambda r: heard.append(r.number)
    )
    assert sorted(heard) == [4, 5]
    assert alone.counts == together.counts
    assert alone.outcomes == together.outcomes
    assert json.loads(json.dumps(together.as_data()))["games"] == 2


def test_a_game_that_goes_on_for_long_is_a_draw() -> None:
    report = played(0, ("fast",), Options(choice="random", most=12))
    assert report.outcome in ("draw, agreement", "light, sentinels", "dark, sentinels")
    assert report.counts["actions"] == 12


# What a failure says: the table is made to fail.


def failing(monkeypatch: pytest.MonkeyPatch, what: str) -> GameReport:
    """Return the report of a game on a table that loses, invents or breaks."""
    step = Companion.step
    done = 0

    def broken(self: Companion, scan: object, now: float) -> Output:
        nonlocal done
        output = step(self, scan, now)  # type: ignore[arg-type]
        events = output.events
        if any(type(v).__name__ == "Done" for v in events):
            done += 1
        if done == 3:
            done = 99
            if what == "error":
                raise RuntimeError("broken")
            events = events[:-1] if what == "lost" else (*events, *events)
        return replace_verdicts(output, events)

    monkeypatch.setattr(Companion, "step", broken)
    report = play_game(1, 0, ("careful",), Options(choice="greedy"))
    assert report.outcome == "failed"
    return report


def replace_verdicts(output: Output, events: tuple[object, ...]) -> Output:
    return output._replace(events=events)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("what", "kinds"),
    [("error", {"error"}), ("lost", {"lost", "not made"}), ("twice", {"not made"})],
)
def test_a_failure_carries_what_it_takes_to_see_it_again(
    monkeypatch: pytest.MonkeyPatch, what: str, kinds: set[str]
) -> None:
    report = failing(monkeypatch, what)
    failure = report.failure
    assert failure is not None
    assert failure.kind in kinds
    assert failure.command == (
        "sorcel simulate --games 1 --from 0 --seed 1 --people careful --choice greedy"
    )
    assert failure.story and failure.scans and failure.actions
    position = parse_position(failure.before)
    parse_action(position.board, failure.actions[-1])
    times = [time for time, _, _ in failure.scans]
    assert times == sorted(times) and times[-1] - times[0] <= run.SCANS_S + 0.01


def test_options_are_written_as_on_the_command_line() -> None:
    assert str(Options()) == ""
    assert str(Options(eager=True, masked=2, store_s=0.5)) == "--eager --masked 2 --store 0.5"


def test_a_right_board_with_lights_that_lie_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(scene: Scene) -> None:
        raise TableError("wrong identity", "space: e5")

    monkeypatch.setattr(Scene, "check", wrong)
    report = play_game(1, 0, ("careful",))
    assert report.failure is not None
    assert report.failure.kind == "wrong identity"


# Many games.


@pytest.mark.slow
def test_a_thousand_games_contain_all_that_is_hard() -> None:
    summary = simulate(1000, ALL, 11, jobs=os.cpu_count() or 1)
    assert not summary.failures, "\n\n".join(
        told(replace(GameReport(each.number), failure=each)) for each in summary.failures[:5]
    )
    counts = summary.counts
    assert counts["with pushes"] >= 5000
    assert counts["with three or more"] >= 1500
    assert counts["releases"] >= 500
    assert counts["shoves"] >= 200
    assert counts["two-handed acts"] >= 200
    # A slip may be what ends a game, or the game may end before it is put right.
    open_ones = counts["mistakes made"] - counts["mistakes caught"] - counts["mistakes undone"]
    assert 0 <= open_ones <= 50


@pytest.mark.slow
def test_two_hundred_games_with_an_eager_next_player() -> None:
    summary = simulate(200, ALL, 12, Options(eager=True), jobs=os.cpu_count() or 1)
    assert not summary.failures, "\n\n".join(
        told(replace(GameReport(each.number), failure=each)) for each in summary.failures[:5]
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "most"),
    [(Options(overlaps=True), 8), (Options(masked=1), 4), (Options(masked=2), 8)],
    ids=str,
)
def test_two_hundred_games_on_a_board_that_is_not_sound(options: Options, most: int) -> None:
    """Contacts that overlap or are dead leave things that nothing can tell, but few.

    Two likenesses: a piece placed beside an own one that is then lifted looks like a slide, and a
    step from one dead contact to another looks like nothing at all.
    """
    summary = simulate(200, ALL, 13, options, jobs=os.cpu_count() or 1)
    assert len(summary.failures) <= most, "\n\n".join(
        told(replace(GameReport(each.number), failure=each)) for each in summary.failures[:9]
    )
