"""The serial line's codec: values to lines and back, for both of its ends.

It knows no port, no time and no game.  MicroPython runs this very file on the microcontroller, so
it uses only what both Pythons have.  A line is ``TYPE,seq,payload*CCCCCCCC`` and a newline, in
printable ASCII, with the CRC-32 of what stands before the ``*``:

>>> Encoder().line(CONTACTS, (1500, bytes([0, 0, 0, 0, 0, 0, 2, 1])))
b'S,0,1500,0000000000000201*6A7FC871\\n'
>>> decoder = Decoder(FROM_DEVICE)
>>> decoder.feed(Encoder().line(HELLO, (PROTOCOL, "0.1.0", 61, "E6614")))
[Message(kind='H', seq=0, value=(1, '0.1.0', 61, 'E6614'))]
>>> decoder.feed(b"B,1,3*12345678\\n"), decoder.bad
([], 1)
"""

import binascii
from collections import namedtuple

PROTOCOL = 1
FIRMWARE = "0.1.0"
"""Version of the firmware that this codec belongs to."""
HOST = "host"
"""What stands for the board id where the host says hello."""
MAX_LINE = 420
"""Bytes of a line without its newline; a whole frame of 64 lights has 404."""

HELLO = "H"
CONTACTS = "S"
RAW = "R"
BUTTONS = "B"
FRAME = "F"
CHANGES = "D"
LIMIT = "L"
AGAIN = "Q"
ALIVE = "P"
TROUBLE = "E"

_SEQUENCES = 65536
_MAX_TEXT = 80

Message = namedtuple("Message", ("kind", "seq", "value"))
"""A line that arrived whole; what its value is stands with the functions that pack it."""


# What a payload says.  Each pair of functions turns a value into a payload and back; what cannot
# be a payload is a `ValueError`.


def pack_hello(value):  # type: ignore[no-untyped-def]
    """Pack (protocol, version, number of spaces, board id)."""
    return ("%d,%s,%d,%s" % value).encode()


def unpack_hello(payload: bytes) -> tuple[int, str, int, str]:
    """Return (protocol, version, number of spaces, board id)."""
    protocol, version, spaces, board = payload.split(b",")
    return _number(protocol, 999), _text(version), _number(spaces, 255), _text(board)
