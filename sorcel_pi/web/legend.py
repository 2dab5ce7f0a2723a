"""The legend of all lights, moving as the lights themselves move.

Each entry is a moment at a small board, shown by the same layers, signs and frames as the lights of
a table; here only the moments are chosen, and written down as what each light shows tick by tick.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from math import lcm
from typing import Any

from ..rules.actions import Outcome, Reason
from ..rules.board import Board, Layout, make_board
from ..rules.hexgrid import hexgrid, mask_of
from ..rules.position import Piece, Side, start_position
from ..table.lights.frame import FrameMaker
from ..table.lights.palette import PALETTES
from ..table.lights.plan import plan_lights
from ..table.lights.signs import SIGNS, TICKS_PER_S, wave_of
from ..table.relocation import Relocation
from ..table.view import Flash, Hold, Mode, Trouble, View
from .snapshot import board_message

_GRID = hexgrid(3)
_at = _GRID.number


def _mask(*names: str) -> int:
    return mask_of(map(_at, names))


def _board() -> Board:
    start = Layout(_mask("a2"), _mask("b2", "b3"), _mask("e4"), _mask("d3", "d4"))
    return make_board("legend", 3, _mask("c3"), start)


BOARD = _board()
_START = start_position(BOARD)
_DS, _DF = Piece.DARK_SENTINEL, Piece.DARK_SHIF


@dataclass(frozen=True, slots=True)
class Entry:
    """A moment: the text `legend.<key>` says what its lights mean.

    `span_s` is when it begins anew, 0 when its movements all do; `moved` puts pieces elsewhere than
    the start has them (a piece None is no longer there).
    """

    key: str
    mode: Mode = Mode.PLAY
    span_s: float = 0.0
    moved: Mapping[str, Piece | None] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)

    def view(self) -> View:
        """Return the moment as the table would have it."""
        return View(_START, self.mode, **{"standing": self.standing(), **self.values})

    def standing(self) -> dict[int, Piece | None]:
        """Return which piece stands where."""
        standing: dict[int, Piece | None] = dict(_START.placed())
        standing |= {_at(name): piece for name, piece in self.moved.items()}
        return {space: piece for space, piece in standing.items() if piece is not None}


def _entry(
    key: str,
    mode: Mode = Mode.PLAY,
    *,
    span_s: float = 0.0,
    moved: Mapping[str, Piece | None] | None = None,
    **values: Any,
) -> Entry:
    return Entry(key, mode, span_s, moved or {}, values)


def _move(key: str, origin: str | None, target: str | None, *, held: bool = False) -> Entry:
    start, end = (None if name is None else _at(name) for name in (origin, target))
    gone: dict[str, Piece | None] = {"d3": None} if held else {}
    return _entry(key, moved=gone, next=Relocation(_DF, start, end, held))


ENTRIES: tuple[Entry, ...] = (
    _entry("turn"),
    _entry("spots", spots=_mask("a1", "a3", "b1", "b4")),
    _entry(
        "lifted",
        moved={"b2": None},
        lifted=_at("b2"),
        destinations=_mask("a1", "b1", "c2"),
        pushing=_mask("c2"),
    ),
    _move("move", "d3", "e3"),
    _move("move.hole", "d3", "c3"),
    _move("move.off", "d3", None),
    _move("move.held", None, "e3", held=True),
    _entry("done", span_s=3.0, flashes=(Flash(_at("b2"), "done", 0.4),)),
    _entry("wrong", moved={"c4": _DF, "d4": None}, mode=Mode.RESTORE, wrong=(_at("c4"), _at("d4"))),
    _entry("ask", Mode.ASK, span_s=2.0, candidates=(_at("c2"), _at("c4"))),
    _entry("guess", guesses=_mask("a2", "b2", "b3")),
    _entry(
        "setup",
        Mode.SETUP,
        moved={"e4": None, "d3": None, "d4": None},
        missing=((_at("e4"), _DS), (_at("d3"), _DF), (_at("d4"), _DF)),
    ),
    _entry("surplus", Mode.SETUP, moved={"c4": _DF}, surplus=_mask("c4")),
    _entry("placed", Mode.SETUP, span_s=3.0, flashes=(Flash(_at("d3"), "placed", 0.4, _DF),)),
    _entry("shown", shown_until_s=1000.0),
    _entry("hold", span_s=3.2, hold=Hold(Side.LIGHT, 0.4, 2.0)),
    _entry("confirm", Mode.CONFIRM, confirming=Side.LIGHT),
    _entry("passed", span_s=3.5, passed=(Side.DARK, 0.4)),
    _entry("thinking", thinking=True),
    _entry("seated", span_s=3.5, seated=(frozenset({Side.LIGHT}), 0.4)),
    _entry("level", Mode.LEVEL, level=5),
    _entry("raised", raised=4),
    _entry("over", Mode.OVER, span_s=2.4, outcome=Outcome(Side.LIGHT, Reason.DETAINED)),
    _entry("code", code="2314"),
    _entry("faulty", faulty=_mask("c4")),
    _entry("save", save_trouble=True),
    _entry("line", trouble=Trouble.LINE),
)


def _span(entry: Entry) -> int:
    """Return after how many ticks an entry begins anew."""
    if entry.span_s:
        return round(entry.span_s * TICKS_PER_S)
    lamps = plan_lights(entry.view(), 0.0).lamps.values()
    return lcm(*(len(wave_of(lamp.role, lamp.of)) for lamp in lamps))


def _colours(entry: Entry, maker: FrameMaker) -> dict[int, list[str]]:
    """Return for each light what it shows, tick by tick, as six hexadecimal digits."""
    view, seen = entry.view(), []
    # What moves for ever is looked at after it has begun.
    first = 0 if entry.span_s and entry.mode is not Mode.OVER else 10 * _span(entry)
    for k in range(first, first + _span(entry)):
        now = k / TICKS_PER_S
        seen.append(maker.frame(plan_lights(view, now), now))
    rows = {space: [bytes(frame[space]).hex() for frame in seen] for space in range(BOARD.grid.n)}
    return {space: row for space, row in rows.items() if set(row) != {"000000"}}


def _runs(colours: Iterable[str]) -> Iterator[list[Any]]:
    """Yield each colour with how many ticks it lasts."""
    for colour, same in groupby(colours):
        yield [colour, len(list(same))]


@lru_cache(maxsize=8)
def legend(palette: str) -> dict[str, Any]:
    """Return the legend in the palette of this name (the default one if there is none).

    `sequences` are lists of [colour, ticks]; an entry's `lights` name one for each space that is
    lit at some time, and `pieces` is as the page's boards take it.
    """
    maker = FrameMaker(
        BOARD, palette=PALETTES.get(palette, PALETTES["default"]), current_limit_a=1000.0
    )
    sequences: dict[str, tuple[int, list[list[Any]]]] = {}
    entries = []
    for entry in ENTRIES:
        lights = []
        for space, colours in _colours(entry, maker).items():
            name = "".join(colours)
            number, _ = sequences.setdefault(name, (len(sequences), list(_runs(colours))))
            lights.append([space, number])
        pieces = [
            [f"{space}", "?" if piece is None else piece.letter, space]
            for space, piece in entry.standing().items()
        ]
        row = {"key": entry.key, "span": _span(entry), "lights": lights, "pieces": pieces}
        entries.append(row)
    return {
        "ticks_per_s": TICKS_PER_S,
        "board": board_message(BOARD, 36.0),
        "sequences": [runs for _, runs in sequences.values()],
        "entries": entries,
    }


def roles_shown() -> set[int]:
    """Return the roles that some entry shows, for those who check that none is left out."""
    return {
        lamp.role
        for entry in ENTRIES
        for k in range(_span(entry))
        for lamp in plan_lights(entry.view(), k / TICKS_PER_S).lamps.values()
        if lamp.role in SIGNS
    }
