"""Row boards: every net joined and no two touching, from the Gerbers as another library reads them.

KiCad's own checks are `make kicad`; these need no KiCad.
"""

import csv
from collections import defaultdict
from functools import cache
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from gerbonara import ExcellonFile, GerberFile

from sorcel_pi import board_from_text, format_board, standard_board
from sorcel_pi.config.load import load_config
from sorcel_pi.config.schema import Config, ContactsConfig, PixelsConfig
from sorcel_pi.config.wiring import (
    board_of,
    check_config,
    contact_order,
    contact_pins,
    contact_spares,
    has_registers,
    light_order,
    pixel_pin,
)
from sorcel_pi.pack.boards import (
    bits,
    board_files,
    controller_pins,
    hall_depths_mm,
    on_pi,
    on_pico,
)
from sorcel_pi.pack.builds import builds, hand_wired
from sorcel_pi.pack.contacts import hall_fields
from sorcel_pi.pack.geometry import Geometry
from sorcel_pi.pack.gerbers import bill, fabrication, is_fitted, joined, places
from sorcel_pi.pack.headers import HEADERS, PI, PICO
from sorcel_pi.pack.kicad import pcb, project, schematic
from sorcel_pi.pack.lettering import lettered
from sorcel_pi.pack.measures import REVISION
from sorcel_pi.pack.planning import plan
from sorcel_pi.pack.rowboards import CHIP, FEED, HEADER, MEASURES, PIXEL, RowBoard, row_boards
from sorcel_pi.pack.shapes import Layer
from sorcel_pi.rules.hexgrid import spaces_of

from . import PITCH, board_text, built, firmware_settings, geometry

CLEAR_MM = 0.19
SIZES = [(5, 32.0), (5, PITCH), (5, 36.0), (5, 40.0), (3, PITCH), (8, PITCH)]


def planned(side: int, pitch: float) -> Geometry:
    board = standard_board() if side == 5 else board_from_text(board_text(side))
    return plan(board, Config(), pitch_mm=pitch, measures=MEASURES)


@cache
def boards(side: int = 5, pitch: float = PITCH) -> tuple[RowBoard, ...]:
    return row_boards(planned(side, pitch))


class Copper(NamedTuple):
    """A rectangle of copper: layer, edges, and the radius that its corners are rounded by."""

    upper: bool
    left: float
    bottom: float
    right: float
    top: float
    grown: float


def copper(board: RowBoard) -> list[Copper]:
    """Return all copper of a board as gerbonara reads it from its Gerbers."""
    files = fabrication(board, "")
    found = []
    for upper, layer in ((True, "F_Cu"), (False, "B_Cu")):
        read = GerberFile.from_string(files[f"{board.name}-{layer}.gbr"].decode())
        for item in read.objects:
            shape: Any = item
            if type(shape).__name__ == "Line":
                xs, ys = sorted((shape.x1, shape.x2)), sorted((shape.y1, shape.y2))
                grown = shape.aperture.diameter / 2
                found.append(Copper(upper, xs[0], ys[0], xs[1], ys[1], grown))
            elif hasattr(shape.aperture, "diameter"):
                x, y, grown = shape.x, shape.y, shape.aperture.diameter / 2
                found.append(Copper(upper, x, y, x, y, grown))
            else:
                wide, high = shape.aperture.w / 2, shape.aperture.h / 2
                x, y = shape.x, shape.y
                found.append(Copper(upper, x - wide, y - high, x + wide, y + high, 0.0))
    return found


def gap(a: Copper, b: Copper) -> float:
    """Return how far two pieces of copper on one layer are from each other."""
    dx = max(a.left - b.right, b.left - a.right, 0.0)
    dy = max(a.bottom - b.top, b.bottom - a.top, 0.0)
    return float((dx * dx + dy * dy) ** 0.5) - a.grown - b.grown


def holes(board: RowBoard) -> list[tuple[float, float]]:
    data = fabrication(board, "")[f"{board.name}-PTH.drl"].decode()
    read = ExcellonFile.from_string(data)
    return [(item.x, item.y) for item in read.objects]


