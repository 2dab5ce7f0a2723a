"""The command `sorcel`: puts the commands together.

Exit codes: 0 when it worked, 1 with one line on standard error when it did not, 2 for a command
line that cannot be understood.  A broken pipe ends quietly with 0, Ctrl-C with 130.  To add a
command, write a function of its name in a module of `commands` and list it here; what is slow to
import is imported where it is used.
"""

import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from . import __version__
from .commands.analyse import analyse
from .commands.calibrate import calibrate
from .commands.common import guarded
from .commands.config import config
from .commands.contacts import contacts
from .commands.demo import demo
from .commands.doctor import doctor
from .commands.engine import engine
from .commands.firmware import firmware
from .commands.games import games
from .commands.hardware import hardware
from .commands.hint import hint
from .commands.lights import lights
from .commands.match import match
from .commands.perft import perft
from .commands.picture import picture
from .commands.play import play
from .commands.puzzle import puzzle
from .commands.record import record
from .commands.replay import replay
from .commands.rulebook import rulebook
from .commands.rules import rules
from .commands.service import service
from .commands.show import show
from .commands.simulate import simulate

COMMANDS: tuple[Callable[..., None], ...] = (
    play,
    demo,
    games,
    replay,
    simulate,
    hint,
    analyse,
    puzzle,
    engine,
    match,
    config,
    show,
    picture,
    record,
    rules,
    rulebook,
    perft,
    hardware,
    firmware,
    service,
    doctor,
    calibrate,
    lights,
    contacts,
)

app = typer.Typer(
    help=(
        "Sorcel: the game, and the board that senses its pieces and leads play by light. "
        "Every command explains itself with --help."
    ),
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in COMMANDS:
    app.command()(guarded(command))


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sorcel {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _sorcel(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Say which."),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """Run the command line of this process."""
    for stream in (sys.stdout, sys.stderr):
        # What a terminal cannot show is escaped rather than the end of the program.
        reconfigure: Any = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    app(prog_name="sorcel")
