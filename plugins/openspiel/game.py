"""A game of OpenSpiel as a game of arena."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, cached_property
from typing import Any

from arena.errors import IllegalMove, MoveError, PositionError, UsageError, quoted
from arena.games.sealed import SealedGame
from arena.plugins.openspiel.fen import check_fen
from arena.plugins.openspiel.library import excluded, load, version_of_rules
from arena.plugins.openspiel.notation import Notation, is_turned
from arena.plugins.openspiel.position import START, OpenSpielPosition
from arena.plugins.openspiel.stones import orders, places_stones, read_letters

#: The most moves of a game in arena.
_MAX_MOVES = 65_536

#: Between a FEN and the moves after it.
_MOVES = "moves"

#: Pictures show the library's texts of this many moves, where these are numbers here.
_MAX_NAMED_MOVES = 100


class OpenSpielGame(SealedGame):
    """A game of OpenSpiel; get one from :func:`open_spiel_game`."""

    kinds = ("openspiel",)

    def __init__(self, kind: str, parameters: Mapping[str, Any]) -> None:
        said = ",".join(f"{key}={_written(parameters[key])}" for key in sorted(parameters))
        self.name = f"openspiel:{kind}({said})" if said else f"openspiel:{kind}"
        self.version = version_of_rules()
        self.kind, self.parameters = kind, dict(parameters)
        #: The library's own game.
        self.library, self._state = load(kind, parameters)
        self.columns = self.rows = self.library.get_parameters().get("board_size", 0)
        self._check()
        #: The library's number of the side that moves first, which is 1 in chess.
        self.first: int = self._state.current_player()
        self.max_plies = _longest(kind, self.library)
        #: Whether the library turns the board for the second side.
        self.is_turned = is_turned(kind)
        #: Whether positions with the same stones are equal, and where stones can be.
        self.merges = self.transposes = places_stones(kind, parameters)
        self.squares = tuple(self._state.legal_actions())
        self._start = self.position_of(self._state)
        self._sealed = True

    def _check(self) -> None:
        """Raise UsageError if parameters made it a game that arena does not play."""
        trait = excluded(self.library.get_type())
        if self._state.is_chance_node():
            trait = "has chance moves"
        elif self.library.num_players() != 2:
            trait = f"is for {self.library.num_players()} players"
        elif self._state.is_terminal():
            trait = "is over before the first move"
        elif self.library.num_distinct_actions() > _MAX_MOVES:
            trait = f"has more than {_MAX_MOVES} moves"
        if trait:
            raise UsageError(f"game {quoted(self.name)} {trait}, which arena does not play")

    @cached_property
    def notation(self) -> Notation:
        """The moves, and their texts."""
        return Notation(self.kind, self._state, self.library.num_distinct_actions())

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
        if words == [START]:
            return self.start()
        if self.merges and (stones := read_letters(text, self.squares)):
            return self._of_stones(text, *stones)
        if self.kind == "chess" and words and "/" in words[0]:
            cut = words.index(_MOVES) if _MOVES in words else len(words)
            fen = check_fen(" ".join(words[:cut]))
            state = self.library.new_initial_state(fen)
            return self._played(self.position_of(state, fen), words[cut + 1 :], text)
        if not words:
            raise PositionError(f"position '' is empty: write {START!r}, or the moves so far")
        return self._played(self.start(), words, text)

    def _played(
        self, position: OpenSpielPosition, words: Iterable[str], text: str
    ) -> OpenSpielPosition:
        for at, word in enumerate(words, start=1):
            try:
                position = position.play(self.parse_move(word))
            except (MoveError, IllegalMove):
                problem = "is not a move" if self.notation.read(word) is None else "is not legal"
                raise PositionError(
                    f"position {quoted(text)}: {quoted(word)}, move {at}, {problem}"
                ) from None
        return position

    def _of_stones(self, text: str, first: list[int], second: list[int]) -> OpenSpielPosition:
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

    def line_of(self, position: OpenSpielPosition) -> str:
        """Return the text of a position whose moves are all that tells it from others."""
        actions = position.state.history()
        first = position.mover + len(actions)  # where that matters, sides alternate
        moves = (self.notation.moves([a], first + at & 1) for at, a in enumerate(actions))
        words = [self.format_move(move) for (move,) in moves]
        if position.begun:
            return " ".join([position.begun, *([_MOVES, *words] if words else [])])
        return " ".join(words) or START

    def names_of_moves(self, position: OpenSpielPosition) -> str:
        """Return the legal moves with the library's texts, if the texts here are others."""
        state, moves = position.state, position.legal_moves()
        is_told = self.notation.has_words and not self.is_turned
        if is_told or len(moves) > _MAX_NAMED_MOVES:
            return ""
        action, player = self.notation.action, state.current_player()
        names = [(m, state.action_to_string(player, action(m, position.mover))) for m in moves]
        return ", ".join(f"{self.format_move(move)} is {name}" for move, name in names)

    def format_move(self, move: int) -> str:
        """Return the move in the notation of the game, which every position shares."""
        return self.notation.texts[move]

    def parse_move(self, text: str) -> int:
        """Return the move in the notation, legal or not. Raises MoveError for another text."""
        move = self.notation.read(text.strip())
        if move is None:
            raise MoveError(f"{quoted(text)} is not a move of {self.name}")
        return move

    def __reduce__(self) -> tuple[Any, ...]:
        return open_spiel_game, (self.kind, self.parameters)


def open_spiel_game(kind: str, parameters: Mapping[str, Any]) -> OpenSpielGame:
    """Return the game of the library with these parameters, always the same one.

    Raises UsageError if arena does not play it. The parameters must be such as
    :func:`arena.plugins.openspiel.parameters.read` lets through.
    """
    return _game(kind, tuple(sorted(parameters.items())))


@cache
def _game(kind: str, parameters: tuple[tuple[str, Any], ...]) -> OpenSpielGame:
    return OpenSpielGame(kind, dict(parameters))


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def _longest(kind: str, game: Any) -> int:
    """Return the largest number of moves of a game.

    The library counts too few for some; a game that lasts longer than this is a draw.
    """
    given: int = game.max_game_length()
    parameters: dict[str, Any] = game.get_parameters()
    if kind == "dots_and_boxes":
        columns, rows = int(parameters["num_cols"]), int(parameters["num_rows"])
        return columns * (rows + 1) + rows * (columns + 1)
    if kind == "checkers":  # a draw after 40 moves without a capture; jumps are moves of their own
        return max(given, 41 * int(parameters["columns"]) * int(parameters["rows"]) // 2)
    extra = kind == "mancala" or (kind == "hex" and bool(parameters["swap"]))
    return max(1, given + extra)
