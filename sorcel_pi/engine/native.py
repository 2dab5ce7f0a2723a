"""The optional engine in C: the same search as in Python, some thirty times as fast.

It comes with the distribution `sorcel-engine` and is loaded from that package's folder only.  It is
used where it loads, has the interface that is expected here, plays the standard board, and answers
the vectors below as the rules do; otherwise `why_not` says what stands against it.
"""

import ctypes
import json
from collections.abc import Sequence
from functools import cache
from importlib import import_module, resources
from pathlib import Path

from ..rules.actions import Action, EndTurn, Pass, Placement, Step, legal_actions, play
from ..rules.board import Board, Layout
from ..rules.notation import parse_position
from ..rules.position import SIDES, Coins, Position, RuleSet
from .search import Iteration, Think
from .values import Weights, is_standard, load_weights

PACKAGE = "sorcel_engine"
NOT_INSTALLED = "the package sorcel-engine is not installed"
ABI = 1
TABLE_BITS = 20
"""A table of 2^20 entries of 16 bytes."""
MAX_LINE = 97
_PLACE, _END, _PASS = 61, 62, 63
_NOBODY = 2
MAX_COINS = 1 << 30


class _Position(ctypes.Structure):
    _fields_ = [
        ("pieces", ctypes.c_uint64 * 4),
        ("coins", ctypes.c_int32 * 4),
        ("side", ctypes.c_uint8),
        ("left", ctypes.c_uint8),
        ("made", ctypes.c_uint8),
        ("loser", ctypes.c_uint8),
        ("key", ctypes.c_uint64),
    ]


class _Rules(ctypes.Structure):
    _fields_ = [
        ("shifs", ctypes.c_int32),
        ("detained", ctypes.c_int32),
        ("placement_pushes", ctypes.c_int32),
        ("early_end", ctypes.c_int32),
        ("pot", ctypes.c_int32),
    ]


_INT, _WORD, _ENGINE = ctypes.c_int32, ctypes.c_uint64, ctypes.c_void_p
_AT, _INTS = ctypes.POINTER(_Position), ctypes.POINTER(ctypes.c_int32)
_FUNCTIONS: dict[str, tuple[object, tuple[object, ...]]] = {
    "sorcel_abi": (_INT, ()),
    "sorcel_weights": (_INT, ()),
    "sorcel_new": (_ENGINE, (_INT, ctypes.POINTER(_Rules), _INTS)),
    "sorcel_free": (None, (_ENGINE,)),
    "sorcel_forget": (None, (_ENGINE,)),
    "sorcel_stop": (None, (_ENGINE,)),
    "sorcel_nodes": (_WORD, (_ENGINE,)),
    "sorcel_begin": (_INT, (_ENGINE, _AT, _AT, _INT, _WORD, _INT, _WORD, _INT, _INT)),
    "sorcel_deepen": (_INT, (_ENGINE, _INT, _INTS, _INTS, _INTS)),
    "sorcel_win": (_INT, (_ENGINE, _WORD, _INTS)),
    "sorcel_value": (_INT, (_ENGINE, _AT)),
    "sorcel_actions": (_INT, (_ENGINE, _AT, _INTS)),
    "sorcel_play": (None, (_ENGINE, _AT, _INT, _AT)),
    "sorcel_perft": (_WORD, (_ENGINE, _AT, _INT)),
    "sorcel_wins": (_INT, (_ENGINE, _AT, _INT, _INTS)),
}


class Library:
    """The functions of a shared library, with their types."""

    def __init__(self, path: Path) -> None:
        """Load the library at `path`; `OSError` says why it cannot be used."""
        loaded = ctypes.CDLL(str(path))
        self.path = path
        for name, (result, arguments) in _FUNCTIONS.items():
            try:
                function = getattr(loaded, name)
            except AttributeError:
                raise OSError(f"{path.name} has no function {name}") from None
            function.restype, function.argtypes = result, arguments
        self.functions = loaded
        if (abi := loaded.sorcel_abi()) != ABI:
            raise OSError(f"{path.name} has interface {abi}, expected {ABI}")


