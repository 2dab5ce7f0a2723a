"""`sorcel config`: the settings that apply, where they come from, and whether they fit."""

from typing import Annotated

import typer

from ..config.load import default_config_text, format_config, load_config
from ..config.paths import config_path, config_places
from ..config.wiring import board_of, check_config
from .table import ConfigOption


def config(
    check: Annotated[
        bool, typer.Option("--check", help="Only say whether the settings can be used.")
    ] = False,
    default: Annotated[
        bool, typer.Option("--default", help="Show the commented default file instead.")
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Show the settings that apply; --default shows every key with what it does."""
    if default:
        typer.echo(default_config_text(), nl=False)
        return
    path = config_path(config)
    loaded = load_config(path)
    check_config(loaded)
    where = str(path) if path is not None else f"the defaults ({nowhere()})"
    if check:
        typer.echo(f"{where}: all settings can be used; the board is {board_of(loaded).name!r}.")
        return
    typer.echo(f"# {where}")
    typer.echo(format_config(loaded), nl=False)


def nowhere() -> str:
    """Say that there is no config file, and where one is looked for, in order."""
    places = ["--config FILE", "$SORCEL_CONFIG", *map(str, config_places())]
    return f"there is no config file; looked for: {', '.join(places)}"
