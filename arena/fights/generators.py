"""Notice installed players, and functions of the caller's, that draw from shared generators.

Arena notices a player in a file when it executes its code again, an isolated one in its process.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.game import Game
from arena.match import play_game
from arena.player import PlayerInfo
from arena.rng import GLOBAL_RANDOM, Stream, have_drawn, shared_generators

#: Generators of players in this process, by their functions' or classes' identity; these are kept
#: so that nothing else gets it.
_drawings: dict[int, tuple[object, str]] = {}


class Noticing:
    """Looks at the generators that all code of a process shares, before games and after them.

    A look takes ten microseconds, and fifty more where NumPy is loaded.
    """

    def __init__(self, game: Game, players: Sequence[PlayerInfo]) -> None:
        self._game, self._players = game, players
        self._suspects = [p for p in players if p.remote is None and p.fresh is None]
        self._before = shared_generators() if self._suspects else []

    def remembered(self) -> tuple[str, str]:
        """Return for each player why something of it outlives a game, or an empty text."""
        has_changed = self._suspects and have_drawn(self._before, shared_generators())
        a, b = (
            player.remembers or (self._drawing(player) if has_changed else "")
            for player in self._players
        )
        return a, b

    def _drawing(self, player: PlayerInfo) -> str:
        if all(player is not suspect for suspect in self._suspects):
            return ""
        function = player.player
        if id(function) not in _drawings:
            _drawings[id(function)] = (
                function,
                GLOBAL_RANDOM if draws_elsewhere(player, self._game) else "",
            )
        return _drawings[id(function)][1]


def draws_elsewhere(player: PlayerInfo, game: Game) -> bool:
    """Return whether a player draws from a shared generator in a game against itself.

    It plays the same game twice: one that seeds the generator itself leaves it in the same state.
    """
    states = []
    for _ in range(2):
        play_game(game, (player, player), player.name, (Stream(), Stream()))
        states.append(shared_generators())
    return have_drawn(*states)
