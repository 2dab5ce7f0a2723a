"""What the firmware uses of `machine`, acting on the world of the test."""

from world import COLUMNS, COUNT, LIGHTS, REGISTERS, ROWS, world


class Pin:
    """A pin; it keeps what it was until it is told otherwise."""

    IN, OUT, PULL_UP = "in", "out", "pull up"

    def __init__(self, number, mode=None, pull=None, value=None):
        """Make it an input or an output."""
        self.number = number
        self.column = number - COLUMNS[0] if number in COLUMNS and not REGISTERS else None
        if mode == Pin.OUT:
            world.levels[number] = 1
            world.drive(number, value or 0)
        elif mode == Pin.IN:
            world.levels.pop(number, None)
            if pull != Pin.PULL_UP and number not in ROWS:
                world.events.append(f"pin {number} floats")

    def __call__(self, value=None):
        """Read or drive it."""
        if value is not None:
            world.drive(self.number, value)
            return None
        if self.column is None or world.broken:
            return world.level(self.number)
        return not world.low_columns >> self.column & 1


class WDT:
    """The watchdog."""

    def __init__(self, timeout):
        """Start it."""
        world.watchdog_us = 1000 * timeout
        world.events.append(f"watchdog {timeout} ms")
        self.feed()

    def feed(self):
        """Keep it quiet."""
        world.fed_us = world.now_us


class Timer:
    """Calls back once, to show that it would."""

    def __init__(self, period, callback):
        """Start it."""
        world.events.append(f"timer {period} ms")
        callback(self)


def bitstream(pin, encoding, timing, data):
    """Let the lights take a frame without help of a state machine."""
    if encoding != 0 or not (timing[0] < timing[2] and sum(timing) == 2500):
        world.events.append(f"bitstream {encoding} {timing}")
    if world.levels.get(pin.number) == 0 and pin.number == LIGHTS and not any(data):
        world.show([0] * COUNT, world.bits)
        world.sleep(len(data) * 10)


def unique_id():
    """Return what a Pico has."""
    return bytes([0xE6, 0x61, 0x41, 0x04, 0x03, 0x2B, 0x5C, 0x2F])


def reset():
    """Start again; here the process ends."""
    world.die("reset")
