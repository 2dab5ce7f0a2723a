"""What is said to the microcontroller, and when: the conversation without port, thread or clock.

Bytes that have arrived go in with the time, bytes that are due come out.  It knows the codec, and
numbers of places and lights, but no pieces.  `mcu` lends it a port and a clock::

    opened ---hello--->  <---hello---  CONNECTED: contacts in, frames out
       ^                                  | nothing heard for a while, or nothing understood
       +------------- LOST <--------------+

What the board complains about is kept in `troubles` until `take_troubles` hands it to somebody who
shows it; only then is the board told that it need not repeat it.
"""

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from .. import wire
from ..errors import DeviceError
from .ports import Frame

HELLO_S = 1.0
"""How often a hello is said until there is an answer."""
ALIVE_S = 1.0
"""How often the line is tried; the board goes dark when it hears nothing for 5 s."""
SHOWN_S = 0.2
"""And so soon after a frame, of which the loss shows only in the number of the next line."""
SILENT_S = 1.5
"""Without any line from the board, which speaks twice a second, for so long it is lost."""
DEAF_S = 5.0
"""When it speaks but does not answer for so long, it is lost as well."""
PATIENCE_S = 3.0
"""For so long an answer is waited for on a port."""
AGAIN_S = 0.25
"""How often at most everything is asked for again."""
REFRESH_S = 10.0
"""How often the whole frame is sent though nothing has changed: a light that glitched heals."""
PROMPT = b">>> "
"""What MicroPython says when it waits for a person instead of running the firmware."""
INSTALL = "sorcel firmware install"
COMPLAINT_S = 60.0
"""How often at most the same complaint is worth a line in a log."""
_MAX_TROUBLES = 16
_FAULTS = {
    "short": (
        "low without any row driven: {}; look for a short of such a column, or of a row, to ground"
    ),
    "chain": (
        "what comes to {} behind the last register is not low: look for the cable and the 3.3 V of "
        "the registers, and for the right REGISTERS in settings.py on the board"
    ),
}
"""What the board tells in the place of contacts that it cannot read, by its code."""
RATE_BYTES_S = 1900
BURST_BYTES = 1000
"""For boards of up to 64 lights, whose frames take 390 bytes; larger ones get more, as they are."""
_OVERHEAD_BYTES = 20


class LinkState(Enum):
    """How things stand with the board."""

    SEARCHING = "searching"
    CONNECTED = "connected"
    LOST = "lost"
    MISMATCH = "version mismatch"
    STOPPED = "stopped"
    """The board answers, but does not run its program."""
    CLOSED = "closed"

    @property
    def answered(self) -> bool:
        """Whether something on the port has answered; else it is no use to go by the text yet."""
        return self in (LinkState.CONNECTED, LinkState.MISMATCH, LinkState.STOPPED)


class LinkStatus(NamedTuple):
    """The state, what it means in words, and the board that was connected last."""

    state: LinkState
    text: str
    firmware: str = ""
    board: str = ""
    limit_ma: int = 0
    """What all lights together may draw: the smaller one of what both sides allow."""
    advice: tuple[str, ...] = ()
    """What the owner should know or do though the board works, a sentence each."""


class Trouble(NamedTuple):
    """Something that the board has complained about; so many `times`, the last at `time_s`."""

    time_s: float
    code: str
    text: str
    times: int = 1


