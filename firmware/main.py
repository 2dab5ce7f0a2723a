"""What MicroPython starts when the board gets power.

With the maintenance jumper closed there is only the prompt.  Otherwise the program runs; whatever
goes wrong, the lights go dark, the rows are let go, and after a while the board starts again.  When
the program cannot even begin, the board answers every hello with the reason instead.  Ctrl-C stops
the program and leaves the prompt.
"""

from time import sleep, sleep_ms, ticks_add, ticks_diff, ticks_ms

import machine
from machine import Pin

try:
    import settings
except Exception as error:  # a person writes that file; the program will say what is wrong in it
    settings = error

WATCHDOG_MS = 8000  # the RP2040 has no longer one
WAIT_S = 3
STOPPED_MS = 60000
CRASH = "crash.txt"


class Watchdog:
    """Resets the board when nobody feeds it any more; once started it cannot be stopped."""

    dog = None
    timer = None

    def feed(self):
        """Start it, or keep it quiet."""
        if self.dog is None:
            self.dog = machine.WDT(timeout=WATCHDOG_MS)
        self.dog.feed()

    def keep_fed(self):
        """Keep it quiet for good, so that somebody can work at the prompt."""
        if self.dog is not None:
            self.timer = machine.Timer(period=1000, callback=lambda _: self.dog.feed())


WATCHDOG = (
    Watchdog()
)  # a global, so that the timer is not swept away while somebody is at the prompt


def make_safe():
    """Make every light dark and let go of the rows, without help from the other files."""
    lights = Pin(getattr(settings, "LIGHTS", 22), Pin.OUT, value=0)
    sleep_ms(1)  # ends the frame that may have been on its way
    machine.bitstream(lights, 0, (400, 850, 800, 450), bytes(4 * getattr(settings, "SPACES", 64)))
    for row in getattr(settings, "ROWS", ()):
        Pin(row, Pin.IN)


def note(text):
    """Keep for the next start what went wrong; the same again is not written again."""
    try:
        with open(CRASH) as file:
            if file.read() == text:
                return
    except OSError:
        pass
    with open(CRASH, "w") as file:
        file.write(text)


def tell_why(text):
    """Answer every hello with the reason for a minute, in which the board does nothing else."""
    import wire
    from line import Line

    line, encoder, decoder = Line(), wire.Encoder(), wire.Decoder(device=True)
    until = ticks_add(ticks_ms(), STOPPED_MS)
    while ticks_diff(until, ticks_ms()) > 0:
        for message in decoder.feed(line.read()):
            if message.kind == wire.HELLO and message.value[3] == wire.HOST:
                line.greet(encoder, wire.STOPPED, message.value[2])
                line.unsent += encoder.line(wire.TROUBLE, wire.pack_trouble("stopped", text))
        line.flush()
        sleep_ms(5)


def run():
    """Run the program until it fails; return whether to start again."""
    try:
        import app

        app.run(WATCHDOG)
    except KeyboardInterrupt:
        return False
    except BaseException as error:
        text = f"{type(error).__name__}: {error}"
        return recover(f"settings.py: {text}" if isinstance(settings, Exception) else text)


def recover(text):
    """Make everything safe and keep or tell the reason; return whether to start again."""
    # What failed before the watchdog was started would fail again in the same way.
    ran = WATCHDOG.dog is not None
    for deed in (make_safe, lambda: (note if ran else tell_why)(text), lambda: sleep(WAIT_S)):
        try:
            deed()
        except KeyboardInterrupt:
            return False
        except BaseException:
            pass
    return True


def main():
    """Decide what to do."""
    jumper = Pin(getattr(settings, "JUMPER", 21), Pin.IN, Pin.PULL_UP)
    if jumper() and run():
        machine.reset()
    make_safe()
    WATCHDOG.keep_fed()


main()
