"""`sorcel doctor`: what stands between this machine and a working board."""

from typing import Annotated

import typer

from ..config.load import load_config
from ..config.paths import config_path
from ..config.schema import Config
from ..errors import ConfigError
from ..host.machine import Machine
from .table import ConfigOption


def doctor(
    json: Annotated[bool, typer.Option("--json", help="Write the findings as JSON.")] = False,
    open_board: Annotated[
        bool, typer.Option("--board/--no-board", help="Open the board itself as well.")
    ] = True,
    config: ConfigOption = None,
) -> None:
    """Look at everything that the board needs, and say what helps; 1 if anything is at fault."""
    from ..doctor import devices, live, system
    from ..doctor.report import (
        Context,
        Finding,
        check_all,
        exit_code,
        fault,
        ok,
        report_json,
        report_text,
    )

    settings, findings = Config(), list[Finding]()
    try:
        path = config_path(config)
        settings = load_config(path)
        drivers = f"contacts by {settings.contacts.driver}, lights by {settings.pixels.driver}"
        where = path or "there is no file, so the defaults apply"
        simulated = " (mock is simulated)" if "mock" in drivers else ""
        findings.append(ok("config", f"{where}: {drivers}{simulated}"))
    except ConfigError as error:
        remedy = "mend that; sorcel config --default shows every setting"
        findings.append(fault("config", str(error), remedy))
    checks = [*system.CHECKS, *devices.CHECKS, *(live.CHECKS if open_board else ())]
    findings += check_all(Context(Machine(), settings), checks)
    typer.echo(report_json(findings) if json else report_text(findings))
    if exit_code(findings):
        raise typer.Exit(1)
