"""Chess960: chess from one of 960 first ranks, where a king castles by taking its own rook.

A start has a number from 0 to 959 (Scharnagl, "Fischer-Random-Schach", 2004). The text of a
position is Shredder-FEN, which names the files of the rooks that may castle, as ``HAha``. X-FEN is
read too, in which ``K`` and ``Q`` stand for the outermost rook on a side of the king.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from arena.errors import PositionError, quoted
from arena.games.board import squares_of
from arena.games.chess import fen
from arena.games.chess.fen import Fen, square_name
from arena.games.chess.moves import Men, attackers, between, moves_with, played
from arena.games.chess.rules import Chess, ChessPosition

#: The number of starts, and that of the start of chess.
_STARTS, _USUAL_START = 960, 518

_ROOK, _KING = 3, 5
#: The files of the king and of the rook after castling on the side of the king, and of the queen.
_KINGSIDE, _QUEENSIDE = (6, 5), (2, 3)


@lru_cache(maxsize=1 << 13)
def legal_moves(men: Men) -> tuple[int, ...]:
    """Return the legal moves, ascending, as if no draw ended the game."""
    return moves_with(men, _castlings)


def _castlings(men: Men, king: int, foes: int, occupied: int) -> list[int]:
    """Return the moves of the king to the rooks with which it castles. It is not in check."""
    moves = []
    for rook in squares_of(men.castling & ~foes):
        king_to, rook_to = _targets(king, rook)
        others = occupied ^ (1 << king | 1 << rook)
        way = _way(king, king_to)
        if (
            not others & (way | _way(rook, rook_to))
            and not any(attackers(men, to, foes, occupied) for to in squares_of(way))
            # At its end the rook no longer shields the king.
            and not attackers(men, king_to, foes, others | 1 << rook_to)
        ):
            moves.append(king << 6 | rook)
    return moves


def _targets(king: int, rook: int) -> tuple[int, int]:
    """Return the squares of king and rook after castling."""
    rank, (king_file, rook_file) = king & 56, _KINGSIDE if rook > king else _QUEENSIDE
    return rank | king_file, rank | rook_file


def _way(one: int, other: int) -> int:
    """Return the squares of a rank from one to another, both of them among these."""
    return between(one, other) | 1 << one | 1 << other


def after(men: Men, move: int) -> Men:
    """Return the position after a legal move."""
    king, rook = move >> 6 & 63, move & 63
    friends, foes = (men.second, men.first) if men.side else (men.first, men.second)
    if not friends >> rook & 1:
        return played(men, move)
    king_to, rook_to = _targets(king, rook)
    pieces = [*men[2:8]]
    pieces[_KING] ^= 1 << king | 1 << king_to if king != king_to else 0
    pieces[_ROOK] ^= 1 << rook | 1 << rook_to if rook != rook_to else 0
    friends = friends & ~(1 << king | 1 << rook) | 1 << king_to | 1 << rook_to
    first, second = (foes, friends) if men.side else (friends, foes)
    return Men._make((first, second, *pieces, men.castling & foes, 0, 1 - men.side))


class Chess960Position(ChessPosition):
    """A position of chess960."""

    __slots__ = ()

    _moves_of = staticmethod(legal_moves)
    _after = staticmethod(after)

    @property
    def game(self) -> Chess:
        """Chess960."""
        return CHESS960


class Chess960(Chess):
    """The rules of chess960. :data:`CHESS960` is the one instance."""

    name = "chess960"
    position_type = Chess960Position
    effort = 2683

    @property
    def guide(self) -> str:
        """The rules in sentences."""
        return (
            f"{super().guide} The first rank has its pieces in one of 960 orders, the same for both"
            " players. A king castles by moving to the square of its own rook."
        )

    def start(self) -> ChessPosition:
        """Return the start of chess, which is one of chess960."""
        return _start(_USUAL_START)

    def starts(self) -> Sequence[ChessPosition]:
        """Return every start, by its number."""
        return [_start(number) for number in range(_STARTS)]

    def parse(self, text: str) -> ChessPosition:
        """Read a position: Shredder-FEN, X-FEN, or the number of a start."""
        if text.isascii() and text.isdigit():
            if int(text[:9]) >= _STARTS:
                raise PositionError(f"start {quoted(text)} is not 0 to {_STARTS - 1}")
            return _start(int(text[:9]))
        return super().parse(text)

    def read_fen(self, text: str) -> Fen:
        """Return what a Shredder-FEN or X-FEN says. Raises PositionError."""
        return fen.read(text, _castling_rooks)

    def write_fen(self, fields: Fen) -> str:
        """Return the Shredder-FEN."""
        return fen.write(fields, _castling_letters)

    def __reduce__(self) -> tuple[Any, ...]:
        return _chess960, ()


def first_rank(number: int) -> str:
    """Return the men of white at a start, from file a to h.

    >>> first_rank(518), first_rank(0)
    ('RNBQKBNR', 'BBQNNRKR')
    """
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)
    rank = [""] * 8
    rank[2 * light + 1] = rank[2 * dark] = "B"
    rank[_free(rank)[queen]] = "Q"
    first, second = [*combinations(range(5), 2)][knights]
    free = _free(rank)
    rank[free[first]] = rank[free[second]] = "N"
    for file, man in zip(_free(rank), "RKR", strict=True):
        rank[file] = man
    return "".join(rank)


def _free(rank: Sequence[str]) -> list[int]:
    return [file for file, man in enumerate(rank) if not man]


@lru_cache(maxsize=_STARTS)
def _start(number: int) -> ChessPosition:
    """Return a start by its number."""
    rank = first_rank(number)
    text = f"{rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w KQkq - 0 1"
    return Chess960Position(*CHESS960.read_fen(text), ())


def _castling_letters(men: Men) -> str:
    """Return the files of the rooks that may castle, those of white in upper case first."""
    white, black = (
        "".join(square_name(rook)[0] for rook in reversed(squares_of(men.castling & side)))
        for side in (men.first, men.second)
    )
    return white.upper() + black


def _castling_rooks(men: Men, text: str) -> int:
    """Return the rooks that may castle. Raises PositionError if one may not."""
    rooks, sides = 0, set[tuple[int, bool]]()
    for letter in "" if text == "-" else text[:5]:
        king, rook = _castling_men(men, letter)
        side = (king >> 3, rook > king)  # a king castles with one rook on each side
        if rook < 0 or side in sides:
            raise PositionError(
                f"castling {quoted(text)} is not of rooks beside a king on its first rank: KQkq,"
                " or letters of files such as HAha, or -"
            )
        rooks |= 1 << rook
        sides.add(side)
    return rooks


def _castling_men(men: Men, letter: str) -> tuple[int, int]:
    """Return the squares of the king and the rook of a letter. The rook is -1 if there is none."""
    friends, rank = (men.first, 0) if letter.isupper() else (men.second, 56)
    king = (men.kings & friends).bit_length() - 1
    if not rank < king < rank + 7:
        return king, -1
    rooks = squares_of(friends & men.rooks & 0xFF << rank)
    east, west = ([r for r in rooks if (r > king) == is_east] for is_east in (True, False))
    file = "ABCDEFGH".find(letter.upper())
    by_letter = {"K": east[-1:], "Q": west[:1]}
    named = by_letter.get(letter.upper(), [r for r in rooks if r == rank | file])
    return king, named[0] if named else -1


def _chess960() -> Chess960:
    return CHESS960


CHESS960 = Chess960()
