"""Changing single keys of a config file without touching the rest, comments least of all.

>>> amend('[lights] # mine\\nfps = 9\\n', "lights", "order", [1, 0])
'[lights] # mine\\nfps = 9\\norder = [1, 0]\\n'
"""

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import ConfigError, quote
from .load import config_from_text, format_config
from .schema import Config

Changes = Mapping[str, Mapping[str, Any]]
"""By section, then by key."""


def amend(text: str, section: str, key: str, value: object) -> str:
    """Return `text` with one key set; the lines of its old value go, all others stay."""
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    new = f"{key} = {json.dumps(value, ensure_ascii=False)}\n"
    heads = [k for k, line in enumerate(lines) if re.match(r"\s*\[\w+\]\s*(#.*)?$", line)]
    begin = next((k for k in heads if re.match(rf"\s*\[{section}\]", lines[k])), None)
    if begin is None:
        return "".join([*lines, "\n" * bool(lines), f"[{section}]\n", new])
    end = next((k for k in heads if k > begin), len(lines))
    for k in range(begin + 1, end):
        if re.match(rf"\s*{key}\s*=", lines[k]):
            lines[k : _end_of_value(lines, k)] = [new]
            return "".join(lines)
    while not lines[end - 1].strip():
        end -= 1
    lines.insert(end, new)
    return "".join(lines)


def _end_of_value(lines: list[str], begin: int) -> int:
    """Return the line after the value that begins on a line: a list may have several."""
    depth = 0
    for k in range(begin, len(lines)):
        bare = re.sub(r'"(\\.|[^"\\])*"|\'[^\']*\'|#.*', "", lines[k])
        depth += bare.count("[") - bare.count("]")
        if depth <= 0:
            return k + 1
    return len(lines)


def amended(text: str, changes: Changes, *, where: str = "config") -> str:
    """Return `text` with all changes; written anew where that cannot be done line by line."""
    before = config_from_text(text, where=where)
    wanted = changed(before, changes)
    new = text
    for section, keys in changes.items():
        for key, value in keys.items():
            new = amend(new, section, key, value)
    with suppress(ConfigError):
        if config_from_text(new) == wanted:
            return new
    return format_config(wanted, comments=True)


def changed(config: Config, changes: Changes) -> Config:
    """Return a config with all changes."""
    sections: dict[str, Any] = {
        name: replace(getattr(config, name), **keys) for name, keys in changes.items()
    }
    return replace(config, **sections)


def write_changes(path: Path, changes: Changes) -> None:
    """Change a config file; it is whole at any time.  Raises `ConfigError`."""
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        new = amended(text, changes, where=f"config file {quote(path)}")
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f"{path.name}.new")
        with beside.open("w", encoding="utf-8") as file:
            file.write(new)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"config file {quote(path)} cannot be changed: {error}") from None
