"""The positions of OpenSpiel's games."""

from __future__ import annotations

import re
from typing import Any, NamedTuple, Self

from arena.errors import IllegalMove, PluginError, quoted
from arena.game import Outcome, Position, Side
from arena.games.identity import EqualByFacts
from arena.plugins.openspiel.rules import OpenSpielRules
from arena.plugins.openspiel.stones import letters

_SIDES = tuple(Side)
#: The outcome by the sign of what the first side is paid more than the second.
OUTCOME_BY_SIGN = {1: Outcome.FIRST_WINS, 0: Outcome.DRAW, -1: Outcome.SECOND_WINS}
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")

_FEN = re.compile(r"(?:[\d+A-Za-z]+/)+[\d+A-Za-z\[\]]+")
_PIECE = re.compile(r"\d|\+?[A-Za-z]")
_new: Any = tuple.__new__  # a third of a microsecond less a ply

#: The text of the position before the first move.
START_TEXT = "start"

#: Between a FEN and the moves after it.
MOVES_WORD = "moves"

#: Pictures show the library's texts of this many moves, where these are numbers here.
_MAX_NAMED_MOVES = 100


class _OpenSpielFields(NamedTuple):
    # It is a tuple, because a player cannot change one.
    rules: OpenSpielRules
    #: The library's state, which must not be changed, and the FEN that it began from, if any.
    state: Any
    begun: str
    number: int
    mover: int
    #: The legal moves: every position is asked for them, and the library tells the end by them.
    moves: tuple[int, ...]


class OpenSpielPosition(EqualByFacts, _OpenSpielFields, Position):
    """A position of a game of OpenSpiel."""

    __slots__ = ()

    @property
    def game(self) -> OpenSpielRules:
        """The game of this position."""
        return self.rules

    @property
    def ply(self) -> int:
        """The number of moves so far, or since the FEN that it began from."""
        return self.number

    @property
    def to_move(self) -> Side:
        """The side to move, or after the end the side that did not move last."""
        return _SIDES[self.mover]

    def legal_moves(self) -> tuple[int, ...]:
        """Return the legal moves, ascending, or none when the game is over."""
        return self[5]

    def play(self, move: int) -> Self:
        """Return the position after the move, with a state of its own."""
        rules, state, begun, number, mover, moves = self
        if move not in moves:
            raise IllegalMove(f"move {quoted(str(move))} is not legal at {quoted(str(self))}")
        try:
            after = state.child(rules.notation.action(move, mover) if rules.is_turned else move)
        except Exception as error:
            raise PluginError(f"OpenSpiel fails at {quoted(str(self))}: {error}") from error
        number += 1
        player = after.current_player()
        if player < 0 or number >= rules.max_plies:
            moves, mover = (), 1 - mover
        else:
            mover, actions = player ^ rules.first, after.legal_actions()
            moves = rules.notation.moves(actions, mover) if rules.is_turned else tuple(actions)
        position: Self = _new(type(self), (rules, after, begun, number, mover, moves))
        return position

    def outcome(self) -> Outcome | None:
        """Return how the library says that the game ended, as a draw if it stops it unfinished."""
        if self[5]:
            return None
        if not self.state.is_terminal():
            return Outcome.DRAW
        first = self.state.returns()[self.rules.first]
        return OUTCOME_BY_SIGN[(first > 0) - (first < 0)]

    def history(self) -> tuple[int, ...] | None:
        """Return the moves from the start, or None after a FEN, or where the board is turned."""
        return None if self.begun or self.rules.is_turned else tuple(self.state.history())

    def action_of(self, move: int) -> int:
        """Return the library's number of a legal move."""
        return self.rules.notation.action(move, self.mover)

    def move_of(self, action: int) -> int:
        """Return the move that has this number in the library."""
        return self.rules.notation.moves((action,), self.mover)[0]

    def picture(self) -> str:
        """Draw what the library writes of the state, and say what it calls the moves."""
        drawn = board(_COLOURS.sub("", str(self.state)).rstrip()) or START_TEXT
        names = self._names_of_moves()
        return f"{drawn}\n{names}" if names else drawn

    def __str__(self) -> str:
        if self.rules.merges:
            return letters(self.state.history(), self.rules.squares)
        return self._line()

    @property
    def facts(self) -> tuple[str, Any]:
        """The name of the game, and the moves, or of some games the stones alone."""
        history = self.state.history()
        if self.rules.merges:
            return self.rules.name, (frozenset(history[::2]), frozenset(history[1::2]))
        return self.rules.name, (self.begun, tuple(history))

    def __reduce__(self) -> tuple[Any, ...]:
        return self.rules.parse, (str(self),)

    def _line(self) -> str:
        """Return the text of a position whose moves are all that tells it from others."""
        rules, actions = self.rules, self.state.history()
        first = self.mover + len(actions)  # where that matters, sides alternate
        moves = (rules.notation.moves([a], first + index & 1) for index, a in enumerate(actions))
        words = [rules.format_move(move) for (move,) in moves]
        if self.begun:
            return " ".join([self.begun, *([MOVES_WORD, *words] if words else [])])
        return " ".join(words) or START_TEXT

    def _names_of_moves(self) -> str:
        """Return the legal moves with the library's texts, if the texts here are others."""
        rules, state, moves = self.rules, self.state, self.legal_moves()
        is_told = rules.notation.has_words and not rules.is_turned
        if is_told or len(moves) > _MAX_NAMED_MOVES:
            return ""
        action, player = rules.notation.action, state.current_player()
        names = [(m, state.action_to_string(player, action(m, self.mover))) for m in moves]
        return ", ".join(f"{rules.format_move(move)} is {name}" for move, name in names)


def board(text: str) -> str:
    """Return a text of the library, with the board drawn if it is in the notation of FEN.

    >>> print(board("k1K/3/2+P w - 0"))
     k . K
     . . .
     . .+P
    k1K/3/2+P w - 0
    """
    field = text.partition(" ")[0]
    if "\n" in text or not _FEN.fullmatch(field):
        return text
    rows = [
        "".join(
            " ." * int(piece) if piece.isdigit() else f"{piece:>2}" for piece in _PIECE.findall(row)
        )
        for row in field.split("/")
    ]
    return "\n".join([*rows, text])
