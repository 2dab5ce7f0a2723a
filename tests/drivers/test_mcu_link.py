"""The conversation with the microcontroller, without port, thread or clock."""

import pytest

from sorcel_pi import wire
from sorcel_pi.drivers.mcu_link import (
    ALIVE_S,
    BURST_BYTES,
    DEAF_S,
    PATIENCE_S,
    RATE_BYTES_S,
    REFRESH_S,
    SHOWN_S,
    SILENT_S,
    Link,
    LinkState,
)
from sorcel_pi.drivers.ports import Frame
from sorcel_pi.errors import DeviceError

from ..firmware.fuzz import stream

EMPTY = bytes(8)


def lit(red: int) -> Frame:
    """Return a frame that differs in every light for each `red`."""
    return ((red % 256, 1, 2),) * 61


class Board:
    """The other end, which says what a test wants."""

    def __init__(self, *, spaces: int = 61, places: int = 0) -> None:
        self.link = Link(spaces, current_limit_a=1.5, colour_order="GRB", places=places)
        self.encoder = wire.Encoder()
        self.decoder = wire.Decoder(device=True, lights=spaces)
        self.now = 100.0
        self.sent = b""
        self.link.opened("/dev/somewhere", self.now)

    def state(self) -> LinkState:
        """How things stand."""
        return self.link.status.state

    def hears(self) -> list[tuple[str, object]]:
        """Return what the host has to say now."""
        data = self.link.due(self.now)
        self.sent += data
        return [(message.kind, message.value) for message in self.decoder.feed(data)]

    def says(self, kind: str, payload: bytes = b"") -> None:
        """Let the host hear something."""
        self.link.receive(self.encoder.line(kind, payload), self.now)

    def answers(
        self,
        *,
        protocol: int = wire.PROTOCOL,
        spaces: int = 61,
        board: str = "E661",
        firmware: str = wire.FIRMWARE,
        max_ma: int | None = 1200,
    ) -> None:
        """Answer the hello."""
        assert [kind for kind, _ in self.hears()] == [wire.HELLO]
        self.says(wire.HELLO, wire.pack_hello(protocol, firmware, spaces, board, max_ma))

    def scans(self, octets: bytes = EMPTY) -> None:
        """Tell contacts."""
        self.says(wire.CONTACTS, wire.pack_contacts(5, octets))

    def passes(self, seconds: float, *, step_s: float = 0.05) -> list[tuple[str, object]]:
        """Let time pass on a line that works, and return what the host says meanwhile."""
        heard = []
        for _ in range(round(seconds / step_s)):
            self.now += step_s
            self.scans(self.link.contacts()[0])
            for kind, value in self.hears():
                heard.append((kind, value))
                if kind == wire.ALIVE:
                    self.says(wire.ALIVE)
        return heard


@pytest.fixture
def board() -> Board:
    """A board that is connected and has been told all."""
    made = Board()
    made.answers()
    made.scans()
    made.hears()
    return made


def test_hello_then_limit_and_frame() -> None:
    board = Board()
    assert board.link.due(board.now).startswith(b"\nH,0,2,")
    assert board.hears() == []
    with pytest.raises(DeviceError, match="waiting for the board to answer"):
        board.link.show(lit(7))
    board.now += 1
    board.answers()
    assert board.link.status == (
        LinkState.CONNECTED,
        f"the board on /dev/somewhere, firmware {wire.FIRMWARE}",
        wire.FIRMWARE,
        "E661",
        1200,
        (
            "the board allows its lights 1200 mA (MAX_MA in its settings.py), which holds although "
            "[lights] current_limit_a asks for 1.5",
        ),
    )
    with pytest.raises(DeviceError, match="has not told them yet"):
        board.link.contacts()
    board.says(wire.BUTTONS, b"5")
    board.scans(b"\1" + bytes(7))
    assert board.link.contacts() == (b"\1" + bytes(7), 5)
    assert board.hears() == [
        (wire.ALIVE, None),
        (wire.LIMIT, (1500, "GRB")),
        (wire.FRAME, bytes([7, 1, 2] * 61)),
    ]


