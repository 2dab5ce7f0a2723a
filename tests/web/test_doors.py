"""Who gets in, who is kept out, and that those who hold the doors open keep nobody out."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus

from sorcel_pi.config.load import config_from_text
from sorcel_pi.config.schema import Config, WebConfig
from sorcel_pi.config.wiring import check_config
from sorcel_pi.errors import ConfigError
from sorcel_pi.web import doors as doors_module
from sorcel_pi.web import thread
from sorcel_pi.web.auth import TRIES, Auth
from sorcel_pi.web.doors import KEPT, MAX_CONNECTIONS, MAX_PER_ADDRESS, Doors, Guest
from sorcel_pi.web.names import HouseNames, search_domains
from sorcel_pi.web.websocket import BEAT_S, MAX_CLIENTS
from tests.web.browser import Sit
from tests.web.table import Table

ATTACKERS = [f"127.0.0.{2 + k}" for k in range(6)]
MANY = 300


class Line:
    """A connection that is open until it is closed."""

    def __init__(self) -> None:
        self.closed = False

    def is_closing(self) -> bool:
        return self.closed

    def abort(self) -> None:
        self.closed = True


def come(doors: Doors, host: str, count: int, **said: bool) -> list[Guest]:
    """Let so many come from an address; those who are sent away are left out."""
    guests = [guest for _ in range(count) if (guest := doors.enter(host, Line()))]
    for guest in guests:
        for name, value in said.items():
            setattr(guest, name, value)
    return guests


# -- the doors alone ------------------------------------------------------------------------------


def test_who_holds_most_quiet_connections_loses_the_oldest() -> None:
    doors = Doors(20, kept=4, per_address=10)
    many = come(doors, "10.0.0.1", 9)
    few = come(doors, "10.0.0.2", 7)
    new = come(doors, "10.0.0.3", 1)[0]
    assert not new.late and len(doors) == 16
    gone = [guest for guest in many + few if guest.line.is_closing()]
    assert gone == [many[0]]
    doors.rest(many[1])
    come(doors, "10.0.0.4", 1)
    assert many[2].line.is_closing() and not many[1].line.is_closing(), "it has rested least"


def test_one_address_has_so_many_and_no_more() -> None:
    doors = Doors(20, kept=4, per_address=10)
    first = come(doors, "10.0.0.1", 30)
    assert len(doors) == 10 and sum(guest.line.is_closing() for guest in first) == 20
    for guest in first:
        guest.quiet = False
    assert come(doors, "10.0.0.1", 1)[0].late, "only with a token"
    assert not come(doors, "10.0.0.2", 1)[0].late


def test_an_ipv6_network_counts_as_one_address() -> None:
    doors = Doors(20, kept=4, per_address=10)
    for k in range(30):
        doors.enter(f"2001:db8::{k:x}", Line())
    assert len(doors) == 10
    assert doors.enter("2001:db8:0:1::1", Line()) and len(doors) == 11


def test_some_connections_are_kept_for_those_with_a_token() -> None:
    doors = Doors(20, kept=4, per_address=20)
    come(doors, "10.0.0.1", 16, quiet=False)
    late = come(doors, "10.0.0.2", 3)
    assert all(guest.late for guest in late)
    late[0].known, late[0].late, late[0].quiet = True, False, False
    assert len(come(doors, "10.0.0.3", 5)) == 5, "those who are late and quiet go first"
    assert not late[0].line.is_closing() and len(doors) == 20
    for guest in list(doors._guests):
        guest.quiet = False
    come(doors, "10.0.0.4", 20, quiet=False)
    assert doors.enter("10.0.0.5", Line()) is None and len(doors) == 20


def test_a_player_at_rest_is_not_sent_away() -> None:
    doors = Doors(20, kept=4, per_address=20)
    (player,) = come(doors, "10.0.0.1", 1, known=True)
    come(doors, "10.0.0.2", 40)
    assert not player.line.is_closing()
    doors.leave(player)
    doors.rest(player)
    assert player not in doors._guests


# -- silence and drops ----------------------------------------------------------------------------


def raw(table: Table, source: str = "127.0.0.1", said: bytes = b"") -> socket.socket:
    """Open a connection from an address, and say something on it."""
    made = socket.create_connection(("127.0.0.1", table.server.port), 10, (source, 0))
    with suppress(OSError):
        made.sendall(said)
    return made


def is_closed(made: socket.socket) -> bool:
    """Wait until the other end has closed."""
    made.settimeout(20)
    with suppress(ConnectionError):
        while made.recv(65536):
            pass
    made.close()
    return True


def head(table: Table, line: str = "GET / HTTP/1.1", extra: str = "") -> bytes:
    return f"{line}\r\nHost: {table.host}\r\n{extra}".encode()


@pytest.mark.parametrize("said", ["nothing", "half a head", "half a body", "one and a half"])
def test_a_connection_without_a_whole_request_is_closed(tmp_path: Path, said: str) -> None:
    table = Table(tmp_path, doors=Doors(request_s=0.3))
    try:
        post = head(table, "POST /api/enter HTTP/1.1", "Content-Length: 9\r\n")
        post += f"Origin: http://{table.host}\r\n\r\n{{".encode()
        whole = head(table) + b"\r\n"
        texts = {
            "nothing": b"",
            "half a head": head(table),
            "half a body": post,
            "one and a half": whole + head(table),
        }
        made = raw(table, said=texts[said])
        if said == "one and a half":
            time.sleep(0.1)
            made.sendall(b"X: y\r\n")
        assert is_closed(made)
        assert table.ask("/").status == 200
    finally:
        table.close()


def test_a_drip_does_not_win_time_and_a_rest_is_no_silence(tmp_path: Path) -> None:
    table = Table(tmp_path, doors=Doors(request_s=0.5))
    try:
        resting = raw(table, said=head(table) + b"\r\n")
        dripping = raw(table, said=head(table))
        with suppress(OSError):
            for _ in range(100):
                dripping.sendall(b"x")
                time.sleep(0.02)
        assert is_closed(dripping)
        time.sleep(0.3)
        resting.sendall(head(table) + b"Connection: close\r\n\r\n")
        answers = b""
        while part := resting.recv(65536):
            answers += part
        resting.close()
        assert answers.count(b"200 OK") == 2, "between two requests there are 20 s"
        assert doors_module.REQUEST_S == 10 and doors_module.KEEP_ALIVE_S == 20
    finally:
        table.close()


@contextmanager
def held_open(table: Table, *, drips: bool) -> Iterator[list[socket.socket]]:
    """Hold many connections open from other addresses, and open again what is closed."""
    said = head(table) if drips else b""
    made = [raw(table, ATTACKERS[k % len(ATTACKERS)], said) for k in range(MANY)]
    done = threading.Event()

    def go_on() -> None:
        for k in range(20 * MANY):
            if done.wait(0.005):
                return
            number = k % MANY
            try:
                made[number].setblocking(False)
                if drips:
                    made[number].send(b"x")
                if made[number].recv(1) == b"":
                    raise ConnectionError
            except BlockingIOError:
                continue
            except OSError:
                made[number].close()
                with suppress(OSError):
                    made[number] = raw(table, ATTACKERS[k % len(ATTACKERS)], said)

    worker = threading.Thread(target=go_on, daemon=True)
    worker.start()
    try:
        yield made
    finally:
        done.set()
        worker.join(10)
        for each in made:
            each.close()


@pytest.mark.parametrize("drips", [False, True])
def test_many_that_say_nothing_keep_nobody_out(table: Table, sit: Sit, drips: bool) -> None:
    player = sit()
    with held_open(table, drips=drips):
        table.until(lambda: len(table.server.doors) >= MAX_CONNECTIONS - KEPT)
        player.page.reload()
        player.page.wait_for_selector("#take-back")
        player.move("c4", "d4")
        player.sees("2 steps left")
        visitor = sit(code=False)
        visitor.sees("2 steps left")
        assert len(table.server.doors) <= MAX_CONNECTIONS


def test_an_address_that_is_full_lets_in_who_has_a_token(table: Table) -> None:
    cookie, source = table.token(), ATTACKERS[0]
    with ExitStack() as lines:
        for _ in range(MAX_PER_ADDRESS):
            lines.enter_context(table.open(source=source))
        with pytest.raises(InvalidStatus), table.open(source=source):
            pass
        sent_away = raw(table, source, head(table) + b"\r\n")
        answer = b"".join(iter(lambda: sent_away.recv(65536), b""))
        sent_away.close()
        assert b" 503 " in answer and b"Too many look on" in answer
        with table.open(cookie, source=source) as player:
            assert json.loads(player.recv(timeout=10))["may"] is True
        assert table.ask("/").status == 200, "another address is not meant"


def test_the_onlooker_who_is_one_too_many_is_told_why(table: Table, sit: Sit) -> None:
    with ExitStack() as lines:
        for number in range(MAX_CLIENTS):
            lines.enter_context(table.open(source=ATTACKERS[number % 2]))
        page = sit(code=False, waits=False).page
        page.wait_for_selector("#words:has-text('A hundred others look on')")
        assert page.locator("body[data-line=lost]").count() == 1
    page.reload()
    page.wait_for_selector("#table .spot")


# -- case 39: half-open lines ---------------------------------------------------------------------


def test_39_the_page_is_promised_a_beat(table: Table) -> None:
    with table.open() as line:
        assert json.loads(line.recv(timeout=10))["beat"] == BEAT_S == 2.0
        kinds = set()
        while "beat" not in kinds:
            kinds.add(json.loads(line.recv(timeout=10))["t"])


def test_39_the_server_forgets_a_dead_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert thread.PING_S + thread.PONG_S <= 30 and doors_module.UNHEARD_S <= 30
    monkeypatch.setattr(thread, "PING_S", 0.2)
    monkeypatch.setattr(thread, "PONG_S", 0.2)
    table = Table(tmp_path)
    try:
        upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        upgrade += f"Sec-WebSocket-Key: {'A' * 22}==\r\nOrigin: http://{table.host}\r\n\r\n"
        deaf = raw(table, said=head(table, "GET /live HTTP/1.1", upgrade))
        table.until(lambda: len(table.server.doors) == 1)
        # It takes what comes, as the buffers of a phone that sleeps do, and answers nothing.
        assert is_closed(deaf)
        table.until(lambda: len(table.server.doors) == 0)
    finally:
        table.close()


# -- names (case 42) ------------------------------------------------------------------------------


def house(tmp_path: Path, machine: str = "Sorcel", resolv: str = "", *extra: str) -> HouseNames:
    path = tmp_path / "resolv.conf"
    path.write_text(resolv, encoding="utf-8")
    return HouseNames(extra, machine=lambda: machine, resolv_conf=path)


def test_42_the_names_that_routers_give_are_known(tmp_path: Path) -> None:
    resolv = "# made by the router\nnameserver 192.0.2.1\nsearch wg.example Heim. ;x\n"
    names = house(tmp_path, "Sorcel", resolv, "Brett.example.", "")
    endings = ("lan", "home", "home.arpa", "internal", "fritz.box", "local", "wg.example", "heim")
    for name in ("localhost", "sorcel", "SORCEL.lan", "brett.example", "sorcel-2.local"):
        assert name in names, name
    for ending in endings:
        assert f"sorcel.{ending}" in names and f"Sorcel.{ending}." in names, ending


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "sorcel.example",
        "sorcel.lan.example",
        "other.local",
        "sorcel-2.lan",
        "sorcel-1.local",
        "sorcel-x.local",
        "sorcel-200.local",
        "sorcel..",
        "x.sorcel",
        "lan",
        "sorcel.;x",
        None,
    ],
)
def test_42_no_other_name_is_known(tmp_path: Path, name: object) -> None:
    assert name not in house(tmp_path, "sorcel", "search lan ;x\n")


def test_42_a_machine_without_a_name_has_only_those_of_the_setting(tmp_path: Path) -> None:
    for machine in ("", "localhost", "localhost.localdomain"):
        names = house(tmp_path, machine, "search example\n", "board.example")
        assert "localhost" in names and "board.example" in names
        assert not [n for n in ("", ".local", "localhost.local", "-2.local", ".lan") if n in names]


def test_42_a_network_that_comes_up_late_is_seen(tmp_path: Path) -> None:
    now, own = [0.0], ["localhost"]
    path = tmp_path / "resolv.conf"
    names = HouseNames(machine=lambda: own[0], resolv_conf=path, clock=lambda: now[0])
    assert "sorcel.heim" not in names and search_domains(path) == ()
    own[0] = "sorcel"
    path.write_text("domain heim\n", encoding="utf-8")
    assert "sorcel.heim" not in names, "not at every request"
    now[0] += 10
    assert "sorcel.heim" in names


def test_42_the_setting_adds_names(tmp_path: Path) -> None:
    text = '[web]\nnames = ["sorcel.fritz.box", "Brett.example."]\n'
    config = config_from_text(text)
    check_config(config)
    assert config.web.names == ("sorcel.fritz.box", "Brett.example.")
    for wrong in ("http://x", "x:80", "a b", "", "-x", "x..y", "*.example"):
        with pytest.raises(ConfigError, match=r"\[web\] names: .* without http"):
            check_config(Config(web=WebConfig(names=(wrong,))))


def test_42_the_page_opens_under_the_name_of_the_house(table: Table, sit: Sit) -> None:
    table.names.extra = frozenset({"brett.example"})
    assert table.ask("/", Host=f"brett.example.:{table.server.port}").status == 200
    assert table.ask("/", Host=f"other.example:{table.server.port}").status == 403


# -- tokens and codes -----------------------------------------------------------------------------


def test_the_cookie_is_of_one_port(table: Table, tmp_path: Path) -> None:
    (tmp_path / "second").mkdir()
    second = Table(tmp_path / "second")
    try:
        one, two = table.token(), second.token()
        assert one.startswith(f"sorcel-{table.server.port}=")
        both = f"{one}; {two}"  # as a browser sends them, which keeps no ports apart
        for each in (table, second):
            assert each.post("/api/do", {"do": "show_all"}, Cookie=both).status == 200
    finally:
        second.close()


def test_strangers_do_not_lock_out_who_gives_the_right_code() -> None:
    now = [0.0]
    auth = Auth(clock=lambda: now[0])
    token = auth.enter(auth.code, "10.0.0.1")
    for k in range(TRIES):
        assert auth.enter("9999", f"10.0.1.{k % 3}") is None
    assert auth.closed("10.0.1.0") and auth.closed() and auth.knows(token)
    assert auth.enter(auth.code, "10.0.1.0") is None, "who guessed waits"
    assert not auth.closed("10.0.0.2") and auth.enter(auth.code, "10.0.0.2") is not None
    assert auth.enter(auth.code, "10.0.1.0") is None, "and goes on waiting"
    assert auth.enter("9999", "10.0.0.3") is None and auth.closed("10.0.0.3"), "one try"
    now[0] += 31
    assert auth.enter(auth.code, "10.0.1.0") is not None
    assert not auth.is_stranger("10.0.1.0") and auth.is_stranger("10.0.1.1")


def test_where_too_many_guess_nobody_counts_as_new(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sorcel_pi.web.auth.MOST_STRANGERS", 20)
    auth = Auth(clock=lambda: 0.0)
    for k in range(TRIES + 20):
        auth.enter("9999", f"10.0.1.{k}")
    assert auth.closed("10.0.0.2") and auth.enter(auth.code, "10.0.0.2") is None


def test_a_visitor_enters_while_strangers_guess(table: Table, sit: Sit) -> None:
    wrong = json.dumps({"code": "9999"}).encode()
    origin = f"Origin: http://{table.host}\r\nContent-Length: {len(wrong)}\r\n"
    request = head(table, "POST /api/enter HTTP/1.1", f"{origin}Connection: close\r\n\r\n") + wrong
    for k in range(3 * TRIES):
        assert is_closed(raw(table, ATTACKERS[k % 3], request))
    assert table.page.auth.closed(ATTACKERS[0])
    sit().move("c4", "d4")


# -- where the server listens ---------------------------------------------------------------------


def test_localhost_is_listened_at_in_both_families() -> None:
    wanted = set()
    for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        with suppress(OSError), socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.bind((address, 0))
            wanted.add(family)
    made = thread.listen_at("localhost", 0)
    try:
        assert {each.family for each in made.sockets} == wanted
        assert {each.getsockname()[1] for each in made.sockets} == {made.port}
        for each in made.sockets:
            with socket.create_connection(each.getsockname()[:2], 10):
                pass
    finally:
        made.close()


def test_46_the_page_comes_when_its_address_does(tmp_path: Path) -> None:
    there = [False]

    def listen(host: str, port: int) -> thread.Listening:
        return thread.listen_at("127.0.0.1" if there[0] else host, port)

    table = Table(tmp_path, host="192.0.2.77", listen=listen)
    try:
        assert "waits for 192.0.2.77" in table.server.waits
        table.run(lambda app: app.table.game.play("c4d4"))  # the board plays meanwhile
        there[0] = True
        table.until(lambda: not table.server.waits)
        table.connect()
        assert table.ask("/").status == 200
    finally:
        table.close()


def test_46_a_page_that_waits_can_be_closed(tmp_path: Path) -> None:
    Table(tmp_path, host="192.0.2.77").close()
