"""Check a position of chess in Forsyth-Edwards Notation: the library takes two white kings."""

from __future__ import annotations

import re

from arena import PositionError, quoted

_HOME = {"K": ("e1", "h1"), "Q": ("e1", "a1"), "k": ("e8", "h8"), "q": ("e8", "a8")}


def check_fen(text: str) -> str:
    """Return a FEN with all its six fields. Raises PositionError with what is wrong."""
    fields = text.split()
    try:
        if len(fields) not in (4, 6):
            raise ValueError(f"it has {len(fields)} fields and not 6")
        board, mover, castling, passed, clock, number = [*fields, "0", "1"][:6]
        squares = _squares(board)
        _check_pieces(squares)
        if mover not in ("w", "b"):
            raise ValueError(f"{quoted(mover)} is not a side: use w or b")
        _check_castling(castling, squares)
        _check_passed(passed, mover, squares)
        if not (re.fullmatch(r"\d{1,3}", clock, re.ASCII) and int(clock) <= 150):
            raise ValueError(f"{quoted(clock)} is not a number of plies up to 150")
        if not re.fullmatch(r"[1-9]\d{0,4}", number, re.ASCII):
            raise ValueError(f"{quoted(number)} is not the number of a move")
    except ValueError as error:
        raise PositionError(f"position {quoted(text)}: {error}") from None
    return f"{board} {mover} {castling} {passed} {int(clock)} {number}"


def _squares(board: str) -> dict[str, str]:
    """Return the pieces by square."""
    rows = board.split("/")
    if len(rows) != 8:
        raise ValueError(f"the board has {len(rows)} rows and not 8")
    found: dict[str, str] = {}
    for rank, row in zip("87654321", rows, strict=True):
        if not re.fullmatch(r"[pnbrqkPNBRQK1-8]*", row) or re.search(r"\d\d", row):
            raise ValueError(f"{quoted(row)} is not a row of pieces and numbers of free squares")
        pieces = re.sub(r"\d", lambda free: "." * int(free[0]), row)
        if len(pieces) != 8:
            raise ValueError(f"row {quoted(row)} has {len(pieces)} squares and not 8")
        found |= {f + rank: p for f, p in zip("abcdefgh", pieces, strict=True) if p != "."}
    return found


def _check_pieces(squares: dict[str, str]) -> None:
    pieces = list(squares.values())
    for colour, own in (("white", "KQRBNP"), ("black", "kqrbnp")):
        counts = [pieces.count(piece) for piece in own]
        if counts[0] != 1:
            raise ValueError(f"{colour} has {counts[0]} kings and not 1")
        if counts[5] > 8 or sum(counts) > 16:
            raise ValueError(f"{colour} has {sum(counts)} pieces, {counts[5]} of them pawns")
    if any(piece in "Pp" and square[1] in "18" for square, piece in squares.items()):
        raise ValueError("a pawn stands on the first or the last rank")


def _check_castling(castling: str, squares: dict[str, str]) -> None:
    if castling != "-" and not re.fullmatch(r"(?=.)K?Q?k?q?", castling):
        raise ValueError(f"{quoted(castling)} is not castling rights, such as KQkq or -")
    for right in castling.replace("-", ""):
        king, rook = _HOME[right]
        if (squares.get(king), squares.get(rook)) != (
            ("K", "R") if right.isupper() else ("k", "r")
        ):
            raise ValueError(f"right {right} needs a king on {king} and a rook on {rook}")


def _check_passed(passed: str, mover: str, squares: dict[str, str]) -> None:
    """Check the square that a pawn has just passed by a step of two."""
    if passed == "-":
        return
    rank, ahead, pawn = ("6", "5", "p") if mover == "w" else ("3", "4", "P")
    if not re.fullmatch(f"[a-h]{rank}", passed) or squares.get(passed[0] + ahead) != pawn:
        raise ValueError(f"{quoted(passed)} is not a square that a pawn has just passed")
