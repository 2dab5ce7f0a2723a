"""The program of the board: says what the contacts do, shows the frames it is sent.

It is silent until a host of the same protocol has said hello, and again, and dark, after 5 s
without a valid line.  It knows no game, and which space is which only by number.

Ticks begin anew after 12.4 days (ms) or 17.9 minutes (us), and a difference is right only up to
half of that.  Here every difference is one of at most some seconds, or taken for a long time when
it is negative: each time is written down when what it is for begins, and the watchdog lets no pass
take longer than 8 s.
"""

import gc
import os
from time import sleep_us, ticks_add, ticks_diff, ticks_ms, ticks_us

import settings
import wire
from contacts import BUTTONS, FAULT, open_contacts
from lights import Lights
from line import Line

PERIOD_US = 4000  # 250 scans a second: three in a row that agree span 8 ms
REPEAT_MS = 500  # contacts are told at least as often
PAUSE_MS = 20  # and not more often, should one flicker
AGAIN_MS = 40  # what has changed is told again after so long, in case a line is lost
PRESS_TIMES = 3  # so often for buttons, of which a short press would be lost with its line
SILENCE_MS = 5000
SWEEP_MS = 2000  # so often at most the heap is swept after a frame, and not in the next one
CRASH = "crash.txt"
NEEDED = "BUTTONS JUMPER LIGHTS SPACES MAX_MA REGISTERS"
MATRIX = "ROWS COLUMNS DRIVE_US RELEASE_US"
CHAIN = "LOAD CLOCK DATA"


class Board:
    """Contacts, lights and line in one."""

    def __init__(self):
        """Make the lights dark and scan once."""
        check_settings()
        self.contacts, self.lights, self.line = open_contacts(), Lights(), Line()
        self.encoder, self.decoder = (
            wire.Encoder(),
            wire.Decoder(device=True, lights=settings.SPACES),
        )
        # Protocol 1 tells 64 places, neither more nor less, and its lines are for 64 lights.
        small = self.contacts.places == wire.MATRIX_PLACES and settings.SPACES <= 64
        self.protocols = (wire.OLDEST, wire.PROTOCOL) if small else (wire.PROTOCOL,)
        self.talking = False
        self.raw_wanted = False
        self.heard = self.sent = self.sent_raw = self.sent_buttons = self.swept = ticks_ms()
        self.buttons = self.presses = 0
        self.missed = 0
        self.fresh = False  # whether the contacts that were told last were new
        self.told = b""
        self.told_raw = b""
        self.lights.send()

    def step(self):
        """Do everything once: listen, show, scan, tell."""
        now = ticks_ms()
        data = self.line.read()
        if data:
            self.listen(data, now)
        if self.talking and ticks_diff(now, self.heard) >= SILENCE_MS:
            self.fall_silent()
        shown = self.lights.send()
        self.contacts.scan()
        if self.talking:
            self.tell_changes(now)
        self.line.flush()
        if shown and not 0 <= ticks_diff(now, self.swept) < SWEEP_MS:  # it may be days ago
            self.swept = now
            gc.collect()

    def listen(self, data, now):
        """Do what the lines in `data` say."""
        for message in self.decoder.feed(data):
            self.heard = now
            if self.talking or message.kind == wire.HELLO:
                self.ANSWERS[message.kind](self, message.value)

    def tell(self, kind, payload=b""):
        """Send a line."""
        self.line.write(self.encoder.line(kind, payload))

    def tell_changes(self, now):
        """Tell what is new, or due again."""
        if self.decoder.missed != self.missed:
            self.tell_missed()
        self.tell_buttons(now)
        new = self.contacts.stable != self.told
        age = ticks_diff(now, self.sent)
        if age >= (AGAIN_MS if self.fresh else REPEAT_MS) or (new and age >= PAUSE_MS):
            self.fresh = new
            self.tell_contacts(now)
        if self.raw_wanted:
            age = ticks_diff(now, self.sent_raw)
            if age >= REPEAT_MS or (age >= PAUSE_MS and self.contacts.raw != self.told_raw):
                self.tell_raw(now)

    def tell_buttons(self, now):
        """Tell the buttons on change and some times more, and a short press for as long as that."""
        down = self.contacts.stable[BUTTONS]
        if self.presses:
            down |= self.buttons
        if down != self.buttons:
            self.buttons, self.presses = down, PRESS_TIMES
        elif self.presses and ticks_diff(now, self.sent_buttons) >= AGAIN_MS:
            self.presses -= 1
        else:
            return
        self.sent_buttons = now
        self.tell(wire.BUTTONS, b"%d" % self.buttons)

    def tell_contacts(self, now):
        """Tell the contacts, or why they cannot be told: nobody shall take a fault for contacts."""
        self.sent, self.told = now, bytes(self.contacts.stable)
        if self.told[FAULT]:
            self.tell(wire.TROUBLE, wire.pack_trouble(*fault(self.told[FAULT])))
        else:
            self.tell(wire.CONTACTS, wire.pack_contacts(now, self.told[:BUTTONS]))

    def tell_raw(self, now):
        """Tell the newest scan as it is."""
        self.sent_raw, self.told_raw = now, bytes(self.contacts.raw)
        self.tell(wire.RAW, wire.pack_octets(self.told_raw[:BUTTONS]))

    def tell_missed(self):
        """Tell how many lines were lost, so that the host sends the frame again."""
        self.missed = self.decoder.missed
        self.tell(wire.TROUBLE, wire.pack_trouble("lost", str(self.missed)))

    def fall_silent(self):
        """Nobody is there any more: dark, and silent until the next hello."""
        self.talking = self.raw_wanted = False
        self.decoder.restart()
        self.lights.dark()

    # What the host can say.

    def hello(self, value):
        """Answer; go on only with a host (not with an echo) whose protocol this board can speak."""
        protocol, version, _, board, _, _ = value
        if board != wire.HOST:
            return
        self.raw_wanted = False
        self.talking = protocol in self.protocols
        newer = protocol > wire.OLDEST
        max_ma = settings.MAX_MA if newer or wire.tells_limit(version) else None
        places = self.contacts.places if newer else None
        mine = protocol if self.talking else wire.PROTOCOL
        self.line.greet(self.encoder, mine, settings.SPACES, max_ma, places)
        if self.talking:
            self.buttons, self.presses = self.contacts.stable[BUTTONS], 0
            self.again()
            self.tell_crash()
        else:
            self.lights.dark()

    def again(self, seen=""):
        """Tell everything, or forget the trouble that the host has seen."""
        if seen:
            if seen == "crash":
                forget_crash()
            return
        self.sent_buttons = ticks_ms()
        self.tell(wire.BUTTONS, b"%d" % self.buttons)
        self.tell_contacts(self.sent_buttons)
        if self.missed:
            self.tell_missed()

    def tell_crash(self):
        """Tell why the program was started again, at every hello until the host has seen it."""
        try:
            with open(CRASH) as file:
                self.tell(wire.TROUBLE, wire.pack_trouble("crash", file.read() or "?"))
        except OSError:
            pass

    def frame(self, rgb):
        """Show a whole frame."""
        self.check(self.lights.show_all(rgb))

    def changes(self, changes):
        """Show a frame that differs in some lights."""
        self.check(self.lights.show_some(changes))

    def check(self, right):
        """Complain about lights that do not exist."""
        if not right:
            text = f"a frame does not fit {settings.SPACES} lights"
            self.tell(wire.TROUBLE, wire.pack_trouble("frame", text))

    def limit(self, value):
        """Limit the current, to less than the board's own limit only."""
        self.lights.limit(*value)

    def raw(self, wanted):
        """Tell raw scans too, or no longer."""
        self.raw_wanted = bool(wanted)
        if wanted:
            self.tell_raw(ticks_ms())

    def alive(self, _):
        """Say that the line works both ways."""
        self.tell(wire.ALIVE)

    ANSWERS = {
        wire.HELLO: hello,
        wire.AGAIN: again,
        wire.FRAME: frame,
        wire.CHANGES: changes,
        wire.LIMIT: limit,
        wire.RAW: raw,
        wire.ALIVE: alive,
    }


