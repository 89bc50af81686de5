"""A bot of OpenSpiel as a player of arena, and any player as a bot.

A file ``mcts.py`` with these lines is a player, ``./mcts.py:Player``:

    import pyspiel
    from arena.openspiel import as_player

    def search(game, side, seed):
        rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
        return pyspiel.MCTSBot(game, rollouts, 2.0, 100, 1000, True, seed, False)

    Player = as_player(search)
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from arena.errors import CannotPlay, IllegalMove, UsageError
from arena.features.play.seats import seat
from arena.game import Game, Side
from arena.inputs.resolve import PlayerLike
from arena.player import StatefulPlayer
from arena.plugins.openspiel.game import OpenSpielGame
from arena.plugins.openspiel.library import library
from arena.plugins.openspiel.position import OpenSpielPosition
from arena.plugins.openspiel.world import OpenSpielObservation, WorldGame, WorldPosition

#: Makes a bot for the library's game, the number of its side there, and a seed below 2**31.
MakeBot = Callable[[Any, int, int], Any]


def as_player(make_bot: MakeBot) -> type[StatefulPlayer]:
    """Return a player, of games of OpenSpiel, that asks a new bot of the library in every game.

    Where a game has secrets, the bot is asked with a :class:`SeenState` in place of a state.
    """

    class BotPlayer(StatefulPlayer):
        """A bot of OpenSpiel."""

        def start(self, game: Game, side: Side, rng: random.Random) -> None:
            if not isinstance(game, OpenSpielGame | WorldGame):
                raise CannotPlay(f"a bot of OpenSpiel does not play {game.name}")
            self._bot = make_bot(game.library, _seat_of(game, side), rng.getrandbits(31))
            if game.start().has_secrets and type(self._bot).__module__ == library().__name__:
                raise CannotPlay(f"{game.name} has secrets, and a bot in C++ needs the whole state")
            self._game: Any = game
            self._position: Any = game.start()

        def choose(self, position: OpenSpielPosition | WorldPosition | OpenSpielObservation) -> int:
            if isinstance(position, OpenSpielObservation):
                return int(self._bot.step(SeenState(position)))
            if isinstance(position, WorldPosition):
                return int(self._bot.step(position.state.clone()))
            if position != self._position:  # the game began from an opening
                self._begin(position)
            move = position.move_of(self._bot.step(position.state.clone()))
            self._position = self._position.play(move)
            return move

        def observe(self, move: int) -> None:
            try:
                after = self._position.play(move)
            except IllegalMove:
                return  # the game began from an opening, which the next position shows
            self._inform(self._position, move)
            self._position = after

        def _begin(self, position: OpenSpielPosition) -> None:
            """Tell the bot the moves of the other side that led here."""
            self._bot.restart()
            self._position = self._game.origin_of(position)
            for action in position.state.history():
                move = self._position.move_of(action)
                if self._position.to_move != position.to_move:
                    self._inform(self._position, move)
                self._position = self._position.play(move)

        def _inform(self, before: OpenSpielPosition, move: int) -> None:
            state = before.state.clone()
            self._bot.inform_action(state, state.current_player(), before.action_of(move))

    return BotPlayer


class SeenState:
    """The knowledge of a seat, in place of a state of the library: it answers what a policy asks.

    A bot written in C++ needs a whole state, so it plays no game with secrets.
    """

    def __init__(self, observation: OpenSpielObservation) -> None:
        self._observation = observation

    def current_player(self) -> int:
        """Return the number of the seat."""
        return self._observation.seat

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal moves of the seat. Raises UsageError if asked for another's."""
        self._require_own(player)
        return list(self._observation.legal_moves())

    def information_state_string(self, player: int | None = None) -> str:
        """Return all that the seat knows. Raises UsageError if asked for another's."""
        self._require_own(player)
        return self._observation.text

    def is_terminal(self) -> bool:
        """Return False: a bot is asked while the game goes on."""
        return False

    def is_chance_node(self) -> bool:
        """Return False: no policy is asked for the moves of chance."""
        return False

    def is_simultaneous_node(self) -> bool:
        """Return False: arena asks for moves at the same time one by one."""
        return False

    def _require_own(self, player: int | None) -> None:
        if player not in (None, self._observation.seat):
            raise UsageError(f"seat {self._observation.seat} does not see what seat {player} knows")


def as_bot(
    player: PlayerLike, game: OpenSpielGame | WorldGame, side: Side, *, seed: int = 0
) -> Any:
    """Return a ``pyspiel.Bot`` that asks a player of arena, by name or itself, for one game.

    Where the game has secrets, the player is asked with what its seat knows, not with the state.
    The number of the side in the library is ``side ^ game.first``, 1 for the first side of chess.
    """

    class PlayerBot(library().Bot):  # type: ignore[misc]
        """A player of arena."""

        def __init__(self) -> None:
            super().__init__()
            self.restart()

        def restart(self) -> None:
            self._seat = seat(player, game, side, seed=seed)

        def restart_at(self, state: Any) -> None:
            self.restart()

        def step(self, state: Any) -> int:
            if isinstance(game, WorldGame):
                return self._seat.choose(game.observation_of(state, side), self._seat.rng)
            position = game.position_of(state)
            return position.action_of(self._seat.choose(position, self._seat.rng))

        def inform_action(self, state: Any, player_id: int, action: int) -> None:
            if isinstance(game, WorldGame):
                return  # what a seat knows has all that it saw
            if self._seat.observe is not None and player_id != _seat_of(game, side):
                self._seat.observe(game.position_of(state).move_of(action))

    return PlayerBot()


def _seat_of(game: OpenSpielGame | WorldGame, side: Side) -> int:
    """Return the number of a side in the library."""
    return side if isinstance(game, WorldGame) else side ^ game.first
