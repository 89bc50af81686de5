"""A bot as an HTTP server: it makes any legal move of any game.

    python3 any_move.py 8000
    arena fight http://127.0.0.1:8000 monkey

Several games may be played at once, so the state of each is kept under its ``game_id``.
"""

import json
import random
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

games = {}


def start(message):
    games[message["game_id"]] = random.Random(message["seed"])
    return {}


def move(message):
    begin = time.perf_counter()
    choice = games[message["game_id"]].choice(message["legal"])
    return {"move": choice, "seconds": time.perf_counter() - begin}


def end(message):
    games.pop(message["game_id"], None)
    return {}


answers = {"/start": start, "/move": move, "/end": end}


class Handler(BaseHTTPRequestHandler):
    """Answers POST requests in JSON."""

    protocol_version = "HTTP/1.1"  # so that one connection is good for a whole game

    def do_POST(self):
        """Answer a message of arena's."""
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps(answers[self.path](message)).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n"
        self.wfile.write(head.encode() + body)  # at once: two packets take longer

    def log_message(self, *_):
        """Print nothing."""


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
