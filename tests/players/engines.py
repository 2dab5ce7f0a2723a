"""Engines that misbehave, for tests: `python engines.py KIND`."""

import sys
import time
from pathlib import Path

HERE = str(Path(__file__))


def command(kind: str) -> tuple[str, ...]:
    return sys.executable, HERE, kind


def say(*words: str) -> None:
    sys.stdout.write(" ".join(words) + "\n")
    sys.stdout.flush()


def main(kind: str) -> None:
    """Speak UGI as far as the kind does."""
    if kind == "dead":
        return
    for line in sys.stdin:
        first = line.split()[0] if line.split() else ""
        if first == "ugi":
            say("ugiok")
        elif first == "isready":
            say("readyok")
        elif first == "quit" or (first == "go" and kind == "dies"):
            return
        elif first == "go" and kind == "silent":
            pass
        elif first == "go" and kind == "deaf":
            time.sleep(3600)
        elif first == "go" and kind == "nonsense":
            say("bestmove", "z9z9")
        elif first == "go" and kind == "illegal":
            say("bestmove", "a1a2")
        elif first == "go" and kind == "wordy":
            say("bestmove", "end", "end")
        elif first == "go" and kind == "floods":
            for k in range(200_000):
                say("info string", str(k))
            sys.stderr.write("x" * 1_000_000)
            say("bestmove", "c4d5")


if __name__ == "__main__":
    main(sys.argv[1])
