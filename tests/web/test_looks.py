"""How the page looks: room for every word, targets for fingers, contrast, themes, calm lights."""

import json
from itertools import pairwise, product
from pathlib import Path

import pytest

from sorcel_pi.messages.catalogue import languages
from sorcel_pi.rules import svg
from sorcel_pi.rules.position import SIDES
from sorcel_pi.table.lights.frame import FrameMaker
from sorcel_pi.table.lights.plan import plan_lights
from sorcel_pi.table.lights.signs import Role
from sorcel_pi.web.actions import MOST_OF_A_NAME, name_of
from sorcel_pi.web.legend import BOARD, ENTRIES, legend, roles_shown
from tests.web.browser import DESKTOP, PHONE, Person, Sit
from tests.web.looks import Colour, contrast, look, place
from tests.web.positions import CHAIN
from tests.web.table import Table

TINY = (320, 256)
SMALL_PHONE, TABLET = (360, 640), (1000, 700)
SIZES = (DESKTOP, PHONE, TINY)
DIALOGS = ("#open-lights", "#open-games", "#open-settings", "#new-game", "#resign-0")
WORDS = [
    "lost full trouble.line arranging ask ask.end confirm code wrong.off wrong.back wrong.place",
    "go.held_off go.off go.held go.held.hole go.bring go.move go.move.hole lifted lifted.push",
    "setup.remove setup.place restore hand.off hand.back turn.raised turn.more turn.all turn.both",
    "turn.place turn.steps turn.pass over.sentinels over.detained over.resignation",
    "over.draw.blocked over.draw.repetition over.draw.agreement astray off turn.thinking",
]
WHY = [
    "trouble.save guess faulty passed why.not_yours why.far why.hole why.taken why.no_step",
    "why.stepped why.no_reserve why.poor why.not_beside why.raise why.over",
]
LONG = "Ludovika Wilhelmine Freifrau von und zu Hohenstein-Langenburg"
HEBREW = "אריאלה בת־חן שושנה"


def opened(person: Person, way: str) -> None:
    """Open a dialog of the page by what is clicked for it."""
    if way in ("#new-game", "#resign-0") and not person.page.locator("#more[open]").count():
        person.page.click("#more summary")
    person.page.click(way)
    person.page.wait_for_selector("dialog[open]")
    person.page.wait_for_timeout(150)


@pytest.mark.parametrize("language", list(languages()))
@pytest.mark.parametrize("size", [*SIZES, SMALL_PHONE, TABLET])
def test_nothing_is_longer_than_its_room(
    table: Table, sit: Sit, shots: Path, size: tuple[int, int], language: str
) -> None:
    table.begin(CHAIN)
    person = sit(size=size, language=language)
    page = person.page
    assert look(page, "overflows") == []
    assert place(page, "#table .board")[2] >= 300, "the board is there, as far as one has to scroll"
    name = {DESKTOP: "desktop", PHONE: "phone", TINY: "tiny"}.get(size, f"{size[0]}")
    person.shot(shots, f"{name}-{language}")
    for way in DIALOGS:
        opened(person, way)
        assert look(page, "overflows") == [], way
        if size[0] <= 820:
            assert look(page, "smallTargets", 44) == [], way
        person.shot(shots, f"{name}-{language}{way.replace('#', '-')}")
        page.click("#dialog-close")
    if size[0] <= 820:
        assert look(page, "smallTargets", 44) == []
    needed, there = look(page, "room", [" ".join(WORDS).split(), " ".join(WHY).split()])
    assert needed <= there, "words may need more room than is kept for them"


@pytest.mark.parametrize(("size", "language"), list(product(SIZES, languages())))
def test_the_board_does_not_move(
    table: Table, sit: Sit, size: tuple[int, int], language: str
) -> None:
    person = sit(size=size, language=language)
    page = person.page
    page.evaluate("scrollTo(0, 0)")
    before = place(page, "#table .board")
    seen = set()
    for text in ("", "a", LONG * 12):
        page.evaluate("t => { document.getElementById('words').textContent = t; }", text)
        page.evaluate("t => { document.getElementById('why').textContent = t; }", text)
        seen.add(place(page, "#table .board"))
    table.run(lambda app: app.warnings.update({"voltage", "heat", "store"}))
    person.until(lambda: page.locator("#warnings").is_visible())
    seen.add(place(page, "#table .board"))
    page.evaluate("scrollTo(0, 0)")
    person.page.locator('#table [data-spot="23"]').scroll_into_view_if_needed()
    person.move("c4", "d4")
    seen.add(place(page, "#table .board"))
    table.server.close()
    page.wait_for_selector("body[data-line=lost]")
    seen.add(place(page, "#table .board"))
    assert seen == {before}


