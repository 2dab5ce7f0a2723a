"""Netlist, pins and cables agree with the config, and every space has what it needs once."""

import csv
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from sorcel_pi import Board, SorcelError, board_from_text, format_board
from sorcel_pi.config.load import load_config
from sorcel_pi.config.schema import (
    ButtonsConfig,
    Config,
    ContactsConfig,
    LightsConfig,
    McuConfig,
    PixelsConfig,
)
from sorcel_pi.config.wiring import (
    board_of,
    button_pins,
    contact_order,
    contact_pins,
    light_order,
    pixel_pin,
)
from sorcel_pi.pack import headers
from sorcel_pi.pack.builds import Build, builds, hand_wired
from sorcel_pi.pack.cables import bus, feeds, wires
from sorcel_pi.pack.files import wiring_files
from sorcel_pi.pack.headers import EXPANDER, HEADERS, PI, PICO, signal
from sorcel_pi.pack.parts import parts
from sorcel_pi.pack.wiring import nets, pins

from . import board, board_text, built, firmware_settings, geometry

# The header of a Pi by BCM number, written down once more.
PI_NUMBERS = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19, 9: 21,
    25: 22, 11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36,
    26: 37, 20: 38, 21: 40,
}  # fmt: skip
PI_GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)
PICO_GROUNDS = (3, 8, 13, 18, 23, 28, 38)

OWN = {
    "expander-pwm": Config(
        contacts=ContactsConfig(driver="expander"), pixels=PixelsConfig(driver="pwm")
    ),
    "gpio-mcu": Config(contacts=ContactsConfig(driver="gpio"), pixels=PixelsConfig(driver="mcu")),
    "gpio-spi": Config(
        contacts=ContactsConfig(
            driver="gpio",
            rows=(4, 17, 22, 23, 24, 25, 27, 21),
            columns=(5, 6, 12, 13, 16, 19, 20, 26),
            order=tuple(reversed(range(61))),
        ),
        pixels=PixelsConfig(driver="spi"),
        lights=LightsConfig(order=tuple((k * 7) % 61 for k in range(61)), current_limit_a=4.0),
        buttons=ButtonsConfig(menu="none"),
    ),
    "mcu-mcu": Config(contacts=ContactsConfig(driver="mcu")),
}  # fmt: skip


def every_build() -> list[Any]:
    cases = [(side, name, Config()) for side in (3, 5, 6, 7) for name in built(side)]
    cases += [(5, name, config) for name, config in OWN.items()]
    return [pytest.param(*case, id=f"{case[0]}-{case[1]}-{k}") for k, case in enumerate(cases)]


def build_of(side: int, name: str, config: Config) -> Build:
    return {build.name: build for build in builds(board(side), config)}[name]


Net = dict[str, set[tuple[str, str]]]


def netlist(side: int, build: Build) -> Net:
    """Return the nets of the CSV file: terminals (part, pin) by net."""
    found: Net = defaultdict(set)
    for line in rows_of(side, build, "netlist.csv"):
        terminal = line["part"], line["pin"]
        assert terminal not in found[line["net"]]
        found[line["net"]].add(terminal)
    return dict(found)


def rows_of(side: int, build: Build, name: str) -> list[dict[str, str]]:
    data = wiring_files(geometry(side), build, ("netlist.csv", "pins.csv", "cables.csv"))[name]
    return list(csv.DictReader(StringIO(data.decode())))


def places(nets: Net, prefix: str) -> dict[str, int]:
    """Return the number of the net with that prefix for each part but controllers."""
    return {
        part: int(name.removeprefix(prefix))
        for name, terminals in nets.items()
        if name.startswith(prefix) and name.removeprefix(prefix).isdigit()
        for part, _ in terminals
        if part not in HEADERS
    }


@pytest.mark.parametrize(("side", "name", "config"), every_build())
def test_every_space_has_one_reed_one_diode_one_light(side: int, name: str, config: Config) -> None:
    build, grid = build_of(side, name, config), board(side).grid
    found = netlist(side, build)
    parts = Counter(part for terminals in found.values() for part, _ in set(terminals))
    assert {p for p in parts if p.startswith("S_")} == {f"S_{n}" for n in grid.names}
    assert {p for p in parts if p.startswith("D_")} == {f"D_{n}" for n in grid.names}
    for chain in "ns":
        lights = [p for p in parts if p.startswith("L") and p.split("_")[0].endswith(chain)]
        assert sorted(p.split("_")[1] for p in lights) == sorted(grid.names)
        assert sorted(int(p.split("_")[0][1:-1]) for p in lights) == list(range(grid.n))
    # Two ends each, none in two nets.
    ends = Counter(terminal for terminals in found.values() for terminal in terminals)
    for space in grid.names:
        assert ends[f"S_{space}", "1"] == ends[f"S_{space}", "2"] == 1
        assert ends[f"D_{space}", "A"] == ends[f"D_{space}", "K"] == 1
    for space in grid.names:
        assert found[f"N_{space}"] == {(f"S_{space}", "1"), (f"D_{space}", "A")}


