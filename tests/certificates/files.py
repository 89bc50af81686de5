"""Certificates for tests: small ones, and lies made of them."""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import arena
from arena.certificates.head import DRAW, Claim
from arena.certificates.writing import write_by_position
from arena.game import Game, Position, Side
from arena.games.search import solve
from arena.proof.values import value


def claims_of(game: Game) -> tuple[Claim, ...]:
    """Return what can be claimed of a game's start."""
    worth = value(game.start())
    return DRAW if not worth else (Claim(Side(worth < 0), True),)


def best_move(position: Position) -> int:
    return solve(position)[1][0]


@cache
def certificate(name: str) -> bytes:
    """Return the certificate of a small game."""
    game = arena.get_game(name)
    with TemporaryDirectory() as folder:
        file = Path(folder, "certificate")
        moves = dict.fromkeys(claims_of(game), best_move)
        write_by_position(file, game.start(), moves, "arena.value")
        return file.read_bytes()


def unpacked(name: str) -> tuple[bytes, bytes]:
    """Return the head and the records of a small game's certificate."""
    head, _, records = lzma.decompress(certificate(name)).partition(b"\n\n")
    return head + b"\n\n", records


def packed(*parts: bytes) -> bytes:
    return lzma.compress(b"".join(parts), preset=0)


def plies(records: bytes) -> Iterator[bytes]:
    """Yield the records one by one."""
    while records:
        end = 4 + int.from_bytes(records[:4], "little")
        yield records[:end]
        records = records[end:]
