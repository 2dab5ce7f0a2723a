"""Reads the matrix of contacts and the buttons, and takes glitches out.

    row (driven low) ---|<|--- contact --- column (pulled up)     one diode per contact

Place k is in row k // 8 and column k % 8.  There is one octet per row, the last row first, so that
the octets are the digits of a number with one bit per place; two more octets hold the buttons, and
the columns that are low although no row is: those are shorted to ground, whatever they say.
"""

from time import sleep_us

import micropython
import settings
from machine import Pin

BUTTONS, SHORTED = 8, 9  # the octets behind those of the rows


class Contacts:
    """All contacts: `raw` is the last scan, `stable` what three scans in a row have said."""

    def __init__(self):
        """Take the first scan as it is."""
        self.rows = [Pin(number, Pin.OUT, value=1) for number in settings.ROWS]
        self.columns = [Pin(number, Pin.IN, Pin.PULL_UP) for number in reversed(settings.COLUMNS)]
        self.buttons = [Pin(number, Pin.IN, Pin.PULL_UP) for number in reversed(settings.BUTTONS)]
        self.raw = bytearray(10)
        self.read()
        self.before = bytearray(self.raw)
        self.earlier = bytearray(self.raw)
        self.stable = bytearray(self.raw)

    def scan(self):
        """Read everything, and take over what three scans have in common."""
        self.raw, self.before, self.earlier = self.earlier, self.raw, self.before
        self.read()
        agree(self.stable, self.raw, self.before, self.earlier)

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
        raw[SHORTED] = low(columns)


@micropython.native
def agree(stable, now, before, earlier):
    """Take over into `stable` the bits that are the same in the other three."""
    for k in range(10):
        moving = (now[k] ^ before[k]) | (now[k] ^ earlier[k])
        stable[k] = stable[k] & moving | now[k] & ~moving


@micropython.native
def low(pins):
    """Return a number with one bit per pin, the last pin lowest: 1 where it is low."""
    bits = 0
    for pin in pins:
        bits = bits << 1 | (pin() ^ 1)
    return bits
