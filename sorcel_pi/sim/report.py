"""What has come of simulated games: counts, and for each failure all that it takes to see it again.

Plain values that travel between processes and become JSON.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Failure:
    """How a game failed: `kind` in a word or two, and how to see it again."""

    kind: str
    text: str
    seed: int
    number: int
    people: tuple[str, ...]
    options: str
    """The rest of the command line."""
    at_s: float
    before: str
    """The position code before the last action that was made."""
    actions: tuple[str, ...]
    story: tuple[str, ...]
    """What happened last, each with its time."""
    scans: tuple[tuple[float, int, int], ...]
    """The scans of the last 30 s: time, mask of closed contacts, buttons."""

    @property
    def command(self) -> str:
        """The command line that shows it again."""
        people = ",".join(self.people)
        return (
            f"sorcel simulate --games 1 --from {self.number} --seed {self.seed} "
            f"--people {people} {self.options}"
        ).strip()


@dataclass(slots=True)
class GameReport:
    """One game: what it contained, and how it failed if it did."""

    number: int
    counts: Counter[str] = field(default_factory=Counter)
    simulated_s: float = 0.0
    real_s: float = 0.0
    outcome: str = ""
    failure: Failure | None = None


COUNTED = (
    "actions",
    "with pushes",
    "with three or more",
    "releases",
    "shoves",
    "two-handed acts",
    "relocations",
    "led by light",
    "mistakes made",
    "mistakes caught",
    "mistakes undone",
    "taken back",
    "asked",
    "puzzled",
    "accepted",
    "contacts masked",
    "illegal boards",
    "pondered",
    "wrong identities",
    "frames",
)
"""What every summary names, be it 0."""
FAILURES = (
    "silent",
    "wrong identity",
    "not made",
    "lost",
    "misled",
    "unled",
    "lights",
    "stuck",
    "spin",
    "error",
)
"""How a table can fail its players, besides breaking.

`silent` is the worst: the lights are quiet over a wrong board, or pieces are taken for one another
and that was never shown; what was shown at some time is a `wrong identity`.
"""


@dataclass(slots=True)
class Summary:
    """Many games together."""

    games: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    simulated_s: float = 0.0
    real_s: float = 0.0

    def add(self, report: GameReport) -> None:
        """Count one more game."""
        self.games += 1
        self.counts.update(report.counts)
        self.outcomes[report.outcome] += 1
        self.simulated_s += report.simulated_s
        if report.failure is not None:
            self.failures.append(report.failure)

    def as_data(self, *, scans: bool = True) -> dict[str, Any]:
        """Return it as plain data for JSON; `scans` says whether failures keep theirs."""
        kinds = Counter(failure.kind for failure in self.failures)
        known = {name: self.counts[name] for name in COUNTED}
        more = {name: n for name, n in sorted(self.counts.items()) if name not in known}
        return {
            "games": self.games,
            **known,
            **more,
            "outcomes": dict(sorted(self.outcomes.items())),
            "failed": {name: kinds[name] for name in (*FAILURES, *(kinds.keys() - {*FAILURES}))},
            "simulated_s": round(self.simulated_s, 1),
            "real_s": round(self.real_s, 1),
            "failures": [_failure(each, scans) for each in self.failures],
        }


def summary_of(reports: Iterable[GameReport]) -> Summary:
    """Return the summary of `reports`."""
    summary = Summary()
    for report in reports:
        summary.add(report)
    return summary


def _failure(failure: Failure, scans: bool) -> dict[str, Any]:
    data = {"command": failure.command, **asdict(failure)}
    data["scans"] = [[t, f"{c:x}", b] for t, c, b in failure.scans] if scans else len(failure.scans)
    return data
