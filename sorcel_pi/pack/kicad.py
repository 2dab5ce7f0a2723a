"""Row boards as KiCad 9 projects: board, schematic and settings; the same bytes each time.

Every identity is derived from what it is for.  Footprints and symbols are inside the files, so that
no library is needed.
"""

import json
from collections.abc import Iterator
from itertools import pairwise
from uuid import NAMESPACE_OID, uuid5

from .rowboards import CHIP, DRILL_MM, HALL, OPEN, PIXEL, VIA_MM, Footprint, Placed, RowBoard
from .svg import n

_ORIGIN = (200.0, 60.0)
"""Where the middle of the line of contacts is on KiCad's sheet."""
_LAYERS = (
    (0, "F.Cu", "signal"), (2, "B.Cu", "signal"), (13, "F.Paste", "user"), (5, "F.SilkS", "user"),
    (1, "F.Mask", "user"), (3, "B.Mask", "user"), (25, "Edge.Cuts", "user"),
    (31, "F.CrtYd", "user"), (35, "F.Fab", "user"),
)  # fmt: skip
_GRID = 2.54
_WIRED = ("+5V", "+3V3", "GND")


def _id(board: RowBoard, *what: object) -> str:
    return str(uuid5(NAMESPACE_OID, "/".join(map(str, ("sorcel", board.name, *what)))))


def _at(x: float, y: float) -> str:
    return f"{n(x + _ORIGIN[0])} {n(y + _ORIGIN[1])}"


def nets_of(board: RowBoard) -> tuple[str, ...]:
    """Return the names of all nets, in the order of their parts."""
    return tuple(dict.fromkeys(net for part in board.parts for net in part.nets.values()))


# -- the board ------------------------------------------------------------------------------------


def pcb(board: RowBoard, mark: str) -> bytes:
    """Return the file of the board."""
    numbers = {net: k for k, net in enumerate(nets_of(board), 1)}
    left, top, right, bottom = board.box
    lines = [
        '(kicad_pcb (version 20241229) (generator "sorcel") (generator_version "9.0")',
        '(general (thickness 1.6) (legacy_teardrops no)) (paper "A3")',
        f'(title_block (title "Sorcel, {board.name}") (comment 1 "{mark}"))',
        "(layers",
        *(f'({number} "{name}" {kind})' for number, name, kind in _LAYERS),
        ")",
        "(setup (pad_to_mask_clearance 0.05) (allow_soldermask_bridges_in_footprints yes))",
        '(net 0 "")',
        *(f'(net {number} "{net}")' for net, number in numbers.items()),
        *(line for part in board.parts for line in _footprint(board, part, numbers)),
        *(
            f"(segment (start {_at(*t.start)}) (end {_at(*t.end)}) (width {n(t.width)}) "
            f'(layer "{"B.Cu" if t.lower else "F.Cu"}") (net {numbers[t.net]}) '
            f'(uuid "{_id(board, "track", k)}"))'
            for k, t in enumerate(board.tracks)
        ),
        *(
            f"(via (at {_at(*via.at)}) (size {n(VIA_MM)}) (drill {n(DRILL_MM)}) "
            f'(layers "F.Cu" "B.Cu") (net {numbers[via.net]}) (uuid "{_id(board, "via", k)}"))'
            for k, via in enumerate(board.vias)
        ),
        f"(gr_rect (start {_at(left, top)}) (end {_at(right, bottom)}) (stroke (width 0.1) "
        f'(type solid)) (fill no) (layer "Edge.Cuts") (uuid "{_id(board, "edge")}"))',
        *_silk(board),
        ")",
        "",
    ]
    return "\n".join(lines).encode()


def _silk(board: RowBoard) -> Iterator[str]:
    for k, path in enumerate(board.silk):
        points = [(x, y) for x, y, _ in path.vertices]
        for j, (a, b) in enumerate(pairwise(points)):
            yield (
                f"(gr_line (start {_at(*a)}) (end {_at(*b)}) (stroke (width 0.15) (type solid)) "
                f'(layer "F.SilkS") (uuid "{_id(board, "silk", k, j)}"))'
            )


