"""`sorcel lights`: a test with named colours, from which the order of colours follows."""

from pathlib import Path

import typer

from ..config.edit import write_changes
from ..config.load import load_config
from ..config.paths import config_path
from ..config.wiring import board_of, light_order
from ..table.lights.frame import BLACK
from ..table.lights.palette import Colour
from .bench import END, Bench, need_real, open_bench
from .table import ConfigOption

LEVEL = 90
PRIMARIES: dict[str, Colour] = {
    "red": (LEVEL, 0, 0),
    "green": (0, LEVEL, 0),
    "blue": (0, 0, LEVEL),
}
STEP_S = 0.1
MIXED = "m"


def lights(config: ConfigOption = None) -> None:
    """Show red, green and blue on all lights and ask what is seen; then run over the spaces.

    From the answers follows the order in which the lights take their colours, which is written into
    the config file.
    """
    path = config_path(config)
    settings = load_config(path)
    need_real("pixels", settings.pixels.driver)
    bench = open_bench(settings, board_of(settings), typer.echo)
    try:
        try_lights(bench, path)
    finally:
        bench.close()


def try_lights(bench: Bench, path: Path | None) -> str | None:
    """Go through the test; return the order that follows from it, None where it was ended."""
    say, order = bench.say, bench.config.lights.colour_order
    say("Say what you see: r red, g green, b blue, m a mixture or several colours, d dark; q: end.")
    seen = {}
    for name, colour in PRIMARIES.items():
        bench.light(dict.fromkeys(range(bench.board.grid.n), colour))
        say(f"Now all lights should be {name}.")
        answer = _answer(bench, "rgbmd")
        if answer is None:
            return None
        seen[name[0].upper()] = answer.upper()
    _run(bench)
    found = order_from(order, seen)
    if found is None:
        say(advice(order, seen))
    elif found == order:
        say(f"The lights take their colours in the order {order}, as the config says.")
    elif path is None:
        say(f'The lights take their colours in another order: [lights] colour_order = "{found}"')
    else:
        write_changes(path, {"lights": {"colour_order": found}})
        say(f"The lights take their colours in the order {found}: written to {path}.")
    return found


def order_from(order: str, seen: dict[str, str]) -> str | None:
    """Return the true order of lights that showed `seen[X]` when X was sent in `order`.

    >>> order_from("GRB", {"R": "G", "G": "R", "B": "B"})
    'RGB'
    """
    if sorted(seen.values()) != sorted("BGR"):
        return None
    return "".join(seen.get(letter, letter) for letter in order)


def advice(order: str, seen: dict[str, str]) -> str:
    """Say what may be wrong where the answers fit no order."""
    answers = set(seen.values())
    if answers == {"D"}:
        return (
            "Nothing is lit: look at the 5 V supply, the common ground, the first light's data "
            "input (its arrow points away from the Pi), and at sorcel doctor."
        )
    if MIXED.upper() in answers:
        other = order.removesuffix("W") if order.endswith("W") else f"{order}W"
        kind = "no white of their own" if order.endswith("W") else "a white of their own (RGBW)"
        return (
            f"The colours change from light to light: perhaps these lights have {kind}. Set "
            f'[lights] colour_order = "{other}" and test again.'
        )
    return "That fits no order of colours; perhaps a light is broken, or the voltage too low."


def _run(bench: Bench) -> None:
    """Light one space after the other, row by row from the south, west to east."""
    bench.say("Now one light after the other, row by row from the south, west to east.")
    for light in light_order(bench.config, bench.board):
        bench.light({light: (LEVEL, LEVEL, LEVEL)})
        bench.clock.sleep(STEP_S)
    bench.light(dict.fromkeys(range(bench.board.grid.n), BLACK))


def _answer(bench: Bench, letters: str) -> str | None:
    while True:
        key = bench.keys()
        if key in ("q", END):
            return None
        if key and key[0] in letters:
            return key[0]
        bench.clock.sleep(STEP_S)
