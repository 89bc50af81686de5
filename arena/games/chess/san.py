"""Write and read moves of chess in standard algebraic notation (FIDE Handbook E.I.01, appendix C).

The functions take a position without its draws, and its legal moves.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from arena.errors import MoveError, quoted
from arena.games.chess.fen import square_name, square_of
from arena.games.chess.moves import Men

_PIECES = "NBRQK"
_MOVE = re.compile(
    r"([NBRQK])?([a-h])?([1-8])?[-x:]?([a-h][1-8])(?:=?\(?([NBRQ])\)?)?(?:e\.?p\.?)?", re.ASCII
)
_CASTLING = ("O-O", "O-O-O", "0-0", "0-0-0")


def written(men: Men, legal: Sequence[int], move: int) -> str:
    """Return the text of a legal move, without the sign for check or mate."""
    start, end, promotion = move >> 6 & 63, move & 63, move >> 12
    kind = _kind_at(men, start)
    target = square_name(end)
    takes = (men.first | men.second) >> end & 1
    if kind == "P":
        if (end - start) % 8:  # to another file, perhaps en passant
            target = f"{square_name(start)[0]}x{target}"
        return target + ("=" + _PIECES[promotion - 1] if promotion else "")
    if kind == "K" and (castling := _castling(men, move)):
        return castling
    return kind + _origin(men, legal, move, kind) + "x" * takes + target


def move_of_text(men: Men, legal: Sequence[int], text: str) -> int:
    """Return the one legal move of that text. Raises MoveError without exactly one."""
    bare = text.rstrip("+#!?")
    if bare in _CASTLING:
        castling = bare.replace("0", "O")
        candidates = [move for move in legal if _castling(men, move) == castling]
    else:
        match = _MOVE.fullmatch(bare)
        if match is None:
            raise MoveError(f"{quoted(text)} is not a move in algebraic notation, such as Nf3")
        piece, file, rank, target, promotion = match.groups()
        origin = (file or "", rank or "")
        end = square_of(target) | (_PIECES.index(promotion) + 1 << 12 if promotion else 0)
        candidates = [
            move
            for move in legal
            if move & ~(63 << 6) == end
            and _agrees(square_name(move >> 6 & 63), origin)
            and _kind_at(men, move >> 6 & 63) in (piece or ("P" if not all(origin) else "PNBRQK"))
        ]
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        which = " or ".join(square_name(move >> 6 & 63) for move in candidates)
        raise MoveError(f"{quoted(text)} is not clear: from {which}?")
    raise MoveError(f"{quoted(text)} is not a legal move here")


def _origin(men: Men, legal: Sequence[int], move: int, kind: str) -> str:
    """Return so much of the name of the origin that no other move has the same text."""
    start, end = move >> 6 & 63, move & 63
    others = [
        other >> 6 & 63
        for other in legal
        if other & 63 == end and other != move and _kind_at(men, other >> 6 & 63) == kind
    ]
    name = square_name(start)
    if not others:
        return ""
    if all(other & 7 != start & 7 for other in others):
        return name[0]
    if all(other >> 3 != start >> 3 for other in others):
        return name[1]
    return name


def _kind_at(men: Men, square: int) -> str:
    return next("PNBRQK"[kind] for kind, board in enumerate(men[2:8]) if board >> square & 1)


def _castling(men: Men, move: int) -> str:
    """Return the text of a castling move. The result is empty for another move.

    The king goes two squares, or to its own rook in chess960.
    """
    start, end = move >> 6 & 63, move & 63
    friends = men.second if men.side else men.first
    if not men.kings >> start & 1 or not (abs(end - start) == 2 or friends >> end & 1):
        return ""
    return "O-O" if end > start else "O-O-O"


def _agrees(square: str, origin: tuple[str, str]) -> bool:
    return all(not wanted or wanted == has for wanted, has in zip(origin, square, strict=True))
