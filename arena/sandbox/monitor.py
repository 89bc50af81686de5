"""Watch a player at every call: the start, its moves, the opponent's, and the end."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from arena.dataclass import dataclass
from arena.game import Game, Outcome, Side
from arena.player import PlayerInfo, RemoteFactory
from arena.player.faults import name_of

if TYPE_CHECKING:
    from arena.games.info_state import InfoState


class Monitor(Protocol):
    """A thing that stands between a player and its caller."""

    def ask(self, choose: Callable[[InfoState], Any], position: InfoState) -> Any:
        """Return the answer at a position, whatever it is."""

    def call(self, where: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call the player in another matter. ``where`` says in which."""


def watch_player(player: PlayerInfo, watch: Monitor) -> PlayerInfo:
    """Return the player with a watcher at every call. Its code is not executed again."""
    function, remote = player.player, player.remote
    if remote is not None:
        player = replace(player, remote=_WatchedRemote(remote, watch))
    return replace(player, player=watch_calls(function, player.stateless, watch), fresh=None)


def watch_calls(
    function: Callable[..., Any], stateless: bool, watch: Monitor
) -> Callable[..., Any]:
    """Return a stateless player's function, or a stateful player's factory, with a watcher."""
    if stateless:

        def choose(position: InfoState, rng: Any) -> Any:
            return watch.ask(lambda p: function(p, rng), position)

        choose.__name__ = name_of(function)  # messages tell it
        return choose
    return lambda: _MonitoredPlayer(function, watch)


@dataclass(frozen=True)
class _WatchedRemote:
    """A factory of watched instances."""

    remote: RemoteFactory
    watch: Monitor

    @property
    def remembers(self) -> str:
        return self.remote.remembers

    @property
    def shares_core(self) -> bool:
        return self.remote.shares_core

    def __call__(self, fresh: bool = True) -> _MonitoredPlayer:
        return _MonitoredPlayer(lambda: self.remote(fresh), self.watch)

    def close(self) -> None:
        self.remote.close()


class _MonitoredPlayer:
    """A watched instance of a stateful player."""

    def __init__(self, make: Callable[[], Any], watch: Monitor) -> None:
        self._watch = watch
        self._player = watch.call("the start", make)

    def start(self, game: Game, side: Side, rng: random.Random) -> None:
        self._watch.call("the start", self._player.start, game, side, rng)

    def choose(self, position: InfoState) -> Any:
        return self._watch.ask(self._player.choose, position)

    def observe(self, move: int) -> None:
        self._call(f"the opponent's move {move}", "observe", move)

    def finish(self, outcome: Outcome) -> None:
        self._call("the end", "finish", outcome)

    def _call(self, where: str, method: str, argument: Any) -> None:
        """Call a method that a class may lack."""
        function = getattr(self._player, method, None)
        if function is not None:
            self._watch.call(where, function, argument)
