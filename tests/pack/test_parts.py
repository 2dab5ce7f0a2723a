"""What to buy: quantities from the board, the wiring and the rules."""

import csv
import re
from dataclasses import replace
from io import StringIO

import pytest

from sorcel_pi.config.schema import Config, GameConfig, LightsConfig
from sorcel_pi.pack.builds import builds
from sorcel_pi.pack.cables import wires
from sorcel_pi.pack.numbers import measures_text
from sorcel_pi.pack.parts import (
    FULL_A,
    Part,
    fuse_a,
    parts,
    parts_text,
    piece_counts,
    supply_a,
    wire_kinds,
    wire_totals,
)
from sorcel_pi.pack.tables import table

from . import board, built, geometry

# What copper of so many mm2 bears for ever, bundled (IEC 60364-5-52, rounded down).
BEARS_A = {
    0.34: 4, 0.5: 6, 0.75: 9, 1.0: 12, 1.5: 16, 2.5: 24, 4.0: 32, 6.0: 41, 10.0: 57, 16.0: 76,
}  # fmt: skip


def listed(side: int = 5, config: Config | None = None) -> list[Part]:
    return list(parts(geometry(side), builds(board(side), config or Config())))


def how_many(what: str, side: int = 5, config: Config | None = None) -> str:
    (found,) = [part.quantity for part in listed(side, config) if part.what.startswith(what)]
    return found


@pytest.mark.parametrize(("side", "n"), [(3, 19), (5, 61), (7, 127)])
def test_one_of_each_for_every_space_and_spares(side: int, n: int) -> None:
    for what, count in (("reed switch", n), ("diode", n), ("single pixel", 2 * n)):
        found = re.fullmatch(r"(\d+) \((\d+) (and spares|are needed)\)", how_many(what, side))
        assert found
        assert int(found[2]) == count
        assert count + 2 <= int(found[1]) <= 1.3 * count


def test_pieces_and_magnets() -> None:
    assert (how_many("Sentinels"), how_many("Shifs"), how_many("felt")) == ("4", "12", "16")
    assert how_many("disc magnet") == "18 (16 and spares)"
    nine = replace(Config(), game=GameConfig(rules="egressian shifs=9"))
    assert how_many("Shifs", config=nine) == "18"
    assert piece_counts(geometry(3), Config()) == (2, 12)


def test_power_follows_the_limit() -> None:
    usual = builds(board(5), Config())[0]
    assert (usual.limit_a, supply_a(usual), fuse_a(usual)) == (1.5, 6.0, 2.0)
    for limit in (0.1, 0.5, 1.0, 1.5, 2.5, 4.0, 8.0, 15.0):
        config = replace(Config(), lights=LightsConfig(current_limit_a=limit))
        build = builds(board(5), config)[0]
        # It carries what is allowed, and the supply blows it.
        assert build.limit_a <= 0.75 * fuse_a(build)
        assert supply_a(build) >= 2.75 * fuse_a(build)
        # What the fuse may let by for an hour, each wire behind it bears.
        for kind in ("power", "feed"):
            found = re.search(r"([\d.]+) mm²", wire_kinds(build)[kind])
            assert found
            assert BEARS_A[float(found[1])] >= 1.5 * fuse_a(build)
    # If the program fails, everything at full white blows the fuse.
    assert min(supply_a(usual), 2 * 61 * FULL_A) >= 2.75 * fuse_a(usual)
    thick = replace(Config(), lights=LightsConfig(current_limit_a=6.0))
    assert wire_kinds(usual)["feed"] != wire_kinds(builds(board(5), thick)[0])["feed"]
    assert "at 12 A by estimate" in parts_text(listed(5, thick), "")


def test_wire_is_enough_for_every_build() -> None:
    metres = {
        part.what: float(part.quantity.removesuffix(" m"))
        for part in listed()
        if part.group == "wire"
    }
    kinds = wire_kinds(built()["pi"])
    for build in built().values():
        totals = wire_totals(geometry(), build)
        assert sum(totals.values()) == sum(wire.length_mm for wire in wires(geometry(), build))
        for (kind, colour), length in totals.items():
            assert metres[f"{kinds[kind]}, {colour}"] * 1000 >= 1.1 * length


def test_controllers_say_for_which_build_they_are() -> None:
    found = {part.what.split()[2]: part.builds for part in listed() if "Raspberry" in part.what}
    assert found == {"Raspberry": "pi, pi-pwm"} or found.get("with") == "pi, pi-pwm"
    assert [p.builds for p in listed() if "Pico" in p.what] == ["pico"]
    assert not [p for p in listed(7) if "Pico" in p.what]


def test_the_lists_are_the_same_in_both_forms() -> None:
    lines = list(csv.reader(StringIO(table(Part._fields, listed()).decode())))
    assert lines[0] == list(Part._fields)
    text = parts_text(listed(), geometry().mark)
    for line in lines[1:]:
        assert "| " + " | ".join(line) + " |" in text
    assert all("|" not in cell for line in lines for cell in line)
    assert "Nobody has built a board" in " ".join(text.split())


def test_the_measures() -> None:
    text = measures_text(geometry(), tuple(built().values()))
    for words in (
        "61: 52 hexes, 9 holes",
        "| pitch, flat to flat | 33.33 mm |",
        "14.33 mm from the middle, one north, one south",
        "5.7 mm: 3 mm of wood, felt, clearance and 2 mm of lead",
        "122 pixels; 7.3 A at full white, kept at 1.5 A",
        "0.78 mT from a piece lifted by 15 mm",
        "lights hidden from Light's seat, a Sentinel on every space | 0 of 61",
        "| lights | GP22 | Pico 29 |",
        "Nothing was tried on real parts",
    ):
        assert words in text
    assert "SPACES = 19" in measures_text(geometry(3), tuple(built(3).values()))
