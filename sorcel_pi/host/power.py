"""Voltage and heat of the machine: watched, told, and answered with less light."""

from collections.abc import Callable
from dataclasses import replace

from ..app import App
from ..messages.catalogue import render
from ..messages.message import Message, message
from ..table.commands import SetLights
from ..table.companion import Output
from ..table.events import Notice
from .machine import Power

LOOK_S = 2.0
"""How often voltage and heat are looked at."""
DIMMED = 0.5
"""What is left of the brightness while the voltage is too low."""
TOLD = {
    ("voltage", True): message("notice.voltage.low"),
    ("voltage", False): message("notice.voltage.ok"),
    ("heat", True): message("notice.heat.high"),
    ("heat", False): message("notice.heat.ok"),
}
"""What is said when something begins or ends."""


class PowerWatch:
    """Halves the brightness while the voltage is too low; tells page and log of that and of heat.

    `look` returns what the machine reports, None where nothing does.
    """

    def __init__(self, look: Callable[[], Power | None]) -> None:
        """Begin with all well."""
        self._look = look
        self._before: float | None = None
        """The brightness before it was halved; None while the voltage is high enough."""
        self._next_s = 0.0

    def __call__(self, app: App) -> None:
        """Look at it now and then."""
        now = app.clock.now()
        if now < self._next_s:
            return
        self._next_s = now + LOOK_S
        power = self._look() or Power()
        if power.low != (self._before is not None):
            self._dim(app)
        for key, holds in (("voltage", power.low), ("heat", power.hot)):
            if holds != (key in app.warnings):
                app.warnings ^= {key}
                _tell(app, TOLD[key, holds])

    def _dim(self, app: App) -> None:
        """Halve the brightness, or take it back if nobody has set another meanwhile."""
        lights = app.table.lights
        if self._before is None:
            self._before = lights.brightness
            brightness = lights.brightness * DIMMED
        else:
            dimmed = lights.brightness == self._before * DIMMED
            brightness = self._before if dimmed else lights.brightness
            self._before = None
        app.commands.put(SetLights(replace(lights, brightness=brightness)))


def _tell(app: App, said: Message) -> None:
    """Tell log and page; the frame comes with the next pass."""
    app.log(render(said))
    if app.watch is not None:
        app.watch(app, Output((), False, (Notice(said),)))
