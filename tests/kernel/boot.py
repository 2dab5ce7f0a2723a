"""Boots a real kernel with simulated hardware, and runs `guest.py` in it with this environment.

The machine is QEMU's without hardware acceleration.  Its files are this machine's own, read only;
its kernel is what `get-kernel` has fetched.  Everything is bounded, and ends with what it started.
"""

import lzma
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

HERE = Path(__file__).parent
FOLDER = Path(sys.prefix) / "kernel"
"""Beside the environment's own files, so that `make clean` takes it away."""
FETCH_S, RUN_S = 480, 360
# In the order in which they need each other.
MODULES = (
    *("configfs", "netfs", "9pnet", "9pnet_virtio", "9p", "gpio-sim", "usb-common", "usbcore"),
    *("udc-core", "libcomposite", "u_serial", "usb_f_acm", "dummy_hcd", "cdc-acm"),
)


class Result(NamedTuple):
    """What became of one check in the guest."""

    name: str
    passed: bool
    text: str


def run_guest() -> list[Result]:
    """Boot, run all checks, and return what became of them; skip where that cannot be done."""
    qemu, busybox = shutil.which("qemu-system-x86_64"), shutil.which("busybox")
    if qemu is None or busybox is None:
        pytest.skip("qemu-system-x86 or busybox-static is not installed")
    fetched = subprocess.run(
        [HERE / "get-kernel", FOLDER], capture_output=True, text=True, check=False, timeout=FETCH_S
    )
    if fetched.returncode:
        words = (fetched.stdout + fetched.stderr).strip().splitlines() or ["no reason given"]
        pytest.skip(f"no kernel with gpio-sim: {words[-1]}")
    initrd, log = FOLDER / "initrd", FOLDER / "console.log"
    initrd.write_bytes(initramfs(Path(busybox)))
    log.unlink(missing_ok=True)
    command = [
        *(qemu, "-M", "q35", "-accel", "tcg,thread=multi", "-cpu", "max", "-m", "1024"),
        *("-smp", "2", "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"),
        *("-serial", f"file:{log}", "-kernel", str(FOLDER / "vmlinuz"), "-initrd", str(initrd)),
        *("-append", "console=ttyS0 quiet panic=-1"),
        *("-virtfs", "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap"),
    ]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as machine:
        try:
            machine.wait(RUN_S)
        except subprocess.TimeoutExpired:
            machine.kill()
    return results(log.read_text(encoding="utf-8", errors="replace"))


def results(log: str) -> list[Result]:
    """Read what the guest has written to its console."""
    found = []
    for part in re.split(r"^== ", log.replace("\r", ""), flags=re.MULTILINE)[1:]:
        head, _, text = part.partition("\n")
        event, _, name = head.partition(" ")
        found.append(Result(name, event == "ok", text.strip()))
    if not found or found[-1].name != "end":
        found.append(Result("end", False, log[-4000:]))
    return found


def initramfs(busybox: Path) -> bytes:
    """Return a file system with what the kernel needs until the files of this machine are there."""
    packed = {path.stem.split(".")[0]: path for path in (FOLDER / "modules").rglob("*.ko*")}
    files: dict[str, tuple[bytes, int]] = {
        "bin/busybox": (busybox.read_bytes(), 0o755),
        "init": (init_script().encode(), 0o755),
    }
    for name in MODULES:
        path = packed[name] if name in packed else packed[name.replace("-", "_")]
        data = path.read_bytes()
        files[f"modules/{name}.ko"] = (
            lzma.decompress(data) if path.suffix == ".xz" else data,
            0o644,
        )
    folders = ("bin", "modules", "proc", "sys", "dev", "host")
    entries = [_entry(number, name, b"", 0o40755) for number, name in enumerate(folders, 1)]
    for number, (name, (data, mode)) in enumerate(files.items(), 100):
        entries.append(_entry(number, name, data, 0o100000 | mode))
    return b"".join([*entries, _entry(0, "TRAILER!!!", b"", 0)])


def _entry(number: int, name: str, data: bytes, mode: int) -> bytes:
    """Return a file in the form "newc" of cpio."""
    fields = (number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0)
    head = b"070701" + b"".join(f"{field:08X}".encode() for field in fields)
    named = head + name.encode() + b"\0"
    return named + bytes(-len(named) % 4) + data + bytes(-len(data) % 4)


def init_script() -> str:
    """Return what the machine does from its first moment to its last."""
    text = (HERE / "init.sh").read_text(encoding="utf-8")
    return (
        text.replace("@MODULES@", " ".join(MODULES))
        .replace("@PYTHON@", sys.executable)
        .replace("@ROOT@", str(HERE.parents[1]))
        .replace("@PATH@", os.environ.get("PATH", "/usr/bin:/bin"))
    )
