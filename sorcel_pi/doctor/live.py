"""Checks that open the board itself: does it answer, and which way round are its diodes?

Only one program may use the board, so they are left out while the service runs.
"""

from collections.abc import Callable, Iterator, Sequence

from ..config import board_of, contact_order, contact_pins
from ..drivers.lines import LineBank, open_lines
from ..drivers.link import LinkState
from ..drivers.matrix import direction_of
from ..drivers.mcu import Mcu
from ..errors import DeviceError
from ..wire import FIRMWARE
from .report import Finding, Patient, fault, ok, warning
from .system import SERVICE

ANSWER_S = 5.0

OpenLines = Callable[[Sequence[int], Sequence[int]], LineBank]


def is_busy(patient: Patient) -> bool:
    """Return whether the service has the board."""
    return patient.machine.run(["systemctl", "is-active", "--quiet", SERVICE]).code == 0


def check_board(patient: Patient) -> Iterator[Finding]:
    """Whether the board can be opened, and what it says."""
    config = patient.config
    drivers = (config.contacts.driver, config.pixels.driver)
    if not set(drivers) & {"gpio", "mcu"}:
        return
    if is_busy(patient):
        yield ok("board", f"in use by the service; sudo systemctl stop {SERVICE} lets it be tried")
        return
    if "mcu" in drivers:
        yield _firmware(patient)
    if config.contacts.driver == "gpio":
        yield from wiring(patient)


def _firmware(patient: Patient) -> Finding:
    mcu = patient.config.mcu
    try:
        with Mcu(port=mcu.port, serial_number=mcu.serial_number) as board:
            answers = (LinkState.CONNECTED, LinkState.MISMATCH)
            board.wait_for(lambda: board.status.state in answers, ANSWER_S)
            status = board.status
    except DeviceError as error:
        return fault("firmware", str(error), str(error).rpartition(": ")[2])
    if status.state is not LinkState.CONNECTED:
        return fault("firmware", status.text, "sorcel firmware install")
    if status.firmware != FIRMWARE:
        text = f"the board has {status.firmware}, this program brings {FIRMWARE}"
        return warning("firmware", text, "sorcel firmware install")
    return ok("firmware", f"{status.firmware} on board {status.board}")


def wiring(patient: Patient, open_bank: OpenLines = open_lines) -> Iterator[Finding]:
    """Which way the contacts conduct that are closed now: it needs pieces on the board."""
    config = patient.config
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
