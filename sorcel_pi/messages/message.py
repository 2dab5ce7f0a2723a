"""A sentence as a value: its key in the catalogue of texts, and what belongs in its gaps.

Whoever has something to say makes a `Message`; page, terminal and log render it in their language
with `catalogue`.  Nobody reads the rendered words back.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple


class Message(NamedTuple):
    """A sentence: its key in the catalogue, and what goes into its gaps.

    Gaps named `kind` take the letter of a piece, `side` 0 for Light and 1 for Dark, `n` a count,
    which also chooses between the forms for one and for many.
    """

    key: str
    gaps: Mapping[str, Any] = {}


def message(key: str, **gaps: Any) -> Message:
    """Return the sentence `key` with its gaps filled.

    >>> message("turn.steps", side=0, n=3)
    Message(key='turn.steps', gaps={'side': 0, 'n': 3})
    """
    return Message(key, gaps)
