"""Case 30: a Python that is too old is refused at once and in words, wherever it is met."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import sorcel_pi

ROOT = Path(__file__).parents[2]


def test_30_the_package_says_which_python_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(sorcel_pi.__file__)
    code = compile(path.read_text(encoding="utf-8"), path, "exec")
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    with pytest.raises(ImportError, match=r"needs Python 3\.11 or newer"):
        exec(code, {"__name__": "sorcel_pi"})


def test_30_make_says_so_before_it_makes_anything(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text('#!/bin/sh\ncase "$2" in *print*) echo 3.9;; *) exit 1;; esac\n', "utf-8")
    old.chmod(0o755)
    done = subprocess.run(
        ["sh", ROOT / ".ci/environment", "runtime"],
        env=os.environ | {"PYTHON": str(old)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1 and done.stdout == ""
    assert f"needs Python 3.11 or newer; {old} here is 3.9" in done.stderr


def test_30_the_guide_installs_into_an_environment_that_debian_allows() -> None:
    text = (ROOT / "docs/on-the-pi.md").read_text(encoding="utf-8")
    steps = text.split("```")[1]
    assert "-m venv --system-site-packages /opt/sorcel-pi" in steps
    assert all("/opt/sorcel-pi/bin/python -m pip" in x for x in steps.splitlines() if "pip " in x)
