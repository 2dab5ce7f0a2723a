"""Which ways of wiring the pack is made for, each as the config that the program then reads.

A config that names real drivers is the one build.  A config that leaves them at `mock`, as the
defaults do, gives the reference builds: a Pi alone, with lights by SPI or by PWM, and a Pico.  A
board of more spaces than these can read gets a larger matrix on a Pi, with pins chosen here, and
one of more than that only row boards.
"""

from dataclasses import dataclass, replace
from math import ceil, sqrt

from ..config.load import format_config
from ..config.schema import NONE, Config
from ..config.wiring import (
    button_pins,
    contact_order,
    contact_pins,
    has_registers,
    light_order,
    pixel_pin,
)
from ..rules.board import Board
from .headers import (
    EXPANDER,
    PI,
    PICO,
    PICO_BUTTONS,
    PICO_COLUMNS,
    PICO_JUMPER,
    PICO_LIGHTS,
    PICO_ROWS,
    PICO_SPACES,
)

Pin = tuple[str, int]
"""A device, and its pin as the config numbers it."""

PIXELS_A_LIGHT = 2
"""Each light is two pixels side by side; the program counts one, and knows nothing of the other."""
_LIMIT_A = Config().lights.current_limit_a / PIXELS_A_LIGHT
"""What a reference build tells the program, where the config leaves the limit as usual."""
_MOCK = "mock"
_PWM_TITLE = "A Raspberry Pi alone, lights by PWM (as root)"
_USUAL_PLACES = len(PICO_ROWS) * len(PICO_COLUMNS)

# For large boards: a Pi's pins in the order in which rows and columns take them.
_ROW_POOL = (5, 6, 12, 13, 16, 19, 20, 26, 7, 8, 9)
_COLUMN_POOL = (4, 17, 22, 23, 24, 25, 27, 21, 10, 11, 2, 3)
_CONSOLE = (14, 15)
"""Where nothing else is left, buttons take the pins of the serial console."""


@dataclass(frozen=True, slots=True)
class Build:
    """A way of wiring: `name` is its folder, `config` what the program reads on it.

    `places[k]` is (row, column) of space k in the matrix, `lights[k]` the number of its light;
    `rows` and `columns` are all pins of the matrix, whether this board uses them or not.  Where
    contacts and lights are on row boards there is none of these, and nothing is wired by hand.
    """

    name: str
    title: str
    config: Config
    places: tuple[tuple[int, int], ...]
    lights: tuple[int, ...]
    rows: tuple[Pin, ...]
    columns: tuple[Pin, ...]
    pixel: Pin
    buttons: tuple[tuple[str, Pin], ...]
    jumper: Pin | None
    devices: tuple[str, ...]
    remarks: tuple[str, ...]

    @property
    def limit_a(self) -> float:
        """What all pixels together may draw, by the program's estimate."""
        return PIXELS_A_LIGHT * self.config.lights.current_limit_a

    @property
    def used_rows(self) -> tuple[int, ...]:
        """The rows in which there is a space."""
        return tuple(sorted({row for row, _ in self.places}))

    @property
    def used_columns(self) -> tuple[int, ...]:
        """The columns in which there is a space."""
        return tuple(sorted({column for _, column in self.places}))

    def spaces_in_row(self, row: int) -> tuple[int, ...]:
        """Return the spaces of a row, by column."""
        return tuple(
            k for _, k in sorted((c, k) for k, (r, c) in enumerate(self.places) if r == row)
        )

    def spaces_in_column(self, column: int) -> tuple[int, ...]:
        """Return the spaces of a column, by row."""
        return tuple(
            k for _, k in sorted((r, k) for k, (r, c) in enumerate(self.places) if c == column)
        )

    def chain(self) -> tuple[int, ...]:
        """Return the spaces in the order in which their lights are chained."""
        return tuple(sorted(range(len(self.lights)), key=self.lights.__getitem__))


def builds(board: Board, config: Config) -> tuple[Build, ...]:
    """Return the builds of a board.

    Where no Pi has enough pins, or the config has registers, that is the one of row boards.
    Raises `ConfigError` where the config does not fit the board.
    """
    contacts, pixels = config.contacts.driver, config.pixels.driver
    if config.lights.current_limit_a == Config().lights.current_limit_a:
        config = replace(config, lights=replace(config.lights, current_limit_a=_LIMIT_A))
    if has_registers(config):
        return (_row_boards(board, config),)
    if (contacts, pixels) == (_MOCK, _MOCK):
        if board.grid.n > _USUAL_PLACES:
            return (_large_build(board, config),)
        return (
            _build(board, config, "pi", "A Raspberry Pi alone, lights by SPI", "gpio", "spi"),
            _build(board, config, "pi-pwm", _PWM_TITLE, "gpio", "pwm"),
            _build(board, config, "pico", "A Raspberry Pi Pico on USB", "mcu", "mcu"),
        )
    if pixels == _MOCK:
        pixels = "mcu" if contacts == "mcu" else "spi"
    if contacts == _MOCK:
        contacts = "mcu" if pixels == "mcu" else "gpio"
    title = f"Contacts by {contacts}, lights by {pixels}, as the config says"
    return (_build(board, config, f"{contacts}-{pixels}", title, contacts, pixels),)