def check_settings():
    """Make sure that this firmware finds all it needs in the settings, which may be older."""
    needed = NEEDED.split() + (CHAIN if getattr(settings, "REGISTERS", 0) else MATRIX).split()
    missing = [name for name in needed if not hasattr(settings, name)]
    if missing:
        raise ValueError("settings.py lacks " + ", ".join(missing))
    if settings.REGISTERS:
        pins = [settings.LOAD, settings.CLOCK, settings.DATA]
    else:
        pins = list(settings.ROWS) + list(settings.COLUMNS)
        if max(len(settings.ROWS), len(settings.COLUMNS)) > 8:
            raise ValueError("settings.py has more than 8 rows or columns")
    pins += settings.BUTTONS
    pins += [settings.JUMPER, settings.LIGHTS]
    twice = [f"GP{pin}" for pin in sorted(set(pins)) if pins.count(pin) > 1]
    if twice:
        raise ValueError("settings.py uses twice: " + ", ".join(twice))
    spaces = 255 if settings.REGISTERS else 64
    bounds = (("REGISTERS", 0, 64), ("SPACES", 1, spaces), ("MAX_MA", 1, wire.MAX_LIMIT_MA))
    for name, least, most in bounds:
        value = getattr(settings, name)
        if not isinstance(value, int) or not least <= value <= most:
            raise ValueError(f"settings.py: {name} is {value}, not a whole number up to {most}")


def fault(bits):
    """Return code and text of the trouble that the contacts have."""
    if settings.REGISTERS:
        return "chain", f"GP{settings.DATA}"
    return "short", " ".join(
        [f"GP{pin}" for k, pin in enumerate(settings.COLUMNS) if bits >> k & 1]
    )


def forget_crash():
    """Let go of the reason for the last start."""
    if CRASH in os.listdir():
        os.remove(CRASH)


def run(watchdog):
    """Run the board for good; `watchdog` is fed after every pass, from the first good scan on."""
    board = Board()
    due = ticks_us()
    while True:
        board.step()
        watchdog.feed()
        due = ticks_add(due, PERIOD_US)
        left_us = ticks_diff(due, ticks_us())
        if 0 < left_us <= PERIOD_US:
            sleep_us(left_us)
        else:
            due = ticks_us()  # late: go on from here