class Complaints:
    """What the board has complained about, each once, until somebody takes it to show it."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._all: dict[tuple[str, str], Trouble] = {}
        self._taken_s: dict[tuple[str, str], float] = {}

    def add(self, trouble: Trouble) -> bool:
        """Keep a complaint; the same again is the same one, more `times`.

        Return whether it has been taken before.
        """
        key = trouble.code, trouble.text
        taken = key in self._taken_s
        before = self._all.pop(key, None)
        self._all[key] = trouble._replace(times=1 + (before.times if before else 0))
        if before and trouble.time_s - self._taken_s.get(key, trouble.time_s) >= COMPLAINT_S:
            del self._taken_s[key]
        while len(self._all) > _MAX_TROUBLES:
            oldest = next(iter(self._all))
            del self._all[oldest]
            self._taken_s.pop(oldest, None)
        return taken

    def take(self, now: float) -> tuple[Trouble, ...]:
        """Return what nobody has taken yet, the newest last."""
        new = tuple(each for key, each in self._all.items() if key not in self._taken_s)
        self._taken_s |= {(each.code, each.text): now for each in new}
        return new

    def __iter__(self) -> Iterator[Trouble]:
        """Give all, whether taken or not, the newest last."""
        return iter(self._all.values())


class Link:
    """One host's side of the line, from port to port."""

    def __init__(
        self, spaces: int, *, current_limit_a: float, colour_order: str, places: int = 0
    ) -> None:
        """Begin without a port and with nothing to show.

        `spaces` is how many the board must have, `places` how many contacts it must tell; 0: that
        does not matter, and without spaces nothing can be shown.
        """
        self.spaces, self.places = spaces, places
        share = max(1.0, spaces / 64)
        self._rate_bytes_s, self._burst_bytes = RATE_BYTES_S * share, BURST_BYTES * share
        self.status = LinkStatus(LinkState.SEARCHING, "the board has not been looked for yet")
        self.decoder = wire.Decoder()
        self.troubles = Complaints()
        self.lost = 0
        """Lines of the host that the board has missed since the driver was made."""
        self.raw: bytes | None = None
        """The newest raw scan, octets as of `contacts`; only while they are asked for."""
        self.connections = 0
        self._limit_ma = min(round(current_limit_a * 1000), wire.MAX_LIMIT_MA)
        self._limit = wire.pack_limit(self._limit_ma, colour_order)
        self._encoder = wire.Encoder()
        self._protocol = wire.PROTOCOL
        self._port = ""
        self._octets: bytes | None = None
        self._buttons = 0
        self._wanted: bytes | None = None
        self._raw_wanted = False
        # What the board knows.
        self._shown: bytes | None = None
        self._limit_told = self._raw_told = False
        self._lost = 0
        # What the board says.
        self._fault = ""
        self._tail = b""
        self._repeats_crash = self._crash_seen = self._echoed = False
        # When, in seconds.
        self._heard_s = self._waiting_s = self._tokens_s = 0.0
        self._hello_s = self._alive_s = self._again_s = self._refresh_s = 0.0
        self._unanswered_s: float | None = None
        self._again_wanted = False
        self._refused = False
        self._tokens = self._burst_bytes

    # The port.

    def opened(self, port: str, now: float) -> None:
        """Begin to say hello on `port`."""
        self._port = port
        self._encoder, self._protocol = wire.Encoder(), wire.PROTOCOL
        self._tokens, self._tokens_s = self._burst_bytes, now
        self._await_hello(now)
        self._echoed = False
        if self.status.state is LinkState.SEARCHING:
            self._be(LinkState.SEARCHING, f"{port} is open, waiting for the board to answer")

    def broke(self, reason: str) -> None:
        """The port is gone, or could not be opened, because of `reason`."""
        self.let_go()
        lost = self.status.state in (LinkState.CONNECTED, LinkState.LOST)
        self._be(LinkState.LOST if lost else LinkState.SEARCHING, reason)

    def absent(self, reason: str) -> None:
        """There is no port that could be opened."""
        if self.status.state is not LinkState.LOST:  # which has a better reason
            self._be(LinkState.SEARCHING, reason)

    def let_go(self) -> None:
        """The port is closed for now; why nothing came of it is known already."""
        self._port = ""
        self._octets = None

    def closed(self) -> None:
        """The line is not wanted any more."""
        self.let_go()
        self._be(LinkState.CLOSED, "the line to the board was closed")

    def given_up(self, now: float) -> bool:
        """Whether it is no use to wait any longer on this port."""
        if self.status.state is LinkState.CONNECTED:
            return False
        return self._refused or now - self._waiting_s >= PATIENCE_S

    def why_given_up(self) -> str:
        """Why nothing came of the port, or nothing where the status says it already."""
        if self.status.state is not LinkState.SEARCHING or self._echoed:
            return ""
        return f"nothing that knows the game answers on {self._port}; what helps: {INSTALL}"

    # What arrives.

    def receive(self, data: bytes, now: float) -> None:
        """Take in bytes that have arrived."""
        gaps = self.decoder.gaps
        for message in self.decoder.feed(data):
            self._heard_s = now
            self._take(message, now)
        if self.decoder.gaps != gaps:
            self._again_wanted = True
        if self.status.state is not LinkState.CONNECTED:
            self._look_for_prompt(data)

    def _look_for_prompt(self, data: bytes) -> None:
        """Find out whether MicroPython answers, which repeats what it is sent, and prompts."""
        seen = self._tail + data
        self._tail = seen[1 - len(PROMPT) :]
        if PROMPT in seen:
            self._refuse(
                LinkState.STOPPED,
                f"MicroPython's prompt answers on {self._port}, the firmware does not run; what "
                f"helps: take the board's power away for a moment, or {INSTALL}",
            )

    def _take(self, message: wire.Message, now: float) -> None:
        kind, value = message.kind, message.value
        if kind == wire.HELLO:
            self._hello(value, now)
        elif kind == wire.TROUBLE:
            code, text = value
            self._trouble(code, text, now)
        elif self.status.state is not LinkState.CONNECTED:
            return
        elif kind == wire.CONTACTS:
            self._octets, self._fault = value[1], ""
        elif kind == wire.RAW and self._raw_wanted:
            self.raw = value
        elif kind == wire.BUTTONS:
            self._buttons = value
        elif kind == wire.ALIVE:
            self._unanswered_s = None

    def _trouble(self, code: str, text: str, now: float) -> None:
        if code == "lost":
            self._lines_lost(int(text) if text.isdigit() else 0)
            return
        if code in _FAULTS:  # told as often as contacts would be, for as long as it lasts
            fault = _FAULTS[code].format(text)
            if fault == self._fault:
                return
            self._fault = fault
        seen = self.troubles.add(Trouble(now, code, text))
        if code == "crash":
            self._crash_seen = seen and self._repeats_crash
        if code == "stopped":
            here = f"the board on {self._port}"
            self._refuse(
                LinkState.STOPPED,
                f"{here} cannot run its program: {text}; what helps: {INSTALL}",
            )

    def _lines_lost(self, number: int) -> None:
        """The board has missed so many lines since it was started."""
        if number != self._lost:
            self.lost += max(0, number - self._lost)
            self._lost = number
            self._begin_anew()

    def _hello(self, value: tuple[int, str, int, str, int | None, int], now: float) -> None:
        protocol, firmware, spaces, board, _, places = value
        here = f"the board on {self._port}"
        if board == wire.HOST:
            self.decoder.restart()
            self._echoed = True
            self._be(self.status.state, f"{self._port} echoes what it is sent")
        elif protocol == wire.STOPPED:
            return  # why comes with the next line
        elif not wire.OLDEST <= protocol <= wire.PROTOCOL:
            self._refuse(
                LinkState.MISMATCH,
                f"{here} has firmware {firmware}, which speaks protocol {protocol}, and this "
                f"program protocols {wire.OLDEST} to {wire.PROTOCOL}; what helps: {INSTALL}",
            )
        elif self.spaces not in (0, spaces):
            self._refuse(
                LinkState.MISMATCH,
                f"{here} has {spaces} spaces, and the game is for {self.spaces}; what helps: the "
                "right SPACES in settings.py on the board",
            )
        elif self.places not in (0, places):
            self._refuse(
                LinkState.MISMATCH,
                f"{here} (firmware {firmware}, protocol {protocol}) tells {places} places of "
                f"contacts, and the config is for {self.places}; what helps: the right REGISTERS "
                f"in settings.py on the board, the right [mcu] contacts here, or {INSTALL}",
            )
        elif protocol != self._protocol:  # an older firmware: greet it as its own hosts do
            self._protocol, self._hello_s = protocol, now
        else:
            self._connect(value, now)

    def _connect(self, value: tuple[int, str, int, str, int | None, int], now: float) -> None:
        _, firmware, _, board, max_ma, _ = value
        self.connections += self.status.state is not LinkState.CONNECTED
        self.status = LinkStatus(
            LinkState.CONNECTED,
            f"the board on {self._port}, firmware {firmware}",
            firmware,
            board,
            self._limit_ma if max_ma is None else min(self._limit_ma, max_ma),
            tuple(_advice(firmware, self._limit_ma, max_ma)),
        )
        self._unanswered_s = None
        self._alive_s = now
        self._lost = 0
        self._repeats_crash, self._crash_seen = max_ma is not None, False
        self._begin_anew()

    def _refuse(self, state: LinkState, why: str) -> None:
        self._be(state, why)
        self._refused = True

    # What is due.

    def due(self, now: float) -> bytes:
        """Return what has to be sent now."""
        if not self._port:
            return b""
        if self.status.state is LinkState.CONNECTED:
            self._check(now)
        self._tokens += (now - self._tokens_s) * self._rate_bytes_s
        self._tokens, self._tokens_s = min(self._tokens, self._burst_bytes), now
        connected = self.status.state is LinkState.CONNECTED
        lines = self._news(now) if connected else self._hellos(now)
        self._tokens -= len(lines)
        return lines

    def _check(self, now: float) -> None:
        if now - self._heard_s >= SILENT_S:
            what = "has been silent"
        elif self._unanswered_s is not None and now - self._unanswered_s >= DEAF_S:
            what = "speaks but does not answer"
        else:
            return
        self._be(LinkState.LOST, f"the board on {self._port} {what}")
        self._await_hello(now)

    def _hellos(self, now: float) -> bytes:
        if now < self._hello_s:
            return b""
        self._hello_s = now + HELLO_S
        payload = wire.pack_hello(self._protocol, wire.FIRMWARE, self.spaces, wire.HOST)
        # The newline first ends whatever the board may have been sent before.
        return b"\n" + self._encoder.line(wire.HELLO, payload)

    def _news(self, now: float) -> bytes:
        lines = b""
        if now >= self._alive_s:
            self._alive_s = now + ALIVE_S
            if self._unanswered_s is None:
                self._unanswered_s = now
            lines += b"\n" + self._encoder.line(wire.ALIVE)  # also after a line without its end
        if not self._limit_told:
            self._limit_told = True
            lines += self._encoder.line(wire.LIMIT, self._limit)
        if self._raw_told != self._raw_wanted:
            self._raw_told = self._raw_wanted
            lines += self._encoder.line(wire.RAW, b"%d" % self._raw_wanted)
        if self._again_wanted and now >= self._again_s:
            self._again_wanted, self._again_s = False, now + AGAIN_S
            lines += self._encoder.line(wire.AGAIN)
        if self._crash_seen:
            self._crash_seen = False
            lines += self._encoder.line(wire.AGAIN, b"crash")
        return lines + self._frame(len(lines), now)

    def _frame(self, spent: int, now: float) -> bytes:
        """Return the newest frame, or how it differs, unless that has to wait its turn."""
        wanted, refresh = self._wanted, now >= self._refresh_s
        if wanted is None or (wanted == self._shown and not refresh):
            return b""
        kind, payload = wire.FRAME, wire.pack_octets(wanted)
        if self._shown is not None and not refresh:
            changes = wire.pack_octets(_differences(self._shown, wanted))
            if len(changes) < len(payload):
                kind, payload = wire.CHANGES, changes
        if spent + len(payload) + _OVERHEAD_BYTES > self._tokens:
            return b""
        self._shown = wanted
        if kind == wire.FRAME:
            self._refresh_s = now + REFRESH_S
        self._alive_s = min(self._alive_s, now + SHOWN_S)
        return self._encoder.line(kind, payload)

    def farewell(self) -> bytes:
        """Return what makes every light dark, if anybody is listening."""
        if self.status.state is not LinkState.CONNECTED:
            return b""
        if not self.spaces:  # nothing was shown
            return b""
        return self._encoder.line(wire.FRAME, wire.pack_octets(bytes(3 * self.spaces)))

    # The table's side.

    def contacts(self) -> tuple[bytes, int]:
        """Return the octets of contacts, the highest places first, and the buttons.

        Raises `DeviceError` while they are unknown.
        """
        self._require("the contacts cannot be read")
        if self._fault:
            raise DeviceError(f"the contacts cannot be read: {self._fault}")
        if self._octets is None:
            raise DeviceError("the contacts cannot be read: the board has not told them yet")
        return self._octets, self._buttons

    def show(self, frame: Frame) -> None:
        """Let `frame` be what the lights show, at once or as soon as there is a line."""
        if len(frame) != self.spaces:
            raise ValueError(f"a frame of {len(frame)} colours for {self.spaces} lights")
        self._wanted = bytes([channel for colour in frame for channel in colour])
        self._require("the lights cannot be set")

    def take_troubles(self, now: float) -> tuple[Trouble, ...]:
        """Return the complaints that nobody has taken yet; the board may forget them now."""
        taken = self.troubles.take(now)
        if any(each.code == "crash" for each in taken):
            self._crash_seen = self._repeats_crash
        return taken

    def watch_raw(self, wanted: bool) -> None:
        """Ask for raw scans, or not any more."""
        self._raw_wanted = wanted
        self.raw = None

    def _require(self, what: str) -> None:
        if self.status.state is not LinkState.CONNECTED:
            raise DeviceError(f"{what}: {self.status.text}")

    # State.

    def _be(self, state: LinkState, text: str) -> None:
        self.status = self.status._replace(state=state, text=text)

    def _await_hello(self, now: float) -> None:
        """Whatever else arrives does not count until the board has answered."""
        self.decoder.restart()
        self._octets = self.raw = None
        self._buttons = 0
        self._fault, self._tail = "", b""
        self._refused = self._again_wanted = False
        self._hello_s = self._waiting_s = self._heard_s = self._again_s = now

    def _begin_anew(self) -> None:
        """Take it that the board knows nothing of what it was told."""
        self._limit_told = self._raw_told = False
        self._shown = None


