"""The codec of the serial line: what it says, what it refuses, and that nothing gets past it."""

import io
import runpy
import sys
from contextlib import redirect_stdout
from itertools import islice
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorcel_pi import wire
from sorcel_pi.wire import Decoder, Encoder

from .fuzz import stream, whole_lines
from .process import ROOT, micropython, needs_micropython

CODEC = Path(__file__).parent / "scripts" / "codec.py"
HOST_HELLO = Encoder().line(wire.HELLO, wire.pack_hello(1, "0.1.0", 61, wire.HOST))


def greeted(*, device: bool = False) -> tuple[Encoder, Decoder]:
    """Return both ends of a line over which a hello has gone."""
    encoder, decoder = Encoder(), Decoder(device=device)
    decoder.feed(encoder.line(wire.HELLO, wire.pack_hello(1, "0.1.0", 61, wire.HOST)))
    return encoder, decoder


def resummed(body: bytes) -> bytes:
    """Return a line whose checksum is right, whatever it says."""
    return body + b"*" + wire._checksum(body) + b"\n"


@pytest.mark.parametrize("device", [False, True])
@pytest.mark.parametrize("size", [1, 7, 64, 4096])
def test_what_is_sent_arrives_in_pieces_of_any_size(device: bool, size: int) -> None:
    pairs = [*islice(whole_lines(Random(1), device=device), 500)]
    data = b"".join(line for _, line in pairs)
    decoder = Decoder(device=device)
    got = [m for k in range(0, len(data), size) for m in decoder.feed(data[k : k + size])]
    assert [tuple(message) for message in got] == [sent for sent, _ in pairs]
    assert (decoder.bad, decoder.gaps, decoder.repeats) == (0, 0, 0)
    assert {message.kind for message in got} == set(wire.FROM_HOST if device else wire.FROM_DEVICE)


def test_lines_are_printable_and_short() -> None:
    for device in (False, True):
        for _, line in islice(whole_lines(Random(2), device=device, spaces=64), 500):
            assert line.endswith(b"\n")
            assert all(0x20 <= byte < 0x7F for byte in line[:-1])
            assert len(line) <= wire.MAX_LINE


def test_both_line_endings_and_blank_lines() -> None:
    encoder, decoder = greeted()
    data = b"\r\n\n\r\n" + encoder.line(wire.ALIVE)[:-1] + b"\r\n\n" + encoder.line(wire.ALIVE)
    assert [message.kind for message in decoder.feed(data)] == ["P", "P"]
    assert decoder.bad == 0


def test_the_sequence_goes_round() -> None:
    encoder, decoder = greeted()
    encoder.seq = decoder._next = 65535
    data = encoder.line(wire.ALIVE) + encoder.line(wire.ALIVE)
    assert [message.seq for message in decoder.feed(data)] == [65535, 0]
    assert decoder.gaps == 0


def test_loss_shows_as_a_gap_and_a_repetition_is_dropped() -> None:
    encoder, decoder = greeted()
    first, lost, last = (encoder.line(wire.BUTTONS, b"%d" % k) for k in (1, 2, 3))
    assert lost
    got = decoder.feed(first + first + last + first + last)
    assert [message.value for message in got] == [1, 3]
    assert (decoder.gaps, decoder.missed, decoder.repeats, decoder.bad) == (1, 1, 3, 0)


def test_nothing_counts_before_a_hello() -> None:
    encoder, decoder = Encoder(), Decoder()
    encoder.seq = 40000
    assert decoder.feed(encoder.line(wire.BUTTONS, b"1")) == []
    assert len(decoder.feed(HOST_HELLO)) == 1
    decoder.restart()
    assert decoder.feed(encoder.line(wire.BUTTONS, b"1")) == []
    assert (decoder.gaps, decoder.repeats, decoder.bad) == (0, 0, 0)


