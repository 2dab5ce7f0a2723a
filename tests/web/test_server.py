"""Who may do what, and what the answers hold."""

import asyncio
import json
import re
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
from starlette.types import ASGIApp
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from sorcel_pi.app import App
from sorcel_pi.config.schema import Config
from sorcel_pi.errors import NotationError
from sorcel_pi.rules.position import Side
from sorcel_pi.store.records import GameAbandoned
from sorcel_pi.table.commands import Choose, RaiseStake, Resign
from sorcel_pi.web import server
from sorcel_pi.web.api import MAX_TEXT, ChangeLights, StartGame, parse_command
from sorcel_pi.web.assets import KINDS
from sorcel_pi.web.auth import TRIES, Auth, host_is_ours, origin_is_ours
from sorcel_pi.web.controller import PageController
from sorcel_pi.web.ratelimit import Rate, Rates
from sorcel_pi.web.websocket import MAX_CLIENTS
from tests.web.table import Table

STATIC = Path(__file__).parents[2] / "sorcel_pi/web/static"


def begun(table: Table) -> int:
    """Make a step by the rules alone, and return how many actions the game has then."""
    table.begin("5/2ss2/2fff2/8/9/8/2FFF2/2SS2/5 l 3/0 3/3 -")
    table.run(lambda app: app.table.game.play("c4d4"))
    return len(table.game.actions)


def ended(line: ClientConnection) -> None:
    """Wait until the other end has ended the line; a line that stays open fails."""
    with suppress(ConnectionClosed):
        for _ in range(1000):
            line.recv(timeout=10)
        raise AssertionError("the line stays open")


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "PATCH"])
@pytest.mark.parametrize("path", ["/api/do", "/api/enter", "/api/show_code"])
def test_32_nothing_changes_but_by_post(table: Table, method: str, path: str) -> None:
    origin = {"Origin": f"http://{table.host}", "Cookie": table.token()}
    answer = table.ask(path, None if method in ("GET", "HEAD") else b"{}", method, **origin)
    assert answer.status == 403


