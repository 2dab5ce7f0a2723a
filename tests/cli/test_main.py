"""Exit codes, failures, pipes and interrupts: the same for all commands."""

import signal
import subprocess
import sys
from typing import NoReturn

import pytest

import sorcel_pi
from sorcel_pi import CascadeError
from sorcel_pi.cli import COMMANDS, main

from . import START, bad, good, process, sorcel


def test_without_arguments_it_shows_its_help() -> None:
    told = good()
    assert told == good("--help")
    for command in COMMANDS:
        assert command.__name__ in told


@pytest.mark.parametrize("name", [command.__name__ for command in COMMANDS])
def test_every_command_explains_itself(name: str) -> None:
    assert "Usage" in good(name, "--help")
    assert good(name, "-h") == good(name, "--help")


def test_version() -> None:
    assert good("--version") == f"sorcel {sorcel_pi.__version__}\n"


@pytest.mark.parametrize(
    "line",
    ["nonsense", "--nonsense", "perft", "perft x", "perft -1", "perft 1 2", "record", "show a b"],
)
def test_a_command_line_that_cannot_be_understood(line: str) -> None:
    assert sorcel(*line.split()).exit_code == 2


@pytest.mark.parametrize("command", ["show", "picture"])
def test_errors_are_one_line(command: str) -> None:
    assert "position code 'x'" in bad(command, "x")
    assert "board file 'missing.toml' cannot be read" in bad(command, "--board", "missing.toml")
    assert "rule set 'chess'" in bad(command, "--rules", "chess")
    assert "expected five fields" in bad(command, "a\nb")


def fail_with(error: Exception) -> "type[NoReturn]":
    raise error


def test_what_was_not_expected_is_one_line_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sorcel_pi.commands.show.read_position", lambda *_: 1 / 0)
    told = bad("show")
    assert told.startswith("sorcel: unexpected ZeroDivisionError: division by zero (")
    assert "SORCEL_DEBUG=1" in told
    monkeypatch.setenv("SORCEL_DEBUG", "1")
    result = sorcel("show")
    assert result.exit_code == 1
    assert "Traceback" in result.stderr
    assert "1 / 0" in result.stderr


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (CascadeError("still going on"), "sorcel: still going on\n"),
        (OSError(28, "No space left on device"), "sorcel: [Errno 28] No space left on device\n"),
    ],
)
def test_other_failures(monkeypatch: pytest.MonkeyPatch, error: Exception, line: str) -> None:
    monkeypatch.setattr("sorcel_pi.commands.show.read_position", lambda *_: fail_with(error))
    assert bad("show") == line


def test_a_broken_pipe_is_quiet_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = BrokenPipeError(32, "Broken pipe")
    monkeypatch.setattr("sorcel_pi.commands.show.read_position", lambda *_: fail_with(pipe))
    result = sorcel("show")
    assert (result.exit_code, result.output) == (0, "")


@pytest.mark.parametrize("line", ["rules", "show", "perft 4 --divide", "picture start"])
def test_a_reader_that_leaves_is_no_failure(line: str) -> None:
    running = process(*line.split())
    assert running.stdin is not None
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.close()  # as `head -0` does
    request = b'{"before": "%s", "action": "c3d4"}\n' % START.encode()
    _, told = running.communicate(request * 100 if line == "rules" else b"", timeout=60)
    assert told == b""
    assert running.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_control_c_is_quiet() -> None:
    running = process("rules")
    assert running.stdin is not None
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdin.write(b'{"before": "", "action": ""}\n')
    running.stdin.flush()
    assert running.stdout.readline().startswith(b'{"error"')  # it is up, and answers at once
    running.send_signal(signal.SIGINT)
    try:
        assert running.wait(timeout=60) == 130
    finally:
        running.kill()
    assert running.stderr.read() == b""
    running.communicate()


def test_what_the_terminal_cannot_show_is_escaped(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    del capfd
    for argv, code in ((["sorcel", "--version"], 0), (["sorcel", "show", "x"], 1)):
        monkeypatch.setattr(sys, "argv", argv)
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == code


def test_a_terminal_without_unicode() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sorcel_pi", "record", "nöpe"],
        env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith(b"sorcel: 'n\\xf6pe' cannot be read: ")


def test_importing_it_imports_nothing_heavy() -> None:
    heavy = "import sorcel_pi.cli, sys; assert not {'rich', 'asyncio'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", heavy], check=True)
