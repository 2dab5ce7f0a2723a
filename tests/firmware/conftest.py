"""Stubs and scripts are for MicroPython, not for pytest."""

collect_ignore_glob = ["stubs/*", "scripts/*"]
