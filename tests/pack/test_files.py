"""Whole packs: complete, the same every time, and in hardware/ for the standard board."""

import re
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sorcel_pi import board_from_text, format_board
from sorcel_pi.config.schema import Config
from sorcel_pi.pack.files import Pack, make_pack, write_pack
from sorcel_pi.pack.measures import Measures
from sorcel_pi.pack.planning import plan
from sorcel_pi.pack.template import sheet_of

from . import ALL, PITCH, ROOT, board, built, geometry

HARDWARE = ROOT / "hardware"
PLATES = ("top", "floor", "carrier", "back", "trial-top", "trial-floor", "trial-carrier")
WIRING = (
    "config.toml", "trial.toml", "pins.csv", "netlist.csv", "cables.csv", "pins.svg", "matrix.svg",
    "lights.svg", "lights-north-below.svg", "lights-south-below.svg", "rows-below.svg",
    "columns-below.svg",
)  # fmt: skip


CLEAN = {
    3: ("3mm-1", "4mm-1", "6mm-1"),
    5: ("3mm-1", "3mm-2", "4mm-1", "6mm-1"),
    7: ("3mm-1", "3mm-2", "3mm-3", "4mm-1", "6mm-1", "6mm-2"),
}
"""The sheets for a laser, by side."""


def made(side: int, pitch: float) -> Pack:
    return make_pack(geometry(side, pitch), Config(), (sheet_of("A4"), sheet_of("Letter")))


def wanted(side: int) -> set[str]:
    return {
        *(f"plates/{name}.{kind}" for name in PLATES for kind in ("dxf", "svg")),
        *(f"wiring/{build}/{name}" for build in built(side) for name in WIRING),
        *(f"pieces/{name}.{kind}" for name in ("sentinel", "shif") for kind in ("scad", "stl")),
        *("case/frame.dxf", "case/frame.svg", "case/saw.csv", "pieces/pieces.3mf"),
        *(f"plates/clean/{name}.{kind}" for name in CLEAN[side] for kind in ("dxf", "svg")),
        *(
            "plates/clean/sheets.md",
            "template/a4.pdf",
            "template/letter.pdf",
            "pieces/pieces.svg",
            "section.svg",
        ),
        *("parts.csv", "parts.md", "measures.md"),
        *(() if side == 5 else ("board.toml",)),
    }


@pytest.mark.parametrize(("side", "pitch"), ALL[1:])
def test_a_pack_is_complete(side: int, pitch: float) -> None:
    pack = made(side, pitch)
    assert set(pack) == wanted(side)
    check(pack, side, pitch)


def check(pack: Pack, side: int, pitch: float) -> None:
    for name, data in pack.items():
        assert data, name
        if name.endswith(".svg"):
            ElementTree.parse(BytesIO(data))
        if name.endswith((".svg", ".md", ".csv", ".toml", ".scad")):
            text = data.decode("utf-8")
            assert "nan" not in re.findall(r"\bnan\b|\binf\b", text)
            assert "\r" not in text
    if side != 5:
        assert board_from_text(pack["board.toml"].decode()) == board(side, pitch)
    if pitch != 36:  # the simulated table's usual one
        for build in built(side):
            assert f"pitch_mm = {pitch}" in pack[f"wiring/{build}/config.toml"].decode()


def test_hardware_holds_what_the_command_makes() -> None:
    pack = made(5, PITCH)
    assert set(pack) == wanted(5)
    check(pack, 5, PITCH)
    there = {
        path.relative_to(HARDWARE).as_posix() for path in HARDWARE.rglob("*") if path.is_file()
    }
    assert there == {*pack, "README.md", "LICENSE"}
    old = [name for name, data in pack.items() if (HARDWARE / name).read_bytes() != data]
    assert not old, f"run: sorcel hardware --out hardware  ({', '.join(old)})"
    assert sum(path.stat().st_size for path in HARDWARE.rglob("*")) < 4_000_000


