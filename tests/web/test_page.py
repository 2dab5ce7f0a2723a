"""What stands around the board of the page, in a real browser: dialogs, lesson, games, looks."""

from pathlib import Path

import pytest

from sorcel_pi import Game, Side, format_action, parse_position
from sorcel_pi.host.machine import Power
from sorcel_pi.host.power import PowerWatch
from sorcel_pi.store.records import ActionDone, GameEnded, GameStarted, Record
from sorcel_pi.web.games import MAX_GAMES
from sorcel_pi.web.lesson import STEPS
from tests.web.browser import DESKTOP, PHONE, Person, Sit
from tests.web.positions import CHAIN, SMALL, START
from tests.web.table import Table


def test_the_code_is_entered_once(table: Table, sit: Sit) -> None:
    person = sit(code=False)
    person.page.click("#need-code")
    person.page.click("#show-code")
    person.until(lambda: "terminal shows it" in person.page.inner_text("#dialog"))
    table.until(lambda: any(table.page.auth.code in line for line in table.lines))
    person.page.fill("input.code", "9999")
    person.page.press("input.code", "Enter")
    person.page.fill("input.code", "0000" if table.page.auth.code != "0000" else "0001")
    person.page.click("#dialog form button.main")
    person.until(lambda: "not the code" in person.page.inner_text("#dialog"))
    person.page.fill("input.code", table.page.auth.code)
    person.page.click("#dialog form button.main")
    person.page.wait_for_selector("#take-back")
    person.page.reload()
    person.page.wait_for_selector("#take-back")


def test_the_lesson_to_its_end(table: Table, sit: Sit, shots: Path) -> None:
    take_the_lesson(table, sit(first=True), shots)


def take_the_lesson(table: Table, person: Person, shots: Path) -> None:
    """Do what each step of the lesson asks for, led by its lights, with a mistake on the way."""
    person.page.click("#lesson-begin")
    steps = [step.name for step in STEPS]
    for number, step in enumerate(steps):
        person.until(lambda: (table.state()["lesson"] or {}).get("step") == step)  # noqa: B023
        person.until(lambda: table.state()["mode"] == "PLAY")
        if step == "place":
            person.place("b5", "F")
        elif step == "stop_early":
            person.page.click("#end-turn")
        elif step == "back":
            person.move("c4", "d4")
            person.page.click("#take-back")
        else:
            person.until(lambda: table.state()["lit"])
        if step == "push":
            person.move("e3", "e2")  # another step than the wanted one is led back
            if table.screen_board.quick:
                person.until(lambda: table.state()["notice"][1][0] == "lesson.other")
                person.until(lambda: table.state()["mode"] == "PLAY" and not table.game.actions)
            else:
                person.until(lambda: table.state()["mode"] == "RESTORE")
        if step == "detain":
            person.page.click("#lesson-repeat")
            person.until(lambda: table.state()["mode"] == "PLAY" and table.state()["lit"])
        for _ in range(8):
            if table.state()["lesson"]["done"]:
                break
            person.follow_lights()
        person.until(lambda: table.state()["lesson"]["done"])
        person.shot(shots, f"lesson-{step}")
        if number < len(steps) - 1:
            person.page.click("#lesson-next")
    assert table.game.outcome is not None
    person.page.click("#lesson-stop")
    person.until(lambda: table.state()["lesson"] is None)
    person.sees("Light: 3 steps")
    assert table.game.actions == ()
    assert [game["actions"] for game in table.games()] == [0], "nothing of it is kept"


def test_on_another_board_the_lesson_says_what_it_needs(
    table: Table, sit: Sit, shots: Path
) -> None:
    person = sit()
    page = person.page
    game = {"do": "new_game", "board": SMALL, "rules": "egressian", "light": "A", "dark": "B"}
    assert table.post("/api/do", game, Cookie=table.token()).status == 200
    person.until(lambda: table.state()["board"] == "small" and table.state()["mode"] == "PLAY")
    page.click("#open-lesson")
    person.until(lambda: "standard board" in page.inner_text("#dialog"))
    person.shot(shots, "lesson-other-board")
    page.click("#lesson-new")
    assert page.input_value("#new-board") == "standard"
    page.click("#begin")
    person.until(lambda: table.state()["teaches"] and table.state()["mode"] == "PLAY")
    page.click("#open-lesson")
    person.until(lambda: (table.state()["lesson"] or {}).get("step") == "move")


def test_a_new_game_with_coins_and_names(table: Table, sit: Sit, shots: Path) -> None:
    person = sit()
    page = person.page
    page.click("#more summary")
    page.click("#new-game")
    assert page.input_value("#dialog input.player >> nth=1") == "", "no name is given"
    page.fill("#dialog input.player >> nth=0", "Ada")
    page.select_option("#new-rules", "ahumm")
    page.fill("#dialog input[type=number] >> nth=0", "9")
    person.shot(shots, "new-game")
    page.click("#begin")
    person.until(lambda: "Ada" in page.inner_text("#seats") and "9" in page.inner_text("#seats"))
    person.until(lambda: table.state()["mode"] == "PLAY")
    table.until(lambda: table.games()[-1]["status"] == "abandoned")
    assert len(table.games()) == 2


def test_games_are_replayed(table: Table, sit: Sit, shots: Path) -> None:
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
    person.shot(shots, "replay")
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
    table.until(lambda: any(row["id"] == number for row in table.games()))


