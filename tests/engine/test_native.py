"""The engine in C plays by the rules and thinks as the one in Python, node for node."""

import itertools
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from sorcel_pi import (
    EGRESSIAN,
    board_from_text,
    legal_actions,
    outcome,
    play,
    standard_board,
    start_position,
)
from sorcel_pi.engine import Engine, Limits
from sorcel_pi.engine.native import (
    Library,
    NativeSearch,
    difference,
    differs,
    find_library,
    read_vectors,
)
from sorcel_pi.engine.search import Iteration, PythonSearch, Think
from sorcel_pi.engine.values import PLIES, WIN, Values, load_weights

from ..rules.kit import vector_positions
from .kit import RULES, random_positions
from .test_ugi import SMALL

PERFT = [19, 347, 6_494, 123_416, 2_434_254]


def compared(library: Library, seed: int, count: int) -> set[str]:
    """Compare so many random positions, and of each what two actions lead to.

    Return the names of the rule sets that were met.
    """
    searches = {r: NativeSearch(library, standard_board(), r, table_bits=4) for r in RULES}
    rng = random.Random(seed)
    met = set()
    for position in itertools.islice(random_positions(seed), count):
        actions = list(legal_actions(position))
        tried = rng.sample(actions, min(2, len(actions)))
        assert difference(searches[position.rules], position, tried) is None
        met.add(position.rules.name)
    return met


def test_perft(library: Library) -> None:
    search = NativeSearch(library, standard_board(), EGRESSIAN, table_bits=4)
    start = start_position(standard_board())
    assert [search.perft(start, depth) for depth in range(1, 6)] == PERFT


def test_the_vectors_of_the_rules(library: Library) -> None:
    for position in vector_positions():
        search = NativeSearch(library, position.board, position.rules, table_bits=4)
        assert difference(search, position) is None


def test_the_embedded_vectors(library: Library) -> None:
    vectors = read_vectors()
    assert len(vectors) >= 40
    assert {text.split()[0] for text, _ in vectors} == {"egressian", "ahumm"}
    assert differs(library, vectors) is None


def test_random_positions_agree(library: Library) -> None:
    assert compared(library, 1, 4_000) == {"egressian", "ahumm"}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_a_million_random_positions_agree(library: Library, part: int) -> None:
    assert compared(library, 100 + part, 100_000) == {"egressian", "ahumm"}


def test_a_difference_is_seen(library: Library) -> None:
    """A library that plays with another number of detained pieces is found out."""
    position = next(
        p for p in random_positions(5) if p.rules.detained == 4 and p.detained.bit_count() > 2
    )
    wrong = NativeSearch(library, position.board, EGRESSIAN, table_bits=4)
    assert any(difference(wrong, p) for p in itertools.islice(random_positions(7), 500))


def iterations(search: PythonSearch | NativeSearch, think: Think) -> list[tuple[Iteration, int]]:
    """Return what every depth finds, and the nodes until then."""
    found = []
    search.begin(think)
    for depth in range(1, 40):
        iteration = search.deepen(depth)
        found.append((iteration, search.nodes))
        if not iteration.finished or abs(iteration.value) > WIN - PLIES:
            break
    return found


def thinks(count: int, nodes: int, seed: int) -> list[Think]:
    rng = random.Random(seed)
    positions = [
        p for p in itertools.islice(random_positions(seed), 40 * count) if legal_actions(p)
    ]
    found = []
    for number, position in enumerate(rng.sample(positions, count)):
        noise = rng.choice((0, 20, 80))
        past = [p for p in positions[:20] if not p.steps_made and p.rules == position.rules]
        blind = number % 4 == 0
        found.append(Think(position, past, nodes, noise, rng.getrandbits(63), blind, number % 3))
    return found


def test_the_same_wins(library: Library) -> None:
    won = 0
    for position in itertools.islice(random_positions(31), 0, 1_200, 3):
        if not legal_actions(position):
            continue
        searches = (
            PythonSearch(position.board, position.rules),
            NativeSearch(library, position.board, position.rules, table_bits=4),
        )
        for search in searches:
            search.begin(Think(position))
        found = [(search.win(3_000), search.nodes) for search in searches]
        assert found[0] == found[1]
        after = position
        for action in found[0][0]:
            after = play(after, action)
        ended = outcome(after)
        if found[0][0]:
            assert ended is not None and ended.winner == position.side
            won += 1
    assert won > 50


