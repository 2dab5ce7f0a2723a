"""`sorcel calibrate` at work in a thread, with its page, on a matrix that is wired on mock pins."""

import json
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from types import SimpleNamespace
from typing import Any

import pytest
import typer
from gpiozero import Device
from gpiozero.pins.mock import MockFactory
from websockets import Origin
from websockets.sync.client import ClientConnection, connect

from sorcel_pi.calibration import interview as sittings
from sorcel_pi.calibration import wiring
from sorcel_pi.commands import bench, calibrate
from sorcel_pi.config.load import load_config
from sorcel_pi.config.wiring import contact_pins
from sorcel_pi.drivers.ports import Frame
from tests.drivers.wired import FakeLgpio, WiredPin, Wiring

LONGEST_S = 60.0
QUICK_S = 0.03
CONFIG = """[contacts]
driver = "gpio"
[pixels]
driver = "spi"
[web]
host = "127.0.0.1"
port = 0
"""


class Strip:
    """Stands for the chain of lights: keeps the newest frame."""

    frame: Frame = ()

    def __init__(self, lights: int, **settings: object) -> None:
        Strip.frame = ((0, 0, 0),) * lights

    def show(self, frame: Frame) -> None:
        Strip.frame = frame

    def close(self) -> None:
        Strip.frame = ((0, 0, 0),) * len(Strip.frame)


class Sat:
    """The command, the wood it looks at, and what a person sees and does."""

    def __init__(self, folder: Path, places: Sequence[int], layout: Sequence[int]) -> None:
        self.path = folder / "config.toml"
        self.path.write_text(f'{CONFIG}[store]\npath = "state"\n', encoding="utf-8")
        self.places, self.layout = places, layout
        self.wiring = Wiring(*contact_pins(load_config(self.path)))
        self.said: list[str] = []
        self.typed: SimpleQueue[str] = SimpleQueue()
        self.served: list[tuple[str, int, str]] = []
        self.failed: list[BaseException] = []
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        try:
            calibrate.calibrate(config=self.path)
        except BaseException as error:
            self.failed.append(error)

    def keys(self) -> str | None:
        try:
            return self.typed.get_nowait()
        except Empty:
            return None

    # The wood.

    def lay(self, *spaces: int) -> None:
        """Let magnets lie on these spaces and nowhere else."""
        self.wiring.close_places(sum(1 << self.places[space] for space in spaces))

    def lit(self) -> list[int]:
        """The spaces beside which a light is on."""
        frame = Strip.frame
        return [self.layout[k] for k, colour in enumerate(frame) if any(colour)]

    # The page.

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.served[0][1]}"

    @property
    def code(self) -> str:
        return self.served[0][2]

    def until(self, holds: Callable[[], Any]) -> Any:
        end = time.monotonic() + LONGEST_S
        while not (found := holds()):
            assert time.monotonic() < end, (self.said[-5:], self.failed)
            time.sleep(0.005)
        return found

    def post(self, path: str, data: Any, cookie: str = "") -> Any:
        """Return the status of a POST and its headers."""
        request = urllib.request.Request(f"http://{self.host}{path}", json.dumps(data).encode())
        request.add_header("Origin", f"http://{self.host}")
        request.add_header("Cookie", cookie)
        try:
            with urllib.request.urlopen(request, timeout=LONGEST_S) as answer:
                return SimpleNamespace(status=answer.status, headers=answer.headers)
        except urllib.error.HTTPError as error:
            with error:
                return SimpleNamespace(status=error.code, headers=error.headers)

    def token(self) -> str:
        answer = self.post("/api/enter", {"code": self.code})
        assert answer.status == 200
        return str(answer.headers["set-cookie"]).partition(";")[0]

    def open(self, cookie: str = "") -> ClientConnection:
        return connect(
            f"ws://{self.host}/live",
            origin=Origin(f"http://{self.host}"),
            additional_headers={"Cookie": cookie} if cookie else {},
            proxy=None,
        )


@contextmanager
def sat_down(
    folder: Path, monkeypatch: pytest.MonkeyPatch, places: Sequence[int], layout: Sequence[int]
) -> Iterator[Sat]:
    """Start the command; in the end it must have ended, by itself or by q."""
    sat = Sat(folder, places, layout)
    pins = type("Soldered", (WiredPin,), {"wiring": sat.wiring})
    Device.pin_factory = MockFactory(pin_class=pins)
    monkeypatch.setitem(sys.modules, "lgpio", FakeLgpio(sat.wiring))
    monkeypatch.setattr("sorcel_pi.drivers.pixels.Pixels", Strip)
    monkeypatch.setattr(bench, "terminal_keys", lambda: sat.keys)
    monkeypatch.setattr(typer, "echo", sat.said.append)
    monkeypatch.setattr(wiring, "STEADY_S", QUICK_S)
    monkeypatch.setattr(sittings, "RUN_S", QUICK_S)
    monkeypatch.setattr(
        calibrate, "announce", lambda host, port, code, last: sat.served.append((host, port, code))
    )
    sat.thread.start()
    try:
        sat.until(lambda: sat.served or sat.failed)
        yield sat
    finally:
        sat.typed.put("q")
        sat.thread.join(LONGEST_S)
        assert not sat.thread.is_alive() and not sat.failed, sat.failed
        Device.pin_factory.reset()
        Device.pin_factory = None