def test_every_drawing_and_list_says_its_revision_and_board() -> None:
    mark = geometry().mark
    assert re.fullmatch(r"revision 2, board standard [0-9a-f]{8}", mark)
    other = board_from_text(format_board(board(5)).replace("standard", "standard", 1))
    assert plan(other, Config()).mark == mark  # of the content, not of the file's layout
    assert geometry(3).mark != mark
    for path in HARDWARE.rglob("*"):
        if path.suffix in (".svg", ".dxf", ".md", ".pdf", ".toml", ".scad", ".stl", ".3mf"):
            shown = path.name != "README.md"
            words = mark.encode() if path.suffix != ".pdf" else mark[1:].encode()
            assert (words in path.read_bytes()) is shown, path


def test_maps_from_below_say_so() -> None:
    for path in HARDWARE.glob("wiring/*/*-below.svg"):
        assert "SEEN FROM BELOW: east is left" in path.read_text("utf-8")
    assert len(list(HARDWARE.glob("wiring/*/*-below.svg"))) == 12


def test_the_map_of_lights_is_mirrored_and_in_order() -> None:
    root = ElementTree.parse(HARDWARE / "wiring/pi/lights-north-below.svg").getroot()
    texts = {t.text: float(t.attrib["x"]) for t in root.iter("{http://www.w3.org/2000/svg}text")}
    # East is left: a1, the westernmost of its row, is on the right, and so is its light.
    assert texts["a1"] > texts["a2"] > texts["a5"]
    assert texts["0"] > texts["1"] > texts["4"]
    assert texts["0"] == texts["a1"]  # a light is north of its space


def test_nothing_of_this_machine_is_in_the_pack() -> None:
    for path in HARDWARE.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            for words in (b"/home", b"/work", b"/tmp", b"/usr", str(ROOT).encode()):
                assert words not in data, path


# -- the guide ------------------------------------------------------------------------------------

GUIDE = (HARDWARE / "README.md").read_text("utf-8")


def test_what_the_guide_points_at_is_there() -> None:
    links = re.findall(r'\]\(([^)#]+)\)|src="([^"]+)"', GUIDE)
    paths = {first or second for first, second in links}
    assert {"section.svg", "plates/top.svg", "plates/trial-top.svg", "pieces/pieces.svg"} < paths
    for path in paths:
        assert (HARDWARE / path).exists(), path
    anchors = re.findall(r"\]\(#([^)]+)\)", GUIDE)
    heads = [
        re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-")
        for head in re.findall(r"^## (.+)$", GUIDE, re.MULTILINE)
    ]
    assert set(anchors) <= set(heads)


def test_the_guide_goes_in_the_order_of_work() -> None:
    order = "seven spaces,reeds,Wood,Pieces,Solder,direction,Power,calibration,Close,Play,nobody"
    heads = re.findall(r"^## (.+)$", GUIDE, re.MULTILINE)
    found = [next(k for k, head in enumerate(heads) if words in head) for words in order.split(",")]
    assert found == sorted(found)


def test_the_guides_numbers_are_the_geometrys() -> None:
    g, m = geometry(), Measures()
    for words in (
        f"top, {m.top_mm:g} mm",
        f"floor, {m.floor_mm:g} mm",
        f"carrier, {m.carrier_mm:g} mm",
        f"back, {m.back_mm:g} mm",
        f"{m.wood_mm:g} mm of wood everywhere",
        f"light holes ({m.light_hole_mm:g} mm)",
        f"bores ({m.reed_bore_mm:g} mm)",
        f"pockets for the pixels ({m.pixel_pocket_mm:g} mm)",
        f"upper lead to {m.reed_stub_mm:g} mm",
        f"{m.magnet_clearance_mm:g} mm wider and deeper than the magnet "
        f"({g.magnet.across_mm + m.magnet_clearance_mm:g} mm, "
        f"{g.magnet.high_mm + m.magnet_clearance_mm:g} mm deep)",
        f"at most {m.felt_mm:g} mm thick",
        "At full white 122 pixels draw 7.3 A",
        "keeps them at 1.5 A",
        "2 A, slow",
    ):
        assert words in " ".join(GUIDE.split()), words


def test_write_pack(tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text("kept")
    write_pack({"a/b.txt": b"1", "c.txt": b"2"}, tmp_path)
    assert (tmp_path / "a/b.txt").read_bytes() == b"1"
    assert (tmp_path / "kept.txt").exists()
