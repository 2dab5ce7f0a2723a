"""Checks that open the board itself: does it answer, and which way round are its diodes?

Only one program may use the board, so they are left out while the service runs.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from math import prod

from ..config.wiring import board_of, contact_grid, contact_order, contact_pins
from ..drivers.factory import open_contacts
from ..drivers.gpio_lines import LineBank, open_lines
from ..drivers.matrix import direction_of
from ..drivers.mcu import Mcu
from ..drivers.mcu_link import LinkState
from ..errors import DeviceError
from ..host.machine import Machine
from ..host.systemd import SERVICE
from ..wire import FIRMWARE
from .report import Context, Finding, fault, ok, warning

ANSWER_S = 5.0

OpenLines = Callable[[Sequence[int], Sequence[int]], LineBank]


def is_busy(machine: Machine) -> bool:
    """Return whether the service has the board."""
    return machine.run(["systemctl", "is-active", "--quiet", SERVICE]).code == 0


def check_board(context: Context) -> Iterator[Finding]:
    """Whether the board can be opened, and what it says."""
    config = context.config
    drivers = (config.contacts.driver, config.pixels.driver)
    if not set(drivers) & {"gpio", "mcu", "expander", "shift"}:
        return
    if is_busy(context.machine):
        yield ok("board", f"in use by the service; sudo systemctl stop {SERVICE} lets it be tried")
        return
    if "mcu" in drivers:
        yield _firmware(context)
    if config.contacts.driver == "gpio":
        yield from wiring(context)
    if config.contacts.driver == "expander":
        yield _expander(context)
    if config.contacts.driver == "shift":
        yield _registers(context)


def _registers(context: Context) -> Finding:
    try:
        with closing(open_contacts(context.config, board_of(context.config))) as registers:
            closed = registers.scan().closed.bit_count()
    except DeviceError as error:
        text, _, remedy = str(error).partition("; ")
        return fault("registers", text, remedy or "what the lines above say")
    return ok("registers", f"they answer; {closed} contacts are closed")


def _expander(context: Context) -> Finding:
    address = f"0x{context.config.contacts.address:02x}"
    try:
        matrix = open_contacts(context.config, board_of(context.config))
    except DeviceError as error:  # a package is missing, and the line that installs it follows
        text, _, remedy = str(error).partition(": ")
        return fault("expander", text, remedy)
    try:
        with closing(matrix):
            closed = matrix.scan().closed.bit_count()
    except DeviceError as error:
        text = str(error).partition("; sorcel doctor")[0]
        remedy = (
            f"look at its 3.3 V, ground, SDA, SCL, and RESET at 3.3 V; A0 to A2 set [contacts] "
            f"address, now {address}; i2cdetect -y 1 (apt: i2c-tools) shows which addresses answer"
        )
        return fault("expander", text, remedy)
    return ok("expander", f"answers at I2C address {address}; {closed} contacts are closed")


def _firmware(context: Context) -> Finding:
    mcu, spaces = context.config.mcu, board_of(context.config).grid.n
    places = 0
    if context.config.contacts.driver == "mcu":
        places = prod(contact_grid(context.config, board_of(context.config)))
    try:
        with Mcu(spaces, port=mcu.port, serial_number=mcu.serial_number, places=places) as board:
            board.wait_for(lambda: board.status.state.answered, ANSWER_S)
            status, render = board.status, board.counts.bytes_out > 0
    except DeviceError as error:
        return fault("firmware", str(error), str(error).rpartition(": ")[2])
    if status.state is not LinkState.CONNECTED:
        text = status.text.partition("; ")[0]
        remedy = "sorcel firmware install" if render else "what the lines above say"
        return fault("firmware", text, remedy)
    if status.firmware != FIRMWARE:
        text = f"the board has {status.firmware}, this program brings {FIRMWARE}"
        return warning("firmware", text, "sorcel firmware install")
    return ok("firmware", f"{status.firmware} on board {status.board}")


def wiring(context: Context, open_bank: OpenLines = open_lines) -> Iterator[Finding]:
    """Which way the contacts conduct that are closed now: it needs pieces on the board."""
    config = context.config
    rows, columns = contact_pins(config)
    try:
        found = direction_of(open_bank, rows, columns)
    except DeviceError as error:
        yield fault("wiring", str(error), "what the lines above say; then look at the wires named")
        return
    grid = board_of(config).grid
    space = {
        place: grid.names[k] for k, place in enumerate(contact_order(config, board_of(config)))
    }

    def names(places: int) -> str:
        found = [k for k in range(len(rows) * len(columns)) if places >> k & 1]
        return ", ".join(space.get(k, f"place {k}") for k in found)

    if found.turned:
        remedy = "turn the diodes round: the band to the row"
        yield fault("wiring", f"diodes are the wrong way round at {names(found.turned)}", remedy)
    if found.both:
        remedy = "put a 1N4148 in, or look for a bridge of solder across it"
        yield fault("wiring", f"diodes are missing or bridged at {names(found.both)}", remedy)
    if found.right:
        count = found.right.bit_count()
        yield ok("wiring", f"{count} closed contacts conduct the right way round")
    if not any(found):
        yield ok("wiring", "no contact is closed: put pieces on the board to have diodes checked")


CHECKS = (check_board,)