def test_hexes_on_a_phone_are_as_large_as_its_width_allows(table: Table, sit: Sit) -> None:
    page = sit(size=PHONE).page
    left, _, wide, _ = place(page, "#table .rim")
    assert left >= -2 and PHONE[0] - 3 <= wide <= PHONE[0] + 3


# -- names ----------------------------------------------------------------------------------------


def test_names_are_short_and_each_goes_its_own_way(table: Table, sit: Sit, shots: Path) -> None:
    light = "A" * 60
    game = {"do": "new_game", "board": "", "rules": "egressian", "light": light, "dark": HEBREW}
    assert table.post("/api/do", game, Cookie=table.token()).status == 200
    table.until(lambda: table.state()["players"] == ["A" * MOST_OF_A_NAME, HEBREW])
    person = sit(size=PHONE, language="de")
    page = person.page
    tags = page.locator("#seats bdi.name")
    shown = sorted(tags.all_inner_texts())
    assert shown == sorted(["A" * 23 + "…", HEBREW])
    assert {tag.get_attribute("title") for tag in tags.all()} == {"A" * 40, HEBREW}
    assert {tag.evaluate("e => getComputedStyle(e).unicodeBidi") for tag in tags.all()} == {
        "isolate"
    }
    assert look(page, "overflows") == []
    person.shot(shots, "names-phone")
    for tag in tags.all():
        tag.evaluate("e => { e.textContent = 'Ludovika v. Hohenstein'; }")
        assert tag.evaluate("e => e.scrollWidth <= e.clientWidth"), "up to 23 are shown whole"
    page.click("#open-games")
    page.wait_for_selector("#dialog .games button")
    row = page.locator("#dialog .games button").first.text_content() or ""
    assert f"\u2068{'A' * 23}…\u2069 – \u2068{HEBREW}\u2069 · " in row
    assert look(page, "overflows") == []
    page.click("#dialog-close")
    page.click("#more summary")
    page.click("#new-game")
    assert page.get_attribute("input.player >> nth=0", "maxlength") == str(MOST_OF_A_NAME)


def test_a_name_is_one_line_of_40_without_signs_that_steer() -> None:
    assert name_of(LONG) == LONG[:40].rstrip()
    assert name_of("\u202eadA\u2066\n\tB\x00") == "adA B"
    family = "\U0001f469\u200d\U0001f467"
    assert name_of(family) == family and name_of(HEBREW) == HEBREW


# -- themes and contrast --------------------------------------------------------------------------

THEMES, BOARDS = ("light", "dark", "contrast"), ("wood", "slate")
TEXTS = [
    ("ink", "paper"),
    ("ink", "card"),
    ("soft", "paper"),
    ("soft", "card"),
    ("warn", "paper"),
    ("warn", "card"),
    ("main-ink", "main"),
    ("main", "paper"),
    ("paper", "ink"),
    ("name", "name-halo"),
    ("rim-ink", "rim-0"),
    ("rim-ink", "rim-1"),
    ("rim-ink", "rim-2"),
]
MARKS = [
    ("focus", "paper"),
    ("focus", "card"),
    ("main", "card"),
    ("lip", "hole-1"),
    ("lip", "hole-2"),
]
GROUNDS = ("wood-0", "wood-1", "wood-2")


@pytest.mark.parametrize(("theme", "board"), list(product(THEMES, BOARDS)))
def test_everything_can_be_told_from_its_ground(
    table: Table, sit: Sit, shots: Path, theme: str, board: str
) -> None:
    table.begin(CHAIN)
    person = sit()
    page = person.page
    page.click("#open-settings")
    page.select_option("#look-theme", theme)
    page.select_option("#look-board", board)
    page.click("#dialog-close")
    assert page.evaluate("({ ...document.documentElement.dataset })") == {
        "theme": theme,
        "board": board,
    }
    person.shot(shots, f"theme-{theme}-{board}")
    colours: dict[str, Colour] = look(page, "variables")

    def ratio(one: str, other: str) -> float:
        return contrast(colours[one], colours[other])

    low = [(a, b, round(ratio(a, b), 2)) for a, b in TEXTS if ratio(a, b) < 4.5]
    low += [(a, b, round(ratio(a, b), 2)) for a, b in MARKS if ratio(a, b) < 3]
    for side in ("light", "dark"):
        faces = [f"{side}-{k}" for k in range(3)]
        # A piece is told from the wood by its edge or by its face, its mark from its whole face.
        for ground in GROUNDS:
            best = max(ratio(f"{side}-edge", ground), min(ratio(face, ground) for face in faces))
            if best < 3:
                low.append((side, ground, round(best, 2)))
        low += [
            (f"{side}-mark", face, round(ratio(f"{side}-mark", face), 2))
            for face in faces
            if ratio(f"{side}-mark", face) < 3
        ]
    assert low == []
    assert page.eval_on_selector("#table .piece.sunk .face", "e => getComputedStyle(e).stroke") == (
        "rgb({}, {}, {})".format(*colours["lip"])
    ), "a detained piece has the bright edge that is measured above"


