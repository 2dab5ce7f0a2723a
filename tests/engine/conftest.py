"""The engine in C, compiled once."""

import pytest

from sorcel_pi.engine.native import Library

from .kit import compiled, has_compiler


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    if not has_compiler():
        pytest.skip("no C compiler (cc) is installed")
    return compiled(tmp_path_factory.mktemp("engine"))
