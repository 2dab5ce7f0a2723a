"""`sorcel rules`: all vectors, and whatever else may come down the pipe."""

import json
import time
from pathlib import Path

import pytest

from sorcel_pi.commands.rules import MAX_LINE, answer

from . import AHUMM, SMALL, SMALL_BOARD, START, TESTS, WON, good, process, sorcel


def vectors() -> bytes:
    """Return the lines of both files of vectors."""
    names = ("egressian.jsonl", "ahumm.jsonl")
    return b"".join(path.read_bytes() for name in names for path in TESTS.rglob(name))


def ask(**request: object) -> dict[str, object]:
    """Return the answer to one request."""
    return answer(json.dumps(request).encode())


def lines_of(*requests: str | bytes | dict[str, object]) -> list[dict[str, object]]:
    """Return the answers to all requests, asked through standard input."""
    encoded = (json.dumps(each) if isinstance(each, dict) else each for each in requests)
    stdin = b"\n".join(each.encode() if isinstance(each, str) else each for each in encoded)
    return [json.loads(line) for line in good("rules", stdin=stdin).splitlines()]


def test_all_vectors_in_a_process_of_its_own() -> None:
    running = process("rules")
    told, complaints = running.communicate(vectors(), timeout=60)
    assert (running.returncode, complaints) == (0, b"")
    assert told.splitlines() == vectors().splitlines()
    assert len(told.splitlines()) == 751


def test_the_vectors_take_well_under_a_second() -> None:
    lines = vectors().splitlines()
    assert len(lines) == 751
    times = []
    for _ in range(3):
        began = time.perf_counter()
        for line in lines:
            answer(line)
        times.append(time.perf_counter() - began)
    assert min(times) < 2  # a fifth of a second on a PC; this may be a busy small machine


def test_it_answers_each_line_before_the_next_is_written() -> None:
    running = process("rules")
    assert running.stdin is not None
    assert running.stdout is not None
    for action in ("c3d4", "+b2"):
        running.stdin.write(
            b'{"before": "%s", "action": "%s"}\n' % (START.encode(), action.encode())
        )
        running.stdin.flush()
        assert json.loads(running.stdout.readline())["action"] == action
    running.communicate(timeout=60)
    assert running.returncode == 0


def test_bad_lines_are_answered_and_do_not_stop_it() -> None:
    good_one: dict[str, object] = {"before": START, "action": "c3d4"}
    answers = lines_of(
        "no json", good_one, "", "  \t", "[1]", '"text"', "null", "{}", b"\xff\xfe{}", "NaN",
        '{"before": 1, "action": "c3d4"}', '{"before": "x"}', '{"before": null, "action": []}',
        "[" * 100_000, '{"before": "' + "x" * MAX_LINE + '"}', "1" * 5000, '"\\ud800"', good_one,
    )  # fmt: skip
    kinds = [each.get("kind") for each in answers]
    assert kinds == ["request", None, *["request"] * 13, None]
    errors = [each.get("error") for each in answers]
    assert "not JSON" in str(errors[0])
    assert "not an object" in str(errors[2])
    assert errors[5] == '"before": it is missing'
    assert "not UTF-8" in str(errors[6])
    assert errors[8] == "\"before\": '1' is not a text"
    assert errors[9] == '"action": it is missing'
    assert "nested too deeply" in str(errors[11])
    assert errors[12] == f"the line is longer than {MAX_LINE} bytes"


def test_a_last_line_that_is_too_long_and_has_no_end() -> None:
    told = good("rules", stdin=b"x" * (3 * MAX_LINE))
    assert json.loads(told) == {
        "error": f"the line is longer than {MAX_LINE} bytes",
        "kind": "request",
    }


def test_windows_lines_a_byte_order_mark_and_no_last_end_of_line() -> None:
    line = json.dumps({"before": START, "action": "c3d4"}).encode()
    told = good("rules", stdin=b"\xef\xbb\xbf" + line + b"\r\n\r\n" + line)
    assert [json.loads(each)["action"] for each in told.splitlines()] == ["c3d4", "c3d4"]


