"""Lines for both ends of the serial line, whole and harmed, always the same ones for a seed."""

from collections.abc import Iterator
from random import Random

from sorcel_pi import wire

Sent = tuple[str, int, object]


def whole_lines(random: Random, *, device: bool, spaces: int = 61) -> Iterator[tuple[Sent, bytes]]:
    """Yield lines that are sent to a device, or by one, each with what it says; first a hello."""
    encoder = wire.Encoder()
    encoder.seq = random.randrange(65536)
    kinds = wire.FROM_HOST if device else wire.FROM_DEVICE
    kind = wire.HELLO
    while True:
        payload = _payload(kind, random, device, spaces)
        seq = encoder.seq
        yield (kind, seq, kinds[kind](payload)), encoder.line(kind, payload)
        kind = random.choice(sorted(set(kinds) - {wire.HELLO}))


def _payload(kind: str, random: Random, device: bool, spaces: int) -> bytes:
    match kind:
        case wire.HELLO:
            board = wire.HOST if device else f"{random.getrandbits(64):016X}"
            return wire.pack_hello(wire.PROTOCOL, "0.1.0", spaces, board)
        case wire.CONTACTS:
            return wire.pack_contacts(random.randrange(1 << 30), random.randbytes(8))
        case wire.RAW:
            return b"%d" % random.randrange(2) if device else wire.pack_octets(random.randbytes(8))
        case wire.BUTTONS:
            return b"%d" % random.randrange(8)
        case wire.FRAME:
            return wire.pack_octets(random.randbytes(3 * spaces))
        case wire.CHANGES:
            lights = random.sample(range(spaces), random.randrange(1, 9))
            octets = b"".join(bytes([light]) + random.randbytes(3) for light in lights)
            return wire.pack_octets(octets)
        case wire.LIMIT:
            return wire.pack_limit(random.randrange(400, 5000), random.choice(["GRB", "RGBW"]))
        case wire.TROUBLE:
            return wire.pack_trouble("lost", f"{random.randrange(99)} lines, * and all")
    return b""


def harm(line: bytes, before: list[bytes], random: Random) -> bytes:
    """Return what may arrive instead of `line`; `before` are the lines before it."""
    place = random.randrange(len(line))
    # Never byte 3: that is Ctrl-C, which stops the firmware as it should.
    dirt = bytes(random.choice([0, 10, 13, 42, 44, 65, 200, 255]) for _ in range(4))
    match random.randrange(9):
        case 0:
            return b""
        case 1:
            return line[:place]
        case 2:
            return line[place:]
        case 3:
            return line[:place] + dirt + line[place:]
        case 4:
            flipped = bytes([line[place] ^ 1 << random.randrange(3, 8)])
            return line[:place] + flipped + line[place + 1 :]
        case 5:
            return line + line
        case 6:
            return line + b"".join(before[-3:])
        case 7:
            return random.choice(before or [b"\n"]) + line
        case _:
            return dirt * 200 + line


def stream(
    seed: int, lines: int, *, device: bool, rate: float = 0.5
) -> Iterator[tuple[Sent, bytes]]:
    """Yield what is sent, and what arrives of it where `rate` of the lines are harmed."""
    random = Random(seed)
    before: list[bytes] = []
    source = whole_lines(random, device=device)
    for number in range(lines):
        sent, line = next(source)
        harmed = number > 0 and random.random() < rate
        yield sent, harm(line, before, random) if harmed else line
        before = [*before[-20:], line]
