"""Calibration of boards that are wired in every order, by a person who only does what is asked."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from sorcel_pi.calibration.interview import Sitting
from sorcel_pi.calibration.overlap import SlideOff
from sorcel_pi.calibration.wiring import FindContacts, FindLights, usual_layouts
from sorcel_pi.cli import app
from sorcel_pi.commands.calibrate import Calibration, Part, slide
from sorcel_pi.config.load import load_config
from sorcel_pi.config.wiring import contact_order, contact_spares, light_order
from sorcel_pi.messages.catalogue import render
from sorcel_pi.messages.message import Message
from sorcel_pi.web.api import AnswerQuestion
from sorcel_pi.web.calibration import CalibrationPage

from .person import BOARD, GRID, Board, N, Person

CONFIG = '# my board\n[contacts]\ndriver = "gpio" # soldered in May\n[pixels]\ndriver = "spi"\n'
ROWS = [range(row * 8, row * 8 + 8) for row in range(8)]


def wired(kind: str) -> list[int]:
    """Return the place of each space."""
    random = Random(kind)
    rows, columns = list(range(8)), list(range(8))
    if kind == "rows and columns swapped":
        return [(k % 8) * 8 + k // 8 for k in range(N)]
    if kind == "rows reversed":
        rows.reverse()
    elif kind == "in any order":
        places = list(range(64))
        random.shuffle(places)
        return places[:N]
    else:
        random.shuffle(rows)
        random.shuffle(columns)
    return [rows[k // 8] * 8 + columns[k % 8] for k in range(N)]


def inverse(order: tuple[int, ...]) -> list[int]:
    return [order.index(k) for k in range(N)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "config.toml"
    made.write_text(CONFIG, encoding="utf-8")
    return made


def calibrated(path: Path, board: Board, part: Part = Part.ALL, patience: int = 10**9) -> Person:
    person = Person(board, patience=patience)
    bench = person.bench(load_config(path))
    Calibration(bench, path, path.with_name("progress.json")).run(part)
    bench.close()
    return person


@pytest.mark.parametrize(
    "kind", ["rows and columns swapped", "rows reversed", "rows and columns mixed", "in any order"]
)
def test_a_board_wired_in_another_order(path: Path, kind: str) -> None:
    places = wired(kind)
    layout = Random(kind).choice(usual_layouts(GRID))
    person = calibrated(path, Board(places, layout))
    config = load_config(path)
    assert contact_order(config, BOARD) == tuple(places)
    assert [layout[light] for light in light_order(config, BOARD)] == list(range(N))
    assert person.laid < N + 12  # the chain of lights follows from a few of them
    text = path.read_text(encoding="utf-8")
    assert text.startswith('# my board\n[contacts]\ndriver = "gpio" # soldered in May\norder = [')
    assert not path.with_name("progress.json").exists()


@pytest.mark.parametrize(
    ("driver", "more"), [("shift", ""), ("mcu", '[mcu]\ncontacts = "shift"\n')]
)
def test_registers_that_are_wired_in_any_order(path: Path, driver: str, more: str) -> None:
    path.write_text(CONFIG.replace("gpio", driver) + more, encoding="utf-8")
    places = Random(driver).sample(range(80), N)
    layout = usual_layouts(GRID)[0]
    calibrated(path, Board(places, layout))
    config = load_config(path)
    assert contact_order(config, BOARD) == tuple(places)
    assert contact_spares(config, BOARD) == 0


@pytest.mark.parametrize("number", range(len(usual_layouts(GRID))))
def test_every_usual_chain_of_lights_is_recognised(number: int) -> None:
    layout = usual_layouts(GRID)[number]
    lights = FindLights(GRID)
    now = 0.0
    while lights.proposal is None:
        light = lights.asked
        assert light is not None
        for mask in (0, 1 << layout[light]):
            lights.feed(mask, now)
            lights.feed(mask, now + 0.5)
            now += 1
    assert lights.proposal == layout
    assert len(lights.found) <= 8
    lights.accept()
    assert inverse(lights.order()) == list(layout)


def test_there_are_24_usual_chains() -> None:
    layouts = usual_layouts(GRID)
    assert len(layouts) == 24
    assert tuple(range(N)) in layouts
    assert all(sorted(layout) == list(range(N)) for layout in layouts)


def test_a_light_is_on_before_it_is_asked_for(path: Path) -> None:
    board = Board(list(range(N)), usual_layouts(GRID)[9])
    asked = []

    class Watched(CalibrationPage):
        def tell(self, sitting: Sitting, closed: int | None) -> None:
            if sitting.question is not None:
                on = [light for light, colour in enumerate(board.frame) if any(colour)]
                assert on == [light for light in (sitting.question.light,) if light is not None]
                asked.append(sitting.question.light)

    config = load_config(path)
    page = Watched(config, BOARD, by_place=True)
    bench = Person(board).bench(config)
    Calibration(bench, path, path.with_name("progress.json"), page).run(Part.LIGHTS)
    assert len(set(asked)) == N + 1, "each in the run over all, and none"


def test_a_chain_in_no_usual_order_is_asked_for_light_by_light(path: Path) -> None:
    layout = list(range(N))
    Random(5).shuffle(layout)
    person = calibrated(path, Board(list(range(N)), layout), Part.LIGHTS)
    config = load_config(path)
    assert [layout[light] for light in light_order(config, BOARD)] == list(range(N))
    assert person.laid == N


def test_a_chain_that_is_usual_but_for_one_pair_is_refused_in_the_run(path: Path) -> None:
    layout = list(range(N))
    layout[33], layout[34] = layout[34], layout[33]
    person = calibrated(path, Board(list(range(N)), layout), Part.LIGHTS)
    assert any("run over the board" in text for text in person.said)
    assert [layout[light] for light in light_order(load_config(path), BOARD)] == list(range(N))


@pytest.mark.parametrize("patience", [0, 1, 30, 62])
def test_interrupted_and_gone_on_with(path: Path, patience: int) -> None:
    places = wired("in any order")
    layout = usual_layouts(GRID)[9]
    first = calibrated(path, Board(places, layout), patience=patience)
    assert path.read_text(encoding="utf-8") == CONFIG
    assert first.said[-1].startswith("Interrupted")
    second = calibrated(path, Board(places, layout))
    assert contact_order(load_config(path), BOARD) == tuple(places)
    assert first.laid + second.laid < N + 14
    going_on = [text for text in second.said if text.startswith("Going on")]
    assert going_on == [f"Going on: {patience} of 61 contacts are known."] * (patience in (1, 30))


def test_lights_that_were_interrupted_leave_the_contacts_to_be_asked_for(path: Path) -> None:
    layout = list(range(N))
    Random(5).shuffle(layout)
    first = calibrated(path, Board(list(range(N)), layout), Part.LIGHTS, patience=20)
    assert first.said[-1].startswith("Interrupted")
    kept = json.loads(path.with_name("progress.json").read_text(encoding="utf-8"))
    assert (kept["contacts"], len(kept["lights"])) == ({}, 20)
    places = wired("in any order")
    second = calibrated(path, Board(places, layout))
    assert contact_order(load_config(path), BOARD) == tuple(places)
    assert second.laid == N + N - 20


def test_progress_that_cannot_be_read_is_left_out(path: Path) -> None:
    path.with_name("progress.json").write_text('{"contacts": []}', encoding="utf-8")
    person = calibrated(path, Board(list(range(N)), list(range(N))))
    assert "is left out" in person.said[0]
    assert contact_order(load_config(path), BOARD) == tuple(range(N))


def test_contacts_and_lights_that_are_dead(path: Path) -> None:
    layout = list(range(N))
    Random(1).shuffle(layout)
    board = Board(list(range(N)), layout)
    board.dead, board.dark = {4, 40}, {7}
    calibrated(path, board)
    config = load_config(path)
    names = tuple(GRID.names[space] for space in (4, 40))
    assert config.table.masked == names
    order = contact_order(config, BOARD)
    assert [order[k] for k in range(N) if k not in board.dead] == [
        k for k in range(N) if k not in board.dead
    ]
    # Beside a space without contact the light can only be the one that is left over, or unknown.
    lights = light_order(config, BOARD)
    known = [k for k in range(N) if k not in {layout[7], 4, 40}]
    assert [layout[lights[k]] for k in known] == known


def test_a_contact_that_is_stuck_is_left_out_and_said(path: Path) -> None:
    board = Board(list(range(N)), list(range(N)))
    board.stuck = 1 << 63
    person = calibrated(path, board, Part.CONTACTS)
    assert (
        "Closed on an empty board, so left out: row 7, column 7. Stuck, or a piece?" in person.said
    )
    assert contact_order(load_config(path), BOARD) == tuple(range(N))


def feed(contacts: FindContacts, mask: int, now: float, seconds: float = 2.0) -> list[str]:
    said = []
    for k in range(round(seconds * 50)):
        if text := contacts.feed(mask, now + k / 50):
            said.append(render(text))
    return said


def test_what_is_laid_wrong_is_said_once_and_takes_nothing() -> None:
    contacts = FindContacts(GRID)
    assert feed(contacts, 1 << 9, 0) == ["a1: row 1, column 1."]
    assert feed(contacts, 1 << 9, 3) == []  # still there: a2 is asked for
    assert feed(contacts, 0, 6) == []
    assert feed(contacts, 1 << 9, 9) == ["That is the contact of a1; a2 is asked for."]
    assert feed(contacts, 0, 12) == []
    (several,) = feed(contacts, 1 << 3 | 1 << 4, 15)
    assert several.startswith("Several contacts are closed: row 0, column 3; row 0, column 4.")
    assert contacts.found == {0: 9}
    assert feed(contacts, 1 << 5, 20, 0.3) == []  # too short
    contacts.back()
    assert contacts.asked == 0
    contacts.skip()
    contacts.skip()
    assert contacts.dead == {0, 1}


def test_a_board_that_is_gone_for_a_while_is_waited_for(path: Path) -> None:
    board = Board(list(range(N)), list(range(N)))

    def come_and_go() -> None:
        board.gone = 5 < board.time < 6

    board.passes.append(come_and_go)
    person = calibrated(path, board)
    assert person.said.count("the board is gone") == 1
    assert contact_order(load_config(path), BOARD) == tuple(range(N))


# -- sliding off ----------------------------------------------------------------------------------


def test_a_piece_slid_off_in_six_directions(path: Path) -> None:
    board = Board(list(range(N)), list(range(N)))
    board.by_space = True
    person = Person(board)
    centre = GRID.number("e5")
    around = GRID.neighbours[centre]
    overlapping = around[2]
    moments: list[int] = []
    for neighbour in around:
        both = 1 << centre | 1 << neighbour
        between = [both] * 15 if neighbour == overlapping else [0] * 20
        way = [1 << centre] * 20 + between + [1 << neighbour] * 20
        moments += way + way[::-1]

    def move() -> None:
        board.spaces = moments.pop(0) if moments else 1 << centre

    board.passes = [move]
    watch = slide(person.bench(load_config(path)), centre, path)
    assert watch.is_complete
    report = [*map(render, watch.report())]
    assert sum("well apart" in line for line in report) == 5
    assert "they overlap" in report[2] and "south-west" in report[2]
    pair = " ".join(GRID.names[k] for k in sorted((centre, overlapping)))
    assert load_config(path).table.overlaps == (pair,)
    assert "Closed: e5." in person.said and "Nothing is closed." in person.said


def test_a_slide_is_shown_on_the_page_too_and_ended_there(path: Path) -> None:
    board = Board(list(range(N)), list(range(N)))
    board.by_space = True
    person = Person(board)
    page = CalibrationPage(load_config(path), BOARD, by_place=False)
    centre = GRID.number("e5")
    told: list[dict[str, Any]] = []
    steps = iter([1 << centre] * 3 + [1 << GRID.neighbours[centre][0]] * 3 + [0] * 3)

    def move() -> None:
        told.append(json.loads(page.broadcast.latest("contacts") or "{}"))
        board.spaces = next(steps, 0)
        if board.time > 0.2:
            asked = json.loads(page.broadcast.latest("calibration") or "{}")
            assert asked["answers"] == ["enough"] and asked["space"] == centre
            assert (asked["done"], asked["of"]) == (1, 6)
            page.do(AnswerQuestion(asked["number"], "enough"))

    board.passes = [move]
    slide(person.bench(load_config(path)), centre, path, page)
    assert [centre] in [each.get("spaces") for each in told]
    said = json.loads(page.broadcast.latest("calibration") or "{}")["said"]
    assert said[-1][0] == "slide.open"
    assert render(Message(*said[-1])) == person.said[-1]


def test_a_slide_that_was_not_made_is_said() -> None:
    watch = SlideOff(GRID, GRID.number("a1"))
    watch.feed(1, 0.0)
    assert not watch.is_complete and len(watch.report()) == 3
    assert all("has not closed" in render(line) for line in watch.report())


# -- the command ----------------------------------------------------------------------------------


def test_the_command_needs_a_file_and_a_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("SORCEL_CONFIG", raising=False)
    result = CliRunner().invoke(app, ["calibrate"])
    assert result.exit_code == 1
    file = tmp_path / "mock.toml"
    file.write_text("[game]\n", encoding="utf-8")
    for command in ("calibrate", "lights"):
        result = CliRunner().invoke(app, [command, "--config", str(file)])
        assert result.exit_code == 1
        assert "the config has simulated" in result.stderr