def same_search(library: Library, count: int, nodes: int, seed: int) -> None:
    for think in thinks(count, nodes, seed):
        board, rules = think.root.board, think.root.rules
        python = PythonSearch(board, rules)
        native = NativeSearch(library, board, rules)
        assert iterations(native, think) == iterations(python, think), think


def test_the_same_search_node_for_node(library: Library) -> None:
    same_search(library, 40, 1_500, 3)


@pytest.mark.slow
def test_the_same_search_node_for_node_for_long(library: Library) -> None:
    same_search(library, 150, 20_000, 4)


@pytest.mark.parametrize("weights", ["weights", "weights_by_hand"])
def test_the_same_values(library: Library, weights: str) -> None:
    for position in itertools.islice(random_positions(11), 500):
        values = Values(position.board, position.rules, load_weights(weights))
        native = NativeSearch(
            library, position.board, position.rules, load_weights(weights), table_bits=4
        )
        assert native.value(position) == values.of(position)


def test_only_the_standard_board(library: Library) -> None:
    board = board_from_text(SMALL)
    assert Engine(board, EGRESSIAN, library=library).name == "Python"
    with pytest.raises(OSError, match="standard board only"):
        Engine(board, EGRESSIAN, library=library, native=True)
    with pytest.raises(ValueError, match="standard board only"):
        NativeSearch(library, board, EGRESSIAN)


# -- how it is found ------------------------------------------------------------------------------


@pytest.fixture
def package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """An installed package of the engine, still without a library."""
    module = ModuleType("sorcel_engine")
    module.__file__ = str(tmp_path / "__init__.py")
    monkeypatch.setitem(sys.modules, "sorcel_engine", module)
    find_library.cache_clear()
    monkeypatch.setattr(
        "sorcel_pi.engine.native.find_library.cache_clear", find_library.cache_clear
    )
    return module


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    find_library.cache_clear()
    yield
    find_library.cache_clear()


def test_it_is_found_in_its_package(library: Library, package: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / library.path.name
    path.write_bytes(library.path.read_bytes())
    package.LIBRARY = path  # type: ignore[attr-defined]
    found = find_library()
    assert isinstance(found, Library) and found.path == path
    engine = Engine(standard_board(), EGRESSIAN)
    assert engine.name == "C"
    assert engine.think(start_position(standard_board()), Limits(nodes=1_000)).nodes >= 1_000
    engine.close()


def test_a_library_elsewhere_is_not_loaded(library: Library, package: ModuleType) -> None:
    package.LIBRARY = library.path  # type: ignore[attr-defined]
    assert find_library() == "sorcel_engine has no library in its own folder"


def test_a_file_that_is_no_library_is_not_loaded(package: ModuleType, tmp_path: Path) -> None:
    package.LIBRARY = tmp_path / "libsorcel_engine.so"  # type: ignore[attr-defined]
    assert "cannot be loaded" in str(find_library())
    package.LIBRARY.write_bytes(b"nothing")
    find_library.cache_clear()
    assert "cannot be loaded" in str(find_library())


def test_a_library_with_other_rules_is_refused(
    library: Library, package: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / library.path.name
    path.write_bytes(library.path.read_bytes())
    package.LIBRARY = path  # type: ignore[attr-defined]
    monkeypatch.setattr("sorcel_pi.engine.native.difference", lambda search, position: "another")
    assert "other rules" in str(find_library())
    assert Engine(standard_board(), EGRESSIAN).name == "Python"
    with pytest.raises(OSError, match="other rules"):
        Engine(standard_board(), EGRESSIAN, native=True)


def test_without_the_package_python_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sorcel_engine", None)
    assert find_library() == "the package sorcel-engine is not installed"
    assert Engine(standard_board(), EGRESSIAN).name == "Python"


def test_no_outcome_no_think(library: Library) -> None:
    position = next(p for p in random_positions(2) if outcome(p) is not None)
    for native in (False, None):
        engine = Engine(position.board, position.rules, native=native, library=library)
        assert engine.think(position, Limits(nodes=10)).line == ()
