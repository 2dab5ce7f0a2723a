"""`sorcel rulebook`: the rules with pictures, to be printed."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from .common import write_bytes


class Language(StrEnum):
    """The languages that the rules are printed in."""

    ENGLISH = "en"
    GERMAN = "de"


def rulebook(
    out: Annotated[
        Path,
        typer.Option("--out", metavar="FILE.pdf", help="Where to write it; - is standard output."),
    ],
    language: Annotated[
        Language, typer.Option("--language", help="In English (en) or German (de).")
    ] = Language.ENGLISH,
) -> None:
    """Write the rules with pictures as a PDF of two pages of A4.

    The page of the table shows the same rules, without a code.
    """
    from ..rulebook.pages import rules_pdf

    write_bytes(out, rules_pdf(language.value))
