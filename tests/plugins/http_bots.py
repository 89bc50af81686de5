"""Bots as HTTP servers, good and bad, in one process: the first word of a path says which.

It prints its port. ``tests/plugins/conftest.py`` starts it; it imports nothing of arena's.
"""

from __future__ import annotations

import json
import os
import random
import socket
import struct
import sys
import time
from collections import Counter
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

#: What was said, by game and path, for tests that ask with GET.
heard: list[dict[str, Any]] = []
games: dict[str, random.Random] = {}
tries: Counter[str] = Counter()


@cache
def value(board: str, mover: str) -> tuple[int, int]:
    """Return the value of tic-tac-toe for the mover, and the best square."""
    other = "o" if mover == "x" else "x"
    if any(all(board[s] == other for s in line) for line in LINES):
        return -1, 0
    free = [square for square in range(9) if board[square] == "_"]
    if not free:
        return 0, 0
    outcomes = [(-value(board[:s] + mover + board[s + 1 :], other)[0], s) for s in free]
    return max(outcomes, key=lambda each: (each[0], -each[1]))


def perfect(message: dict[str, Any]) -> Any:
    mover = "x" if message["position"].count("_") % 2 else "o"
    return {"move": str(value(message["position"], mover)[1] + 1)}


def seeded(message: dict[str, Any]) -> Any:
    return {"move": games[message["game_id"]].choice(message["legal"])}


def liar(message: dict[str, Any]) -> Any:
    time.sleep(0.4)
    return {"move": message["legal"][0], "seconds": 0}


def honest(message: dict[str, Any]) -> Any:
    time.sleep(0.05)
    return {"move": message["legal"][0], "seconds": 0.05}


#: What bots answer to a question: JSON, or bytes as they are.
ANSWERS: dict[str, Any] = {
    "perfect": perfect,
    "seeded": seeded,
    "liar": liar,
    "honest": honest,
    "illegal": lambda message: {"move": "10"},
    "taken": lambda message: {
        "move": next(s for s in "123456789" if s not in message["legal"] or s == "9")
    },
    "number": lambda message: {"move": 5},
    "nothing": lambda message: {},
    "list": lambda message: [1],
    "empty": lambda message: b"",
    "garbage": lambda message: bytes(range(128, 256)) * 10,
    "html": lambda message: b"<!doctype html><title>Welcome</title>",
    "deep": lambda message: b"[" * 60_000,
    "digits": lambda message: b'{"move": ' + b"9" * 60_000 + b"}",
    "nan": lambda message: b'{"move": "1", "seconds": NaN}',
    "ago": lambda message: {"move": message["legal"][0], "seconds": -1},
    "other": lambda message: {"move": message["legal"][0], "id": 99},
    "sorry": lambda message: {"unavailable": "the model restarts", "retry_after": 3},
}


