"""Contacts live, and what is told of them at the end; changing single keys of a config."""

import pytest

from sorcel_pi.commands.bench import END
from sorcel_pi.commands.contacts import Watch, picture, watch_contacts
from sorcel_pi.config.edit import amend, amended, write_changes
from sorcel_pi.config.load import config_from_text, default_config_text
from sorcel_pi.config.schema import Config, TableConfig
from sorcel_pi.errors import ConfigError

from .person import GRID, Board, N, Person


def test_weak_stuck_and_dead_contacts_are_told_at_the_end() -> None:
    board = Board(list(range(N)), list(range(N)))
    person = Person(board)
    b3, dead, stuck, masked = map(GRID.number, ("b3", "c3", "f5", "i9"))
    ticks = 0

    def move() -> None:
        nonlocal ticks
        ticks += 1
        space, phase = divmod(ticks, 20)
        visiting = space < N and space not in (dead, masked) and phase > 3
        board.spaces = 1 << space if visiting else 0
        if space == b3 and phase == 13:
            board.spaces = 0  # it opens for one scan while the piece rests
        board.spaces |= 1 << stuck

    board.passes = [move]
    board.by_space = True
    config = Config(table=TableConfig(masked=("i9",)))
    watch = watch_contacts(person.bench(config), seconds=15.0)
    assert watch.now_closed == 1 << stuck
    assert person.said[-4:] == [
        "Weak, as they twitched: b3 (1 times)",
        "Closed all the time: f5",
        "Never closed (dead, or never tried): c3",
        "Left out by the config: i9",
    ]
    assert any(f"closed: {GRID.names[0]} f5" in text for text in person.said)


def test_nothing_to_complain_about() -> None:
    watch = Watch(GRID, debounce_s=0.02)
    watch.ever = watch.ever_open = (1 << N) - 1
    assert [*watch.report()] == ["Every contact has closed and opened without a twitch."]


def test_enter_ends_it() -> None:
    person = Person(Board(list(range(N)), list(range(N))))
    person.typed = [""]
    assert watch_contacts(person.bench(Config()), None).ever == 0


def test_the_end_of_input_ends_it_only_where_no_time_is_given() -> None:
    board = Board(list(range(N)), list(range(N)))
    person = Person(board)
    person.typed = [END]
    watch_contacts(person.bench(Config()), seconds=1.0)
    assert board.time >= 1.0
    person.typed = [END]
    watch_contacts(person.bench(Config()), None)
    assert board.time < 2.0


def test_contacts_that_could_not_be_read_are_not_called_dead() -> None:
    board = Board(list(range(N)), list(range(N)))
    board.gone = True
    person = Person(board)
    watch_contacts(person.bench(Config()), seconds=1.0)
    assert person.said[1:] == ["the board is gone", "The contacts could not be read."]


def test_the_picture_has_the_south_below() -> None:
    lines = picture(GRID, 1 << GRID.number("a1") | 1 << GRID.number("e9")).splitlines()
    assert lines[-1] == "a     # . . . ."
    assert lines[4] == "e . . . . . . . . #"


# -- amending -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "[lights]\norder = [1]\n"),
        ("[game]\nlight = 'A'", "[game]\nlight = 'A'\n\n[lights]\norder = [1]\n"),
        ("[lights]\norder = [] # all\nfps = 9\n", "[lights]\norder = [1]\nfps = 9\n"),
        ("[lights]\norder=[\n 0, # one\n 1\n]\nfps=9\n", "[lights]\norder = [1]\nfps=9\n"),
        ("[lights]\nfps = 9\n\n[game]\n", "[lights]\nfps = 9\norder = [1]\n\n[game]\n"),
        ("[contacts]\norder = [3]\n[lights]\n", "[contacts]\norder = [3]\n[lights]\norder = [1]\n"),
    ],
    ids=["empty", "no section", "one line", "several lines", "no key", "same key elsewhere"],
)
def test_one_key_changes_and_nothing_else(text: str, expected: str) -> None:
    assert amend(text, "lights", "order", [1]) == expected


def test_every_key_of_the_commented_file_keeps_its_neighbours() -> None:
    text = default_config_text()
    new = amended(text, {"contacts": {"order": list(range(61))}, "table": {"masked": ["c3"]}})
    assert config_from_text(new).table.masked == ("c3",)
    assert len(new.splitlines()) == len(text.splitlines())
    assert [a for a, b in zip(text.splitlines(), new.splitlines(), strict=True) if a != b] == [
        "masked = []",
        "order = []",
    ]


def test_a_file_in_another_style_is_written_anew() -> None:
    new = amended('lights = {fps = 9}\ngame.light = "A"\n', {"lights": {"order": [0]}})
    config = config_from_text(new)
    assert (config.lights.fps, config.lights.order, config.game.light) == (9, (0,), "A")


def test_a_file_that_cannot_be_read_or_written_is_left_alone(tmp_path: object) -> None:
    from pathlib import Path

    path = Path(str(tmp_path)) / "config.toml"
    path.write_text("[lights]\nbrigthness = 1\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="brigthness"):
        write_changes(path, {"lights": {"fps": 9}})
    assert path.read_text(encoding="utf-8") == "[lights]\nbrigthness = 1\n"
    with pytest.raises(ConfigError, match="cannot be changed"):
        write_changes(path / "below", {"lights": {"fps": 9}})
