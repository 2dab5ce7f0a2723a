"""What the lights see: the PIO program, as MicroPython assembles it, on an emulated machine."""

import json
from collections import deque
from itertools import groupby
from typing import Any

import pytest
from pioemu import ShiftRegister, State, clock_cycles_reached, emulate

from .process import ROOT, STUBS, micropython, needs_micropython

pytestmark = needs_micropython

CYCLE_NS = 100
ASK = """
import json, lights
chain = lights.Lights()
program = lights.program({bits})
print(json.dumps([program["opcodes"], program["wraps"], program["options"]]))
print(json.dumps([chain.machine.frequency, chain.machine.running]))
"""

# Shortest and longest, in ns. WS2812B: 0.40 / 0.85 us for a 0, 0.80 / 0.45 us for a 1, each within
# 0.15 us. WS2812B-V5: 220 to 380 and 580 to 1000, 580 to 1000 and from 220 on. SK6812: 0.3 / 0.9
# and 0.6 / 0.6, each within 0.15 us. A low may always be longer, up to the 50 us that latch.
SHEETS = {
    "WS2812B": {"0": ((250, 550), (700, 1000)), "1": ((650, 950), (300, 600))},
    "WS2812B-V5": {"0": ((220, 380), (580, 1000)), "1": ((580, 1000), (220, 1000))},
    "SK6812": {"0": ((150, 450), (750, 1050)), "1": ((450, 750), (450, 750))},
}


def ask(bits: int) -> tuple[list[int], tuple[int, int], dict[str, Any], list[Any]]:
    """Return opcodes, wrap, options, and what the state machine was made with."""
    said = micropython(ASK.format(bits=bits), path=[STUBS, ROOT / "firmware", ROOT / "sorcel_pi"])
    program, machine = (json.loads(line) for line in said.splitlines())
    opcodes, wraps, options = program
    return opcodes, tuple(wraps), options, machine


def waveform(words: list[int], bits: int) -> list[tuple[int, int]]:
    """Return (level, ns) of what comes out for `words`, from the first high on."""
    opcodes, (first, last), options, _ = ask(bits)
    assert options["autopull"] and options["out_shiftdir"] == "shift left"
    states = emulate(
        opcodes,
        stop_when=clock_cycles_reached(12 * bits * len(words) + 20),
        initial_state=State(transmit_fifo=deque(words), output_shift_register=ShiftRegister(0, 32)),
        auto_pull=True,
        pull_threshold=options["pull_thresh"],
        shift_osr_right=False,
        side_set_base=0,
        side_set_count=1,
        wrap_target=first,
        wrap_top=last,
    )
    levels: list[int] = []
    for before, after in states:
        levels += [after.pin_values & 1] * (after.clock - before.clock)
    runs = [(level, CYCLE_NS * len([*run])) for level, run in groupby(levels)]
    return runs[1:] if runs[0][0] == 0 else runs


def test_the_machine_runs_at_the_speed_that_the_program_is_for() -> None:
    for bits in (24, 32):
        opcodes, wraps, options, machine = ask(bits)
        assert [hex(opcode) for opcode in opcodes] == ["0x6421", "0x1223", "0x1300", "0xa342"]
        assert wraps == (0, 3)
        assert options == {
            "sideset_init": "out low",
            "out_shiftdir": "shift left",
            "autopull": True,
            "pull_thresh": bits,
            "fifo_join": "join tx",
        }
        assert machine == [1_000_000_000 // CYCLE_NS, True]


@pytest.mark.parametrize("bits", [24, 32])
def test_every_bit_arrives_and_keeps_the_times_of_the_data_sheets(bits: int) -> None:
    words = [0x00FF5A << 8, 0xA50F01 << 8, 0xFFFFFF << 8, 0x000000, 0x800001 << 8]
    wanted = "".join(f"{word:032b}"[:bits] for word in words)
    runs = waveform(words, bits)
    highs, lows = runs[0::2], runs[1::2]
    assert {level for level, _ in highs} == {1} and {level for level, _ in lows} == {0}
    got = "".join("1" if ns > 500 else "0" for _, ns in highs)
    assert got == wanted
    # The last low goes on until the next frame.
    for bit, (_, high_ns), (_, low_ns) in zip(wanted[:-1], highs, lows, strict=False):
        for sheet in SHEETS.values():
            (high_least, high_most), (low_least, low_most) = sheet[bit]
            assert high_least <= high_ns <= high_most
            assert low_least <= low_ns <= low_most
        assert high_ns + low_ns == 1200
    assert lows[-1][1] >= 500


def test_it_rests_low_between_frames() -> None:
    runs = waveform([0xFFFFFF << 8], 24)
    assert runs[-1][0] == 0
