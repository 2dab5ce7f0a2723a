"""The serial line's codec, for both of its ends: values to lines, bytes to values.

It knows no port, no time and no game.  MicroPython runs this very file on the microcontroller, so
only what both Pythons have is used.  A line is ``TYPE,seq,payload*CCCCCCCC`` and a newline, all in
printable ASCII, with the CRC-32 of what stands before the ``*``:

>>> encoder, decoder = Encoder(), Decoder()
>>> encoder.line(HELLO, pack_hello(PROTOCOL, "0.3.0", 61, "E6614", 1500, 64))
b'H,0,2,0.3.0,61,E6614,1500,64*CE065785\\n'
>>> decoder.feed(_)
[Message(kind='H', seq=0, value=(2, '0.3.0', 61, 'E6614', 1500, 64))]
>>> decoder.feed(b"B,1,3*12345678\\n"), decoder.bad
([], 1)
"""

import binascii
from collections import namedtuple

PROTOCOL = 2
OLDEST = 1
"""The oldest protocol that both sides still speak: that of matrices, with 64 places always."""
STOPPED = 0
"""The protocol in the hello of a board that cannot run its program; trouble `stopped` says why."""
FIRMWARE = "0.3.0"
"""The version of the firmware that goes with this file; the host says it in its hello too."""
HOST = "host"
"""Stands for the board id in the host's hello, so that nobody takes an echo for an answer."""
MATRIX_PLACES = 64
"""Places of contacts that a matrix has, and all that protocol 1 knows."""
MAX_PLACES = 512
MAX_LINE = 420
"""Bytes of a line without its newline, on boards of up to 64 lights and to any host."""
MAX_LIMIT_MA = 99999
"""No line can name a higher limit of current."""

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

Message = namedtuple("Message", ("kind", "seq", "value"))  # a NamedTuple for both Pythons


# Payloads.  What cannot be one is a `ValueError`.


def pack_hello(
    protocol: int,
    version: str,
    spaces: int,
    board: str,
    max_ma: int | None = None,
    places: int | None = None,
) -> bytes:
    """Return the payload of a hello; `max_ma` is the board's own limit in milliampere.

    `places` is how many contacts it can tell, a multiple of 8; it stands behind a limit only.  Only
    a host whose hello `tells_limit` can read one with `max_ma`, only a host of protocol 2 one with
    `places`, and no board either.
    """
    more = ["" if value is None else f",{value}" for value in (max_ma, places)]
    return f"{protocol},{version},{spaces},{board}{more[0]}{more[1]}".encode()


def unpack_hello(payload: bytes) -> tuple[int, str, int, str, int | None, int]:
    """Return (protocol, version, number of spaces, board id, limit or `None`, places).

    The limit is in milliampere; places that are not named are those of a matrix.
    """
    protocol, version, spaces, board, *rest = payload.split(b",", 5)
    max_ma = _number(rest[0], MAX_LIMIT_MA) if rest else None
    places = _number(rest[1], MAX_PLACES) if rest[1:] else MATRIX_PLACES
    if not places or places % 8:
        raise ValueError
    number, lights = _number(protocol, 999), _number(spaces, 255)
    return number, _text(version), lights, _text(board), max_ma, places


def tells_limit(version: str) -> bool:
    """Whether the limit may be told to a host that says it is of this version: not to 0.1."""
    return not version.startswith("0.1.")


def pack_contacts(ms: int, octets: bytes) -> bytes:
    """Return the payload for octets, the highest places first, at a time of the device."""
    return b"%d,%s" % (ms, pack_octets(octets))


def unpack_contacts(payload: bytes) -> tuple[int, bytes]:
    """Return (milliseconds, octets)."""
    ms, digits = payload.split(b",")
    return _number(ms, 0xFFFFFFFF), unpack_raw(digits)


