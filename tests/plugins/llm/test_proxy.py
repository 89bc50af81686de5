"""A proxy of the environment connects arena to a service, and learns no more than it must."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

import arena
from arena.plugins.llm import player
from tests.conftest import Run
from tests.golden import Wording
from tests.plugins.llm.server import Server

#: A host that only the proxy knows.
HOST = "models.example"


class ForwardProxy:
    """Passes on requests for a whole URL to a server, and refuses to connect."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.heads: list[str] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._pass_on, args=(client,), daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        with client, client.makefile("rb") as lines:
            while first := lines.readline():
                head = first
                while (line := lines.readline()).strip():
                    head += line
                self.heads.append(head.decode())
                if first.startswith(b"CONNECT"):
                    client.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
                    return
                length = next(
                    int(line.split(b":")[1])
                    for line in head.split(b"\r\n")
                    if line.lower().startswith(b"content-length")
                )
                body = lines.read(length)
                url = first.split()[1].decode()
                path = url.removeprefix(f"http://{HOST}")
                rest = head.replace(url.encode(), path.encode(), 1)
                rest = rest.replace(b"\r\n", b"\r\nConnection: close\r\n", 1)
                with socket.create_connection(("127.0.0.1", self._server.port)) as server:
                    server.sendall(rest + b"\r\n" + body)
                    while piece := server.recv(1 << 16):
                        client.sendall(piece)
                return

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def proxy(server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[ForwardProxy]:
    started = ForwardProxy(server)
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    url = f"http://me:pass%20word@127.0.0.1:{started.port}"
    monkeypatch.setenv("http_proxy", url)
    monkeypatch.setenv("https_proxy", url)
    monkeypatch.setattr(player, "_PAUSE", 0.01)
    yield started
    started.close()


def isolation() -> arena.Isolation:
    return arena.Isolation(allow_network=[HOST])


def test_a_request_goes_through_the_proxy(proxy: ForwardProxy) -> None:
    name = f"llm,model=first:http://{HOST}/v1"
    fight = arena.fight(name, "monkey", n=1, seed=1, isolation=isolation())
    assert fight.a.forfeits == {}
    assert len(proxy.heads) > 4
    for head in proxy.heads:
        assert head.startswith(f"POST http://{HOST}/v1/chat/completions HTTP/1.1\r\n")
        assert "Proxy-Authorization: Basic bWU6cGFzcyB3b3Jk\r\n" in head


def test_tls_is_passed_on_and_not_shown(
    proxy: ForwardProxy, run: Run, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setenv("MY_KEY", "sk-secret")
    monkeypatch.setattr("arena.fights.patience.WAITS", ())
    name = f"llm,model=first,key=MY_KEY,retries=0:https://{HOST}/v1"
    ran = run("fight", name, "monkey", "-n", "1", "--allow-network", HOST, "--in-flight", "1")
    assert ran.code == 4
    wording(ran.err)
    assert len(proxy.heads) == 1
    assert proxy.heads[0].startswith(f"CONNECT {HOST}:443 HTTP/1.1\r\n")
    assert "secret" not in proxy.heads[0]


def test_this_machine_needs_no_proxy(proxy: ForwardProxy, server: Server) -> None:
    fight = arena.fight(f"llm,model=first:{server.url}", "monkey", n=1, seed=1)
    assert fight.a.forfeits == {}
    assert proxy.heads == []


def test_a_host_that_the_user_does_not_allow_is_not_asked_for(
    proxy: ForwardProxy, run: Run
) -> None:
    assert run("fight", f"llm,model=first:http://{HOST}/v1", "monkey", "-n", "1").code == 2
    assert proxy.heads == []


@pytest.mark.parametrize("url", ["socks5://127.0.0.1:1", "http://", "http://[::1", "ftp://a"])
def test_a_proxy_that_is_no_url_is_refused(
    url: str, run: Run, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setenv("http_proxy", url)
    words = ("-n", "1", "--allow-network", HOST)
    ran = run("fight", f"llm,model=first:http://{HOST}/v1", "monkey", *words)
    assert ran.code == 2
    wording(ran.err)


def test_no_proxy_leaves_a_host_out(
    proxy: ForwardProxy, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", HOST)
    monkeypatch.setattr("arena.fights.patience.WAITS", ())
    name = f"llm,model=a,retries=0:http://{HOST}/v1"
    ran = run("fight", name, "monkey", "-n", "1", "--allow-network", HOST)
    assert f"'{HOST}" in ran.err
    assert proxy.heads == []
