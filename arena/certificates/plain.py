"""Check a certificate of format 2 in plain Python: so few lines that you can verify them by eye.

docs/certificates.md defines the format. It uses nothing of arena but the rules of the game.
"""

from __future__ import annotations

import lzma
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from arena.errors import UsageError
from arena.game import Game, Position
from arena.games.connect4 import ConnectPosition
from arena.games.mnk import MnkPosition
from arena.proof.checker import CertificateError

#: The positions of a ply at which a move is recorded, with their safe moves.
SafeMoves: TypeAlias = "list[tuple[Position, list[int]]]"

#: Returns the numbers of the chosen moves among the safe ones.
ChooseSafe = Callable[[SafeMoves], Sequence[int]]

_DRAW = ["first does not lose", "second does not lose"]
_CLAIMS = ["first wins", *_DRAW, "second wins"]


class _PlainStream:
    """The decompressed bytes of a file."""

    def __init__(self, path: Path) -> None:
        self.xz = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=32 << 20)
        self.packed = path.read_bytes()

    def read(self, size: int) -> bytes:
        """Return this many bytes, or fewer at the end of the stream."""
        content = b""
        while len(content) < size and not self.xz.eof:
            fed, self.packed = self.packed, b""
            try:
                content += self.xz.decompress(fed, size - len(content))
            except lzma.LZMAError as error:
                raise UsageError(f"the file is damaged: {error}") from error
            if self.xz.needs_input and len(content) < size:
                raise UsageError("the file is cut off")
        return content

    def line(self, *keys: str) -> str:
        """Return the next line, which begins with one of these keys."""
        line = b""
        while (byte := self.read(1)) != b"\n":
            line += byte
            if not b" " <= byte <= b"~" or len(line) == 4096:
                raise UsageError("the head does not end, or is not text")
        if not line.decode().startswith(keys):
            raise UsageError(f"the head has {line!r} where {' or '.join(keys)!r} belongs")
        return line.decode()


def check(path: Path, games: Callable[[str], Game], most: int) -> dict[str, tuple[int, int]]:
    """Return the positions and recorded moves of each claim. Raises an ArenaError for a lie."""
    stream = _PlainStream(path)
    magic, name, version, text = map(stream.line, ("arena ", "game ", "version ", "start "))
    game = games(name[5:])
    if magic != "arena certificate 2" or [name[5:], version[8:]] != [game.name, str(game.version)]:
        raise UsageError("the file has another format, or another game or version than here")
    begin = game.parse(text[6:])
    if text != f"start {begin}" or begin.outcome() is not None:
        raise UsageError("the start is not written as the game does, or the game is over there")
    claims, line = [stream.line("claim ")[6:]], stream.line("claim ", "source ")
    if line.startswith("claim "):
        claims.append(line[6:])
        stream.line("source ")
    stream.line("program "), stream.line("assumes ")
    if stream.line("") or (claims != _DRAW and (claims[1:] or claims[0] not in _CLAIMS)):
        raise UsageError("the head does not end, or the claims are not those of the format")

    def recorded(questions: SafeMoves) -> bytes:
        count, numbers = stream.read(4), stream.read(len(questions))
        if len(numbers) < len(questions) or count != len(questions).to_bytes(4, "little"):
            raise CertificateError("a ply has another number of moves than positions need")
        return numbers

    sizes = {
        claim: walk(begin, claim.startswith("second"), claim.endswith("wins"), recorded, most)
        for claim in claims
    }
    if stream.read(1) or stream.xz.unused_data:
        raise UsageError("the file goes on after its last section")
    return sizes


def walk(start: Position, side: int, wins: bool, choose: ChooseSafe, most: int) -> tuple[int, int]:
    """Return the numbers of positions and of recorded moves of one side's section."""
    ply: dict[bytes | int, Position] = {key(start): start}
    positions = recorded = 0
    while ply:
        after: list[Position] = []
        questions: SafeMoves = []
        for _, position in sorted(ply.items()):
            outcome = position.outcome()
            if outcome is not None:
                if outcome.winner != side and (wins or outcome.winner is not None):
                    raise CertificateError(f"the game ends at {str(position)!r}")
            elif position.to_move != side:
                after += map(position.play, position.legal_moves())
            elif not _wins_at_once(position):
                safe = [move for move in position.legal_moves() if is_safe(position, move)]
                if not safe:
                    raise CertificateError(f"no move is safe at {str(position)!r}")
                if len(safe) == 1:
                    after.append(position.play(safe[0]))
                else:
                    questions.append((position, safe))
        for (position, safe), number in zip(questions, choose(questions), strict=True):
            if number >= len(safe):
                raise CertificateError(f"move {number} of {len(safe)} at {str(position)!r}")
            after.append(position.play(safe[number]))
        positions, recorded = positions + len(ply), recorded + len(questions)
        ply = {key(position): position for position in after}
        if len(ply) != len(set(after)):
            raise CertificateError("different positions of a ply have the same text")
        if positions + len(ply) > most:
            raise UsageError(f"more than {most} positions can arise")
    return positions, recorded


def key(position: Position) -> bytes | int:
    """Return what orders the positions of a ply."""
    if isinstance(position, MnkPosition):
        return position.first << position.game.squares | position.second
    if isinstance(position, ConnectPosition):
        return position.first | ((position.first | position.second) + position.game.bottom)
    return str(position).encode()


def _wins_at_once(position: Position) -> bool:
    ends = (position.play(move).outcome() for move in position.legal_moves())
    return any(end is not None and end.winner == position.to_move for end in ends)


def is_safe(position: Position, move: int) -> bool:
    """Return whether the side to move may make this move without losing by it at once."""
    after = position.play(move)
    outcome = after.outcome()
    if outcome is not None:
        return outcome.winner in (None, position.to_move)
    return after.to_move == position.to_move or not _wins_at_once(after)
