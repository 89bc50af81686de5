"""Find the legal moves of a chess position, and what a move changes.

A move is an int: ``64 * from + to`` with squares from 0 (a1) over 1 (b1) to 63 (h8). A promotion
adds 4096 for a knight, 8192 for a bishop, 12288 for a rook and 16384 for a queen. A castling king
moves two squares. In chess960 it moves to the square of its rook.

Bit 0 of a bitboard is a1, bit 1 b1 and bit 63 h8. The attacks of sliding pieces are looked up by
the occupied squares of a line. These tables fill as lines are met, so that importing costs little.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import NamedTuple

from arena.core import register_class, twin
from arena.games.board import squares_of

Step = tuple[int, int]

_ROOK_STEPS = ((1, 0), (0, 1))
_BISHOP_STEPS = ((1, 1), (1, -1))
_KNIGHT_STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
_KING_STEPS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))

#: A bitboard with every square.
EVERY = (1 << 64) - 1


def _ray(square: int, step: Step, occupied: int = 0, most: int = 7) -> int:
    """Return the squares in a direction, up to the first that is occupied, ``most`` at most."""
    squares, file, rank = 0, square & 7, square >> 3
    for _ in range(most):
        file, rank = file + step[0], rank + step[1]
        if not (0 <= file < 8 and 0 <= rank < 8):
            break
        bit = 1 << 8 * rank + file
        squares |= bit
        if occupied & bit:
            break
    return squares


class _SlideAttacks(dict[int, int]):
    """The squares that a sliding piece attacks on one line, by the occupied squares of the line."""

    def __init__(self, square: int, step: Step) -> None:
        self._square, self._ways = square, (step, (-step[0], -step[1]))
        self.mask = sum(_ray(square, way) for way in self._ways)

    def __missing__(self, occupied: int) -> int:
        squares = self[occupied] = sum(_ray(self._square, way, occupied) for way in self._ways)
        return squares


def _leaps(steps: tuple[Step, ...]) -> list[int]:
    return [sum(_ray(square, step, most=1) for step in steps) for square in range(64)]


def _lines(steps: tuple[Step, ...]) -> list[tuple[int, _SlideAttacks, int, _SlideAttacks]]:
    """Return the two lines through each square, each behind its mask."""
    pairs = [[_SlideAttacks(square, step) for step in steps] for square in range(64)]
    return [(one.mask, one, other.mask, other) for one, other in pairs]


#: The squares that a knight or a king attacks, by its square.
KNIGHT, KING = _leaps(_KNIGHT_STEPS), _leaps(_KING_STEPS)
#: The squares that a pawn attacks, by its side (white is 0) and its square.
PAWN = (_leaps(((1, 1), (-1, 1))), _leaps(((1, -1), (-1, -1))))
_STRAIGHT, _DIAGONAL = _lines(_ROOK_STEPS), _lines(_BISHOP_STEPS)


def straight(square: int, occupied: int) -> int:
    """Return the squares that a rook attacks."""
    mask, line, other_mask, other = _STRAIGHT[square]
    return line[occupied & mask] | other[occupied & other_mask]


def diagonal(square: int, occupied: int) -> int:
    """Return the squares that a bishop attacks."""
    mask, line, other_mask, other = _DIAGONAL[square]
    return line[occupied & mask] | other[occupied & other_mask]


@cache
def between(one: int, other: int) -> int:
    """Return the squares between two squares of a rank, file or diagonal, or none for others."""
    for attacks in (straight, diagonal):
        if attacks(one, 0) >> other & 1:
            return attacks(one, 1 << other) & attacks(other, 1 << one)
    return 0


_ENDS = 0xFF000000000000FF  # the ranks 1 and 8
#: The second rank of each side, from which a pawn may move two squares.
_SECOND_RANK = (0xFF00, 0xFF << 48)
#: Kinds of men, in the order of their bitboards.
_PAWN, _ROOK, _KING = 0, 3, 5
_PROMOTIONS = (1 << 12, 2 << 12, 3 << 12, 4 << 12)


@register_class("chess")
class Men(NamedTuple):
    """A position as far as repetition is concerned: two are the same if these are equal.

    All are bitboards but ``side``, and ``passant``, a square.
    """

    first: int
    second: int
    pawns: int
    knights: int
    bishops: int
    rooks: int
    queens: int
    kings: int
    #: The rooks that may still castle.
    castling: int
    #: The square that a pawn passed over, if another can legally take it there; 0 if none can.
    passant: int
    #: 0 if white is to move, 1 if black is.
    side: int


def attackers(men: Men, square: int, foes: int, occupied: int) -> int:
    """Return those of the side not to move, of ``foes``, that attack a square."""
    _, _, pawns, knights, bishops, rooks, queens, kings, _, _, side = men
    return foes & (
        KNIGHT[square] & knights
        | KING[square] & kings
        | PAWN[side][square] & pawns
        | straight(square, occupied) & (rooks | queens)
        | diagonal(square, occupied) & (bishops | queens)
    )


@twin("chess.checkers")
def checkers(men: Men) -> int:
    """Return the men that give check to the side to move."""
    friends, foes = (men.second, men.first) if men.side else (men.first, men.second)
    return attackers(men, (men.kings & friends).bit_length() - 1, foes, friends | foes)


#: Returns the castling moves of a king that is not in check: by the men, its square, the foes, and
#: the occupied squares.
Castlings = Callable[[Men, int, int, int], list[int]]


@twin("chess.legal_moves")
@lru_cache(maxsize=1 << 13)
def legal_moves(men: Men) -> tuple[int, ...]:
    """Return the legal moves, ascending, as if no draw ended the game."""
    return moves_with(men, _castlings)


def moves_with(men: Men, castlings: Castlings) -> tuple[int, ...]:
    """Return the legal moves, ascending, with the castling moves of a game."""
    friends, foes = (men.second, men.first) if men.side else (men.first, men.second)
    occupied, home = friends | foes, men.kings & friends
    king = home.bit_length() - 1
    moves = [
        king << 6 | to
        for to in squares_of(KING[king] & ~friends)
        if not attackers(men, to, foes, occupied ^ home)
    ]
    checks = attackers(men, king, foes, occupied)
    if checks & checks - 1:
        return tuple(moves)
    targets = EVERY & ~friends
    if checks:
        targets = checks | between(king, checks.bit_length() - 1)
    elif men.castling & friends:
        moves += castlings(men, king, foes, occupied)
    pins = _pins(men, king, friends, foes)
    moves += _piece_moves(men, friends & ~home, occupied, targets, pins)
    moves += _pawn_moves(men, friends, foes, targets, pins)
    if men.passant:
        moves += passant_moves(men)
    return tuple(sorted(moves))


def _pins(men: Men, king: int, friends: int, foes: int) -> dict[int, int]:
    """Return the squares that a pinned man may move to, by its square."""
    snipers = foes & (
        straight(king, foes) & (men.rooks | men.queens)
        | diagonal(king, foes) & (men.bishops | men.queens)
    )
    pins = {}
    for sniper in squares_of(snipers):
        line = between(king, sniper)
        shield = line & friends
        if shield and not shield & shield - 1:
            pins[shield.bit_length() - 1] = line | 1 << sniper
    return pins


def _piece_moves(
    men: Men, friends: int, occupied: int, targets: int, pins: dict[int, int]
) -> list[int]:
    """Return the moves of knights, bishops, rooks and queens."""
    moves = []
    straights, diagonals = men.rooks | men.queens, men.bishops | men.queens
    for square in squares_of(friends & ~men.pawns):
        reach = 0
        if men.knights >> square & 1:
            reach = KNIGHT[square]
        else:
            if straights >> square & 1:
                reach = straight(square, occupied)
            if diagonals >> square & 1:
                reach |= diagonal(square, occupied)
        reach &= targets
        if square in pins:
            reach &= pins[square]
        base = square << 6
        moves += [base | to for to in squares_of(reach)]
    return moves


def _pawn_moves(men: Men, friends: int, foes: int, targets: int, pins: dict[int, int]) -> list[int]:
    """Return the moves of pawns, except en passant."""
    moves: list[int] = []
    occupied, attacks = friends | foes, PAWN[men.side]
    doubles, step = _SECOND_RANK[men.side], -8 if men.side else 8
    for square in squares_of(friends & men.pawns):
        reach = attacks[square] & foes
        if not occupied >> square + step & 1:
            reach |= 1 << square + step
            if doubles >> square & 1 and not occupied >> square + 2 * step & 1:
                reach |= 1 << square + 2 * step
        reach &= targets
        if square in pins:
            reach &= pins[square]
        base = square << 6
        if reach & _ENDS:
            moves += [base | to | piece for to in squares_of(reach) for piece in _PROMOTIONS]
        else:
            moves += [base | to for to in squares_of(reach)]
    return moves


def passant_moves(men: Men) -> list[int]:
    """Return the legal captures en passant."""
    friends, foes = (men.second, men.first) if men.side else (men.first, men.second)
    to, king = men.passant, (men.kings & friends).bit_length() - 1
    captured = 1 << (to + 8 if men.side else to - 8)
    moves = []
    for square in squares_of(PAWN[not men.side][to] & friends & men.pawns):
        occupied = (friends | foes) ^ (captured | 1 << square | 1 << to)
        if not attackers(men, king, foes ^ captured, occupied):
            moves.append(square << 6 | to)
    return moves


def _castlings(men: Men, king: int, foes: int, occupied: int) -> list[int]:
    """Return the king's moves that castle. It is not in check."""
    moves = []
    for rook in squares_of(men.castling & ~foes):
        step = 1 if rook > king else -1
        if not between(king, rook) & occupied and not any(
            attackers(men, king + steps * step, foes, occupied) for steps in (1, 2)
        ):
            moves.append(king << 6 | king + 2 * step)
    return moves


