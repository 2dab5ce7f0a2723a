"""Sleeves, noise, hurry, sweeps, borders: each happens, is counted, and ends well."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from sorcel_pi.sim.disturbances import SCAN_S, Disturbances
from sorcel_pi.sim.report import Summary
from sorcel_pi.sim.run import Options, play_game, simulate
from sorcel_pi.sim.scene import Scene
from sorcel_pi.table.companion import Companion

CASES: dict[str, tuple[dict[str, Any], str]] = {
    "touches": ({"touches": 0.33}, "touched neighbours"),
    "little noise": ({"noise": 0.001}, "noisy scans"),
    "noise": ({"noise": 0.01}, "noisy scans"),
    "hurried": ({"hurried": True}, ""),
    "together": ({"together": True}, "two-handed acts"),
    "borders": ({"borders": 0.3}, "wobbles"),
    "hall": ({"hall": True}, ""),
    "sweeps": ({"sweeps": 0.05, "forgetful": True}, "sweeps"),
}


@pytest.mark.parametrize("name", CASES)
def test_games_with_it_end_well(name: str) -> None:
    options, counted = CASES[name]
    people = "fast" if name == "together" else "careful"  # who waits for lights uses one hand
    summary = simulate(4, [people], 1, Options(choice="greedy", **options))
    assert [failure.text for failure in summary.failures] == []
    assert not counted or summary.counts[counted] > 0


@pytest.mark.slow
@pytest.mark.parametrize("people", ["careful", "fast"])
@pytest.mark.parametrize(
    "name", [name for name in CASES if name not in ("together", "borders", "sweeps")]
)
def test_two_hundred_games_with_it(name: str, people: str) -> None:
    summary = simulate(200, [people], 1010, Options(**CASES[name][0]))
    assert silent(summary) == []
    assert len(summary.failures) <= (0 if people == "careful" else 2), commands(summary)


def commands(summary: Summary) -> list[str]:
    """Return what failed and how to see it again."""
    return [f"{each.kind}: {each.text} {each.command}" for each in summary.failures]


def silent(summary: Summary) -> list[str]:
    """Return the failures that nobody at the table could have seen."""
    return [each.command for each in summary.failures if each.kind == "silent"]


@pytest.mark.slow
@pytest.mark.parametrize("people", ["careful", "fast", "clumsy"])
@pytest.mark.parametrize("name", ["together", "sweeps", "borders"])
def test_two_hundred_games_with_it_are_never_quiet_over_swapped_pieces(
    name: str, people: str
) -> None:
    assert silent(simulate(200, [people], 1010, Options(**CASES[name][0]))) == []


@pytest.mark.slow
def test_after_a_sweep_people_who_only_see_lights_put_the_position_up_again() -> None:
    options = Options(sweeps=0.05, forgetful=True)
    summary = simulate(200, ["careful"], 1010, options)
    assert summary.failures == [] and summary.counts["sweeps"] > 200


def test_noise_hits_its_share_of_scans_and_each_for_one_scan() -> None:
    noisy = Disturbances(61, noise=0.01, rng=Random(2))
    hits = [k for k in range(100_000) if noisy.flipped(k * SCAN_S)]
    assert 900 < len(hits) < 1100
    assert noisy.noisy >= len(hits)


def test_a_flip_lasts_from_its_beginning_until_before_its_end() -> None:
    sleeve = Disturbances(61, noise=0.0, rng=Random(2))
    sleeve.add(0.1, 0.13, 0b10)
    assert [sleeve.flipped(k * SCAN_S) for k in (9, 10, 11, 12, 13)] == [0, 2, 2, 2, 0]
    assert sleeve.next_change(0.2) is None


def test_sweeps_take_all_or_many_pieces_at_rest_and_with_an_action_open() -> None:
    summary = simulate(6, ["fast"], 3, Options(choice="greedy", sweeps=0.2, forgetful=True))
    assert 0 < summary.counts["partial sweeps"] < summary.counts["sweeps"]


def test_together_both_players_have_pieces_in_their_hands() -> None:
    most = 0

    def watch(scene: Scene) -> None:
        nonlocal most
        held = {scene.kinds[number].side for number in scene.table.held()}
        most = max(most, len(held))

    counts = [
        play_game(7, number, ["fast"], Options(choice="greedy", together=True), watch=watch).counts
        for number in range(3)
    ]
    assert most == 2
    assert sum(count["lifted meanwhile"] for count in counts) > 0


def test_pieces_that_wobble_push_others_too() -> None:
    report = play_game(7, 1, ["careful"], Options(choice="greedy", borders=1.0))
    assert report.failure is None
    assert report.counts["wobbles"] > report.counts["actions"] // 2


@pytest.mark.parametrize("shown", [False, True])
def test_what_was_never_shown_is_a_kind_of_its_own(
    shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table is made to take the pieces of two spaces for one another from some time on."""
    view = Companion.view

    def lying(self: Companion, now: float) -> Any:
        true = view(self, now)
        pieces = dict(true.standing)
        if len(self.game.actions) < 3 or len(set(pieces.values())) < 2:
            return true
        one = min(pieces)
        other = next(space for space in pieces if pieces[space] is not pieces[one])
        pieces[one], pieces[other] = pieces[other], pieces[one]
        return replace(true, standing=pieces, shown_until_s=now + 1 if shown else 0.0)

    monkeypatch.setattr(Companion, "view", lying)
    report = play_game(7, 2, ["careful"], Options(choice="greedy"))
    assert report.failure is not None
    assert report.failure.kind == ("wrong identity" if shown else "silent")
