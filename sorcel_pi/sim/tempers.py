"""How different people are at a table: the named tempers."""

from .people import CAREFUL, Temper

TEMPERS: dict[str, Temper] = {each.name: each for each in (CAREFUL,)}