def test_a_device_may_be_greeted_anew_at_any_time_and_a_host_only_when_it_asks() -> None:
    for device, greetings in ((True, 1), (False, 0)):
        encoder, decoder = greeted(device=device)
        decoder.feed(encoder.line(wire.ALIVE) * 2 + encoder.line(wire.ALIVE))
        assert len(decoder.feed(HOST_HELLO)) == greetings
        decoder.restart()
        assert len(decoder.feed(HOST_HELLO)) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"B",
        b"B,1",
        b"X,1,",
        b"b,1,3",
        b"\xc3\xa9,1,",
        b"B,1,8",
        b"B,1,33",
        b"B,1,",
        b"B,-1,3",
        b"B,+1,3",
        b"B, 1,3",
        b"B,1_0,3",
        b"B,65536,3",
        b"B,99999999999,3",
        b"P,1,0",
        b"R,1,00",
        b"S,1,5,0000000000000",
        b"S,1,5,00000000000000zz",
        b"S,1,5,000000000000000000",
        b"S,1,5,00000000000000",
        b"R,1,000000000000000000",
        b"S,1,0000000000000000",
        b"S,1,4294967296,0000000000000000",
        b"S,1,5,0000000000000000,",
        b"E,1,lost",
        b"E,1,lost,",
        b"E,1,lost,a\x03b",
        b"E,1,lost," + b"x" * 81,
        b"H,1,1,0.1.0,61",
        b"H,1,1,0.1.0,61,x,y",
        b"H,1,1,0.1.0,61,x,",
        b"H,1,1,0.1.0,61,x,1500,7",
        b"H,1,2,0.3.0,61,x,1500,0",
        b"H,1,2,0.3.0,61,x,1500,520",
        b"H,1,2,0.3.0,61,x,1500,80,9",
        b"H,1,2,0.3.0,61,x,,80",
        b"H,1,1,0.1.0,61,x,100000",
        b"H,1,1,,61,x",
        b"F,1," + b"00" * 183,
        b"Q,1,",
    ],
)
def test_what_a_device_cannot_say_is_counted_and_dropped(body: bytes) -> None:
    _, decoder = greeted()
    assert decoder.feed(resummed(body)) == []
    assert decoder.bad == 1


@pytest.mark.parametrize(
    "body",
    [
        b"F,1,",
        b"F,1,0000",
        b"F,1,0000000",
        b"D,1,",
        b"D,1,000102",
        b"L,1,",
        b"L,1,100000",
        b"L,1,1500,",
        b"L,1,1500,GGB",
        b"L,1,1500,GRBX",
        b"L,1,1500,GRBWW",
        b"L,1,1500,GRB,",
        b"R,1,2x",
        b"Q,1,\x07",
        b"S,1,5,0000000000000000",
    ],
)
def test_what_a_host_cannot_say_is_counted_and_dropped(body: bytes) -> None:
    _, decoder = greeted(device=True)
    assert decoder.feed(resummed(body)) == []
    assert decoder.bad == 1


def test_the_order_of_colours_may_be_left_out() -> None:
    assert wire.unpack_limit(b"1500") == (1500, "GRB")
    assert wire.unpack_limit(b"1500,BRGW") == (1500, "BRGW")