def test_32_a_command_needs_code_origin_and_host(table: Table) -> None:
    actions = begun(table)
    cookie = table.token()
    command = {"do": "take_back"}
    good = {"Cookie": cookie}
    refused = [
        {},
        {"Cookie": f"{cookie.partition('=')[0]}=1.2"},
        {"Cookie": cookie[:-1]},
        good | {"Origin": "http://evil.example"},
        good | {"Origin": "null"},
        good | {"Origin": f"http://{table.host}", "Host": "evil.example"},
        good | {"Origin": "http://evil.example", "Host": "evil.example"},
    ]
    for headers in refused:
        assert table.post("/api/do", command, **headers).status == 403, headers
    body = json.dumps(command).encode()
    assert table.ask("/api/do", body, Cookie=cookie).status == 403, "without an origin"
    assert len(table.game.actions) == actions
    assert table.post("/api/do", command, **good).status == 200
    table.until(lambda: len(table.game.actions) == actions - 1)


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "https://127.0.0.1", "http://127.0.0.1:1"]
)
def test_32_a_line_from_elsewhere_is_refused(table: Table, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused, table.open(table.token(), origin=origin):
        pass
    assert refused.value.response.status_code == 403


def test_who_has_no_code_looks_and_does_nothing(table: Table) -> None:
    with table.open() as line:
        hello = json.loads(line.recv())
        assert hello["may"] is False
        kinds: set[str] = set()
        while not kinds >= {"board", "state", "frame", "pieces", "log"}:
            kinds.add(json.loads(line.recv(timeout=10))["t"])
        line.send(json.dumps({"do": "take_back"}))
        ended(line)


@pytest.mark.parametrize(
    "message",
    [
        "x" * 1_000_000,
        "[" * 4000,
        '{"do": "nothing known"}',
        '{"do": "resign", "side": 2}',
        '{"hand": "move", "x": 1e300, "y": 0}',
        '{"hand": "move", "x": NaN, "y": 0}',
        "null",
    ],
)
def test_a_message_out_of_form_ends_the_line(table: Table, message: str) -> None:
    with table.open(table.token()) as line:
        line.send(message)
        ended(line)
    assert table.game.outcome is None


def test_35_a_flood_ends_the_line(table: Table) -> None:
    with table.open(table.token()) as line:
        with suppress(ConnectionClosed):
            for _ in range(5000):
                line.send('{"hand": "move", "x": 1, "y": 1}')
        ended(line)
    assert table.state()["trouble"] == "none"


@pytest.mark.parametrize("body", [b"x" * 1_000_000, b"[" * 10_000, b"\xff", b"{}", b"3", b""])
def test_a_body_out_of_form_is_refused(table: Table, body: bytes) -> None:
    headers = {"Cookie": table.token()}
    assert table.post("/api/do", body, **headers).status in (400, 413)


def test_in_the_network_the_page_is_found_by_name_and_by_address(tmp_path: Path) -> None:
    table = Table(tmp_path, host="0.0.0.0")
    port, own = table.server.port, socket.gethostname().lower()
    try:
        cookie = table.token()
        for name in ("sorcel.local", "192.168.1.7", "[fd00::7]", "localhost", own, f"{own}.local"):
            here = f"{name}:{port}"
            headers = {"Host": here, "Origin": f"http://{here}", "Cookie": cookie}
            assert table.ask("/", Host=here).status == 200, name
            assert table.post("/api/do", {"do": "show_all"}, **headers).status == 200, name
            foreign = headers | {"Origin": "http://sorcel.local.evil.example"}
            assert table.post("/api/do", {"do": "show_all"}, **foreign).status == 403, name
        assert table.ask("/", Host=f"sorcel.local.evil.example:{port}").status == 403
    finally:
        table.close()


def test_the_number_of_lines_is_bounded(table: Table) -> None:
    with ExitStack() as lines:
        for number in range(MAX_CLIENTS):
            lines.enter_context(table.open(source=f"127.0.0.{2 + number % 2}"))
        with table.open() as one_more:
            assert json.loads(one_more.recv(timeout=10)) == {"t": "full", "most": MAX_CLIENTS}
            ended(one_more)
        with table.open(table.token()) as player:
            assert json.loads(player.recv(timeout=10))["may"] is True


def test_wrong_codes_close_the_door_and_change_the_code() -> None:
    now = [0.0]
    told: list[str] = []
    auth = Auth(clock=lambda: now[0], told=told.append)
    first = auth.code
    for _ in range(TRIES):
        assert auth.enter("9999") is None
    assert told == [auth.code] and auth.closed()
    assert auth.enter(auth.code) is None, "not for a while, not even the right one"
    now[0] += 31
    token = auth.enter(auth.code)
    assert token is not None and auth.knows(token)
    for _ in range(TRIES):
        assert auth.enter("9999") is None
    now[0] += 31
    assert auth.enter(auth.code), "the right code has ended the longer and longer waits"
    assert not auth.knows(token + "0") and not auth.knows(None) and not auth.knows("a.")
    assert not Auth().knows(token), "another table"
    assert first.isdigit() and len(first) == 4


def test_the_code_by_the_network_is_slow(table: Table) -> None:
    answers = [table.post("/api/enter", {"code": "9999"}).status for _ in range(8)]
    assert answers[:3] == [403] * 3 and answers[-1] == 429


def test_one_who_tries_codes_does_not_keep_out_others() -> None:
    page = PageController(Config(), database=None)
    pages = server.make_asgi_app(page, frozenset({"localhost"}))

    async def tried(who: str) -> int:
        return (await asked(pages, "/api/show_code", method="POST", who=who))[0]

    async def try_them() -> list[int]:
        return [await tried(who) for who in ("10.0.0.1",) * 8 + ("10.0.0.2",)]

    answers = asyncio.run(try_them())
    assert answers[0] == 200 and answers[-2:] == [429, 200]


def test_rates_are_kept_for_so_many_only() -> None:
    rates = Rates(lambda: Rate(0.0, 1), Rate(0.0, 1000))
    taken = [rates.take(str(number)) for number in range(2000)]
    assert sum(taken) == 1000 and len(rates) == Rates.MOST


def test_33_no_answer_holds_a_secret(table: Table) -> None:
    token = table.token()
    code, key = table.page.auth.code, table.page.auth._key.hex()
    secrets = [code, key, token.partition("=")[2]]
    hand = table.page.screen_board
    table.page.screen_board = None  # as at a real table, whose lights show the code
    table.run(table.page._light_code)
    table.until(lambda: table.app.table.view(table.app.clock.now()).code == code)
    paths = ["/", "/record.txt", "/scans.txt", "/api/games", "/api/games/1", "/games/1.txt"]
    paths += [f"/{file.name}" for file in STATIC.iterdir()]
    for path in [*paths, "/nothing", "/../app.py", "/%2e%2e/app.py", "/static/main.js"]:
        answer = table.ask(path, Cookie=token)
        text = answer.body.decode("utf-8", "replace") + str(answer.headers)
        text = re.sub(r"\d\d:\d\d:\d\d|etag: \S+|Content-Length: \d+", "", text, flags=re.I)
        assert not [each for each in secrets[1:] if each in text], path
        assert not re.search(rf"\b{code}\b", text) or path in ("/scans.txt", "/record.txt"), path
    assert "SHOW_CODE" not in table.scans.read_text(encoding="utf-8")
    with table.open() as line:
        messages = [json.loads(line.recv()) for _ in range(5)]
    for message in messages:
        if message["t"] == "frame":
            assert set(message["c"]) == {"0"}, "the lights show the code to who sees the table"
        assert not re.search(rf"\b{code}\b", json.dumps(message))
    table.page.screen_board = hand


def test_every_answer_is_guarded(table: Table) -> None:
    for path in ("/", "/main.js", "/nothing", "/api/do"):
        headers = table.ask(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers
    assert table.ask("/", Host="evil.example").status == 403
    assert table.ask("/", Host="evil.example\x27").status == 403


def test_the_page_is_small_and_asks_nobody_else() -> None:
    files = [file for file in STATIC.iterdir() if file.suffix[1:] in KINDS]
    texts = STATIC.parents[1] / "messages/texts.json"
    assert sum(file.stat().st_size for file in [*files, texts]) < 200_000
    for file in files:
        text = file.read_text(encoding="utf-8")
        addresses = set(re.findall(r"https?://[^\s\"'`)]+", text)) - {"http://www.w3.org/2000/svg"}
        assert not addresses, file.name
        assert "style=" not in text and "<script>" not in text, "the policy would refuse it"


def test_the_record_of_a_new_game_has_its_players(table: Table) -> None:
    game = {"do": "new_game", "board": "", "rules": "egressian", "light": "Ada", "dark": "Bo"}
    assert table.post("/api/do", game, Cookie=table.token()).status == 200
    table.until(lambda: b'[Light "Ada"]' in table.ask("/record.txt").body)


def test_records_and_games_can_be_had(table: Table) -> None:
    assert b'[Rules "egressian"]' in table.ask("/record.txt").body
    assert table.ask("/scans.txt").body.startswith(b"sorcel-scans-1")
    table.until(lambda: json.loads(table.ask("/api/games").body)["games"])
    for before, found in (("", 1), ("2", 1), ("1", 0), ("x", 1), ("-1", 1), ("9" * 40, 1)):
        listed = json.loads(table.ask(f"/api/games?before={before}").body)
        assert (len(listed["games"]), listed["older"]) == (found, False), before
    game = json.loads(table.ask("/api/games/1").body)
    assert len(game["plies"]) == 1 and game["board"]["side"] == 5
    assert table.ask("/games/1.txt").status == 200
    assert table.ask("/games/7.txt").status == table.ask("/api/games/7").status == 404


async def asked(
    pages: ASGIApp,
    path: str,
    *,
    method: str = "GET",
    who: str = "10.0.0.1",
    begun: Callable[[], Awaitable[None]] | None = None,
) -> tuple[int, list[bytes]]:
    """Return status and parts of the answer to who asks from an address; `begun` may delay it."""
    head = [(b"host", b"localhost"), (b"origin", b"http://localhost")]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": head,
        "client": (who, 1),
        "server": ("localhost", 80),
    }
    status, parts = 0, []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
            if begun is not None:
                await begun()
        else:
            parts.append(message["body"])

    await pages(scope, receive, send)
    return status, parts


def test_the_scan_log_comes_in_parts_and_to_few_at_a_time(tmp_path: Path) -> None:
    scans, line = tmp_path / "scans", b"s 1 a 0\n"
    whole = line * 30_000
    scans.write_bytes(whole + b"s 2")
    page = PageController(Config(), database=None, scan_log=scans)
    pages = server.make_asgi_app(page, frozenset({"localhost"}))

    async def download() -> None:
        go, count = asyncio.Event(), 0

        async def begun() -> None:
            nonlocal count
            count += 1
            await go.wait()

        slow = [asyncio.create_task(asked(pages, "/scans.txt", begun=begun)) for _ in range(2)]
        while count < 2:
            await asyncio.sleep(0)
        assert (await asked(pages, "/scans.txt"))[0] == 429
        scans.write_bytes(whole + line)  # meanwhile it grows
        go.set()
        for status, parts in [await each for each in slow]:
            assert status == 200 and b"".join(parts) == whole
            assert max(map(len, parts)) <= 1 << 16
        assert (await asked(pages, "/scans.txt"))[0] == 200

    asyncio.run(download())


@pytest.mark.parametrize(
    ("content", "kept"),
    [(b"", 0), (b"x", 0), (b"x\n", 2), (b"ab\ncd\nef", 6), (b"a\n" + b"b" * 200_000, 2)],
)
def test_the_scan_log_ends_with_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, kept: int
) -> None:
    (tmp_path / "scans").write_bytes(content)
    assert server._whole_lines(tmp_path / "scans") == kept
    monkeypatch.setattr(server, "MAX_LOG", 5)
    assert server._whole_lines(tmp_path / "scans") == min(kept, 3)
    assert server._whole_lines(tmp_path / "none") is None


