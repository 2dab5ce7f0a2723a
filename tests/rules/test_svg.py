"""The drawing: well formed for whatever is played, complete, and the same every time."""

import random
import re
from collections.abc import Iterator
from math import dist
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorcel_pi import (
    AHUMM,
    Board,
    Cascade,
    Event,
    Layout,
    Position,
    Step,
    format_action,
    parse_action,
    parse_position,
    resolve,
    resolve_all,
    rule_set_from_text,
    spaces_of,
    standard_board,
    start_position,
)
from sorcel_pi.rules.svg import PITCH, draw_cascade, draw_position, geometry

SVG = "{http://www.w3.org/2000/svg}"
LIFTED = (Event.RELEASE, Event.STRAY)
DENSE = "3F1/4Fs/4fF1/4S1sS/5ffFf/6ff/7/6/5 d 6/0 2/0 -"
TWICE = "5/6/6F/F7/1F7/1SFfs3/1fFF3/1s1f2/S4 d 3/0 0/3 -"


def tree(svg: str) -> ElementTree.Element:
    """Return the parsed drawing, checked for what every drawing has to keep to."""
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    assert [child.tag for child in root[:2]] == [f"{SVG}title", f"{SVG}desc"]
    assert not re.search(r"href|url\(|@import|<script|<!|<\?", svg)
    assert not re.search(r'nan|inf\b|-0["\s]', svg.split("</desc>")[1])
    for element in root.iter():
        assert element.get("id") is None
    return root


