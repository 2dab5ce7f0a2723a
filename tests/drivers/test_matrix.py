"""Matrices on all their lines: gpiozero, lgpio, an expander; faults of the wiring."""

import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from sorcel_pi.config.schema import Config, ContactsConfig, PixelsConfig
from sorcel_pi.config.wiring import button_pins, contact_pins
from sorcel_pi.drivers.buttons import GpioButtons, WithButtons
from sorcel_pi.drivers.expander import ExpanderLines
from sorcel_pi.drivers.gpio_lines import GpiozeroLines, LgpioLines, LineBank, open_lines
from sorcel_pi.drivers.matrix import Matrix, direction_of
from sorcel_pi.errors import DeviceError
from sorcel_pi.table.sensing.debouncer import Debouncer

from .contract import SensorContract, SensorRig
from .wired import FakeChip, FakeLgpio, WiredPin, Wiring

SPACES = 61
GPIO = Config(contacts=ContactsConfig(driver="gpio"), pixels=PixelsConfig(driver="spi"))
EXPANDER = Config(contacts=ContactsConfig(driver="expander"), pixels=PixelsConfig(driver="spi"))


class Ticks:
    """A clock that goes on by itself, 10 ms a look, and waits that take no time."""

    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    def __call__(self) -> float:
        self.now += 0.01
        return self.now

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)


@pytest.fixture
def wiring() -> Wiring:
    return Wiring(*contact_pins(GPIO))


@pytest.fixture
def zero(wiring: Wiring) -> Iterator[Wiring]:
    """gpiozero on pins that are soldered to the wiring."""
    pin = type("Soldered", (WiredPin,), {"wiring": wiring})
    Device.pin_factory = MockFactory(pin_class=pin)
    yield wiring
    wiring.error = None
    Device.pin_factory.reset()
    Device.pin_factory = None


@pytest.fixture
def lgpio(wiring: Wiring, monkeypatch: pytest.MonkeyPatch) -> FakeLgpio:
    fake = FakeLgpio(wiring)
    monkeypatch.setitem(sys.modules, "lgpio", fake)
    return fake


def matrix_on(bank: LineBank, wiring: Wiring, **options: Any) -> Matrix:
    ticks = Ticks()
    return Matrix(
        bank,
        len(wiring.rows),
        len(wiring.columns),
        order=options.pop("order", range(SPACES)),
        clock=options.pop("clock", ticks),
        wait=ticks.wait,
    )


def rig_of(source: Any, wiring: Wiring, pins: tuple[int | None, ...]) -> SensorRig:
    def hold(mask: int) -> None:
        wiring.pressed = {pin or 0 for bit, pin in enumerate(pins) if mask >> bit & 1}

    def unplug() -> None:
        wiring.error = OSError(5, "Input/output error")

    def plug() -> None:
        wiring.error = None

    return SensorRig(source, SPACES, wiring.close_places, hold, unplug, plug)


class TestGpiozero(SensorContract):
    @pytest.fixture
    def rig(self, zero: Wiring) -> SensorRig:
        pins = button_pins(GPIO)
        matrix = matrix_on(GpiozeroLines(zero.rows, zero.columns), zero)
        return rig_of(WithButtons(matrix, GpioButtons(pins)), zero, pins)


class TestLgpio(SensorContract):
    @pytest.fixture
    def rig(self, zero: Wiring, lgpio: FakeLgpio) -> SensorRig:
        pins = button_pins(GPIO)
        matrix = matrix_on(open_lines(zero.rows, zero.columns), zero)
        return rig_of(WithButtons(matrix, GpioButtons(pins)), zero, pins)


class TestExpander(SensorContract):
    @pytest.fixture
    def rig(self, zero: Wiring) -> SensorRig:
        wiring, pins = Wiring(*contact_pins(EXPANDER)), button_pins(EXPANDER)
        rows, columns = contact_pins(EXPANDER)
        chip = FakeChip(wiring)
        matrix = matrix_on(ExpanderLines(rows, columns, open_bus=lambda: chip), wiring)
        rig = rig_of(WithButtons(matrix, GpioButtons(pins)), wiring, pins)
        rig.hold_buttons = rig_of(None, zero, pins).hold_buttons
        return rig


