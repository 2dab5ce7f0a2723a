"""The files that go on a microcontroller: they compile for it, and there is no other copy."""

import subprocess
import sys
from pathlib import Path

import pytest

from sorcel_pi import wire

from .process import FILES, MICROPYTHON, ROOT, micropython, needs_micropython

MPY_CROSS = MICROPYTHON.with_name("mpy-cross")


@needs_micropython
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
@pytest.mark.parametrize("march", ["armv6m", "armv7emsp", "rv32imc"])  # RP2040, both of RP2350
def test_every_file_compiles(tmp_path: Path, file: Path, march: str) -> None:
    out = tmp_path / "out.mpy"
    subprocess.run([MPY_CROSS, f"-march={march}", "-o", out, file], check=True)
    assert out.stat().st_size > 0


def test_the_codec_is_there_once() -> None:
    copies = [path for path in ROOT.glob("**/wire.py") if ".venv" not in path.parts]
    assert copies == [ROOT / "sorcel_pi" / "wire.py"]
    assert {file.name for file in FILES} == {
        "app.py",
        "contacts.py",
        "lights.py",
        "line.py",
        "main.py",
        "settings.py",
        "wire.py",
    }


def test_it_can_be_read_in_one_sitting() -> None:
    own = [file for file in FILES if file.parent.name == "firmware"]
    assert sum(len(file.read_text(encoding="utf-8").splitlines()) for file in own) < 760


@needs_micropython
def test_it_says_the_version_that_the_host_expects() -> None:
    said = micropython("import wire; print(wire.PROTOCOL, wire.FIRMWARE)", path=[FILES[-1].parent])
    assert said.split() == [str(wire.PROTOCOL), wire.FIRMWARE]
    assert sys.implementation.name == "cpython"