@pytest.mark.parametrize(
    ("protocol", "spaces", "words"),
    [
        (
            3,
            61,
            "speaks protocol 3, and this program protocols 1 to 2; what helps: sorcel firmware",
        ),
        (1, 37, "has 37 spaces, and the game is for 61"),
    ],
)
def test_what_does_not_match_is_said_in_words(protocol: int, spaces: int, words: str) -> None:
    board = Board()
    board.answers(protocol=protocol, spaces=spaces)
    assert board.state() is LinkState.MISMATCH
    assert words in board.link.status.text
    assert board.link.given_up(board.now)
    with pytest.raises(DeviceError, match="the contacts cannot be read: the board on"):
        board.link.contacts()
    board.link.let_go()
    assert board.hears() == []
    board.link.opened("/dev/somewhere", board.now)
    assert not board.link.given_up(board.now)
    assert board.link.given_up(board.now + PATIENCE_S)
    board.answers()
    assert board.state() is LinkState.CONNECTED


def test_an_older_firmware_is_greeted_as_its_own_hosts_do() -> None:
    board = Board()
    board.answers(protocol=1, firmware="0.2.0")
    assert board.state() is LinkState.SEARCHING
    ((kind, value),) = board.hears()
    assert (kind, value) == (wire.HELLO, (1, wire.FIRMWARE, 61, wire.HOST, None, 64))
    board.says(wire.HELLO, wire.pack_hello(1, "0.2.0", 61, "E661", 1500))
    assert board.state() is LinkState.CONNECTED
    assert board.link.status.advice[0].startswith("the board has firmware 0.2.0, which is older")
    board.scans(b"\1" * 8)
    assert board.link.contacts() == (b"\1" * 8, 0)
    board.link.broke("unplugged")
    board.link.opened("/dev/somewhere", board.now)  # another board, perhaps
    assert board.hears()[0][1] == (wire.PROTOCOL, wire.FIRMWARE, 61, wire.HOST, None, 64)


@pytest.mark.parametrize(("protocol", "places"), [(2, 80), (1, None)])
def test_the_number_of_places_has_to_be_right(protocol: int, places: int | None) -> None:
    board = Board(places=88)
    assert [kind for kind, _ in board.hears()] == [wire.HELLO]
    board.says(wire.HELLO, wire.pack_hello(protocol, "0.3.0", 61, "E661", 1500, places))
    assert board.state() is LinkState.MISMATCH
    words = f"tells {places or 64} places of contacts, and the config is for 88; what helps"
    assert words in board.link.status.text


def test_contacts_of_a_chain_and_what_it_says_where_the_cable_is_out() -> None:
    board = Board(places=80)
    assert [kind for kind, _ in board.hears()] == [wire.HELLO]
    board.says(wire.HELLO, wire.pack_hello(2, "0.3.0", 61, "E661", 1500, 80))
    board.scans(b"\1" * 10)
    assert board.link.contacts() == (b"\1" * 10, 0)
    board.says(wire.TROUBLE, wire.pack_trouble("chain", "GP4"))
    with pytest.raises(DeviceError, match="GP4 behind the last register is not low: look for"):
        board.link.contacts()
    board.scans(b"\2" * 10)
    assert board.link.contacts() == (b"\2" * 10, 0)


def test_frames_of_a_large_board_keep_to_a_rate_of_their_size() -> None:
    board = Board(spaces=169)
    board.answers(spaces=169)
    board.scans()
    for k in range(200):
        board.link.show(((k, 1, 2),) * 169)
        board.passes(0.04, step_s=0.04)
    share = 169 / 64
    assert len(board.sent) <= 8 * RATE_BYTES_S * share + BURST_BYTES * share
    assert len(board.sent) > 4 * RATE_BYTES_S * share


def test_an_echo_is_no_answer() -> None:
    board = Board()
    for _ in range(3):
        board.link.receive(board.link.due(board.now), board.now)
        assert board.state() is LinkState.SEARCHING
        assert "echoes" in board.link.status.text
        assert board.link.due(board.now) == b""
        board.now += 1
    assert board.link.given_up(board.now)


def test_hello_is_repeated_and_given_up() -> None:
    board = Board()
    hellos = []
    while not board.link.given_up(board.now):
        hellos += board.hears()
        board.now += 0.1
    assert [kind for kind, _ in hellos] == [wire.HELLO] * 3


def test_the_line_is_tried_once_a_second(board: Board) -> None:
    heard = board.passes(10)
    assert {kind for kind, _ in heard} == {wire.ALIVE}
    assert 9 <= len(heard) <= 11
    assert ALIVE_S == 1


def test_the_line_is_tried_soon_after_a_frame_so_that_its_loss_shows(board: Board) -> None:
    board.link.show(lit(9))
    assert [kind for kind, _ in board.hears()] == [wire.FRAME]
    board.now += SHOWN_S
    assert [kind for kind, _ in board.hears()] == [wire.ALIVE]


