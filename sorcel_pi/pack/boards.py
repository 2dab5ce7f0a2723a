"""The files of the row boards: KiCad projects, files for makers, the order of bits, and a page.

The page says what is joined by hand, counted from the boards and from the cable list of the build
that is wired by hand, and how long that takes by estimate.
"""

from collections.abc import Iterator
from dataclasses import replace

from ..config.schema import STANDARD, Config, ContactsConfig
from ..config.wiring import button_pins, contact_pins, has_registers, pixel_pin
from ..rules.board import standard_board
from .builds import Build, config_text
from .cables import wires
from .contacts import Fields, hall_fields
from .geometry import Geometry
from .gerbers import fabrication, is_fitted
from .headers import HEADERS, PI, PICO, PICO_BUTTONS, PICO_CHAIN, PICO_LIGHTS, signal
from .kicad import pcb, project, schematic
from .rowboards import CHIP, FEED, HEADER, RowBoard, row_boards
from .tables import table

SENSE_MM = 1.2
"""From the lower side of the floor down to the plate in a Hall switch: pixels of 1.6 mm touch the
floor but for 0.2 mm, and the plate is 0.6 mm above the board."""
_SIGNALS = {
    "SER0": "registers out (data)",
    "Dn0": "lights north",
    "Ds0": "lights south",
    "GND": "ground",
    "+3V3": "3.3 V",
    "CLOCK": "clock",
    "LOAD": "load",
}
"""What the nets of J1 of the first board are called."""
_INPUTS = ("6", "5", "4", "3", "14", "13", "12", "11")
"""Pins of a register in the order in which its bits come out: H to A."""
_JOINT_MIN, _WIRE_MIN, _CONTACT_MIN = 1.5, 1.0, 6.0
"""Minutes by hand: a joint, cutting and stripping a wire, preparing and placing a reed."""


def board_files(
    g: Geometry, builds: tuple[Build, ...], config: Config
) -> Iterator[tuple[str, bytes]]:
    """Yield all files by name; `builds` are those that are wired by hand, if any."""
    made = row_boards(g)
    for board in made:
        yield f"kicad/{board.name}/{board.name}.kicad_pcb", pcb(board, g.mark)
        yield f"kicad/{board.name}/{board.name}.kicad_sch", schematic(board, g.mark)
        yield f"kicad/{board.name}/{board.name}.kicad_pro", project(board)
        for name, data in fabrication(board, g.mark).items():
            yield f"fabrication/{board.name}/{name}", data
    yield "bits.csv", table(("bit", "space"), enumerate(bits(made)))
    name = STANDARD if g.board == standard_board() else "../board.toml"
    for title, each in (("pi", on_pi(config)), ("pico", on_pico(config))):
        yield f"{title}.toml", config_text(each, f"Row boards. {g.mark}", name).encode()
    yield "boards.md", _page(g, made, builds, config).encode()


def on_pi(config: Config) -> Config:
    """Return the config of row boards at a Pi, lights by SPI."""
    return _with_registers(config, "shift", "spi")


def on_pico(config: Config) -> Config:
    """Return the config of row boards at a Pico."""
    made = _with_registers(config, "mcu", "mcu")
    return replace(made, mcu=replace(made.mcu, contacts="shift"))


def _with_registers(config: Config, contacts: str, pixels: str) -> Config:
    """Return a config with other drivers; of one for a matrix only what is for both stays."""
    kept = config.contacts if has_registers(config) else ContactsConfig()
    return replace(
        config,
        contacts=replace(kept, driver=contacts),
        pixels=replace(config.pixels, driver=pixels),
    )


def controller_pins(board: RowBoard, config: Config) -> Iterator[tuple[str, str, str, str]]:
    """Yield pin and signal of J1 of the first row board, and where it goes on a Pi and a Pico."""
    (load, clock), (data,) = contact_pins(on_pi(config))
    lights = pixel_pin(on_pi(config)) or 0
    pi_pins = {"LOAD": load, "CLOCK": clock, "SER0": data, "Dn0": lights, "Ds0": lights}
    at_pico = dict(zip(("LOAD", "CLOCK", "SER0"), PICO_CHAIN, strict=True))
    pico_pins = at_pico | {"Dn0": PICO_LIGHTS, "Ds0": PICO_LIGHTS}
    (plug,) = (part for part in board.parts if part.ref == "J1")
    for pin, net in sorted(plug.nets.items()):
        yield (
            pin,
            _SIGNALS[net],
            _at(PI, net, pi_pins, {"GND": "GND", "+3V3": "3V3"}),
            _at(PICO, net, pico_pins, {"GND": "GND", "+3V3": "3V3_OUT"}),
        )


