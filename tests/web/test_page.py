"""The page in a real browser, at a pretended table."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from sorcel_pi import Game, Side, format_action, parse_position
from sorcel_pi.journal import ActionDone, GameEnded, GameStarted, Record
from sorcel_pi.table.companion import Command, Do
from tests.web.browser import DESKTOP, PHONE, Person, chromium
from tests.web.table import Table

START = "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -"
CHAIN = "5/6/2ff3/4s3/3S5/4Ss2/2F1F2/6/5 l 2/0 4/4 -"  # d5e6 pushes g6 to h6 and f6 to g6
AHUMM = "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 20/20/0/1"
SHORT_GAME = "c3d4 d4e4 c4d4 h6i7 h7i8 g7h7 e4f5 f5f6 f6g7"

Sit = Callable[..., Person]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as started:
        yield started


@pytest.fixture
def sit(browser: Browser, table: Table) -> Iterator[Sit]:
    """Let people open the page; in the end nobody may have met a fault."""
    people: list[Person] = []

    def sit_down(**how: Any) -> Person:
        people.append(Person(browser, table, **how))
        return people[-1]

    yield sit_down
    for person in people:
        person.close()


def test_a_whole_game_by_clicks_led_by_the_lights(table: Table, sit: Sit, tmp_path: Path) -> None:
    person = sit()
    person.shot(tmp_path, "start")
    for number, action in enumerate(SHORT_GAME.split(), 1):
        person.move(action[:2], action[2:])
        person.follow_lights()
        person.until(lambda: len(table.game.actions) == number, action)  # noqa: B023
    assert table.game.outcome is not None
    person.sees("Light has won")
    assert "f6g7" in person.page.inner_text("#log")
    person.shot(tmp_path, "won")


def test_a_push_chain(table: Table, sit: Sit, tmp_path: Path) -> None:
    table.begin(CHAIN)
    person = sit()
    person.move("d5", "e6")
    person.sees("move it from g6 to h6")
    person.shot(tmp_path, "chain")
    person.follow_lights()
    person.sees("1 step left")
    assert len(table.game.actions) == 1


def test_an_illegal_drop_and_its_way_back(table: Table, sit: Sit, tmp_path: Path) -> None:
    person = sit()
    person.move("c4", "e4")
    person.until(lambda: "e4 is not next to c4" in person.page.inner_text("#why"))
    person.shot(tmp_path, "illegal")
    person.sees("not legal: e4")
    person.sees("belongs on c4")
    # Words and lights come one behind the other.
    person.until(lambda: {person.label(space)[:2] for space in person.lit()} == {"c4", "e4"})
    person.move("e4", "c4")
    person.sees("Light: 3 steps")
    assert table.game.actions == ()


def test_an_illegal_placement_says_why(table: Table, sit: Sit) -> None:
    person = sit()
    person.place("f5", 0)
    person.until(lambda: "only beside an own Sentinel" in person.page.inner_text("#why"))


def test_ahumm_with_a_raise(table: Table, sit: Sit, tmp_path: Path) -> None:
    table.begin(AHUMM)
    person = sit()
    person.page.click("#raise")
    person.sees("Light pays 2 coins")
    person.page.click("#raise")
    person.sees("Light pays 3 coins")
    person.shot(tmp_path, "raised")
    person.place("b5", 0)
    person.sees("Dark:")
    assert "Pot 3 · Stake 3" in person.page.inner_text("#seats")
    assert "+b5=3" in person.page.inner_text("#log")
    assert table.game.position.coins == (17, 20, 3, 3)


def test_a_step_is_taken_back(table: Table, sit: Sit) -> None:
    person = sit()
    person.drag("c4", "d4")
    person.sees("2 steps left")
    person.page.click("#take-back")
    person.sees("move it from d4 to c4")
    person.follow_lights()
    person.sees("Light: 3 steps")
    assert table.game.actions == ()


def test_taking_back_turns_the_guidance_round(table: Table, sit: Sit) -> None:
    table.begin(CHAIN)
    person = sit()
    person.move("d5", "e6")
    person.sees("from g6 to h6")
    person.move("g6", "h6")
    person.page.click("#take-back")
    person.until(lambda: table.state()["mode"] == "RESTORE")
    person.follow_lights()
    person.sees("Light: 2 steps")
    assert table.mock.truth() and table.game.actions == ()


def test_the_pushed_pieces_come_first(table: Table, sit: Sit) -> None:
    table.begin(CHAIN)
    person = sit()
    person.move("d5", "e6")
    person.sees("from g6 to h6")
    person.page.evaluate("fetch('api/do', {method: 'POST', body: '{\"do\": \"end_turn\"}'})")
    person.until(lambda: "pushed pieces come first" in person.page.inner_text("#toast"))
    person.page.click("#more summary")
    person.page.click("#draw")
    person.page.click("#dialog .main")
    person.page.wait_for_timeout(300)
    assert table.game.outcome is None
    person.follow_lights()
    assert len(table.game.actions) == 1


def test_reload_in_the_middle_of_a_cascade(table: Table, sit: Sit) -> None:
    table.begin(CHAIN)
    person = sit()
    person.move("d5", "e6")
    person.sees("from g6 to h6")
    person.click("g6")
    person.page.reload()
    person.page.wait_for_selector("#take-back")
    person.sees("from g6 to h6")
    person.follow_lights()
    person.sees("1 step left")


def test_two_browsers_and_one_that_looks_on(table: Table, sit: Sit) -> None:
    first, second, third = sit(), sit(), sit(code=False)
    assert third.page.locator("#take-back").count() == 0
    first.click("c4")
    second.sees("put it down on a lit hex")
    second.click("c4")  # it is in another hand
    first.page.mouse.click(*first.spot("d4"))
    third.sees("2 steps left")
    second.page.click("#end-turn")
    first.sees("Dark: 3 steps")
    third.click("g7")
    third.page.wait_for_timeout(300)
    assert "Dark: 3 steps" in first.words


def test_the_code_is_entered_once(table: Table, sit: Sit) -> None:
    person = sit(code=False)
    person.page.click("#need-code")
    person.page.fill("input.code", "9999")
    person.page.press("input.code", "Enter")
    person.page.fill("input.code", "0000" if table.page.guard.code != "0000" else "0001")
    person.page.click("#dialog form button.main")
    person.until(lambda: "not the code" in person.page.inner_text("#dialog"))
    person.page.fill("input.code", table.page.guard.code)
    person.page.click("#dialog form button.main")
    person.page.wait_for_selector("#take-back")
    person.page.reload()
    person.page.wait_for_selector("#take-back")


def test_by_keyboard_alone(table: Table, sit: Sit) -> None:
    person = sit()
    page = person.page
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset?.spot ?? ''"):
            break
    spot = "document.activeElement.getAttribute('aria-label')"
    go(person, "c4")
    assert "Light’s Shif" in page.evaluate(spot)
    page.keyboard.press("Enter")
    person.sees("put it down on a lit hex")
    page.keyboard.press("Escape")
    person.sees("Light: 3 steps")
    page.wait_for_timeout(500)
    page.keyboard.press("Enter")
    person.sees("put it down on a lit hex")
    go(person, "d4")
    person.until(lambda: "lit" in page.evaluate(spot))
    page.keyboard.press("Enter")
    person.sees("2 steps left")
    for _ in range(30):
        page.keyboard.press(
            "Shift+Tab" if page.evaluate("!document.activeElement.dataset?.spot") else "Tab"
        )
        if page.evaluate("document.activeElement.id") == "end-turn":
            break
    page.keyboard.press("Enter")
    person.sees("Dark: 3 steps")


def go(person: Person, name: str) -> None:
    """Go to a space with the arrow keys."""
    page = person.page
    tx, ty = person.spot(name)
    for _ in range(40):
        label = page.evaluate("document.activeElement.getAttribute('aria-label')")
        if label and label.startswith(f"{name},"):
            return
        box = page.evaluate(
            "(b => [b.x + b.width / 2, b.y + b.height / 2])"
            "(document.activeElement.getBoundingClientRect())"
        )
        dx, dy = tx - box[0], ty - box[1]
        if abs(dy) > 12:
            page.keyboard.press("ArrowDown" if dy > 0 else "ArrowUp")
        else:
            page.keyboard.press("ArrowRight" if dx > 0 else "ArrowLeft")
    raise AssertionError(f"the arrows do not lead to {name}")


def test_the_lesson_to_its_end(table: Table, sit: Sit, tmp_path: Path) -> None:
    person = sit(first=True)
    person.page.click("#lesson-begin")
    steps = ["move", "push", "detain", "release", "proximity", "win"]
    for number, step in enumerate(steps):
        person.until(lambda: (table.state()["lesson"] or {}).get("step") == step)  # noqa: B023
        person.until(lambda: table.state()["mode"] == "PLAY" and table.state()["lit"])
        if step == "push":
            person.move("e3", "e2")  # another step than the wanted one is led back
            person.until(lambda: table.state()["mode"] == "RESTORE")
        if step == "detain":
            person.page.click("#lesson-repeat")
            person.until(lambda: table.state()["mode"] == "PLAY" and table.state()["lit"])
        for _ in range(8):
            if table.state()["lesson"]["done"]:
                break
            person.follow_lights()
        person.until(lambda: table.state()["lesson"]["done"])
        person.shot(tmp_path, f"lesson-{step}")
        if number < len(steps) - 1:
            person.page.click("#lesson-next")
    assert table.game.outcome is not None
    person.page.click("#lesson-stop")
    person.until(lambda: table.state()["lesson"] is None)
    person.sees("Light: 3 steps")
    assert table.game.actions == ()
    assert [game["actions"] for game in table.page.desk().games()] == [0], "nothing of it is kept"


def test_a_new_game_with_coins_and_names(table: Table, sit: Sit, tmp_path: Path) -> None:
    person = sit()
    page = person.page
    page.click("#more summary")
    page.click("#new-game")
    page.fill("#dialog input[maxlength='60'] >> nth=0", "Ada")
    page.select_option("#new-rules", "ahumm")
    page.fill("#dialog input[type=number] >> nth=0", "9")
    person.shot(tmp_path, "new-game")
    page.click("#begin")
    person.until(lambda: "Ada" in page.inner_text("#seats") and "9" in page.inner_text("#seats"))
    person.until(lambda: table.state()["mode"] == "PLAY")
    games = table.page.desk().games()
    table.until(lambda: table.page.desk().games()[-1]["status"] == "abandoned")
    assert len(games) == 2


def test_games_are_replayed(table: Table, sit: Sit, tmp_path: Path) -> None:
    game = Game(parse_position(CHAIN), {"Light": "Ada", "Dark": "Bo"})
    for action in ("d5e6", "end"):
        game.play(action)
    game.resign(Side.DARK)
    add(table, game)
    person = sit()
    page = person.page
    page.click("#open-games")
    page.click("#dialog .games button:has-text('Ada')")
    assert page.inner_text("#replay-told") == "The start."
    page.click("#replay-next")
    events: set[str] = set()

    def both_are_seen() -> bool:
        events.add(page.inner_text("#replay-event"))
        return len(events - {""}) == 2

    person.until(both_are_seen)
    assert "Dark’s Shif: pushed from g6 to h6" in events
    person.until(lambda: page.input_value("#replay-slider") == "1")
    person.shot(tmp_path, "replay")
    page.focus("#replay-slider")
    page.keyboard.press("ArrowRight")
    assert "2." in page.inner_text("#replay-told")
    page.click("#replay-prev")
    page.click("#replay-play")
    person.until(lambda: page.input_value("#replay-slider") == "2")
    page.click("#replay-back")
    page.wait_for_selector("#dialog .games")
    page.click("#dialog-close")
    person.sees("Light: 3 steps")


def add(table: Table, game: Game) -> None:
    """Store a game that has been played."""
    writer = table.app.writer
    assert writer is not None
    number = 70
    records: list[Record] = [GameStarted.of(number, game)]
    for ply, action in enumerate(game.actions):
        records.append(ActionDone(number, ply, format_action(game.start.board, action)))
    assert game.outcome is not None
    writer.submit([*records, GameEnded(number, game.outcome)])
    table.until(lambda: any(row["id"] == number for row in table.page.desk().games()))


def test_giving_up_ends_the_game_and_the_next_begins(table: Table, sit: Sit) -> None:
    person = sit()
    person.page.click("#more summary")
    person.page.click("#resign-1")
    person.page.click("#dialog .main")
    person.sees("Light has won: the other side gave up")
    person.page.click("#answers button")
    person.sees("Dark: 3 steps")  # in a match the sides take turns in beginning
    assert [row["status"] for row in table.page.desk().games()] == ["running", "finished"]


def test_setting_up_is_led_piece_by_piece(table: Table, sit: Sit) -> None:
    person = sit()
    table.run(lambda app: table.virtual.arrange({}))
    person.until(lambda: table.state()["mode"] == "RESTORE")
    table.run(lambda app: app.commands.put(Command(Do.NEW_GAME, Game(app.table.game.start))))
    person.sees("10 pieces are missing")
    assert len(person.lit()) == 10
    person.page.click("#answers button")
    person.sees("Light: 3 steps")


def test_german_and_the_settings(table: Table, sit: Sit, tmp_path: Path) -> None:
    person = sit(language="de")
    page = person.page
    person.sees("Hell: 3 Schritte, oder einen Shif neben einen Sentinel setzen.")
    page.click("#open-settings")
    page.select_option("#palette", "contrast")
    person.until(lambda: table.state()["lights"]["palette"] == "contrast")
    page.focus("#brightness")
    page.keyboard.press("ArrowLeft")
    person.until(lambda: table.state()["lights"]["brightness"] == 0.95)
    person.shot(tmp_path, "settings")
    page.select_option("#language", "en")
    page.click("#dialog-close")
    person.sees("Light: 3 steps")


def test_the_board_can_be_seen_from_the_other_side(table: Table, sit: Sit) -> None:
    person = sit()
    before = person.spot("c4")
    person.page.click("#flip")
    assert person.spot("c4")[1] < before[1]
    person.move("c4", "d4")
    person.sees("2 steps left")
    person.page.click("#names")
    assert person.page.locator("#table .board.named").count() == 1


def test_a_shaky_hand_is_coped_with(table: Table, sit: Sit) -> None:
    person = sit()
    person.page.click("#shaky")
    person.page.wait_for_selector("#shaky[aria-pressed=true]")
    person.move("c4", "d4")
    person.sees("2 steps left")
    assert [format_action(table.game.start.board, each) for each in table.game.actions] == ["c4d4"]


def test_by_touch(table: Table, sit: Sit) -> None:
    person = sit(size=PHONE)
    touch = person.page.touchscreen
    touch.tap(*person.spot("c4"))
    person.sees("put it down on a lit hex")
    touch.tap(*person.spot("d4"))
    person.sees("2 steps left")


def test_scrambled_pieces_are_led_back_and_a_new_game_can_be_had(table: Table, sit: Sit) -> None:
    person = sit()
    start = dict(table.game.position.placed())
    moved = {space + 9 if space < 20 else space: piece for space, piece in start.items()}
    table.run(lambda app: table.virtual.arrange(moved))
    person.until(lambda: table.state()["mode"] == "RESTORE")
    assert person.lit()
    person.page.click("#more summary")
    person.page.click("#new-game")
    person.page.click("#begin")
    person.until(lambda: table.state()["mode"] == "PLAY")
    person.sees("Light: 3 steps")


def test_nothing_serious_is_found_by_axe(table: Table, sit: Sit) -> None:
    for dark in (False, True):
        person = sit(dark=dark)
        for way in ("", "#open-settings", "#open-games"):
            if way:
                person.page.click(way)
                person.page.wait_for_timeout(200)
            found = Axe().run(person.page).response["violations"]
            grave = [each for each in found if each["impact"] in ("serious", "critical")]
            assert not grave, [(each["id"], each["nodes"][0]["html"]) for each in grave]
            if way:
                page = person.page
                page.click("#dialog-close")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_it_fits(table: Table, sit: Sit, tmp_path: Path, size: tuple[int, int], dark: bool) -> None:
    table.begin(CHAIN)
    person = sit(size=size, dark=dark)
    person.move("d5", "e6")
    person.sees("from g6 to h6")
    width = person.page.evaluate("document.documentElement.scrollWidth")
    assert width <= size[0]
    board = person.page.locator("#table svg").bounding_box()
    assert board is not None and board["y"] + board["height"] <= size[1], "the whole board is seen"
    person.shot(tmp_path, "fits")
