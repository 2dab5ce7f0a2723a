"""From buttons to presses: short, held, one or both.

Short presses act on release; holds act when their time is up.  While both side buttons are down
neither acts alone.  It knows nothing of games: what a press does is the referee's business.
"""

from dataclasses import dataclass, field
from enum import Enum, auto

from ...rules.position import Side
from ..view import Hold
from .debouncer import Buttons, Sensed


class Press(Enum):
    """Something that was done with the buttons."""

    LIGHT = auto()
    DARK = auto()
    BOTH = auto()
    MENU = auto()
    LONG_MENU = auto()
    """Down for longer than a short press, and let go before it is a hold."""
    HOLD_LIGHT = auto()
    HOLD_DARK = auto()
    HOLD_BOTH = auto()
    HOLD_MENU = auto()

    @property
    def side(self) -> Side | None:
        """The side whose button it was, None for both or the menu."""
        if self in (Press.LIGHT, Press.HOLD_LIGHT):
            return Side.LIGHT
        return Side.DARK if self in (Press.DARK, Press.HOLD_DARK) else None

    @property
    def held(self) -> bool:
        """Whether it was a hold."""
        return self in (Press.HOLD_LIGHT, Press.HOLD_DARK, Press.HOLD_BOTH, Press.HOLD_MENU)


_ONE = {Buttons.LIGHT: (Press.LIGHT, Press.HOLD_LIGHT), Buttons.DARK: (Press.DARK, Press.HOLD_DARK)}
_SIDES = Buttons.LIGHT | Buttons.DARK


@dataclass(slots=True)
class ButtonReader:
    """Reads presses from what is sensed; `hold_s`, `both_s` and `menu_s` are seconds."""

    hold_s: float = 2.0
    both_s: float = 3.0
    menu_s: float = 5.0
    _down: Buttons = Buttons.NONE
    _since: float = 0.0
    _was: Buttons = Buttons.NONE
    """All side buttons that took part since none was down."""
    _acted: bool = False
    _menu_since: float | None = field(default=None)
    _menu_acted: bool = False

    def feed(self, sensed: Sensed) -> list[Press]:
        """Return the presses that are complete now."""
        now, down = sensed.time_s, Buttons(sensed.buttons)
        presses = self._menu(down, now)
        sides = down & _SIDES
        if sides != self._down:
            if not sides and self._was and not self._acted:
                presses.append(Press.BOTH if self._was == _SIDES else _ONE[self._was][0])
            if not sides:
                self._was, self._acted = Buttons.NONE, False
            if sides & ~self._down:
                self._since = now
            self._was |= sides
            self._down = sides
        # With one of two let go, the other no longer acts alone.
        elif self.hold is not None and now - self._since >= self._needed - 1e-9:
            presses.append(Press.HOLD_BOTH if sides == _SIDES else _ONE[sides][1])
            self._acted = True
        return presses

    def _menu(self, down: Buttons, now: float) -> list[Press]:
        if not down & Buttons.MENU:
            since, acted = self._menu_since, self._menu_acted
            self._menu_since, self._menu_acted = None, False
            if since is None or acted:
                return []
            return [Press.LONG_MENU if now - since >= self.hold_s - 1e-9 else Press.MENU]
        if self._menu_since is None:
            self._menu_since = now
        elif not self._menu_acted and now - self._menu_since >= self.menu_s - 1e-9:
            self._menu_acted = True
            return [Press.HOLD_MENU]
        return []

    @property
    def pressed_s(self) -> float:
        """When a side's button went down last: what was lit then is what a short press means."""
        return self._since

    @property
    def _needed(self) -> float:
        return self.both_s if self._was == _SIDES else self.hold_s

    @property
    def hold(self) -> Hold | None:
        """The hold that is under way, for the filling row."""
        if not self._down or self._acted or self._down != self._was:
            return None
        side = None
        if self._was != _SIDES:
            side = Side.LIGHT if self._was == Buttons.LIGHT else Side.DARK
        return Hold(side, self._since, self._needed)

    def next_deadline(self) -> float | None:
        """Return when a hold will act if nothing changes, or None."""
        dues = []
        if self.hold is not None:
            dues.append(self._since + self._needed)
        if self._menu_since is not None and not self._menu_acted:
            dues.append(self._menu_since + self.menu_s)
        return min(dues, default=None)