def test_silence_is_a_loss_and_never_an_empty_board(board: Board) -> None:
    board.scans(b"\xff" * 8)
    board.now += SILENT_S
    assert [kind for kind, _ in board.hears()] == [wire.HELLO]
    assert board.state() is LinkState.LOST
    with pytest.raises(DeviceError, match="on /dev/somewhere has been silent"):
        board.link.contacts()
    board.scans(EMPTY)  # an old line does not count
    with pytest.raises(DeviceError):
        board.link.contacts()
    assert not board.link.given_up(board.now)
    board.says(wire.HELLO, wire.pack_hello(wire.PROTOCOL, "0.9", 61, "E661"))
    board.scans(b"\xff" * 8)
    assert board.link.contacts()[0] == b"\xff" * 8
    assert board.link.connections == 2


def test_a_board_that_speaks_but_does_not_answer_is_lost(board: Board) -> None:
    for _ in range(round(DEAF_S / 0.5) + 3):
        board.now += 0.5
        board.scans()
        board.hears()
    assert board.state() is LinkState.LOST
    assert "does not answer" in board.link.status.text


def test_a_port_that_breaks(board: Board) -> None:
    board.link.broke("unplugged")
    assert board.link.status[:2] == (LinkState.LOST, "unplugged")
    board.link.absent("there is no port")
    assert board.link.status[:2] == (LinkState.LOST, "unplugged")
    board.link.broke("not allowed")
    assert board.link.status[:2] == (LinkState.LOST, "not allowed")
    assert board.hears() == []
    fresh = Link(61, current_limit_a=1, colour_order="GRB")
    fresh.broke("not allowed")
    assert fresh.status[:2] == (LinkState.SEARCHING, "not allowed")
    fresh.absent("there is no port")
    assert fresh.status[:2] == (LinkState.SEARCHING, "there is no port")


def test_after_a_gap_everything_is_asked_for_but_not_over_and_over(board: Board) -> None:
    heard = []
    for _ in range(20):
        board.encoder.seq += 1
        board.now += 0.05
        board.scans()
        heard += board.hears()
    assert 3 <= [kind for kind, _ in heard].count(wire.AGAIN) <= 5
    assert [kind for kind, _ in board.passes(3)].count(wire.AGAIN) <= 1


def test_when_the_board_has_lost_lines_it_gets_limit_and_frame_again(board: Board) -> None:
    board.link.show(lit(9))
    assert [kind for kind, _ in board.hears()] == [wire.FRAME]
    board.says(wire.TROUBLE, wire.pack_trouble("lost", "1"))
    assert [kind for kind, _ in board.hears()] == [wire.LIMIT, wire.FRAME]
    board.says(wire.TROUBLE, wire.pack_trouble("lost", "1"))
    assert board.hears() == []
    assert (board.link.lost, [*board.link.troubles]) == (1, [])


def test_raw_scans_are_asked_for_again_after_a_loss(board: Board) -> None:
    board.link.watch_raw(True)
    assert board.hears() == [(wire.RAW, 1)]
    board.says(wire.RAW, b"0000000000000003")
    assert [board.link.raw] == [bytes(7) + b"\3"]
    board.now += 9
    board.answers()
    assert [board.link.raw] == [None]
    assert (wire.RAW, 1) in board.hears()
    board.link.watch_raw(False)
    assert board.hears() == [(wire.RAW, 0)]


def test_only_what_changes_is_sent_where_that_is_shorter(board: Board) -> None:
    board.link.show(lit(0))
    assert board.hears() == [(wire.FRAME, bytes([0, 1, 2] * 61))]
    board.link.show(((9, 8, 7), *lit(0)[1:60], (6, 5, 4)))
    assert board.hears() == [(wire.CHANGES, bytes([0, 9, 8, 7, 60, 6, 5, 4]))]
    board.link.show(((9, 8, 7), *lit(0)[1:60], (6, 5, 4)))
    assert board.hears() == []


