"""Time as the world of the test has it."""

from world import world

PERIOD = 1 << 30


def ticks_us():
    """Return microseconds, as many as a microcontroller counts before it begins anew."""
    return world.now_us % PERIOD


def ticks_ms():
    """Return milliseconds."""
    return world.now_us // 1000 % PERIOD


def ticks_add(ticks, delta):
    """Return a later or earlier time."""
    return (ticks + delta) % PERIOD


def ticks_diff(later, earlier):
    """Return the difference."""
    return (later - earlier + PERIOD // 2) % PERIOD - PERIOD // 2


def sleep_us(us):
    """Wait."""
    world.sleep(us)


def sleep_ms(ms):
    """Wait."""
    world.sleep(1000 * ms)


def sleep(seconds):
    """Wait."""
    world.sleep(1000000 * seconds)
