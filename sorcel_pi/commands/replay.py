"""`sorcel replay`: a scan log run through the table again, with the same result."""

import time
from pathlib import Path
from typing import Annotated

import typer

from ..errors import SorcelError
from ..rules.notation import format_position
from ..table.scanlog import replay as run
from ..table.scanlog import results
from .common import read_text


def replay(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A scan log of sorcel play --scans.")],
    speed: Annotated[
        float,
        typer.Option("--speed", metavar="X", min=0, help="Times the speed of play; 0 is at once."),
    ] = 0.0,
) -> None:
    """Run the scans of a log through the table again and say what they lead to.

    Ends with exit code 1 when it is not what the log says it was.
    """
    differences = 0
    began: float | None = None
    clock = time.monotonic()
    companion = None
    for companion, line in run(read_text(log).splitlines()):
        if line.difference is not None:
            differences += 1
            typer.echo(f"before line {line.number}: {line.difference}", err=True)
        if line.output is None:
            continue
        began = line.time_s if began is None else began
        if speed and (wait := (line.time_s - began) / speed - (time.monotonic() - clock)) > 0:
            time.sleep(wait)
        for text in results(companion, line.output):
            typer.echo(f"{line.time_s - began:10.3f} s  {text}")
    if companion is not None:
        typer.echo(format_position(companion.game.position))
    if differences:
        raise SorcelError(f"{differences} places of the log came out differently")