@pytest.mark.parametrize("moving", [1, 6, 20, 61])
def test_animations_keep_to_the_rate_and_the_newest_frame_is_never_held_back_for_good(
    board: Board, moving: int
) -> None:
    began, sent = board.now, len(board.sent)
    shown = bytearray(3 * 61)
    longest = waited = 0.0
    for k in range(60 * 25):
        frame = lit(k)[:moving] + lit(0)[moving:]
        board.link.show(frame)
        fresh = False
        for kind, value in board.passes(0.04, step_s=0.04):
            if kind == wire.FRAME:
                assert isinstance(value, bytes)
                shown[:] = value
                fresh = True
            elif kind == wire.CHANGES:
                assert isinstance(value, bytes)
                for at in range(0, len(value), 4):
                    shown[3 * value[at] : 3 * value[at] + 3] = value[at + 1 : at + 4]
                fresh = True
        waited = 0.0 if fresh else waited + 0.04
        longest = max(longest, waited)
        if fresh:
            assert bytes(shown) == bytes(c for colour in frame for c in colour)
    took = board.now - began
    assert len(board.sent) - sent <= took * RATE_BYTES_S + BURST_BYTES
    assert (len(board.sent) - sent) / took < 2000
    assert longest <= 0.3
    last = bytes(c for colour in frame for c in colour)
    for kind, value in board.passes(0.5):
        if kind == wire.FRAME:
            assert isinstance(value, bytes)
            shown[:] = value
        elif kind == wire.CHANGES:
            assert isinstance(value, bytes)
            for at in range(0, len(value), 4):
                shown[3 * value[at] : 3 * value[at] + 3] = value[at + 1 : at + 4]
    assert bytes(shown) == last


def test_the_whole_frame_is_sent_again_once_in_10_s(board: Board) -> None:
    board.link.show(lit(0))
    board.hears()
    heard = board.passes(60)
    frames = [value for kind, value in heard if kind == wire.FRAME]
    assert 5 <= len(frames) <= 6
    assert {bytes([0, 1, 2] * 61)} == {*frames}
    assert {kind for kind, _ in heard} == {wire.FRAME, wire.ALIVE}
    for k in range(600):  # and while lights move as well
        board.link.show(((k % 200, 0, 0), *lit(0)[1:]))
        heard += board.passes(0.1)
    assert 10 <= [kind for kind, _ in heard].count(wire.FRAME) <= 12
    assert REFRESH_S == 10


# What the board says of itself.


def test_49_complaints_are_kept_until_somebody_takes_them(board: Board) -> None:
    board.says(wire.TROUBLE, wire.pack_trouble("crash", "OSError: gone"))
    board.says(wire.TROUBLE, wire.pack_trouble("frame", "does not fit"))
    assert (wire.AGAIN, "crash") not in board.passes(30)
    taken = board.link.take_troubles(board.now)
    assert [each[1:] for each in taken] == [
        ("crash", "OSError: gone", 1),
        ("frame", "does not fit", 1),
    ]
    assert board.link.take_troubles(board.now) == ()
    assert [each.code for each in board.link.troubles] == ["crash", "frame"]
    assert board.passes(3).count((wire.AGAIN, "crash")) == 1
    board.says(wire.TROUBLE, wire.pack_trouble("crash", "OSError: gone"))  # the same once more
    assert board.passes(1).count((wire.AGAIN, "crash")) == 1


def test_49_the_same_complaint_is_handed_out_once_a_minute_at_most(board: Board) -> None:
    handed: list[int] = []
    for _ in range(600):
        board.says(wire.TROUBLE, wire.pack_trouble("frame", "does not fit"))
        board.passes(0.5, step_s=0.5)
        handed += [each.times for each in board.link.take_troubles(board.now)]
    assert 5 <= len(handed) <= 6
    assert handed[-1] > 480


def test_49_only_the_newest_complaints_are_kept(board: Board) -> None:
    for k in range(100):
        board.says(wire.TROUBLE, wire.pack_trouble("frame", str(k)))
    assert [each.text for each in board.link.take_troubles(0)] == [str(k) for k in range(84, 100)]


@pytest.mark.parametrize(
    ("firmware", "words"),
    [
        ("0.1.0", f"is older than this program's; sorcel firmware install brings {wire.FIRMWARE}"),
        ("0.10.0", f"is newer than this program's {wire.FIRMWARE}; a newer program goes with it"),
        (wire.FIRMWARE, ""),
    ],
)
def test_49_another_firmware_works_and_is_said(firmware: str, words: str) -> None:
    board = Board()
    board.answers(firmware=firmware, max_ma=None)
    board.scans()
    assert board.state() is LinkState.CONNECTED
    assert [words in advice for advice in board.link.status.advice] == [True] * bool(words)
    assert board.link.status.limit_ma == 1500
    board.says(wire.TROUBLE, wire.pack_trouble("crash", "OSError: gone"))
    assert board.link.take_troubles(board.now)
    assert (wire.AGAIN, "crash") not in board.passes(3)  # 0.1 does not know that


