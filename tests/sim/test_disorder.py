"""Sleeves, noise, hurry, sweeps, borders: each happens, is counted, and ends well."""

from random import Random
from typing import Any

import pytest

from sorcel_pi.sim.disturbances import SCAN_S, Disturbances
from sorcel_pi.sim.run import Options, simulate

CASES: dict[str, tuple[dict[str, Any], str]] = {
    "touches": ({"touches": 0.33}, "touched neighbours"),
    "little noise": ({"noise": 0.001}, "noisy scans"),
    "noise": ({"noise": 0.01}, "noisy scans"),
    "hurried": ({"hurried": True}, ""),
    "together": ({"together": True}, "two-handed acts"),
    "borders": ({"borders": 0.3}, "wobbles"),
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
    silent = [failure for failure in summary.failures if failure.kind == "wrong identity"]
    assert silent == []
    assert len(summary.failures) <= (0 if people == "careful" else 2), summary.failures


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
