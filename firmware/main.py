"""What MicroPython starts when the board gets power.

With the maintenance jumper closed there is only the prompt.  Otherwise the program runs; whatever
goes wrong, the lights go dark, the rows are let go, and after a while the board starts again.
Ctrl-C stops the program and leaves the prompt.
"""

from time import sleep, sleep_ms

import machine
import settings
from machine import Pin

WATCHDOG_MS = 8000  # the RP2040 has no longer one
WAIT_S = 3
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


def make_safe():
    """Make every light dark and let go of the rows, without help from the other files."""
    lights = Pin(settings.LIGHTS, Pin.OUT, value=0)
    sleep_ms(1)  # ends the frame that may have been on its way
    machine.bitstream(lights, 0, (400, 850, 800, 450), bytes(4 * settings.SPACES))
    for row in settings.ROWS:
        Pin(row, Pin.IN)


def note(error):
    """Keep for the next start what went wrong; the same again is not written again."""
    text = f"{type(error).__name__}: {error}"
    try:
        with open(CRASH) as file:
            if file.read() == text:
                return
    except OSError:
        pass
    with open(CRASH, "w") as file:
        file.write(text)


def run(watchdog):
    """Run the program until it fails; return whether to start again."""
    try:
        import app

        app.run(watchdog)
    except KeyboardInterrupt:
        return False
    except BaseException as error:
        try:
            make_safe()
            note(error)
            sleep(WAIT_S)
        except KeyboardInterrupt:
            return False
        except BaseException:
            pass
    return True


def main():
    """Decide what to do."""
    watchdog = Watchdog()
    jumper = Pin(settings.JUMPER, Pin.IN, Pin.PULL_UP)
    if jumper() and run(watchdog):
        machine.reset()
    make_safe()
    watchdog.keep_fed()


main()