def _footprint(board: RowBoard, part: Placed, numbers: dict[str, int]) -> Iterator[str]:
    path = _id(board, "symbol", part.ref)
    wide, high = part.footprint.half
    yield f'(footprint "Sorcel:{part.footprint.name}" (layer "F.Cu")'
    yield f'(uuid "{_id(board, part.ref)}")'
    yield f"(at {_at(part.x, part.y)})"
    for name, words, y in (("Reference", part.ref, -1), ("Value", part.value, 1)):
        yield (
            f'(property "{name}" "{words}" (at 0 {y} 0) (layer "F.Fab") (hide yes) '
            f'(uuid "{_id(board, part.ref, name)}") '
            "(effects (font (size 0.8 0.8) (thickness 0.12))))"
        )
    yield f'(path "/{path}")'
    through = any(pad.drill for pad in part.footprint.pads)
    yield f"(attr {'through_hole' if through else 'smd'})"
    yield (
        f"(fp_rect (start {n(-wide)} {n(-high)}) (end {n(wide)} {n(high)}) (stroke (width 0.05) "
        f'(type solid)) (fill no) (layer "F.CrtYd") (uuid "{_id(board, part.ref, "yard")}"))'
    )
    for pad in part.footprint.pads:
        net = part.nets.get(pad.number)
        kind, form, layers = "smd", "rect", '"F.Cu" "F.Mask" "F.Paste"'
        drill = ""
        if pad.drill:
            kind, form, layers = "thru_hole", "circle", '"*.Cu" "*.Mask"'
            drill = f" (drill {n(pad.drill)})"
        if pad.drill >= pad.width:
            kind = "np_thru_hole"
        joined = f' (net {numbers[net]} "{net}")' if net else ""
        yield (
            f'(pad "{pad.number}" {kind} {form} (at {n(pad.x)} {n(pad.y)}) '
            f"(size {n(pad.width)} {n(pad.height)}){drill} (layers {layers}){joined} "
            f'(uuid "{_id(board, part.ref, "pad", pad.number)}"))'
        )
    yield ")"


# -- the schematic --------------------------------------------------------------------------------


def schematic(board: RowBoard, mark: str) -> bytes:
    """Return the schematic: each part with a label of its net on every pin."""
    root = _id(board, "sheet")
    kinds = {part.footprint.name: part.footprint for part in board.parts}
    lines = [
        '(kicad_sch (version 20250114) (generator "sorcel") (generator_version "9.0")',
        f'(uuid "{root}") (paper "A1")',
        f'(title_block (title "Sorcel, {board.name}") (comment 1 "{mark}"))',
        "(lib_symbols",
        *(line for kind in kinds.values() for line in _symbol(kind)),
        _FLAG,
        ")",
    ]
    for k, part in enumerate(board.parts):
        column, row = divmod(k, 10)
        x, y = _GRID * (12 + 20 * column), _GRID * (10 + 22 * row)
        lines += _instance(board, part, x, y, root)
    for k, net in enumerate(net for net in _WIRED if net in nets_of(board)):
        lines += _flag(board, net, _GRID * (12 + 10 * k), _GRID * 4, root, k + 1)
    lines += ['(sheet_instances (path "/" (page "1")))', "(embedded_fonts no)", ")", ""]
    return "\n".join(lines).encode()


_FLAG = (
    '(symbol "Sorcel:FLAG" (power) (pin_numbers (hide yes)) (pin_names (hide yes)) '
    "(exclude_from_sim no) (in_bom no) (on_board no) "
    '(property "Reference" "#FLG" (at 0 0 0) (effects (font (size 1.27 1.27)) (hide yes))) '
    '(property "Value" "FLAG" (at 0 2.54 0) (effects (font (size 1.27 1.27)))) '
    '(symbol "FLAG_0_0" (pin power_out line (at 0 0 90) (length 0) '
    '(name "" (effects (font (size 1.27 1.27)))) (number "1" (effects (font (size 1.27 1.27)))))))'
)
_SUPPLY, _INPUT, _OUTPUT = "power_in", "input", "output"
_TYPES = {
    CHIP.name: {
        **dict.fromkeys(map(str, (*range(1, 7), *range(10, 16))), _INPUT),
        **dict.fromkeys(("7", "9"), _OUTPUT),
        **dict.fromkeys(("8", "16"), _SUPPLY),
    },
    HALL.name: dict.fromkeys(("1", "3"), _SUPPLY),
    PIXEL.name: {**dict.fromkeys(("1", "3"), _SUPPLY), "2": _OUTPUT, "4": _INPUT},
}
"""What pins are to KiCad's check of the schematic; all others are passive."""


def _pins(kind: Footprint) -> list[str]:
    return [pad.number for pad in kind.pads if pad.number]


def _symbol(kind: Footprint) -> Iterator[str]:
    pins = _pins(kind)
    font = "(effects (font (size 1.27 1.27)))"
    yield f'(symbol "Sorcel:{kind.name}" (exclude_from_sim no) (in_bom yes) (on_board yes)'
    yield f'(property "Reference" "U" (at 0 2.54 0) {font})'
    yield f'(property "Value" "{kind.name}" (at 0 5.08 0) {font})'
    yield f'(symbol "{kind.name}_0_1" (rectangle (start 0 1.27) '
    yield f"(end 12.7 {n(-_GRID * max(len(pins), 1))}) (stroke (width 0.2) (type default)) "
    yield "(fill (type none))))"
    yield f'(symbol "{kind.name}_1_1"'
    for k, pin in enumerate(pins):
        of = _TYPES.get(kind.name, {}).get(pin, "passive")
        yield (
            f'(pin {of} line (at -2.54 {n(-_GRID * k)} 0) (length 2.54) (name "{pin}" {font}) '
            f'(number "{pin}" {font}))'
        )
    yield "))"