def test_half_a_character_is_no_name() -> None:
    game = {"do": "new_game", "board": "", "rules": "ahumm", "light": "A", "dark": "\U0001f600"}
    assert parse_command(game) == StartGame("", "ahumm", "A", "\U0001f600")
    for key in ("board", "rules", "light", "dark"):
        with pytest.raises(NotationError, match=key):
            parse_command(game | {key: "A\ud83d"})


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("[]", "do: 'None' is nothing that a table does"),
        ('{"do": ["accept"]}', "do: .* is nothing that a table does"),
        ('{"do": "new"}', "do: 'new' is nothing that a table does"),
        ('{"do": "accept", "number": 1}', "accept: 'number' does not belong to it"),
        ('{"do": "choose"}', "choose: number is not as expected"),
        ('{"do": "choose", "number": true}', "choose: number is not as expected"),
        ('{"do": "choose", "number": 1.0}', "choose: number is not as expected"),
        ('{"do": "resign", "side": 2}', "resign: side is 0 or 1"),
        ('{"do": "resign", "side": "0"}', "resign: side is not as expected"),
        ('{"do": "lights", "brightness": NaN, "palette": ""}', "brightness is not from 0 to 1"),
        ('{"do": "lights", "brightness": 1.1, "palette": ""}', "brightness is not from 0 to 1"),
        (f'{{"do": "lights", "brightness": 1{"0" * 400}, "palette": ""}}', "is not from 0 to 1"),
        ('{"do": "lights", "brightness": false, "palette": ""}', "brightness is not as expected"),
        ('{"do": "lesson", "step": 1}', "lesson: step is not as expected"),
        (f'{{"do": "lesson", "step": "{"x" * (MAX_TEXT + 1)}"}}', "lesson: step is too long"),
    ],
)
def test_what_is_not_in_form_is_refused(text: str, wrong: str) -> None:
    with pytest.raises(NotationError, match=wrong):
        parse_command(json.loads(text))


