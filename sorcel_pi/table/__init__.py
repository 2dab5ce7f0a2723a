"""The table: from contacts to what was played, and from what must happen to lights.

Nothing here does I/O or reads a clock: time is an argument, in seconds.
"""
