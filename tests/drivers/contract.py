"""What every driver keeps, as tests to be inherited: one for contacts, one for lights.

A test class of a driver inherits one and gives a `rig` fixture: the driver, opened, together with
the means to play the world on the other side of it.
"""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from sorcel_pi.drivers.ports import Frame, LightSink, SensorSource
from sorcel_pi.errors import DeviceError


@dataclass
class SensorRig:
    """A source of contacts and what decides what it will read."""

    source: SensorSource
    spaces: int
    close_contacts: Callable[[int], None]
    """Let exactly the contacts of this mask be closed, until they are set anew, bounce over."""
    hold_buttons: Callable[[int], None]
    """Let exactly the buttons of this mask be down."""
    unplug: Callable[[], None]
    plug: Callable[[], None]


@dataclass
class LightRig:
    """A set of lights and the eye that looks at them."""

    sink: LightSink
    lights: int
    seen: Callable[[], Frame]
    """What the lights show now."""
    unplug: Callable[[], None]
    plug: Callable[[], None]


class SensorContract:
    """A `SensorSource`."""

    def test_an_empty_board_reads_empty(self, rig: SensorRig) -> None:
        rig.close_contacts(0)
        scan = rig.source.scan()
        assert (scan.closed, scan.buttons) == (0, 0)

    def test_each_contact_has_its_own_bit(self, rig: SensorRig) -> None:
        for space in range(rig.spaces):
            rig.close_contacts(1 << space)
            assert rig.source.scan().closed == 1 << space

    def test_any_set_of_contacts_is_read_as_it_is(self, rig: SensorRig) -> None:
        everything = (1 << rig.spaces) - 1
        alternating = everything // 3
        for mask in (everything, alternating, everything ^ alternating, 0b1011, 0):
            rig.close_contacts(mask)
            assert rig.source.scan().closed == mask

    def test_each_button_has_its_own_bit(self, rig: SensorRig) -> None:
        rig.close_contacts(0b101)
        for buttons in (1, 2, 4, 3, 7, 0):
            rig.hold_buttons(buttons)
            scan = rig.source.scan()
            assert (scan.closed, scan.buttons) == (0b101, buttons)

    def test_time_never_runs_back(self, rig: SensorRig) -> None:
        times = []
        for k in range(20):
            rig.close_contacts(k)
            times.append(rig.source.scan().time_s)
        assert times == sorted(times)

    def test_a_line_that_is_down_is_an_error_and_never_an_empty_board(self, rig: SensorRig) -> None:
        rig.close_contacts(0b110)
        rig.source.scan()
        rig.unplug()
        for _ in range(3):
            with pytest.raises(DeviceError, match=r"\w+ \w+"):
                rig.source.scan()
        rig.plug()
        assert rig.source.scan().closed == 0b110

    def test_after_close_nothing_is_read(self, rig: SensorRig) -> None:
        rig.source.close()
        rig.source.close()
        with pytest.raises(DeviceError):
            rig.source.scan()


class LightContract:
    """A `LightSink`."""

    def test_a_frame_is_shown_as_it_is(self, rig: LightRig) -> None:
        frame = tuple((k, 255 - k, 2 * k % 256) for k in range(rig.lights))
        rig.sink.show(frame)
        assert rig.seen() == frame

    def test_each_light_has_its_own_colour(self, rig: LightRig) -> None:
        for light in range(rig.lights):
            frame = tuple((200, 3, 90) if k == light else (0, 0, 0) for k in range(rig.lights))
            rig.sink.show(frame)
            assert rig.seen() == frame

    def test_a_frame_of_another_length_is_refused_and_changes_nothing(self, rig: LightRig) -> None:
        frame = ((9, 8, 7),) * rig.lights
        rig.sink.show(frame)
        for wrong in (frame[1:], (*frame, (0, 0, 0)), ()):
            with pytest.raises(ValueError, match=str(rig.lights)):
                rig.sink.show(wrong)
        assert rig.seen() == frame

    def test_a_line_that_is_down_is_an_error_until_it_is_back(self, rig: LightRig) -> None:
        frame = ((1, 2, 3),) * rig.lights
        rig.unplug()
        with pytest.raises(DeviceError, match=r"\w+ \w+"):
            rig.sink.show(frame)
        rig.plug()
        rig.sink.show(frame)
        assert rig.seen() == frame

    def test_close_leaves_every_light_dark(self, rig: LightRig) -> None:
        rig.sink.show(((50, 60, 70),) * rig.lights)
        rig.sink.close()
        rig.sink.close()
        assert rig.seen() == ((0, 0, 0),) * rig.lights
        with pytest.raises(DeviceError):
            rig.sink.show(((50, 60, 70),) * rig.lights)
