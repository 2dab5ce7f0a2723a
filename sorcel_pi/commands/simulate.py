"""`sorcel simulate`: whole games by simulated people, and what the table made of them."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import SorcelError, quote

if TYPE_CHECKING:
    from ..sim.report import GameReport


def simulate(
    games: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 10,
    people: Annotated[
        str, typer.Option("--people", help="Who plays: careful, fast, clumsy, with commas.")
    ] = "careful,fast,clumsy",
    seed: Annotated[int, typer.Option("--seed", help="One seed, the same games.")] = 1,
    first: Annotated[int, typer.Option("--from", min=0, help="The number of the first game.")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes at once.")] = 1,
    choice: Annotated[
        str, typer.Option("--choice", help="What they play: greedy, random or mixed.")
    ] = "mixed",
    rules: Annotated[
        str, typer.Option("--rules", help="The rule set: egressian, ahumm or mixed.")
    ] = "mixed",
    eager: Annotated[
        bool, typer.Option("--eager", help="Who is next lifts 100 ms after the last piece is down.")
    ] = False,
    overlaps: Annotated[
        bool, typer.Option("--overlaps", help="Contacts of neighbours overlap.")
    ] = False,
    masked: Annotated[int, typer.Option("--masked", min=0, help="So many dead contacts.")] = 0,
    store: Annotated[
        float, typer.Option("--store", min=0, help="Seconds until an action is durable.")
    ] = 0.0,
    touches: Annotated[
        float,
        typer.Option("--touches", min=0, max=1, help="The share of steps with a sleeve beside it."),
    ] = 0.0,
    noise: Annotated[
        float,
        typer.Option("--noise", min=0, max=0.5, help="The share of scans with a flipped contact."),
    ] = 0.0,
    hurried: Annotated[
        bool, typer.Option("--hurried", help="Who is next lifts 100 to 350 ms after any piece.")
    ] = False,
    together: Annotated[
        bool, typer.Option("--together", help="Both hands at once wherever that is possible.")
    ] = False,
    sweeps: Annotated[
        float,
        typer.Option("--sweeps", min=0, max=1, help="The share of actions with a swept board."),
    ] = 0.0,
    borders: Annotated[
        float,
        typer.Option("--borders", min=0, max=1, help="The share of steps that wobble first."),
    ] = 0.0,
    forgetful: Annotated[
        bool, typer.Option("--forgetful", help="Nobody remembers what stood where.")
    ] = False,
    hall: Annotated[
        bool, typer.Option("--hall", help="Contacts are Hall switches that look 13 times a second.")
    ] = False,
    against: Annotated[
        str,
        typer.Option(
            "--against", metavar="LEAD", help="One plays an engine, led by action or by turn."
        ),
    ] = "",
    most: Annotated[
        int, typer.Option("--most", min=1, help="After so many actions a draw is agreed.")
    ] = 300,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write each failure here with its scans."),
    ] = None,
) -> None:
    """Play whole games by simulated people, and compare all that the table believes with the truth.

    The summary goes to standard output as JSON; the exit code is 1 if any game failed.
    """
    from ..rules.board import standard_board
    from ..sim.choice import CHOICES
    from ..sim.profiles import PROFILES
    from ..sim.run import Options
    from ..sim.run import simulate as play

    who = known("--people", people.split(","), list(PROFILES))
    known("--choice", [choice], [*CHOICES, "mixed"])
    known("--rules", [rules], ["egressian", "ahumm", "mixed"])
    hexes = standard_board().hexes.bit_count()
    if masked > hexes:
        raise SorcelError(f"--masked {masked}: expected at most {hexes}, one for each hex")
    options = Options(
        choice,
        rules,
        eager,
        overlaps,
        masked,
        store,
        most,
        touches=touches,
        noise=noise,
        hurried=hurried,
        together=together,
        sweeps=sweeps,
        borders=borders,
        forgetful=forgetful,
        hall=hall,
        against=against,
    )
    done = 0

    def tell(report: "GameReport") -> None:
        nonlocal done
        done += 1
        if report.failure is not None:
            failure = report.failure
            print(f"game {report.number}: {failure.kind}: {failure.text}", file=sys.stderr)
        if sys.stderr.isatty() or done % 10 == 0:
            print(f"{done} of {games} games", file=sys.stderr, end="\n", flush=True)

    summary = play(games, who, seed, options, first=first, jobs=jobs, progress=tell)
    if out is not None and summary.failures:
        out.write_text(json.dumps(summary.as_data()["failures"], indent=1), encoding="utf-8")
    print(json.dumps(summary.as_data(scans=False), indent=1))
    if summary.failures:
        raise typer.Exit(1)


def known(option: str, given: list[str], known: list[str]) -> tuple[str, ...]:
    """Return what was given, or say what there is."""
    for word in given:
        if word not in known:
            raise SorcelError(f"{option} {quote(word)}: expected {', '.join(known)}")
    return tuple(given)
