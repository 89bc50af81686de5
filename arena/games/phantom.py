"""Phantom games: neither side sees the marks of the other.

A side that moves to a taken square is told so, and moves again. The other side is told nothing.
The rules beneath are those of an m,n,k-game.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any, NamedTuple

from arena.game import Outcome, Position, Side
from arena.games.mnk import drawn, mnk_game
from arena.games.sealed import SealedGame
from arena.games.view import View
from arena.games.words import WordGame, WordPosition
from arena.pictures.diagram import FREE, Diagram


class _PhantomState(NamedTuple):
    """A game after some moves."""

    board: Position
    #: The moves of each side, and whether each put a mark.
    tries: tuple[tuple[tuple[int, bool], ...], tuple[tuple[int, bool], ...]] = ((), ())

    def after(self, move: int) -> _PhantomState:
        """Return the state after a move of the side to move."""
        side, is_free = self.board.to_move, move in self.board.legal_moves()
        tries = (*self.tries[side], (move, is_free))
        board = self.board.play(move) if is_free else self.board
        return _PhantomState(board, (tries, self.tries[1]) if side == 0 else (self.tries[0], tries))


@lru_cache(1 << 12)
def _state(game: Phantom, moves: tuple[int, ...]) -> _PhantomState:
    return (
        _state(game, moves[:-1]).after(moves[-1]) if moves else _PhantomState(game.rules_of.start())
    )


class PhantomView(View):
    """The squares that a seat has tried."""

    __slots__ = ()

    def diagram(self) -> Diagram:
        """Return the seat's own marks, and those of the other side that it came upon."""
        game: Any = self.game
        cells = [FREE] * len(game.words)
        for event in self.events:
            side = self.seat if event in game.words else 1 - self.seat
            cells[game.words.index(event.removesuffix("x"))] = Side(side).letter
        start: Diagram = game.rules_of.start().diagram()
        return replace(start, cells=cells)

    def picture(self) -> str:
        """Draw the board as the seat knows it."""
        return drawn(self.diagram())


class PhantomPosition(WordPosition):
    """The squares that both sides have tried, in order."""

    __slots__ = ()

    @property
    def board(self) -> Position:
        """The marks on the board."""
        return _state(self.game, self.moves).board

    @property
    def to_move(self) -> Side:
        """The side to move: the same again after it tried a taken square."""
        return self.board.to_move

    def legal_moves(self) -> tuple[int, ...]:
        """Return the squares that the side has not tried."""
        board, tries = _state(self.game, self.moves)
        if board.outcome() is not None:
            return ()
        tried = {move for move, _ in tries[board.to_move]}
        return tuple(move for move in range(len(self.game.words)) if move not in tried)

    def outcome(self) -> Outcome | None:
        """Return how the game on the board ended."""
        return self.board.outcome()

    def payoffs(self) -> tuple[Fraction, ...] | None:
        """Return 1 for a win, 1/2 for a draw, 0 for a loss."""
        return self.board.payoffs()

    def observation(self, seat: int) -> View:
        """Return the squares that the seat has tried. A taken one is followed by an ``x``."""
        tries = _state(self.game, self.moves).tries[seat]
        events = tuple(f"{self.game.words[move]}{'' if free else 'x'}" for move, free in tries)
        is_mine = self.board.outcome() is None and self.to_move == seat
        return PhantomView(self.game, seat, events, self.legal_moves() if is_mine else ())

    def picture(self) -> str:
        """Draw the board with the marks of both."""
        return self.board.picture()

    def diagram(self) -> Diagram | None:
        """Return the board with the marks of both."""
        return self.board.diagram()

    def move_squares(self, move: int, is_played: bool = False) -> tuple[int, ...]:
        """Return the square that is tried."""
        return (move,)


class Phantom(SealedGame, WordGame):
    """The rules of a phantom m,n,k-game. Get a game from :func:`phantom_game`."""

    def __init__(self, columns: int, rows: int, k: int) -> None:
        is_tictactoe = (columns, rows, k) == (3, 3, 3)
        self.name = "phantom-tictactoe" if is_tictactoe else f"phantom-mnk-{columns}-{rows}-{k}"
        #: The game on the board.
        self.rules_of = mnk_game(columns, rows, k)
        self.columns, self.rows = columns, rows
        self.words = tuple(map(self.rules_of.format_move, range(columns * rows)))
        self.max_plies = 2 * columns * rows - 1
        self._size = columns, rows, k
        self._sealed = True

    @property
    def guide(self) -> str:
        """The rules in sentences."""
        return (
            f"{self.rules_of.guide} No player sees the marks of the other. A player that chooses a"
            " square on which the other has a mark is told so, and moves again. The other is told"
            " nothing."
        )

    def parse_observation(self, text: str) -> View:
        """Read what a seat knows, such as ``1: 5x | 1 2 3``."""
        return PhantomView.parse(self, text)

    def start(self) -> PhantomPosition:
        """Return the empty board."""
        return PhantomPosition(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return phantom_game, self._size


def phantom_game(columns: int = 3, rows: int = 3, k: int = 3) -> Phantom:
    """Return the phantom game of these columns and rows and this many marks in a row.

    >>> print(phantom_game(3, 3, 3).parse("5 5").observation(1))
    1: 5x | 1 2 3 4 6 7 8 9
    """
    return _phantom_game(columns, rows, k)


@cache  # of all three numbers: each game is one object, however it is asked for
def _phantom_game(columns: int, rows: int, k: int) -> Phantom:
    return Phantom(columns, rows, k)
