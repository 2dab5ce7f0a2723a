"""Builds the library and puts it into the wheel: for this machine, or crosswise with ziglang.

The environment variable SORCEL_ENGINE_TARGET names one of `TARGETS`; without it the C compiler of
this machine builds for this machine.
"""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any, NamedTuple

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

FLAGS = ["-std=c11", "-O3", "-shared", "-fvisibility=hidden", "-Wall", "-Wextra"]
WINDOWS = "windows-amd64"


class Target(NamedTuple):
    """A platform: what zig calls it, what wheels call it, the name of the library."""

    triple: str
    tag: str
    library: str
    flags: tuple[str, ...] = ()


TARGETS = {
    "linux-x86_64": Target(
        "x86_64-linux-gnu.2.17",
        "manylinux_2_17_x86_64",
        "libsorcel_engine.so",
        ("-mcpu=x86_64_v2",),
    ),
    "linux-aarch64": Target(
        "aarch64-linux-gnu.2.17", "manylinux_2_17_aarch64", "libsorcel_engine.so"
    ),
    "linux-armv7": Target(
        "arm-linux-gnueabihf.2.17", "manylinux_2_17_armv7l", "libsorcel_engine.so"
    ),
    "musl-x86_64": Target(
        "x86_64-linux-musl", "musllinux_1_2_x86_64", "libsorcel_engine.so", ("-mcpu=x86_64_v2",)
    ),
    "musl-aarch64": Target("aarch64-linux-musl", "musllinux_1_2_aarch64", "libsorcel_engine.so"),
    "macos-x86_64": Target("x86_64-macos", "macosx_11_0_x86_64", "libsorcel_engine.dylib"),
    "macos-arm64": Target("aarch64-macos", "macosx_11_0_arm64", "libsorcel_engine.dylib"),
    WINDOWS: Target("x86_64-windows-gnu", "win_amd64", "sorcel_engine.dll"),
}


def command(source: Path, out: Path, target: str | None = None) -> list[str]:
    """Return the command that compiles `source` into the library `out`."""
    if target is None:
        own = FLAGS if sys.platform == "win32" else [*FLAGS, "-fPIC"]
        return [os.environ.get("CC", "cc"), *own, "-o", str(out), str(source)]
    if target not in TARGETS:
        raise SystemExit(f"no target {target}; there are {', '.join(TARGETS)}")
    each = TARGETS[target]
    zig = [sys.executable, "-m", "ziglang", "cc", "-target", each.triple, "-s"]
    position_independent = [] if target == WINDOWS else ["-fPIC"]
    return [*zig, *each.flags, *FLAGS, *position_independent, "-o", str(out), str(source)]


def own_library() -> str:
    """Return the name of the library on this machine."""
    return {"win32": "sorcel_engine.dll", "darwin": "libsorcel_engine.dylib"}.get(
        sys.platform, "libsorcel_engine.so"
    )


class LibraryHook(BuildHookInterface[Any]):
    """Compiles before the wheel is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the library and the platform's tag to a wheel."""
        if self.target_name != "wheel":
            return
        target = os.environ.get("SORCEL_ENGINE_TARGET") or None
        name = TARGETS[target].library if target in TARGETS else own_library()
        folder = Path(self.directory, "lib", target or "own")
        folder.mkdir(parents=True, exist_ok=True)
        source = Path(self.root, "sorcel_engine", "engine.c")
        subprocess.run(command(source, folder / name, target), check=True)
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        tag = TARGETS[target].tag if target in TARGETS else platform
        build_data |= {"pure_python": False, "tag": f"py3-none-{tag}"}
        build_data["force_include"][str(folder / name)] = f"sorcel_engine/{name}"
