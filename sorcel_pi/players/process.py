"""An engine's process: how it is started so that it disturbs nothing and learns nothing.

It runs at the lowest priority, on one core, in a session of its own, without a shell, with no more
of the environment than finding its files needs: no home folder, no socket of the service.
"""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

PASSED_ON = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TEMP")
"""What an engine gets of the environment."""

OWN = (sys.executable, "-P", "-m", "sorcel_pi", "engine")
"""The command of this program's own engine."""


def start(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Start an engine; `OSError` if there is no such program."""
    process = subprocess.Popen(
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=tempfile.gettempdir(),
        env=_environment(command),
        start_new_session=True,
    )
    _stand_back(process.pid)
    return process


def kill(process: "subprocess.Popen[bytes]") -> None:
    """End a process and all that it has started, at once."""
    if process.poll() is not None:
        return
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _environment(command: Sequence[str]) -> dict[str, str]:
    found = {key: os.environ[key] for key in PASSED_ON if key in os.environ}
    if tuple(command) == OWN:
        # Where this program was found, its engine is found too.
        places = [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
        found["PYTHONPATH"] = os.pathsep.join(place for place in places if place)
    return found


def _stand_back(pid: int) -> None:
    """Let the process have only what time is left, on one core; the loop's scans come first."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, pid, 19)
    with suppress(OSError, AttributeError):
        os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0))
    with suppress(OSError, AttributeError):
        os.sched_setaffinity(pid, {max(os.sched_getaffinity(0))})
