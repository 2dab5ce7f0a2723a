"""The errors of Sorcel Pi, each also the nearest built-in.

Everything that the library raises on purpose is a `SorcelError`.  A person's mistake at the table
is never an error (it is a verdict of the referee); these are for callers who hand over bad text,
bad settings or an action that cannot be played, and for devices that are gone.  Messages say what
was given, what was expected and where.
"""


class SorcelError(Exception):
    """Parent of all errors of this package."""


class NotationError(SorcelError, ValueError):
    """A text cannot be parsed: a space, an action, a position code, a record, a board file."""


class IllegalActionError(SorcelError, ValueError):
    """The action is well formed but not legal in the position at hand."""


class ImpossiblePositionError(SorcelError, ValueError):
    """The parts can be read, but no game can stand like this."""


class CascadeError(SorcelError, RuntimeError):
    """A cascade did not come to rest within its bound (no such cascade is known)."""


class ConfigError(SorcelError, ValueError):
    """The config file has an unknown key or a value that cannot be used."""


class StoreError(SorcelError, OSError):
    """The database of games cannot be read or written."""


class DeviceError(SorcelError, OSError):
    """A sensor, a light or the line to them is gone, garbled or used twice."""


class EngineError(SorcelError, RuntimeError):
    """An engine of another program cannot be started, is silent, or plays nonsense."""


def quote(text: object, limit: int = 80) -> str:
    """Return `text` in quotes for a message, shortened in the middle beyond `limit` characters.

    >>> quote("c3d4")
    "'c3d4'"
    """
    try:
        shown = repr(text if isinstance(text, str) else str(text))
    except (ValueError, RecursionError):  # a number of thousands of digits, or nested too deeply
        return "something too large to show"
    if len(shown) <= limit:
        return shown
    half = (limit - 5) // 2
    return f"{shown[:half]} ... {shown[-half:]}"
