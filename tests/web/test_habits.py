"""What the hands of everybody who plays on screens do, beside clicks and drags."""

from pathlib import Path
from urllib.parse import quote

import pytest

from sorcel_pi import Game, parse_position
from sorcel_pi.table.commands import NewGame
from tests.web.browser import Person, Sit
from tests.web.positions import CHAIN
from tests.web.table import Table
from tests.web.test_quick_hands import played, stands


@pytest.fixture(name="quick")
def _quick() -> bool:
    return True


def shown(person: Person) -> str:
    """Return where the pieces are drawn."""
    return str(
        person.page.locator("#table .pieces .piece").evaluate_all(
            "all => all.map(each => each.className.baseVal + each.style.transform).sort()"
        )
    )


def push(table: Table, person: Person) -> None:
    person.page.mouse.click(*person.spot("d5"))
    person.page.mouse.click(*person.spot("e6"))
    table.until(lambda: played(table) == ["d5e6"] and stands(table))
    person.sees("1 step left")


def test_looking_back_touches_nothing(table: Table, sit: Sit, shots: Path) -> None:
    table.begin(CHAIN)
    person = sit()
    before = shown(person)
    push(table, person)
    after = shown(person)
    person.page.keyboard.press("ArrowLeft")
    person.sees("after action 0 of 1")
    person.page.wait_for_timeout(300)
    assert len(before) == len(shown(person))
    person.shot(shots, "look-back")
    person.page.mouse.click(*person.spot("c3"))  # the board takes no hands meanwhile
    assert table.screen_board.choice is None
    person.page.keyboard.press("ArrowRight")
    person.sees("1 step left")
    person.until(lambda: shown(person) == after)
    person.page.mouse.move(*person.spot("e5"))
    person.page.mouse.wheel(0, -100)
    person.sees("after action 0 of 1")
    person.page.click("#look-live")
    person.sees("1 step left")


def test_the_log_tells_what_came_of_an_action_and_leads_back_to_it(
    table: Table, sit: Sit, shots: Path
) -> None:
    table.begin(CHAIN)
    person = sit()
    push(table, person)
    person.page.mouse.click(*person.spot("e6"))
    person.page.mouse.click(*person.spot("f6"))
    table.until(lambda: len(played(table)) == 2 and stands(table))
    assert not person.page.locator("#log .came").first.is_visible()
    person.page.click("#log summary")
    assert "pushed from g6 to h6" in person.page.inner_text("#log")
    person.shot(shots, "log")
    person.page.click("#log .look")
    person.sees("after action 1 of 2")
    person.page.keyboard.press("Escape")
    person.until(lambda: "after action" not in person.words)


def test_the_last_action_is_marked(table: Table, sit: Sit) -> None:
    table.begin(CHAIN)
    person = sit()
    assert person.page.locator("#table .trace").count() == 0
    push(table, person)
    assert person.page.locator("#table line.trace").count() == 3  # the step and two pushes


def test_the_name_of_a_space_can_be_typed(table: Table, sit: Sit) -> None:
    person = sit()
    person.page.locator("#table [data-spot='0']").focus()
    for key in "c4":
        person.page.keyboard.press(key)
    c4 = str(table.game.start.board.grid.number("c4"))
    assert person.page.evaluate("document.activeElement.dataset.spot") == c4
    person.page.keyboard.press("Enter")
    person.until(lambda: person.page.locator("#table .target").count() > 0)
    for key in "d4":
        person.page.keyboard.press(key)
    person.page.keyboard.press("Enter")
    table.until(lambda: played(table) == ["c4d4"])


def test_a_question_mark_shows_the_keys(table: Table, sit: Sit, shots: Path) -> None:
    person = sit()
    person.page.keyboard.press("?")
    person.until(lambda: "Keys on the board" in person.page.inner_text("#dialog"))
    person.shot(shots, "keys")


def test_spaces_that_words_name_glow(table: Table, sit: Sit) -> None:
    person = sit()
    person.page.mouse.click(*person.spot("c4"))
    person.sees("from c4")
    person.until(lambda: person.page.locator("#table .named-space").count() == 1)


def test_letters_and_numbers_stand_on_the_rim(table: Table, sit: Sit) -> None:
    person = sit()
    texts = person.page.locator("#table .edges text").all_text_contents()
    assert sorted(texts) == sorted([*"abcdefghi", *"123456789"])


def test_what_was_looked_back_at_is_of_the_game_that_is_played(table: Table, sit: Sit) -> None:
    table.begin(CHAIN)
    person = sit()
    push(table, person)
    person.page.keyboard.press(",")
    person.sees("after action 0 of 1")
    game = Game(parse_position(CHAIN))
    table.run(lambda app: app.carry_out(NewGame(game)))
    person.until(lambda: "after action" not in person.words)


def test_a_position_has_a_code_a_link_and_pictures(table: Table, sit: Sit, shots: Path) -> None:
    table.begin(CHAIN)
    person = sit()
    person.page.evaluate("document.getElementById('more').open = true")
    person.page.click("#position")
    person.page.wait_for_selector("#position-code")
    assert person.page.input_value("#position-code") == CHAIN
    person.shot(shots, "position")
    with person.page.expect_download() as download:
        person.page.click("#position-png")
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    svg = table.ask("/position.svg?code=" + quote(CHAIN))
    assert svg.status == 200
    assert b"<svg" in svg.body
    onlooker = sit(code=False)
    onlooker.page.goto(f"{onlooker.url}rules-en.html")
    onlooker.page.goto(f"{onlooker.url}#position={quote(CHAIN)}")
    onlooker.page.wait_for_selector("#position-code")
    for wrong in ("", "x" * 5000, "5/5 l 1/1 1/1 -"):
        assert table.ask("/position.svg?code=" + quote(wrong)).status == 404


def test_sounds_are_heard_and_one_click_stops_them(table: Table, sit: Sit) -> None:
    table.begin(CHAIN)
    person = sit()
    person.page.evaluate(
        """() => {
            window.tones = 0;
            const start = OscillatorNode.prototype.start;
            OscillatorNode.prototype.start = function (...at) {
                window.tones += 1;
                return start.apply(this, at);
            };
        }"""
    )
    push(table, person)
    heard = person.page.evaluate("window.tones")
    assert heard >= 6  # a lift, a landing, two pushes of two tones
    person.page.click("#sound")
    person.page.click("#take-back")
    table.until(lambda: not played(table) and stands(table))
    push(table, person)
    assert person.page.evaluate("window.tones") == heard