@pytest.fixture(params=["gpiozero", "lgpio", "expander"])
def bank(request: pytest.FixtureRequest, zero: Wiring) -> tuple[LineBank, Wiring]:
    """Each kind of lines."""
    if request.param == "expander":
        wiring = Wiring(*contact_pins(EXPANDER))
        chip = FakeChip(wiring)
        return ExpanderLines(wiring.rows, wiring.columns, open_bus=lambda: chip), wiring
    if request.param == "lgpio":
        request.getfixturevalue("lgpio")
        return LgpioLines(zero.rows, zero.columns), zero
    return GpiozeroLines(zero.rows, zero.columns), zero


def places(*numbers: int) -> int:
    return sum(1 << number for number in numbers)


def test_an_order_renames_places(bank: tuple[LineBank, Wiring]) -> None:
    lines, wiring = bank
    matrix = matrix_on(lines, wiring, order=range(SPACES - 1, -1, -1))
    wiring.close_places(places(0, 60))
    assert matrix.scan().closed == places(60, 0)
    wiring.close_places(places(5, 62))  # where there is no space
    assert matrix.scan().closed == places(55)


def test_bounce_becomes_one_change(bank: tuple[LineBank, Wiring]) -> None:
    lines, wiring = bank
    ticks = Ticks()
    matrix = matrix_on(lines, wiring, clock=ticks)
    debouncer = Debouncer(0.02)
    debouncer.feed(matrix.scan())
    wiring.close_places(places(17, 40))
    wiring.bouncing = 30
    sensed = [debouncer.feed(matrix.scan()) for _ in range(40)]
    assert sum(each.closed for each in sensed) == places(17, 40)
    assert not any(each.opened for each in sensed)
    assert sensed[-1].occupied == places(17, 40)


def test_with_diodes_three_corners_show_no_fourth(bank: tuple[LineBank, Wiring]) -> None:
    lines, wiring = bank
    width = len(wiring.columns)
    three, fourth = places(0, 3, 2 * width), places(2 * width + 3)
    wiring.close_places(three)
    matrix = matrix_on(lines, wiring)
    assert matrix.scan().closed == three
    wiring.missing = set(range(64))
    ghosts = matrix.scan().closed
    assert ghosts == three | fourth


def test_a_stuck_column_is_named_and_never_read_as_pieces(bank: tuple[LineBank, Wiring]) -> None:
    lines, wiring = bank
    matrix = matrix_on(lines, wiring)
    wiring.close_places(places(3))
    wiring.grounded = {wiring.columns[2]}
    with pytest.raises(DeviceError, match=f"{lines.name(2)}; look for a short"):
        matrix.scan()
    wiring.grounded = set()
    assert matrix.scan().closed == places(3)


def test_a_stuck_row_is_found_as_soon_as_a_piece_stands_in_it(
    bank: tuple[LineBank, Wiring],
) -> None:
    lines, wiring = bank
    matrix = matrix_on(lines, wiring)
    wiring.grounded = {wiring.rows[1]}
    assert matrix.scan().closed == 0
    wiring.close_places(1 << len(wiring.columns))
    with pytest.raises(DeviceError, match=f"low without any row driven: {lines.name(0)};"):
        matrix.scan()


def test_only_one_row_is_low_at_a_time_and_none_afterwards(zero: Wiring, lgpio: FakeLgpio) -> None:
    lines = LgpioLines(zero.rows, zero.columns)
    lows: list[int] = []
    read = lines.read

    def spy() -> int:
        lows.append(sum(not level for level in zero.driven.values()))
        return read()

    lines.read = spy  # type: ignore[method-assign]
    ticks = Ticks()
    matrix = Matrix(lines, 8, 8, order=range(SPACES), wait=ticks.wait, clock=ticks)
    matrix.scan()
    assert lows == [1] * 8 + [0]
    assert ticks.waits == [0.00002, 0.0001] * 8
    assert lgpio.calls == 8 + 8 + 3 * 8 + 1  # claims, then two writes and a read a row, and idle


def test_which_way_round_the_diodes_are(zero: Wiring, lgpio: FakeLgpio) -> None:
    zero.close_places(places(0, 9, 63))
    zero.turned, zero.missing = {9}, {63}
    found = direction_of(open_lines, zero.rows, zero.columns)
    assert found == (places(0), places(9), places(63))
    assert not lgpio.open


# -- opening --------------------------------------------------------------------------------------


def test_the_chip_of_the_header_is_found_by_its_label(wiring: Wiring, lgpio: FakeLgpio) -> None:
    lgpio.labels = ("gpio-brcmstb@107d508500", "raspberrypi-exp-gpio", "pinctrl-rp1")
    LgpioLines(wiring.rows, wiring.columns)
    assert [*lgpio.open.values()] == [2]
    lgpio.labels = ("INT34C5:00",)
    with pytest.raises(DeviceError, match=r"no GPIO lines of a Raspberry Pi here .*INT34C5:00"):
        LgpioLines(wiring.rows, wiring.columns)


