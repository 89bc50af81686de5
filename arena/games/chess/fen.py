"""Read and write positions of chess as FEN, and check that they are positions of a game."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from arena.errors import PositionError, counted, quoted
from arena.games.board import squares_of
from arena.games.chess.moves import Men, attackers, checkers, passant_moves

#: Letters of men in the order of their bitboards.
PIECE_LETTERS = "pnbrqk"
SIDES = ("white", "black")

#: Plies without a capture or a pawn's move after which a game is drawn.
FIFTY_MOVES = 100
#: The largest number of a move in FEN. A game from the start ends before: by the rule of fifty
#: moves it has 5899 moves at most.
MAX_MOVE_NUMBER = 6000

#: The right to castle by its letter: the squares of the rook and of the king.
_CASTLING = {"K": (7, 4), "Q": (0, 4), "k": (63, 60), "q": (56, 60)}

#: An operation of EPD, such as ``bm Nf3;`` or ``id "one; two";``, and as many as a line may have.
_OPERATION = re.compile(r'([A-Za-z]\w*)((?:\s+(?:"[^"]*"|[^\s";]+))*)\s*(?:;|$)\s*', re.ASCII)
_EPD = re.compile(rf"(?:{_OPERATION.pattern})*", re.ASCII)

#: Returns the rooks that may castle, by the men and the letters. Raises PositionError.
ReadCastling = Callable[[Men, str], int]


class Fen(NamedTuple):
    """The contents of FEN."""

    men: Men
    #: Plies since the last capture or pawn's move.
    clock: int
    ply: int


def square_name(square: int) -> str:
    """Return the name of a square.

    >>> square_name(0), square_name(63)
    ('a1', 'h8')
    """
    return "abcdefgh"[square & 7] + "12345678"[square >> 3]


def square_of(name: str) -> int:
    """Return the square of that name. Raises ValueError for another text."""
    if len(name) != 2:
        raise ValueError(f"{name!r} is not a square")
    return "abcdefgh".index(name[0]) + 8 * "12345678".index(name[1])


def letters_of(men: Men) -> str:
    """Return a letter a square from a1 to h8, upper case for white, a dot for a free one."""
    letters = ["."] * 64
    for letter, board in zip(PIECE_LETTERS, men[2:8], strict=True):
        for square in squares_of(board):
            letters[square] = letter.upper() if men.first >> square & 1 else letter
    return "".join(letters)


def castling_of(men: Men) -> str:
    """Return the letters of the rights to castle, such as ``KQkq``."""
    return "".join(c for c, (rook, _) in _CASTLING.items() if men.castling >> rook & 1)


def write(fen: Fen, letters_of_castling: Callable[[Men], str] = castling_of) -> str:
    """Return the text with its six fields. ``letters_of_castling`` writes the rights to castle."""
    men, clock, ply = fen
    squares, ranks = letters_of(men), []
    for rank in reversed(range(8)):
        row = squares[8 * rank : 8 * rank + 8]
        for free in range(8, 0, -1):
            row = row.replace("." * free, str(free))
        ranks.append(row)
    castling = letters_of_castling(men)
    passant = square_name(men.passant) if men.passant else "-"
    return f"{'/'.join(ranks)} {'wb'[men.side]} {castling or '-'} {passant} {clock} {ply // 2 + 1}"


def read(text: str, castling_rooks: ReadCastling | None = None) -> Fen:
    """Read FEN or EPD, of which the operations ``hmvc`` and ``fmvn`` count.

    ``castling_rooks`` reads the rights to castle, by default those of chess. Raises PositionError
    with the problem. A square that no pawn can take en passant is left out.
    """
    fields, rest = text.split(None, 4)[:4], " ".join(text.split(None, 4)[4:])
    if len(fields) != 4:
        raise PositionError(
            f"position {quoted(text)} has {counted(len(fields), 'field')}; FEN has 6, such as"
            " rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        )
    try:
        return _read(fields, *_counters(rest), castling_rooks or _castling_rooks)
    except PositionError as error:
        raise PositionError(f"position {quoted(text)}: {error}") from error


def _counters(text: str) -> tuple[str, str]:
    """Return the half-move clock and the number of the move, as FEN or EPD have them."""
    fields = text.split()
    if len(fields) == 2 and ";" not in text:
        return fields[0], fields[1]
    if not _EPD.fullmatch(text):
        raise PositionError(f"{quoted(text)} is neither two numbers nor operations of EPD")
    operations = dict(_OPERATION.findall(text))
    return operations.get("hmvc", "0").strip(), operations.get("fmvn", "1").strip()


def _read(fields: list[str], clock: str, move: str, castling_rooks: ReadCastling) -> Fen:
    board, side, castling, passant = fields
    if side not in ("w", "b"):
        raise PositionError(f"the side to move is {quoted(side)}, not w or b")
    black = side == "b"
    first, second, pieces = _read_board(board)
    men = Men._make((first, second, *pieces, 0, 0, int(black)))
    _check_counts(men)
    men = men._replace(castling=castling_rooks(men, castling))
    _check_checks(men)
    plies = _number(clock, "the half-move clock", 0, FIFTY_MOVES)
    number = _number(move, "the number of the move", 1, MAX_MOVE_NUMBER)
    if passant != "-":
        men = _with_passant(men, passant, plies)
    ply = 2 * (number - 1) + black
    return Fen(men, plies, ply)


def _read_board(text: str) -> tuple[int, int, list[int]]:
    """Return the bitboards of white, of black, and of each kind of men."""
    first = second = 0
    pieces = [0] * 6
    ranks = text.split("/")
    if len(ranks) != 8:
        raise PositionError(f"it has {counted(len(ranks), 'rank')} of 8")
    for rank, row in zip(reversed(range(8)), ranks, strict=True):
        file = 0
        for letter in row[:9]:
            if letter in "12345678":
                file += int(letter)
                continue
            kind = PIECE_LETTERS.find(letter.lower())
            if kind < 0:
                raise PositionError(f"{quoted(letter)} is not a chessman")
            bit = 1 << 8 * rank + file
            pieces[kind] |= bit
            first, second = (first | bit, second) if letter.isupper() else (first, second | bit)
            file += 1
        if file != 8 or len(row) > 8:
            raise PositionError(f"rank {rank + 1}, {quoted(row)}, does not have 8 squares")
    return first, second, pieces


def _check_counts(men: Men) -> None:
    """Raise PositionError for men that a game cannot have."""
    if men.pawns & 0xFF000000000000FF:
        raise PositionError("a pawn is on rank 1 or 8")
    for name, side_men in zip(SIDES, (men.first, men.second), strict=True):
        has = [(side_men & board).bit_count() for board in men[2:8]]
        if has[5] != 1:
            raise PositionError(f"{name} has {counted(has[5], 'king')}")
        if has[0] > 8:
            raise PositionError(f"{name} has {has[0]} pawns")
        usual = zip(has[1:5], (2, 2, 2, 1), strict=True)
        promoted, lacks = sum(max(0, count - most) for count, most in usual), 8 - has[0]
        if promoted > lacks:
            raise PositionError(
                f"{name} has {counted(promoted, 'promoted piece')}, but lacks only"
                f" {counted(lacks, 'pawn')}"
            )


def _castling_rooks(men: Men, text: str) -> int:
    """Return the rooks that may castle."""
    if text == "-":
        return 0
    rooks = 0
    for letter in text[:5]:
        rook, king = _CASTLING.get(letter, (0, 0))
        friends = men.first if letter.isupper() else men.second
        if not king or rooks >> rook & 1:
            raise PositionError(f"castling {quoted(text)} is not of the letters KQkq, or -")
        if not (friends & men.rooks) >> rook & 1 or not (friends & men.kings) >> king & 1:
            raise PositionError(
                f"castling {letter} needs the king on {square_name(king)} and a rook on"
                f" {square_name(rook)}"
            )
        rooks |= 1 << rook
    return rooks


def _check_checks(men: Men) -> None:
    """Raise PositionError if the side that moved left its king in check, or gives too many."""
    friends, foes = (men.second, men.first) if men.side else (men.first, men.second)
    king = (men.kings & foes).bit_length() - 1
    if attackers(men._replace(side=1 - men.side), king, friends, friends | foes):
        name, other = SIDES[men.side], SIDES[1 - men.side]
        raise PositionError(f"{other} is in check, but {name} is to move")
    if checkers(men).bit_count() > 2:
        raise PositionError(f"{SIDES[men.side]} is in check by more than two men")


def _with_passant(men: Men, text: str, clock: int) -> Men:
    """Return the position with its square of a capture en passant, if a pawn can go there."""
    try:
        to = square_of(text)
    except ValueError:
        raise PositionError(f"the square en passant is {quoted(text)}") from None
    foes, step = (men.first, -8) if men.side else (men.second, 8)
    pawn, origin = to - step, to + step
    if to >> 3 != (2 if men.side else 5) or not (foes & men.pawns) >> pawn & 1:
        raise PositionError(f"no pawn has just passed over {text}")
    if (men.first | men.second) & (1 << to | 1 << origin):
        raise PositionError(f"the pawn that passed over {text} did not have a free way")
    if clock:
        raise PositionError(
            f"a pawn has just passed over {text}, but the half-move clock is {clock}"
        )
    passed = men._replace(passant=to)
    return passed if passant_moves(passed) else men


def _number(text: str, what: str, least: int, most: int) -> int:
    if text.isascii() and text.isdigit() and least <= int(text[:9]) <= most:
        return int(text[:9])
    raise PositionError(f"{what} is {quoted(text)}, not {least} to {most}")
