"""Quick play in a real browser: clicks as fast as a script can, and what is told of pushes."""

from pathlib import Path

import pytest

from sorcel_pi import EndTurn, Placement, Step, format_action
from sorcel_pi.rules.board import standard_board
from tests.web.browser import PHONE, Person, Sit
from tests.web.positions import CHAIN, SIX, WINS
from tests.web.table import Table
from tests.web.test_page import take_the_lesson
from tests.web.test_quick_hands import played, script, stands

CLICK_MS = 60


@pytest.fixture(name="quick")
def _quick() -> bool:
    return True


def tray(person: Person, side: int) -> tuple[float, float]:
    """Return where a Shif of a side lies beside the board, as the page draws it now."""
    kind = "light" if side == 0 else "dark"
    box = person.page.locator(f"#table .pieces .piece.{kind}.shif").evaluate_all(
        """(all, side) => all.map(each => each.getBoundingClientRect())
            .map(r => [r.x + r.width / 2, r.y + r.height / 2])
            .sort((a, b) => side ? a[1] - b[1] : b[1] - a[1])[0]""",
        side,
    )
    return box[0], box[1]


def check_clicks(table: Table, person: Person, seed: int, length: int) -> None:
    """Click a whole game, one click each 60 ms, looking at nothing."""
    actions = script(seed, length)
    spots = [person.spot(space) for space in range(standard_board().grid.n)]
    for action, side in actions:
        if isinstance(action, Step):
            clicks = [spots[action.origin], spots[action.target]]
        elif isinstance(action, Placement):
            clicks = [tray(person, side), spots[action.space]]
        else:
            assert isinstance(action, EndTurn)
            person.page.click("#end-turn", no_wait_after=True)
            clicks = []
        for x, y in clicks:
            person.page.mouse.click(x, y)
            person.page.wait_for_timeout(CLICK_MS)
    wanted = [format_action(standard_board(), action) for action, _ in actions]
    table.until(lambda: len(played(table)) >= len(wanted))
    assert played(table) == wanted
    table.until(lambda: stands(table))


def test_a_game_clicked_as_fast_as_a_script_can(table: Table, sit: Sit) -> None:
    check_clicks(table, sit(), 1, 30)


def test_the_lesson_is_quick_at_first_and_then_as_on_wood(
    table: Table, sit: Sit, shots: Path
) -> None:
    take_the_lesson(table, sit(first=True), shots)
    assert table.screen_board.quick


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_twenty_games_clicked_as_fast_as_a_script_can(table: Table, sit: Sit, seed: int) -> None:
    check_clicks(table, sit(), 100 + seed, 50)


def listen(person: Person) -> None:
    """Keep all that the words above the board say from now on, however short it stands there."""
    person.page.evaluate(
        """() => {
            const words = document.getElementById("words");
            window.said = [];
            new MutationObserver(() => window.said.push(words.textContent))
                .observe(words, { childList: true, characterData: true, subtree: true });
        }"""
    )


def hears(person: Person, words: str) -> int:
    """Wait until something was said that contains these words; return when in the order it was."""
    found: list[int] = []

    def heard() -> bool:
        said = person.page.evaluate("window.said")
        found[:] = [k for k, text in enumerate(said) if words in text]
        return bool(found)

    person.until(heard, words)
    return found[0]


def test_a_push_is_told_with_its_cause_and_can_be_skipped(
    table: Table, sit: Sit, shots: Path
) -> None:
    table.begin(CHAIN)
    person = sit()
    person.page.mouse.click(*person.spot("d5"))
    person.until(lambda: person.page.locator("#table .target").count() > 0)
    person.shot(shots, "quick-targets")
    listen(person)
    person.page.mouse.click(*person.spot("e6"))
    first = hears(person, "pushed from g6 to h6 – by Light")
    person.shot(shots, "quick-push")
    assert hears(person, "pushed from f6 to g6") > first
    person.sees("1 step left")
    assert played(table) == ["d5e6"]
    person.page.click("#take-back")
    table.until(lambda: not played(table) and stands(table))
    person.sees("2 steps")
    listen(person)
    person.page.mouse.click(*person.spot("d5"))
    person.page.mouse.click(*person.spot("e6"))
    hears(person, "pushed from")
    person.page.mouse.click(*person.spot("a1"))  # skips what is told
    person.sees("1 step left")


