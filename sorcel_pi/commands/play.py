"""`sorcel play`: the table at work."""

from pathlib import Path
from typing import Annotated

import typer

from .table import ConfigOption, open_app, read_config


def play(
    config: ConfigOption = None,
    new: Annotated[
        bool, typer.Option("--new", help="Begin a new game; a running one is kept and not gone on.")
    ] = False,
    scans: Annotated[
        Path | None,
        typer.Option(
            "--scans", metavar="FILE", help="Write every scan to FILE, for sorcel replay."
        ),
    ] = None,
    keep: Annotated[bool, typer.Option(help="Store the games.")] = True,
) -> None:
    """Play on the table that the config file describes; without one, watch a pretended table."""
    from ..app import stopped_by_signals

    settings = read_config(config)
    if settings.contacts.driver == "mock":
        from .demo import demo

        demo()
        return
    file = scans.open("w", encoding="utf-8", buffering=1) if scans is not None else None
    try:
        write = file.write if file is not None else None
        app = open_app(settings, new=new, keep=keep, write_scan=write, log=typer.echo)
        with stopped_by_signals(app):
            app.run()
    finally:
        if file is not None:
            file.close()
