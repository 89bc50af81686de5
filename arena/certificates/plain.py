"""Check a certificate of format 2 in plain Python, in so few lines that you can verify them by eye.

docs/certificates.md defines the format. The rules come from the game: ``start``, ``parse``,
``to_move``, ``legal_moves``, ``play`` and ``outcome``. Nothing else of arena is used.
"""

from __future__ import annotations

import lzma
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from arena.errors import ArenaError, UsageError
from arena.game import Game, Position
from arena.games.connect4 import ConnectPosition
from arena.games.mnk import MnkPosition
from arena.proof.checker import CertificateError

#: Positions of one ply at which a move is recorded, with their safe moves.
Asked: TypeAlias = "list[tuple[Position, list[int]]]"

#: Returns the number of the chosen move among the safe moves of each position of a ply.
Choose = Callable[[int, Asked], Sequence[int]]

_CLAIMS = {
    f"{name} {verb}": (side, verb == "wins")
    for side, name in enumerate(("first", "second"))
    for verb in ("wins", "does not lose")
}


class _Stream:
    """The decompressed bytes of a file."""

    def __init__(self, path: Path) -> None:
        self.packed = path.read_bytes()
        self.xz = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=32 << 20)

    def read(self, size: int) -> bytes:
        found = b""
        while len(found) < size and not self.xz.eof:
            fed = self.packed if self.xz.needs_input else b""
            try:
                part = self.xz.decompress(fed, size - len(found))
            except lzma.LZMAError as error:
                raise UsageError(f"the file is damaged: {error}") from error
            if fed:
                self.packed = b""
            if not part and not self.xz.eof and self.xz.needs_input:
                raise UsageError("the file is cut off")
            found += part
        return found

    def line(self) -> str:
        found = b""
        while not found.endswith(b"\n"):
            byte = self.read(1)
            if not byte or len(found) == 4095 or (byte < b" " and byte != b"\n") or byte == b"\x7f":
                raise UsageError("the head has a line without end or with a control character")
            found += byte
        try:
            return found[:-1].decode()
        except UnicodeDecodeError as error:
            raise UsageError("the head is not UTF-8 text") from error

    def value(self, *keys: str) -> str:
        line = self.line()
        key, blank, value = line.partition(" ")
        if key not in keys or not blank:
            raise UsageError(f"the head has {line!r} where {' or '.join(keys)!r} belongs")
        return value if len(keys) == 1 else line


def check(path: Path, games: Callable[[str], Game], most: int) -> dict[str, tuple[int, int]]:
    """Return the positions and the recorded moves of each claim that the file proves.

    Raises CertificateError if it does not prove one, and UsageError if it is not a certificate of
    a game here or has more than ``most`` positions.
    """
    stream = _Stream(path)
    if stream.line() != "arena certificate 2":
        raise UsageError("the file is not a certificate of format 2")
    name, version, text = stream.value("game"), stream.value("version"), stream.value("start")
    game = games(name)
    if (game.name, str(game.version)) != (name, version):
        raise UsageError(f"the rules here are {game.name}, version {game.version}")
    start = game.parse(text)
    if str(start) != text or start.outcome() is not None:
        raise UsageError("the start is not written as the game does, or the game is over there")
    claims = [stream.value("claim")]
    line = stream.value("claim", "source")
    if line.startswith("claim "):
        claims.append(line.removeprefix("claim "))
        stream.value("source")
    stream.value("program"), stream.value("assumes")
    draw = ["first does not lose", "second does not lose"]
    if stream.line() or claims[0] not in _CLAIMS or (len(claims) == 2 and claims != draw):
        raise UsageError("the head does not end, or the claims are not those of the format")

    def recorded(_: int, asked: Asked) -> bytes:
        count = stream.read(4)
        numbers = stream.read(len(asked))
        if len(count) < 4 or int.from_bytes(count, "little") != len(asked) != len(numbers):
            raise CertificateError(f"{len(asked)} moves are needed where the file has others")
        return numbers

    found = {claim: walk(start, *_CLAIMS[claim], recorded, most) for claim in claims}
    if stream.read(1) or stream.xz.unused_data:
        raise UsageError("the file goes on after its last section")
    return found


def walk(start: Position, side: int, wins: bool, choose: Choose, most: int) -> tuple[int, int]:
    """Return the numbers of positions and of recorded moves of one side's section."""
    ply, number, positions, recorded = {key(start): start}, start.ply, 0, 0
    while ply:
        after: dict[bytes | int, Position] = {}
        asked: Asked = []
        for _, position in sorted(ply.items()):
            outcome = position.outcome()
            if outcome is not None:
                if outcome.winner != side and (wins or outcome.winner is not None):
                    raise CertificateError(f"the game ends as {outcome.value} at {str(position)!r}")
            elif position.to_move != side:
                for move in position.legal_moves():
                    _add(after, position.play(move))
            elif not _wins_at_once(position):
                safe = [move for move in position.legal_moves() if _is_safe(position, move)]
                if not safe:
                    raise CertificateError(f"no move is safe at {str(position)!r}")
                if len(safe) == 1:
                    _add(after, position.play(safe[0]))
                else:
                    asked.append((position, safe))
        for (position, safe), chosen in zip(asked, choose(number, asked), strict=True):
            if chosen >= len(safe):
                raise CertificateError(f"move {chosen} of {len(safe)} safe ones at {position}")
            _add(after, position.play(safe[chosen]))
        positions, recorded = positions + len(ply), recorded + len(asked)
        if positions > most:
            raise UsageError(f"more than {most} positions can arise")
        ply, number = after, number + 1
    return positions, recorded


def key(position: Position) -> bytes | int:
    """Return what orders the positions of a ply."""
    if isinstance(position, MnkPosition):
        return position.first << position.game.squares | position.second
    if isinstance(position, ConnectPosition):
        return position.first | ((position.first | position.second) + position.game.bottom)
    return str(position).encode()


def _add(ply: dict[bytes | int, Position], position: Position) -> None:
    if ply.setdefault(key(position), position) != position:
        raise ArenaError(f"different positions have the text {str(position)!r}")


def _wins_at_once(position: Position) -> bool:
    outcomes = (position.play(move).outcome() for move in position.legal_moves())
    return any(end is not None and end.winner == position.to_move for end in outcomes)


def _is_safe(position: Position, move: int) -> bool:
    after = position.play(move)
    outcome = after.outcome()
    if outcome is not None:
        return outcome.winner in (None, position.to_move)
    return after.to_move == position.to_move or not _wins_at_once(after)