def _advice(firmware: str, limit_ma: int, max_ma: int | None) -> Iterator[str]:
    """Yield what the owner should know of a board that works."""
    there, here = _version(firmware), _version(wire.FIRMWARE)
    if there < here:
        yield (
            f"the board has firmware {firmware}, which is older than this program's; "
            f"{INSTALL} brings {wire.FIRMWARE}"
        )
    elif there > here:
        yield (
            f"the board has firmware {firmware}, which is newer than this program's "
            f"{wire.FIRMWARE}; a newer program goes with it"
        )
    if max_ma is not None and max_ma < limit_ma:
        yield (
            f"the board allows its lights {max_ma} mA (MAX_MA in its settings.py), which holds "
            f"although [lights] current_limit_a asks for {limit_ma / 1000:g}"
        )


def _version(text: str) -> tuple[int, ...]:
    """Return the numbers of a version, so that 0.10 is newer than 0.9."""
    return tuple(int(part) for part in text.split(".") if part.isdigit())


def _differences(before: bytes, after: bytes) -> bytes:
    """Return number, red, green and blue of each light that differs."""
    changes = bytearray()
    for k in range(0, len(after), 3):
        if before[k : k + 3] != after[k : k + 3]:
            changes.append(k // 3)
            changes += after[k : k + 3]
    return bytes(changes)
