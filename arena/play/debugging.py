"""Stop in a player's code while it plays: at what it raises, or before one of its moves."""

from __future__ import annotations

import pdb  # noqa: T100 - this is the debugger that people ask for
import traceback
from bdb import BdbQuit
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from arena.game import Game, Outcome, Position, Side
from arena.player import PlayerInfo


class LeftDebugger(KeyboardInterrupt):
    """Say that the person has left the debugger: nothing more is to be played."""


@dataclass
class Debugger:
    """Ask a player for its moves under pdb."""

    #: Stop before the player makes this move of the game, counted from 1; None for none.
    before: int | None = None

    def watch(self, info: PlayerInfo) -> PlayerInfo:
        """Return a player that stops, and plays as this one does."""
        made = info.player if info.fresh is None else info.fresh()
        if info.stateless:
            return replace(info, player=partial(self._choose, made), fresh=None)
        return replace(info, player=lambda: _Watched(self, made()), fresh=None)

    def _choose(self, choose: Callable[..., Any], position: Position, rng: Any) -> Any:
        return self.ask(position, choose, position, rng)

    def ask(self, position: Position, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a player's function at a position; LeftDebugger if the person leaves."""
        try:
            if self.before == position.ply + 1:
                return _step_through(function, *arguments)
            return function(*arguments)
        except BdbQuit as error:  # from a breakpoint() of the player's own
            raise LeftDebugger from error
        except Exception as error:
            own = error.__traceback__ and error.__traceback__.tb_next  # without this frame
            traceback.print_exception(type(error), error, own)
            print(f"at {position}: pdb stands where that was raised, q leaves it")
            pdb.post_mortem(own or error.__traceback__)
            raise


@dataclass
class _Watched:
    """A stateful player whose ``choose`` is watched."""

    debugger: Debugger
    player: Any

    def start(self, game: Game, side: Side, rng: Any) -> None:
        self.player.start(game, side, rng)

    def choose(self, position: Position) -> Any:
        return self.debugger.ask(position, self.player.choose, position)

    def observe(self, move: int) -> None:
        self.player.observe(move)

    def finish(self, outcome: Outcome) -> None:
        self.player.finish(outcome)


def _step_through(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function and stop at its first line."""
    debugger = _Pdb()
    answer = debugger.runcall(function, *arguments)
    if debugger.left:
        raise LeftDebugger
    return answer


class _Pdb(pdb.Pdb):
    """Know whether the person has left it."""

    left = False

    def set_quit(self) -> None:
        self.left = True
        super().set_quit()