def group(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    """Return what is in the group `name`; nothing when it is not there."""
    found = root.find(f"{SVG}g[@class='{name}']")
    return [] if found is None else list(found)


def words(root: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in root.iter(f"{SVG}text")]


def random_board(rng: random.Random, side: int) -> Board:
    """Return a board with a piece or two of each kind anywhere, and holes anywhere else."""
    bare = Board("random", side, 0, Layout(0, 0, 0, 0))
    spaces = list(range(bare.grid.n))
    rng.shuffle(spaces)
    sentinels = spaces[:2]
    near = [k for k in spaces[2:] if bare.grid.near[sentinels[0]] >> k & 1][:2]
    far = [k for k in spaces[2:] if k not in near and bare.grid.near[sentinels[1]] >> k & 1][:2]
    rest = [k for k in spaces[2:] if k not in (*near, *far)]
    masks = (sum(1 << k for k in group) for group in (sentinels[:1], near, sentinels[1:], far))
    holes = sum(1 << k for k in rest[: rng.randrange(1 + len(rest) // 2)])
    return Board("random", side, holes, Layout(*masks))


def played(position: Position, rng: random.Random, actions: int) -> Iterator[Cascade]:
    """Yield what is played at random, with a liking for what has consequences."""
    for _ in range(actions):
        choices = resolve_all(position)
        if not choices:
            return
        lively = [each for each in choices if each.consequences]
        cascade = rng.choice(lively or choices)
        yield cascade
        position = cascade.after


def check(cascade: Cascade) -> None:
    """Check the drawing of a cascade against the cascade."""
    svg = draw_cascade(cascade, names=True)
    root = tree(svg)
    before = cascade.before
    shape = geometry(before.board.side)
    pieces = group(root, "pieces")
    assert len(pieces) == before.occupied.bit_count()
    assert sum(each.get("class") == "detained" for each in pieces) == before.detained.bit_count()
    assert len(group(root, "holes")) == 3 * before.board.detaining.bit_count()
    assert len(group(root, "hexes")) == before.board.grid.n
    assert {text.text for text in group(root, "names")} == set(before.board.grid.names)
    consequences = group(root, "consequences")
    lifted = sum(each.event in LIFTED for each in cascade.consequences)
    total = len(cascade.consequences)
    assert len(consequences) == 4 * lifted + 2 * (total - lifted) + 2 * total
    numbers = [text.text for text in consequences if text.tag == f"{SVG}text"]
    assert numbers == [str(number) for number in range(1, total + 1)]
    for each in consequences:
        for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", each.get("d", "")):
            assert 0 < float(x) < shape.width
            assert 0 < float(y) < shape.height
    assert svg == draw_cascade(cascade, names=True)


@pytest.mark.parametrize("side", range(3, 9))
@pytest.mark.parametrize("rules", ["egressian", "ahumm stake=2", "shifs=9 placement_pushes=yes"])
def test_whatever_is_played_can_be_drawn(side: int, rules: str) -> None:
    rng = random.Random(f"{side} {rules}")
    for _ in range(2):
        start = start_position(random_board(rng, side), rule_set_from_text(rules))
        for cascade in played(start, rng, 12):
            check(cascade)
            tree(draw_position(cascade.after))


@given(st.integers(3, 8), st.randoms(use_true_random=False))
def test_any_board_can_be_drawn(side: int, rng: random.Random) -> None:
    position = start_position(random_board(rng, side))
    assert len(group(tree(draw_position(position)), "pieces")) == position.occupied.bit_count()


@pytest.mark.parametrize(("code", "action"), [(DENSE, "g7g6"), (TWICE, "b2b3")])
def test_consequences_on_the_same_way_lie_beside_each_other(code: str, action: str) -> None:
    cascade = resolve(parse_position(code), parse_action(standard_board(), action))
    check(cascade)
    drawn = group(tree(draw_cascade(cascade)), "consequences")
    badges = [each for each in drawn if each.tag == f"{SVG}circle" and each.get("fill") != "none"]
    places = [(float(each.get("cx", "")), float(each.get("cy", ""))) for each in badges]
    for k, place in enumerate(places):
        assert all(dist(place, other) > 0.25 * PITCH for other in places[:k])


def test_the_description_tells_the_cascade() -> None:
    code = "F4/2s1S1/2Ss3/4f3/9/8/F6/6/5 l 1/0 4/5 -"
    cascade = resolve(parse_position(code), parse_action(standard_board(), "h8h7"))
    root = tree(draw_cascade(cascade))
    title, description = root.findtext(f"{SVG}title"), root.findtext(f"{SVG}desc")
    assert title == f"Sorcel: h8h7 in {code}"
    assert description is not None
    assert description.startswith(
        "The Light Sentinel steps from h8 to h7. 1: the Dark Sentinel on h6 is pushed to h5. "
    )
    assert "3: the Light Shif on i5 is pushed off the board. " in description
    assert description.endswith("In reserve: Light 4 Shifs, Dark 5 Shifs.")
    assert words(root)[-8:-6] == ["Light plays", "h8h7"]


def test_a_step_and_a_placement_are_drawn_and_the_end_of_a_turn_is_not() -> None:
    position = start_position(standard_board())
    drawn = {}
    for text in ("c3d4", "+b2", "end"):
        cascade = resolve(position, parse_action(standard_board(), text))
        drawn[text] = group(tree(draw_cascade(cascade)), "action")
        if isinstance(cascade.action, Step):
            position = cascade.after
        if text == "c3d4":
            position = start_position(standard_board())
        if text == "+b2":
            position = resolve(position, parse_action(standard_board(), "c3d4")).after
    assert [each.tag for each in drawn["c3d4"]] == [f"{SVG}path"]
    assert [each.tag for each in drawn["+b2"]] == [f"{SVG}circle", f"{SVG}g"]
    assert drawn["end"] == []


def test_kinds_and_sides_differ_in_form_not_only_in_tone() -> None:
    root = tree(draw_position(start_position(standard_board())))
    forms = {}
    for piece in group(root, "pieces"):
        shape = [
            (part.tag, part.get("r"), re.sub(r"[\d.\- ]+", "", part.get("d", ""))) for part in piece
        ]
        forms[piece.get("class")] = tuple(shape)
    assert len(forms) == 4
    assert len(set(forms.values())) == 4


def test_names_are_written_on_demand() -> None:
    position = start_position(standard_board())
    assert group(tree(draw_position(position)), "names") == []
    assert "e5" in words(tree(draw_position(position, names=True)))


def test_lights_are_drawn_and_their_colour_is_escaped() -> None:
    position = start_position(standard_board())
    root = tree(draw_position(position, lit={30: '"/><&', 3: "#00c853"}))
    colours = [each.get("stroke") for each in group(root, "lit")]
    assert colours[1::2] == ["#00c853", '"/><&']
    tree(draw_position(position, lit={3: "\x00\x1b\ud800"}))
    cascade = resolve(position, parse_action(standard_board(), "c3d4"))
    assert len(group(tree(draw_cascade(cascade, lit={3: "red"})), "lit")) == 2


@pytest.mark.parametrize(
    ("shifs", "light", "more"), [(3, 0, False), (6, 3, False), (9, 6, False), (10, 1, True)]
)
def test_reserves_are_shown(shifs: int, light: int, more: bool) -> None:
    rules = rule_set_from_text(f"shifs={shifs}")
    root = tree(draw_position(start_position(standard_board(), rules)))
    shown = [each.get("class") for each in group(root, "reserves")]
    assert shown.count("light-shif") == shown.count("dark-shif") == light
    assert ("× 7" in words(root)) == more


def test_the_words_around_the_board() -> None:
    ahumm = start_position(standard_board(), AHUMM)
    assert words(tree(draw_position(ahumm))) == [
        "purse 20", "purse 20", "Light to act", "3 steps left", "pot 0", "stake 1",
    ]  # fmt: skip
    won = parse_position("5/6/7/8/9/8/2FFF2/2SS2/5 l 2/1 3/6 -")
    assert words(tree(draw_position(won))) == ["Light has won", "sentinels"]
    drawn = parse_position("1s3/s5/7/2f5/4S4/8/7/6/2S2 l 0/0 6/5 1/1/38/5")
    assert words(tree(draw_position(drawn)))[2:4] == ["Drawn", "blocked"]


@pytest.mark.parametrize("side", range(3, 9))
def test_geometry(side: int) -> None:
    shape = geometry(side)
    grid = start_position(random_board(random.Random(1), side)).board.grid
    assert shape is geometry(side)
    for space in range(grid.n):
        x, y = shape.centres[space]
        assert PITCH < x < shape.width - PITCH
        assert PITCH < y < shape.height - PITCH
        for other in spaces_of(grid.adjacent[space]):
            assert dist((x, y), shape.centres[other]) == pytest.approx(PITCH)
        corners = shape.hexagon(space, inset=2.0)
        middles = [
            ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
            for a, b in zip(corners, corners[1:] + corners[:1], strict=True)
        ]
        for middle in middles:
            assert dist((x, y), middle) == pytest.approx(PITCH / 2 - 2.0)
    # Light sits in the south: row a is at the bottom, and its first space is on the left.
    assert shape.centres[0][1] > shape.centres[grid.n - 1][1]
    assert shape.centres[0][0] < shape.centres[1][0]


def test_every_legal_action_of_a_position_can_be_drawn() -> None:
    for cascade in resolve_all(parse_position(DENSE)):
        check(cascade)
        assert f"Sorcel: {format_action(standard_board(), cascade.action)} in" in draw_cascade(
            cascade
        )