def _instance(board: RowBoard, part: Placed, x: float, y: float, root: str) -> Iterator[str]:
    font = "(effects (font (size 1.27 1.27)))"
    kind = part.footprint
    yield f'(symbol (lib_id "Sorcel:{kind.name}") (at {n(x)} {n(y)} 0) (unit 1)'
    yield "(exclude_from_sim no) (in_bom yes) (on_board yes) (dnp no)"
    yield f'(uuid "{_id(board, "symbol", part.ref)}")'
    yield f'(property "Reference" "{part.ref}" (at {n(x + 2)} {n(y - 2.2)} 0) {font})'
    yield f'(property "Value" "{part.value}" (at {n(x + 2)} {n(y - 4)} 0) {font})'
    yield f'(property "Footprint" "Sorcel:{kind.name}" (at {n(x)} {n(y)} 0) '
    yield "(effects (font (size 1.27 1.27)) (hide yes)))"
    for pin in _pins(kind):
        yield f'(pin "{pin}" (uuid "{_id(board, "pin", part.ref, pin)}"))'
    yield f'(instances (project "{board.name}"'
    yield f'(path "/{root}" (reference "{part.ref}") (unit 1)))))'
    for k, pin in enumerate(_pins(kind)):
        at = f"(at {n(x - 2.54)} {n(y + _GRID * k)}"
        if not part.nets.get(pin, OPEN).startswith(OPEN):
            yield (
                f'(global_label "{part.nets[pin]}" (shape passive) {at} 180) '
                "(effects (font (size 1.27 1.27)) (justify right)) "
                f'(uuid "{_id(board, "label", part.ref, pin)}"))'
            )
        else:
            yield f'(no_connect {at}) (uuid "{_id(board, "none", part.ref, pin)}"))'


def _flag(board: RowBoard, net: str, x: float, y: float, root: str, number: int) -> Iterator[str]:
    hidden = "(effects (font (size 1.27 1.27)) (hide yes))"
    yield f'(symbol (lib_id "Sorcel:FLAG") (at {n(x)} {n(y)} 0) (unit 1)'
    yield "(exclude_from_sim no) (in_bom no) (on_board no) (dnp no)"
    yield f'(uuid "{_id(board, "flag", net)}")'
    yield f'(property "Reference" "#FLG{number}" (at {n(x)} {n(y)} 0) {hidden})'
    yield f'(property "Value" "FLAG" (at {n(x)} {n(y)} 0) {hidden})'
    yield f'(pin "1" (uuid "{_id(board, "flagpin", net)}"))'
    yield f'(instances (project "{board.name}"'
    yield f'(path "/{root}" (reference "#FLG{number}") (unit 1)))))'
    yield (
        f'(global_label "{net}" (shape passive) (at {n(x)} {n(y)} 180) '
        "(effects (font (size 1.27 1.27)) (justify right)) "
        f'(uuid "{_id(board, "flaglabel", net)}"))'
    )


# -- settings -------------------------------------------------------------------------------------


def project(board: RowBoard) -> bytes:
    """Return the settings: the rules of cheap makers of boards, and no library to compare with."""
    ignored = ("lib_footprint_issues", "lib_footprint_mismatch")
    settings = {
        "board": {
            "design_settings": {
                "rules": {
                    "min_clearance": 0.15, "min_track_width": 0.15, "min_via_diameter": 0.5,
                    "min_through_hole_diameter": 0.3, "min_copper_edge_clearance": 0.3,
                    "min_hole_clearance": 0.2, "min_hole_to_hole": 0.25,
                    "min_via_annular_width": 0.1,
                },
                "rule_severities": dict.fromkeys(ignored, "ignore"),
            }
        },
        "erc": {
            "rule_severities": {
                "lib_symbol_issues": "ignore", "footprint_link_issues": "ignore",
                "isolated_pin_label": "ignore", "single_global_label": "ignore",
            }
        },
        "meta": {"filename": f"{board.name}.kicad_pro", "version": 3},
        "net_settings": {
            "classes": [
                {
                    "name": "Default", "clearance": 0.19, "track_width": 0.2,
                    "via_diameter": 0.5, "via_drill": 0.3,
                }
            ],
            "meta": {"version": 4},
        },
    }  # fmt: skip
    return (json.dumps(settings, indent=1) + "\n").encode()
