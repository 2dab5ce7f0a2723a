"""Drives the lights: WS2812 and their kin by a PIO state machine, within a limit of current.

At 10 MHz a bit takes 12 cycles of 0.1 us; the line is high for 3 of them for a 0, for 7 for a 1::

    0:  ___/~~~\\_________        1:  ___/~~~~~~~\\_____
"""

from array import array
from time import sleep_us, ticks_diff, ticks_us

import micropython
import rp2
import settings
from machine import Pin

CHANNEL_MA = 20  # what one colour of one light draws at 255
PAUSE_US = 1000  # from the end of one frame to the next: latches (0.3 ms) after the last 8 lights


def program(bits):
    """Return the PIO program that sends the upper `bits` of each word: 24, or 32 with white."""

    @rp2.asm_pio(
        sideset_init=rp2.PIO.OUT_LOW,
        out_shiftdir=rp2.PIO.SHIFT_LEFT,
        autopull=True,
        pull_thresh=bits,
        fifo_join=rp2.PIO.JOIN_TX,
    )
    def ws2812():
        wrap_target()
        label("bit")
        out(x, 1).side(0)[4]
        jmp(not_x, "zero").side(1)[2]
        jmp("bit").side(1)[3]
        label("zero")
        nop().side(0)[3]
        wrap()

    return ws2812


class Lights:
    """One frame, and whether it has still to be shown."""

    def __init__(self):
        """Make all lights dark."""
        self.count = settings.SPACES
        self.words = array("I", [0] * self.count)
        self.frame = bytes(3 * self.count)
        self.programs = {}
        self.bits = 0
        self.shown_us = ticks_us()
        self.limit(settings.MAX_MA, "GRB")

    def limit(self, milliampere, order):
        """Set the current that all lights may draw, and the order in which they take colours.

        The board's own limit holds whatever is asked for here.
        """
        self.limit_ma, self.order = min(milliampere, settings.MAX_MA), order
        self.shifts = [16 - 8 * order.find(colour) for colour in "RGB"]
        bits = 8 * len(order)
        if bits != self.bits:
            self.bits = bits
            if bits not in self.programs:  # each takes 4 of the 32 places that PIO has
                self.programs[bits] = program(bits)
            self.machine = rp2.StateMachine(
                0, self.programs[bits], freq=10_000_000, sideset_base=Pin(settings.LIGHTS)
            )
            self.machine.active(1)
        self.shown_us = ticks_us()
        self.fresh = True

    def show_all(self, rgb):
        """Show three octets for each light; return whether their number was right."""
        if len(rgb) != len(self.frame):
            return False
        self.frame = rgb
        self.fresh = True
        return True

    def show_some(self, changes):
        """Change lights, four octets for each: number, red, green, blue; return if all exist."""
        frame = bytearray(self.frame)
        for k in range(0, len(changes), 4):
            if changes[k] >= self.count:
                return False
            frame[3 * changes[k] : 3 * changes[k] + 3] = changes[k + 1 : k + 4]
        return self.show_all(bytes(frame))

    def dark(self):
        """Make all lights dark."""
        self.show_all(bytes(3 * self.count))

    def send(self):
        """Send the frame to the lights if there is a new one; return whether there was."""
        if not self.fresh:
            return False
        self.fresh = False
        pack(self.words, limited(self.frame, self.limit_ma), *self.shifts)
        # The last frame may be so long ago that the difference of ticks is negative.
        age_us = ticks_diff(ticks_us(), self.shown_us)
        if 0 <= age_us < PAUSE_US:
            sleep_us(PAUSE_US - age_us)
        self.machine.put(self.words, 8)
        self.shown_us = ticks_us()
        return True


@micropython.native
def pack(words, rgb, red, green, blue):
    """Put each three octets into a word, shifted as the lights take their colours."""
    i = 0
    for k in range(len(words)):
        words[k] = rgb[i] << red | rgb[i + 1] << green | rgb[i + 2] << blue
        i += 3


def limited(rgb, limit_ma):
    """Return a frame of the same colours that draws, by estimate, no more than `limit_ma`."""
    total = sum(rgb)
    allowed = max(0, limit_ma - len(rgb) // 3) * 255 // CHANNEL_MA  # 1 mA is drawn by dark lights
    if total <= allowed:
        return rgb
    return bytes([value * allowed // total for value in rgb])