class NativeSearch:
    """The search in C, with the face of `PythonSearch`; only for the standard board."""

    name = "C"

    def __init__(
        self,
        library: Library,
        board: Board,
        rules: RuleSet,
        weights: Weights | None = None,
        *,
        table_bits: int = TABLE_BITS,
    ) -> None:
        """Prepare for games under `rules`; `MemoryError` when there is no room for the table."""
        self._c = library.functions
        self.board, self.rules = board, rules
        flat = (weights or load_weights()).flat(board)
        if len(flat) != self._c.sorcel_weights() or not is_standard(board):
            raise ValueError("the engine in C plays on the standard board only")
        settings = _Rules(
            rules.shifs, rules.detained, rules.placement_pushes, rules.early_end, rules.pot
        )
        self._engine = self._c.sorcel_new(table_bits, settings, (_INT * len(flat))(*flat))
        if not self._engine:
            raise MemoryError(f"no memory for a table of 2^{table_bits} entries")

    def __del__(self) -> None:
        """Free the memory."""
        self.close()

    def close(self) -> None:
        """Free the memory; nothing may be asked any more."""
        engine, self._engine = getattr(self, "_engine", None), None
        if engine:
            self._c.sorcel_free(engine)

    @property
    def nodes(self) -> int:
        """How many nodes this search has looked at."""
        return int(self._c.sorcel_nodes(self._engine))

    def forget(self) -> None:
        """Forget all games."""
        self._c.sorcel_forget(self._engine)

    def stop(self) -> None:
        """Let the search end soon; may be called from any thread."""
        engine = self._engine
        if engine:
            self._c.sorcel_stop(engine)

    def begin(self, think: Think) -> None:
        """Begin a search."""
        past = [_packed(position) for position in think.past if not position.steps_made]
        array = (_Position * max(len(past), 1))(*past)
        done = self._c.sorcel_begin(
            self._engine,
            _packed(think.root),
            array,
            len(past),
            think.limit,
            think.noise,
            think.seed & (1 << 64) - 1,
            think.blind,
            think.toll,
        )
        if not done:
            raise MemoryError("no memory for the game so far")

    def win(self, budget: int) -> tuple[Action, ...]:
        """Return a turn that wins, found with at most `budget` nodes; empty if none was found."""
        line = (_INT * MAX_LINE)()
        length = self._c.sorcel_win(self._engine, budget, line)
        return tuple(_action(code) for code in line[:length])

    def deepen(self, depth: int) -> Iteration:
        """Search to `depth` steps."""
        line, length, score = (_INT * MAX_LINE)(), _INT(), _INT()
        finished = self._c.sorcel_deepen(self._engine, depth, line, length, score)
        actions = tuple(_action(code) for code in line[: length.value])
        return Iteration(actions, score.value, bool(finished))

    # -- the rules and values alone, for comparing and for puzzles --------------------------------

    def value(self, position: Position) -> int:
        """Return the static value for the side to act."""
        return int(self._c.sorcel_value(self._engine, _packed(position)))

    def actions(self, position: Position) -> list[Action]:
        """Return the legal actions, in the order of the search."""
        found = (_INT * 128)()
        count = self._c.sorcel_actions(self._engine, _packed(position), found)
        return [_action(code) for code in found[:count]]

    def play(self, position: Position, action: Action) -> Position:
        """Return the position after a legal `action`."""
        after = _Position()
        self._c.sorcel_play(self._engine, _packed(position), _code(action), after)
        return _unpacked(position, after)

    def perft(self, position: Position, depth: int) -> int:
        """Return the number of sequences of `depth` actions, each of them played."""
        return int(self._c.sorcel_perft(self._engine, _packed(position), depth))

    def wins(self, position: Position, most: int = 2) -> tuple[int, int]:
        """Return how many layouts win in this turn, up to `most`, and the fewest actions to one.

        The count is -1 for a turn that is too large to look at all of it.
        """
        fewest = _INT()
        count = self._c.sorcel_wins(self._engine, _packed(position), most, fewest)
        return int(count), fewest.value


def _packed(position: Position) -> _Position:
    pieces, coins = position.pieces, position.coins
    return _Position(
        pieces,
        tuple(min(each, MAX_COINS) for each in coins) if coins is not None else (0, 0, 0, 0),
        position.side,
        position.steps_left,
        min(position.steps_made, 255),
        _NOBODY,
        0,
    )


def _unpacked(before: Position, packed: _Position) -> Position:
    return Position(
        before.board,
        before.rules,
        Layout(*packed.pieces),
        SIDES[packed.side],
        packed.left,
        packed.made,
        None if before.coins is None else Coins(*packed.coins),
    )


def _action(code: int) -> Action:
    origin, target = code & 63, code >> 6
    if origin < _PLACE:
        return Step(origin, target)
    return Placement(target) if origin == _PLACE else EndTurn() if origin == _END else Pass()


def _code(action: Action) -> int:
    match action:
        case Step(origin, target):
            return origin | target << 6
        case Placement(space):
            return _PLACE | space << 6
        case EndTurn():
            return _END
        case _:
            return _PASS


# -- whether it can be used -----------------------------------------------------------------------


@cache
def find_library() -> Library | str:
    """Return the library of the installed package, or in words why there is none."""
    try:
        package = import_module(PACKAGE)
    except ImportError:
        return NOT_INSTALLED
    path = getattr(package, "LIBRARY", None)
    if not isinstance(path, Path) or path.parent != Path(package.__file__ or "").parent:
        return f"{PACKAGE} has no library in its own folder"
    try:
        library = Library(path)
    except OSError as error:
        return f"it cannot be loaded: {error}"
    wrong = differs(library, read_vectors())
    return library if wrong is None else f"it plays by other rules: {wrong}"


def read_vectors() -> list[tuple[str, str]]:
    """Return (rule set, position code) of the positions by which a library is tried."""
    text = resources.files(__package__).joinpath("vectors.json").read_text()
    return [(rules, code) for rules, codes in json.loads(text).items() for code in codes]


def differs(library: Library, vectors: Sequence[tuple[str, str]]) -> str | None:
    """Return where `library` differs from the rules in these positions, or None."""
    from ..rules.position import rule_set_from_text

    for text, code in vectors:
        rules = rule_set_from_text(text)
        position = parse_position(code, None, rules)
        search = NativeSearch(library, position.board, rules, table_bits=4)
        try:
            if difference(search, position):
                return f"{text} {code}"
        finally:
            search.close()
    return None


def difference(
    search: NativeSearch, position: Position, tried: Sequence[Action] | None = None
) -> str | None:
    """Return how C and the rules differ about `position`, or None.

    Compared are the legal actions, and what all of them, or those `tried`, lead to.
    """
    ours, theirs = list(legal_actions(position)), search.actions(position)
    if set(ours) != set(theirs) or len(ours) != len(theirs):
        return f"legal actions {theirs}, expected {ours}"
    for action in ours if tried is None else tried:
        after, other = play(position, action), search.play(position, action)
        if after != other:
            return f"{action} leads to {other!r}, expected {after!r}"
    return None
