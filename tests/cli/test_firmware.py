"""`sorcel firmware`: with the real mpremote and MicroPython, and with the real firmware."""

import os
import subprocess
import sys
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import serial

from sorcel_pi import SorcelError, wire
from sorcel_pi.commands import firmware
from sorcel_pi.drivers.mcu import PRODUCT, VENDOR

from ..firmware.process import FILES, MICROPYTHON, ROOT, STUBS, Firmware, install, needs_micropython
from . import bad, good

PROMPT = STUBS.parent / "scripts" / "prompt.py"


@contextmanager
def terminal() -> Iterator[tuple[int, str]]:
    """Give the board's end of a line and the name of the port at the other."""
    master, slave = os.openpty()
    tty.setraw(slave)
    try:
        yield master, os.ttyname(slave)
    finally:
        os.close(slave)
        os.close(master)


@contextmanager
def at_the_prompt(flash: Path) -> Iterator[str]:
    """Give the port of a board that waits at its prompt, with `flash` as its files."""
    with terminal() as (master, port):
        board = subprocess.Popen([MICROPYTHON, PROMPT], stdin=master, stdout=master, cwd=flash)
        try:
            yield port
        finally:
            board.kill()
            board.wait()


SHIPPED = (ROOT / "firmware" / "settings.py").read_text(encoding="utf-8")
OLD = SHIPPED[: SHIPPED.index("MAX_MA")].replace("LIGHTS = 22", "LIGHTS = 28  # mine")


@needs_micropython
@pytest.mark.parametrize(
    ("own", "then"),
    [
        (None, SHIPPED),
        (OLD + "MAX_MA = 700\n", OLD + "MAX_MA = 700\n"),
        (OLD, OLD + SHIPPED[SHIPPED.index("MAX_MA") :]),  # of an older firmware
        ("ROWS = (1,\n", "ROWS = (1,\n"),  # the board will say what is wrong with it
    ],
    ids=["none", "complete", "lacks a key", "torn"],
)
def test_49_all_files_are_copied_and_the_board_keeps_its_settings(
    tmp_path: Path, own: str | None, then: str
) -> None:
    if own:
        (tmp_path / "settings.py").write_text(own, encoding="utf-8")
    with at_the_prompt(tmp_path) as port:
        firmware.install(port, None)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(f.name for f in FILES)
    for file in FILES:
        copied = (tmp_path / file.name).read_text(encoding="utf-8")
        wanted = then if file.name == "settings.py" else file.read_text(encoding="utf-8")
        assert copied == wanted


@needs_micropython
def test_settings_are_copied_when_they_are_given(tmp_path: Path) -> None:
    given = tmp_path / "mine.py"
    given.write_text("SPACES = 19\n", encoding="utf-8")
    (flash := tmp_path / "flash").mkdir()
    (flash / "settings.py").write_text("SPACES = 61\n", encoding="utf-8")
    with at_the_prompt(flash) as port:
        firmware.install(port, given)
    assert (flash / "settings.py").read_text(encoding="utf-8") == "SPACES = 19\n"


@contextmanager
def living(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    change: tuple[str, str] = ("-", "-"),
    *,
    file: str = "wire.py",
) -> Iterator[str]:
    """Give a port that answers; time passes for the board whenever somebody reads."""
    install(folder)
    flash = folder / file
    flash.write_text(flash.read_text(encoding="utf-8").replace(*change), encoding="utf-8")
    with terminal() as (master, port):
        made = Firmware(folder, master, master)
        ms = 0
        real = serial.Serial.read

        def read(self: Any, size: int = 1) -> bytes:
            nonlocal ms
            ms += 20
            made.go(ms * 1000)
            return real(self, size)

        monkeypatch.setattr("serial.Serial.read", read)
        with made:
            yield port


@needs_micropython
def test_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with living(tmp_path, monkeypatch) as port:
        assert good("firmware", "check", "--port", port) == (
            f"the board on {port}, firmware {wire.FIRMWARE}, lights within 1500 mA, "
            "serial number E6614104032B5C2F\n"
        )


@needs_micropython
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            (f'FIRMWARE = "{wire.FIRMWARE}"', 'FIRMWARE = "0.0.9"'),
            f"firmware 0.0.9; this program brings {wire.FIRMWARE}: sorcel firmware install",
        ),
        (("PROTOCOL = 2", "PROTOCOL = 7"), "speaks protocol 7, and this program protocols 1"),
    ],
)
def test_check_of_what_is_not_as_it_should_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: tuple[str, str], words: str
) -> None:
    with living(tmp_path, monkeypatch, change) as port:
        assert words in bad("firmware", "check", "--port", port)


@needs_micropython
def test_49_check_shows_what_the_board_complains_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "crash.txt").write_text("OSError: gone", encoding="utf-8")
    with living(tmp_path, monkeypatch) as port:
        said = good("firmware", "check", "--port", port).splitlines()
        assert said[1:] == ["the board says: crash: OSError: gone"]
    assert (tmp_path / "crash.txt").exists()  # the log has not had it yet


@needs_micropython
def test_49_check_of_a_board_whose_settings_are_older(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with living(tmp_path, monkeypatch, ("MAX_MA", "LIMIT_MA"), file="settings.py") as port:
        said = bad("firmware", "check", "--port", port)
    assert "settings.py lacks MAX_MA; what helps: sorcel firmware install" in said


def test_check_where_nothing_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(firmware, "ANSWER_TIMEOUT_S", 0)
    assert bad("firmware", "check", "--port", str(tmp_path / "none")).startswith("sorcel: ")


def port_of(device: str) -> SimpleNamespace:
    """Return a port as it is listed."""
    return SimpleNamespace(device=device, vid=VENDOR, pid=PRODUCT, serial_number="X")


def test_which_board(monkeypatch: pytest.MonkeyPatch) -> None:
    listed: list[SimpleNamespace] = [SimpleNamespace(device="/dev/ttyS0", vid=None, pid=None)]
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: listed)
    assert "no serial port with USB identity 2e8a:0005" in bad("firmware", "check")
    listed.append(port_of("/dev/ttyACM1"))
    assert firmware.only_board() == "/dev/ttyACM1"
    listed.append(port_of("/dev/ttyACM0"))
    assert "--port says which: /dev/ttyACM0, /dev/ttyACM1" in bad("firmware", "check")


def test_what_mpremote_says_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere = tmp_path / "ttyACM9"
    said = bad("firmware", "install", "--port", str(nowhere))
    assert said.startswith(f"sorcel: mpremote on {nowhere}: ")
    assert "mpremote: " not in said
    monkeypatch.setattr(firmware, "COPY_TIMEOUT_S", 0.01)
    assert "did not answer mpremote fs ls" in bad("firmware", "install", "--port", str(nowhere))


def test_without_mpremote_one_sentence_says_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(firmware, "find_spec", lambda name: None)
    said = bad("firmware", "install", "--port", "/dev/ttyACM0")
    assert f"needs mpremote: {sys.executable} -m pip install 'mpremote>=1.24'" in said


def test_the_files_are_found_in_a_checkout_and_in_an_installed_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert firmware.firmware_folder() == ROOT / "firmware"
    package = tmp_path / "sorcel_pi"
    monkeypatch.setattr(firmware, "PACKAGE", package)
    with pytest.raises(SorcelError, match="are not at"):
        firmware.firmware_folder()
    (package / "firmware").mkdir(parents=True)
    (package / "firmware" / "main.py").touch()
    assert firmware.firmware_folder() == package / "firmware"
    names = {file.name for file in FILES} - {"wire.py"}
    assert {*firmware.FILES, firmware.SETTINGS} == names
