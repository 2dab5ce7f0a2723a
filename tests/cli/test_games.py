"""`sorcel games` and `sorcel config`: what they refuse, and where they look."""

from pathlib import Path

import pytest

from sorcel_pi.config import paths

from . import bad, good, sorcel

NUMBERS = ("--show", "--export", "--resume", "--abandon")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A config file whose games are kept beside it."""
    path = tmp_path / "config.toml"
    path.write_text('[store]\npath = "state"\n', encoding="utf-8")
    return path


@pytest.mark.parametrize("option", NUMBERS)
@pytest.mark.parametrize("number", ["0", "99999999999999999999"])
def test_a_number_that_no_game_has_is_refused(file: Path, option: str, number: str) -> None:
    result = sorcel("games", option, number, "--config", file)
    assert result.exit_code == 2
    assert "Invalid value" in result.stderr


def test_only_one_thing_is_done_at_once(file: Path) -> None:
    said = bad("games", "--show", 1, "--abandon", 2, "--config", file)
    assert "expected only one of --show, --abandon" in said


def test_where_no_config_file_is_the_places_are_named_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = tmp_path / "etc" / "config.toml"
    monkeypatch.setattr(paths, "SYSTEM_CONFIG", system)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    monkeypatch.delenv("SORCEL_CONFIG", raising=False)
    own = paths.config_places()[0]
    assert own.is_relative_to(tmp_path)
    places = f"looked for: --config FILE, $SORCEL_CONFIG, {own}, {system}"
    assert places in good("config").splitlines()[0]
    assert places in good("config", "--check")
    own.parent.mkdir(parents=True)
    own.touch()
    assert good("config").splitlines()[0] == f"# {own}"
