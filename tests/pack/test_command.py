"""`sorcel hardware`."""

import runpy
import sys
from pathlib import Path

import pytest

from sorcel_pi.commands import hardware

from ..cli import bad, good, sorcel
from . import board_text, firmware_settings


def small(folder: Path) -> Path:
    path = folder / "small.toml"
    path.write_text(board_text(3), encoding="utf-8")
    return path


def test_a_pack_in_a_folder(tmp_path: Path) -> None:
    out = tmp_path / "new" / "pack"
    told = good(
        "hardware", "--out", out, "--board", small(tmp_path), "--sheet", "a3", "--pitch", 40
    )
    count = len([path for path in out.rglob("*") if path.is_file()])
    assert told.startswith(f"{count} files for a board of 19 spaces, plates 2")
    assert told.count("\n") == 1
    assert [path.name for path in (out / "template").iterdir()] == ["a3.pdf"]
    assert "| pitch, flat to flat | 40 mm |" in (out / "measures.md").read_text("utf-8")


def test_row_boards_are_made_when_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "out"
    good(
        "hardware", "--out", out, "--board", small(tmp_path), "--pcb", "--shop", "blue-cut:600x300"
    )
    assert len(list((out / "boards" / "kicad").iterdir())) == 6
    assert "revision 2" in (out / "boards" / "boards.md").read_text("utf-8")
    assert "#0000ff | CUT" in (out / "plates" / "clean" / "sheets.md").read_text("utf-8")


def test_the_config_decides_on_the_wiring(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(
        f'[game]\nboard = "{small(tmp_path).name}"\n[contacts]\ndriver = "expander"\n'
        '[pixels]\ndriver = "pwm"\n[mock]\npitch_mm = 38\n',
        encoding="utf-8",
    )
    good("hardware", "--out", tmp_path / "out", "--config", config)
    assert [path.name for path in (tmp_path / "out/wiring").iterdir()] == ["expander-pwm"]
    assert "| pitch, flat to flat | 38 mm |" in (tmp_path / "out/measures.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--pitch", "30"), "32 to 44.5 mm work"),
        (("--pitch", "50"), "32 to 44.5 mm work"),
        (("--shop", "plaid"), "'plaid': expected a shop: one of red-cut"),
        (("--bed", "300x300"), "the plates are 339 x 293 mm"),
        (("--bed", "wide"), "expected a bed"),
        (("--sheet", "A4", "--sheet", "A9"), "'A9': expected a sheet: one of A5"),
        (("--sheet", "100x100"), "too small"),
        (("--board", "nowhere.toml"), "board file 'nowhere.toml' cannot be read"),
        (("--config", "nowhere.toml"), "config file 'nowhere.toml' cannot be read"),
    ],
)
def test_what_cannot_be_made_is_one_line_and_no_file(
    arguments: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert words in bad("hardware", "--out", out, *arguments)
    assert not out.exists()


def test_a_board_that_no_matrix_reads_gets_row_boards(tmp_path: Path) -> None:
    path, out = tmp_path / "large.toml", tmp_path / "out"
    path.write_text(board_text(8), encoding="utf-8")
    said = good("hardware", "--out", out, "--board", path)
    assert "Contacts and lights are on row boards only: see boards.md in boards/." in said
    assert not (out / "wiring").exists()
    assert "REGISTERS = 28" in (out / "boards" / "boards.md").read_text(encoding="utf-8")
    made, usual = runpy.run_path(str(out / "boards" / "settings.py")), vars(firmware_settings())
    changed = {name for name in made if name.isupper() and made[name] != usual[name]}
    assert changed == {"REGISTERS", "SPACES"}
    assert (made["REGISTERS"], made["SPACES"]) == (28, 169)
    listed = (out / "parts.md").read_text(encoding="utf-8")
    assert "row boards with their parts fitted" in listed
    assert "reed switch" not in listed


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    words = bad("hardware", "--out", tmp_path / "file" / "x", "--board", small(tmp_path))
    assert "cannot be written: Not a directory" in words


def test_a_missing_library_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hardware, "find_spec", lambda name: None if name == "ezdxf" else name)
    words = bad("hardware", "--out", tmp_path)
    assert words == (
        f'sorcel: drawing needs ezdxf; install it with: "{sys.executable}" -m pip install '
        '"sorcel-pi[hardware]"\n'
    )


def test_out_is_asked_for() -> None:
    assert sorcel("hardware").exit_code == 2
