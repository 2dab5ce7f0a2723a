"""The engine of Sorcel in C, for `sorcel-pi`: a shared library and nothing else.

`sorcel_pi.engine` loads the file at `LIBRARY` with ctypes, after it has tried it.
"""

import sys
from pathlib import Path

__version__ = "0.1.0"

NAME = {"win32": "sorcel_engine.dll", "darwin": "libsorcel_engine.dylib"}.get(
    sys.platform, "libsorcel_engine.so"
)
LIBRARY = Path(__file__).parent / NAME
