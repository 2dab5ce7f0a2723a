"""The files of the row boards: KiCad projects, files for makers, the order of bits, and a page.

The page says what is joined by hand, counted from the boards and from the cable list of the build
that is wired by hand, and how long that takes by estimate.
"""

from collections.abc import Iterator

from .builds import Build
from .cables import wires
from .contacts import Fields, hall_fields
from .geometry import Geometry
from .gerbers import fabrication, is_fitted
from .kicad import pcb, project, schematic
from .rowboards import CHIP, FEED, HEADER, RowBoard, row_boards
from .tables import table

SENSE_MM = 1.2
"""From the lower side of the floor down to the plate in a Hall switch: pixels of 1.6 mm touch the
floor but for 0.2 mm, and the plate is 0.6 mm above the board."""
_INPUTS = ("6", "5", "4", "3", "14", "13", "12", "11")
"""Pins of a register in the order in which its bits come out: H to A."""
_JOINT_MIN, _WIRE_MIN, _CONTACT_MIN = 1.5, 1.0, 6.0
"""Minutes by hand: a joint, cutting and stripping a wire, preparing and placing a reed."""


def board_files(g: Geometry, builds: tuple[Build, ...]) -> Iterator[tuple[str, bytes]]:
    """Yield all files by name."""
    made = row_boards(g)
    for board in made:
        yield f"kicad/{board.name}/{board.name}.kicad_pcb", pcb(board, g.mark)
        yield f"kicad/{board.name}/{board.name}.kicad_sch", schematic(board, g.mark)
        yield f"kicad/{board.name}/{board.name}.kicad_pro", project(board)
        for name, data in fabrication(board, g.mark).items():
            yield f"fabrication/{board.name}/{name}", data
    yield "bits.csv", table(("bit", "space"), enumerate(bits(made)))
    yield "boards.md", _page(g, made, builds[0]).encode()


def bits(boards: tuple[RowBoard, ...]) -> tuple[str, ...]:
    """Return the space of each bit in the order in which they come out, "" for one that is tied."""
    found = []
    for board in boards:
        for part in board.parts:
            if part.footprint is CHIP:
                nets = (part.nets[pin] for pin in _INPUTS)
                found += [net.removeprefix("IN_") if net != "+3V3" else "" for net in nets]
    return tuple(found)


def hall_depths_mm(g: Geometry) -> tuple[float, float]:
    """Return how deep a Hall switch is below the magnet of a piece on a hex and in a hole."""
    m = g.measures
    magnet = m.felt_mm + m.magnet_clearance_mm + m.floor_mm + SENSE_MM
    return magnet + m.top_mm, magnet


def _page(g: Geometry, boards: tuple[RowBoard, ...], build: Build) -> str:
    lines = [
        f"# Row boards of the board {g.board.name}",
        "",
        f"Made by `sorcel hardware --pcb`: {g.mark}. Nobody has ordered or built them yet.",
        "",
        "A board for each row, and row-0, which has only the southern lights of the first row.",
        "They lie under the floor in place of the carrier, parts up, spaced so that the pixels",
        "nearly touch it. J1 of row-0 goes to the controller (pins: registers out, lights north,",
        "lights south, ground, 3.3 V, clock, load), J2 of each board to J1 of the next one.",
        "Both lights get their signal from a 74AHCT125 at the controller, each through 330 Ω.",
        "5 V never goes through J1 and J2: each board has feeds (5 V and ground) at both ends and",
        "in the middle. Registers and switches run on 3.3 V. `bits.csv` has the order of bits: the",
        "program takes it for granted (driver shift). Inputs without a contact are at 3.3 V, the",
        "input of the last register at ground: a cable that is out is noticed by that.",
        "",
        "Each space has footprints for a Hall switch (Q) and for a flat reed of 14 mm with a",
        "pull-up (S and R): fit one of the two. The reed lies 7 mm west and 4 mm south of the",
        "middle; its field was not computed here.",
        "",
        "| board | spaces | mm | parts fitted | by hand |",
        "| --- | --- | --- | --- | --- |",
        *(_line(board) for board in boards),
        "",
        "| Hall switch under | depth | own piece | six neighbours | lifted piece |",
        "| --- | --- | --- | --- | --- |",
        *(
            _field_line(name, depth, hall_fields(g.magnet, g.pitch_mm, depth))
            for name, depth in zip(("a hex", "a hole"), hall_depths_mm(g), strict=True)
        ),
        "",
        "| build | wires | joints by hand | hours by estimate |",
        "| --- | --- | --- | --- |",
        *_counts(g, boards, build),
        "",
        f"Hours: {_JOINT_MIN:g} minutes a joint, {_WIRE_MIN:g} a wire, {_CONTACT_MIN:g} a reed",
        "that is cut, sorted and placed. Boards come with their small parts fitted.",
        "",
    ]
    return "\n".join(lines)


def _line(board: RowBoard) -> str:
    left, top, right, bottom = board.box
    fitted = sum(map(is_fitted, board.parts))
    return (
        f"| {board.name} | {' '.join(board.names)} | {right - left:.1f} x {bottom - top:.1f} | "
        f"{fitted} | {_joints(board)} |"
    )


def _joints(board: RowBoard) -> int:
    """Return how many joints are soldered by hand: headers and feeds."""
    hand = (part for part in board.parts if part.footprint in (HEADER, FEED))
    return sum(len(part.footprint.pads) for part in hand)


def _field_line(name: str, depth: float, fields: Fields) -> str:
    return (
        f"| {name} | {depth:.1f} mm | {fields.own:.2f} mT | {fields.ring:.2f} mT | "
        f"{fields.lifted:.2f} mT |"
    )


def _counts(g: Geometry, boards: tuple[RowBoard, ...], build: Build) -> Iterator[str]:
    listed, n = wires(g, build), g.board.grid.n
    by_hand = len({end for wire in listed for end in (wire.start, wire.end)}) + n
    feeds = sum(part.footprint is FEED for board in boards for part in board.parts)
    cables, joints = len(boards) * len(HEADER.pads), sum(map(_joints, boards))
    for name, number, soldered, contacts in (
        (f"`{build.name}`, wired by hand", len(listed), by_hand, n),
        ("row boards", cables + 2 * feeds, joints, 0),
    ):
        minutes = number * _WIRE_MIN + soldered * _JOINT_MIN + contacts * _CONTACT_MIN
        yield f"| {name} | {number} | {soldered} | {minutes / 60:.0f} |"