def unpack_raw(payload: bytes) -> bytes:
    """Return one octet for each 8 places, the highest places first."""
    return _octets(payload, 1, MAX_PLACES // 8)


def pack_octets(octets: bytes) -> bytes:
    """Return two upper-case hex digits for each octet."""
    return binascii.hexlify(octets).upper()


def unpack_frame(payload: bytes) -> bytes:
    """Return red, green and blue of every light."""
    return _octets(payload, 3, 3 * 255)


def unpack_changes(payload: bytes) -> bytes:
    """Return number, red, green and blue of each light that changes."""
    return _octets(payload, 4, 4 * 255)


def pack_limit(milliampere: int, colour_order: str) -> bytes:
    """Return the payload that limits the current, and says in which order lights take colours."""
    return f"{milliampere},{colour_order}".encode()


def unpack_limit(payload: bytes) -> tuple[int, str]:
    """Return (milliampere, order of colours); the order may be left out and is GRB then."""
    milliampere, *rest = payload.split(b",", 1)
    order = _text(rest[0]) if rest else "GRB"
    if "".join(sorted(order[:3])) != "BGR" or order[3:] not in ("", "W"):
        raise ValueError
    return _number(milliampere, MAX_LIMIT_MA), order


def pack_trouble(code: str, text: str) -> bytes:
    """Return the payload that says what is wrong; what is not printable ASCII becomes `?`."""
    plain = "".join([c if " " <= c <= "~" else "?" for c in text[:_MAX_TEXT]])
    return f"{code},{plain}".encode()


def unpack_trouble(payload: bytes) -> tuple[str, str]:
    """Return (code, text)."""
    code, text = payload.split(b",", 1)
    return _text(code), _text(text)


def unpack_digit(payload: bytes) -> int:
    """Return a number from 0 to 7: button bits, or whether raw scans are wanted."""
    if len(payload) != 1:
        raise ValueError
    return _number(payload, 7)


def unpack_again(payload: bytes) -> str:
    """Return the code of the trouble that need not be told again, or nothing: tell everything."""
    return _text(payload) if payload else ""


def unpack_nothing(payload: bytes) -> None:
    """Make sure that there is no payload."""
    if payload:
        raise ValueError


def _number(digits: bytes, most: int) -> int:
    if not digits.isdigit() or len(digits) > 10 or int(digits) > most:
        raise ValueError
    return int(digits)


def _text(octets: bytes) -> str:
    if not octets or len(octets) > _MAX_TEXT or min(octets) < 0x20 or max(octets) > 0x7E:
        raise ValueError
    return octets.decode()


def _octets(digits: bytes, group: int, most: int) -> bytes:
    octets = binascii.unhexlify(digits)
    if not octets or len(octets) % group or len(octets) > most:
        raise ValueError
    return octets


FROM_DEVICE = {
    HELLO: unpack_hello,
    CONTACTS: unpack_contacts,
    RAW: unpack_raw,
    BUTTONS: unpack_digit,
    ALIVE: unpack_nothing,
    TROUBLE: unpack_trouble,
}
FROM_HOST = {
    HELLO: unpack_hello,
    RAW: unpack_digit,
    FRAME: unpack_frame,
    CHANGES: unpack_changes,
    LIMIT: unpack_limit,
    AGAIN: unpack_again,
    ALIVE: unpack_nothing,
}


# Lines.


def longest_line(lights: int) -> int:
    """Return how many bytes a line to a board with so many lights has at most: a whole frame.

    >>> longest_line(61) == longest_line(64) == MAX_LINE, longest_line(169)
    (True, 1050)
    """
    return MAX_LINE + 6 * max(0, lights - 64)


class Encoder:
    """Writes lines and numbers them."""

    def __init__(self) -> None:
        """Begin with number 0."""
        self.seq = 0

    def line(self, kind: str, payload: bytes = b"") -> bytes:
        """Return the next line."""
        body = b"%s,%d,%s" % (kind.encode(), self.seq, payload)
        self.seq = (self.seq + 1) % _SEQUENCES
        return b"%s*%s\n" % (body, _checksum(body))


class Decoder:
    """Reads lines out of whatever arrives, in pieces of any size, and counts what is wrong.

    Nothing counts until a hello has arrived whole; that sets the sequence, and how many places a
    host is told of.  From then on a line whose number lies behind is a repetition and is dropped;
    one that lies ahead shows a gap.
    """

    def __init__(self, *, device: bool = False, lights: int = 64) -> None:
        """Read what a host gets, or what a `device` gets, which may be greeted at any time.

        Lines are as long as a device with so many `lights` needs them.
        """
        self.device = device
        self.longest = longest_line(lights)
        self.greeted = False
        self.good = 0
        self.bad = 0
        """Lines dropped: checksum, type, length, or nothing that a line could be."""
        self.repeats = 0
        self.gaps = 0
        self.missed = 0
        """Lines that the gaps stand for."""
        self._next = 0
        self._places = MATRIX_PLACES
        self._held = b""
        self._skipping = False

    def restart(self) -> None:
        """Forget the sequence: wait for a hello.  The counters go on."""
        self.greeted = False

    def feed(self, data: bytes) -> list[Message]:
        """Return the messages that are complete with `data`."""
        lines = (self._held + data).split(b"\n")
        self._held = lines.pop()
        messages = []
        for line in lines:
            if self._skipping:  # the end of a line that was too long
                self._skipping = False
                continue
            line = line.rstrip(b"\r")
            if line:
                message = self._message(line)
                if message is not None:
                    self.good += 1
                    messages.append(message)
        if len(self._held) > self.longest + 1:
            if not self._skipping:
                self.bad += 1
            self._skipping = True
            self._held = b""
        return messages

    def _message(self, line: bytes) -> Message | None:
        body = line[:-9]
        if len(line) > self.longest or line[len(body) :] != b"*" + _checksum(body):
            self.bad += 1
            return None
        try:
            letter, digits, payload = body.split(b",", 2)
            kind, seq = _text(letter), _number(digits, _SEQUENCES - 1)
            if not self._in_order(kind, seq):
                return None
            unpack = (FROM_HOST if self.device else FROM_DEVICE)[kind]
            message = Message(kind, seq, unpack(payload))
            if not self.device:
                self._check_places(message)
        except (KeyError, ValueError):
            self.bad += 1
            return None
        if kind == HELLO:
            self.greeted = True
        return message

    def _check_places(self, message: Message) -> None:
        """Keep the number of places that a hello names; refuse contacts of another number."""
        if message.kind == HELLO:
            self._places = message.value[5]
        elif message.kind in (CONTACTS, RAW):
            octets = message.value[1] if message.kind == CONTACTS else message.value
            if 8 * len(octets) != self._places:
                raise ValueError

    def _in_order(self, kind: str, seq: int) -> bool:
        if kind != HELLO or (self.greeted and not self.device):
            if not self.greeted:
                return False
            ahead = (seq - self._next) % _SEQUENCES
            if ahead >= _SEQUENCES // 2:
                self.repeats += 1
                return False
            if ahead:
                self.gaps += 1
                self.missed += ahead
        self._next = (seq + 1) % _SEQUENCES
        return True


def _checksum(body: bytes) -> bytes:
    return b"%08X" % (binascii.crc32(body) & 0xFFFFFFFF)
