"""`sorcel hardware`: everything that is needed to build a board, as files."""

import re
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from .. import Board, SorcelError, load_board
from ..config.chain import register_inputs
from .common import BoardOption
from .firmware import SETTINGS, firmware_folder

LIBRARIES = ("ezdxf", "reportlab", "schemdraw")


def hardware(
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="The folder to write; made if missing.")
    ],
    board: BoardOption = None,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config", metavar="FILE", help="A config file: pins, orders; without it the defaults."
        ),
    ] = None,
    pitch: Annotated[
        float | None,
        typer.Option(
            "--pitch",
            metavar="MM",
            help="From one space to the next, flat to flat.  [default: 33.33, or what [mock] "
            "pitch_mm of the config was changed to]",
        ),
    ] = None,
    sheet: Annotated[
        list[str] | None,
        typer.Option(
            "--sheet",
            metavar="SIZE",
            help="Paper of the template: A5 to A1, Letter, Legal, Tabloid or mm such as 300x400; "
            "may be given several times.  [default: A4 and Letter]",
        ),
    ] = None,
    bed: Annotated[
        str | None,
        typer.Option(
            "--bed", metavar="SIZE", help="The largest plate the laser takes, in mm: 600x400."
        ),
    ] = None,
    shop: Annotated[
        str,
        typer.Option(
            "--shop",
            metavar="NAME",
            help="Colours and layers of plates/clean: red-cut, blue-cut or black-cut, and after a "
            "colon the sheet to cut from: 600x400, 600x300, A3; look at your shop's page.",
        ),
    ] = "red-cut:600x400",
    pcb: Annotated[
        bool,
        typer.Option(
            "--pcb",
            help="Row boards as well: a printed circuit for each row, for KiCad and makers.",
        ),
    ] = False,
) -> None:
    """Draw the plates, the wiring, the parts list and the pieces of a board.

    The folder gets drawings to cut (DXF and SVG), a paper template (PDF), schematics and lists of
    the wiring, a list of parts and models of the pieces. All of it is made from the board and the
    config, so that it fits the program.
    """
    from ..config.load import load_config
    from ..config.wiring import board_of, check_config

    settings = load_config(config)
    if board is not None:
        load_board(board)  # its errors name the file alone
        settings = replace(settings, game=replace(settings.game, board=str(board.absolute())))
    check_config(settings)
    need_libraries()
    from ..pack.builds import builds, hand_wired
    from ..pack.clean import shop_of
    from ..pack.files import make_pack, write_pack
    from ..pack.planning import check_bed, plan
    from ..pack.rowboards import MEASURES
    from ..pack.template import sheet_of, size_of

    only = not hand_wired(builds(board_of(settings), settings))
    pcb = pcb or only
    geometry = plan(
        board_of(settings), settings, pitch_mm=pitch, measures=MEASURES if pcb else None
    )
    if bed is not None:
        check_bed(geometry, bed, *size_of(bed, "a bed:"))
    sheets = tuple(sheet_of(each) for each in sheet or ("A4", "Letter"))
    pack = make_pack(geometry, settings, sheets, shop_of(shop), pcb=pcb)
    if pcb:
        pack[f"boards/{SETTINGS}"] = settings_of(geometry.board).encode()
    write_pack(pack, out)
    width, height = geometry.plate_mm
    typer.echo(
        f"{len(pack)} files for a board of {geometry.board.grid.n} spaces, plates {width:.0f} x "
        f"{height:.0f} mm. measures.md has the measures, parts.md what to buy. Begin with the "
        "trial of seven spaces."
        + (" Contacts and lights are on row boards only: see boards.md in boards/." if only else "")
    )


def settings_of(board: Board) -> str:
    """Return the firmware's settings for row boards of `board`."""
    text = (firmware_folder() / SETTINGS).read_text(encoding="utf-8")
    for name, value in (("REGISTERS", len(register_inputs(board))), ("SPACES", board.grid.n)):
        text, found = re.subn(rf"(?m)^{name} = \d+", f"{name} = {value}", text)
        if not found:
            raise SorcelError(f"the firmware's {SETTINGS} has no {name}")
    return text


def need_libraries() -> None:
    """Raise `SorcelError` with the line that installs what is missing."""
    missing = [name for name in LIBRARIES if find_spec(name) is None]
    if missing:
        raise SorcelError(
            f"drawing needs {', '.join(missing)}; install it with: "
            f'"{sys.executable}" -m pip install "sorcel-pi[hardware]"'
        )
