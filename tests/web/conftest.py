"""A table for each test of the page."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.table import Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    try:
        yield made
    finally:
        made.close()
