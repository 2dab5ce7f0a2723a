"""A simulated table drawn in the terminal: pieces, hands and lights.

Only plain ASCII is written.  Where there is colour a light is a coloured star; without it is a
letter that says the colour.
"""

from contextlib import AbstractContextManager, nullcontext

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from ..drivers.mock.motion import STANDS_MM
from ..rules.describe import describe_turn
from ..rules.position import Piece
from ..sim.eyes import GAMMA, perceive
from ..sim.scene import Scene
from ..table.lights.frame import BLACK
from ..table.lights.palette import Colour
from ..table.lights.signs import Ink
from .terminal import DETAINED, HOLE, LEGEND, PIECE, WOOD

LETTERS = {
    Ink.LIGHT: "y",
    Ink.DARK: "b",
    Ink.WHITE: "w",
    Ink.RED: "r",
    Ink.ORANGE: "o",
    Ink.VIOLET: "v",
    Ink.GREEN: "g",
    Ink.MAGENTA: "m",
}
"""A light without colour: yellow and blue are Light and Dark."""
LIGHTS = "y and b lights of Light and Dark, w white, r red, o orange, v violet, g green, m magenta"
STORY_LINES = 4


class Screen:
    """Draws a scene; what has happened is written below the board."""

    def __init__(self, console: Console) -> None:
        """Draw on `console`."""
        self.console = console
        self.colour = console.color_system is not None and not console.no_color
        self._told = 0

    def live(self) -> "AbstractContextManager[Live | None]":
        """Return what keeps the drawing in its place; nothing where that cannot be done."""
        if not self.console.is_terminal:
            return nullcontext()
        return Live(console=self.console, auto_refresh=False, transient=False)

    def show(self, scene: Scene, live: Live | None) -> None:
        """Draw the scene now, or write what has been recorded where nothing can be drawn."""
        if live is not None:
            live.update(self.drawing(scene), refresh=True)
        elif scene.recorded > self._told:
            for action in scene.made[self._told : scene.recorded]:
                self.console.print(scene.text(action))
            self._told = scene.recorded

    def drawing(self, scene: Scene) -> Group:
        """Return the board and what is to be said."""
        lines = [f"{time:7.1f} s  {text}" for time, text in list(scene.story)[-STORY_LINES:]]
        lines += [""] * (STORY_LINES - len(lines))
        outcome = scene.own.outcome
        turn = describe_turn(scene.own.position) if outcome is None else f"Over: {outcome.word}."
        beside = "".join(sorted(scene.kinds[n].letter for n in scene.table.off_board()))
        legend = f"{LEGEND}\n^F a Shif held above" + ("" if self.colour else f"\n{LIGHTS}")
        return Group(
            self.board(scene),
            Text(f"beside the board: {beside or '-'}"),
            Text(turn, "bold"),
            Text(_astray(scene) or " "),
            Text("\n".join(lines), "dim"),
            Text(legend, "dim"),
        )

    def board(self, scene: Scene) -> Text:
        """Return the board: in each space the piece, whether it is held, and the light."""
        table, grid = scene.table, scene.board.grid
        standing = scene.wood
        held = {
            table.space_of(number): scene.kinds[number]
            for number in scene.kinds
            if table.position(number)[2] >= STANDS_MM
        }
        text = Text()
        for letter in reversed(range(len(grid.rows))):
            row = grid.rows[letter]
            text.append(f"{grid.names[row[0]][0]} ", "bold")
            text.append("   " * (2 * grid.side - 1 - len(row)))
            for space in row:
                colour = table.frame[scene.companion.lights.order[space]]
                self._cell(text, scene, space, standing.get(space), held.get(space), colour)
            text.append("\n")
        return text

    def _cell(
        self,
        text: Text,
        scene: Scene,
        space: int,
        piece: Piece | None,
        above: Piece | None,
        colour: Colour,
    ) -> None:
        hole = scene.board.detaining >> space & 1
        q, r = scene.board.grid.axial[space]
        ground = HOLE if hole else WOOD[(q - r) % 3]
        style = ground if piece is None else (DETAINED if hole else PIECE)[piece.side]
        detained = bool(hole) and piece is not None
        text.append("(" if detained else " ", style if detained else ground)
        text.append(piece.letter if piece is not None else "o" if hole else ".", style)
        if above is not None:
            text.append(f"^{above.letter}", ground)
        else:
            text.append(")" if detained else " ", style if detained else ground)
            text.append(" ", ground)
        if colour == BLACK:
            text.append(" ", ground)
        elif self.colour:
            text.append("*", f"bold {_hex(colour)} on #000000")
        else:
            text.append(LETTERS[perceive(colour, scene.companion.lights.palette)[0]])
        text.append(" ", ground)


def _hex(colour: Colour) -> str:
    """Return what a screen shows for the colour of a light, gamma taken out."""
    seen = (round(255 * (channel / 255) ** (1 / GAMMA)) for channel in colour)
    return "#" + "".join(f"{channel:02x}" for channel in seen)


def _astray(scene: Scene) -> str:
    """Say where pieces stand that mean nothing, if the board has settled so."""
    names = scene.names(scene.companion.view(scene.now).astray)
    return f"not legal: {names}" if names else ""
