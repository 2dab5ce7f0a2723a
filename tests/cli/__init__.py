"""The command `sorcel`, in this process and in one of its own."""

import os
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner, Result

from sorcel_pi.cli import app

TESTS = Path(__file__).parents[1]
START = "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -"
AHUMM = "5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 20/20/0/1"
WON = "5/6/7/8/9/8/2FFF2/2SS2/5 l 2/1 3/6 -"
SMALL_BOARD = """
name = "small"
side = 3
detaining = ["c3"]
[start.light]
sentinels = ["a1"]
shifs = ["a2"]
[start]
dark = "half turn"
"""
SMALL = "1fs/4/5/4/SF1 l 1/0 5/5 -"


def sorcel(*arguments: object, stdin: str | bytes | None = None) -> Result:
    """Run the command line in this process."""
    return CliRunner().invoke(app, [str(each) for each in arguments], stdin)


def good(*arguments: object, stdin: str | bytes | None = None) -> str:
    """Return what a command that has to work writes to standard output."""
    result = sorcel(*arguments, stdin=stdin)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def bad(*arguments: object, stdin: str | bytes | None = None) -> str:
    """Return the line that a command which has to fail writes to standard error."""
    result = sorcel(*arguments, stdin=stdin)
    assert result.exit_code == 1, result.output
    assert result.stderr.startswith("sorcel: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


def process(*arguments: object, stdin: int | None = None) -> "subprocess.Popen[bytes]":
    """Start `sorcel` as a process of its own, with pipes to it."""
    return subprocess.Popen(
        [sys.executable, "-m", "sorcel_pi", *(str(each) for each in arguments)],
        stdin=subprocess.PIPE if stdin is None else stdin,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(TESTS.parent)},
    )
