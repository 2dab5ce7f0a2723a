"""The keys of the config file, each with its type, its default, its bounds and its sentence.

A section is a frozen dataclass that refuses what does not fit when it is made, whether from a file
or from code.  What stands here is all that is said about a key anywhere: the commented default
file is made from it.  How keys go together is not known here, but in `config`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import permutations
from typing import Annotated, Any, get_args

from ..errors import ConfigError, quote
from ..table.timing import Timing

STANDARD = "standard"
AUTO, NONE = "auto", "none"
HOST_NAME = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*"
"""A name of a machine in a network, lower case, without a final dot, as a pattern."""
_ORDERS = tuple(map("".join, permutations("RGB")))
_PIN = {"least": 0, "most": 27}

Pin = int | str


# -- one key --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a key besides its type and default.

    `least` and `most` bound a number, or each number of a list; `words` are what a text may be.
    """

    doc: str
    least: float = 0
    most: float = 0
    unit: str = ""
    words: tuple[str, ...] = ()


class Section:
    """What all sections have in common: their values are checked when they are made."""

    __slots__ = ()

    def __post_init__(self) -> None:
        """Refuse a wrong type or range with `ConfigError`; lists become tuples."""
        for key, kind, about in keys_of(type(self)):
            value = getattr(self, key)
            if not _fits(value, kind, about):
                raise ConfigError(
                    f"[{_name(type(self))}] {key} = {shown(value)}: expected "
                    f"{expected(kind, about)}"
                )
            made = float if kind is float else tuple if get_args(kind)[1:] == (...,) else None
            if made is not None:
                object.__setattr__(self, key, made(value))


def keys_of(section: Any) -> Iterator[tuple[str, Any, About]]:
    """Yield name, type and documentation of every key of a section's class."""
    for item in fields(section):
        annotation: Any = item.type
        yield item.name, annotation.__origin__, annotation.__metadata__[0]


def expected(kind: Any, about: About) -> str:
    """Say in words what a key of this type may be."""
    span = f"from {about.least:.10g} to {about.most:.10g} {about.unit}".rstrip()
    words = ", ".join(f'"{word}"' for word in about.words)
    if get_args(kind)[1:] == (...,):
        texts = get_args(kind)[0] is str
        return "a list of texts" if texts else f"a list of whole numbers {span}"
    return {
        bool: "true or false",
        str: f"one of {words}" if words else "a text",
        int: f"a whole number {span}",
        float: f"a number {span}",
        Pin: f"a whole number {span} or {words}",
    }[kind]


def _fits(value: Any, kind: Any, about: About) -> bool:
    if get_args(kind)[1:] == (...,):
        each = get_args(kind)[0]
        return isinstance(value, list | tuple) and all(_fits(v, each, about) for v in value)
    if type(value) is str:
        return kind in (str, Pin) and (not about.words or value in about.words)
    if type(value) is bool or kind is bool:
        return type(value) is bool and kind is bool
    whole = type(value) is int and kind in (int, float, Pin)
    return (whole or (type(value) is float and kind is float)) and (
        about.least <= value <= about.most
    )


def shown(value: object) -> str:
    """Return a value as a message quotes it: texts in quotes, others as in the file."""
    if isinstance(value, bool):
        return str(value).lower()
    text = quote(value)
    return text if isinstance(value, str) else text.strip("'\"")


def _name(section: type) -> str:
    """Return `table` for `TableConfig`."""
    return section.__name__.removesuffix("Config").lower()


# -- all keys -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameConfig(Section):
    """What is played, and by whom."""

    board: Annotated[
        str, About('"standard", or the path of a board file (absolute, or from this file).')
    ] = STANDARD
    rules: Annotated[
        str, About('egressian or ahumm, house rules behind it: "ahumm stake=2 early_end=no".')
    ] = "egressian"
    touch_move: Annotated[bool, About("With true nothing is taken back by hand.")] = False
    light: Annotated[str, About("Who plays Light, for the records.")] = "Light"
    dark: Annotated[str, About("Who plays Dark, for the records.")] = "Dark"
    games: Annotated[
        int, About("How many games make a match; 0: as many as the players like.", 0, 1000)
    ] = 0


@dataclass(frozen=True, slots=True)
class PlayersConfig(Section):
    """Who sits at each side of a new game; a stored game keeps its own."""

    light: Annotated[str, About("Who plays Light.", words=("person", "engine"))] = "person"
    dark: Annotated[str, About("Who plays Dark.", words=("person", "engine"))] = "person"
    level: Annotated[int, About("How strong the engine is.", 1, 10)] = 3
    lead: Annotated[
        str,
        About(
            "The lights lead the engine's turn by each action, or at once.",
            words=("action", "turn"),
        ),
    ] = "action"


