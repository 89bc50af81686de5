"""A stranger on the network: each row of the table in SECURITY.md, against a server that runs."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

import arena
from benchmarks.serving import Served, serving

pytestmark = pytest.mark.needs("starlette", "uvicorn")

MARKUP = "<script>alert(1)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("hidden-folder")


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[Served]:
    """Serve a run of a player that has markup in its name, and a path in its message."""
    bot = folder / "bot.py"
    bot.write_text(f"def choose(position, rng):\n    open({str(folder / 'secret.txt')!r})\n")
    players = f"{MARKUP}=./bot.py", "monkey"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        arena.fight(*players, n=2, seed=1, store="s.db", isolation="none")
    with serving(folder / "s.db") as site:
        yield site


def test_pages_are_served_under_a_policy_and_headers(served: Served) -> None:
    for path in ("/", "/runs/1", "/runs/1/watch", "/runs/99", "/nothing"):
        answer = served.ask(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert not re.search(r"script-src[^;]*unsafe", policy)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert "server" not in answer.headers


@pytest.mark.parametrize("digits", [10, 20, 5000])
def test_a_number_with_many_digits_is_no_page(served: Served, digits: int) -> None:
    for path in ("/runs/{}", "/runs/{}/watch", "/runs/{}/events"):
        assert served.ask(path.format("9" * digits)).status == 404


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "10.0.0.1", "127.0.0.1.evil.example", ""]
)
def test_a_foreign_host_learns_nothing(served: Served, host: str) -> None:
    answer = served.ask(headers={"Host": host})
    assert (answer.status, "monkey" in answer.text) == (403, False)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"])
def test_the_machine_by_its_own_names_is_answered(served: Served, host: str) -> None:
    assert served.ask(headers={"Host": f"{host}:{served.port}"}).status == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors"},
    ],
    ids=str,
)
def test_a_page_of_another_site_reads_nothing(served: Served, headers: dict[str, str]) -> None:
    for path in ("/", "/runs/1", "/runs/1/events"):
        assert served.ask(path, headers=headers).status == 403


def test_a_link_from_another_site_is_followed(served: Served) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert served.ask(headers=headers).status == 200
    assert served.ask(method="POST", headers=headers).status == 403


def session(served: Served) -> tuple[str, str]:
    """Return a cookie and the token that goes with it."""
    answer = served.ask("/")
    cookie = answer.headers["set-cookie"].partition(";")[0]
    match = re.search(r'csrf-token" content="(\w+)"', answer.text)
    assert match is not None
    return cookie, match[1]


def test_the_cookie_is_kept_from_scripts_and_other_sites(served: Served) -> None:
    cookie = served.ask("/").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


def test_a_request_that_changes_something_knows_the_token_of_its_session(served: Served) -> None:
    (cookie, token), (other, _) = session(served), session(served)
    form = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert served.ask(method=method).status == 403
        assert served.ask(method=method, headers={"Cookie": cookie}).status == 403
        known = {"Cookie": other, "X-CSRF-Token": token}
        assert served.ask(method=method, headers=known).status == 403
        own = {"Cookie": cookie, "X-CSRF-Token": token}
        assert served.ask(method=method, headers=own).status == 405  # no page here takes it
    assert served.ask(method="POST", headers=form, body=f"csrf={token}").status == 405
    assert served.ask(method="POST", headers=form, body="csrf=0").status == 403
    assert served.ask(method="TRACE").status in (403, 405)


@pytest.mark.parametrize(
    "path",
    [
        "/../../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/runs/../../s.db",
        "/runs/..%2f..%2fs.db",
        "/runs/1/../../s.db",
        "//etc/passwd",
        "/s.db",
        "/bot.py",
        "/runs/1%00.html",
        "/runs/-1",
        "/runs/99999999999999999999999",
        "/plugins/web/security.py",
    ],
)
def test_no_path_leads_to_a_file(served: Served, path: str) -> None:
    answer = served.ask(path)
    assert answer.status == 404
    assert "root:" not in answer.text
    assert "SQLite format" not in answer.text


def test_headers_without_end_are_refused(served: Served) -> None:
    assert served.ask(headers={"X": "a" * 20_000}).status in (400, 431)
    with served.connect(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ") as connection:
        assert sent_until_refused(connection) < 500  # some MB wait in buffers of the system


def sent_until_refused(connection: socket.socket) -> int:
    """Send 64 kB again and again, and return how often the server took it."""
    for count in range(1000):
        try:
            connection.sendall(b"a" * 65_536)
        except OSError:
            return count
    return 1000


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Length": "1000000000"},
        {"Content-Length": "70000"},
        {"Content-Length": "-1"},
        {"Content-Length": "many"},
    ],
    ids=str,
)
def test_a_body_that_is_too_large_is_refused(served: Served, headers: dict[str, str]) -> None:
    assert served.ask(method="POST", headers=headers).status in (400, 413)


def test_a_body_without_a_length_is_refused_where_it_is_too_large(served: Served) -> None:
    kind = b"Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked"
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\n" + kind + b"\r\n\r\n"
    with served.connect(head + b"11170\r\n" + b"a" * 0x11170 + b"\r\n") as connection:
        assert b" 413 " in connection.recv(100)


def test_names_and_messages_are_shown_as_text_without_paths(served: Served, folder: Path) -> None:
    for path in ("/", "/runs/1", "/runs/1/watch"):
        text = served.ask(path).text
        assert MARKUP not in text
        assert folder.name not in text
    assert "&lt;script&gt;alert(1)" in served.ask("/runs/1").text


def test_what_is_not_http_is_refused(served: Served) -> None:
    with served.connect(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n") as connection:
        assert connection.recv(100).startswith(b"HTTP/1.1 400")


def test_a_connection_cannot_become_another_protocol(served: Served) -> None:
    headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
    assert served.ask(headers=headers).status != 101


def test_slow_and_many_connections_are_closed_and_others_served(
    folder: Path, served: Served
) -> None:
    with serving(folder / "s.db", seconds=0.5, most=5) as own:
        slow = own.connect(b"GET / HTTP/1.1\r\nHost: localh")
        assert slow.recv(100) == b""  # closed after half a second
        idle = [own.connect() for _ in range(5)]
        assert is_closed(own.connect(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"))
        for each in (slow, *idle):
            each.close()
        assert own.ask().status == 200


def is_closed(connection: socket.socket) -> bool:
    with connection:
        try:
            return connection.recv(100) == b""
        except OSError:
            return True
