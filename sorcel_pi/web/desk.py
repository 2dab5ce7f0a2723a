"""What the page's server needs of the table it shows: values and functions, put together elsewhere.

All of it may be called by the server's thread; whoever makes it sees to it that the loop's thread
does what touches the table.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .api import Deed
from .auth import Auth
from .broadcast import Broadcast
from .screen_hands import Request


@dataclass(frozen=True, slots=True)
class Desk:
    """A table as the server sees it.

    `hand` is None at a real table.  `games` (those below an id) and `game` read the store; `record`
    returns the record of the running game, or of a stored one by number; `scans` where the scan log
    is, if there is one.  What is not there is None.
    """

    hub: Broadcast
    guard: Auth
    do: Callable[[Deed], None]
    show_code: Callable[[], None]
    hand: Callable[[Request], None] | None
    games: Callable[[int], dict[str, Any]]
    game: Callable[[int], dict[str, Any] | None]
    record: Callable[[int | None], str | None]
    scans: Callable[[], Path | None]
