"""The board of the page in a real browser: pieces, lights, words and hands."""

from pathlib import Path

from sorcel_pi import Game, format_action
from sorcel_pi.rules.hexgrid import spaces_of
from sorcel_pi.table.commands import NewGame
from tests.web.browser import PHONE, Person, Sit
from tests.web.positions import AHUMM, CHAIN, SHORT_GAME, WINS
from tests.web.table import Table


def test_a_whole_game_by_clicks_led_by_the_lights(table: Table, sit: Sit, shots: Path) -> None:
    person = sit()
    person.shot(shots, "start")
    for number, action in enumerate(SHORT_GAME.split(), 1):
        person.move(action[:2], action[2:])
        person.follow_lights()
        person.until(lambda: len(table.game.actions) == number, action)  # noqa: B023
    assert table.game.outcome is not None
    person.sees("Light has won")
    assert "f6g7" in person.page.inner_text("#log")
    person.shot(shots, "won")


def test_a_push_chain(table: Table, sit: Sit, shots: Path) -> None:
    table.begin(CHAIN)
    person = sit()
    person.move("d5", "e6")
    person.sees("move it from g6 to h6")
    person.shot(shots, "chain")
    person.follow_lights()
    person.sees("1 step left")
    assert len(table.game.actions) == 1


def test_8_an_illegal_drop_and_its_way_back(table: Table, sit: Sit, shots: Path) -> None:
    person = sit()
    person.move("c4", "e4")
    person.until(lambda: "e4 is not next to c4" in person.page.inner_text("#why"))
    person.shot(shots, "illegal")
    person.sees("not legal: e4")
    person.sees("belongs on c4")
    # Words and lights come one behind the other.
    person.until(lambda: {person.label(space)[:2] for space in person.lit()} == {"c4", "e4"})
    person.move("e4", "c4")
    person.sees("Light: 3 steps")
    assert table.game.actions == ()


def test_a_click_right_after_a_drop_is_the_next_lift(table: Table, sit: Sit) -> None:
    person = sit()
    person.page.mouse.click(*person.spot("c4"))
    person.page.wait_for_timeout(60)
    person.page.mouse.click(*person.spot("d5"))
    person.page.wait_for_timeout(60)
    person.page.mouse.click(*person.spot("c3"))
    person.sees("from c3")


def test_an_illegal_placement_says_why(table: Table, sit: Sit) -> None:
    person = sit()
    person.place("f5", "F")
    person.until(lambda: "only beside an own Sentinel" in person.page.inner_text("#why"))


def test_ahumm_with_a_raise(table: Table, sit: Sit, shots: Path) -> None:
    table.begin(AHUMM)
    person = sit()
    person.page.click("#raise")
    person.sees("Light pays 2 coins")
    person.page.click("#raise")
    person.sees("Light pays 3 coins")
    person.shot(shots, "raised")
    person.place("b5", "F")
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


def test_13_taking_back_turns_the_guidance_round(table: Table, sit: Sit) -> None:
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


def test_18_the_pushed_pieces_come_first(table: Table, sit: Sit) -> None:
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


def test_14_the_start_put_up_again_begins_a_new_game(table: Table, sit: Sit, shots: Path) -> None:
    table.begin(WINS)
    person = sit()
    person.move("f5", "f6")
    person.sees("Light has won")
    won = table.game
    person.page.click("#more summary")
    person.page.click("#clear")
    person.until(lambda: not table.mock.truth() and table.state()["trouble"] == "none")
    person.sees("Light has won")
    assert table.game is won, "the result stays while the board is empty"
    start = table.game.start.board.start
    for kind, spaces in enumerate(start):
        for space in spaces_of(spaces):
            person.place(space, "SFsf"[kind])
    person.sees("A new game?")
    assert table.game is won, "not before somebody has said so"
    person.shot(shots, "new-game-asked")
    person.page.click("#answers button")
    person.sees("3 steps, or place a Shif")
    assert table.game is not won and table.game.actions == ()


def test_setting_up_is_led_piece_by_piece(table: Table, sit: Sit) -> None:
    person = sit()
    table.run(lambda app: table.screen_board.arrange({}))
    person.until(lambda: table.state()["mode"] == "RESTORE")
    table.run(lambda app: app.commands.put(NewGame(Game(app.table.game.start))))
    person.sees("10 pieces are missing")
    assert len(person.lit()) == 10
    person.page.click("#answers button")
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


def test_15_scrambled_pieces_are_led_back_or_a_new_game_is_had(table: Table, sit: Sit) -> None:
    person = sit()
    start = dict(table.game.position.placed())
    moved = {space + 9 if space < 20 else space: piece for space, piece in start.items()}
    table.run(lambda app: table.screen_board.arrange(moved))
    person.until(lambda: table.state()["mode"] == "RESTORE")
    assert person.lit()
    person.page.click("#more summary")
    person.page.click("#new-game")
    person.page.click("#begin")
    person.until(lambda: table.state()["mode"] == "PLAY")
    person.sees("Light: 3 steps")