@pytest.mark.parametrize("places", [8, 40, 224, 512])
def test_a_hello_says_how_many_places_are_told_from_then_on(places: int) -> None:
    encoder, decoder = Encoder(), Decoder()
    first = encoder.line(wire.HELLO, wire.pack_hello(2, "0.3.0", 169, "X", 1500, places))
    octets = Random(places).randbytes(places // 8)
    lines = [
        encoder.line(wire.CONTACTS, wire.pack_contacts(5, octets)),
        encoder.line(wire.RAW, wire.pack_octets(octets)),
    ]
    hello, contacts, raw = decoder.feed(first + b"".join(lines))
    assert (hello.value[5], contacts.value, raw.value) == (places, (5, octets), octets)
    assert decoder.feed(encoder.line(wire.CONTACTS, wire.pack_contacts(5, octets + b"0"))) == []
    assert decoder.bad == 1


def test_a_device_takes_lines_as_long_as_its_lights_need() -> None:
    for lights, taken in ((169, 1), (61, 0)):
        encoder, decoder = Encoder(), Decoder(device=True, lights=lights)
        decoder.feed(HOST_HELLO)
        encoder.seq = 65535
        decoder._next = 65535
        line = encoder.line(wire.FRAME, wire.pack_octets(bytes(3 * 169)))
        pieces = [line[k : k + 512] for k in range(0, len(line), 512)]
        assert sum(len(decoder.feed(piece)) for piece in pieces) == taken
        assert decoder.bad == 1 - taken


def test_trouble_is_made_printable() -> None:
    code, text = wire.unpack_trouble(wire.pack_trouble("crash", "é\n*," + 200 * "x"))
    assert (code, text) == ("crash", "??*," + 76 * "x")


@pytest.mark.parametrize("digit", range(8))
def test_every_digit_of_the_checksum_counts(digit: int) -> None:
    encoder, decoder = greeted()
    line = bytearray(encoder.line(wire.BUTTONS, b"1"))
    line[-2 - digit] ^= 1
    assert decoder.feed(bytes(line)) == []
    assert decoder.bad == 1


def test_a_line_without_end_is_not_kept() -> None:
    encoder, decoder = greeted()
    for _ in range(1000):
        assert decoder.feed(b"x" * 997) == []
        assert len(decoder._held) <= wire.MAX_LINE + 1
    assert decoder.bad == 1
    got = decoder.feed(b"yyy\n" + encoder.line(wire.BUTTONS, b"1"))
    assert [message.value for message in got] == [1]
    assert decoder.bad == 1


def test_a_line_that_is_too_long_is_dropped_even_if_it_comes_at_once() -> None:
    _, decoder = greeted()
    assert decoder.feed(resummed(b"E,1,lost," + b"x" * 500)) == []
    assert decoder.bad == 1


@given(st.lists(st.binary(max_size=600), max_size=20))
def test_anything_at_all_does_no_harm(pieces: list[bytes]) -> None:
    for device in (False, True):
        _, decoder = greeted(device=device)
        for piece in pieces:
            assert decoder.feed(piece) == []
            assert len(decoder._held) <= wire.MAX_LINE + 1
        decoder.feed(b"\n\n")
        assert len(decoder.feed(HOST_HELLO)) == device


# Harm in great numbers.


def checked(seed: int, lines: int, *, device: bool) -> tuple[bytes, Decoder]:
    """Decode a harmed stream; no message may come out that did not go in, and none twice."""
    decoder = Decoder(device=device)
    sent_at: dict[object, int] = {}
    newest = -1
    data = bytearray()
    for number, (sent, arrived) in enumerate(stream(seed, lines, device=device)):
        sent_at[sent[:2]] = number
        data += arrived
        for message in decoder.feed(arrived):
            assert sent_at[message[:2]] > newest or message.kind == wire.HELLO
            newest = sent_at[message[:2]]
            if newest == number:
                assert tuple(message) == sent
        assert len(decoder._held) <= wire.MAX_LINE + 1
    assert decoder.good > lines // 4
    assert decoder.bad > 0
    assert decoder.gaps > 0
    assert decoder.repeats > 0
    return bytes(data), decoder


def same_in_micropython(data: bytes, decoder: Decoder, *, device: bool) -> None:
    """Let MicroPython, with a small heap, read the same bytes, and compare all that came of it."""
    arguments = ("device" if device else "host", "61")
    path = [ROOT / "sorcel_pi"]
    theirs = micropython(CODEC, *arguments, path=path, stdin=data, heap="52k")
    ours = io.StringIO()
    saved = sys.argv, sys.stdin, sys.modules.get("wire")
    sys.modules["wire"] = wire
    sys.argv, sys.stdin = ["", *arguments], SimpleNamespace(buffer=io.BytesIO(data))
    try:
        with redirect_stdout(ours):
            runpy.run_path(str(CODEC))
    finally:
        sys.argv, sys.stdin, _ = saved
        del sys.modules["wire"]
    assert theirs == ours.getvalue()
    count, _, good, *_, most = map(int, theirs.split())
    assert count == good == decoder.good
    assert most <= wire.MAX_LINE + 1


@needs_micropython
@pytest.mark.parametrize("device", [False, True])
def test_31_nothing_false_among_20_000_harmed_lines(device: bool) -> None:
    same_in_micropython(*checked(1, 20_000, device=device), device=device)


@needs_micropython
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("device", [False, True])
def test_31_nothing_false_among_a_million_harmed_lines(device: bool, seed: int) -> None:
    same_in_micropython(*checked(100 + seed, 50_000, device=device), device=device)
