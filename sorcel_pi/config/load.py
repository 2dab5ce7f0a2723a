"""The settings: one TOML file becomes one frozen `Config`; its keys are in `schema`.

`config_from_text` looks at each key alone, `wiring` at how they go together.
"""

import json
import tomllib
from dataclasses import fields, replace
from difflib import get_close_matches
from pathlib import Path
from textwrap import wrap
from typing import Any

from ..errors import ConfigError, quote
from .schema import STANDARD, Config, expected, keys_of, shown
from .wiring import check_config


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

    >>> print(format_config(Config()).partition("touch_move")[0].strip())
    [game]
    board = "standard"
    rules = "egressian"
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
