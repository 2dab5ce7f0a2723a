"""The firmware on a pseudo-terminal, pyserial at the other end, and all that may come over it."""

import os
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
import serial

from sorcel_pi import wire

from .fuzz import stream
from .process import Firmware, install, needs_micropython
from .talk import values

pytestmark = needs_micropython

BATCH = 8
BATCH_MS = 400
"""For a batch of some 2 kB, of which the board takes 64 bytes in 4 ms."""


@contextmanager
def on_terminal(folder: Path) -> Iterator[tuple[Firmware, serial.Serial]]:
    """Give a board whose standard input and output are a terminal, and its port."""
    master, slave = os.openpty()
    tty.setraw(slave)
    with Firmware(install(folder), master, master) as board:
        os.close(master)
        with serial.Serial(
            os.ttyname(slave), 115200, timeout=0, write_timeout=30, exclusive=True
        ) as port:
            os.close(slave)
            yield board, port


def answer(port: serial.Serial, decoder: wire.Decoder) -> list[wire.Message]:
    """Return what the board has said."""
    messages = []
    while data := port.read(65536):
        messages += decoder.feed(data)
    return messages


@pytest.mark.parametrize(
    "lines", [800, pytest.param(20_000, marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_31_whatever_comes_over_the_line_no_contact_is_told_that_is_not_there(
    tmp_path: Path, lines: int
) -> None:
    random = Random(5)
    arriving = stream(3, lines, device=True)
    decoder = wire.Decoder()
    states = [0]
    told = 0
    with on_terminal(tmp_path) as (board, port):
        for batch in range(lines // BATCH):
            for _ in range(BATCH):
                port.write(next(arriving)[1])
            states = [states[-1], random.getrandbits(64)]
            board.go((batch + 1) * BATCH_MS * 1000, contacts=states[-1])
            for octets in (value[1] for value in values(answer(port, decoder), wire.CONTACTS)):
                # Rows are read one after the other: each contact is as it was, or as it is.
                closed = int.from_bytes(octets, "big")
                assert (closed ^ states[0]) & (closed ^ states[1]) == 0
                told += 1
        # In the end it does what it is told, as if nothing had been.
        encoder = wire.Encoder()
        port.write(b"\n" + encoder.line(wire.HELLO, wire.pack_hello(1, "0.1.0", 61, wire.HOST)))
        port.write(encoder.line(wire.LIMIT, b"1500,GRB"))
        port.write(encoder.line(wire.FRAME, wire.pack_octets(bytes(180) + b"\x07\x08\x09")))
        decoder.restart()
        messages = []
        for extra in range(1, 50):
            board.go((lines // BATCH * BATCH_MS + 20 * extra) * 1000, contacts=states[-1])
            messages += answer(port, decoder)
        assert values(messages, wire.HELLO)
        assert board.colours()[60] == (7, 8, 9)
        assert board.events == ["watchdog 8000 ms"]
    assert told > lines / BATCH
    assert (decoder.bad, decoder.gaps, decoder.repeats) == (0, 0, 0)


def test_all_bytes_but_ctrl_c_do_no_harm(tmp_path: Path) -> None:
    with on_terminal(tmp_path) as (board, port):
        port.write(bytes(set(range(256)) - {3}) * 8)
        board.go(1_000_000)
        assert port.read(100) == b""
        encoder = wire.Encoder()
        hello = encoder.line(wire.HELLO, wire.pack_hello(1, "0.1.0", 61, wire.HOST))
        port.write(b"\r\n" + hello.replace(b"\n", b"\r\n"))
        heard = b""
        for k in range(1, 50):
            board.go(1_000_000 + 10_000 * k)
            heard += port.read(65536)
        assert heard.startswith(b"\nH,0,")
        assert b"\r" not in heard
        assert board.events == ["watchdog 8000 ms"]


def test_a_port_that_is_open_cannot_be_opened_by_another_program(tmp_path: Path) -> None:
    with (
        on_terminal(tmp_path) as (_, port),
        pytest.raises(serial.SerialException, match="exclusively lock"),
    ):
        serial.Serial(port.port, exclusive=True)
