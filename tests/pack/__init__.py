"""The build pack, read by other programs than those that wrote it."""

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType

from sorcel_pi import Board, board_from_text, standard_board
from sorcel_pi.config.schema import Config
from sorcel_pi.pack.builds import Build, builds
from sorcel_pi.pack.casing import frame
from sorcel_pi.pack.dxf import dxf_of
from sorcel_pi.pack.geometry import Geometry
from sorcel_pi.pack.planning import plan
from sorcel_pi.pack.plates import plates, trial
from sorcel_pi.pack.shapes import Drawing
from sorcel_pi.pack.svg import svg_of
from sorcel_pi.pack.template import sheet_of, template

ROOT = Path(__file__).parents[2]
MM = 72 / 25.4
"""Points of a PDF."""

PITCH = 33.33
"""The usual one."""
BOARDS = {
    (3, PITCH): 'detaining = ["c3", "a1"]',
    (5, 32.0): "",
    (5, 40.0): "",
    (7, PITCH): 'detaining = ["g7", "d4", "j10"]',
}
"""Side and pitch: every pack that the tests look at, besides the standard board's."""
ALL = [(5, PITCH), *BOARDS]


def board_text(side: int, detaining: str = "") -> str:
    """Return a board file with Dark as the half turn."""
    return f"""
name = "side {side}"
side = {side}
{detaining or "detaining = []"}
[start.light]
sentinels = ["b2"]
shifs = ["b3"]
[start]
dark = "half turn"
"""


@cache
def geometry(side: int = 5, pitch: float = PITCH) -> Geometry:
    return plan(board(side, pitch), Config(), pitch_mm=pitch)


def board(side: int, pitch: float = PITCH) -> Board:
    if side == 5:
        return standard_board()
    return board_from_text(board_text(side, BOARDS.get((side, pitch), "")))


@cache
def drawings(side: int = 5, pitch: float = PITCH) -> dict[str, Drawing]:
    g = geometry(side, pitch)
    every = (*plates(g, g.whole.spaces), *trial(g, g.whole.spaces), frame(g))
    return {drawing.name: drawing for drawing in every}


@cache
def dxf(name: str, side: int = 5, pitch: float = PITCH) -> bytes:
    return dxf_of(drawings(side, pitch)[name])


@cache
def svg(name: str, side: int = 5, pitch: float = PITCH) -> bytes:
    return svg_of(drawings(side, pitch)[name])


@cache
def paper(sheet: str, side: int = 5, pitch: float = PITCH) -> bytes:
    return template(geometry(side, pitch), sheet_of(sheet))


@cache
def built(side: int = 5) -> dict[str, Build]:
    return {build.name: build for build in builds(board(side), Config())}


def firmware_settings() -> ModuleType:
    """Return settings.py of the firmware."""
    spec = importlib.util.spec_from_file_location(
        "firmware_settings", ROOT / "firmware" / "settings.py"
    )
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
