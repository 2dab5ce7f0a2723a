"""The engine as a program: a process, stopped, flooded, left alone and talked nonsense to."""

import io
import random
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from queue import SimpleQueue

import pytest

from sorcel_pi import Game, parse_action, standard_board, start_position
from sorcel_pi.engine.program import Program
from sorcel_pi.engine.ugi import MAX_LINE, Ugi

BOARD = standard_board()
PATIENCE_S = 60.0


class Host:
    """A host of the engine's process; every wait for a line has an end."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sorcel_pi", "engine"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.lines: SimpleQueue[str] = SimpleQueue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for raw in self.process.stdout:
            self.lines.put(raw.decode().rstrip("\n"))

    def tell(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.process.stdin.flush()

    def until(self, start: str) -> str:
        while not (line := self.lines.get(timeout=PATIENCE_S)).startswith(start):
            pass
        return line

    def bestmove(self) -> str:
        return self.until("bestmove ").removeprefix("bestmove ")

    def close(self) -> str:
        """End it and return what it said on standard error."""
        assert self.process.stdin is not None and self.process.stderr is not None
        if self.process.stdin.closed:
            return ""
        self.process.stdin.close()
        self.process.wait(PATIENCE_S)
        self.reader.join()
        errors = self.process.stderr.read().decode()
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process.stderr.close()
        return errors


@pytest.fixture
def host() -> Iterator[Host]:
    host = Host()
    yield host
    host.process.kill()
    host.close()


def test_a_conversation(host: Host) -> None:
    host.tell("ugi", "isready", "setoption name Level value 2", "position startpos", "go")
    host.until("ugiok")
    host.until("readyok")
    game = Game(start_position(BOARD))
    game.play(host.bestmove())
    host.tell("query p1turn", "quit")
    host.until("response true")
    assert host.close() == "" and host.process.returncode == 0


def test_it_answers_while_it_thinks_and_stops(host: Host) -> None:
    host.tell("position startpos", "go infinite", "isready", "query p1turn")
    host.until("readyok")
    host.until("response true")
    host.tell("stop")
    assert parse_action(BOARD, host.bestmove()) in Game(start_position(BOARD)).legal_actions


def test_infinite_waits_for_stop_even_when_all_is_seen(host: Host) -> None:
    host.tell("position fen 5/6/fSff3/1F1sF3/1S1F5/1s1F1f2/1F5/1F4/5 l 6/0 0/2 -", "go infinite")
    host.until("info depth 1 ")
    host.tell("isready")
    assert host.until("") == "readyok"
    host.tell("stop")
    assert host.bestmove() == "e2d1"


def test_end_of_input_ends_it_while_it_thinks(host: Host) -> None:
    host.tell("position startpos", "go infinite")
    assert host.close() == "" and host.process.returncode == 0


def test_a_host_that_has_gone_ends_it() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "sorcel_pi", "engine"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdout.close()
    process.stdin.write(b"position startpos\ngo infinite\nugi\nisready\n")
    process.stdin.close()
    assert process.wait(PATIENCE_S) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


def test_a_flood_is_read(host: Host) -> None:
    host.tell("position startpos", "go infinite", *["isready", "query result"] * 5_000, "stop")
    for _ in range(5_000):
        host.until("readyok")
    host.bestmove()


def random_walk(rng: random.Random) -> list[str]:
    """Return the texts of a random game of some actions."""
    from sorcel_pi import format_action

    game = Game(start_position(BOARD))
    for _ in range(rng.randint(0, 25)):
        if game.outcome is not None:
            break
        game.play(rng.choice(list(game.legal_actions)))
    if game.outcome is not None:
        game.undo()
    return [format_action(BOARD, action) for action in game.actions]


def take_backs(host: Host, rounds: int) -> None:
    """Take back or set up anew while it thinks; each `go` has its one legal answer, in order."""
    rng = random.Random(rounds)
    host.tell("setoption name Level value 3")
    for number in range(rounds):
        words = random_walk(rng)
        shorter = words[: rng.randint(0, len(words))] if number % 2 else random_walk(rng)
        host.tell(position_of(words), rng.choice(["go infinite", "go movetime 60000"]))
        if rng.random() < 0.5:
            host.until("info depth")
        if rng.random() < 0.3:
            host.tell("uginewgame")
        host.tell(position_of(shorter), rng.choice(["go", "go nodes 50", "go depth 1"]))
        for each in (words, shorter):
            game = Game(start_position(BOARD))
            for word in each:
                game.play(word)
            game.play(host.bestmove())
        host.tell("isready")
        while (line := host.until("")) != "readyok":
            assert not line.startswith("bestmove")
    assert host.lines.empty()


def position_of(words: list[str]) -> str:
    return f"position startpos moves {' '.join(words)}" if words else "position startpos"


def test_take_backs_and_new_positions_while_it_thinks(host: Host) -> None:
    take_backs(host, 40)


@pytest.mark.slow
def test_a_thousand_take_backs_and_new_positions_while_it_thinks(host: Host) -> None:
    take_backs(host, 1_000)


# -- nonsense -------------------------------------------------------------------------------------

TEXT = """
ugi isready uginewgame setoption position go stop query name value fen startpos moves nodes depth
movetime infinite p1time p2time p1inc p2inc gameover p1turn result Level Board Rules Native Seed
standard egressian ahumm true false 0 1 5 10 -3 9999 c3d4 c4d5 end pass +a3 +a3=4 e5e6 0000 l d 3/0
3/3 - 20/20/0/1 \x00 \xe9 \U0001f600 5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 [[[[[[[[[[[[[[[[[[[[[ {}
"""
WORDS = [*TEXT.split(), "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -", '"name = \\"x\\""']
GOOD = [
    "position startpos",
    "position startpos moves c3d4",
    "position fen 5/6/fSff3/1F1sF3/1S1F5/1s1F1f2/1F5/1F4/5 l 6/0 0/2 -",
    "setoption name Level value 1",
    "go nodes 20",
    "go depth 1",
    "go infinite",
    "stop",
]


def nonsense(rng: random.Random) -> bytes:
    kind = rng.random()
    if kind < 0.35:
        return rng.choice(GOOD).encode()
    if kind < 0.9:
        return " ".join(rng.choices(WORDS, k=rng.randint(1, 9))).encode()
    if kind < 0.997:
        return rng.randbytes(rng.randint(0, 60)).replace(b"\n", b"")
    return b"go " * (MAX_LINE // 2)


def fuzz(lines: int, seed: int) -> None:
    """Every `go` has one bestmove, whatever comes in between, and it ends at the end of input."""
    rng = random.Random(seed)
    sent = []
    for _ in range(lines):
        line = nonsense(rng)
        if line.split()[:1] in ([b"quit"],):
            continue
        # A think without an end of its own is ended by the next line that matters.
        if line.startswith(b"go") and b"nodes" not in line and b"depth" not in line:
            sent += [line, b"stop"]
        else:
            sent.append(line)
    heard: list[str] = []
    program = Program(Ugi("Sorcel", "x"), heard.append)
    program.run(io.BytesIO(b"\n".join([*sent, b"isready"]) + b"\n"))
    kinds = Counter(line.split()[0] for line in heard)
    assert kinds.keys() <= {"id", "option", "ugiok", "readyok", "response", "info", "bestmove"}
    assert all("\n" not in line for line in heard)
    assert kinds["bestmove"] == sum(is_go(line) for line in sent)
    assert heard[-1] == "readyok" or "bestmove" in heard[-1]


def is_go(raw: bytes) -> bool:
    """Whether a line asks for a think, as the engine reads it."""
    if len(raw) + 1 > MAX_LINE:
        return False
    text = "".join(c for c in raw.decode("utf-8", "replace") if c.isprintable() or c == "\t")
    return text.split()[:1] == ["go"]


def test_nonsense() -> None:
    fuzz(1_500, 1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_fifty_thousand_lines_of_nonsense(seed: int) -> None:
    fuzz(10_000, 10 + seed)
