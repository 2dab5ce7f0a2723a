"""The pictures of the README are what its commands draw."""

import shlex
from pathlib import Path

import pytest

from . import TESTS, good

ROOT = TESTS.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [line for line in README.splitlines() if line.startswith("sorcel picture ")]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_picture_is_as_its_command_draws_it(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, *arguments = shlex.split(command)
    name = arguments[arguments.index("--out") + 1]
    (tmp_path / name).parent.mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    good(*arguments)
    assert (tmp_path / name).read_text("utf-8") == (ROOT / name).read_text("utf-8")
    assert f'src="{name}"' in README


def test_every_picture_has_its_command() -> None:
    made = {shlex.split(line)[-1] for line in COMMANDS}
    assert made == {f"docs/pictures/{path.name}" for path in (ROOT / "docs/pictures").glob("*.svg")}
    assert len(made) == 3
