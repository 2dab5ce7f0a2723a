"""Whatever is typed: a result or one of the three errors, and nothing else."""

import random
from collections.abc import Callable
from contextlib import suppress

import pytest

from sorcel_pi import (
    AHUMM,
    Game,
    IllegalActionError,
    ImpossiblePositionError,
    NotationError,
    Position,
    board_from_text,
    format_action,
    format_board,
    format_position,
    outcome,
    parse_action,
    parse_position,
    parse_record,
    play,
    resolve_all,
    rule_set_from_text,
    standard_board,
    start_position,
)
from sorcel_pi.rules.board import MAX_FILE

from .kit import DENSE, VECTORS, playout, vector_rows

THREE_ERRORS = (NotationError, IllegalActionError, ImpossiblePositionError)
ODD = "²٣９߀½Ⅷ\0\x1b\x85\u2028\u202e\ud800\U0001f41d\ufeffİß\t\r\n \"'\\[]{}=+-/.,#"
PLAIN = "0123456789abcdefghilorsSFfld/+= -"
BOARD = standard_board()


def code_and_all_its_actions(text: str) -> None:
    position = parse_position(text)
    assert format_position(position) == text
    assert (outcome(position) is None) == bool(resolve_all(position))


def action_in_a_position(text: str) -> None:
    action = parse_action(BOARD, text)
    assert parse_action(BOARD, format_action(BOARD, action)) == action
    for position in POSITIONS:
        with suppress(IllegalActionError):
            play(position, action)


def record(text: str) -> None:
    game = parse_record(text)
    assert parse_record(game.record()).actions == game.actions


def board_file(text: str) -> None:
    board = board_from_text(text)
    assert board_from_text(format_board(board)) == board
    start_position(board, rule_set_from_text("shifs=99"))


def rule_set(text: str) -> None:
    rules = rule_set_from_text(text)
    assert rule_set_from_text(str(rules)) == rules


def some_record(seed: int) -> str:
    start = start_position(BOARD, (AHUMM, rule_set_from_text("repetition=yes"))[seed % 2])
    game = Game(start, {"Light": 'Ann "the pusher"'})
    for cascade in playout(start, seed, length=8):
        game.play(cascade.action)
    if seed % 3 == 0:
        game.agree_draw()
    return game.record()


ROWS = [row for name in VECTORS for row in vector_rows(name)[::9]]
POSITIONS: list[Position] = [parse_position(code) for code in list(DENSE)[:2]]

# What is read, the share of it among all cases in per cent, and texts to begin from.
KINDS: dict[str, tuple[Callable[[str], None], int, list[str]]] = {
    "code": (code_and_all_its_actions, 40, [row["before"] for row in ROWS] + list(DENSE)),
    "action": (action_in_a_position, 32, [*(row["action"] for row in ROWS), "+c4=3", "end"]),
    "rules": (rule_set, 16, ["ahumm shifs=7 stake=2 early_end=no", "egressian detained=8"]),
    "board": (
        board_file,
        6,
        [format_board(BOARD), 'name="x"\nside=3\ndetaining=[]\n[start]\ndark="half turn"\n'],
    ),
    "record": (record, 6, [some_record(seed) for seed in range(12)]),
}


def mutated(text: str, rng: random.Random, others: list[str]) -> str:
    """Return `text` with one to four accidents."""
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(text) + 1)
        end = min(len(text), place + rng.choice((0, 1, 1, 1, 2, 9)))
        match rng.randrange(8):
            case 0:
                text = text[:place] + text[end:]
            case 1 | 2 | 3:
                text = text[:place] + rng.choice(PLAIN) + text[end:]
            case 4:
                text = text[:place] + rng.choice(ODD) + text[end:]
            case 5:
                text = text[:place] + 2 * text[place:end] + text[end:]
            case 6:
                other = rng.choice(others)
                text = text[:place] + other[rng.randrange(len(other)) :][:20] + text[end:]
            case 7:
                words = text.split(" ")
                rng.shuffle(words)
                text = " ".join(words)
    return text


def at_random(rng: random.Random) -> str:
    return "".join(rng.choices(PLAIN + ODD, k=rng.randint(0, 60)))


def try_out(read: Callable[[str], None], text: str) -> bool:
    """Return whether `text` was read; anything but the three errors goes through."""
    try:
        read(text)
    except THREE_ERRORS:
        return False
    return True


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("kind", KINDS)
def test_a_hundred_thousand_texts(kind: str, seed: int) -> None:
    read, share, texts = KINDS[kind]
    rng = random.Random(f"{kind} {seed}")
    cases = share * 100
    good = 0
    for number in range(cases):
        text = at_random(rng) if number % 10 == 0 else mutated(rng.choice(texts), rng, texts)
        good += try_out(read, text)
    assert 0 < good < cases


BIG = 200_000

LONG = {
    "code of letters": ("code", "F" * BIG),
    "code of rows": ("code", "/".join(["9"] * BIG) + " l 3/0 3/3 -"),
    "code of fields": ("code", " " * BIG),
    "code with a long number": ("code", f"{'9' * BIG}/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -"),
    "code with long coins": (
        "code",
        f"5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 {'9' * BIG}/1/1/1",
    ),
    "action of letters": ("action", "c3d4" * BIG),
    "action with long coins": ("action", "+c4=" + "9" * BIG),
    "action of NULs": ("action", "\0" * BIG),
    "rules of words": ("rules", "ahumm " + "x " * BIG),
    "rules with a long number": ("rules", "stake=" + "9" * BIG),
    "rules with long names": ("rules", "x" * BIG + "=" + "y" * BIG),
    "board of digits": ("board", "side = " + "9" * (MAX_FILE - 20)),
    "board of hexadecimal digits": ("board", "side = 0x" + "f" * (MAX_FILE - 20)),
    "board of arrays": ("board", "a = " + "[" * (MAX_FILE - 20)),
    "board of tables": ("board", "a = " + "{a=" * (MAX_FILE // 4)),
    "board of dots": ("board", ".".join("a" * (MAX_FILE // 4)) + " = 1"),
    "board of nested tables": (
        "board",
        'name="x"\nside=3\ndetaining=[]\nstart.' + ".".join("a" * (MAX_FILE // 8)) + " = 1",
    ),
    "board of holes": ("board", "detaining = [" + '"a1",' * (MAX_FILE // 8) + "]"),
    "board too long": ("board", "#" * BIG),
    "record of brackets": ("record", "[" * BIG),
    "record of quotes": ("record", '[Light "' + '\\"' * BIG + '"]'),
    "record of braces": ("record", some_record(0) + "{}" * BIG),
    "record of numbers": ("record", some_record(1) + "1. " * BIG),
    "record of lines": ("record", "\n" * BIG + some_record(2)),
    "record of a long game": (
        "record",
        '[Board "standard"]\n[Rules "egressian"]\n' + "b3b2 b2b3 end h7h8 h8h7 end\n" * 1_000,
    ),
}
LONG_AND_GOOD = [
    "record of braces",
    "record of numbers",
    "record of lines",
    "record of a long game",
]


@pytest.mark.parametrize("name", LONG)
def test_long_texts(name: str) -> None:
    kind, text = LONG[name]
    good = try_out(KINDS[kind][0], text)
    assert good == (name in LONG_AND_GOOD)
