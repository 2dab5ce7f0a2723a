"""The build pack: all files of a board by name, and the folder that they are written to.

Everything is made from board and config by way of one `Geometry`; only this module knows folders.
The libraries that draw are an extra (`hardware`): nothing else in the program needs them.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from .. import format_board
from ..config.schema import STANDARD, Config
from ..errors import ConfigError, SorcelError, quote
from ..rules.board import standard_board
from . import maps, schematics
from .boards import board_files
from .builds import Build, builds, config_text, hand_wired, trial_config, trial_lights
from .cables import Wire, wires
from .casing import Cut, cuts, frame
from .clean import SHOPS, Shop, clean_files
from .dxf import dxf_of
from .geometry import Geometry
from .numbers import measures_text
from .parts import Part, parts, parts_text
from .pieces import solids
from .plates import plates, trial
from .section import section
from .solids import scad, stl, threemf, turning_picture
from .svg import svg_of
from .tables import table
from .template import Sheet, template
from .wiring import PinUse, nets, pins

Pack = dict[str, bytes]
"""The content of each file, by its path in the pack."""


def make_pack(
    g: Geometry,
    config: Config,
    sheets: tuple[Sheet, ...],
    shop: Shop = SHOPS["red-cut"],
    *,
    pcb: bool = False,
) -> Pack:
    """Return all files for a board, with row boards if `pcb`; the same bytes each time."""
    made = builds(g.board, _with_pitch(config, g.pitch_mm))
    pack: Pack = {}
    drawn = (*plates(g, made[0].lights), *trial(g, trial_lights(g.cluster, made[0].lights)))
    for drawing in drawn:
        pack[f"plates/{drawing.name}.dxf"] = dxf_of(drawing)
        pack[f"plates/{drawing.name}.svg"] = svg_of(drawing)
    pack.update((f"plates/clean/{name}", data) for name, data in clean_files(g, drawn, shop))
    pack["case/frame.dxf"], pack["case/frame.svg"] = dxf_of(frame(g)), svg_of(frame(g))
    pack["case/saw.csv"] = table(Cut._fields, cuts(g))
    for sheet in sheets:
        pack[f"template/{sheet.name.lower()}.pdf"] = template(g, sheet)
    for build in hand_wired(made):
        files = wiring_files(g, build)
        pack.update((f"wiring/{build.name}/{name}", data) for name, data in files.items())
    pack.update((f"pieces/{name}", data) for name, data in _pieces(g))
    listed = parts(g, made)
    pack["parts.csv"] = table(Part._fields, listed)
    pack["parts.md"] = parts_text(listed, g.mark).encode()
    pack["measures.md"] = measures_text(g, made).encode()
    pack["section.svg"] = section(g).encode()
    if pcb:
        limited = replace(config, lights=made[0].config.lights)
        pack.update(
            (f"boards/{name}", data) for name, data in board_files(g, hand_wired(made), limited)
        )
    if g.board != standard_board():
        pack["board.toml"] = format_board(g.board).encode()
    return pack


def wiring_files(g: Geometry, build: Build, names: Iterable[str] | None = None) -> Pack:
    """Return the files of one build, or those of them that are named."""
    return {name: _WIRING[name](g, build) for name in (names or _WIRING)}


def _config(g: Geometry, build: Build) -> bytes:
    return config_text(build.config, f"{build.title}. {g.mark}", _board_name(g)).encode()


def _trial(g: Geometry, build: Build) -> bytes:
    config = trial_config(build, g.board, g.cluster)
    return config_text(
        config, f"Trial of seven spaces. {build.title}. {g.mark}", _board_name(g)
    ).encode()


def _board_name(g: Geometry) -> str:
    return STANDARD if g.board == standard_board() else "../../board.toml"


def _netlist(g: Geometry, build: Build) -> bytes:
    terminals = ((net.name, *each) for net in nets(g, build) for each in net.terminals)
    return table(("net", "part", "pin"), terminals)


def _cables(g: Geometry, build: Build) -> bytes:
    numbered = ((number, *wire) for number, wire in enumerate(wires(g, build), 1))
    return table(("number", *Wire._fields), numbered)


_WIRING: dict[str, Callable[[Geometry, Build], bytes]] = {
    "config.toml": _config,
    "trial.toml": _trial,
    "pins.csv": lambda _, build: table(PinUse._fields, pins(build)),
    "netlist.csv": _netlist,
    "cables.csv": _cables,
    "pins.svg": schematics.pin_map,
    "matrix.svg": schematics.matrix,
    "lights.svg": schematics.lights,
    "lights-north-below.svg": lambda g, build: maps.light_map(g, build, "n").encode(),
    "lights-south-below.svg": lambda g, build: maps.light_map(g, build, "s").encode(),
    "rows-below.svg": lambda g, build: maps.row_map(g, build).encode(),
    "columns-below.svg": lambda g, build: maps.column_map(g, build).encode(),
}


def _pieces(g: Geometry) -> Iterator[tuple[str, bytes]]:
    both = solids(g)
    yield "pieces.3mf", threemf(both, g.mark)
    magnet, clearance = g.magnet, g.measures.magnet_clearance_mm
    for solid in both:
        yield f"{solid.name}.stl", stl(solid, g.mark)
        source = scad(solid, (magnet.across_mm, magnet.high_mm), clearance, g.mark)
        yield f"{solid.name}.scad", source.encode()
    yield "pieces.svg", turning_picture(both, g.mark).encode()


def _with_pitch(config: Config, pitch_mm: float) -> Config:
    """Return `config` for a simulated table of that pitch, where there can be one."""
    try:
        return replace(config, mock=replace(config.mock, pitch_mm=float(pitch_mm)))
    except ConfigError:
        return config


def write_pack(pack: Pack, folder: Path) -> None:
    """Write all files into `folder`, which is made where it is missing; others in it stay."""
    try:
        for name, data in pack.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        raise SorcelError(f"{quote(folder)} cannot be written: {reason}") from None
