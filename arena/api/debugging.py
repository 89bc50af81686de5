"""Play one game again under a debugger."""

from __future__ import annotations

from dataclasses import replace

from arena.api.common import open_catalogue
from arena.api.fights import named_game, replay_of
from arena.errors import UsageError, did_you_mean, quoted
from arena.play.debugging import Debugger
from arena.plugin.catalogue import Catalogue
from arena.records.replays import ReplayReport


def debug(
    player: str, game: str, *, move: int | None = None, catalogue: Catalogue | None = None
) -> ReplayReport:
    """Play one game of a fight again, in this process and without limits, with pdb at hand.

    The debugger stands at the exception that the player raises, or stops before it makes that
    ``move`` of the game, counted from 1.  Raises :class:`arena.play.debugging.LeftDebugger`, a
    KeyboardInterrupt, when the person leaves it.
    """
    named, pairing = named_game(game, open_catalogue(catalogue, "none"))
    if player not in pairing.names:
        hint = did_you_mean(player, pairing.names)
        raise UsageError(f"{quoted(player)} does not play in {game}{hint}")
    if named.engine == "table":
        raise UsageError(f"nobody was asked for a move in {game}: it was played through tables")
    a, b = pairing.a, pairing.b
    debugger = Debugger(move)
    for info in (a, b):
        if info.name == player and info.remote is not None:
            raise UsageError(f"{quoted(player)} is a program: it needs a debugger of its own")
    pairing = replace(
        pairing,
        a=debugger.watch(a) if a.name == player else a,
        b=debugger.watch(b) if b.name == player else b,
    )
    return replay_of(game, named, pairing)
