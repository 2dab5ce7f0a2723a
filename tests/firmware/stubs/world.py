"""The world of the firmware under test: its clock, wires and lights, and the test that moves them.

The stub modules act on this one.  Time stands still until the program sleeps.  When it would sleep
beyond the moment that the test has granted, it reports to the test and waits for a further grant,
both as lines over the socket with the number in SORCEL_WORLD:

    go MICROSECONDS CONTACTS BUTTONS      until then, with these closed and down, in hex
    jump MICROSECONDS                     the clock is so much later, the watchdog was fed
    pace MICROSECONDS                     from now on a pass that rests takes so long
    short COLUMNS                         these columns, bits in hex, are shorted to ground
    chain REGISTERS                       so many 74HC165 are plugged in; -1: not even the cable
    sweep                                 count the memory in use after the heap was swept
    jumper                                the maintenance jumper is closed
    interrupt                             somebody presses Ctrl-C
    break                                 from now on no pin can be read
"""

import gc
import json
import os

try:
    import settings
except Exception:  # a test of what is said to that
    settings = None

ROWS, COLUMNS, BUTTONS = range(2, 10), range(10, 18), range(18, 21)
JUMPER, LIGHTS = 21, 22
COUNT = getattr(settings, "SPACES", 61)
REGISTERS = getattr(settings, "REGISTERS", 0)
LOAD, CLOCK, DATA = (2, 3, 4) if REGISTERS else (None, None, None)
LATCH_US = 300


class World:
    """Everything outside the chip, and its clock."""

    def __init__(self):
        """Begin at 0, with a test or without one."""
        number = int(os.getenv("SORCEL_WORLD") or "0")
        self.orders = open(number, "rb") if number else None
        self.reports = open(number, "wb") if number else None
        self.now_us = self.granted_us = 0
        self.contacts = self.buttons = 0
        self.jumper = self.broken = False
        self.pace_us = self.jumped_us = self.memory = self.shorted = 0
        self.levels = {}  # of the outputs
        self.low_columns = 0  # which columns the rows that are low pull low
        self.plugged = REGISTERS
        self.shifted = 0  # what the registers hold: bits of places, 1 where the level is low
        self.lights = []  # words of 32 bits, as they are sent
        self.bits = 24
        self.frames = 0
        self.shown_us = 0
        self.watchdog_us = 0
        self.fed_us = None
        self.programs = []
        self.events = []  # what a test wants to hear of, since the last report

    # The test.

    def report(self, ended=False):
        """Tell the test how things stand."""
        state = {
            "t": self.now_us,
            "frames": self.frames,
            "bits": self.bits,
            "rows": [self.levels.get(row, -1) for row in ROWS],
            "lights": self.lights,
            "events": self.events,
            "memory": self.memory,
            "ended": ended,
        }
        self.reports.write(json.dumps(state) + "\n")
        self.lights, self.events = [], []

    def begin(self):
        """Wait until the test lets time pass."""
        while self.orders and not self.granted_us:
            self.report()
            self.obey()

    def obey(self):
        """Wait for what the test says, and do it."""
        order = self.orders.readline().decode().split()
        if not order:
            raise SystemExit(9)  # the test is gone
        if order[0] == "go":
            self.granted_us = int(order[1])
            self.contacts, self.buttons = int(order[2], 16), int(order[3], 16)
        elif order[0] == "jump":
            self.jumped_us = int(order[1])
        elif order[0] == "pace":
            self.pace_us = int(order[1])
        elif order[0] == "short":
            self.shorted = int(order[1], 16)
            self.follow()
        elif order[0] == "chain":
            self.plugged = int(order[1])
        elif order[0] == "sweep":
            gc.collect()
            self.memory = gc.mem_alloc()
        elif order[0] == "interrupt":
            raise KeyboardInterrupt
        else:
            self.jumper |= order[0] == "jumper"
            self.broken |= order[0] == "break"

    def die(self, event):
        """End as the board does when it is reset."""
        self.events.append(event)
        self.report(ended=True)
        raise SystemExit(3)

    # The clock.

    def sleep(self, us):
        """Let time pass."""
        if us > 500:  # what a pass has left over; the waits of a scan are shorter
            us = max(us, self.pace_us)
        target = self.now_us + us
        while target > self.granted_us and self.orders:
            self.now_us = max(self.now_us, self.granted_us)
            self.report()
            self.obey()
            if self.jumped_us:  # all of it, the end of this sleep included, is so much later
                self.now_us += self.jumped_us
                self.granted_us, target = self.now_us, target + self.jumped_us
                self.fed_us = self.now_us
                self.jumped_us = 0
        self.now_us = target
        if self.fed_us is not None and target - self.fed_us > self.watchdog_us:
            self.die("the watchdog bites")

    # The wires.

    def level(self, pin):
        """Return what the program reads at a pin that is no column."""
        if self.broken:
            raise OSError("the pins are gone")
        if pin in BUTTONS:
            return not self.buttons >> pin - BUTTONS[0] & 1
        if pin == DATA:
            return self.plugged < 0 or not self.shifted & 1
        return self.levels.get(pin, not (self.jumper and pin == JUMPER))

    def drive(self, pin, value):
        """Set the level of an output."""
        if pin not in self.levels:
            self.events.append(f"pin {pin} is no output")
        if REGISTERS:
            rises = value and not self.levels.get(pin, 1)
            self.levels[pin] = value
            self.shift(pin, rises)
            return
        self.levels[pin] = value
        if pin in ROWS:
            self.follow()

    def shift(self, pin, rises):
        """Let the registers take their inputs while load is low, or move on with the clock."""
        if not self.levels.get(LOAD, 1):
            places = 8 * max(0, self.plugged)  # behind them all is low
            self.shifted = self.contacts | ~((1 << places) - 1)
        elif pin == CLOCK and rises:
            self.shifted >>= 1

    def follow(self):
        """Let the columns take the level of what they are joined to."""
        self.low_columns = self.shorted
        for row in ROWS:  # contacts join rows to columns, each by its own diode
            if not self.levels.get(row, 1):
                self.low_columns |= self.contacts >> 8 * (row - ROWS[0]) & 0xFF

    def show(self, words, width):
        """Let the lights take a frame, `width` bits for each."""
        if self.frames and self.now_us - self.shown_us < LATCH_US:
            self.events.append("no pause between frames")
        self.lights, self.bits = list(words), width
        self.frames += 1
        self.shown_us = self.now_us + len(words) * width * 12 // 10


world = World()