@twin("chess.played")
def played(men: Men, move: int) -> Men:
    """Return the position after a legal move."""
    start, end, promotion = move >> 6 & 63, move & 63, move >> 12
    side, origin, target = men.side, 1 << start, 1 << end
    friends, foes = (men.second, men.first) if side else (men.first, men.second)
    change, captured = origin | target, target
    if men.passant and men.pawns & origin and end == men.passant:
        captured = target << 8 if side else target >> 8
    pieces = [board & ~captured for board in men[2:8]]
    moving = next(kind for kind, board in enumerate(pieces) if board & origin)
    pieces[moving] ^= change
    if promotion:
        pieces[_PAWN] ^= target
        pieces[promotion] ^= target
    castling = men.castling & ~change
    if moving == _KING:
        castling &= foes
        if abs(end - start) == 2:
            rook = 0b101 << start + 1 if end > start else 0b1001 << start - 4
            pieces[_ROOK] ^= rook
            change |= rook
    friends, foes = friends ^ change, foes & ~captured
    first, second = (foes, friends) if side else (friends, foes)
    after = Men._make((first, second, *pieces, castling, 0, 1 - side))
    if moving == _PAWN and abs(end - start) == 16:
        passed = after._replace(passant=(start + end) // 2)
        if passant_moves(passed):
            return passed
    return after
