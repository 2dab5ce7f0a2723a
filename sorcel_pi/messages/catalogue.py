"""The page's catalogue of texts, for what is said in a terminal in the same words.

The page reads the same file, `texts.json`, and fills the same gaps in its `texts.js`.
"""

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any

from .message import Message

NAMED = ("kind", "side", "way")
"""Gaps that hold the name of another text: `way` 0 stands for the text `way.0`."""


def render(line: Message) -> str:
    """Return a sentence in English; KeyError if the catalogue has no such text.

    >>> render(Message("cal.found", {"at": "a1", "places": [[0, 3]]}))
    'a1: row 0, column 3.'
    """
    text, gaps = languages()["en"][line.key], line.gaps
    if isinstance(text, dict):
        text = text["one" if gaps.get("n") == 1 else "other"]
    return re.sub(r"\{(\w+)\}", lambda gap: _filled(gap[1], gaps.get(gap[1], "")), text)


def _filled(name: str, value: Any) -> str:
    if name in NAMED:
        return render(Message(f"{name}.{value}", {}))
    if name == "places":
        return "; ".join(render(Message("place", {"row": r, "column": c})) for r, c in value)
    return str(value)


@cache
def languages() -> dict[str, dict[str, Any]]:
    """Return all texts of each language, by its tag."""
    text = files(__package__).joinpath("texts.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, Any]] = json.loads(text)
    return found
