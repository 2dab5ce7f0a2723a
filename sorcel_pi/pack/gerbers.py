"""What a maker of boards takes: Gerber layers (X2), drill file, places of parts and their list.

Written from the same values as the KiCad files; y turns round, because Gerber counts north.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from .rowboards import DRILL_MM, OPEN, VIA_MM, Pad, Placed, RowBoard
from .svg import n
from .tables import table

_SMD_LAYERS = {
    "F_Cu": "Copper,L1,Top", "B_Cu": "Copper,L2,Bot", "F_Mask": "Soldermask,Top",
    "B_Mask": "Soldermask,Bot", "F_Paste": "Paste,Top", "F_Silkscreen": "Legend,Top",
    "Edge_Cuts": "Profile,NP",
}  # fmt: skip
_MASK_MM = 0.05
_EDGE_MM, _SILK_MM = 0.1, 0.15

# Parts of two makers that are the same to a board, where there are two; nothing was ordered yet.
_PARTS = {
    "74HC165": ("74HC165PW,118", "SN74HC165PWR"),
    "DRV5032FA": ("DRV5032FADBZR", ""),
    "WS2812B": ("WS2812B", "SK6812"),
    "100n": ("CC0603KRX7R9BB104", "GRM188R71H104KA93D"),
    "10k": ("RC0603FR-0710KL", "ERJ-3EKF1002V"),
}


class _Flash(NamedTuple):
    """A pad or via on a layer."""

    x: float
    y: float
    width: float
    height: float
    round: bool


def fabrication(board: RowBoard, mark: str) -> dict[str, bytes]:
    """Return all files for the maker of a board, by name."""
    files = {
        f"{board.name}-{layer}.gbr": _gerber(board, layer, function, mark)
        for layer, function in _SMD_LAYERS.items()
    }
    files[f"{board.name}-PTH.drl"] = _drills(board, mark, plated=True)
    files[f"{board.name}-NPTH.drl"] = _drills(board, mark, plated=False)
    files[f"{board.name}-places.csv"] = places(board)
    files[f"{board.name}-bom.csv"] = bill(board)
    return files


def _gerber(board: RowBoard, layer: str, function: str, mark: str) -> bytes:
    drawn: dict[str, list[str]] = {}
    for flash in _flashes(board, layer):
        form = f"C,{n(flash.width)}" if flash.round else f"R,{n(flash.width)}X{n(flash.height)}"
        drawn.setdefault(form, []).append(f"{_xy(flash.x, flash.y)}D03*")
    for width, start, end in _lines(board, layer):
        drawn.setdefault(f"C,{n(width)}", []).append(f"{_xy(*start)}D02*\n{_xy(*end)}D01*")
    lines = [
        f"G04 Sorcel, {board.name}, {mark}*",
        "%TF.GenerationSoftware,Sorcel Pi,hardware*%",
        f"%TF.FileFunction,{function}*%",
        f"%TF.FilePolarity,{'Negative' if 'mask' in function else 'Positive'}*%",
        "%FSLAX46Y46*%", "%MOMM*%", "%LPD*%", "G01*",
        *(f"%ADD{k}{form}*%" for k, form in enumerate(drawn, 10)),
    ]  # fmt: skip
    for k, commands in enumerate(drawn.values(), 10):
        lines += [f"D{k}*", *commands]
    return "\n".join([*lines, "M02*", ""]).encode()


def _xy(x: float, y: float) -> str:
    return f"X{round(x * 1e6)}Y{round(-y * 1e6)}"


def _flashes(board: RowBoard, layer: str) -> Iterator[_Flash]:
    grown = 2 * _MASK_MM if "Mask" in layer else 0.0
    for part in board.parts:
        for pad in part.footprint.pads:
            plated = bool(pad.drill) and pad.drill < pad.width
            bare = bool(pad.drill) and not plated
            there = {
                "F_Cu": not bare, "B_Cu": plated, "F_Mask": True, "B_Mask": bool(pad.drill),
                "F_Paste": not pad.drill,
            }.get(layer, False)  # fmt: skip
            if there:
                x, y = part.x + pad.x, part.y + pad.y
                size = pad.width + grown, pad.height + grown
                yield _Flash(x, y, *size, bool(pad.drill))
    if layer in ("F_Cu", "B_Cu"):
        for via in board.vias:
            yield _Flash(*via.at, VIA_MM, VIA_MM, True)


def _lines(
    board: RowBoard, layer: str
) -> Iterator[tuple[float, tuple[float, float], tuple[float, float]]]:
    if layer in ("F_Cu", "B_Cu"):
        for track in board.tracks:
            if track.lower is (layer == "B_Cu"):
                yield track.width, track.start, track.end
    if layer == "Edge_Cuts":
        left, top, right, bottom = board.box
        corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
        for a, b in pairwise(corners):
            yield _EDGE_MM, a, b
    if layer == "F_Silkscreen":
        for path in board.silk:
            points = [(x, y) for x, y, _ in path.vertices]
            for a, b in pairwise(points):
                yield _SILK_MM, a, b


def _drills(board: RowBoard, mark: str, *, plated: bool) -> bytes:
    holes: dict[float, list[tuple[float, float]]] = {}
    if plated:
        holes[DRILL_MM] = [via.at for via in board.vias]
    for part, pad in _through(board):
        if (pad.drill < pad.width) is plated:
            holes.setdefault(pad.drill, []).append((part.x + pad.x, part.y + pad.y))
    lines = ["M48", f"; Sorcel, {board.name}, {mark}", "METRIC,TZ"]
    lines += [f"T{k}C{drill:.3f}" for k, drill in enumerate(holes, 1)]
    lines += ["%", "G05"]
    for k, places in enumerate(holes.values(), 1):
        lines += [f"T{k}", *(f"X{x:.4f}Y{-y:.4f}" for x, y in places)]
    return "\n".join([*lines, "M30", ""]).encode()


def _through(board: RowBoard) -> Iterator[tuple[Placed, Pad]]:
    for part in board.parts:
        for pad in part.footprint.pads:
            if pad.drill:
                yield part, pad


def is_fitted(part: Placed) -> bool:
    """Tell whether a machine puts a part on: no header, screw, reed, nor what goes with a reed."""
    return not part.ref.startswith(("J", "H")) and "reed" not in part.value


def places(board: RowBoard) -> bytes:
    """Return where a machine puts parts, as makers read it; y counts north."""
    rows = (
        (part.ref, part.value, part.footprint.name, n(part.x), n(-part.y), "0", "top")
        for part in board.parts
        if is_fitted(part)
    )
    return table(("Designator", "Val", "Package", "Mid X", "Mid Y", "Rotation", "Layer"), rows)


def bill(board: RowBoard) -> bytes:
    """Return the list of parts: what, which, how many, and parts of two makers."""
    kinds: dict[tuple[str, str], list[str]] = {}
    for part in board.parts:
        kinds.setdefault((part.value, part.footprint.name), []).append(part.ref)
    rows: Iterable[tuple[object, ...]] = (
        (value, name, len(refs), " ".join(refs), *_PARTS.get(value.split(" (")[0], ("", "")))
        for (value, name), refs in kinds.items()
    )
    return table(("Value", "Package", "Quantity", "Designators", "Part", "Other maker"), rows)


def joined(part: Placed, pad: Pad) -> str:
    """Return the net of a pad, "" where it is joined to nothing."""
    net = part.nets.get(pad.number, "")
    return "" if net.startswith(OPEN) else net
