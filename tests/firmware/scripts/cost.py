"""What the firmware costs in MicroPython: pins touched, bytes allocated, microseconds here."""

import gc
import json

import app
import machine
import utime
import wire
from world import world

touched = {"reads": 0, "writes": 0}
plain = machine.Pin.__call__


def counting(pin, value=None):
    """Count what is done with a pin."""
    touched["reads" if value is None else "writes"] += 1
    return plain(pin, value)


def cost(work, times=500):
    """Return (us, bytes allocated) for one time."""
    work()
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    work()
    allocated = gc.mem_alloc() - before
    gc.enable()
    best = None
    for _ in range(5):
        began = utime.ticks_us()
        for _ in range(times):
            work()
        took = utime.ticks_diff(utime.ticks_us(), began) / times
        best = took if best is None else min(best, took)
    return round(best, 1), allocated


class Silent:
    """A line on which nothing happens."""

    def read(self):
        """Return nothing."""
        return b""

    def write(self, data):
        """Drop it."""

    def flush(self):
        """Send nothing."""


board = app.Board()
board.line = Silent()
machine.Pin.__call__ = counting
waited = world.now_us
board.contacts.read()
waited = world.now_us - waited
machine.Pin.__call__ = plain

encoder, decoder = wire.Encoder(), wire.Decoder(device=True)
decoder.feed(encoder.line("H", wire.pack_hello(1, "0.1.0", 61, "host")))
frame = wire.pack_octets(bytes(range(183)))


def take_frame():
    """Decode a line with a whole frame and show it."""
    for message in decoder.feed(encoder.line("F", frame)):
        board.lights.show_all(message.value)


def send_bright():
    """Send a frame that has to be limited."""
    board.lights.frame = b"\xff" * 183
    board.lights.fresh = True
    board.lights.send()


def send_dim():
    """Send a frame as it is."""
    board.lights.frame = b"\x10" * 183
    board.lights.fresh = True
    board.lights.send()


def tell():
    """Make a line about contacts."""
    encoder.line("S", wire.pack_contacts(123456, bytes(8)))


print(json.dumps(["pins", touched["reads"], touched["writes"], waited]))
for name, work in (
    ("read the matrix once", board.contacts.read),
    ("read it and filter", board.contacts.scan),
    ("one quiet pass", board.step),
    ("take a line with a frame", take_frame),
    ("make the words of a frame", send_dim),
    ("the same with the limit", send_bright),
    ("make a line about contacts", tell),
):
    print(json.dumps((name,) + cost(work)))
