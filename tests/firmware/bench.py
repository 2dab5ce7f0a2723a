"""`python -m tests.firmware.bench`: what scans, frames and lines cost in MicroPython.

The times are those of this machine.  What is counted is the same on a microcontroller: pins that
are read and driven, waits, bytes that are allocated (16 a block there, 32 here).
"""

import json
from collections.abc import Iterator

from .process import ROOT, STUBS, micropython

FRAME_US = 61 * 24 * 1.2


def costs() -> tuple[list[int], list[tuple[str, float, int]]]:
    """Return [pins read, pins driven, us waited] of a scan, and (what, us, bytes) of each piece."""
    script = STUBS.parent / "scripts" / "cost.py"
    path = [STUBS, ROOT / "firmware", ROOT / "sorcel_pi"]
    first, *rest = map(json.loads, micropython(script, path=path).splitlines())
    return first[1:], [tuple(each) for each in rest]


def what_firmware_costs() -> Iterator[str]:
    """Yield the lines of the bench."""
    (reads, writes, waited_us), pieces = costs()
    yield f"A scan reads {reads} pins, drives {writes} and waits {waited_us} us."
    yield f"A frame takes {FRAME_US:.0f} us on its way to 61 lights."
    for what, us, allocated in pieces:
        yield f"{what:28} {us:8.1f} us here {allocated:6} bytes"


if __name__ == "__main__":
    print("\n".join(what_firmware_costs()))