@pytest.mark.parametrize(("side", "name", "config"), every_build())
def test_the_matrix_is_the_programs(side: int, name: str, config: Config) -> None:
    build, grid = build_of(side, name, config), board(side).grid
    found = netlist(side, build)
    rows, columns = contact_pins(build.config)
    if build.config.contacts.driver == "mcu":
        firmware = firmware_settings()
        rows, columns = firmware.ROWS, firmware.COLUMNS
    order = contact_order(build.config, board(side))
    of_row, of_column = places(found, "ROW"), places(found, "COL")
    device = {"gpio": PI, "expander": EXPANDER, "mcu": PICO}[build.config.contacts.driver]
    for space, space_name in enumerate(grid.names):
        row, column = divmod(order[space], len(columns))
        assert of_row[f"D_{space_name}"] == row  # the band to the row
        assert of_column[f"S_{space_name}"] == column
        assert (f"D_{space_name}", "K") in found[f"ROW{row}"]
        assert (f"S_{space_name}", "2") in found[f"COL{column}"]
        for net, pin in ((f"ROW{row}", rows[row]), (f"COL{column}", columns[column])):
            where = {pin for part, pin in found[net] if part == device}
            number = signal(device, pin)
            assert where == {f"{number} ({HEADERS[device].number(number)})"}


@pytest.mark.parametrize(("side", "name", "config"), every_build())
def test_the_chain_is_the_programs(side: int, name: str, config: Config) -> None:
    build, grid = build_of(side, name, config), board(side).grid
    found = netlist(side, build)
    order = light_order(build.config, board(side))
    spaces = sorted(range(grid.n), key=order.__getitem__)
    # Both chains in the same order, each from its own gate and resistor.
    for name_of, output, resistor in (("n", "3", "R1"), ("s", "6", "R2")):
        chain = [f"L{order[space]}{name_of}_{grid.names[space]}" for space in spaces]
        net = f"DATA_{name_of.upper()}"
        assert found[f"{net}_5V"] == {("U1", output), (resistor, "1")}
        assert found[f"{net}0"] == {(resistor, "2"), (chain[0], "DIN")}
        for k in range(1, grid.n):
            assert found[f"{net}{k}"] == {(chain[k - 1], "DOUT"), (chain[k], "DIN")}
        assert f"{net}{grid.n}" not in found
        assert {(each, "5V") for each in chain} < found["5V"]
        assert {(each, "GND") for each in chain} < found["GND"]
    pin = pixel_pin(build.config)
    device, number = (PICO, firmware_settings().LIGHTS) if pin is None else (PI, pin)
    name_of = signal(device, number)
    at = (device, f"{name_of} ({HEADERS[device].number(name_of)})")
    assert found["DATA_3V3"] == {at, ("U1", "2"), ("U1", "5")}


@pytest.mark.parametrize(("side", "name", "config"), every_build())
def test_the_supply_is_as_the_notes_say(side: int, name: str, config: Config) -> None:
    build = build_of(side, name, config)
    found = netlist(side, build)
    assert found["5V_SUPPLY"] == {("PSU", "+"), ("F1", "1")}
    assert {("F1", "2"), ("C1", "+"), ("C2", "+"), ("U1", "14")} < found["5V"]
    assert {("PSU", "-"), ("C1", "-"), ("C2", "-"), ("U1", "7"), ("U1", "1")} < found["GND"]
    # Gates in use are on, the others off with their inputs grounded (pins of a 74AHCT125).
    assert {pin for part, pin in found["5V"] if part == "U1"} == {"14", "10", "13"}
    assert {pin for part, pin in found["GND"] if part == "U1"} == {"7", "1", "4", "9", "12"}
    for device in build.devices:
        ground = "VSS" if device == EXPANDER else "GND"
        assert any(part == device and pin.startswith(ground) for part, pin in found["GND"])
    # Nothing of a controller touches 5 V.
    assert not {part for part, _ in found["5V"]} & set(HEADERS)


