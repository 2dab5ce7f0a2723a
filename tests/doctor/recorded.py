"""Machines from files: what `tests/doctor/machines` holds, unpacked into a folder."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from sorcel_pi.host.machine import Machine, Node, Python, Ran, User

FOLDER = Path(__file__).with_name("machines")
MACHINES = ("pc", "pi4", "pi5", "zero2w")
ALL_GROUPS = frozenset({"pi", "gpio", "spi", "i2c", "dialout", "audio"})
PI = User("pi", 1000, ALL_GROUPS)
STRANGER = User("guest", 1001, frozenset({"guest"}))
ROOT = User("root", 0, frozenset({"root"}))
VENV = Python((3, 13, 5), "/opt/sorcel-pi/bin/python", True, True)
PACKAGES = {
    "gpiozero": "2.0.1.post3",
    "lgpio": "0.2.2.0",
    "gpiod": "2.3.0",
    "adafruit-circuitpython-neopixel": "6.4.2",
    "adafruit-circuitpython-neopixel-spi": "1.0.16",
    "adafruit-circuitpython-mcp230xx": "2.6.2",
    "pyserial": "3.5",
    "rpi_ws281x": "5.0.0",
}


def nothing_runs(arguments: Sequence[str]) -> Ran:
    return Ran(127, "")


def machine_of(
    name: str,
    folder: Path,
    *,
    user: User = PI,
    python: Python = VENV,
    packages: Mapping[str, str] = PACKAGES,
    run: Callable[[Sequence[str]], Ran] = nothing_runs,
) -> Machine:
    """Unpack a machine into `folder`."""
    nodes = {}
    for part in f"\n{(FOLDER / name).read_text(encoding='utf-8')}".split("\n== ")[1:]:
        path, _, text = part.partition("\n")
        if path == "nodes":
            nodes = {node.path: node for node in map(node_of, text.strip().splitlines())}
            continue
        file = folder / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        end = "\0" if path.startswith("/proc/device-tree") else "\n"
        file.write_text(text + end, encoding="utf-8")
    return Machine(folder, nodes, user, python, run, packages.get)


def node_of(line: str) -> Node:
    """Read a line as `ls -l` has it."""
    rights, owner, group, path = line.split()
    mode = sum(1 << (8 - k) for k, letter in enumerate(rights[1:]) if letter != "-")
    return Node(path, owner, group, mode)
