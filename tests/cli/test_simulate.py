"""`sorcel simulate` and `sorcel demo`: simulated people at a simulated table."""

import json
from pathlib import Path

import pytest

from sorcel_pi.sim.scene import Scene, TableError

from . import bad, good, sorcel


def test_the_summary_is_json_on_standard_output() -> None:
    result = sorcel(
        *[
            "simulate",
            "--games",
            "2",
            "--people",
            "fast",
            "--choice",
            "greedy",
            "--rules",
            "egressian",
            "--seed",
            "4",
        ]
    )
    assert result.exit_code == 0
    summary = json.loads(result.stdout)
    assert summary["games"] == 2
    assert summary["failures"] == [] and set(summary["failed"].values()) == {0}
    assert summary["actions"] > 10 and summary["frames"] > 10
    assert sum(summary["outcomes"].values()) == 2


def test_a_failure_is_exit_code_1_and_can_be_written_with_its_scans(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(scene: Scene) -> None:
        raise TableError("lost", "made but not recorded: c3d4")

    monkeypatch.setattr(Scene, "check_progress", lost)
    out = tmp_path / "failures.json"
    result = sorcel(*f"simulate --games 1 --people careful --out {out}".split())
    assert result.exit_code == 1
    assert "game 0: lost: made but not recorded: c3d4" in result.stderr
    assert json.loads(result.stdout)["failed"]["lost"] == 1
    (failure,) = json.loads(out.read_text(encoding="utf-8"))
    assert failure["command"] == "sorcel simulate --games 1 --from 0 --seed 1 --people careful"
    assert failure["scans"][0][1] == "0" or int(failure["scans"][0][1], 16)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("simulate --people careful,drunk", "--people 'drunk': expected careful, fast, clumsy"),
        ("simulate --choice best", "--choice 'best': expected random, greedy, mixed"),
        ("simulate --rules chess", "--rules 'chess': expected egressian, ahumm, mixed"),
        ("simulate --games 1 --masked 61", "--masked 61: expected at most 52"),
        ("demo --people nobody", "--people 'nobody': expected careful, fast, clumsy"),
    ],
)
def test_what_there_is_not(line: str, complaint: str) -> None:
    assert complaint in bad(*line.split())


def test_a_demo_that_is_not_on_a_terminal_writes_the_actions() -> None:
    told = good(*["demo", "--seed", "3", "--people", "fast"])
    *actions, last = told.splitlines()
    assert len(actions) > 5
    assert last.startswith("Game 1: ") and last.endswith("sorcel demo --seed 3")