def islands(board: RowBoard) -> tuple[list[Copper], list[int]]:
    """Return all copper, and the number of the island of each piece."""
    pieces = copper(board)
    drilled = holes(board)
    group = list(range(len(pieces)))

    def root(k: int) -> int:
        while group[k] != k:
            group[k] = group[group[k]]
            k = group[k]
        return k

    for a in range(len(pieces)):
        for b in range(a):
            if pieces[a].upper is pieces[b].upper and gap(pieces[a], pieces[b]) <= 0:
                group[root(a)] = root(b)
    for x, y in drilled:
        spot = [
            k
            for k, piece in enumerate(pieces)
            if gap(piece, Copper(piece.upper, x, y, x, y, 0.0)) <= 0
        ]
        assert len({pieces[k].upper for k in spot}) == 2, (x, y)
        for k in spot[1:]:
            group[root(spot[0])] = root(k)
    return pieces, [root(k) for k in range(len(pieces))]


@pytest.mark.parametrize(("side", "pitch"), [(5, PITCH), (5, 32.0), (5, 40.0), (3, PITCH)])
def test_the_gerbers_join_what_the_netlist_joins_and_nothing_else(side: int, pitch: float) -> None:
    # The widest rows have everything: two registers, pixels of both chains.
    made = boards(side, pitch)
    for board in (made[0], made[1], made[side], made[-1]):
        pieces, group = islands(board)
        nets: dict[str, set[int]] = defaultdict(set)
        for part in board.parts:
            for pad in part.footprint.pads:
                x, y = part.x + pad.x, -(part.y + pad.y)
                at = Copper(True, x, y, x, y, 0.0)
                here = [k for k, piece in enumerate(pieces) if piece.upper and gap(piece, at) <= 0]
                if joined(part, pad):
                    assert here, (part.ref, pad.number)
                    nets[joined(part, pad)] |= {group[k] for k in here}
        assert all(len(found) == 1 for found in nets.values()), board.name
        assert len({min(found) for found in nets.values()}) == len(nets)
        for a in range(len(pieces)):
            for b in range(a):
                if pieces[a].upper is pieces[b].upper and group[a] != group[b]:
                    assert gap(pieces[a], pieces[b]) >= CLEAR_MM, (pieces[a], pieces[b])


def test_a_missing_track_is_found() -> None:
    board = boards()[1]
    fewer = RowBoard(board.name, board.names, board.box, board.parts, board.tracks[1:], board.vias)
    assert len(set(islands(fewer)[1])) > len(set(islands(board)[1]))


@pytest.mark.parametrize(("side", "pitch"), SIZES)
def test_everything_is_on_its_board_and_boards_do_not_overlap(side: int, pitch: float) -> None:
    made, g = boards(side, pitch), planned(side, pitch)
    assert len(made) == 2 * side
    for board in made:
        left, top, right, bottom = board.box
        assert bottom - top < pitch * 3**0.5 / 2
        for part in board.parts:
            for pad in part.footprint.pads:
                x, y = part.x + pad.x, part.y + pad.y
                assert left + 0.5 < x - pad.width / 2 < x + pad.width / 2 < right - 0.5
                assert top + 0.5 < y - pad.height / 2 < y + pad.height / 2 < bottom - 0.3
    assert [name for board in made for name in board.names] == list(g.board.grid.names)


@pytest.mark.parametrize(("side", "pitch"), SIZES)
def test_boards_lie_inside_the_ledges(side: int, pitch: float) -> None:
    g = planned(side, pitch)
    south = min(y for _, y in g.centres)
    for k, board in enumerate(boards(side, pitch)):
        left, top, right, bottom = board.box
        line = south + (k - 1) * pitch * 3**0.5 / 2
        for x, y in product((left, right), (line - top, line - bottom)):
            out = max(abs(y), abs(x) * 3**0.5 / 2 + abs(y) / 2)
            assert out < g.edge_mm - g.measures.ledge_mm


