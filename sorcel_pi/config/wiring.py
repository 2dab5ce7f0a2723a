"""What the keys of the config mean together: board and rules, pins, and the order of the wires.

It knows numbers of pins and places, not the devices that they are for.
"""

import re
from itertools import pairwise
from typing import NamedTuple

from ..errors import ConfigError, ImpossiblePositionError, NotationError, quote
from ..rules.board import Board, load_board, standard_board
from ..rules.position import RuleSet, rule_set_from_text, start_position
from .chain import INPUTS, chain_order, register_inputs, spare_places
from .schema import AUTO, HOST_NAME, STANDARD, Config


class Buttons(NamedTuple):
    """The BCM numbers of the buttons on the Pi, None for one that is not there."""

    light: int | None
    dark: int | None
    menu: int | None


_MCU_MATRIX = (8, 8)
_CONTACT_PINS: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "gpio": ((5, 6, 12, 13, 16, 19, 20, 26), (4, 17, 22, 23, 24, 25, 27, 21)),
    "expander": ((*range(8), 15), tuple(range(8, 15))),
    "shift": ((26, 21), (19,)),
}
_OUTPUT_ONLY = (7, 15)  # of an MCP23017, says its data sheet
_PIXEL_PINS = {"spi": (10,), "pwm": (18, 12, 13, 21), "pio": (18, *range(28))}
_BUSES = {
    "spi": ((11, "the clock of pixels.driver spi"),),
    "expander": ((2, "I2C of contacts.driver expander"), (3, "I2C of contacts.driver expander")),
}
_RISING = ("debounce_s settle_s patience_s", "shove_s shove_far_s")


def board_of(config: Config) -> Board:
    """Return the board that is played on, from its file unless it is the standard one."""
    try:
        name = config.game.board
        return standard_board() if name == STANDARD else load_board(name)
    except (NotationError, ImpossiblePositionError) as error:
        raise ConfigError(f"[game] board: {error}") from None


def rules_of(config: Config) -> RuleSet:
    """Return the rule set that is played."""
    try:
        return rule_set_from_text(config.game.rules)
    except NotationError as error:
        raise ConfigError(f"[game] rules: {error}") from None


def masked_spaces(config: Config, board: Board) -> int:
    """Return the mask of the spaces whose contact is left out."""
    mask = 0
    for name in config.table.masked:
        bit = 1 << _number(board, name, "masked")
        if mask & bit:
            raise ConfigError(f"[table] masked: {name} is named twice")
        mask |= bit
    return mask


def overlap_pairs(config: Config, board: Board) -> tuple[tuple[int, int], ...]:
    """Return the pairs of neighbours with overlapping contacts, the lower space first."""
    pairs = []
    for text in config.table.overlaps:
        names = text.split()
        if len(names) != 2:
            raise ConfigError(
                f'[table] overlaps: {quote(text)}: expected two spaces, such as "c3 c4"'
            )
        a, b = sorted(_number(board, name, "overlaps") for name in names)
        if not board.grid.adjacent[a] >> b & 1:
            raise ConfigError(f"[table] overlaps: {quote(text)}: the spaces are not neighbours")
        pairs.append((a, b))
    return tuple(pairs)


def light_order(config: Config, board: Board) -> tuple[int, ...]:
    """Return the number of the light of each space."""
    n = board.grid.n
    return _order("[lights] order", config.lights.order, n, n)


def contact_order(config: Config, board: Board) -> tuple[int, ...]:
    """Return the place (row x columns + column, or the number of the bit) of each space."""
    driver, n = config.contacts.driver, board.grid.n
    rows, columns = contact_grid(config, board)
    places = rows * columns or n
    if places < n:
        raise ConfigError(
            f"[contacts] driver {driver} reads {places} places, the board has {n} spaces"
        )
    if not config.contacts.order and _is_row_boards(config, board):
        return chain_order(board)
    return _order("[contacts] order", config.contacts.order, n, places)


def contact_spares(config: Config, board: Board) -> int:
    """Return the mask of the places that always read open, if the registers answer.

    None is known unless registers and order are those of row boards.
    """
    as_made = _is_row_boards(config, board) and contact_order(config, board) == chain_order(board)
    return spare_places(board) if as_made else 0


def contact_grid(config: Config, board: Board) -> tuple[int, int]:
    """Return rows and columns of the places of contacts, or registers and inputs; 0, 0: simulated.

    A place is row x columns + column.
    """
    if has_registers(config):
        return config.contacts.registers or len(register_inputs(board)), INPUTS
    if config.contacts.driver == "mcu":
        return _MCU_MATRIX
    rows, columns = contact_pins(config)
    return len(rows), len(columns)


def has_registers(config: Config) -> bool:
    """Return whether contacts hang on registers, at the Pi or at a microcontroller."""
    driver = config.contacts.driver
    return driver == "shift" or (driver == "mcu" and config.mcu.contacts == "shift")


def _is_row_boards(config: Config, board: Board) -> bool:
    return has_registers(config) and contact_grid(config, board)[0] == len(register_inputs(board))


def contact_places(config: Config, board: Board) -> dict[int, tuple[int, int]]:
    """Return the (row, column) of the contact of each space; empty where there is no matrix."""
    columns = contact_grid(config, board)[1]
    if not columns or has_registers(config):
        return {}
    return {k: divmod(place, columns) for k, place in enumerate(contact_order(config, board))}


