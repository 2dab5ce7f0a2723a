"""Reads the contacts, a matrix or a chain of registers, and the buttons, and takes glitches out.

    row (driven low) ---|<|--- contact --- column (pulled up)     one diode per contact

    register 0 <--- register 1 <--- ... <--- the last one, whose own input is tied low
       | data, pulled up              all get the same clock and load

There is one octet per row or register, the last one first, so that the octets are the digits of a
number with one bit per place: 1 is closed.  Place k is in row k // 8 and column k % 8 of a matrix;
of a chain of 74HC165 it is bit k as they come out, input H of register 0 first.  Two more octets
hold the buttons, and what shows that the wiring is at fault: columns that are low although no row
is, or bits behind the end of the chain that are not low.
"""

from time import sleep_us

import micropython
import settings
from machine import Pin

BUTTONS, FAULT = -2, -1  # the octets behind those of the contacts


class Contacts:
    """All contacts: `raw` is the last scan, `stable` what three scans in a row have said."""

    def __init__(self, places):
        """Take the first scan as it is."""
        self.places = places
        self.buttons = [Pin(number, Pin.IN, Pin.PULL_UP) for number in reversed(settings.BUTTONS)]
        self.raw = bytearray(places // 8 + 2)
        self.read()
        self.before = bytearray(self.raw)
        self.earlier = bytearray(self.raw)
        self.stable = bytearray(self.raw)

    def scan(self):
        """Read everything, and take over what three scans have in common."""
        self.raw, self.before, self.earlier = self.earlier, self.raw, self.before
        self.read()
        agree(self.stable, self.raw, self.before, self.earlier)


class Matrix(Contacts):
    """Rows and columns."""

    def __init__(self):
        """Claim the pins and read once."""
        self.rows = [Pin(number, Pin.OUT, value=1) for number in settings.ROWS]
        self.columns = [Pin(number, Pin.IN, Pin.PULL_UP) for number in reversed(settings.COLUMNS)]
        super().__init__(64)

    @micropython.native
    def read(self):
        """Read everything once, row by row."""
        raw, columns = self.raw, self.columns
        drive_us, release_us = settings.DRIVE_US, settings.RELEASE_US
        raw[BUTTONS] = low(self.buttons)
        k = 8
        for row in self.rows:
            k -= 1
            row(0)
            sleep_us(drive_us)
            raw[k] = low(columns)
            row(1)
            sleep_us(release_us)
        raw[FAULT] = low(columns)


class Chain(Contacts):
    """Registers in a chain; a register takes its inputs over while load is low."""

    def __init__(self):
        """Claim the pins and read once."""
        self.load = Pin(settings.LOAD, Pin.OUT, value=1)
        self.clock = Pin(settings.CLOCK, Pin.OUT, value=0)
        self.data = Pin(settings.DATA, Pin.IN, Pin.PULL_UP)
        super().__init__(8 * settings.REGISTERS)

    @micropython.native
    def read(self):
        """Read everything once, and eight bits more, which come from the input of the last one."""
        raw, clock, data = self.raw, self.clock, self.data
        raw[BUTTONS] = low(self.buttons)
        self.load(0)
        self.load(1)
        k = len(raw) - 3
        while k >= -1:
            bits, bit = 0, 1
            while bit < 256:
                if not data():
                    bits |= bit
                clock(1)
                clock(0)
                bit <<= 1
            if k < 0:
                raw[FAULT] = bits ^ 255
            else:
                raw[k] = bits
            k -= 1


def open_contacts():
    """Return the contacts that the settings name."""
    return Chain() if settings.REGISTERS else Matrix()


@micropython.native
def agree(stable, now, before, earlier):
    """Take over into `stable` the bits that are the same in the other three."""
    for k in range(len(stable)):
        moving = (now[k] ^ before[k]) | (now[k] ^ earlier[k])
        stable[k] = stable[k] & moving | now[k] & ~moving


@micropython.native
def low(pins):
    """Return a number with one bit per pin, the last pin lowest: 1 where it is low."""
    bits = 0
    for pin in pins:
        bits = bits << 1 | (pin() ^ 1)
    return bits
