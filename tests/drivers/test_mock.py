"""The simulated table keeps both contracts; its buttons, lights and clock."""

import pytest

from sorcel_pi.drivers.mock.table import MockTable
from sorcel_pi.drivers.ports import Frame, LightSink, SensorSource
from sorcel_pi.errors import DeviceError
from sorcel_pi.rules.hexgrid import spaces_of
from sorcel_pi.table.lights.frame import BLACK

from .contract import LightContract, LightRig, SensorContract, SensorRig
from .tables import BOARD, GRID, closed, table


class TestContacts(SensorContract):
    @pytest.fixture
    def rig(self) -> SensorRig:
        made = MockTable(BOARD)

        def close_contacts(mask: int) -> None:
            for space in range(GRID.n):
                made.put(space, space if mask >> space & 1 else None)
            if mask:
                made.advance(0.02)
            made.reeds.settle(made.now)
            made.advance(0.02)

        def hold_buttons(mask: int) -> None:
            for bit in range(3):
                (made.press if mask >> bit & 1 else made.release)(1 << bit)

        return SensorRig(made, GRID.n, close_contacts, hold_buttons, made.unplug, made.plug)


class TestLights(LightContract):
    @pytest.fixture
    def rig(self) -> LightRig:
        made = MockTable(BOARD)
        return LightRig(made, GRID.n, lambda: made.frame, made.unplug, made.plug)


def test_it_is_both_ports() -> None:
    source: SensorSource = table()
    sink: LightSink = table()
    assert source.scan().closed == 0
    sink.close()


def lit(*spaces: int) -> Frame:
    return tuple((9, 9, 9) if k in spaces else BLACK for k in range(GRID.n))


def test_frames_are_kept_with_their_times_and_dead_lights_are_black() -> None:
    made = table()
    made.show(lit(1, 2))
    made.advance(0.5)
    made.break_light(2)
    assert made.frame == lit(1)
    made.show(lit(2, 3))
    made.mend_light(2)
    made.advance(0.5)
    made.show(lit(2, 3))
    assert [*made.frames] == [(0, lit(1, 2)), (0.5, lit(1)), (0.5, lit(3)), (1.0, lit(2, 3))]
    assert made.frames_shown == 3


def test_only_so_many_frames_are_kept() -> None:
    made = MockTable(BOARD, frames_kept=2)
    for space in range(5):
        made.show(lit(space))
    assert [frame for _, frame in made.frames] == [lit(3), lit(4)]
    assert made.frames_shown == 5


def test_buttons_now_and_later() -> None:
    made = table()
    made.press(1)
    made.press(2, at=1.0, hold_s=2.0)
    made.release(1, at=1.5)
    assert made.scan().buttons == 1
    downs = []
    while (when := made.next_change()) is not None:
        made.advance_to(when)
        downs.append((when, made.scan().buttons))
    assert downs == [(1.0, 3), (1.5, 2), (3.0, 0)]
    with pytest.raises(ValueError, match="button 8"):
        made.press(8)


def test_at_rest_there_is_nothing_to_wait_for() -> None:
    made = table("b3", bounce_s=0.004)
    made.advance(0.01)
    made.scan()
    assert made.next_change() is None


def test_its_own_clock_goes_forward_only() -> None:
    made = table()
    made.advance(2)
    made.advance_to(2)
    with pytest.raises(ValueError, match="says 2"):
        made.advance_to(1)


def test_with_another_clock_things_move_by_that_one() -> None:
    seconds = [100.0]
    made = MockTable(BOARD, clock=lambda: seconds[0], bounce_s=0)
    made.put(0, GRID.number("b3"))
    assert made.scan().time_s == 100
    end = made.slide(0, GRID.number("c3"))
    seconds[0] = end
    assert closed(made) == ("c3",)
    with pytest.raises(ValueError, match="cannot be put"):
        made.advance(1)


def test_closed_is_closed() -> None:
    made = table("b3")
    made.close()
    made.plug()
    with pytest.raises(DeviceError, match="closed"):
        made.scan()


def test_a_full_board_reads_full() -> None:
    made = table(*GRID.names)
    assert [*spaces_of(made.scan().closed)] == [*range(GRID.n)]
