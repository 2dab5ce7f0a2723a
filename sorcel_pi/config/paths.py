"""Where the config file and the games are.  Only here the environment is looked at."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from ..errors import ConfigError
from .schema import Config

SYSTEM_CONFIG = Path("/etc/sorcel-pi/config.toml")
_APP = "sorcel-pi"


def config_path(
    given: str | Path | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    platform: str = sys.platform,
) -> Path | None:
    """Return the config file to load: `given`, $SORCEL_CONFIG, the user's, the system's, or None.

    The first two are returned whether or not they exist, as somebody asked for them.
    """
    environ = os.environ if environ is None else environ
    asked = given or environ.get("SORCEL_CONFIG")
    if asked:
        return Path(asked)
    places = config_places(environ=environ, platform=platform)
    return next((path for path in places if _is_file(path)), None)


def config_places(
    *, environ: Mapping[str, str] | None = None, platform: str = sys.platform
) -> list[Path]:
    """Return where a config file that nobody names is looked for: the user's, the system's."""
    environ = os.environ if environ is None else environ
    own = _user_folder("XDG_CONFIG_HOME", ".config", environ, platform)
    places = [own / "config.toml"] if own else []
    if platform != "win32":
        places.append(SYSTEM_CONFIG)
    return places


def state_path(
    config: Config,
    *,
    environ: Mapping[str, str] | None = None,
    platform: str = sys.platform,
) -> Path:
    """Return the folder for games: the config's, systemd's $STATE_DIRECTORY, or the user's."""
    environ = os.environ if environ is None else environ
    asked = config.store.path or environ.get("STATE_DIRECTORY", "").split(":")[0]
    if asked:
        return Path(asked)
    own = _user_folder("XDG_STATE_HOME", ".local/state", environ, platform)
    if own is None:
        raise ConfigError("[store] path is empty, and this user has no home folder to keep games")
    return own


def _user_folder(
    variable: str, usual: str, environ: Mapping[str, str], platform: str
) -> Path | None:
    try:
        home = Path(environ["HOME"]) if environ.get("HOME") else Path.home()
    except RuntimeError:
        return None
    if platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / _APP
    if platform == "darwin":
        return home / "Library" / "Application Support" / _APP
    named = Path(environ.get(variable, ""))  # the standard says: ignored if not absolute
    return (named if named.is_absolute() else home / usual) / _APP


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a folder on the way may not be entered
        return False
