"""`sorcel analyse`: a game looked at afterwards."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import Game, Side, format_action, parse_record
from ..errors import SorcelError
from ..store.store import MAX_ID
from .common import read_text
from .table import ConfigOption, database_of, read_config

if TYPE_CHECKING:
    from ..engine import Review, Turn
    from ..rules.actions import Action
    from ..rules.position import Position

WIDTH = 40
"""Characters of the curve from no chance to certainty."""


def analyse(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="The number of a stored game, or a record file.")
    ],
    nodes: Annotated[
        int | None,
        typer.Option("--nodes", metavar="N", min=100, max=10**9, help="Thought about each turn."),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Show the chances over a game, and the dearest mistakes of each side with what was better.

    Ctrl-C ends it early and shows what was looked at until then.
    """
    from ..engine import Engine, review

    played = _read(game, config)
    engine = Engine(played.start.board, played.start.rules)
    try:
        with _stoppable(engine.stop), _progress() as show:
            found = review(engine, played, nodes=nodes, follow=show)
        _print(found, engine.name)
    finally:
        engine.close()


def _read(text: str, config: Path | None) -> Game:
    if not (text.isascii() and text.isdigit()):
        return parse_record(read_text(Path(text)))
    from ..store.store import Store

    if not 1 <= int(text[:20]) <= MAX_ID:
        raise SorcelError(f"game {text[:20]}: expected a number from 1 to {MAX_ID}")
    path = database_of(read_config(config))
    if not path.exists():
        raise SorcelError(f"no games are stored yet in {path.parent}")
    with Store.open(path, read_only=True) as store:
        return store.load(int(text))


@contextmanager
def _stoppable(stop: Callable[[], None]) -> Iterator[None]:
    """Let Ctrl-C stop the engine once, so that what it found is shown; the second time it ends."""
    import signal
    import threading

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def on_signal(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, before)
        stop()

    signal.signal(signal.SIGINT, on_signal)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("turns")
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _print(found: "Review", engine: str) -> None:
    if not found.turns:
        typer.echo("No turn was looked at.")
        return
    typer.echo(f"Light's chances before each turn and at the end (the engine in {engine}):")
    for number, share in enumerate(found.curve, 1):
        turn = found.turns[number - 1] if number <= len(found.turns) else None
        mark = "" if turn is None or not turn.is_blunder else f"  {turn.side.word}: a mistake"
        bar = "#" * round(share * WIDTH)
        who = "end" if turn is None else f"{turn.number}. {turn.side.word}"
        typer.echo(f"{who:>10}  {share:4.0%} {bar:<{WIDTH}}{mark}".rstrip())
    for side in (Side.LIGHT, Side.DARK):
        mistakes = found.mistakes(side)
        if not mistakes:
            typer.echo(f"{side.word.capitalize()} made no mistake that cost much.")
            continue
        typer.echo(f"{side.word.capitalize()}'s dearest mistakes:")
        for turn in mistakes:
            typer.echo(f"  {_mistake(turn)}")


def _mistake(turn: "Turn") -> str:
    better = _own_part(turn.position, turn.better)
    return (
        f"turn {turn.number}: {_words(turn.position, turn.played)} "
        f"({turn.chance:.0%} became {turn.after:.0%}); better was {_words(turn.position, better)}"
    )


def _own_part(position: "Position", line: "tuple[Action, ...]") -> "tuple[Action, ...]":
    """Return the actions of `line` that belong to the turn."""
    from .. import outcome, play

    side, own = position.side, []
    for action in line:
        if position.side != side or outcome(position) is not None:
            break
        own.append(action)
        position = play(position, action)
    return tuple(own)


def _words(position: "Position", turn: "tuple[Action, ...]") -> str:
    return " ".join(format_action(position.board, action) for action in turn)
