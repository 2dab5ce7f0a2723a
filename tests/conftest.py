"""Settings for the whole suite.

Nothing of `sorcel_pi` is imported here, or coverage would miss the lines that run on import.
"""

import os

import pytest
from hypothesis import HealthCheck, settings

SLOW_MACHINE = (HealthCheck.too_slow,)

settings.register_profile("default", deadline=None, suppress_health_check=SLOW_MACHINE)
settings.register_profile("ci", settings.get_profile("default"), derandomize=True, database=None)
settings.register_profile("soak", settings.get_profile("default"), max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def forbidden_skips(reporter: pytest.TerminalReporter) -> list[str]:
    """Return what was skipped although SORCEL_NO_SKIP=1 allows only some kinds to be."""
    if os.environ.get("SORCEL_NO_SKIP") != "1":
        return []
    skipped = reporter.stats.get("skipped", [])
    return [
        report.nodeid
        for report in skipped
        if not {"kernel", "pico"} & {*getattr(report, "keywords", ())}
    ]


def terminal(config: pytest.Config) -> pytest.TerminalReporter | None:
    """Return what writes to the terminal; a worker of a parallel run has none."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    return reporter if isinstance(reporter, pytest.TerminalReporter) else None


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = terminal(session.config)
    if reporter and forbidden_skips(reporter) and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for name in forbidden_skips(terminalreporter):
        terminalreporter.write_line(f"NOT ALLOWED TO SKIP (SORCEL_NO_SKIP=1): {name}", red=True)
