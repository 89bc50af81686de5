"""Chess: positions that know what has been repeated, and the game.

The text of a position is FEN. Where earlier positions may come again, the moves since the last
capture, pawn's move or lost right to castle follow: ``FEN after g1f3 g8f6``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from arena.core import register_class, twin
from arena.errors import IllegalMove, MoveError, PositionError, numeral, quoted
from arena.game import WIN_FOR, Outcome, Position
from arena.games.board import squares_of_bitboards
from arena.games.chess import fen, san
from arena.games.chess.fen import FIFTY_MOVES, MAX_MOVE_NUMBER, Fen, square_name, square_of
from arena.games.chess.moves import Men, checkers, legal_moves, played
from arena.games.sealed import SealedGame
from arena.games.walk import walked

if TYPE_CHECKING:
    from arena.arrays import Bools
    from arena.pictures.diagram import Diagram

_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
_MOVE = re.compile(r"([a-h][1-8])([a-h][1-8])([nbrq])?", re.ASCII)
_LIGHT = 0x55AA55AA55AA55AA
#: Worth of men in hundredths of a pawn, in the order of their bitboards.
_WORTH = (100, 300, 300, 500, 900, 0)
#: A position that occurs so often ends the game.
_THREEFOLD = 3


class _ChessFields(NamedTuple):
    # It is a tuple, because a player cannot change one.
    men: Men
    clock: int
    ply: int
    past: tuple[Men, ...]


@register_class("chess")
class ChessPosition(_ChessFields, Position):
    """A position of chess: the men, the half-move clock, the ply, and what may be repeated.

    ``past`` are the positions before it that may come again. From equal positions games go on
    alike: draws by repetition and by fifty moves included.
    """

    __slots__ = ()

    #: The legal moves of men, and the men after a move.
    _moves_of = staticmethod(legal_moves)
    _after = staticmethod(played)

    @property
    def game(self) -> Chess:
        """Chess."""
        return CHESS

    @twin("chess.position_moves")
    def legal_moves(self) -> tuple[int, ...]:
        """Return the legal moves, ascending, or none when the game is over."""
        return () if self._is_drawn() else self._moves_of(self.men)

    @twin("chess.position_play")
    def play(self, move: int) -> Self:
        """Return the position after the move."""
        men, clock, ply, past = self
        if move not in self._moves_of(men) or self._is_drawn():
            raise IllegalMove(self._why_illegal(move))
        after = self._after(men, move)
        if men.pawns >> (move >> 6 & 63) & 1 or men[1 - men.side] >> (move & 63) & 1:
            return type(self)(after, 0, ply + 1, ())
        if after.castling != men.castling or men.passant:
            return type(self)(after, clock + 1, ply + 1, ())
        return type(self)(after, clock + 1, ply + 1, (*past, men))

    @twin("chess.position_outcome")
    def outcome(self) -> Outcome | None:
        """Return the winner by checkmate, or a draw.

        A game is drawn by stalemate, by the third occurrence of a position, after fifty moves of
        each side without a capture or a pawn's move, and if neither side has the men for a mate.
        """
        if not self._moves_of(self.men):
            return WIN_FOR[1 - self.men.side] if self.is_check() else Outcome.DRAW
        return Outcome.DRAW if self._is_drawn() else None

    def is_check(self) -> bool:
        """Return whether the side to move is in check."""
        return bool(checkers(self.men))

    def write_move(self, move: int) -> str:
        """Return a legal move in standard algebraic notation, such as ``Nf3`` or ``exd8=Q#``."""
        after = self.play(move)
        text = san.written(self.men, self._moves_of(self.men), move)
        return text + ("" if not after.is_check() else "+" if self._moves_of(after.men) else "#")

    def read_move(self, text: str) -> int:
        """Return the move of this text: algebraic notation, or the game's own.

        Raises MoveError if no legal move has the text in algebraic notation, or more than one.
        """
        try:
            return self.game.parse_move(text)
        except MoveError:
            return san.move_of_text(self.men, self.legal_moves(), text)

    def fen(self) -> str:
        """Return the position as FEN, without the moves before it."""
        return self.game.write_fen(Fen(self.men, self.clock, self.ply))

    @twin("chess.estimate")
    def estimate(self) -> int:
        """Weigh the men: white's less black's, in hundredths of a pawn."""
        men = self.men
        return sum(
            worth * ((board & men.first).bit_count() - (board & men.second).bit_count())
            for worth, board in zip(_WORTH, men[2:8], strict=True)
        )

    def diagram(self) -> Diagram:
        """Return the board with white at the bottom."""
        from arena.games.diagrams import letters, numbers
        from arena.pictures.diagram import FREE, Diagram

        squares = fen.letters_of(self.men).replace(".", FREE)
        ranks = [squares[8 * rank : 8 * rank + 8] for rank in reversed(range(8))]
        return Diagram(8, 8, "".join(ranks), "chess", letters(8), numbers(8, from_below=True))

    def move_squares(self, move: int, is_played: bool = False) -> tuple[int, ...]:
        """Return the squares where the man stood and where it goes."""
        # Square 0 is a1, and the upper row comes first.
        return move >> 6 & 63 ^ 56, move & 63 ^ 56

    def picture(self) -> str:
        """Draw the board with its coordinates, white at the bottom and in upper case."""
        squares = fen.letters_of(self.men)
        rows = [f"{rank + 1} {' '.join(squares[8 * rank : 8 * rank + 8])}" for rank in range(8)]
        return "\n".join([*reversed(rows), "  a b c d e f g h"])

    def __str__(self) -> str:
        if not self.past:
            return self.fen()
        steps = zip(self.past, (*self.past[1:], self.men), strict=True)
        return f"{self.fen()} after {' '.join(_quiet_move(a, b) for a, b in steps)}"

    def _is_drawn(self) -> bool:
        """Return whether a rule draws the game while there are legal moves."""
        return (
            self.clock >= FIFTY_MOVES
            or self.past.count(self.men) >= _THREEFOLD - 1
            or _is_insufficient(self.men)
        )

    def _why_illegal(self, move: int) -> str:
        if self.outcome() is not None:
            return f"the game is over in {str(self)!r}"
        if not 0 <= move < self.game.move_count:
            return f"move {quoted(numeral(move))} is not a move of {self.game.name}"
        return f"move {self.game.format_move(move)} is not legal in {str(self)!r}"


