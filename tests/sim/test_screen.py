"""The simulated table drawn in the terminal, with colour and without."""

from io import StringIO

from rich.console import Console

from sorcel_pi.commands.screen import Screen
from sorcel_pi.sim.run import Options, play_game
from sorcel_pi.sim.scene import Scene


def drawings(*, colour: bool) -> list[str]:
    """Return what is drawn in a game, every now and then."""
    console = Console(
        file=StringIO(),
        width=100,
        force_terminal=True,
        no_color=not colour,
        color_system="truecolor",
        highlight=False,
    )
    screen = Screen(console)
    drawn: list[str] = []

    def watch(scene: Scene) -> None:
        if scene.counts["frames"] % 40 == 0 and len(drawn) < 40:
            with console.capture() as capture:
                console.print(screen.drawing(scene))
            drawn.append(capture.get())

    play_game(3, 1, ("clumsy",), Options(choice="greedy"), watch=watch)
    return drawn


def test_without_colour_lights_are_letters() -> None:
    drawn = drawings(colour=False)
    assert all(text.isascii() for text in drawn)
    assert all("w white" in text and "*" not in text for text in drawn)
    boards = [text.split("beside the board")[0] for text in drawn]
    letters = set("".join(boards)) - set("abcdefghi SFsfo.()^\n\x1b[0123456789;m")
    assert letters & set("ywrv")


def test_with_colour_lights_are_stars() -> None:
    drawn = drawings(colour=True)
    assert all("w white" not in text for text in drawn)
    assert any("*" in text for text in drawn)
    assert any("38;2;" in text for text in drawn)
