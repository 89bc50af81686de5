"""Stop in a player's code while it plays: at what it raises, or before one of its moves."""

from __future__ import annotations

import builtins
import pdb  # noqa: T100 - this is the debugger that people ask for
import traceback
from bdb import BdbQuit
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from arena.errors import IllegalMove, as_move
from arena.game import Game, Outcome, Position, Side
from arena.player import PlayerInfo
from arena.player.prints import Prints


class LeftDebugger(KeyboardInterrupt):
    """Say that the human has left the debugger: arena plays nothing more."""


@dataclass
class Debugger:
    """Ask a player for its moves under pdb."""

    #: Stop where the player is asked for a move after this many plies; None for nowhere.
    ply: int | None = None
    #: The prints of the player, which come out at once as well.
    prints: Prints = field(default_factory=Prints)
    #: The plies after which the player was asked for a move.
    plies: list[int] = field(default_factory=list)

    def watch(self, info: PlayerInfo) -> PlayerInfo:
        """Return a player that stops, and plays as this one does."""
        fresh_player = info.player if info.fresh is None else info.fresh()
        if info.stateless:
            return replace(info, player=partial(self._choose, fresh_player), fresh=None)
        return replace(
            info, player=lambda: _TracedPlayer(self, self.call("", fresh_player)), fresh=None
        )

    def _choose(self, choose: Callable[..., Any], position: Position, rng: Any) -> Any:
        return self.ask(position, choose, position, rng)

    def ask(self, position: Position, choose: Callable[..., Any], *arguments: Any) -> Any:
        """Ask a player for its move at a position. Raises LeftDebugger if the human leaves."""
        self.plies.append(position.ply)
        steps = (_step_through, choose) if self.ply == position.ply else (choose,)
        answer = self.call(f" at {position}", *steps, *arguments)
        if not _is_legal(answer, position):
            print(f"answered {answer!r} at {position}, where that is not a legal move")
        return answer

    def call(self, where: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function of a player, and open the debugger where it raises."""
        try:
            with self._hearing():
                return function(*arguments)
        except LeftDebugger:
            raise
        except BdbQuit as error:  # from a breakpoint() of the player's own
            raise LeftDebugger from error
        except BaseException as error:
            traceback_inside = (
                error.__traceback__ and error.__traceback__.tb_next
            )  # without this frame
            traceback.print_exception(type(error), error, traceback_inside)
            print(f"raised{where}; q goes on")
            pdb.post_mortem(traceback_inside or error.__traceback__)
            if isinstance(error, KeyboardInterrupt):
                raise LeftDebugger from error
            raise

    @contextmanager
    def _hearing(self) -> Iterator[None]:
        """Take what the player prints. Its streams stay: pdb needs those of the terminal."""
        before = builtins.print

        def heard(*words: object, file: Any = None, **ways: Any) -> None:
            before(*words, file=file, **ways)
            if file is None:  # pdb always says where it prints
                before(*words, file=self.prints, **ways)

        builtins.print = heard
        try:
            yield
        finally:
            builtins.print = before


@dataclass
class _TracedPlayer:
    """A stateful player whose every call is watched."""

    debugger: Debugger
    player: Any

    def start(self, game: Game, side: Side, rng: Any) -> None:
        self.debugger.call("", self.player.start, game, side, rng)

    def choose(self, position: Position) -> Any:
        return self.debugger.ask(position, self.player.choose, position)

    def observe(self, move: int) -> None:
        if hasattr(self.player, "observe"):
            self.debugger.call("", self.player.observe, move)

    def finish(self, outcome: Outcome) -> None:
        if hasattr(self.player, "finish"):
            self.debugger.call("", self.player.finish, outcome)


def _is_legal(answer: object, position: Position) -> bool:
    try:
        return as_move(answer) in position.legal_moves()
    except IllegalMove:
        return False


def _step_through(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function and stop at its first line."""
    debugger = _Pdb()
    answer = debugger.runcall(function, *arguments)
    if debugger.has_quit:
        raise LeftDebugger
    return answer


class _Pdb(pdb.Pdb):
    """Know whether the user has left it."""

    has_quit = False

    def set_quit(self) -> None:
        self.has_quit = True
        super().set_quit()
