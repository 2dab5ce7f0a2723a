"""Starts the firmware as MicroPython does, and tells the test when it has ended by itself."""

import sys

from world import world

world.begin()

import main  # noqa: F401

sys.stdout.write(">>> ")
world.report(ended=True)