def test_older_games_are_reached_part_by_part(table: Table, sit: Sit) -> None:
    writer = table.app.writer
    assert writer is not None
    start = parse_position(START)
    for first in range(100, 100 + 2 * MAX_GAMES, MAX_GAMES):
        games = range(first, first + MAX_GAMES)
        writer.submit([GameStarted.of(k, Game(start, {"Light": f"Ada {k}"})) for k in games])
    table.until(lambda: table.games()[0]["id"] == 99 + 2 * MAX_GAMES)
    person = sit()
    page = person.page
    rows = page.locator("#dialog .games button")
    page.click("#open-games")
    person.until(lambda: rows.count() == MAX_GAMES)
    assert page.locator("#games-newer").count() == 0
    page.click("#games-older")
    person.until(lambda: "Ada 199\u2069" in rows.first.inner_text())
    page.click("#games-older")
    person.until(lambda: rows.count() == 1)
    assert page.locator("#games-older").count() == 0
    rows.first.click()
    page.click("#replay-back")
    person.until(lambda: rows.count() == 1)
    page.click("#games-newer")
    person.until(lambda: rows.count() == MAX_GAMES)


def test_giving_up_ends_the_game_and_the_next_begins(table: Table, sit: Sit) -> None:
    person = sit()
    person.page.click("#more summary")
    person.page.click("#resign-1")
    person.page.click("#dialog .main")
    person.sees("Light has won: the other side gave up")
    person.page.click("#answers button")
    person.sees("Dark: 3 steps")  # in a match the sides take turns in beginning
    table.until(lambda: [row["status"] for row in table.games()] == ["running", "finished"])


def test_17_a_game_is_abandoned_by_one_action(table: Table, sit: Sit) -> None:
    person = sit()
    person.move("c4", "d4")
    person.sees("2 steps left")
    person.page.click("#more summary")
    person.page.click("#abandon")
    person.page.click("#dialog .main")
    person.sees("3 steps, or place a Shif")
    table.until(lambda: [row["status"] for row in table.games()] == ["running", "abandoned"])
    assert table.games()[1]["actions"] == 1, "it is kept as it was"


def test_what_is_amiss_is_said_as_long_as_it_is(table: Table, sit: Sit, shots: Path) -> None:
    first = sit(language="de")
    report = [Power(low=True, hot=True)]
    table.run(lambda app: setattr(app, "after_pass", PowerWatch(lambda: report[0])))
    first.until(lambda: "zu wenig Spannung" in first.page.inner_text("#warnings"))
    first.until(lambda: "Bitte" in first.page.inner_text("#toast"))
    second = sit()
    second.until(lambda: "too low a voltage" in second.page.inner_text("#warnings"))
    assert "too hot" in second.page.inner_text("#warnings")
    second.shot(shots, "warnings")
    report[0] = Power()
    second.until(lambda: second.page.locator("#warnings").is_hidden())
    second.move("c4", "d4")
    second.sees("2 steps left")


def test_german_and_the_settings(table: Table, sit: Sit, shots: Path) -> None:
    person = sit(language="de")
    page = person.page
    person.sees("Hell: 3 Schritte, oder einen Shif neben einen Sentinel setzen.")
    page.click("#open-settings")
    page.select_option("#palette", "contrast")
    person.until(lambda: table.state()["lights"]["palette"] == "contrast")
    page.focus("#brightness")
    page.keyboard.press("ArrowLeft")
    person.until(lambda: table.state()["lights"]["brightness"] == 0.95)
    person.shot(shots, "settings")
    page.select_option("#language", "en")
    page.click("#dialog-close")
    person.sees("Light: 3 steps")


def test_a_phone_finds_it_by_the_name_of_the_board(table: Table, sit: Sit) -> None:
    person = sit(size=PHONE, host="sorcel.local")
    person.move("c4", "d4")
    person.sees("2 steps left")
    person.page.click("#open-games")
    person.page.wait_for_selector("#dialog .games")


def test_on_a_phone_in_german_nothing_is_torn(table: Table, sit: Sit) -> None:
    person = sit(size=PHONE, language="de")
    page = person.page
    height = "e => e.getBoundingClientRect().height"
    assert page.eval_on_selector("header", height) < 60, "all buttons are in one row"
    assert max(page.eval_on_selector_all("dd", f"all => all.map({height})")) < 30
    page.click("#more summary")
    page.click("#new-game")
    assert page.get_attribute("#dialog input.player >> nth=0", "placeholder") == "Hell"
    page.click("#begin")
    person.until(lambda: page.evaluate("scrollY") == 0)
    assert page.locator("#more[open]").count() == 0, "the board is seen again"


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_it_fits(table: Table, sit: Sit, shots: Path, size: tuple[int, int], dark: bool) -> None:
    table.begin(CHAIN)
    person = sit(size=size, dark=dark)
    person.move("d5", "e6")
    person.sees("from g6 to h6")
    width = person.page.evaluate("document.documentElement.scrollWidth")
    assert width <= size[0]
    board = person.page.locator("#table svg").bounding_box()
    assert board is not None and board["y"] + board["height"] <= size[1], "the whole board is seen"
    person.shot(shots, f"{'phone' if size == PHONE else 'desktop'}-{'dark' if dark else 'light'}")


def test_the_pictures_of_the_readme(table: Table, sit: Sit, shots: Path) -> None:
    person = sit(size=(1120, 760))
    person.move("c3", "d4")
    person.sees("2 steps left")
    person.page.mouse.click(*person.spot("b4"))
    person.until(lambda: len(person.lit(for_ms=100)) > 3)
    person.shot(shots, "page")
    person.page.keyboard.press("Escape")
    table.begin(CHAIN)
    phone = sit(size=PHONE)
    phone.move("d5", "e6")
    phone.sees("from g6 to h6")
    for_both = {table.game.start.board.grid.number(name) for name in ("g6", "h6")}
    phone.until(lambda: phone.lit(for_ms=100) & for_both)
    phone.shot(shots, "page-phone")
