"""What the page says: the same sentences in every language, and the one that fits."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sorcel_pi import Game, Placement, Position, Step, legal_actions, parse_position
from sorcel_pi.host.power import TOLD
from sorcel_pi.rules.actions import Reason, why_not
from sorcel_pi.table.companion import Companion
from sorcel_pi.table.lights.frame import FrameMaker
from sorcel_pi.table.relocation import Relocation
from sorcel_pi.table.view import Held, Mode, Trouble, View
from sorcel_pi.web.instructions import why, words_for
from sorcel_pi.web.lesson import STEPS, TAKE_BACK, Lesson
from tests.web.positions import AHUMM, START

PACKAGE = Path(__file__).parents[2] / "sorcel_pi"
STATIC = PACKAGE / "web/static"
TEXTS: dict[str, dict[str, Any]] = json.loads(
    (PACKAGE / "messages/texts.json").read_text(encoding="utf-8")
)


def gaps(text: Any) -> set[str]:
    """Return the gaps of a text, or of its forms for one and many together."""
    return set(re.findall(r"\{(\w+)\}", json.dumps(text)))


def test_all_languages_have_the_same_texts_with_the_same_gaps() -> None:
    english = TEXTS["en"]
    for language, texts in TEXTS.items():
        assert texts.keys() == english.keys(), language
        for key, text in texts.items():
            assert gaps(text) == gaps(english[key]), (language, key)
            assert isinstance(text, dict) == isinstance(english[key], dict), (language, key)


def test_every_text_that_is_asked_for_is_there() -> None:
    asked = set()
    for file in STATIC.glob("*.js"):
        source = file.read_text(encoding="utf-8")
        asked |= set(re.findall(r"\bt\(\"([\w.]+)\"", source))
        asked |= {f"tip.{name}" for name in re.findall(r"\btip\(\"([\w.]+)\"", source)}
    asked |= set(re.findall(r"data-t=\"([\w.]+)\"", (STATIC / "index.html").read_text("utf-8")))
    words = (PACKAGE / "web/instructions.py").read_text(encoding="utf-8")
    asked |= set(re.findall(r"message\(\s*\"([\w.]+)\"", words))
    asked |= set(re.findall(r"\"(why\.\w+)\"", words))
    for step in STEPS:
        asked |= {f"lesson.{step.name}", f"lesson.{step.name}.title"}
    for reason in Reason:
        drawn = reason in (Reason.BLOCKED, Reason.REPETITION, Reason.AGREEMENT)
        asked.add(f"over.draw.{reason}" if drawn else f"over.{reason}")
    assert len(asked) > 100
    assert asked - TEXTS["en"].keys() == set()


def test_what_is_amiss_has_its_text() -> None:
    assert {f"warnings.{name}" for name, _ in TOLD} | {"warnings.store"} <= TEXTS["en"].keys()


@pytest.mark.parametrize("code", [START, AHUMM])
def test_whatever_the_rules_refuse_is_said_why(code: str) -> None:
    random = Random(1)
    position = parse_position(code)
    for _ in range(60):
        legal = list(legal_actions(position))
        if not legal:
            return
        n = position.board.grid.n
        tries: list[Step | Placement] = [
            Step(random.randrange(n), random.randrange(n)) for _ in range(100)
        ]
        tries += [Placement(random.randrange(n)) for _ in range(30)]
        for action in tries:
            reason, said = why_not(position, action), why(position, action)
            assert (reason is None) == (said is None), reason
            if said is not None:
                assert gaps(TEXTS["en"][said.key]) <= said.gaps.keys()
        game = Game(position)
        game.play(random.choice(legal))
        position = game.position


def view_of(code: str, **changes: Any) -> View:
    position = parse_position(code)
    made = {"mode": Mode.PLAY, "standing": dict(position.placed()), **changes}
    return View(position, **made)


def number(name: str) -> int:
    return parse_position(START).board.grid.number(name)


def piece(name: str) -> Any:
    return parse_position(START).piece_at(number(name))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"spots": 1}, "Light: 3 steps, or place a Shif beside a Sentinel."),
        ({}, "Light: 3 steps."),
        ({"trouble": Trouble.LINE}, "The board cannot be read just now."),
        (
            {"next": Relocation(piece("g5"), number("g5"), number("f5"))},
            "Dark’s Shif: move it from g5 to f5.",
        ),
        (
            {"next": Relocation(piece("g5"), number("g5"), number("f4"))},
            "Dark’s Shif: move it from g5 into the hole f4.",
        ),
        (
            {"next": Relocation(piece("g5"), number("g5"), None)},
            "Dark’s Shif: take it from g5 off the board.",
        ),
        (
            {"next": Relocation(piece("g5"), None, number("f5"), held=True)},
            "Dark’s Shif is in the hand: put it on f5.",
        ),
        ({"wrong": (number("e4"), number("f5"))}, "unknown piece on e4 belongs on f5."),
        (
            {"wrong": (number("e4"), None)},
            "The piece on e4 does not belong there: take it off the board.",
        ),
        (
            {"lifted": number("c3"), "hand": (Held(piece("c3"), number("c3")),)},
            "Light’s Shif from c3: put it down on a lit hex, or back.",
        ),
        (
            {"hand": (Held(piece("g5"), number("g5")),)},
            "Dark’s Shif cannot step now: put it back on g5.",
        ),
        (
            {"mode": Mode.SETUP, "missing": ((number("c3"), piece("c3")),)},
            "Setting up: Light’s Shif on c3; it is the last.",
        ),
        ({"mode": Mode.ASK, "candidates": (1, 2)}, "Which one was meant? Choose its space."),
    ],
)
def test_the_words_say_what_the_lights_say(changes: dict[str, Any], words: str) -> None:
    key, filled = words_for(view_of(START, **changes))[0]
    text = TEXTS["en"][key]
    if isinstance(text, dict):
        text = text["one" if filled.get("n") == 1 else "other"]
    for name, value in filled.items():
        if name in ("kind", "side"):
            value = TEXTS["en"][f"{name}.{value}"]
        text = text.replace(f"{{{name}}}", str(value))
    assert text == words


def test_an_end_says_who_and_why() -> None:
    game = Game(parse_position(AHUMM))
    game.resign(game.position.side)
    ended = words_for(view_of(AHUMM, mode=Mode.OVER, outcome=game.outcome))[0]
    assert ended == ("over.resignation", {"side": 1})


def test_the_lesson_shows_what_it_says() -> None:
    shown = {}
    for step in STEPS:
        game = Game(parse_position(step.code))
        if step.action == TAKE_BACK:
            continue
        cascade = game.play(step.action)
        shown[step.name] = [str(each.event) for each in cascade.consequences]
        assert (game.outcome is not None) == (step.name == "win")
    assert shown == {
        "move": [],
        "push": ["push"],
        "chain": ["push", "push"],
        "detain": ["detain"],
        "release": ["release", "detain"],
        "proximity": ["push", "stray"],
        "place": [],
        "stop_early": [],
        "win": ["detain", "stray"],
    }
    lesson = Lesson()
    assert [lesson.go("next") for _ in STEPS] == [True] * 9 + [False]
    assert lesson.go("push") and lesson.number == 1


def test_a_position_that_is_seen_is_a_view() -> None:
    position: Position = parse_position(START)
    companion = Companion(Game(position), FrameMaker(position.board))
    assert words_for(companion.view(0.0))[0].key == "setup.place"
