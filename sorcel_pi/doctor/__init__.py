"""Checks of the machine that the board is to run on, each with what helps."""

from .report import Finding, Level, check_all, report_json, report_text

__all__ = ["Finding", "Level", "check_all", "report_json", "report_text"]
