"""The second distribution: what is built for other machines, and whether it is right there."""

import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from .kit import ROOT, build_hook, has_compiler, random_positions

WHEELS = ROOT / "build" / "wheels"
HARNESS = Path(__file__).parent / "harness.c"
MOST_BYTES = {"armv7l": 1_000_000}
QEMU = {"linux-aarch64": "qemu-aarch64-static", "linux-armv7": "qemu-arm-static"}


def zig() -> str | None:
    """Return a Python with ziglang: that of `make engine-wheels`."""
    python = ROOT / ".venv-wheels" / "bin" / "python"
    found = python.exists() and any(python.parents[1].glob("lib/*/site-packages/ziglang"))
    return str(python) if found else None


def lines(count: int) -> Iterator[str]:
    for position in islice(random_positions(77), count):
        rules, coins = position.rules, position.coins
        numbers = [
            rules.shifs,
            rules.detained,
            int(rules.placement_pushes),
            int(rules.early_end),
            int(rules.pot),
            *position.pieces,
            *(coins if coins is not None else (0, 0, 0, 0)),
            int(position.side),
            position.steps_left,
            position.steps_made,
        ]
        yield " ".join(map(str, numbers))


def test_the_wheel_of_this_machine(tmp_path: Path) -> None:
    """It is built, holds the library and no source, is small, and is what a Python here loads."""
    if not has_compiler():
        pytest.skip("no C compiler (cc) is installed")
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        check=False,
        cwd=ROOT / "engine",
        capture_output=True,
        text=True,
        env=os.environ | {"SORCEL_ENGINE_TARGET": ""},
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert wheel.name.startswith("sorcel_engine-") and "-py3-none-" in wheel.name
    assert wheel.stat().st_size < 250_000
    with zipfile.ZipFile(wheel) as archive:
        names = {Path(name).name for name in archive.namelist()}
        archive.extractall(tmp_path / "site")
    assert build_hook().own_library() in names and "engine.c" not in names
    said = subprocess.run(
        [
            sys.executable,
            "-c",
            "from sorcel_pi.engine.native import find_library; print(find_library().path)",
        ],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "site")},
    )
    assert said.stdout.strip().startswith(str(tmp_path / "site" / "sorcel_engine")), said.stderr


def test_every_target_has_a_command() -> None:
    hook = build_hook()
    for target in hook.TARGETS:
        words = hook.command(Path("engine.c"), Path("out"), target)
        assert "ziglang" in words and "-shared" in words
    with pytest.raises(SystemExit, match="no target"):
        hook.command(Path("engine.c"), Path("out"), "amiga")


def output_of(command: list[str], text: str) -> str:
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
@pytest.mark.parametrize("target", QEMU)
def test_other_processors_play_and_think_the_same(target: str, tmp_path: Path) -> None:
    python, qemu = zig(), shutil.which(QEMU[target])
    if python is None or qemu is None:
        pytest.skip(f"needs `make engine-wheels` and {QEMU[target]}")
    triple = build_hook().TARGETS[target].triple.split(".")[0].replace("gnu", "musl")
    own, other = tmp_path / "own", tmp_path / "other"
    subprocess.run(["cc", "-O2", "-o", str(own), str(HARNESS)], check=True)
    cross = [python, "-m", "ziglang", "cc", "-target", triple, "-static", "-O2"]
    subprocess.run([*cross, "-o", str(other), str(HARNESS)], check=True)
    text = "\n".join(lines(3_000)) + "\n"
    expected = output_of([str(own)], text)
    assert expected.count("\n") == 3_000
    assert output_of([qemu, str(other)], text) == expected


@pytest.mark.slow
def test_the_wheels_are_small() -> None:
    wheels = list(WHEELS.glob("*.whl"))
    if not wheels:
        pytest.skip("needs `make engine-wheels`")
    tags = {wheel.stem.rpartition("-")[2] for wheel in wheels}
    assert tags == {target.tag for target in build_hook().TARGETS.values()}
    for wheel in wheels:
        most = next((m for end, m in MOST_BYTES.items() if wheel.stem.endswith(end)), 250_000)
        print(wheel.name, wheel.stat().st_size)
        assert wheel.stat().st_size <= most
