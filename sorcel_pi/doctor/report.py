"""What a check finds, and how all findings are told.

A check looks at one thing and yields findings; one that fails itself becomes a finding too, so that
whatever the machine is like there is a report and never a traceback.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from textwrap import wrap
from typing import NamedTuple

from ..config.schema import Config
from ..host.machine import Machine


class Level(Enum):
    """How bad it is."""

    OK = "ok"
    WARNING = "warning"
    FAULT = "fault"


class Finding(NamedTuple):
    """One line of the report; `remedy` is what to do, a command where there is one."""

    level: Level
    topic: str
    text: str
    remedy: str = ""


class Context(NamedTuple):
    """What is looked at: the machine, and what the config wants of it."""

    machine: Machine
    config: Config


Check = Callable[[Context], Iterable[Finding]]


def ok(topic: str, text: str) -> Finding:
    """Return a finding that needs nothing."""
    return Finding(Level.OK, topic, text)


def warning(topic: str, text: str, remedy: str) -> Finding:
    """Return a finding with which the board works, but not as well as it could."""
    return Finding(Level.WARNING, topic, text, remedy)


def fault(topic: str, text: str, remedy: str) -> Finding:
    """Return a finding with which the board does not work."""
    return Finding(Level.FAULT, topic, text, remedy)


def check_all(context: Context, checks: Sequence[Check]) -> list[Finding]:
    """Return what all checks find, in order."""
    findings: list[Finding] = []
    for check in checks:
        try:
            findings += check(context)
        except Exception as error:
            topic = check.__name__.removeprefix("check_").replace("_", " ")
            text = f"cannot be looked at: {type(error).__name__}: {' '.join(str(error).split())}"
            findings.append(warning(topic, text, "SORCEL_DEBUG=1 sorcel config shows more"))
    return findings


def report_text(findings: Sequence[Finding]) -> str:
    """Return the report: a line for each finding, remedies below them, a sum at the end."""
    lines = []
    for level, topic, text, remedy in findings:
        lines += wrap(
            f"{level.value:<8} {topic}: {text}",
            100,
            subsequent_indent=" " * 9,
            break_long_words=False,
            break_on_hyphens=False,
        )
        if remedy:
            lines.append(f"         -> {remedy}")  # on one line, to be copied
    counts = {level: sum(each.level is level for each in findings) for level in Level}
    bad = [f"{counts[level]} {level.value}s" for level in (Level.FAULT, Level.WARNING)]
    lines.append(f"{counts[Level.OK]} ok, {', '.join(reversed(bad))}")
    return "\n".join(lines)


def report_json(findings: Sequence[Finding]) -> str:
    """Return the report for programs: a list of objects."""
    return json.dumps(
        [each._asdict() | {"level": each.level.value} for each in findings],
        indent=1,
        ensure_ascii=False,
    )


def exit_code(findings: Iterable[Finding]) -> int:
    """Return 1 if there is a fault, else 0."""
    return int(any(each.level is Level.FAULT for each in findings))
