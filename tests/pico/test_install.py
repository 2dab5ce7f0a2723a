"""`sorcel firmware` with mpremote against the emulated Pico, at its own speed."""

import os
import select
import threading
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from sorcel_pi import SorcelError, wire
from sorcel_pi.commands import firmware

from ..firmware.process import install
from .chip import Chip, needs_pico

pytestmark = [needs_pico, pytest.mark.pico, pytest.mark.slow]

STEP_US = 5_000


@contextmanager
def plugged(chip: Chip) -> Iterator[str]:
    """Give a port at which the chip is."""
    master, slave = os.openpty()
    tty.setraw(slave)
    ended = threading.Event()

    def carry() -> None:
        while not ended.is_set():
            if select.select([master], [], [], 0)[0]:
                chip.send(os.read(master, 4096))
            said = chip.run(STEP_US).encode("latin1")
            with suppress(OSError):
                os.write(master, said)

    thread = threading.Thread(target=carry)
    thread.start()
    try:
        yield os.ttyname(slave)
    finally:
        ended.set()
        thread.join()
        os.close(slave)
        os.close(master)


def test_49_an_update_of_a_board_that_keeps_older_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = install(tmp_path) / "settings.py"
    old = settings.read_text(encoding="utf-8").partition("MAX_MA")[0]
    settings.write_text(old.replace("LIGHTS = 22", "LIGHTS = 22  # my wiring"), encoding="utf-8")
    chip = Chip(tmp_path)
    with plugged(chip) as port:
        with pytest.raises(SorcelError, match="lacks MAX_MA; what helps: sorcel firmware install"):
            firmware.check(port)
        firmware.install(port, None)
        said = firmware.check(port)
    assert "which had no such line:\nMAX_MA = 1500" in capsys.readouterr().out
    assert f"firmware {wire.FIRMWARE}, lights within 1500 mA" in said
    chip.send(b"\x03")
    chip.run(2e6, until=">>> $")
    kept = chip.ask("print(open('settings.py').read())")
    assert "LIGHTS = 22  # my wiring" in kept
    assert kept.rstrip().splitlines()[-1].startswith("MAX_MA = 1500")
    chip.close()
