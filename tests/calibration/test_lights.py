"""The test of the lights by named colours, and the order of colours that follows from it."""

from itertools import permutations
from pathlib import Path

import pytest

from sorcel_pi.commands.lights import PRIMARIES, advice, order_from, try_lights
from sorcel_pi.config.load import load_config
from sorcel_pi.drivers.ports import Frame
from sorcel_pi.table.lights.frame import COLOUR_ORDERS, to_wire_bytes

from .person import Board, N, Person

ORDERS = tuple("".join(each) for each in permutations("RGB"))


class Strip(Board):
    """Lights that take their colours in `true`, told in the order of the config."""

    def __init__(self, true: str, told: str) -> None:
        super().__init__(list(range(N)), list(range(N)))
        self.true, self.told = true, told

    @property
    def colour(self) -> str:
        """What all lights look like: one letter, m for a mixture, d for dark."""
        data = to_wire_bytes(self.frame, self.told)
        width = len(self.true)
        looks = set()
        for k in range(0, len(data) - width + 1, width):
            channels = dict(zip(self.true, data[k : k + width], strict=True))
            looks.add("".join(sorted(c for c, level in channels.items() if level)))
        (only,) = looks if len(looks) == 1 else ("several",)
        return {"R": "r", "G": "g", "B": "b", "": "d"}.get(only, "m")


class Looker(Person):
    """Types what the lights look like."""

    board: Strip

    def say(self, text: str) -> None:
        self.said.append(text)
        if text.startswith("Now all lights"):
            self.typed.append(self.board.colour)


def looked_at(path: Path, true: str, told: str) -> Looker:
    path.write_text(
        '[contacts]\ndriver = "mcu"\n[pixels]\ndriver = "mcu"\n'
        f'[lights]\ncolour_order = "{told}"\n',
        encoding="utf-8",
    )
    looker = Looker(Strip(true, told))
    try_lights(looker.bench(load_config(path)), path)
    return looker


@pytest.mark.parametrize("true", COLOUR_ORDERS)
def test_19_from_every_order_to_every_other(tmp_path: Path, true: str) -> None:
    path = tmp_path / "config.toml"
    for told in COLOUR_ORDERS:
        looker = looked_at(path, true, told)
        if len(told) != len(true):
            assert "RGBW" in looker.said[-1] or "no white of their own" in looker.said[-1]
            assert f'colour_order = "{told[:3]}{true[3:]}"' in looker.said[-1]
            looker = looked_at(path, true, told[:3] + true[3:])
        assert load_config(path).lights.colour_order == true


def test_19_each_colour_is_named_and_then_the_lights_run(tmp_path: Path) -> None:
    looker = looked_at(tmp_path / "config.toml", "GRB", "GRB")
    assert [text for text in looker.said if text.startswith("Now all")] == [
        f"Now all lights should be {name}." for name in PRIMARIES
    ]
    assert "as the config says" in looker.said[-1]
    frame: Frame = looker.board.frame
    assert not any(map(any, frame))


def test_answers_that_fit_nothing() -> None:
    assert order_from("GRB", {"R": "R", "G": "R", "B": "B"}) is None
    assert "5 V supply" in advice("GRB", dict.fromkeys("RGB", "D"))
    assert "fits no order" in advice("GRB", {"R": "R", "G": "R", "B": "B"})


def test_it_can_be_ended_and_without_a_file_says_what_to_write(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    looked_at(path, "GRB", "GRB")
    looker = Looker(Strip("RGB", "GRB"))
    assert try_lights(looker.bench(load_config(path)), None) == "RGB"
    assert 'colour_order = "RGB"' in looker.said[-1]
    looker = Looker(Strip("RGB", "GRB"))
    looker.typed = ["x", "q"]
    looker.say = looker.said.append  # type: ignore[assignment, method-assign]
    assert try_lights(looker.bench(load_config(path)), path) is None
