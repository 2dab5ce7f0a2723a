"""The USB serial line: takes what has arrived and never waits, neither for more nor for room.

`select` says only that there is one byte to read, or room for one, and a longer read or write waits
for the rest: up to 0.5 s for each 64 bytes when the host takes nothing.  So both go byte by byte.
`ipoll` and one buffer for everything keep that from allocating memory.
"""

import select
import sys
from binascii import hexlify

import machine
import micropython
import wire

BUFFER = 512  # bytes of a pass; the rest waits in the USB buffers, which hold the host back
NEWLINE = 10


class Line:
    """Standard input and output, as bytes."""

    def __init__(self):
        """Leave Ctrl-C at work: no message has such a byte, so a person can always break in."""
        micropython.kbd_intr(3)
        self.input, self.output = select.poll(), select.poll()
        self.input.register(sys.stdin, select.POLLIN)
        self.output.register(sys.stdout, select.POLLOUT)
        self.byte = bytearray(1)
        self.buffer = bytearray(BUFFER)
        self.count = 0  # of bytes of the line that is arriving
        self.unsent = b""
        self.sent = 0  # of these bytes

    def read(self):
        """Return the whole lines that have arrived, or what fills the buffer without being one."""
        end = self.take()
        if not end:
            return b""
        data = bytes(memoryview(self.buffer)[:end])
        self.count -= end
        self.buffer[: self.count] = self.buffer[end : end + self.count]
        return data

    @micropython.native
    def take(self):
        """Put what has arrived behind the rest in the buffer; return how much is to be read."""
        ready, read = self.input.ipoll, sys.stdin.buffer.readinto
        byte, buffer = self.byte, self.buffer
        count, end = self.count, 0
        while count < BUFFER:
            some = 0
            for _ in ready(0):
                some = read(byte)
                break
            if not some:
                break
            value = byte[0]
            buffer[count] = value
            count += 1
            if value == NEWLINE:
                end = count
        self.count = count
        return count if count == BUFFER else end

    def write(self, data):
        """Send `data` as far as there is room, and the rest by and by in `flush`.

        While there is such a rest, `data` is dropped: everything can be asked for again.
        """
        if not self.unsent:
            self.unsent, self.sent = data, 0
            self.flush()

    @micropython.native
    def flush(self):
        """Send the rest of a line, as far as there is room."""
        ready, write = self.output.ipoll, sys.stdout.buffer.write
        data, sent = self.unsent, self.sent
        size = len(data)
        while sent < size:
            room = 0
            for _ in ready(0):
                room = write(data, sent, 1)
                break
            if not room:
                self.sent = sent
                return
            sent += 1
        self.unsent, self.sent = b"", 0

    def greet(self, encoder, protocol, spaces, max_ma=None, places=None):
        """Answer a hello, even behind half a line that was meant for somebody before."""
        self.unsent = b""
        board = hexlify(machine.unique_id()).decode().upper()
        payload = wire.pack_hello(protocol, wire.FIRMWARE, spaces, board, max_ma, places)
        self.write(b"\n" + encoder.line(wire.HELLO, payload))
