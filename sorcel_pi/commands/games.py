"""`sorcel games`: what is stored, and what may be done with a stored game."""

from pathlib import Path
from typing import Annotated

import typer

from ..errors import SorcelError
from ..rules.describe import count, describe_position
from ..store.rows import GameSummary
from ..store.store import MAX_ID, Store
from .common import write_text
from .table import ConfigOption, database_of, read_config

"""No game has a higher number; the database could not hold much higher ones."""


def games(
    show: Annotated[
        int | None,
        typer.Option("--show", metavar="N", min=1, max=MAX_ID, help="Show how game N stands."),
    ] = None,
    export: Annotated[
        int | None,
        typer.Option(
            "--export", metavar="N", min=1, max=MAX_ID, help="Write the record of game N."
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Where to write it; - is the screen.")
    ] = Path("-"),
    resume: Annotated[
        int | None,
        typer.Option(
            "--resume", metavar="N", min=1, max=MAX_ID, help="Let game N be gone on with next."
        ),
    ] = None,
    abandon: Annotated[
        int | None,
        typer.Option("--abandon", metavar="N", min=1, max=MAX_ID, help="Never offer game N again."),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """List the stored games, or show, export, resume or abandon one of them."""
    numbers = {"--show": show, "--export": export, "--resume": resume, "--abandon": abandon}
    given = [option for option, number in numbers.items() if number is not None]
    if len(given) > 1:
        raise SorcelError(f"one thing at a time: expected only one of {', '.join(given)}")
    path = database_of(read_config(config))
    if not path.exists():
        typer.echo(f"No games are stored yet in {path.parent}.")
        return
    changes = resume is not None or abandon is not None
    with Store.open(path, read_only=not changes) as store:
        if resume is not None:
            store.resume(resume)
            typer.echo(f"Game {resume} is the one that sorcel play goes on with.")
        elif abandon is not None:
            store.abandon(abandon)
            typer.echo(f"Game {abandon} is abandoned; its record is kept.")
        elif export is not None:
            write_text(out, store.export(export))
        elif show is not None:
            game = store.load(show)
            typer.echo(f"{game.position}\n\n{describe_position(game.position)}")
        else:
            for summary in store.games():
                typer.echo(_line(summary))
        for notice in store.notices:
            typer.echo(notice, err=True)


def _line(game: GameSummary) -> str:
    players = " - ".join(game.headers.get(key, "?") for key in ("Light", "Dark"))
    state = game.outcome or str(game.status)
    line = f"{game.game_id:>4}  {game.started:%Y-%m-%d %H:%M}  {state:<22}  "
    line += f"{count(game.actions, 'action'):<12}  {game.rules:<10}  {players}"
    return line if game.problem is None else f"{line}  ({game.problem})"