def _build(
    board: Board, config: Config, name: str, title: str, contacts: str, pixels: str, *remarks: str
) -> Build:
    """Return the build that reads contacts and drives pixels by these drivers."""
    made = replace(
        config,
        contacts=replace(config.contacts, driver=contacts),
        pixels=replace(config.pixels, driver=pixels),
    )
    reader = {"gpio": PI, "expander": EXPANDER, "mcu": PICO}[contacts]
    rows, columns = (PICO_ROWS, PICO_COLUMNS) if contacts == "mcu" else contact_pins(made)
    pin = pixel_pin(made)
    pixel = (PICO, PICO_LIGHTS) if pin is None else (PI, pin)
    buttons = _buttons(made, {reader, pixel[0]})
    devices = {reader, pixel[0], *(device for _, (device, _) in buttons)}
    if reader == EXPANDER:
        devices.add(PI)
    if PICO in devices and board.grid.n != PICO_SPACES:
        remarks = (*remarks, f"In the firmware's settings.py: SPACES = {board.grid.n}.")
    return Build(
        name=name,
        title=title,
        config=made,
        places=tuple(divmod(place, len(columns)) for place in contact_order(made, board)),
        lights=light_order(made, board),
        rows=tuple((reader, pin) for pin in rows),
        columns=tuple((reader, pin) for pin in columns),
        pixel=pixel,
        buttons=buttons,
        jumper=(PICO, PICO_JUMPER) if PICO in devices else None,
        devices=tuple(device for device in (PI, PICO, EXPANDER) if device in devices),
        remarks=remarks,
    )


def _buttons(config: Config, devices: set[str]) -> tuple[tuple[str, Pin], ...]:
    """Return the buttons: those on the Pi, else those of a Pico that is there."""
    on_pi = button_pins(config)._asdict().items()
    found = tuple((name, (PI, pin)) for name, pin in on_pi if pin is not None)
    if found or PICO not in devices:
        return found
    names = (name for name, _ in on_pi)
    return tuple((name, (PICO, pin)) for name, pin in zip(names, PICO_BUTTONS, strict=True))


def hand_wired(builds: tuple[Build, ...]) -> tuple[Build, ...]:
    """Return those of which contacts and lights are wired by hand."""
    return tuple(build for build in builds if build.places)


def _row_boards(board: Board, config: Config) -> Build:
    """Return the build on row boards: they bring contacts, lights and the wires between them."""
    if config.pixels.driver == _MOCK:
        pixels = "mcu" if config.contacts.driver == "mcu" else "spi"
        config = replace(config, pixels=replace(config.pixels, driver=pixels))
    pin = pixel_pin(config)
    pixel = (PICO, PICO_LIGHTS) if pin is None else (PI, pin)
    reader = PICO if config.contacts.driver == "mcu" else PI
    buttons = _buttons(config, {reader, pixel[0]})
    devices = {reader, pixel[0], *(device for _, (device, _) in buttons)}
    return Build(
        name="boards",
        title="Row boards",
        config=config,
        places=(),
        lights=light_order(config, board),
        rows=(),
        columns=(),
        pixel=pixel,
        buttons=buttons,
        jumper=(PICO, PICO_JUMPER) if PICO in devices else None,
        devices=tuple(device for device in (PI, PICO) if device in devices),
        remarks=("Contacts, lights and their wires are on row boards: see boards.md in boards/.",),
    )


def _large_build(board: Board, config: Config) -> Build:
    """Return the build of a board that needs more places than the usual matrix has."""
    n = board.grid.n
    columns = ceil(sqrt(n))
    rows = ceil(n / columns)
    if rows > len(_ROW_POOL) or columns > len(_COLUMN_POOL):
        contacts = replace(config.contacts, driver="shift")
        return _row_boards(board, replace(config, contacts=contacts))
    left: tuple[int | str, ...] = (*_ROW_POOL[rows:], *_COLUMN_POOL[columns:], *_CONSOLE, NONE)
    light, dark, menu = left[:3]
    made = replace(
        config,
        contacts=replace(config.contacts, rows=_ROW_POOL[:rows], columns=_COLUMN_POOL[:columns]),
        buttons=replace(config.buttons, light=light, dark=dark, menu=menu),
    )
    remark = (
        f"{n} spaces are more than a Pico or an expander reads, and leave no pins for SPI or I2C: "
        "both stay off"
    )
    if light in _CONSOLE or dark in _CONSOLE:
        remark += ", and so does the serial console"
    return _build(board, made, "pi-pwm", _PWM_TITLE, "gpio", "pwm", f"{remark}.")


def trial_lights(cluster: tuple[int, ...], lights: tuple[int, ...]) -> tuple[int, ...]:
    """Return the numbers of all lights when those of the trial are the first of the chain.

    >>> trial_lights((3, 1), (0, 1, 2, 3))
    (2, 0, 3, 1)
    """
    spaces = sorted(range(len(lights)), key=lambda k: (k not in cluster, lights[k]))
    return tuple(spaces.index(k) for k in range(len(lights)))


def trial_config(build: Build, board: Board, cluster: tuple[int, ...]) -> Config:
    """Return the config of the trial: only its contacts, and its lights first in the chain."""
    config = build.config
    masked = tuple(name for k, name in enumerate(board.grid.names) if k not in cluster)
    return replace(
        config,
        table=replace(config.table, masked=masked),
        lights=replace(config.lights, order=trial_lights(cluster, build.lights)),
    )


def config_text(config: Config, title: str, board_name: str) -> str:
    """Return the file of a config: what differs from the defaults, and the board's file."""
    config = replace(config, game=replace(config.game, board=board_name), store=Config().store)
    lines = [f"# {title}. What stands nowhere here is as usual.", ""]
    section = ""
    usual = format_config(Config()).splitlines()
    for line, default in zip(format_config(config).splitlines(), usual, strict=True):
        if line.startswith("["):
            section = line
        elif line != default:
            if section:
                lines += [*([""] if lines[-1] else []), section]
                section = ""
            lines.append(line)
    return "\n".join([*lines, ""])
