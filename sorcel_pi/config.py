"""The settings: one TOML file becomes one frozen `Config`; its keys are in `settings`.

Reading is in two parts: `config_from_text` looks at each key alone, `check_config` at how they go
together.  Only `config_path` and `state_path` look at the environment, and nothing here knows the
devices that the keys are for.
"""

import json
import os
import sys
import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

from .errors import ConfigError, ImpossiblePositionError, NotationError, quote
from .rules.board import Board, load_board, standard_board
from .rules.position import RuleSet, rule_set_from_text, start_position
from .settings import AUTO, STANDARD, Config, expected, keys_of, shown

__all__ = [
    "SYSTEM_CONFIG",
    "Buttons",
    "Config",
    "board_of",
    "button_pins",
    "check_config",
    "config_from_text",
    "config_path",
    "config_places",
    "contact_order",
    "contact_pins",
    "contact_places",
    "default_config_text",
    "format_config",
    "light_order",
    "load_config",
    "masked_spaces",
    "overlap_pairs",
    "pixel_pin",
    "rules_of",
    "state_path",
]

SYSTEM_CONFIG = Path("/etc/sorcel-pi/config.toml")
_APP = "sorcel-pi"


# -- files ----------------------------------------------------------------------------------------


def config_from_text(text: str, *, where: str = "config") -> Config:
    """Return the settings in `text`, each checked by itself; `where` names the file in errors.

    Raises `ConfigError` for what is no TOML, for an unknown section or key (and names the nearest
    one), and for a value of a wrong type or out of range.
    """
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise ConfigError(f"{where}: not TOML: nested too deeply") from None
    except ValueError as error:  # TOMLDecodeError, or a number beyond all bounds
        raise ConfigError(f"{where}: not TOML: {error}") from None
    try:
        return Config(**{key: _section(key, value) for key, value in data.items()})
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from None


def load_config(path: str | Path | None = None) -> Config:
    """Return the checked settings in the file at `path`, or the defaults without a path.

    Paths in the file that are not absolute begin at its folder.  Raises `ConfigError`.
    """
    if path is None:
        return Config()
    where = f"config file {quote(path)}"
    try:
        text = Path(path).read_text(encoding="utf-8")
        folder = Path(path).absolute().parent
    except (OSError, ValueError) as error:  # ValueError: not UTF-8, or a NUL in the path
        raise ConfigError(f"{where} cannot be read: {error}") from None
    config = config_from_text(text, where=where)
    try:
        config = _anchored(config, folder)
        check_config(config)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from None
    return config


def format_config(config: Config, *, comments: bool = False) -> str:
    """Return the text of a file that `config_from_text` reads back as an equal value.

    >>> print(format_config(Config()).partition("[table]")[0].strip())
    [game]
    board = "standard"
    rules = "egressian"
    touch_move = false
    light = "Light"
    dark = "Dark"
    games = 0
    """
    blocks = []
    for item in fields(config):
        section = getattr(config, item.name)
        doc = " ".join((type(section).__doc__ or "").split())
        lines = [*(_comment(doc) if comments else ()), f"[{item.name}]"]
        for key, kind, about in keys_of(type(section)):
            if comments:
                bounds = f" ({expected(kind, about)})." if about.most or about.words else "."
                lines += ["", *_comment(about.doc.removesuffix(".") + bounds)]
            lines.append(f"{key} = {_toml(getattr(section, key))}")
        blocks.append("\n".join(lines) + "\n")
    return "\n\n".join(blocks) if comments else "\n".join(blocks)


def default_config_text() -> str:
    """Return the default file, in which every key is explained."""
    head = "Settings of Sorcel Pi. A key that is left out has the value that stands here."
    return "\n".join([*_comment(head), "", "", format_config(Config(), comments=True)])


def _section(name: str, values: object) -> Any:
    sections = {item.name: item.type for item in fields(Config)}
    known = {name: [key for key, *_ in keys_of(kind)] for name, kind in sections.items()}
    if name not in sections:
        homes = [section for section, keys in known.items() if name in keys]
        if homes and not isinstance(values, dict):
            raise ConfigError(f"{quote(name)} belongs under [{homes[0]}]")
        raise ConfigError(_unknown("the file", "section", name, list(sections)))
    if not isinstance(values, dict):
        raise ConfigError(f"{name} = {shown(values)}: expected a section, which begins [{name}]")
    for key in values:
        if key not in known[name]:
            raise ConfigError(_unknown(f"[{name}]", "key", key, known[name]))
    kind: Any = sections[name]
    return kind(**values)


def _unknown(place: str, what: str, given: str, known: list[str]) -> str:
    nearest = get_close_matches(given, known, n=1, cutoff=0)[0]
    return (
        f"{place} has no {what} {quote(given)}; the nearest is {nearest!r} "
        f"(all: {', '.join(known)})"
    )


