"""Check a position of chess in Forsyth-Edwards Notation: the library takes two white kings."""

from __future__ import annotations

import re

from arena.errors import PositionError, quoted

#: Steps of a king and leaps of a knight.
_STEPS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
_LEAPS = [(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)]

#: Where king and rook must stand for each right to castle.
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
        _check_waiting_king(mover, squares)
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
    pieces_by_square: dict[str, str] = {}
    for rank, row in zip("87654321", rows, strict=True):
        if not re.fullmatch(r"[pnbrqkPNBRQK1-8]*", row) or re.search(r"\d\d", row):
            raise ValueError(f"{quoted(row)} is not a row of pieces and numbers of free squares")
        pieces = re.sub(r"\d", lambda free: "." * int(free[0]), row)
        if len(pieces) != 8:
            raise ValueError(f"row {quoted(row)} has {len(pieces)} squares and not 8")
        pieces_by_square |= {
            f + rank: p for f, p in zip("abcdefgh", pieces, strict=True) if p != "."
        }
    return pieces_by_square


def _check_pieces(squares: dict[str, str]) -> None:
    pieces = list(squares.values())
    for colour, letters in (("white", "KQRBNP"), ("black", "kqrbnp")):
        counts = [pieces.count(piece) for piece in letters]
        if counts[0] != 1:
            raise ValueError(f"{colour} has {counts[0]} kings and not 1")
        if counts[5] > 8 or sum(counts) > 16:
            raise ValueError(f"{colour} has {sum(counts)} pieces, {counts[5]} of them pawns")
    if any(piece in "Pp" and square[1] in "18" for square, piece in squares.items()):
        raise ValueError("a pawn stands on the first or the last rank")


def _check_waiting_king(mover: str, squares: dict[str, str]) -> None:
    """Raise ValueError if the side to move could take the other's king."""
    king, colour = ("k", "black") if mover == "w" else ("K", "white")
    king_square = next(square for square, piece in squares.items() if piece == king)
    pieces = dict(zip("PNBRQK", "PNBRQK" if mover == "w" else "pnbrqk", strict=True))
    x, y = ord(king_square[0]) - ord("a"), int(king_square[1])
    ahead = 1 if mover == "w" else -1
    for dx, dy in (*_STEPS, *_LEAPS):
        seen = _sight(squares, x, y, (dx, dy), far=(dx, dy) in _STEPS)
        takers = "N" if (dx, dy) in _LEAPS else "QR" if 0 in (dx, dy) else "QB"
        near = squares.get(_name(x + dx, y + dy))
        is_near = near == pieces["K"] and (dx, dy) in _STEPS
        is_near |= near == pieces["P"] and dx != 0 and dy == -ahead and abs(dx) == 1
        if is_near or seen in [pieces[taker] for taker in takers]:
            raise ValueError(f"{colour} is in check, but it is not its turn")


def _sight(
    squares: dict[str, str], x: int, y: int, step: tuple[int, int], *, far: bool
) -> str | None:
    """Return the first piece in a direction, at the first step alone if it is not ``far``."""
    for n in range(1, 8 if far else 2):
        name = _name(x + n * step[0], y + n * step[1])
        if name in squares or not name:
            return squares.get(name)
    return None


def _name(x: int, y: int) -> str:
    return f"{'abcdefgh'[x]}{y}" if 0 <= x < 8 and 1 <= y <= 8 else ""


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