def test_nothing_in_nothing_out() -> None:
    assert good("rules", stdin="") == ""


@pytest.mark.parametrize(
    ("before", "action", "kind", "words"),
    [
        ("x", "c3d4", "notation", "expected five fields"),
        (START, "c3", "notation", "expected a step"),
        (START, "c3c9", "notation", "'c9' is not a space"),
        (START, "c3\ud800", "notation", "expected a step"),
        (START.replace("3/3", "4/3"), "c3d4", "impossible", "reserves"),
        (START, "c3e5", "illegal", "e5 is not next to c3"),
        (START, "end", "illegal", "only after a step"),
        (WON, "b3b2", "illegal", "the game is over (light, sentinels)"),
    ],
)
def test_errors_name_their_kind(before: str, action: str, kind: str, words: str) -> None:
    told = ask(before=before, action=action)
    assert set(told) == {"error", "kind"}
    assert told["kind"] == kind
    assert words in str(told["error"])


def test_what_else_an_object_holds_does_not_matter() -> None:
    assert ask(before=START, action="c3d4", id=7, rules=None, board=None)["action"] == "c3d4"


@pytest.mark.parametrize(
    "rules",
    ["ahumm", "ahumm stake=2", "stake=2", {"name": "ahumm"}, {"stake": 2}, {}, "", None],
)
def test_a_code_with_purses_is_ahumm_whatever_else_is_said(rules: object) -> None:
    assert str(ask(before=AHUMM, action="+b2", rules=rules)["after"]).endswith(" 19/20/1/1")


def test_house_rules() -> None:
    seven = START.replace("3/3", "4/4")
    for rules in ("shifs=7", "egressian shifs=7", {"shifs": 7}, {"name": "egressian", "shifs": 7}):
        assert ask(before=seven, action="c3d4", rules=rules)["winner"] is None
    assert ask(before=seven, action="c3d4")["kind"] == "impossible"
    assert ask(before=AHUMM, action="c3d4", rules="egressian")["kind"] == "impossible"
    late = "5/2ss2/2fff2/8/9/3F4/3FF2/2SS2/5 l 2/1 3/3 -"
    assert ask(before=late, action="end")["winner"] is None
    assert ask(before=late, action="end", rules={"early_end": False})["kind"] == "illegal"


@pytest.mark.parametrize(
    ("rules", "kind"),
    [
        (5, "request"),
        ([], "request"),
        (True, "request"),
        ("chess", "notation"),
        ("shifs=x", "notation"),
        ("shifs", "notation"),
        ({"shifs": "x"}, "notation"),
        ({"colour": 1}, "notation"),
        ({"name": 3}, "notation"),
    ],
)
def test_rules_that_cannot_be_understood(rules: object, kind: str) -> None:
    assert ask(before=START, action="c3d4", rules=rules)["kind"] == kind


def test_a_board_file(tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(SMALL_BOARD, encoding="utf-8")
    told = ask(before=SMALL, action="a2a3", board=str(path))
    assert told["after"] == "1fs/4/5/4/S1F d 1/0 5/5 -"
    assert told["legal"] == ["+b1", "+b2", "a1b1", "a1b2", "a2a3", "a2b2", "a2b3"]
    assert ask(before=SMALL, action="a2a3")["kind"] == "notation"
    assert ask(before=SMALL, action="a2a3", board=7)["kind"] == "request"
    assert ask(before=SMALL, action="a2a3", board=str(tmp_path))["kind"] == "notation"
    assert ask(before=SMALL, action="a2a3", board="a\0b")["kind"] == "notation"
    path.write_text("side = 3", encoding="utf-8")
    assert ask(before=SMALL, action="a2a3", board=str(path))["kind"] == "notation"


def test_a_fault_of_the_program_is_an_answer_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sorcel_pi.commands.rules.resolve", lambda *_: 1 / 0)
    assert ask(before=START, action="c3d4") == {
        "error": "unexpected ZeroDivisionError: division by zero",
        "kind": "other",
    }


def test_it_takes_no_arguments() -> None:
    assert sorcel("rules", "x").exit_code == 2
