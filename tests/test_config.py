"""The settings: defaults, round trips, and what is said about those that do not fit."""

import re
import sys
import tomllib
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sorcel_pi.config import paths
from sorcel_pi.config.load import config_from_text, default_config_text, format_config, load_config
from sorcel_pi.config.paths import config_path, state_path
from sorcel_pi.config.schema import (
    About,
    ButtonsConfig,
    Config,
    ContactsConfig,
    LightsConfig,
    PixelsConfig,
    TableConfig,
    keys_of,
)
from sorcel_pi.config.wiring import (
    board_of,
    button_pins,
    check_config,
    contact_order,
    contact_pins,
    light_order,
    masked_spaces,
    overlap_pairs,
    pixel_pin,
    rules_of,
)
from sorcel_pi.errors import ConfigError
from sorcel_pi.rules.board import standard_board

SECTIONS: dict[str, Any] = {item.name: item.type for item in fields(Config)}
KEYS = [(section, key, kind) for section in SECTIONS for key, kind, _ in keys_of(SECTIONS[section])]
BOARD = standard_board()

SMALL_BOARD = """
name = "three"
side = 3
detaining = []
[start]
dark = "half turn"
[start.light]
sentinels = ["a1"]
shifs = ["a2"]
"""


def values(kind: Any, about: About) -> st.SearchStrategy[Any]:
    """Return all values that a key may have."""
    if get_args(kind)[1:] == (...,):
        return st.lists(values(get_args(kind)[0], about), max_size=4).map(tuple)
    whole = st.integers(int(about.least), int(about.most))
    texts: st.SearchStrategy[Any] = (
        st.sampled_from(about.words)
        if about.words
        else st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
    )
    if kind is bool:
        return st.booleans()
    if kind is float:
        return st.floats(about.least, about.most)
    return {int: whole, str: texts}.get(kind, whole | texts)


def configs() -> st.SearchStrategy[Config]:
    return st.builds(
        Config,
        **{
            name: st.builds(made, **{key: values(*rest) for key, *rest in keys_of(made)})
            for name, made in SECTIONS.items()
        },
    )


# -- texts ----------------------------------------------------------------------------------------


def test_the_default_file_is_the_defaults() -> None:
    assert config_from_text(default_config_text()) == Config() == config_from_text("")
    check_config(Config())


def test_the_default_file_explains_every_key() -> None:
    text = default_config_text()
    plain = " ".join(text.replace("\n# ", " ").split())
    for section, made in SECTIONS.items():
        assert f"\n[{section}]\n" in text
        for key, _, about in keys_of(made):
            assert re.search(rf"^{key} = ", text, re.M)
            assert about.doc.removesuffix(".") in plain
    assert max(map(len, text.splitlines())) <= 100


@given(configs(), st.booleans())
def test_written_and_read_again(config: Config, comments: bool) -> None:
    assert config_from_text(format_config(config, comments=comments)) == config


@given(st.text())
def test_any_text_is_settings_or_a_config_error(text: str) -> None:
    try:
        config_from_text(text)
    except ConfigError as error:
        assert str(error).startswith("config: ")  # noqa: PT017  # most texts do raise