class Chess(SealedGame):
    """The rules of chess. :data:`CHESS` is the one instance."""

    name = "chess"
    #: The class of its positions.
    position_type: type[ChessPosition] = ChessPosition
    #: Enough for any game, also from a position with a late number of its move.
    max_plies = 4 * MAX_MOVE_NUMBER
    #: Four promotions, and moves without one: see :mod:`arena.games.chess.moves`.
    move_count = 5 << 12
    effort = 2556
    _sealed = True

    @property
    def guide(self) -> str:
        """The rules in sentences."""
        return (
            "Chess by the laws of FIDE. A player that is checkmated loses. A game is drawn by"
            " stalemate, when a position occurs for the third time, after fifty moves of each side"
            " without a capture or a move of a pawn, and when no side has enough pieces to mate. A"
            " move is the square from which a piece goes and the one to which it goes, with the"
            " piece of a promotion: e2e4, e7e8q."
        )

    def start(self) -> ChessPosition:
        """Return the start."""
        return _START_POSITION

    def parse(self, text: str) -> ChessPosition:
        """Read a position. Raises PositionError for a text that is not FEN of a possible position.

        Not every position that passes can occur in a game.
        """
        board, after, moves = text.partition(" after ")
        if not after or '"' in board:  # a quotation in EPD
            board, after = text, ""
        fields = self.read_fen(board)
        if not after:
            return self.position_type(*fields, ())
        return self._replayed(text, fields, moves.split())

    def planes(self, positions: Sequence[Any]) -> tuple[Bools, Bools]:
        """Return the men of the side to move and of the other: each of shape (positions, 6, 64).

        Kinds are pawns, knights, bishops, rooks, queens and kings. Square 0 is a1, and 7 is h1.
        """
        men = [position.men for position in positions]
        mine, theirs = (
            squares_of_bitboards([board & m[m.side ^ other] for m in men for board in m[2:8]], 64)
            for other in (0, 1)
        )
        return mine.reshape(-1, 6, 64), theirs.reshape(-1, 6, 64)

    def read_fen(self, text: str) -> Fen:
        """Return what a FEN says. Raises PositionError."""
        return fen.read(text)

    def write_fen(self, fields: Fen) -> str:
        """Return the FEN."""
        return fen.write(fields)

    def format_move(self, move: int) -> str:
        """Return the move as long algebraic text, such as ``e2e4`` or ``e7e8q``."""
        return _move_name(move)

    def parse_move(self, text: str) -> int:
        """Return the move of that long algebraic text."""
        match = _MOVE.fullmatch(text.lower())
        if match is None:
            raise MoveError(
                f"move {quoted(text)} is not long algebraic text, such as e2e4 or e7e8q"
                " (position.read_move() reads Nf3 too)"
            )
        start, end, promotion = match.groups()
        piece = "nbrq".index(promotion) + 1 if promotion else 0
        return piece << 12 | square_of(start) << 6 | square_of(end)

    def _replayed(self, text: str, fields: Fen, moves: list[str]) -> ChessPosition:
        """Return the position at the end of quiet moves, which are taken back and made again."""
        try:
            quiet = [self.parse_move(move) for move in moves]
            position = walked(self.position_type(*self._before(fields, quiet), ()), quiet)
        except (IllegalMove, MoveError, PositionError) as error:
            raise PositionError(f"position {quoted(text)}: {error}") from error
        if position[:3] != tuple(fields) or len(position.past) != len(quiet):
            raise PositionError(f"position {quoted(text)}: the moves do not lead there")
        return position

    def _before(self, fields: Fen, quiet: list[int]) -> Fen:
        """Return the position before quiet moves. Raises PositionError if it is not a position."""
        men, clock, ply = fields
        for move in reversed(quiet):
            start, end = 1 << (move >> 6 & 63), 1 << (move & 63)
            boards = [board ^ (start | end) if board & end else board for board in men[:8]]
            men = Men._make((*boards, men.castling, 0, 1 - men.side))
        if clock < len(quiet) or ply < len(quiet):
            raise PositionError(
                f"{len(quiet)} moves are more than have been played since a capture"
            )
        before = Fen(men, clock - len(quiet), ply - len(quiet))
        return self.read_fen(self.write_fen(before))

    def __reduce__(self) -> tuple[Any, ...]:
        return _chess, ()


@lru_cache(maxsize=1 << 12)
def _move_name(move: int) -> str:
    # A player in another process receives all moves of a game at every move.
    text = square_name(move >> 6 & 63) + square_name(move & 63)
    return text + " nbrq"[move >> 12] if move >> 12 else text


def _chess() -> Chess:
    return CHESS


@twin("chess.is_insufficient")
def _is_insufficient(men: Men) -> bool:
    """Return whether no sequence of moves can end in mate, as far as the men alone tell."""
    if men.pawns or men.rooks or men.queens:
        return False
    if (men.knights | men.bishops).bit_count() < 2:
        return True
    return not men.knights and (not men.bishops & _LIGHT or not men.bishops & ~_LIGHT)


def _quiet_move(before: Men, after: Men) -> str:
    """Return the text of a move that took nothing."""
    before_men, after_men = (before[before.side], after[before.side])
    start, end = before_men & ~after_men, after_men & ~before_men
    return square_name(start.bit_length() - 1) + square_name(end.bit_length() - 1)


CHESS = Chess()
_START_POSITION = ChessPosition(*fen.read(_START), ())
