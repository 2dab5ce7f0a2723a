"""A chain of lights on a pin of the Pi: by SPI, by PWM, or on a Pi 5 by its PIO.

Frames come as they are to be sent: gamma, limit and the order of the lights are in them.  The
libraries are Adafruit's; which one works depends on the model, and where none does the message
says what to do instead.  One process owns the chain.
"""

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import DeviceError
from .ports import Frame

PACKAGES = {
    "spi": "adafruit-circuitpython-neopixel-spi 'gpiod<3'",
    "pwm": "adafruit-circuitpython-neopixel 'gpiod<3' rpi_ws281x",
    "pio": ("adafruit-circuitpython-neopixel 'gpiod<3' Adafruit-Blinka-Raspberry-Pi5-Neopixel"),
}
"""What each way needs from the package index."""
RESET_S = 300e-6
"""Newer lights take over a frame only after more than 280 us of silence."""
SPI_HZ = 6_400_000
"""How fast the library sends, a byte for each bit of a light."""
SPI_BUFFER = Path("/sys/module/spidev/parameters/bufsiz")
SPI_LARGER = "append spidev.bufsiz=32768 to the line in /boot/firmware/cmdline.txt; sudo reboot"
"""What helps where a frame does not fit into SPI's buffer."""
MODEL = Path("/proc/device-tree/model")

Strip = Any
"""What both libraries make: an `adafruit_pixelbuf.PixelBuf`."""


class Pixels:
    """Lights in a chain of `lights`, driven by `way` ("spi", "pwm" or "pio") on pin `pin` (BCM).

    `make` makes the strip of a way, by default by the library for it.  Raises `DeviceError`.
    """

    def __init__(
        self,
        lights: int,
        *,
        way: str = "spi",
        pin: int = 10,
        colour_order: str = "GRB",
        model: str | None = None,
        make: Callable[[str, int, int, str], Strip] | None = None,
    ) -> None:
        """Open the chain and make it dark; `model` is what the machine calls itself."""
        self._lights = lights
        self._white = (0,) * (len(colour_order) - 3)
        _check_way(way, machine_model() if model is None else model)
        try:
            self._strip = (make or open_strip)(way, pin, lights, colour_order)
        except DeviceError:
            raise
        except Exception as error:
            raise DeviceError(f"the lights cannot be opened: {_advice(way, error)}") from error
        self._way = way
        self._closed = False
        self.show(((0, 0, 0),) * lights)

    def show(self, frame: Frame) -> None:
        """Show `frame`."""
        if len(frame) != self._lights:
            raise ValueError(f"a frame of {len(frame)} colours for {self._lights} lights")
        if self._closed:
            raise DeviceError("the lights are closed: this chain has been let go")
        try:
            white = self._white
            # Four channels where the light has them: of three, Adafruit makes grey white.
            self._strip[:] = [(*colour, *white) for colour in frame] if white else frame
            self._strip.show()
        except Exception as error:
            raise DeviceError(f"the lights cannot be set: {_advice(self._way, error)}") from error

    def close(self) -> None:
        """Make every light dark and let go."""
        if self._closed:
            return
        try:
            self.show(((0, 0, 0),) * self._lights)
        finally:
            self._closed = True
            pin = getattr(self._strip, "pin", None)
            if pin is not None:
                pin.deinit()


def machine_model(path: Path = MODEL) -> str:
    """Return what the machine calls itself, such as "Raspberry Pi 5 Model B Rev 1.0", or ""."""
    try:
        return path.read_bytes().rstrip(b"\0").decode(errors="replace")
    except OSError:
        return ""


def is_pi_5(model: str) -> bool:
    """Return whether a model has its pins behind the RP1, as the Pi 5 and its relatives have.

    >>> is_pi_5("Raspberry Pi Compute Module 5 Rev 1.0"), is_pi_5("Raspberry Pi Zero 2 W Rev 1.0")
    (True, False)
    """
    return re.search(r"(Pi|Module) 5(00)?\b", model) is not None


def why_not(way: str, model: str) -> str:
    """Return why lights by `way` cannot work on this model, or "" if they can."""
    if way == "pio" and model and not is_pi_5(model):
        return f"lights by pio need a Pi 5, and this is a {model}: driver spi works here"
    if way == "pwm" and is_pi_5(model) and not _has_pio_library():
        return (
            "lights by pwm do not work on a Pi 5: take driver spi with the lights on GPIO10, or "
            f"driver pio after {install_line('pio')}"
        )
    return ""


def install_line(way: str) -> str:
    """Return the command that installs what lights by `way` need."""
    return f'"{sys.executable}" -m pip install {PACKAGES[way]}'


def spi_bytes(lights: int, channels: int) -> int:
    """Return how many bytes a frame has on SPI, the silence before and behind it included.

    >>> spi_bytes(61, 3), spi_bytes(169, 3)
    (1944, 4536)
    """
    return 8 * channels * lights + 2 * round(SPI_HZ * RESET_S / 8)


def _missing(way: str, error: ImportError) -> DeviceError:
    text = " ".join(f"{error}".split())
    return DeviceError(f"lights by {way} need more packages ({text}): {install_line(way)}")


def _check_way(way: str, model: str) -> None:
    reason = why_not(way, model)
    if reason:
        raise DeviceError(reason)


def _has_pio_library() -> bool:
    from importlib.util import find_spec

    return find_spec("adafruit_raspberry_pi5_neopixel_write") is not None


def open_strip(way: str, pin: int, lights: int, colour_order: str) -> Strip:
    """Return the strip by the library for `way`."""
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    if way == "spi":
        _check_spi_buffer(spi_bytes(lights, len(colour_order)))
        return _open_spi(lights, colour_order)
    try:
        import board
        from neopixel import NeoPixel
    except ImportError as error:
        raise _missing(way, error) from None
    return NeoPixel(
        getattr(board, f"D{pin}"),
        lights,
        bpp=len(colour_order),
        auto_write=False,
        pixel_order=colour_order,
    )


def _check_spi_buffer(need: int) -> None:
    """Make sure that a frame goes out in one piece: lights take a pause for the end of it.

    The library cuts at 4096 bytes unless it is told otherwise, the kernel refuses more than its
    own buffer holds.
    """
    try:
        size = int(SPI_BUFFER.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return  # no such module here: whatever is wrong will be said when SPI is opened
    if size < need:
        raise DeviceError(
            f"the lights cannot be opened: SPI's buffer holds {size} bytes, a frame has {need}; "
            + SPI_LARGER
        )
    os.environ.setdefault("SPI_BUFSIZE", f"{size}")


def _open_spi(lights: int, colour_order: str) -> Strip:
    try:
        import board
        from neopixel_spi import NeoPixel_SPI
    except ImportError as error:
        raise _missing("spi", error) from None
    return NeoPixel_SPI(
        board.SPI(),
        lights,
        bpp=len(colour_order),
        auto_write=False,
        pixel_order=colour_order,
        reset_time=RESET_S,
    )


def _advice(way: str, error: Exception) -> str:
    text = " ".join(f"{error}".split()) or type(error).__name__
    if "/dev/mem" in text or "sudo" in text:
        return (
            f"{text} Lights by pwm need root: take driver spi (lights on GPIO10) or a "
            "microcontroller (driver mcu)"
        )
    if isinstance(error, PermissionError | FileNotFoundError):
        return f"{text}; sorcel doctor says what helps"
    return f"{text} (driver {way})"
