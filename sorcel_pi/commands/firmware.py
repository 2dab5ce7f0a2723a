"""`sorcel firmware`: what runs on the microcontroller, put there and looked at."""

import ast
import subprocess
import sys
from enum import Enum
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from .. import SorcelError, wire
from ..drivers.mcu import PRODUCT, VENDOR, Mcu, board_ports
from ..drivers.mcu_link import LinkState
from ..errors import quote

PACKAGE = Path(__file__).parents[1]
SETTINGS = "settings.py"
FILES = ("contacts.py", "lights.py", "line.py", "app.py", "main.py")
"""The last one starts the others."""
MPREMOTE = f"{sys.executable} -m pip install 'mpremote>=1.24'"
COPY_TIMEOUT_S = 120.0
ANSWER_TIMEOUT_S = 20.0
TROUBLE_TIMEOUT_S = 0.3
"""Within which a board that has answered says what it complains about."""


class Deed(Enum):
    """What to do."""

    INSTALL = "install"
    CHECK = "check"


def firmware(
    deed: Annotated[
        Deed, typer.Argument(metavar="install|check", help="Put it there, or ask which is there.")
    ],
    port: Annotated[
        str, typer.Option(metavar="PORT", help="The serial port; without it, the only board.")
    ] = "",
    settings: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The board's settings.py; without it the board keeps its own and gets new keys.",
        ),
    ] = None,
) -> None:
    """Put the firmware on a Raspberry Pi Pico that runs MicroPython, or ask which it has.

    A program that uses the board has to be stopped before. If the Pico does not answer: take the
    power away, close its maintenance jumper (GP21 to ground), give it power and try again.
    """
    where = port or only_board()
    if deed is Deed.INSTALL:
        install(where, settings)
    typer.echo(check(where))


def only_board() -> str:
    """Return the port of the one board there is."""
    found = board_ports()
    if len(found) == 1:
        return found[0]
    if found:
        raise SorcelError(f"there are several boards; --port says which: {', '.join(found)}")
    raise SorcelError(
        f"there is no serial port with USB identity {VENDOR:04x}:{PRODUCT:04x}; a Pico needs "
        "MicroPython first (firmware/README.md says how), and --port names any other port"
    )


def install(port: str, settings: Path | None) -> None:
    """Copy all files, and start the board again."""
    if find_spec("mpremote") is None:
        raise SorcelError(f"putting files on the board needs mpremote: {MPREMOTE}")
    folder = firmware_folder()
    files = {name: folder / name for name in FILES} | {"wire.py": PACKAGE / "wire.py"}
    if settings is not None:
        files[SETTINGS] = settings
    elif SETTINGS not in mpremote(port, "fs", "ls").split():
        files[SETTINGS] = folder / SETTINGS
    with TemporaryDirectory() as place:
        if SETTINGS not in files:
            kept = mpremote(port, "fs", "cat", f":{SETTINGS}").replace("\r\n", "\n")
            if new := lacking(kept, (folder / SETTINGS).read_text(encoding="utf-8")):
                files[SETTINGS] = Path(place) / SETTINGS
                files[SETTINGS].write_text(kept.rstrip("\n") + "\n" + new, encoding="utf-8")
                typer.echo(
                    f"Added to the board's {SETTINGS}, which had no such line:\n{new}", nl=False
                )
        main = files.pop(FILES[-1])  # copied last: half an installation starts nothing
        steps = [["fs", "cp", str(file), f":{name}"] for name, file in files.items()]
        steps.append(["fs", "cp", str(main), f":{FILES[-1]}"])
        mpremote(port, *chain.from_iterable([*step, "+"] for step in steps), "reset")
    typer.echo(f"Copied {', '.join([*sorted(files), main.name])} to {port}")


def lacking(kept: str, shipped: str) -> str:
    """Return the lines of the shipped settings whose names the kept ones lack.

    What cannot be read is left as it is: the board says what is wrong with it.
    """
    try:
        names = set(_assigned(kept))
    except SyntaxError:
        return ""
    lines = shipped.splitlines(keepends=True)
    return "".join(lines[row - 1] for name, row in _assigned(shipped).items() if name not in names)


def _assigned(text: str) -> dict[str, int]:
    """Return the names that are assigned to in a file of settings, each with its line."""
    return {
        target.id: node.lineno
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def firmware_folder() -> Path:
    """Return where the files are: in the installed package, or beside it in a checkout."""
    for folder in (PACKAGE / "firmware", PACKAGE.parent / "firmware"):
        if (folder / FILES[-1]).is_file():
            return folder
    raise SorcelError(f"the files of the firmware are not at {quote(PACKAGE / 'firmware')}")


def mpremote(port: str, *arguments: str) -> str:
    """Run mpremote and return what it prints.

    With `resume` it does not reset the board first, which would leave its watchdog unfed.
    """
    command = [sys.executable, "-m", "mpremote", "connect", port, "resume", *arguments]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            check=False,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=COPY_TIMEOUT_S,
        )
    except subprocess.TimeoutExpired:
        raise SorcelError(f"{port} did not answer mpremote {' '.join(arguments[:2])}") from None
    if done.returncode:
        words = (done.stderr or done.stdout).strip().splitlines() or ["no reason given"]
        raise SorcelError(f"mpremote on {port}: {words[-1].removeprefix('mpremote: ')}")
    return done.stdout


def check(port: str) -> str:
    """Return in words what runs on the board; `SorcelError` if it is not what it should be."""
    with Mcu(0, port=port) as mcu:
        # A board that was just reset is gone for a moment, so only an answer counts.
        mcu.wait_for(lambda: mcu.status.state.answered, ANSWER_TIMEOUT_S)
        status = mcu.status
        mcu.wait_for(lambda: bool(mcu.troubles), TROUBLE_TIMEOUT_S)
        troubles = mcu.troubles
    if status.state is not LinkState.CONNECTED:
        raise SorcelError(status.text)
    if status.firmware != wire.FIRMWARE:
        raise SorcelError(
            f"{status.text}; this program brings {wire.FIRMWARE}: sorcel firmware install"
        )
    lines = [f"{status.text}, lights within {status.limit_ma} mA, serial number {status.board}"]
    lines += [f"the board says: {trouble.code}: {trouble.text}" for trouble in troubles]
    return "\n".join([*lines, *status.advice])