@dataclass(frozen=True, slots=True)
class EngineConfig(Section):
    """Which program is the engine."""

    command: Annotated[
        tuple[str, ...],
        About('Another UGI engine, such as ["/opt/engine", "--quiet"]; []: the own one.'),
    ] = ()


_TIMES = Timing()
"""The waiting times are declared there; here they get their bounds and their sentences."""


@dataclass(frozen=True, slots=True)
class TableConfig(Section):
    """How hands are read."""

    scan_hz: Annotated[int, About("How often the contacts are read.", 40, 200, "a second")] = 100
    debounce_s: Annotated[
        float, About("How long a change must hold before it counts.", 0.001, 0.5, "s")
    ] = 0.020
    settle_s: Annotated[
        float, About("How long nothing may change before the board is judged.", 0.05, 5, "s")
    ] = _TIMES.settle_s
    patience_s: Annotated[
        float, About("How long a piece may stand wrong before it is shown.", 0.2, 60, "s")
    ] = _TIMES.patience_s
    landed_s: Annotated[
        float, About("How long a piece must be down to count at the next lift.", 0.01, 5, "s")
    ] = _TIMES.landed_s
    slide_s: Annotated[
        float, About("Over overlapping contacts: how long a slide may take.", 0.1, 10, "s")
    ] = _TIMES.slide_s
    shove_s: Annotated[
        float, About("Within which a line's pieces are lifted when it is shoved.", 0.02, 5, "s")
    ] = _TIMES.shove_s
    shove_far_s: Annotated[
        float, About("The same, for a near lift and a far drop alone.", 0.02, 5, "s")
    ] = _TIMES.shove_far_s
    hold_s: Annotated[float, About("How long a button is held to take back.", 0.5, 10, "s")] = (
        _TIMES.hold_s
    )
    accept_s: Annotated[
        float, About("How long both buttons are held to accept the pieces.", 0.5, 10, "s")
    ] = _TIMES.accept_s
    ask_s: Annotated[
        float, About("How long each candidate is lit when the table asks.", 0.2, 10, "s")
    ] = _TIMES.ask_s
    masked: Annotated[
        tuple[str, ...], About('Spaces whose contact is left out: ["c3", "f7"].')
    ] = ()
    overlaps: Annotated[
        tuple[str, ...], About('Neighbours that one piece can close together: ["c3 c4"].')
    ] = ()


@dataclass(frozen=True, slots=True)
class LightsConfig(Section):
    """What the lights look like, and how much current they may take."""

    palette: Annotated[
        str, About("Which colours are used.", words=("default", "contrast", "dim"))
    ] = "default"
    brightness: Annotated[float, About("How bright they are.", 0, 1)] = 1.0
    gamma: Annotated[float, About("Corrects for how eyes see brightness; 1: off.", 1, 4)] = 2.2
    current_limit_a: Annotated[
        float, About("What all lights together may draw, by estimate.", 0.1, 15, "A")
    ] = 1.5
    colour_order: Annotated[
        str,
        About(
            "The order in which a light takes its colours; with W if it has white.",
            words=_ORDERS + tuple(f"{order}W" for order in _ORDERS),
        ),
    ] = "GRB"
    order: Annotated[
        tuple[int, ...], About("The light of a1, a2 and so on; []: 0, 1, 2 ...", 0, 999)
    ] = ()
    fps: Annotated[int, About("How often lights that move change.", 1, 25, "a second")] = 25


@dataclass(frozen=True, slots=True)
class ContactsConfig(Section):
    """Where contacts are read: a matrix of rows and columns, or a chain of registers (shift).

    Its usual pins ([]) are, for gpio (BCM numbers), rows 5, 6, 12, 13, 16, 19, 20, 26 and columns
    4, 17, 22, 23, 24, 25, 27, 21; for expander (0-7: GPA, 8-15: GPB) rows 0-7, 15, columns 8-14;
    for shift rows 26 (load), 21 (clock) and column 19 (data).
    """

    driver: Annotated[
        str, About("What reads them.", words=("mock", "gpio", "expander", "shift", "mcu"))
    ] = "mock"
    rows: Annotated[tuple[int, ...], About("The pins that are driven.", **_PIN)] = ()
    columns: Annotated[tuple[int, ...], About("The pins that are sensed.", **_PIN)] = ()
    order: Annotated[
        tuple[int, ...],
        About(
            "The place of a1, a2 and so on, along the rows or as bits come; []: 0, 1, 2 ... or, of "
            "registers, as row boards have it.",
            0,
            999,
        ),
    ] = ()
    registers: Annotated[
        int, About("How many 74HC165 are in the chain; 0: as many as row boards have.", 0, 64)
    ] = 0
    address: Annotated[
        int, About("The expander's I2C address, by its pins A0 to A2; 32 is 0x20.", 0x20, 0x27)
    ] = 0x20
    latency_s: Annotated[
        float,
        About(
            "How late one may tell a change, which the waiting times then allow for: 0 for reeds, "
            "0.075 for Hall switches of 20 Hz.",
            0,
            0.25,
            "s",
        ),
    ] = 0.0
    drive_s: Annotated[float, About("Wait after driving a row.", 0, 0.01, "s")] = 0.00002
    release_s: Annotated[float, About("Wait after releasing a row.", 0, 0.01, "s")] = 0.0001