def test_a_cascade_of_six_is_told_in_the_order_of_the_rules(
    table: Table, sit: Sit, shots: Path
) -> None:
    table.begin(SIX)
    person = sit()
    listen(person)
    person.page.mouse.click(*person.spot("a3"))
    person.page.mouse.click(*person.spot("a2"))
    told = [
        "Light’s Sentinel: pushed from c4 to d5 – by Dark’s Sentinel on a2",
        "Light’s Shif: pushed from b3 to c4 – by Dark’s Sentinel on a2",
        "Dark’s Shif: pushed from a4 off the board – by Light’s Shif on c4",
        "Dark’s Shif: pushed from b4 to a4 – by Light’s Shif on c4",
        "Dark’s Shif: pushed from d4 to e4 – by Light’s Shif on c4",
        "Dark’s Shif on e4: no longer connected, off the board",
    ]
    places = [hears(person, words) for words in told]
    assert places == sorted(places)
    person.shot(shots, "quick-six")
    table.until(lambda: played(table) == ["a3a2"] and stands(table))


def test_the_push_that_wins_is_seen_before_it_is_said_who_has_won(
    table: Table, sit: Sit, shots: Path
) -> None:
    table.begin(WINS)
    person = sit()
    listen(person)
    person.page.mouse.click(*person.spot("f5"))
    person.page.mouse.click(*person.spot("f6"))
    pushed = hears(person, "into d6")
    person.shot(shots, "quick-win")
    assert hears(person, "Light has won") > pushed
    table.until(lambda: stands(table))


def drag(person: Person, origin: str, target: str, *, drop: bool) -> None:
    person.page.mouse.move(*person.spot(origin))
    person.page.mouse.down()
    person.page.mouse.move(*person.spot(target), steps=8)
    if drop:
        person.page.mouse.up()


def test_a_drag_is_an_action_when_the_button_is_released(table: Table, sit: Sit) -> None:
    person = sit()
    drag(person, "c4", "d4", drop=False)
    person.page.wait_for_timeout(700)
    assert not table.game.actions
    person.page.mouse.up()
    table.until(lambda: played(table) == ["c4d4"])


@pytest.mark.parametrize("how", ["escape", "right click", "origin", "tab closed"])
def test_a_drag_that_is_given_up_is_none(table: Table, sit: Sit, how: str) -> None:
    person = sit()
    drag(person, "c4", "d4", drop=False)
    table.until(lambda: not stands(table))
    if how == "escape":
        person.page.locator("#table .board").evaluate(
            "board => board.querySelector('[tabindex=\"0\"]').focus()"
        )
        person.page.keyboard.press("Escape")
        person.page.mouse.up()
    elif how == "right click":
        person.page.locator("#table .board").dispatch_event("contextmenu")
        person.page.mouse.up()
    elif how == "origin":
        person.page.mouse.move(*person.spot("c4"), steps=4)
        person.page.mouse.up()
    else:
        person.page.close()
    table.until(lambda: stands(table))
    table.run(lambda app: None)
    assert not table.game.actions


def test_the_keyboard_reaches_every_spot_and_plays(table: Table, sit: Sit) -> None:
    person = sit()
    spots = person.page.locator("#table .spot")
    c4 = table.game.start.board.grid.number("c4")
    person.page.locator(f'#table [data-spot="{c4}"]').focus()
    person.page.keyboard.press("Enter")
    person.until(lambda: person.page.locator("#table .target").count() > 0)
    person.page.keyboard.press("ArrowUp")
    person.page.keyboard.press("Enter")
    table.until(lambda: len(played(table)) == 1)
    assert spots.count() > standard_board().grid.n


def test_the_way_of_playing_is_changed_by_a_click_and_kept(table: Table, sit: Sit) -> None:
    person = sit(size=PHONE)
    person.page.click("#quick")
    person.until(lambda: not table.screen_board.quick)
    person.until(lambda: person.page.get_attribute("#quick", "aria-pressed") == "false")
    person.page.click("#quick")
    table.until(lambda: table.screen_board.quick)