JUNK = st.recursive(
    st.integers() | st.floats() | st.booleans() | st.text(max_size=5) | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@given(st.sampled_from(KEYS), JUNK)
def test_a_value_fits_or_is_named(where: tuple[str, str, Any], value: object) -> None:
    section, key, kind = where
    try:
        made = getattr(SECTIONS[section](**{key: value}), key)
    except ConfigError as error:
        assert str(error).startswith(f"[{section}] {key} = ")  # noqa: PT017
        assert ": expected " in str(error)  # noqa: PT017
    else:
        assert type(made) in (kind, tuple, *get_args(kind))
        assert made == (tuple(value) if isinstance(value, list) else value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[table]\nscan_herz = 50", ["[table] has no key 'scan_herz'", "nearest is 'scan_hz'"]),
        ("[tabel]\nscan_hz = 50", ["no section 'tabel'", "nearest is 'table'"]),
        ("scan_hz = 50", ["'scan_hz' belongs under [table]"]),
        ("table = 3", ["table = 3: expected a section, which begins [table]"]),
        ("[table]\nscan_hz = 300", ["[table] scan_hz = 300", "from 40 to 200"]),
        ("[table]\nscan_hz = '100'", ["scan_hz = '100'", "whole number"]),
        ("[table]\nscan_hz = true", ["scan_hz = true", "whole number"]),
        ("[table]\nscan_hz = 1e2", ["scan_hz = 100.0", "whole number"]),
        ("[table]\nscan_hz = 0x" + "f" * 5000, ["scan_hz = ", "a whole number"]),
        ("[table]\nscan_hz = " + "9" * 5000, ["not TOML"]),
        ("[table]\nsettle_s = nan", ["settle_s = nan", "a number from 0.05 to 5 s"]),
        ("[table]\nmasked = 'c3'", ["masked = 'c3'", "a list of texts"]),
        ("[table]\nmasked = ['c3', 4]", ["masked = ['c3', 4]", "a list of texts"]),
        ("[lights]\npalette = 'bright'", ["palette = 'bright'", '"contrast"']),
        ("[lights]\ncolour_order = 'GRGB'", ["colour_order = 'GRGB'", '"GRBW"']),
        ("[game]\ntouch_move = 1", ["touch_move = 1", "true or false"]),
        ("[contacts]\nrows = [28]", ["rows = [28]", "from 0 to 27"]),
        ("[buttons]\nmenu = -1", ["menu = -1", '"auto", "none"']),
        ("[mock]\nmagnet = 2020-01-01", ["magnet = 2020-01-01", '"6x3"']),
        ("[table]\n[table]", ["not TOML"]),
        ("x = " + "[" * 5000, ["not TOML"]),
    ],
)
def test_what_is_wrong_is_said(text: str, said: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        config_from_text(text, where="mine.toml")
    assert str(caught.value).startswith("mine.toml: ")
    for words in said:
        assert words in str(caught.value)


def test_a_whole_number_is_a_number() -> None:
    config = config_from_text("[table]\npatience_s = 3\n[lights]\ncolour_order = 'BRGW'")
    assert type(config.table.patience_s) is float
    assert config.lights.colour_order == "BRGW"


def test_values_are_checked_when_made_by_hand_too() -> None:
    with pytest.raises(ConfigError, match=r"^\[lights\] fps = 26: "):
        replace(LightsConfig(), fps=26)
    assert LightsConfig(order=list(range(3))).order == (0, 1, 2)  # type: ignore[arg-type]


# -- keys together --------------------------------------------------------------------------------


def gpio(text: str = "", pixels: str = "spi") -> Config:
    made = f"[contacts]\ndriver='gpio'\n[pixels]\ndriver='{pixels}'\n{text}"
    return config_from_text(made)


def test_pins_follow_the_drivers() -> None:
    assert contact_pins(Config()) == ((), ())
    assert pixel_pin(Config()) is None
    assert button_pins(Config()) == (None, None, None)
    assert contact_pins(gpio())[0] == (5, 6, 12, 13, 16, 19, 20, 26)
    assert (pixel_pin(gpio()), *button_pins(gpio())) == (10, 18, 2, 3)
    assert (pixel_pin(gpio(pixels="pwm")), *button_pins(gpio(pixels="pwm"))) == (18, 7, 8, 9)
    assert button_pins(gpio("[buttons]\nmenu='none'\ndark=14")) == (18, 14, None)
    expander = config_from_text("[contacts]\ndriver='expander'\ncolumns=[8,9,10,11,12,13,14]")
    assert contact_pins(expander) == ((*range(8), 15), tuple(range(8, 15)))
    assert button_pins(expander) == (5, 6, 12)


@pytest.mark.parametrize("contacts", ["mock", "gpio", "expander", "mcu"])
@pytest.mark.parametrize("pixels", ["mock", "spi", "pwm", "pio", "mcu"])
def test_the_usual_pins_never_clash(contacts: str, pixels: str) -> None:
    check_config(
        Config(contacts=ContactsConfig(driver=contacts), pixels=PixelsConfig(driver=pixels))
    )


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (gpio("[buttons]\nlight = 10"), "pin 10 is used twice: by pixels.pin and by buttons.light"),
        (gpio("[buttons]\ndark=4"), "pin 4 is used twice: by buttons.dark and by contacts.columns"),
        (gpio("[buttons]\ndark=11"), "pin 11 is used twice: by buttons.dark and by the clock of"),
        (
            gpio("[buttons]\nlight=2\ndark=2"),
            "pin 2 is used twice: by buttons.light and by buttons.dark",
        ),
        (gpio("pin = 18", pixels="spi"), "pin 18 is used twice: by pixels.pin and by buttons"),
        (gpio("pin = 14", pixels="pwm"), "[pixels] pin = 14: driver pwm needs one of 18, 12, 13"),
        (
            Config(
                contacts=ContactsConfig(driver="gpio", rows=(5, 6, 12, 13, 16, 19, 20, 4)),
            ),
            "pin 4 is used twice: by contacts.rows[7] and by contacts.columns[0]",
        ),
        (
            Config(contacts=ContactsConfig(driver="expander"), buttons=ButtonsConfig(light=3)),
            "pin 3 is used twice: by buttons.light and by I2C of contacts.driver expander",
        ),
        (
            Config(contacts=ContactsConfig(driver="expander", rows=(0, 1, 2, 8))),
            "expander pin 8 is used twice: by contacts.rows[3] and by contacts.columns[0]",
        ),
        (
            Config(contacts=ContactsConfig(driver="expander", rows=(0, 1), columns=(8, 7))),
            "contacts.columns[1] = 7: expected a pin of the expander",
        ),
        (
            Config(contacts=ContactsConfig(driver="expander", rows=(16,))),
            "contacts.rows[0] = 16: expected a pin of the expander",
        ),
        (
            Config(contacts=ContactsConfig(driver="gpio", rows=(5, 6))),
            "[contacts] driver gpio reads 16 places, the board has 61 spaces",
        ),
        (Config(lights=LightsConfig(order=(0, 0))), "[lights] order: 0 stands there twice"),
        (Config(lights=LightsConfig(order=(1, 0))), "has 2 numbers, expected one for each of 61"),
        (Config(lights=LightsConfig(order=(61,))), "[lights] order: 61: expected a whole number"),
        (Config(contacts=ContactsConfig(order=(61,))), "[contacts] order: 61: expected"),
        (Config(table=TableConfig(masked=("c3", "c3"))), "[table] masked: c3 is named twice"),
        (Config(table=TableConfig(masked=("c33",))), "[table] masked: 'c33' is not a space"),
        (Config(table=TableConfig(overlaps=("c3",))), "expected two spaces"),
        (Config(table=TableConfig(overlaps=("c3 c5",))), "'c3 c5': the spaces are not neighbours"),
        (Config(table=TableConfig(overlaps=("c3 c3",))), "the spaces are not neighbours"),
        (Config(table=TableConfig(overlaps=("c3 x4",))), "[table] overlaps: 'x4' is not a space"),
        (Config(table=TableConfig(debounce_s=0.4)), "debounce_s = 0.4 must be less than settle_s"),
        (Config(table=TableConfig(settle_s=4)), "settle_s = 4.0 must be less than patience_s"),
        (Config(table=TableConfig(shove_s=1)), "shove_s = 1.0 must be less than shove_far_s"),
        (config_from_text("[game]\nrules='chess'"), "[game] rules: rule set 'chess'"),
        (config_from_text("[game]\nboard='no.toml'"), "[game] board: board file 'no.toml' cannot"),
        (config_from_text("[game]\nboard='\\u0000'"), "[game] board: board file"),
        (config_from_text("[game]\nrules='egressian shifs=2'"), "do not go together: Light has 3"),
    ],
)
def test_what_does_not_go_together_is_said(config: Config, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        check_config(config)
    assert said in str(caught.value)


def test_spaces_and_orders() -> None:
    config = Config(table=TableConfig(masked=("c3", "a1"), overlaps=("c4 c3", "c3  d3")))
    check_config(config)
    assert masked_spaces(config, BOARD) == BOARD.grid.mask("a1", "c3")
    number = BOARD.grid.number
    assert overlap_pairs(config, BOARD) == (
        (number("c3"), number("c4")),
        (number("c3"), number("d3")),
    )
    assert light_order(config, BOARD) == contact_order(config, BOARD) == tuple(range(61))


@given(st.permutations(range(61)), st.permutations(range(64)))
def test_orders_are_permutations(lights: list[int], places: list[int]) -> None:
    contacts = ContactsConfig(driver="mcu", order=tuple(places[:61]))
    config = Config(lights=LightsConfig(order=tuple(lights)), contacts=contacts)
    check_config(config)
    assert light_order(config, BOARD) == tuple(lights)
    assert contact_order(config, BOARD) == tuple(places[:61])


# -- files ----------------------------------------------------------------------------------------


def test_paths_begin_at_the_file(tmp_path: Path) -> None:
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "three.toml").write_text(SMALL_BOARD, encoding="utf-8")
    file = tmp_path / "config.toml"
    text = "[game]\nboard='boards/three.toml'\n[store]\npath='games'\n"
    file.write_text(text, encoding="utf-8")
    config = load_config(file)
    assert board_of(config).side == 3
    assert rules_of(config).name == "egressian"
    assert state_path(config, environ={"STATE_DIRECTORY": "/var/lib/x"}) == tmp_path / "games"
    file.write_text(text + "[lights]\norder=[0,1]", encoding="utf-8")
    with pytest.raises(ConfigError, match="expected one for each of 19 spaces"):
        load_config(file)