def test_49_a_board_that_cannot_run_its_program_says_why() -> None:
    board = Board()
    board.answers(protocol=wire.STOPPED, max_ma=None)
    assert board.state() is LinkState.SEARCHING
    board.says(wire.TROUBLE, wire.pack_trouble("stopped", "settings.py lacks MAX_MA"))
    words = (
        "the board on /dev/somewhere cannot run its program: settings.py lacks MAX_MA; what helps: "
        "sorcel firmware install"
    )
    assert board.link.status[:2] == (LinkState.STOPPED, words)
    assert board.link.given_up(board.now)
    assert board.link.why_given_up() == ""
    with pytest.raises(DeviceError, match="lacks MAX_MA"):
        board.link.contacts()
    board.link.let_go()
    board.link.opened("/dev/somewhere", board.now + 1)
    assert board.link.status[:2] == (LinkState.STOPPED, words)  # until it says something else
    assert [each.code for each in board.link.take_troubles(board.now)] == ["stopped"]


@pytest.mark.parametrize("size", [1, 3, 100])
@pytest.mark.parametrize("lost", [False, True])
def test_49_a_prompt_in_the_place_of_the_firmware_is_recognised(
    board: Board, size: int, lost: bool
) -> None:
    if lost:  # somebody pressed Ctrl-C
        board.now += SILENT_S
    else:
        board = Board()
    hello = board.link.due(board.now).strip()
    echo = b"\r\n>>> " + hello + b"\r\nTraceback (most recent call last):\r\n>>> "
    for k in range(0, len(echo), size):
        board.link.receive(echo[k : k + size], board.now)
    assert board.state() is LinkState.STOPPED
    assert "MicroPython's prompt answers on /dev/somewhere" in board.link.status.text
    assert board.link.status.text.endswith("or sorcel firmware install")
    assert board.link.given_up(board.now)


def test_what_a_firmware_says_while_it_runs_is_no_prompt(board: Board) -> None:
    board.link.receive(b">>> ", board.now)
    assert board.state() is LinkState.CONNECTED


def test_50_a_column_shorted_to_ground_is_no_contacts(board: Board) -> None:
    board.scans(b"\1" * 8)
    for _ in range(8):
        board.says(wire.TROUBLE, wire.pack_trouble("short", "GP13 GP15"))
        with pytest.raises(DeviceError, match="cannot be read: low without any row driven: GP13 G"):
            board.link.contacts()
        board.now += 0.5
        board.hears()
    assert board.state() is LinkState.CONNECTED
    assert [each[1:] for each in board.link.take_troubles(board.now)] == [("short", "GP13 GP15", 1)]
    board.scans(b"\2" * 8)
    assert board.link.contacts()[0] == b"\2" * 8
    board.says(wire.TROUBLE, wire.pack_trouble("short", "GP13 GP15"))
    assert [each.times for each in board.link.troubles] == [2]


@pytest.mark.parametrize("ampere", [2.5, 200.0])
def test_52_no_limit_that_no_line_can_name(ampere: float) -> None:
    board = Board()
    board.link = Link(61, current_limit_a=ampere, colour_order="GRB")
    board.link.opened("/dev/somewhere", board.now)
    board.answers(max_ma=1500)
    told = [value for kind, value in board.hears() if kind == wire.LIMIT]
    assert told == [(min(round(1000 * ampere), wire.MAX_LIMIT_MA), "GRB")]
    assert board.decoder.bad == 0
    assert board.link.status.limit_ma == 1500


def test_a_frame_of_another_length_is_refused(board: Board) -> None:
    with pytest.raises(ValueError, match="60 colours for 61"):
        board.link.show(lit(1)[1:])
    assert board.hears() == []


def test_farewell_is_dark_and_only_for_somebody_who_listens(board: Board) -> None:
    (dark,) = board.decoder.feed(board.link.farewell())
    assert dark.value == bytes(183)
    assert Board().link.farewell() == b""


def test_among_20_000_harmed_lines_no_contact_is_read_that_was_not_told(board: Board) -> None:
    board.link.opened("/dev/somewhere", board.now)
    told: dict[object, int] = {}
    newest = -1
    for number, (sent, arrived) in enumerate(stream(11, 20_000, device=False)):
        if sent[0] == wire.CONTACTS:
            assert isinstance(sent[2], tuple)
            told[sent[2][1]] = number
        board.link.receive(arrived, board.now)
        try:
            octets, _ = board.link.contacts()
        except DeviceError:
            continue
        assert told[octets] >= newest
        newest = told[octets]
    assert newest > 19_900
    assert len([*board.link.troubles]) <= 16
    assert board.link.decoder.bad > 5000