def _anchored(config: Config, folder: Path) -> Config:
    """Return `config` with its paths made absolute."""

    def anchored(key: str, text: str) -> str:
        if text.startswith("~"):
            raise ConfigError(f"{key} = {quote(text)}: ~ is not understood here, write all of it")
        return str(folder / text)

    game, store = config.game, config.store
    if game.board != STANDARD:
        game = replace(game, board=anchored("[game] board", game.board))
    if store.path:
        store = replace(store, path=anchored("[store] path", store.path))
    return replace(config, game=game, store=store)


def _comment(text: str) -> list[str]:
    return wrap(text, 98, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)


def _toml(value: object) -> str:
    """Return a value as TOML; where texts, lists and truths are concerned that is JSON too."""
    if isinstance(value, tuple):
        value = list(value)
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


# -- what the keys mean together ------------------------------------------------------------------


class Buttons(NamedTuple):
    """The BCM numbers of the buttons on the Pi, None for one that is not there."""

    light: int | None
    dark: int | None
    menu: int | None


_MCU_PLACES, _MCU_COLUMNS = 64, 8
_CONTACT_PINS: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "gpio": ((5, 6, 12, 13, 16, 19, 20, 26), (4, 17, 22, 23, 24, 25, 27, 21)),
    "expander": ((*range(8), 15), tuple(range(8, 15))),
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
    """Return the place in the matrix (row x columns + column) of each space."""
    driver, n = config.contacts.driver, board.grid.n
    rows, columns = contact_pins(config)
    places = {"mock": n, "mcu": _MCU_PLACES}.get(driver, len(rows) * len(columns))
    if places < n:
        raise ConfigError(
            f"[contacts] driver {driver} reads {places} places, the board has {n} spaces"
        )
    return _order("[contacts] order", config.contacts.order, n, places)


def contact_places(config: Config, board: Board) -> dict[int, tuple[int, int]]:
    """Return the (row, column) of the contact of each space; empty where there is no matrix."""
    columns = len(contact_pins(config)[1])
    if config.contacts.driver == "mcu":
        columns = _MCU_COLUMNS
    if not columns:
        return {}
    return {k: divmod(place, columns) for k, place in enumerate(contact_order(config, board))}


def contact_pins(config: Config) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the pins of the rows and of the columns; none unless the Pi reads the matrix."""
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
    light_order(config, board)
    contact_order(config, board)


def _check_pins(config: Config) -> None:
    contacts, driver = config.contacts, config.pixels.driver
    rows, columns = contact_pins(config)
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


# -- places ---------------------------------------------------------------------------------------


def config_path(
    given: str | Path | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    platform: str = sys.platform,
) -> Path | None:
    """Return the config file to load: `given`, $SORCEL_CONFIG, the user's, the system's, or None.

    The first two are returned whether or not they exist, as somebody asked for them.
    """
    environ = os.environ if environ is None else environ
    asked = given or environ.get("SORCEL_CONFIG")
    if asked:
        return Path(asked)
    places = config_places(environ=environ, platform=platform)
    return next((path for path in places if _is_file(path)), None)


def config_places(
    *, environ: Mapping[str, str] | None = None, platform: str = sys.platform
) -> list[Path]:
    """Return where a config file that nobody names is looked for: the user's, the system's."""
    environ = os.environ if environ is None else environ
    own = _user_folder("XDG_CONFIG_HOME", ".config", environ, platform)
    places = [own / "config.toml"] if own else []
    if platform != "win32":
        places.append(SYSTEM_CONFIG)
    return places


def state_path(
    config: Config,
    *,
    environ: Mapping[str, str] | None = None,
    platform: str = sys.platform,
) -> Path:
    """Return the folder for games: the config's, systemd's $STATE_DIRECTORY, or the user's."""
    environ = os.environ if environ is None else environ
    asked = config.store.path or environ.get("STATE_DIRECTORY", "").split(":")[0]
    if asked:
        return Path(asked)
    own = _user_folder("XDG_STATE_HOME", ".local/state", environ, platform)
    if own is None:
        raise ConfigError("[store] path is empty, and this user has no home folder to keep games")
    return own


def _user_folder(
    variable: str, usual: str, environ: Mapping[str, str], platform: str
) -> Path | None:
    try:
        home = Path(environ["HOME"]) if environ.get("HOME") else Path.home()
    except RuntimeError:
        return None
    if platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / _APP
    if platform == "darwin":
        return home / "Library" / "Application Support" / _APP
    named = Path(environ.get(variable, ""))  # the standard says: ignored if not absolute
    return (named if named.is_absolute() else home / usual) / _APP


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a folder on the way may not be entered
        return False
