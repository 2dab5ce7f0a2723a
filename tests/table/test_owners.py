"""State has one owner: who writes whose attributes in the table, counted from the sources."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

TABLE = Path(__file__).parents[2] / "sorcel_pi/table"
MOST_PER_1000 = 3.0
OWN = ("self", "cls")


class Write(NamedTuple):
    """An assignment to an attribute of an object that is not `self`."""

    where: str
    what: str


def foreign_writes(source: str, where: str) -> Iterator[Write]:
    """Yield the writes to attributes of other objects, `a.b = c`, `a.b += c` and `self.a.b = c`."""
    for node in ast.walk(ast.parse(source)):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign):
            targets = [node.target]
        for target in targets:
            for part in target.elts if isinstance(target, ast.Tuple) else [target]:
                if isinstance(part, ast.Attribute):
                    owner = ast.unparse(part.value)
                    if owner not in OWN:
                        yield Write(f"{where}:{part.lineno}", f"{owner}.{part.attr}")


def classes(source: str) -> Iterator[ast.ClassDef]:
    yield from (n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.ClassDef))


def sources() -> dict[str, str]:
    return {
        str(path.relative_to(TABLE)): path.read_text(encoding="utf-8")
        for path in sorted(TABLE.rglob("*.py"))
    }


def test_nobody_writes_what_others_own(capsys: pytest.CaptureFixture[str]) -> None:
    found = [
        write for where, source in sources().items() for write in foreign_writes(source, where)
    ]
    lines = sum(source.count("\n") for source in sources().values())
    per_1000 = 1000 * len(found) / lines
    with capsys.disabled():
        print(f"\n{len(found)} writes to attributes of other objects in {lines} lines of table/")
    assert per_1000 <= MOST_PER_1000, found


def test_no_class_is_continued_in_another_file() -> None:
    homes = {made.name: where for where, source in sources().items() for made in classes(source)}
    for where, source in sources().items():
        for made in classes(source):
            for base in made.bases:
                home = homes.get(ast.unparse(base))
                assert home in (None, where), f"{made.name} continues {ast.unparse(base)}"


def test_no_function_takes_an_object_to_write_into_it() -> None:
    for where, source in sources().items():
        for node in ast.parse(source).body:
            if isinstance(node, ast.FunctionDef):
                written = {
                    w.what.partition(".")[0] for w in foreign_writes(ast.unparse(node), where)
                }
                assert not written & {arg.arg for arg in node.args.args}, f"{where}: {node.name}"


def test_the_count_can_fail() -> None:
    source = "class A:\n    def f(self, b):\n        self.x = b.y\n        b.y = self.c.z = 1\n"
    assert [write.what for write in foreign_writes(source, "a")] == ["b.y", "self.c.z"]
