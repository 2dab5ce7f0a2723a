"""Digests of everything that a table says over whole simulated games, and over kept scan logs.

A change that is to change nothing leaves them as they are.  What is hashed is content (times,
frames, texts of actions, rendered English), never the name of a class, so that renaming changes
nothing either.  `python -m tests.golden.digests` prints the digests of games;
`--write` keeps them in `digests.json`.
"""

import argparse
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sorcel_pi.messages.catalogue import render
from sorcel_pi.rules.actions import Cascade
from sorcel_pi.rules.notation import format_action, format_position
from sorcel_pi.rules.position import Piece
from sorcel_pi.sim import run
from sorcel_pi.sim.profiles import PROFILES
from sorcel_pi.table import events
from sorcel_pi.table.companion import Companion, Output
from sorcel_pi.table.scanlog import replay
from sorcel_pi.table.view import Mode, View

HERE = Path(__file__).parent
KEPT = HERE / "digests.json"
SEED = 7
GAMES = 50
KINDS = {
    "plain": run.Options(),
    "eager": run.Options(eager=True),
    "overlapping": run.Options(overlaps=True),
    "masked": run.Options(masked=2),
}
EVENTS: dict[type, str] = {
    events.Began: "began",
    events.Dropped: "dropped",
    events.Done: "done",
    events.TakenBack: "taken back",
    events.Illegal: "illegal",
    events.Ended: "ended",
    events.SetUp: "set up",
    events.Accepted: "accepted",
    events.Masked: "masked",
    events.Notice: "notice",
    events.NewGameRequested: "new game",
    events.ResignRequested: "resign",
    events.ShutdownRequested: "shut down",
}


def letter(piece: Piece | None) -> str:
    return "?" if piece is None else piece.letter


def event_text(event: Any) -> str:
    """Return what an event says, whatever its class is called."""
    kind = EVENTS[type(event)]
    if kind == "notice":
        return f"notice {render(event.message)}"
    cascade = getattr(event, "cascade", None)
    if isinstance(cascade, Cascade):
        action = format_action(cascade.before.board, cascade.action)
        return f"{kind} {action} {format_position(cascade.after)} {len(cascade.consequences)}"
    if kind == "ended":
        return f"ended {event.outcome.word} {event.outcome.reason!s}"
    return f"{kind} {getattr(event, 'spaces', '')}"


def view_text(view: View) -> str:
    """Return what there is to see, apart from the frame."""
    move = view.next
    content = (
        format_position(view.position),
        view.mode.name,
        sorted((space, letter(piece)) for space, piece in view.standing.items()),
        [(letter(held.piece), held.origin) for held in view.hand],
        move and (letter(move.piece), move.origin, move.target, move.held, move.detour),
        view.wrong,
        (view.lifted, view.destinations, view.pushing, view.spots),
        [(space, piece.letter) for space, piece in view.missing],
        (view.surplus, view.candidates, view.may_end, view.guesses),
        view.asked_s if view.mode is Mode.ASK else None,  # left over from before, it says nothing
        view.over_s if view.mode is Mode.OVER else None,
        (view.shown_until_s, view.faulty, view.raised),
    )
    return repr(content)


class Digest:
    """A hash of the outputs of one table, in order."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def add(self, companion: Companion, output: Output, now: float) -> None:
        """Take in an output that says something."""
        events = [event_text(event) for event in output.events]
        if not (output.changed or events or output.serial is not None):
            return
        said = (round(now, 6), output.changed, events, output.serial, output.frame)
        self._hash.update(repr(said).encode())
        if events or output.serial is not None:
            self._hash.update(view_text(companion.view(now)).encode())

    def __str__(self) -> str:
        return self._hash.hexdigest()[:16]


class Watched(Companion):
    """A companion whose outputs go into a digest."""

    digest: Digest

    def step(self, scan: Any, now: float) -> Output:
        output = super().step(scan, now)
        self.digest.add(self, output, now)
        return output

    def command(self, command: Any, now: float) -> Output:
        output = super().command(command, now)
        self.digest.add(self, output, now)
        return output


def game_digest(kind: str, number: int) -> str:
    """Return the digest of a simulated game, with how it ended."""
    digest = Digest()

    def watched(*args: Any, **kwargs: Any) -> Watched:
        companion = Watched(*args, **kwargs)
        companion.digest = digest
        return companion

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "Companion", watched)
        report = run.play_game(SEED, number, tuple(PROFILES), KINDS[kind])
    return f"{digest} {report.counts['actions']} {report.outcome}"


def log_digest(path: Path) -> str:
    """Return the digest of a scan log run again; it must agree with what it says itself."""
    digest = Digest()
    with path.open(encoding="utf-8") as lines:
        for companion, replayed in replay(lines):
            assert replayed.difference is None, (path.name, replayed.number, replayed.difference)
            if replayed.output is not None:
                digest.add(companion, replayed.output, replayed.time_s)
    return str(digest)


def logs() -> Iterator[Path]:
    yield from sorted((HERE / "logs").glob("*.txt"))


def main() -> None:
    """Print the digests, or keep them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    kinds = chosen.kinds.split(",")
    found = {k: [game_digest(k, number) for number in range(chosen.games)] for k in kinds}
    if chosen.write:
        found |= {"logs": [log_digest(path) for path in logs()]}
        KEPT.write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")
    else:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