def test_a_line_that_is_taken_says_who_may_have_it(wiring: Wiring, lgpio: FakeLgpio) -> None:
    lgpio.busy = {wiring.columns[3]}
    with pytest.raises(DeviceError, match=r"GPIO busy.*sorcel\.service"):
        LgpioLines(wiring.rows, wiring.columns)
    assert not lgpio.open


def test_a_pin_that_gpiozero_has_already(zero: Wiring) -> None:
    buttons = GpioButtons((None, zero.rows[4], None))
    with pytest.raises(DeviceError, match=r"opened: .*GPIO16"):
        GpiozeroLines(zero.rows, zero.columns)
    buttons.close()
    GpiozeroLines(zero.rows, zero.columns).close()


def without(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)


@pytest.mark.parametrize(
    ("module", "opened"),
    [
        ("gpiozero", lambda: GpiozeroLines((1,), (2,))),
        ("gpiozero", lambda: GpioButtons((1, 2, 3))),
        ("adafruit_mcp230xx.mcp23017", lambda: ExpanderLines((1,), (2,))),
    ],
    ids=["contacts", "buttons", "expander"],
)
def test_a_missing_library_is_one_sentence_with_the_line_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, module: str, opened: Callable[[], object]
) -> None:
    without(monkeypatch, module)
    with pytest.raises(DeviceError, match=r'" -m pip install [^\n]+$') as caught:
        opened()
    assert "\n" not in str(caught.value)


def test_29_without_lgpio_and_where_another_is_asked_for_gpiozero_is_taken(
    zero: Wiring, lgpio: FakeLgpio, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "rpigpio")
    lines = open_lines(zero.rows, zero.columns)
    assert isinstance(lines, GpiozeroLines)
    lines.close()
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY")
    monkeypatch.delattr(FakeLgpio, "group_claim_input")  # the empty package of that name
    assert isinstance(open_lines(zero.rows, zero.columns), GpiozeroLines)


# -- the expander ---------------------------------------------------------------------------------


def test_an_expander_that_comes_later_is_found(zero: Wiring) -> None:
    wiring = Wiring(*contact_pins(EXPANDER))
    wiring.error = OSError(121, "Remote I/O error")
    chip = FakeChip(wiring)
    matrix = matrix_on(ExpanderLines(wiring.rows, wiring.columns, open_bus=lambda: chip), wiring)
    wiring.close_places(places(7))
    with pytest.raises(DeviceError, match=r"0x20 does not answer: .*doctor"):
        matrix.scan()
    wiring.error = None
    assert matrix.scan().closed == places(7)
    assert not chip.registers[chip.IODIR] & 0x80  # GPA7 and GPB7 can only drive
    assert not chip.registers[chip.IODIR + 1] & 0x80


def test_an_expander_without_power_for_a_moment_never_reads_empty() -> None:
    """Wherever in a scan the power fails: an error or the truth, and the next scan is right."""
    wiring = Wiring(*contact_pins(EXPANDER))
    chip = FakeChip(wiring)
    matrix = matrix_on(ExpanderLines(wiring.rows, wiring.columns, open_bus=lambda: chip), wiring)
    wiring.close_places(places(0, 30, 60))
    truth = matrix.scan().closed
    before = chip.transfers
    matrix.scan()
    errors = 0
    for moment in range(1, chip.transfers - before + 1):
        chip.after_transfers[chip.transfers + moment] = chip.power_on
        try:
            assert matrix.scan().closed == truth
        except DeviceError:
            errors += 1
        assert matrix.scan().closed == truth
    assert errors > 20


def test_what_a_scan_of_the_expander_costs_on_the_bus() -> None:
    wiring = Wiring(*contact_pins(EXPANDER))
    chip = FakeChip(wiring)
    matrix = matrix_on(ExpanderLines(wiring.rows, wiring.columns, open_bus=lambda: chip), wiring)
    matrix.scan()
    before = chip.transfers
    matrix.scan()
    assert chip.transfers - before == 9 * 3 + 3


def test_after_close_the_bus_is_let_go() -> None:
    wiring = Wiring(*contact_pins(EXPANDER))
    chip = FakeChip(wiring)
    matrix = matrix_on(ExpanderLines(wiring.rows, wiring.columns, open_bus=lambda: chip), wiring)
    matrix.scan()
    matrix.close()
    assert chip.closed