def _at(device: str, net: str, used: dict[str, int], rails: dict[str, str]) -> str:
    name = rails[net] if net in rails else signal(device, used[net])
    through = "through U1 " if net[0] == "D" else ""
    return f"{through}{name} (pin {HEADERS[device].number(name)})"


def _connections(board: RowBoard, config: Config) -> Iterator[str]:
    yield "| J1 of row-0 | signal | Pi | Pico |"
    yield "| --- | --- | --- | --- |"
    for each in controller_pins(board, config):
        yield f"| {' | '.join(each)} |"
    buttons = zip(("Light", "Dark", "menu"), button_pins(on_pi(config)), PICO_BUTTONS, strict=True)
    for name, pin, pico in buttons:
        there = signal(PICO, pico)
        pi = "" if pin is None else signal(PI, pin)
        pi += f" (pin {HEADERS[PI].number(pi)})" if pi else "none"
        yield f"| | button {name}, to ground | {pi} | {there} (pin {HEADERS[PICO].number(there)}) |"


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


def _page(
    g: Geometry, boards: tuple[RowBoard, ...], builds: tuple[Build, ...], config: Config
) -> str:
    registers = sum(part.footprint is CHIP for board in boards for part in board.parts)
    lines = [
        f"# Row boards of the board {g.board.name}",
        "",
        f"Made by `sorcel hardware --pcb`: {g.mark}. Nobody has ordered or built them yet.",
        "",
        "A board for each row, and row-0, which has only the southern lights of the first row.",
        "They lie under the floor in place of the carrier, parts up, spaced so that the pixels",
        "nearly touch it. J1 of row-0 goes to the controller, J2 of each board to J1 of the next.",
        "Both lights get their signal from a 74AHCT125 (U1) at the controller, each through 330 Ω.",
        "5 V never goes through J1 and J2: each board has feeds (5 V and ground) at both ends and",
        "in the middle. Registers and switches run on 3.3 V. `bits.csv` has the order of bits: the",
        "program takes it for granted (driver shift). Inputs without a contact are at 3.3 V, the",
        "input of the last register at ground: a cable that is out is noticed by that.",
        "",
        "Each space has footprints for a Hall switch (Q) and for a flat reed of 14 mm with a",
        "pull-up (S and R): fit one of the two. The reed lies 7 mm west and 4 mm south of the",
        "middle; its field was not computed here.",
        "",
        *_connections(boards[0], config),
        "",
        "`pi.toml` and `pico.toml` are the configs for both. A Pico gets `settings.py`, in which",
        f"`REGISTERS = {registers}` and `SPACES = {g.board.grid.n}`, by `sorcel firmware install",
        "--settings settings.py`. With Hall switches set `[contacts] latency_s` to 0.075.",
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
        *_counts(g, boards, builds),
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


def _counts(g: Geometry, boards: tuple[RowBoard, ...], builds: tuple[Build, ...]) -> Iterator[str]:
    counted = []
    for build in builds[:1]:
        listed, n = wires(g, build), g.board.grid.n
        by_hand = len({end for wire in listed for end in (wire.start, wire.end)}) + n
        counted.append((f"`{build.name}`, wired by hand", len(listed), by_hand, n))
    feeds = sum(part.footprint is FEED for board in boards for part in board.parts)
    cables, joints = len(boards) * len(HEADER.pads), sum(map(_joints, boards))
    counted.append(("row boards", cables + 2 * feeds, joints, 0))
    for name, number, soldered, contacts in counted:
        minutes = number * _WIRE_MIN + soldered * _JOINT_MIN + contacts * _CONTACT_MIN
        yield f"| {name} | {number} | {soldered} | {minutes / 60:.0f} |"
