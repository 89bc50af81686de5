"""A game of OpenSpiel as a game of arena."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from arena.errors import IllegalMove, MoveError, PositionError, quoted
from arena.games.chess import fen as chess_fen
from arena.plugins.openspiel.position import MOVES_WORD, START_TEXT, OpenSpielPosition
from arena.plugins.openspiel.rules import OpenSpielRules
from arena.plugins.openspiel.stones import orders, read_letters


class OpenSpielGame(OpenSpielRules):
    """A game of OpenSpiel. Get one from :func:`open_spiel_game`."""

    def __init__(self, kind: str, parameters: Mapping[str, Any]) -> None:
        super().__init__(kind, parameters)
        self._start = self.position_of(self._state)
        self._sealed = True

    def start(self) -> OpenSpielPosition:
        """Return the position before the first move."""
        return self._start

    def position_of(self, state: Any, fen: str = "") -> OpenSpielPosition:
        """Return the position of a state of the library, which stays the caller's.

        ``fen`` is where it began, if that is not the start.
        """
        ply = len(state.history())
        player = state.current_player()
        mover = (player if player >= 0 else ply) & 1 ^ self.first
        moves = () if ply >= self.max_plies else self.notation.moves(state.legal_actions(), mover)
        return OpenSpielPosition(self, state.clone(), fen, ply, mover, moves)

    def origin_of(self, position: OpenSpielPosition) -> OpenSpielPosition:
        """Return the position that a game began from: the start, or a FEN."""
        return self.parse(position.begun) if position.begun else self.start()

    def parse(self, text: str) -> OpenSpielPosition:
        """Return the position after the moves in a text, or of stones or a FEN where it may be.

        Raises PositionError with the problem.
        """
        words = text.split()
        if words == [START_TEXT]:
            return self.start()
        if self.merges and (stones := read_letters(text, self.squares)):
            return self._position_with(text, *stones)
        if self.kind == "chess" and words and "/" in words[0]:
            cut = words.index(MOVES_WORD) if MOVES_WORD in words else len(words)
            fen = check_fen(" ".join(words[:cut]))
            state = self.library.new_initial_state(fen)
            return self._played(self.position_of(state, fen), words[cut + 1 :], text)
        if not words:
            raise PositionError(f"position '' is empty: write {START_TEXT!r}, or the moves so far")
        return self._played(self.start(), words, text)

    def _played(
        self, position: OpenSpielPosition, words: Iterable[str], text: str
    ) -> OpenSpielPosition:
        for number, word in enumerate(words, start=1):
            try:
                position = position.play(self.parse_move(word))
            except (MoveError, IllegalMove):
                problem = "is not a move" if self.notation.read(word) is None else "is not legal"
                raise PositionError(
                    f"position {quoted(text)}: {quoted(word)}, move {number}, {problem}"
                ) from None
        return position

    def _position_with(self, text: str, first: list[int], second: list[int]) -> OpenSpielPosition:
        if not 0 <= len(first) - len(second) <= 1:
            counts = f"{len(first)} of x and {len(second)} of o"
            raise PositionError(f"position {quoted(text)} has {counts}, and x moves first")
        if not first:
            return self.start()
        for stones in orders(first, second):
            position = self.start()
            for move in stones:
                if not position.moves:
                    break
                position = position.play(move)
            else:
                return position
        raise PositionError(f"position {quoted(text)}: the game was over before the last stone")

    def __reduce__(self) -> tuple[Any, ...]:
        return open_spiel_game, (self.kind, self.parameters)


def check_fen(text: str) -> str:
    """Return a FEN with all its six fields. Raises PositionError if it is not a position of chess.

    The library itself takes two white kings. It keeps a square that no pawn can take en passant.
    """
    fields = chess_fen.write(chess_fen.read(text)).split()
    fields[3] = text.split()[3]
    return " ".join(fields)


def open_spiel_game(kind: str, parameters: Mapping[str, Any]) -> OpenSpielGame:
    """Return the game of the library with these parameters, always the same one.

    Raises UsageError if arena does not play it. The parameters must be such as
    :func:`arena.plugins.openspiel.parameters.read` lets through.
    """
    return _game(kind, tuple(sorted(parameters.items())))


@cache
def _game(kind: str, parameters: tuple[tuple[str, Any], ...]) -> OpenSpielGame:
    return OpenSpielGame(kind, dict(parameters))