def contact_pins(config: Config) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the pins of the rows and of the columns; none unless the Pi reads the contacts.

    Of registers the rows are load and clock, the column is data.
    """
    contacts = config.contacts
    if contacts.driver not in _CONTACT_PINS:
        return (), ()
    rows, columns = _CONTACT_PINS[contacts.driver]
    return contacts.rows or rows, contacts.columns or columns


def pixel_pin(config: Config) -> int | None:
    """Return the BCM number of the pin that the lights hang on, None if not on the Pi."""
    if config.pixels.driver not in _PIXEL_PINS:
        return None
    pin = config.pixels.pin
    return pin if isinstance(pin, int) else _PIXEL_PINS[config.pixels.driver][0]


def button_pins(config: Config) -> Buttons:
    """Return where the buttons are on the Pi."""
    usual: tuple[int | None, ...] = {
        "gpio": (7, 8, 9) if config.pixels.driver in ("pwm", "pio") else (18, 2, 3),
        "expander": (5, 6, 12),
        "shift": (5, 6, 12),
    }.get(config.contacts.driver, (None, None, None))
    buttons = config.buttons
    given = (buttons.light, buttons.dark, buttons.menu)
    return Buttons(
        *(
            pin if isinstance(pin, int) else auto if pin == AUTO else None
            for pin, auto in zip(given, usual, strict=True)
        )
    )


def check_config(config: Config) -> None:
    """Raise `ConfigError` where keys do not go together; reads the board file."""
    for keys in _RISING:
        for low, high in pairwise(keys.split()):
            if not getattr(config.table, low) < getattr(config.table, high):
                raise ConfigError(
                    f"[table] {low} = {getattr(config.table, low)} must be less than "
                    f"{high} = {getattr(config.table, high)}"
                )
    board, rules = board_of(config), rules_of(config)
    try:
        start_position(board, rules)
    except ImpossiblePositionError as error:
        raise ConfigError(f"[game] board and rules do not go together: {error}") from None
    masked_spaces(config, board)
    overlap_pairs(config, board)
    _check_pins(config)
    _check_names(config)
    light_order(config, board)
    contact_order(config, board)


def _check_names(config: Config) -> None:
    for name in config.web.names:
        if not re.fullmatch(HOST_NAME, name.removesuffix(".").lower()):
            raise ConfigError(
                f"[web] names: {quote(name)}: expected the name of a machine alone, without "
                'http:// and without a port, such as "sorcel.fritz.box"'
            )


def _check_pins(config: Config) -> None:
    contacts, driver = config.contacts, config.pixels.driver
    rows, columns = contact_pins(config)
    if contacts.driver == "shift" and (len(rows), len(columns)) != (2, 1):
        raise ConfigError(
            f"[contacts] rows has {len(rows)} pins and columns {len(columns)}: driver shift needs "
            "load and clock as rows, and data as column"
        )
    matrix = [(pin, f"contacts.rows[{k}]") for k, pin in enumerate(rows)]
    matrix += [(pin, f"contacts.columns[{k}]") for k, pin in enumerate(columns)]
    single = {"pixels.pin": pixel_pin(config)}
    single |= {f"buttons.{name}": pin for name, pin in button_pins(config)._asdict().items()}
    uses = [(pin, use) for use, pin in single.items() if pin is not None]
    uses += [use for key in (driver, contacts.driver) for use in _BUSES.get(key, ())]
    if contacts.driver == "expander":
        for pin, use in matrix:
            if pin > 15 or (pin in _OUTPUT_ONLY and use.startswith("contacts.columns")):
                raise ConfigError(
                    f"{use} = {pin}: expected a pin of the expander, 0 to 15, for columns not "
                    f"{' or '.join(map(str, _OUTPUT_ONLY))} (they can only drive)"
                )
        _check_twice("expander pin", matrix)
    else:
        uses += matrix
    _check_twice("pin", uses)
    light = pixel_pin(config)
    if light is not None and light not in _PIXEL_PINS[driver]:
        raise ConfigError(
            f"[pixels] pin = {light}: driver {driver} needs one of "
            f"{', '.join(map(str, _PIXEL_PINS[driver]))}"
        )


def _check_twice(what: str, uses: list[tuple[int, str]]) -> None:
    first: dict[int, str] = {}
    for pin, use in uses:
        if pin in first:
            raise ConfigError(f"{what} {pin} is used twice: by {first[pin]} and by {use}")
        first[pin] = use


def _order(key: str, order: tuple[int, ...], n: int, places: int) -> tuple[int, ...]:
    if not order:
        return tuple(range(n))
    for k, place in enumerate(order):
        if place in order[:k]:
            raise ConfigError(f"{key}: {place} stands there twice")
        if place >= places:
            raise ConfigError(f"{key}: {place}: expected a whole number from 0 to {places - 1}")
    if len(order) != n:
        raise ConfigError(f"{key}: has {len(order)} numbers, expected one for each of {n} spaces")
    return order


def _number(board: Board, name: str, key: str) -> int:
    try:
        return board.grid.number(name)
    except NotationError as error:
        raise ConfigError(f"[table] {key}: {error}") from None