def test_the_drawings_of_the_rules_can_be_told_from_their_ground_too() -> None:
    def colour(text: str) -> Colour:
        red, green, blue = bytes.fromhex(text[1:])
        return red, green, blue

    pairs = [(svg.EDGE[side], wood) for side in SIDES for wood in svg.WOOD]
    pairs += [(svg.MARK[side], svg.FILL[side]) for side in SIDES]
    pairs += [(svg.HOLE_LIP, svg.HOLE), (svg.PUSH, svg.HALO), (svg.STEP, svg.HALO)]
    assert [pair for pair in pairs if contrast(colour(pair[0]), colour(pair[1])) < 3] == []
    texts = [(svg.INK, svg.CARD), *((svg.INK, wood) for wood in svg.WOOD), (svg.HOLE_LIP, svg.HOLE)]
    assert [pair for pair in texts if contrast(colour(pair[0]), colour(pair[1])) < 4.5] == []


def test_the_theme_is_that_of_the_system_until_one_is_chosen(table: Table, sit: Sit) -> None:
    person = sit(dark=True)
    page = person.page
    theme = "document.documentElement.dataset.theme"
    assert page.evaluate(theme) == "dark"
    page.emulate_media(color_scheme="light")
    person.until(lambda: page.evaluate(theme) == "light")
    page.click("#open-settings")
    page.select_option("#look-theme", "contrast")
    page.reload()
    page.wait_for_selector("#table .spot")
    assert page.evaluate(theme) == "contrast"
    page.click("#open-settings")
    assert page.input_value("#look-theme") == "contrast"
    page.select_option("#look-theme", "auto")
    assert page.evaluate(theme) == "light"


# -- lights ---------------------------------------------------------------------------------------


def test_the_legend_shows_every_sign_in_words_and_light() -> None:
    twice = {Role.CODE_DIGIT_TWICE, Role.STEP_POINT_TWICE, Role.STEP_POINT_TWICE_SPOT}
    # A piece of unknown kind is only ever shown among others; the rest are signs over one another.
    assert set(Role) - roles_shown() == twice | {
        Role.BELIEVED_UNKNOWN,
        Role.COIN_SPOT,
        Role.HOLE_ALONE,
    }
    for language in languages():
        texts = languages()[language]
        assert [e.key for e in ENTRIES if f"legend.{e.key}" not in texts] == []


def test_the_legend_moves_as_the_lights_do() -> None:
    for palette in ("default", "dim"):
        told = legend(palette)
        assert len(json.dumps(told)) < 40_000
    told, maker = legend("default"), FrameMaker(BOARD, current_limit_a=1000.0)
    for entry, row in zip(ENTRIES, told["entries"], strict=True):
        assert row["key"] == entry.key
        rows = {
            space: "".join(colour * ticks for colour, ticks in told["sequences"][number])
            for space, number in row["lights"]
        }
        assert rows and all(len(each) == 6 * row["span"] for each in rows.values())
        for k in range(row["span"] if entry.span_s else 0):
            now = k / 25
            frame = maker.frame(plan_lights(entry.view(), now), now)
            lit = {s: bytes(c).hex() for s, c in enumerate(frame) if any(c)}
            there = {s: c for s in rows if (c := rows[s][6 * k : 6 * k + 6]) != "000000"}
            assert there == lit or entry.key == "over", (entry.key, k)


def test_the_legend_is_one_click_away_and_moves(table: Table, sit: Sit, shots: Path) -> None:
    person = sit(code=False)
    page = person.page
    page.click("#open-lights")
    rows = page.locator("#dialog .legend li")
    rows.first.wait_for()
    assert rows.count() == len(ENTRIES)
    glow = "e => [...e.querySelectorAll('.glow')].map((g) => g.getAttribute('opacity')).join()"
    move = page.locator("#dialog .legend li", has_text="take turns").first
    seen: set[str] = set()

    def both_are_seen() -> bool:
        seen.add(move.evaluate(glow))
        return len(seen) >= 2

    person.until(both_are_seen)
    person.shot(shots, "legend")
    page.click("#dialog-close")


def test_who_wants_less_motion_sees_no_light_blink_faster_than_once_a_second(
    table: Table, sit: Sit
) -> None:
    person = sit(clock=True)
    page = person.page
    page.emulate_media(reduced_motion="reduce")
    changes = look(page, "blinking")
    times = [at for at, _ in changes]
    assert len(changes) >= 10, "it goes on blinking"
    assert changes[0] == [100000, "ff0000"], "what goes on is seen at once"
    assert all(later - sooner >= 500 for sooner, later in pairwise(times))
    assert page.evaluate(
        "getComputedStyle(document.querySelector('#table .piece')).transitionDuration"
    ) in ("0s", "0s, 0s")
