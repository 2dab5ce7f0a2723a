"""`sorcel demo`: two simulated people play on a simulated table, drawn in the terminal."""

from collections.abc import Callable
from random import SystemRandom
from time import monotonic, sleep
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import SorcelError
from .simulate import known

if TYPE_CHECKING:
    from rich.live import Live

    from ..sim.scene import Scene

FPS = 20.0
PAUSE_S = 3.0
"""How long the end of a game is shown."""


def demo(
    speed: Annotated[
        float, typer.Option("--speed", min=0.1, max=1000, help="So many times as fast as people.")
    ] = 1.0,
    games: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 1,
    people: Annotated[
        str, typer.Option("--people", help="Who plays: careful, fast, clumsy, with commas.")
    ] = "careful,fast,clumsy",
    seed: Annotated[
        int | None, typer.Option("--seed", help="The same games again; without it new ones.")
    ] = None,
) -> None:
    """Watch two people play: their pieces and what the lights make of them.

    Ctrl-C ends it.
    """
    from ..sim.profiles import PROFILES
    from ..sim.run import Options, play_game
    from .screen import Screen
    from .terminal import terminal

    who = known("--people", people.split(","), list(PROFILES))
    seed = SystemRandom().randrange(10**6) if seed is None else seed
    console = terminal()
    for number in range(games):
        screen = Screen(console)
        with screen.live() as live:
            report = play_game(
                seed, number, who, Options(choice="greedy"), watch=_pace(speed, screen.show, live)
            )
            if live is not None:
                sleep(PAUSE_S / speed)
        if report.failure is not None:
            raise SorcelError(f"the table failed: {report.failure.kind}: {report.failure.text}")
        console.print(f"Game {number + 1}: {report.outcome}. Again: sorcel demo --seed {seed}")


def _pace(
    speed: float, show: "Callable[[Scene, Live | None], None]", live: "Live | None"
) -> "Callable[[Scene], None]":
    """Return what is called at each moment of a game: it waits until it is time, and draws."""
    began = monotonic()
    drawn = began - 1.0

    def watch(scene: "Scene") -> None:
        nonlocal drawn
        due = began + scene.now / speed
        ahead = due - monotonic()
        if live is not None and ahead > 0:
            sleep(ahead)
        now = monotonic()
        if live is None or now - drawn >= 1 / FPS:
            drawn = now
            show(scene, live)

    return watch