@dataclass(frozen=True, slots=True)
class PixelsConfig(Section):
    """Where lights are driven."""

    driver: Annotated[
        str, About("What drives them.", words=("mock", "spi", "pwm", "pio", "mcu"))
    ] = "mock"
    pin: Annotated[
        Pin, About("BCM number; auto: 10 for spi, 18 for pwm and pio.", **_PIN, words=(AUTO,))
    ] = AUTO


@dataclass(frozen=True, slots=True)
class ButtonsConfig(Section):
    """Buttons on the Pi, as BCM numbers.

    With auto, contacts by gpio bring 18, 2, 3, or 7, 8, 9 beside lights by pwm or pio; contacts by
    expander or shift bring 5, 6, 12; other contacts bring none here.
    """

    light: Annotated[Pin, About("Light's.", **_PIN, words=(AUTO, NONE))] = AUTO
    dark: Annotated[Pin, About("Dark's.", **_PIN, words=(AUTO, NONE))] = AUTO
    menu: Annotated[Pin, About("The one for the menu.", **_PIN, words=(AUTO, NONE))] = AUTO


@dataclass(frozen=True, slots=True)
class McuConfig(Section):
    """The microcontroller."""

    port: Annotated[str, About("Its serial port; empty: the first that answers.")] = ""
    serial_number: Annotated[str, About("Its USB serial number, where there are several.")] = ""
    contacts: Annotated[
        str, About("What it reads: a matrix, or a chain of registers.", words=("matrix", "shift"))
    ] = "matrix"


@dataclass(frozen=True, slots=True)
class MockConfig(Section):
    """The simulated table."""

    pitch_mm: Annotated[float, About("From one space to the next.", 28, 40, "mm")] = 36.0
    seed: Annotated[int, About("Draws the spread of its contacts.", 0, 2**31 - 1)] = 0
    magnet: Annotated[str, About("Across and high, in mm.", words=("6x3", "8x3"))] = "6x3"


@dataclass(frozen=True, slots=True)
class StoreConfig(Section):
    """Where games are kept."""

    path: Annotated[
        str, About("A folder (absolute, or from this file); empty: this system's usual place.")
    ] = ""


@dataclass(frozen=True, slots=True)
class WebConfig(Section):
    """The page: the table on a screen."""

    enabled: Annotated[bool, About("Whether there is a page.")] = True
    host: Annotated[
        str, About('Who can open it: "localhost" this machine only, "0.0.0.0" the whole network.')
    ] = "localhost"
    port: Annotated[
        int, About("Where: http://host:port. With 0 any that is free is taken.", 0, 65535)
    ] = 8061
    quick: Annotated[
        bool,
        About(
            "How a board on the screen begins: true, a step is one click and what follows is done "
            "by itself; false, every pushed piece is moved by hand, as on wood."
        ),
    ] = True
    names: Annotated[
        tuple[str, ...],
        About('Further names of this machine in its network, such as "sorcel.fritz.box".'),
    ] = ()


@dataclass(frozen=True, slots=True)
class Config:
    """All settings; `Config()` is the defaults."""

    game: GameConfig = GameConfig()
    players: PlayersConfig = PlayersConfig()
    engine: EngineConfig = EngineConfig()
    table: TableConfig = TableConfig()
    lights: LightsConfig = LightsConfig()
    contacts: ContactsConfig = ContactsConfig()
    pixels: PixelsConfig = PixelsConfig()
    buttons: ButtonsConfig = ButtonsConfig()
    mcu: McuConfig = McuConfig()
    mock: MockConfig = MockConfig()
    store: StoreConfig = StoreConfig()
    web: WebConfig = WebConfig()
