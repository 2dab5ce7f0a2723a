"""The world of the firmware under test: its clock, wires and lights, and the test that moves them.

The stub modules act on this one.  Time stands still until the program sleeps.  When it would sleep
beyond the moment that the test has granted, it reports to the test and waits for a further grant,
both as lines over the socket with the number in SORCEL_WORLD:

    go MICROSECONDS CONTACTS BUTTONS      until then, with these closed and down, in hex
    jumper                                the maintenance jumper is closed
    interrupt                             somebody presses Ctrl-C
    break FAULT                           from now on something is broken: pins
"""

import json
import os

socket = int(os.getenv("SORCEL_WORLD") or "0")
orders = open(socket, "rb") if socket else None
reports = open(socket, "wb") if socket else None

now_us = 0
granted_us = 0
contacts = 0
buttons = 0
jumper = False
faults = set()

ROWS, COLUMNS, BUTTONS = range(2, 10), range(10, 18), range(18, 21)
JUMPER, LIGHTS, COUNT = 21, 22, 61
levels = {}  # outputs only
lights = []  # words of 32 bits, as the machine put them
bits = 24
frames = 0
shown_us = 0
watchdog_us = 0
fed_us = None
events = []  # what a test wants to hear of, since the last report
counts = {"pins": 0, "sleeps": 0}


def report(**more):
    """Tell the test how things stand."""
    global lights, events
    rows = [levels.get(row, -1) for row in ROWS]
    state = {"t": now_us, "frames": frames, "bits": bits, "rows": rows, "counts": counts}
    state.update(lights=lights, events=events, **more)
    reports.write(json.dumps(state) + "\n")
    lights, events = [], []


def sleep(us):
    """Let time pass."""
    global now_us
    target = now_us + us
    counts["sleeps"] += 1
    while target > granted_us and orders:
        now_us = max(now_us, granted_us)
        report()
        obey()
    now_us = target
    if fed_us is not None and now_us - fed_us > watchdog_us:
        die("the watchdog bites")


def die(event):
    """End as the board does when it is reset."""
    events.append(event)
    report(ended=True)
    raise SystemExit(3)


def obey():
    """Wait for what the test says, and do it."""
    global granted_us, contacts, buttons, jumper
    order = orders.readline().decode().split()
    if not order:
        raise SystemExit(9)  # the test is gone
    if order[0] == "go":
        granted_us = int(order[1])
        contacts, buttons = int(order[2], 16), int(order[3], 16)
    elif order[0] == "jumper":
        jumper = True
        report()
    elif order[0] == "interrupt":
        raise KeyboardInterrupt
    elif order[0] == "break":
        faults.add(order[1])
        report()


def level(pin):
    """Return what the program reads at `pin`."""
    counts["pins"] += 1
    if "pins" in faults:
        raise OSError("the pins are gone")
    if pin in levels:
        return levels[pin]
    if pin in BUTTONS:
        return int(not buttons >> pin - BUTTONS[0] & 1)
    if pin == JUMPER:
        return int(not jumper)
    if pin in COLUMNS:
        column = pin - COLUMNS[0]
        for row in range(8):
            if levels.get(ROWS[row]) == 0 and contacts >> 8 * row + column & 1:
                return 0
    return 1


def set_level(pin, value):
    """Drive `pin`, or let it go with None."""
    counts["pins"] += 1
    if value is None:
        levels.pop(pin, None)
    else:
        levels[pin] = int(bool(value))


def show(words, width):
    """Let the lights take a frame, `width` bits for each."""
    global lights, bits, frames, shown_us
    if frames and now_us - shown_us < 300:
        events.append("no pause between frames")
    lights, bits = list(words), width
    frames += 1
    shown_us = now_us + len(words) * width * 12 // 10
