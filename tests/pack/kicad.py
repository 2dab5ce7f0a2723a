"""`python -m tests.pack.kicad`: row boards of many sizes by KiCad's own checks.

For each board: design rules (0 errors, 0 warnings, 0 unconnected, 0 differences from the schematic)
and the schematic's rules (0).  Without kicad-cli 9 it says so, and is no failure.
"""

import json
import subprocess
import sys
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any

from sorcel_pi.pack.kicad import pcb, project, schematic
from sorcel_pi.pack.rowboards import RowBoard

from .test_rowboards import SIZES, boards


def report(program: str, path: Path, *arguments: str) -> dict[str, Any]:
    """Return what kicad-cli finds in a file."""
    out = path.with_suffix(".json")
    command = [program, *arguments, "--severity-all", "--format", "json", "-o", str(out), str(path)]
    subprocess.run(command, check=True, capture_output=True)
    found: dict[str, Any] = json.loads(out.read_text("utf-8"))
    return found


def faults(program: str, board: RowBoard, folder: Path) -> list[str]:
    """Return what is wrong with a board, in KiCad's words."""
    for kind, data in (
        ("pro", project(board)),
        ("sch", schematic(board, "")),
        ("pcb", pcb(board, "")),
    ):
        (folder / f"{board.name}.kicad_{kind}").write_bytes(data)
    drc = report(program, folder / f"{board.name}.kicad_pcb", "pcb", "drc", "--schematic-parity")
    erc = report(program, folder / f"{board.name}.kicad_sch", "sch", "erc")
    found = [*drc["violations"], *drc["unconnected_items"], *drc["schematic_parity"]]
    found += [each for sheet in erc["sheets"] for each in sheet["violations"]]
    return [f"{each['type']}: {each['description']}" for each in found]


def _version(program: str) -> str:
    done = subprocess.run([program, "version"], check=False, capture_output=True, text=True)
    return done.stdout


def main() -> int:
    """Check all sizes; return 1 if anything is wrong."""
    program = which("kicad-cli")
    if program is None or not _version(program).startswith("9."):
        print("skipped: the checks by KiCad (kicad-cli 9 is not installed)")
        return 0
    bad = 0
    for side, pitch in SIZES:
        for board in boards(side, pitch):
            with TemporaryDirectory() as folder:
                found = faults(program, board, Path(folder))
            bad += bool(found)
            print(
                f"side {side}, {pitch:g} mm, {board.name}: {len(found)} faults", *found, sep="\n  "
            )
    # That the check finds anything at all:
    board = boards()[1]
    fewer = RowBoard(board.name, board.names, board.box, board.parts, board.tracks[1:], board.vias)
    with TemporaryDirectory() as folder:
        assert faults(program, fewer, Path(folder)), "a missing track was not found"
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
