"""Run the benches that the command line names, or all of them."""

import sys

from ..firmware.bench import what_firmware_costs
from . import Bench
from .drivers import one_frame, one_scan
from .engine import engine_speed
from .pack import whole_packs
from .page import page_on_loopback
from .rules import all_that_actions_lead_to, leaves_per_second
from .table import table_beside_an_engine, table_on_the_real_clock

BENCHES: dict[str, Bench] = {
    "perft": leaves_per_second,
    "actions": all_that_actions_lead_to,
    "engine": engine_speed,
    "table": table_on_the_real_clock,
    "opponent": table_beside_an_engine,
    "scan": one_scan,
    "frame": one_frame,
    "firmware": what_firmware_costs,
    "page": page_on_loopback,
    "pack": whole_packs,
}


def main(names: list[str]) -> int:
    """Print the benches called `names`; return the exit code."""
    if unknown := set(names) - set(BENCHES):
        print(f"no such bench: {', '.join(sorted(unknown))}; there are {', '.join(BENCHES)}")
        return 2
    for name in names or BENCHES:
        for line in BENCHES[name]():
            print(line, flush=True)
        print()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