class Handler(BaseHTTPRequestHandler):
    """Answers as the bot of the path does; ``first`` is good."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Tell what was heard."""
        self.reply(heard)

    def do_POST(self) -> None:
        """Answer a message."""
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        bot, _, what = self.path.strip("/").partition("/")
        headers = {name: value for name, value in self.headers.items() if name != "Content-Length"}
        heard.append({"bot": bot, "path": what, "headers": headers, **message})
        if what == "start":
            games[message["game_id"]] = random.Random(message["seed"])
            time.sleep(0.3 * (bot == "liar"))  # which makes no way to it longer
        if act := getattr(self, f"bot_{bot}", None):
            act(what, message)
        elif what == "move":
            self.reply(ANSWERS.get(bot, first)(message))
        else:
            self.reply({})

    def reply(self, answer: Any, status: str = "200 OK", *headers: str) -> None:
        """Send an answer with these headers."""
        body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_raw(status, f"Content-Length: {len(body)}", *headers, body=body)

    def send_raw(self, status: str, *headers: str, body: bytes = b"") -> None:
        """Send a head and a body as they are."""
        head = "".join(f"{line}\r\n" for line in (f"HTTP/1.1 {status}", *headers))
        self.wfile.write(head.encode() + b"\r\n" + body)

    def unless_move(self, what: str) -> bool:
        """Answer anything but a question for a move."""
        if what != "move":
            self.reply({})
        return what != "move"

    def bot_nostart(self, what: str, message: Any) -> None:
        self.reply({"error": "unknown"}, "404 Not Found")

    def bot_late(self, what: str, message: Any) -> None:
        tries["late"] += what == "start"
        self.reply(first(message), "500 Sorry" if tries["late"] == 1 else "200 OK")

    def bot_huge(self, what: str, message: Any) -> None:
        if not self.unless_move(what):
            self.send_raw("200 OK", "Content-Length: 100000000", body=b" " * 65536)
            self.flood()

    def bot_endless(self, what: str, message: Any) -> None:
        if not self.unless_move(what):
            self.send_raw("200 OK", "Transfer-Encoding: chunked")
            self.flood(b"10000\r\n" + b" " * 65536 + b"\r\n")

    def bot_headers(self, what: str, message: Any) -> None:
        if not self.unless_move(what):
            self.send_raw("200 OK", "X: " + "x" * 60_000, "Y: " + "y" * 60_000, "Z: " + "z" * 66000)

    def flood(self, piece: bytes = b" " * 65536) -> None:
        try:
            for _ in range(1600):
                self.wfile.write(piece)
        except OSError:
            self.close_connection = True

    def bot_drip(self, what: str, message: Any) -> None:
        if not self.unless_move(what):
            try:
                for byte in b"HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n" + b" " * 60_000:
                    self.wfile.write(bytes([byte]))
                    time.sleep(0.02)
            except OSError:
                self.close_connection = True

    def bot_silent(self, what: str, message: Any) -> None:
        if not self.unless_move(what):
            time.sleep(2)
            self.close_connection = True

    def bot_cut(self, what: str, message: Any) -> None:
        if not self.unless_move(what):
            self.send_raw("200 OK", "Content-Length: 100", body=b'{"move"')
            self.close_connection = True

    def bot_closes(self, what: str, message: Any) -> None:
        self.close_connection = what == "move" or self.unless_move(what)

    def bot_resets(self, what: str, message: Any) -> None:
        if not self.unless_move(what):
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.connection.close()
            self.close_connection = True

    def bot_old(self, what: str, message: Any) -> None:
        self.protocol_version = "HTTP/1.0"
        self.close_connection = True
        self.wfile.write(b"HTTP/1.0 200 OK\r\n\r\n" + json.dumps(first(message)).encode())

    def bot_restless(self, what: str, message: Any) -> None:
        """Close the connection after each answer without saying so."""
        self.reply(first(message))
        self.close_connection = True

    def bot_dies(self, what: str, message: Any) -> None:
        """End the server in the second game."""
        tries["dies"] += what == "start"
        if what == "move" and tries["dies"] == 2:
            os._exit(1)
        self.reply(first(message))

    def bot_redirect(self, what: str, message: Any) -> None:
        if not self.unless_move(what):
            self.reply({}, "307 Temporary Redirect", f"Location: {self.elsewhere}/first/move")

    @property
    def elsewhere(self) -> str:
        return "http://" + str(self.headers["Host"]).replace("127.0.0.1", "localhost")

    def bot_error(self, what: str, message: Any) -> None:
        if not self.unless_move(what):
            self.reply(b"KeyError: 'x'\n  in bot.py", "500 Internal Server Error")

    def bot_teapot(self, what: str, message: Any) -> None:
        if not self.unless_move(what):
            self.reply(b"", "418 \x1b[31mTeapot")

    def bot_busy(self, what: str, message: Any) -> None:
        """Be busy once in the first game."""
        tries["busy"] += what == "move"
        if what == "move" and tries["busy"] == 2:
            self.reply({}, "429 Too Many Requests", "Retry-After: 0")
        else:
            self.reply(first(message))

    def bot_full(self, what: str, message: Any) -> None:
        self.reply({}, "503 Service Unavailable", "Retry-After: " + "9" * 400)

    def bot_html_type(self, what: str, message: Any) -> None:
        self.reply(first(message), "200 OK", "Content-Type: text/html", "Set-Cookie: a=b; Path=/")

    def bot_gzip(self, what: str, message: Any) -> None:
        if not self.unless_move(what):
            self.reply(b"\x1f\x8b\x08", "200 OK", "Content-Encoding: gzip")

    def bot_gopher(self, what: str, message: Any) -> None:
        if not self.unless_move(what):
            self.wfile.write(b"iWelcome\r\n")
            self.close_connection = True

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


def first(message: dict[str, Any]) -> Any:
    return {"move": message["legal"][0]} if "legal" in message else {}


class Server(ThreadingHTTPServer):
    """Serves on a port that is free."""

    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """Print nothing."""


if __name__ == "__main__":
    server = Server(("127.0.0.1", 0), Handler)
    if len(sys.argv) > 1:
        import ssl

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1])
        server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_address[1], flush=True)
    server.serve_forever()
