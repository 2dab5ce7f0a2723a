"""The USB serial line: takes what has arrived and never waits, neither for more nor for room."""

import select
import sys

import micropython

CHUNK = 64  # bytes taken at once; the rest waits in the USB buffers, which hold the host back


class Line:
    """Standard input and output, as bytes."""

    def __init__(self):
        """Leave Ctrl-C at work: no message has such a byte, so a person can always break in."""
        micropython.kbd_intr(3)
        self.input, self.output = select.poll(), select.poll()
        self.input.register(sys.stdin, select.POLLIN)
        self.output.register(sys.stdout, select.POLLOUT)

    def read(self):
        """Return what has arrived, at most a chunk; read(n) would wait for all n bytes."""
        data = b""
        while len(data) < CHUNK and self.input.poll(0):
            byte = sys.stdin.buffer.read(1)
            if not byte:
                break
            data += byte
        return data

    def write(self, data):
        """Write `data`, or drop it where there is no room: everything can be asked for again."""
        if self.output.poll(0):
            sys.stdout.buffer.write(data)
