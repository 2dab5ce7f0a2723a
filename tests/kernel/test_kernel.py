"""The board's drivers on a real kernel with simulated hardware; `make test-kernel` runs it."""

import pytest

from .boot import Result, results, run_guest

CHECKS = (
    "lgpio_reads_the_matrix",
    "gpiozero_reads_the_matrix",
    "the_driver_takes_lgpio",
    "lines_in_use_are_named",
    "buttons",
    "what_a_scan_costs",
    "a_game_through_a_usb_port_with_unplug_and_replug",
    "end",
)


@pytest.mark.kernel
def test_on_a_real_kernel() -> None:
    found = run_guest()
    for result in found:
        print(f"{'ok    ' if result.passed else 'FAILED'} {result.name}\n{result.text}")
    assert [result.name for result in found if not result.passed] == []
    assert tuple(result.name for result in found) == CHECKS


def test_what_the_guest_writes_is_read() -> None:
    log = "noise\r\n== ok one\r\n0.1 s\r\n== FAILED two\r\nTraceback\r\n== ok end\r\n"
    assert results(log) == [
        Result("one", True, "0.1 s"),
        Result("two", False, "Traceback"),
        Result("end", True, ""),
    ]
    assert [(each.name, each.passed) for each in results("Kernel panic")] == [("end", False)]