@pytest.mark.parametrize("text", ["[game]\nboard='~/b.toml'", "[store]\npath='~/games'"])
def test_a_tilde_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match="~ is not understood here"):
        load_config(file)


@pytest.mark.parametrize("content", [b"\xff", None])
def test_a_file_that_cannot_be_read(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "config.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigError, match=r"config file '.*config\.toml' cannot be read"):
        load_config(file)
    with pytest.raises(ConfigError, match="cannot be read"):
        load_config("a\0b")


def test_without_a_file_there_are_the_defaults() -> None:
    assert load_config(None) == Config()
    assert tomllib.loads(format_config(Config()))["table"]["scan_hz"] == 100


def test_where_the_file_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = tmp_path / "etc" / "config.toml"
    monkeypatch.setattr(paths, "SYSTEM_CONFIG", system)
    home, xdg = tmp_path / "home", tmp_path / "xdg"
    own = home / ".config" / "sorcel-pi" / "config.toml"
    other = xdg / "sorcel-pi" / "config.toml"
    mac = home / "Library" / "Application Support" / "sorcel-pi" / "config.toml"
    windows = home / "AppData" / "Local" / "sorcel-pi" / "config.toml"
    environ = {"HOME": str(home)}

    def found(platform: str = "linux", **more: str) -> Path | None:
        return config_path(environ=environ | more, platform=platform)

    assert found() is None
    for file in (system, own, other, mac, windows):
        file.parent.mkdir(parents=True)
    system.touch()
    assert found() == found(XDG_CONFIG_HOME=str(xdg)) == found("darwin") == system
    assert found("win32") is None
    for file in (own, other, mac, windows):
        file.touch()
    assert found() == found(XDG_CONFIG_HOME="not/absolute") == own
    assert found(XDG_CONFIG_HOME=str(xdg)) == other
    assert found("darwin") == mac
    assert found("win32") == windows
    assert found("win32", LOCALAPPDATA=str(tmp_path)) is None
    assert found(SORCEL_CONFIG="elsewhere.toml") == Path("elsewhere.toml")
    assert config_path("this.toml", environ={"SORCEL_CONFIG": "x"}) == Path("this.toml")


def test_where_games_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environ = {"HOME": str(tmp_path)}

    def place(platform: str = "linux", **more: str) -> Path:
        return state_path(Config(), environ=environ | more, platform=platform)

    assert place() == tmp_path / ".local" / "state" / "sorcel-pi"
    assert place(XDG_STATE_HOME=str(tmp_path / "x")) == tmp_path / "x" / "sorcel-pi"
    assert place(STATE_DIRECTORY="/var/lib/sorcel-pi:/other") == Path("/var/lib/sorcel-pi")
    assert place("darwin") == tmp_path / "Library" / "Application Support" / "sorcel-pi"
    assert place("win32") == tmp_path / "AppData" / "Local" / "sorcel-pi"
    assert state_path(Config()).name == "sorcel-pi"

    def nowhere() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", nowhere)
    with pytest.raises(ConfigError, match="no home folder"):
        state_path(Config(), environ={}, platform=sys.platform)
    monkeypatch.setattr(paths, "SYSTEM_CONFIG", tmp_path / "none.toml")
    assert config_path(environ={}) is None
