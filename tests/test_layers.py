"""The rooms: a module imports only from its own room and from rooms above it, never in a circle.

A room is a folder (or a single module) that owns its state; CONTRIBUTING.md says what each is for.
"""

import ast
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

# From the inside outwards. Rooms in one row do not import each other. A room is everything whose
# name begins so, unless a longer name in this list fits better.
ROOMS = [
    "errors",
    "boards messages wire table.timing",
    "rules",
    "__init__",  # sorcel_pi itself: the public names
    "engine rulebook",
    "config",
    "table.timers table.relocation table.events",
    "table.view",
    "table.sensing",
    "table.tracking",
    "table.referee",
    "table.lights",
    "table",
    "drivers.ports",
    "drivers.gpio_lines drivers.mcu_link",
    "drivers.shift",
    "drivers.mock drivers.matrix drivers.expander drivers.pixels drivers.mcu drivers.buttons store",
    "drivers",
    "sim calibration session pack players",
    "app",
    "host",
    "web",
    "doctor",
    "commands",
    "cli",
    "__main__",
]
PURE = {"rules", "table", "wire"}
NOT_PURE = {"asyncio", "logging", "os", "random", "socket", "threading", "time"}
HARDWARE = {"RPi", "board", "busio", "digitalio", "gpiozero", "lgpio", "neopixel", "neopixel_spi"}
HARDWARE |= {"rpi_ws281x", "serial", "smbus", "smbus2", "spidev"}


def room_of(module: str) -> tuple[int, str]:
    """Return the row of the room of a module, and the room's name; -1 if it has none."""
    rows = {room: row for row, rooms in enumerate(ROOMS) for room in rooms.split()}
    fits = [room for room in rows if f"{module}.".startswith(f"{room}.")]
    room = max(fits, key=len, default="")
    return (rows[room], room) if room else (-1, "")


def imports(tree: ast.Module, package: list[str]) -> Iterator[tuple[str, bool]]:
    """Yield the full name of everything imported, and whether it is inside a function."""
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    inside = {id(node) for function in functions for node in ast.walk(function)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, id(node) in inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            base = [*above, *([node.module] if node.module else [])]
            yield from ((".".join([*base, a.name]), id(node) in inside) for a in node.names)


def complaints(root: Path) -> list[str]:
    """Return what is wrong with the imports of the package in folder `root`, in words."""
    files = {".".join(p.relative_to(root).with_suffix("").parts): p for p in root.rglob("*.py")}
    modules = {name.removesuffix(".__init__"): path for name, path in files.items()}
    wrong = []
    graph: dict[str, set[str]] = {}
    for module, path in sorted(modules.items()):
        row, room = room_of(module or "__init__")
        if row < 0:
            wrong.append(f"{module} is in no room")
        package = [root.name, *path.relative_to(root).parent.parts]
        for name, inside in imports(ast.parse(path.read_text(encoding="utf-8")), package):
            top, *rest = name.split(".")
            if top == root.name:
                while rest and ".".join(rest) not in modules:
                    rest.pop()  # names in the module
                other = ".".join(rest) or "__init__"
                graph.setdefault(module, set()).add(other)
                other_row, other_room = room_of(other)
                if other_row > row or (other_row == row and other_room != room):
                    wrong.append(f"{module} imports {other}, which is not above it")
            elif module.split(".")[0] in PURE and (
                top in NOT_PURE or top not in sys.stdlib_module_names
            ):
                wrong.append(f"{module} is pure and imports {top}")
            if not inside and (top in HARDWARE or top.startswith("adafruit_")):
                wrong.append(f"{module} imports {top} before it is opened")
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        wrong.append(f"{error.args[1][0]} imports itself by way of {error.args[1][1:-1]}")
    return wrong


def test_imports_go_inwards_only() -> None:
    assert complaints(Path(__file__).parents[1] / "sorcel_pi") == []


@pytest.mark.parametrize(
    ("path", "source", "complaint"),
    [
        ("errors.py", "import os, time", None),
        ("rules/game.py", "from .hexgrid import ray\nfrom ..errors import X", None),
        ("rules/__init__.py", "from .hexgrid import ray", None),
        ("web/page.py", "from . import server\nfrom sorcel_pi import __version__", None),
        ("drivers/mcu.py", "def open_line():\n    import serial", None),
        ("extra.py", "", "extra is in no room"),
        ("errors.py", "from sorcel_pi.rules.hexgrid import ray", "errors imports rules.hexgrid,"),
        ("errors.py", "from .rules import hexgrid", "errors imports rules.hexgrid,"),
        ("rules/hexgrid.py", "from .. import app", "rules.hexgrid imports app,"),
        ("rules/hexgrid.py", "def f():\n    import sorcel_pi.app", "rules.hexgrid imports app,"),
        ("rules/game.py", "from .. import __version__", "rules.game imports __init__,"),
        ("drivers/mcu.py", "from .matrix import A", "drivers.mcu imports drivers.matrix,"),
        ("drivers/mcu.py", "from ..store import A", "drivers.mcu imports store,"),
        ("drivers/ports.py", "from .matrix import A", "drivers.ports imports drivers.matrix,"),
        ("web/server.py", "from . import page", "web.page imports itself by way of"),
        ("rules/board.py", "def f():\n    from os import path", "rules.board is pure and"),
        ("table/frame.py", "import rich.table", "table.frame is pure and imports rich"),
        ("wire.py", "from time import monotonic", "wire is pure and imports time"),
        ("drivers/mcu.py", "import serial.tools", "drivers.mcu imports serial before"),
        ("app.py", "class A:\n    import adafruit_pixelbuf", "app imports adafruit_"),
    ],
)
def test_the_checker_can_fail(
    tmp_path: Path, path: str, source: str, complaint: str | None
) -> None:
    package = tmp_path / "sorcel_pi"
    others = "__init__ app errors rules/hexgrid drivers/matrix store/__init__ web/server"
    files = {f"{other}.py": "" for other in others.split()}
    files |= {"web/page.py": "from . import server", path: source}
    for name, text in files.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text, encoding="utf-8")
    found = complaints(package)
    assert len(found) == (complaint is not None), found
    assert all(each.startswith(complaint or "-") for each in found)
