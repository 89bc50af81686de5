"""The rules of a game of OpenSpiel: what its positions ask of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

from arena.errors import MoveError, UsageError, quoted
from arena.game import MAX_MOVE
from arena.games.sealed import SealedGame
from arena.plugins.openspiel.library import OPENSPIEL, excluded, load
from arena.plugins.openspiel.notation import Notation, is_turned
from arena.plugins.openspiel.stones import places_stones


class OpenSpielRules(SealedGame):
    """A game of OpenSpiel without its positions."""

    kinds = ("openspiel",)

    def __init__(self, kind: str, parameters: Mapping[str, Any]) -> None:
        self.name = name_of(kind, parameters)
        self.version = OPENSPIEL.version_of_rules()
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

    def _check(self) -> None:
        """Raise UsageError if parameters made it a game that arena does not play."""
        trait = excluded(self.library.get_type())
        if self._state.is_chance_node():
            trait = "has chance moves"
        elif self.library.num_players() != 2:
            trait = f"is for {self.library.num_players()} players"
        elif self._state.is_terminal():
            trait = "is over before the first move"
        elif self.library.num_distinct_actions() > MAX_MOVE + 1:
            trait = f"has more than {MAX_MOVE + 1} moves"
        if trait:
            raise UsageError(f"game {quoted(self.name)} {trait}, which arena does not play")

    @cached_property
    def notation(self) -> Notation:
        """The moves, and their texts."""
        return Notation(self.kind, self._state, self.library.num_distinct_actions())

    @property
    def guide(self) -> str:
        """What the library says of the game."""
        return guide_of(self.library, self.seats)

    def format_move(self, move: int) -> str:
        """Return the move in the notation of the game, which every position shares."""
        return self.notation.texts[move]

    def parse_move(self, text: str) -> int:
        """Return the move in the notation, legal or not. Raises MoveError for another text."""
        move = self.notation.read(text.strip())
        if move is None:
            raise MoveError(f"{quoted(text)} is not a move of {self.name}")
        return move


def guide_of(library: Any, seats: int) -> str:
    """Return what the library says of a game: its name and its settings, but no rules in words."""
    settings = library.get_parameters().items()
    parameters = ", ".join(
        f"{key} {_written(value)}" for key, value in sorted(settings) if value != ""
    )
    number = "Two" if seats == 2 else seats
    return (
        f"{library.get_type().long_name}, as OpenSpiel plays it. {number} players."
        f"{f' Settings: {parameters}.' if parameters else ''} A move is a word of the library for"
        " an action."
    )


def name_of(kind: str, parameters: Mapping[str, Any]) -> str:
    """Return the name of a game with these parameters.

    >>> name_of("kuhn_poker", {"players": 3})
    'openspiel:kuhn_poker(players=3)'
    """
    written = ",".join(f"{key}={_written(parameters[key])}" for key in sorted(parameters))
    return f"openspiel:{kind}({written})" if written else f"openspiel:{kind}"


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def _longest(kind: str, game: Any) -> int:
    """Return the largest number of moves of a game.

    The library counts too few for some. A game that lasts longer than this is a draw.
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