@pytest.mark.parametrize(("side", "name", "config"), every_build())
def test_the_pin_map_is_the_programs(side: int, name: str, config: Config) -> None:
    build = build_of(side, name, config)
    lines = rows_of(side, build, "pins.csv")
    uses = {line["use"]: line for line in lines}
    once = [line["use"] for line in lines if line["use"] not in ("ground", "3V3 of Pi")]
    assert len(once) == len(set(once))
    for button, pin in button_pins(build.config)._asdict().items():
        if pin is not None:
            line = uses[f"button {button}"]
            assert (line["signal"], int(line["number"])) == (f"GPIO{pin}", PI_NUMBERS[pin])
            assert line["key"] == f"buttons.{button}"
    taken = Counter(
        (line["device"], line["number"]) for line in lines if not line["use"].startswith("VDD")
    )
    assert max(taken.values()) == 1
    joined = {terminal for terminals in netlist(side, build).values() for terminal in terminals}
    for line in lines:
        if line["device"] == PI and line["signal"].startswith("GPIO"):
            assert int(line["number"]) == PI_NUMBERS[int(line["signal"].removeprefix("GPIO"))]
        assert (line["device"], f"{line['signal']} ({line['number']})") in joined


def test_the_picos_pins_are_the_firmwares() -> None:
    firmware = firmware_settings()
    assert headers.PICO_ROWS == firmware.ROWS
    assert headers.PICO_COLUMNS == firmware.COLUMNS
    assert headers.PICO_BUTTONS == firmware.BUTTONS
    assert headers.PICO_CHAIN == (firmware.LOAD, firmware.CLOCK, firmware.DATA)
    assert (headers.PICO_JUMPER, headers.PICO_LIGHTS) == (firmware.JUMPER, firmware.LIGHTS)
    assert headers.PICO_SPACES == firmware.SPACES
    for side, remarks in ((5, 0), (3, 1)):
        pico = built(side)["pico"]
        assert len(pico.remarks) == remarks
        found = netlist(side, pico)
        for name, number in zip(("LIGHT", "DARK", "MENU"), firmware.BUTTONS, strict=True):
            label = f"GP{number} ({HEADERS[PICO].number(f'GP{number}')})"
            assert (PICO, label) in found[f"BUTTON_{name}"]
        assert found["JUMPER"] == {(PICO, "GP21 (27)"), ("J1", "1")}
    assert built(3)["pico"].remarks == ("In the firmware's settings.py: SPACES = 19.",)


def test_headers() -> None:
    pi, pico, chip = HEADERS[PI], HEADERS[PICO], HEADERS[EXPANDER]
    assert {bcm: pi.number(f"GPIO{bcm}") for bcm in PI_NUMBERS} == PI_NUMBERS
    assert pi.numbers("GND") == PI_GROUNDS
    assert (pi.numbers("3V3"), pi.numbers("5V")) == ((1, 17), (2, 4))
    assert pico.numbers("GND") == PICO_GROUNDS
    numbers = {name: pico.number(name) for name in ("GP0", "GP15", "GP16", "GP22", "GP28", "VBUS")}
    assert numbers == {"GP0": 1, "GP15": 20, "GP16": 21, "GP22": 29, "GP28": 34, "VBUS": 40}
    assert {name: chip.number(name) for name in ("GPB0", "VDD", "SCL", "A0", "RESET", "GPA7")} == {
        "GPB0": 1, "VDD": 9, "SCL": 12, "A0": 15, "RESET": 18, "GPA7": 28,
    }  # fmt: skip
    for header, count in ((pi, 40), (pico, 40), (chip, 28)):
        assert sorted(n for n, _ in header.left + header.right) == list(range(1, count + 1))


# -- the config that comes with a build -----------------------------------------------------------


@pytest.mark.parametrize(("side", "name", "config"), every_build())
def test_the_program_reads_the_config_of_a_build(
    side: int, name: str, config: Config, tmp_path: Path
) -> None:
    build, where = build_of(side, name, config), board(side)
    folder = tmp_path / "wiring" / name
    folder.mkdir(parents=True)
    (tmp_path / "board.toml").write_text(format_board(where), encoding="utf-8")
    files = wiring_files(geometry(side), build, ("config.toml", "trial.toml"))
    for file, data in files.items():
        (folder / file).write_bytes(data)
    read = load_config(folder / "config.toml")  # which checks it
    assert board_of(read) == where
    assert contact_order(read, where) == contact_order(build.config, where)
    assert contact_pins(read) == contact_pins(build.config)
    assert light_order(read, where) == build.lights
    assert (pixel_pin(read), button_pins(read)) == (
        pixel_pin(build.config),
        button_pins(build.config),
    )
    usual = Config().lights.current_limit_a
    limit = config.lights.current_limit_a
    # Each light is two pixels: what is usual for one is halved, what was chosen stays.
    assert read.lights.current_limit_a == (usual / 2 if limit == usual else limit)
    seven = load_config(folder / "trial.toml")
    cluster = geometry(side).cluster
    assert sorted(light_order(seven, where)[k] for k in cluster) == list(range(7))
    masked = {where.grid.number(each) for each in seven.table.masked}
    assert masked == set(range(where.grid.n)) - set(cluster)


# -- which builds there are -----------------------------------------------------------------------


