"""From the config to drivers: contacts, buttons and lights, each by its own way.

A device that does both is opened once.  Nothing is imported that the config does not ask for, and
what was opened before something fails is closed again.
"""

import time
from collections.abc import Callable
from contextlib import ExitStack

from ..config.schema import Config
from ..config.wiring import (
    button_pins,
    check_config,
    contact_grid,
    contact_order,
    contact_pins,
    contact_spares,
    pixel_pin,
)
from ..rules.board import Board
from .mock.field import DISC_6X3, DISC_8X3
from .mock.table import MockTable
from .ports import LightSink, SensorSource

Clock = Callable[[], float]


def open_drivers(
    config: Config,
    board: Board,
    *,
    clock: Clock = time.monotonic,
    places: bool = False,
    raw: bool = False,
) -> tuple[SensorSource, LightSink]:
    """Return what reads the contacts and what drives the lights, as the config names them.

    With `places` scans have one bit for each place of the matrix, not for each space; with `raw`
    a microcontroller tells them unfiltered, as all others do.  Raises `ConfigError` and
    `DeviceError`.
    """
    check_config(config)
    with ExitStack() as opened:
        whole: dict[str, tuple[SensorSource, LightSink]] = {}
        for name in {config.contacts.driver, config.pixels.driver} & {"mock", "mcu"}:
            both = _MAKERS[name](config, board, clock, places, raw)
            opened.callback(both[0].close)
            whole[name] = both
        if config.contacts.driver in whole:
            sensors = whole[config.contacts.driver][0]
        else:
            sensors = open_contacts(config, board, clock=clock, places=places)
            opened.callback(sensors.close)
        sensors = _with_buttons(config, sensors)
        opened.callback(sensors.close)
        if config.pixels.driver in whole:
            lights = whole[config.pixels.driver][1]
        else:
            lights = open_pixels(config, board)
        opened.pop_all()
    return sensors, lights


def mock_table(config: Config, board: Board, clock: Clock) -> MockTable:
    """Return the simulated table that the config describes."""
    magnet = DISC_8X3 if config.mock.magnet == "8x3" else DISC_6X3
    return MockTable(
        board,
        pitch_mm=config.mock.pitch_mm,
        magnet=magnet,
        seed=config.mock.seed,
        look_s=config.contacts.latency_s,
        clock=clock,
    )


def open_contacts(
    config: Config, board: Board, *, clock: Clock = time.monotonic, places: bool = False
) -> SensorSource:
    """Return the contacts that the Pi reads: a matrix on its own pins or an expander's, or a chain.

    With `places` scans have a bit for each place, and nothing is known of them.
    """
    from .gpio_lines import LineBank, open_lines
    from .matrix import Matrix
    from .shift import Shift

    rows, columns = contact_pins(config)
    order = _places(config, board) if places else contact_order(config, board)
    if config.contacts.driver == "shift":
        return Shift(
            open_lines(rows, columns),
            contact_grid(config, board)[0],
            order=order,
            spares=0 if places else contact_spares(config, board),
            clock=clock,
        )
    if config.contacts.driver == "expander":
        from .expander import ExpanderLines

        bank: LineBank = ExpanderLines(rows, columns, address=config.contacts.address)
        drive_s = release_s = 0.0  # the bus is slow enough
    else:
        bank = open_lines(rows, columns)
        drive_s, release_s = config.contacts.drive_s, config.contacts.release_s
    return Matrix(
        bank,
        len(rows),
        len(columns),
        order=order,
        drive_s=drive_s,
        release_s=release_s,
        clock=clock,
    )


def _places(config: Config, board: Board) -> tuple[int, ...]:
    rows, columns = contact_grid(config, board)
    return tuple(range(rows * columns))


def open_pixels(config: Config, board: Board) -> LightSink:
    """Return the chain of lights on a pin of the Pi."""
    from .pixels import Pixels

    return Pixels(
        board.grid.n,
        way=config.pixels.driver,
        pin=pixel_pin(config) or 0,
        colour_order=config.lights.colour_order,
    )


def _with_buttons(config: Config, sensors: SensorSource) -> SensorSource:
    pins = button_pins(config)
    if all(pin is None for pin in pins):
        return sensors
    from .buttons import GpioButtons, WithButtons

    return WithButtons(sensors, GpioButtons(pins))


def _open_mock(
    config: Config, board: Board, clock: Clock, places: bool, raw: bool
) -> tuple[SensorSource, LightSink]:
    table = mock_table(config, board, clock)
    return table, table


def _open_mcu(
    config: Config, board: Board, clock: Clock, places: bool, raw: bool
) -> tuple[SensorSource, LightSink]:
    from .mcu import Mcu

    reads = config.contacts.driver == "mcu"
    order = _places(config, board) if places else contact_order(config, board)
    mcu = Mcu(
        board.grid.n,
        port=config.mcu.port,
        serial_number=config.mcu.serial_number,
        order=order if reads else (),
        places=len(_places(config, board)) if reads else 0,
        spares=contact_spares(config, board) if reads and not places else 0,
        current_limit_a=config.lights.current_limit_a,
        colour_order=config.lights.colour_order,
        raw=raw,
        clock=clock,
    )
    return mcu, mcu


_MAKERS = {"mock": _open_mock, "mcu": _open_mcu}
