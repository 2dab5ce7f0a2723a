"""`sorcel match`: two players against each other, from paired openings."""

import json
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import EGRESSIAN, format_board, standard_board
from ..errors import NotationError, quote
from .common import START, BoardOption, RulesOption, read_position, write_text

if TYPE_CHECKING:
    from ..engine.client import UgiPlayer
    from ..engine.levels import LevelPlayer
    from ..engine.matches import Result
    from ..rules.position import Position

PLAYER = "A level from 1 to 10, casual, python:LEVEL, c:LEVEL, or ugi:COMMAND LINE of an engine."


def match(
    first: Annotated[str, typer.Argument(metavar="A", help=PLAYER)],
    second: Annotated[str, typer.Argument(metavar="B", help="Another one.")],
    games: Annotated[
        int, typer.Option("--games", metavar="N", min=2, max=10**6, help="How many, in pairs.")
    ] = 100,
    seed: Annotated[
        int, typer.Option("--seed", min=0, help="Chooses openings and chance at the levels.")
    ] = 1,
    turns: Annotated[
        int, typer.Option("--turns", min=0, max=20, help="Random turns of an opening.")
    ] = 2,
    go: Annotated[
        str, typer.Option("--go", metavar="TEXT", help="What a foreign engine is told to think.")
    ] = "movetime 1000",
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the records of all games.")
    ] = None,
    board: BoardOption = None,
    rules: RulesOption = None,
) -> None:
    """Play A against B and say the score, and what it means in Elo with its error of 95 %.

    Every opening is played twice, each player on either side. An engine that dies, is silent or
    plays nonsense loses that game and is started again.
    """
    from ..engine.matches import Score, openings, play_pair
    from ..engine.thinking import Engine

    start = read_position(START, board, rules)
    judge = Engine(start.board, start.rules)
    starts = openings(start.board, start.rules, seed, turns=turns, judge=judge if turns else None)
    one, other = _player(first, start, seed, go), _player(second, start, seed + 10**6, go)
    pairs: list[tuple[float, float]] = []
    records: list[str] = []
    try:
        with _progress(games) as show:
            while 2 * len(pairs) < games:
                results = []
                for result in play_pair(next(starts), one, other):
                    results.append(result.points)
                    records.append(result.game.record())
                    show(result)
                pairs.append((results[0], results[1]))
    except KeyboardInterrupt:
        typer.echo("stopped", err=True)
    finally:
        for player in (one, other):
            player.close()
        if out is not None:
            write_text(out, "\n".join(records))
    typer.echo(f"{one.name} - {other.name}: {Score(tuple(pairs))}")


def _player(text: str, start: "Position", seed: int, go: str) -> "LevelPlayer | UgiPlayer":
    """Return the player that `text` names."""
    from ..engine.client import UgiPlayer
    from ..engine.levels import CASUAL, LevelPlayer, level

    kind, _, rest = text.partition(":")
    if kind == "ugi" and rest.strip():
        try:
            command = shlex.split(rest)
        except ValueError as error:
            raise NotationError(f"player {quote(text)}: {error}") from None
        return UgiPlayer(command, go, options=_options(start))
    native = {"python": False, "c": True}.get(kind)
    number = text if native is None else rest
    if number == "casual":
        at = CASUAL
    elif number.isascii() and number.isdigit() and len(number) < 4:
        at = level(int(number))
    else:
        raise NotationError(f"player {quote(text)}: {PLAYER}")
    player = LevelPlayer(at, start.board, start.rules, seed=seed, native=native)
    player.name = text if kind in ("python", "c", "casual") else f"level {text}"
    return player


def _options(start: "Position") -> list[tuple[str, str]]:
    """Return the options that tell a foreign engine of a board and rules that are not the usual."""
    options = []
    if start.board != standard_board():
        options.append(("Board", json.dumps(format_board(start.board))))
    if start.rules != EGRESSIAN:
        options.append(("Rules", str(start.rules)))
    return options


@contextmanager
def _progress(games: int) -> "Iterator[Callable[[Result], None]]":
    """Give what is told of every game; a bar on standard error follows it where a person looks."""
    points = [0.0]
    if not sys.stderr.isatty():
        yield lambda result: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=games)

        def show(result: "Result") -> None:
            points[0] += result.points
            bar.update(task, advance=1)
            played = int(bar.tasks[0].completed)
            bar.update(task, description=f"{points[0]:g} of {played}")

        yield show
