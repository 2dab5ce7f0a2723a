"""The command of a foreign engine comes from the config file, and from nowhere else."""

from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest
from typer.testing import CliRunner

from sorcel_pi.cli import app as command_line
from sorcel_pi.config.load import load_config
from sorcel_pi.errors import NotationError
from sorcel_pi.players.seats import Seats
from sorcel_pi.web import api

MARK = "taken-for-a-command"


def test_no_command_has_a_place_for_it() -> None:
    for kind in get_args(api.PageCommand):
        assert not {"engine", "argv", "program"} & {field.name for field in fields(kind)}, kind


@pytest.mark.parametrize("key", ["command", "engine", "engine_command"])
@pytest.mark.parametrize("name", ["end_turn", "new_game", "lights", "lesson"])
def test_a_page_that_sends_one_is_refused(name: str, key: str) -> None:
    with pytest.raises(NotationError, match=f"{key}.* does not belong to it"):
        api.parse_command({"do": name, key: ["touch", MARK]})


@pytest.mark.parametrize(
    "headers",
    [
        {"LightSeat": f"engine:touch {MARK}"},
        {"LightSeat": f"engine:3 {MARK}"},
        {"Engine": MARK, "EngineCommand": MARK, "Command": MARK},
    ],
)
def test_a_record_names_none(headers: dict[str, str]) -> None:
    assert Seats.of(headers) == Seats()


@pytest.mark.parametrize("option", ["--engine", "--command", "--engine-command"])
def test_no_option_takes_one(option: str) -> None:
    result = CliRunner().invoke(command_line, ["play", option, MARK])
    assert result.exit_code == 2
    result = CliRunner().invoke(command_line, ["play", "--dark", f"engine:{MARK}"])
    assert result.exit_code != 0


def test_nor_does_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SORCEL_ENGINE", "SORCEL_ENGINE_COMMAND", "ENGINE_COMMAND", "SORCEL_COMMAND"):
        monkeypatch.setenv(name, MARK)
    path = tmp_path / "sorcel.toml"
    path.write_text("", "utf-8")
    assert load_config(path).engine.command == ()
    path.write_text('[engine]\ncommand = ["own-engine", "--quiet"]\n', "utf-8")
    assert load_config(path).engine.command == ("own-engine", "--quiet")
