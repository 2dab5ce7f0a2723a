"""Every sentence that the program can say is in the catalogue, with just the gaps it fills."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

PACKAGE = Path(__file__).parents[2] / "sorcel_pi"
TEXTS: dict[str, dict[str, Any]] = json.loads(
    (PACKAGE / "messages/texts.json").read_text(encoding="utf-8")
)


class Said(NamedTuple):
    """A call of `message` in the sources; `gaps` is None where they are not written out."""

    where: str
    key: str
    gaps: frozenset[str] | None


def said_in(source: str, where: str) -> Iterator[Said]:
    """Yield the sentences that a source says by keys that are written out."""
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "message"):
            continue
        if not (node.args and isinstance(node.args[0], ast.Constant | ast.IfExp)):
            continue
        names = {keyword.arg for keyword in node.keywords}
        gaps = None if None in names else frozenset(filter(None, names))
        first = node.args[0]
        keys = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
        for key in keys:
            assert isinstance(key, ast.Constant)
            yield Said(f"{where}:{node.lineno}", str(key.value), gaps)


def complaints(said: Said) -> list[str]:
    """Return what is wrong with a sentence, in words."""
    text = TEXTS["en"].get(said.key)
    if text is None:
        return [f"{said.where}: {said.key} is not in the catalogue"]
    gaps = set(re.findall(r"\{(\w+)\}", json.dumps(text)))
    if said.gaps is not None and gaps - said.gaps:
        return [f"{said.where}: {said.key} leaves a gap: {gaps - said.gaps}"]
    return []


def test_every_message_has_its_text_and_fills_its_gaps() -> None:
    found = [
        said
        for path in PACKAGE.rglob("*.py")
        for said in said_in(path.read_text(encoding="utf-8"), str(path.relative_to(PACKAGE)))
    ]
    assert len(found) > 60
    assert [words for said in found for words in complaints(said)] == []


def test_a_wrong_key_and_a_gap_are_found() -> None:
    source = 'message("notice.over")\nmessage("notice.nothing")\nmessage("notice.diode", to=1)\n'
    found = [words for said in said_in(source, "x") for words in complaints(said)]
    assert found == [
        "x:2: notice.nothing is not in the catalogue",
        "x:3: notice.diode leaves a gap: {'at'}",
    ]