def test_a_command_is_read_straight_into_its_value() -> None:
    lights = {"do": "lights", "brightness": 1, "palette": "clear"}
    assert parse_command(lights) == ChangeLights(1.0, "clear")
    assert parse_command({"do": "choose", "number": 3}) == Choose(3)
    assert parse_command({"do": "resign", "side": 1}) == Resign(Side.DARK)
    assert parse_command({"do": "raise"}) == RaiseStake()


def test_half_a_character_that_is_stored_does_no_harm(table: Table) -> None:
    def begin(app: App) -> None:
        session = app.session
        left = GameAbandoned(session.game_id)
        session.headers = {"Light": "\ud83d", "Dark": "B"}
        game, records = session.begin()
        app.begin(game, [left, *records])

    table.run(begin)
    names = ["\ud83d", "B"]
    table.until(lambda: table.state().get("players") == names)
    with table.open() as line:
        while json.loads(line.recv(timeout=10)).get("players") != names:
            pass
    table.until(lambda: len(table.games()) == 2)
    assert json.loads(table.ask("/api/games").body)["games"][0]["players"] == names
    assert json.loads(table.ask("/api/games/2").body)["players"] == names
    assert b'[Light "?"]' in table.ask("/games/2.txt").body


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("localhost", True),
        ("localhost:8061", True),
        ("SORCEL.local:1", True),
        ("192.168.1.7:8061", True),
        ("[fe80::1]:8061", True),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("localhost@evil.example", False),
        ("", False),
        (None, False),
        ("[", False),
        ("1.2.3.4.evil.example", False),
        ("x; script-src *@localhost:8061", False),
        ("x@localhost", False),
        ("localhost:80/;x", False),
        ("localhost/x", False),
        ("localhost?x", False),
        ("localhost#x", False),
        ("localhost:80\n", False),
        ("[::1];x", False),
    ],
)
def test_hosts(host: str | None, ours: bool) -> None:
    assert host_is_ours(host, frozenset({"localhost", "sorcel.local"})) is ours


def test_origins() -> None:
    assert origin_is_ours("http://a:1", "a:1") and origin_is_ours("https://a", "a")
    assert not origin_is_ours("http://a:2", "a:1") and not origin_is_ours(None, "a")
