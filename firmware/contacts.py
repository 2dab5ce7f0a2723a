"""Reads the matrix of contacts and the buttons, and takes glitches out.

    row (driven low) ---|<|--- contact --- column (pulled up)     one diode per contact

Place k is in row k // 8 and column k % 8.  There is one octet per row, the last row first, so that
the octets are the digits of a number with one bit per place; one more octet holds the buttons.
"""

from time import sleep_us

import settings
from machine import Pin


class Contacts:
    """All contacts: `raw` is the last scan, `stable` what three scans in a row have said."""

    def __init__(self):
        """Take the first scan as it is."""
        self.rows = [Pin(number, Pin.OUT, value=1) for number in settings.ROWS]
        self.columns = [Pin(number, Pin.IN, Pin.PULL_UP) for number in reversed(settings.COLUMNS)]
        self.buttons = [Pin(number, Pin.IN, Pin.PULL_UP) for number in reversed(settings.BUTTONS)]
        self.raw = bytearray(len(self.rows) + 1)
        self.read()
        self.before = bytearray(self.raw)
        self.earlier = bytearray(self.raw)
        self.stable = bytearray(self.raw)

    def scan(self):
        """Read everything, and take over what three scans have in common."""
        self.raw, self.before, self.earlier = self.earlier, self.raw, self.before
        self.read()
        for k, now in enumerate(self.raw):
            moving = (now ^ self.before[k]) | (now ^ self.earlier[k])
            self.stable[k] = self.stable[k] & moving | now & ~moving

    def read(self):
        """Read everything once, row by row."""
        k = len(self.rows)
        self.raw[k] = low(self.buttons)
        for row in self.rows:
            k -= 1
            row(0)
            sleep_us(settings.DRIVE_US)
            self.raw[k] = low(self.columns)
            row(1)
            sleep_us(settings.RELEASE_US)


def low(pins):
    """Return one bit for each pin, the last pin lowest: 1 where it is pulled low."""
    bits = 0
    for pin in pins:
        bits = bits << 1 | (not pin())
    return bits