def test_the_reference_builds() -> None:
    assert list(built(5)) == list(built(3)) == ["pi", "pi-pwm", "pico"]
    assert [build.devices for build in built(5).values()] == [(PI,), (PI,), (PICO,)]


def test_large_boards_get_a_matrix_that_a_pi_can_read() -> None:
    for side, size, buttons in ((6, (10, 10), (9, 2, 3)), (7, (11, 12), (14, 15, None))):
        (build,) = built(side).values()
        assert (len(build.rows), len(build.columns)) == size
        assert tuple(button_pins(build.config)) == buttons
        assert "SPI or I2C" in build.remarks[0]


def test_what_no_matrix_reads_gets_row_boards() -> None:
    (large,) = builds(board_from_text(board_text(8)), Config())
    asked = replace(
        Config(), contacts=ContactsConfig(driver="mcu"), mcu=McuConfig(contacts="shift")
    )
    (pico,) = builds(board(5), asked)
    for build, devices, driver in ((large, (PI,), "shift"), (pico, (PICO,), "mcu")):
        assert (build.name, build.devices) == ("boards", devices)
        assert build.config.contacts.driver == driver
        assert hand_wired((build,)) == ()
        assert "reed switch" not in str(parts(geometry(5), (build,)))


def test_a_config_that_does_not_fit_the_board_is_refused() -> None:
    config = replace(Config(), contacts=ContactsConfig(driver="mcu"))
    with pytest.raises(SorcelError, match="reads 64 places, the board has 91 spaces"):
        builds(board(6), config)


def test_own_drivers_make_one_build() -> None:
    for name, config in OWN.items():
        assert [build.name for build in builds(board(5), config)] == [name]
    assert build_of(5, "expander-pwm", OWN["expander-pwm"]).devices == (PI, EXPANDER)
    assert build_of(5, "gpio-mcu", OWN["gpio-mcu"]).devices == (PI, PICO)


# -- cables ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "name", "config"), every_build())
def test_wires_join_what_the_nets_join(side: int, name: str, config: Config) -> None:
    build, g = build_of(side, name, config), geometry(side)
    by_net: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for wire in wires(g, build):
        assert wire.length_mm > 0
        by_net[wire.net].append((wire.start, wire.end))
    for net in nets(g, build):
        if net.name.startswith(("ROW", "COL", "DATA_")) and not net.name.endswith("_5V"):
            wanted = {f"{part} {pin}" for part, pin in net.terminals}
            assert wanted <= _joined(by_net[net.name])
            if net.name.startswith("ROW"):
                assert len(by_net[net.name]) == len(wanted) - 1  # a line, no ring
    for net_name in ("5V", "GND"):
        joined = _joined(by_net[net_name])
        for chain in "ns":
            ends = {f"L{build.lights[k]}{chain}_{g.name(k)} {net_name}" for k in g.whole.spaces}
            assert ends <= joined


def _joined(pairs: Iterable[tuple[str, str]]) -> set[str]:
    """Return all ends, of which every one must be reached from every other."""
    groups: list[set[str]] = []
    for start, end in pairs:
        ends = {start.removesuffix(" above").removesuffix(" below")}
        ends.add(end.removesuffix(" above").removesuffix(" below"))
        for group in [g for g in groups if g & ends]:
            ends |= group
            groups.remove(group)
        groups.append(ends)
    return max(groups, key=len)


def test_wire_is_longer_than_the_way_and_not_wasted() -> None:
    g, build = geometry(), built()["pico"]
    lengths = {(wire.start, wire.end): wire.length_mm for wire in wires(g, build)}
    assert lengths["L0n_a1 DOUT", "L1n_a2 DIN"] == lengths["L0s_a1 DOUT", "L1s_a2 DIN"] == 64
    longest = max(lengths.values())
    assert longest < 500
    rows = [bus(g, build.spaces_in_row(row)) for row in build.used_rows]
    assert sorted(k for way in rows for k in way) == list(g.whole.spaces)


def test_power_comes_in_at_both_ends_and_every_thirty_lights() -> None:
    assert feeds(built(5)["pi"]) == (0, 30, 60)
    assert feeds(built(3)["pi"]) == (0, 18)
    assert feeds(built(7)["pi-pwm"]) == (0, 25, 50, 76, 101, 126)


def test_pins_have_the_key_that_sets_them() -> None:
    keys = {use.key for use in pins(built()["pi"])}
    assert {"contacts.rows[7]", "contacts.columns[0]", "pixels.pin", "buttons.menu"} < keys
    assert {use.key for use in pins(built()["pico"])} == {""}


def test_builds_are_for_the_board_that_they_were_made_for() -> None:
    other: Board = board(3)
    assert len(builds(other, Config())[0].places) == other.grid.n
