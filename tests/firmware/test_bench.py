"""What a pass of the firmware does is counted, so that it cannot grow unnoticed."""

from .bench import costs
from .process import needs_micropython


@needs_micropython
def test_what_a_scan_and_a_frame_cost() -> None:
    (reads, writes, waited_us), pieces = costs()
    assert (reads, writes, waited_us) == (9 * 8 + 3, 2 * 8, 8 * 120)
    allocated = {what: count for what, _, count in pieces}
    # In blocks of 32 bytes; a microcontroller has half of that, and some 190 000 bytes.
    assert allocated["one quiet pass"] < 400
    assert max(allocated.values()) < 12_000
