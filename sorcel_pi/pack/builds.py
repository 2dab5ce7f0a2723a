"""Which ways of wiring the pack is made for, each as the config that the program then reads.

A config that names real drivers is the one build.  A config that leaves them at `mock`, as the
defaults do, gives the reference builds: a Pi alone with its lights by SPI or by PWM, and a Pico.  A board
of more spaces than these can read gets a larger matrix on a Pi, with pins chosen here.
"""

from dataclasses import dataclass, fields, replace
from math import ceil, sqrt

from ..config import button_pins, contact_order, contact_pins, format_config, light_order, pixel_pin
from ..errors import ConfigError
from ..rules.board import Board
from ..settings import Config
from .headers import (
    EXPANDER,
    PI,
    PICO,
    PICO_BUTTONS,
    PICO_COLUMNS,
    PICO_JUMPER,
    PICO_LIGHTS,
    PICO_ROWS,
)
from .measures import GeometryError

_MOCK = "mock"
_BUTTONS = ("light", "dark", "menu")


@dataclass(frozen=True, slots=True)
class Build:
    """A way of wiring: `name` is its folder, `config` what the program reads on it.

    `places[k]` is (row, column) of space k in the matrix, `lights[k]` the number of its light;
    `rows`, `columns`, `pixel`, `buttons` and `jumper` are pins as (device, number), without those
    that this board leaves unused.
    """

    name: str
    title: str
    config: Config
    places: tuple[tuple[int, int], ...]
    lights: tuple[int, ...]
    rows: tuple[tuple[str, int], ...]
    columns: tuple[tuple[str, int], ...]
    pixel: tuple[str, int]
    buttons: tuple[tuple[str, tuple[str, int]], ...]
    jumper: tuple[str, int] | None
    devices: tuple[str, ...]
    remarks: tuple[str, ...] = ()


def builds(board: Board, config: Config) -> tuple[Build, ...]:
    """Return the builds for a board; `ConfigError` where its spaces cannot be read at all."""
    contacts, pixels = config.contacts.driver, config.pixels.driver
    if (contacts, pixels) != (_MOCK, _MOCK):
        lights_on = pixels if pixels != _MOCK else "mcu" if contacts == "mcu" else "spi"
        read_by = contacts if contacts != _MOCK else "mcu" if pixels == "mcu" else "gpio"
        name = f"{read_by}-{lights_on}"
        return (_build(board, config, name, "As the config says", read_by, lights_on),)
    return _reference_builds(board, config) or (_large_build(board, config),)


def _reference_builds(board: Board, config: Config) -> tuple[Build, ...]:
    """Return the reference builds; none where the board has too many spaces for them."""
    ways = (
        ("pi", "A Raspberry Pi alone, lights by SPI", "gpio", "spi"),
        ("pi-pwm", "A Raspberry Pi alone, lights by PWM (needs root)", "gpio", "pwm"),
        ("pico", "A Raspberry Pi Pico, by USB at any computer", "mcu", "mcu"),
    )
    usual = replace(config, contacts=replace(config.contacts, order=()))
    if board.grid.n > len(PICO_ROWS) * len(PICO_COLUMNS):
        return ()
    del usual
    return tuple(_build(board, config, *way) for way in ways)


def _build(
    board: Board,
    config: Config,
    name: str,
    title: str,
    contacts: str,
    pixels: str,
    remarks: tuple[str, ...] = (),
) -> Build:
    """Return the build that reads contacts and drives pixels with these drivers."""
    made = replace(
        config,
        contacts=replace(config.contacts, driver=contacts),
        pixels=replace(config.pixels, driver=pixels),
    )
    reader = {"gpio": PI, "expander": EXPANDER, "mcu": PICO}[contacts]
    rows, columns = (PICO_ROWS, PICO_COLUMNS) if contacts == "mcu" else contact_pins(made)
    places = tuple(divmod(place, len(columns)) for place in contact_order(made, board))
    pin = pixel_pin(made)
    pixel = (PICO, PICO_LIGHTS) if pin is None else (PI, pin)
    buttons, jumper = _buttons(made, {reader, pixel[0]})
    devices = {reader, pixel[0], *(device for _, (device, _) in buttons)}
    if reader == EXPANDER:
        devices.add(PI)
    return Build(
        name=name,
        title=title,
        config=made,
        places=places,
        lights=light_order(made, board),
        rows=tuple((reader, pin) for pin in rows),
        columns=tuple((reader, pin) for pin in columns),
        pixel=pixel,
        buttons=buttons,
        jumper=jumper,
        devices=tuple(device for device in (PI, PICO, EXPANDER) if device in devices),
        remarks=remarks,
    )