@pytest.mark.parametrize(("side", "pitch"), SIZES)
def test_pixels_and_contacts_are_where_the_wood_has_them(side: int, pitch: float) -> None:
    g = planned(side, pitch)
    row = pitch * 3**0.5 / 2
    south = min(y for _, y in g.centres)
    found = set()
    for k, board in enumerate(boards(side, pitch)):
        line = south + (k - 1) * row
        for part in board.parts:
            if part.footprint is PIXEL:
                found.add((part.ref[1], part.ref[2:], round(part.x, 3), round(line - part.y, 3)))
            if part.ref.startswith("Q"):
                space = g.board.grid.number(part.ref[1:])
                assert (part.x, line - part.y) == pytest.approx(g.centres[space])
    wanted = {
        (chain, g.name(space), round(at[0], 3), round(at[1], 3))
        for space in g.whole.spaces
        for chain, at in zip("ns", g.lights[space], strict=True)
    }
    assert found == wanted


@pytest.mark.parametrize("chain", ["n", "s"])
def test_both_chains_have_the_programs_order(chain: str) -> None:
    g = geometry()
    order, number = light_order(Config(), g.board), 0
    for board in boards():
        pixels = [p for p in board.parts if p.footprint is PIXEL and p.ref[1] == chain]
        for k, part in enumerate(pixels):
            assert (part.nets["4"], part.nets["2"]) == (f"D{chain}{k}", f"D{chain}{k + 1}")
            assert order[g.board.grid.number(part.ref[2:])] == number
            number += 1
        plugs = {part.ref: part.nets for part in board.parts if part.footprint is HEADER}
        pin = "2" if chain == "n" else "3"
        assert plugs["J1"][pin] == f"D{chain}0"
        assert plugs["J2"][pin] == f"D{chain}{len(pixels)}"
    assert number == 61


def test_every_space_is_one_bit_and_the_last_register_is_tied() -> None:
    found = bits(boards())
    assert sorted(name for name in found if name) == sorted(geometry().board.grid.names)
    assert len(found) == 8 * sum(p.footprint is CHIP for b in boards() for p in b.parts) == 80
    for board in boards():
        chips = [p for p in board.parts if p.footprint is CHIP]
        nets = ["SER0", *(chip.nets["10"] for chip in chips)]
        assert [chip.nets["9"] for chip in chips] == nets[:-1]
        (pull,) = [p for p in board.parts if p.ref == "R1"]
        assert set(pull.nets.values()) == {"GND", nets[-1]}
        for chip in chips:
            assert (chip.nets["15"], chip.nets["8"], chip.nets["16"]) == ("GND", "GND", "+3V3")


@pytest.mark.parametrize("side", [3, 5, 8])
def test_bits_come_in_the_order_that_the_driver_takes_for_granted(side: int) -> None:
    board = planned(side, PITCH).board
    found = bits(boards(side))
    order = contact_order(on_pi(Config()), board)
    assert order == contact_order(on_pico(Config()), board)
    assert [found[place] for place in order] == list(board.grid.names)
    spares = contact_spares(on_pi(Config()), board)
    assert [place for place, name in enumerate(found) if not name] == list(spaces_of(spares))


def test_the_controllers_pins_are_those_of_driver_and_firmware() -> None:
    firmware = firmware_settings()
    (load, clock), (data,) = contact_pins(Config(contacts=ContactsConfig(driver="shift")))
    lights = pixel_pin(Config(pixels=PixelsConfig(driver="spi")))
    wanted = {
        "registers out (data)": (data, firmware.DATA),
        "lights north": (lights, firmware.LIGHTS),
        "lights south": (lights, firmware.LIGHTS),
        "clock": (clock, firmware.CLOCK),
        "load": (load, firmware.LOAD),
    }
    found = {what: (pi, pico) for _, what, pi, pico in controller_pins(boards()[0], Config())}
    assert found.pop("ground") == ("GND (pin 6)", "GND (pin 3)")
    assert found.pop("3.3 V") == ("3V3 (pin 1)", "3V3_OUT (pin 36)")
    assert found == {
        what: tuple(
            f"{'through U1 ' if 'lights' in what else ''}{name} ({pin_of(device, name)})"
            for device, name in ((PI, f"GPIO{pi}"), (PICO, f"GP{pico}"))
        )
        for what, (pi, pico) in wanted.items()
    }


def pin_of(device: str, name: str) -> str:
    return f"pin {HEADERS[device].number(name)}"


@pytest.mark.parametrize("side", [5, 6, 8])
def test_the_configs_of_row_boards_are_read_by_the_program(side: int, tmp_path: Path) -> None:
    g = planned(side, PITCH)
    made = builds(g.board, Config())
    files = dict(board_files(g, hand_wired(made), Config()))
    (tmp_path / "board.toml").write_text(format_board(g.board), encoding="utf-8")
    (tmp_path / "boards").mkdir()
    for name, driver in (("pi.toml", "shift"), ("pico.toml", "mcu")):
        (tmp_path / "boards" / name).write_bytes(files[name])
        config = load_config(tmp_path / "boards" / name)
        check_config(config)
        assert board_of(config).grid.n == g.board.grid.n
        assert (config.contacts.driver, has_registers(config)) == (driver, True)
    assert f"`SPACES = {g.board.grid.n}`" in files["boards.md"].decode()


def test_5_v_comes_in_at_three_places_and_never_by_a_header() -> None:
    for board in boards():
        assert sum(part.footprint is FEED for part in board.parts) == 3
        for part in board.parts:
            if part.footprint is HEADER:
                assert "+5V" not in part.nets.values()


def test_the_silk_has_names_revision_hash_and_which_end_is_which() -> None:
    g = geometry()
    for number, board in enumerate(boards()):
        words = [*board.names, str(number), f"rev{REVISION}", g.mark.split()[-1], "in", "out"]
        words += ["5v"] * 3
        strokes = sum(len(list(lettered(Layer.NOTES, word, (0.0, 0.0), 1.2))) for word in words)
        assert len(board.silk) == strokes
        left, top, right, bottom = board.box
        for path in board.silk:
            assert all(left + 0.5 < x < right - 0.5 for x, _, _ in path.vertices)
            assert all(top + 0.4 < y < bottom - 0.4 for _, y, _ in path.vertices)


def test_the_same_bytes_each_time() -> None:
    g = geometry()
    first = dict(board_files(g, tuple(built().values()), Config()))
    assert dict(board_files(g, tuple(built().values()), Config())) == first
    assert {name.rpartition(".")[2] for name in first} == {
        "kicad_pcb", "kicad_sch", "kicad_pro", "gbr", "drl", "csv", "md", "toml",
    }  # fmt: skip
    for board in boards():
        for data in (pcb(board, g.mark), schematic(board, g.mark), project(board)):
            text = data.decode()
            assert text.count("(") == text.count(")")
    page = first["boards.md"].decode()
    assert g.mark in page
    assert "| row-5 | e1 e2 e3 e4 e5 e6 e7 e8 e9 | 3" in page
    assert "| row boards | 130 | 200 |" in page


def test_what_a_machine_fits_is_in_both_lists() -> None:
    board = boards()[5]
    placed = {line["Designator"] for line in csv.DictReader(StringIO(places(board).decode()))}
    assert placed == {part.ref for part in board.parts if is_fitted(part)}
    rows = list(csv.DictReader(StringIO(bill(board).decode())))
    listed = [ref for row in rows for ref in row["Designators"].split()]
    assert sorted(listed) == sorted(part.ref for part in board.parts)
    assert sum(int(row["Quantity"]) for row in rows) == len(board.parts)
    for row in rows:
        if row["Value"] in ("74HC165", "WS2812B", "100n", "10k"):
            assert row["Part"]
            assert row["Other maker"]


def test_a_hall_switch_is_deep_enough() -> None:
    g = geometry()
    for depth in hall_depths_mm(g):
        fields = hall_fields(g.magnet, g.pitch_mm, depth)
        assert 4.5 <= depth <= 8
        assert fields.standing > 2 * fields.idle
