"""Play one game again under a debugger."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Unpack

from arena.errors import UsageError, quoted
from arena.features.debug.debugger import Debugger
from arena.features.debug.options import DebugOptions
from arena.features.replay.function import named_game, replay_of
from arena.fights.pairing import BATCH
from arena.inputs.resolve import open_catalogue
from arena.player.names import meant_by, name_meant
from arena.player.prints import PrintCapture
from arena.records.replays import ReplayReport
from arena.runs.services import take_recorded
from arena.signatures import complete, takes


@takes(DebugOptions)
def debug(player: str, game: str, **options: Unpack[DebugOptions]) -> ReplayReport:
    """Play one game of a fight again, in this process and without limits, with pdb at hand.

    The debugger stands at the exception that the player raises, or stops before it makes that
    ``move`` of the game, whose number :func:`arena.replay` shows. ``players`` are as there; the
    player itself may be ``alice=./alice.py``. Raises LeftDebugger, a KeyboardInterrupt, when the
    user leaves it, and UsageError if the player does not make that move.
    """
    options = complete(debug, options)
    players, move = options["players"], options["move"]
    catalogue = open_catalogue(options["catalogue"], "none")
    named_player = catalogue.read_named(player)
    specs = players if named_player.name == named_player.spec else [*players, player]
    named, pairing = named_game(game, specs, catalogue)
    take_recorded(pairing.players, None)
    names = pairing.all_names
    player = name_meant(player if player in names else named_player.name, names)
    if player not in names:
        hint = meant_by(player, names)
        raise UsageError(f"{quoted(player)} does not play in {game}{hint}")
    if named.engine == "table":
        raise UsageError(f"no player was asked for a move in {game}: it was played through tables")
    if named.engine == BATCH:
        raise UsageError(f"{game} was played by batches: debug a game of the engine 'calls'")
    first_ply = pairing.begin(named.pair).ply
    debugger = Debugger(None if move is None else move - 1 + first_ply)
    place = names.index(player)
    subject = pairing.players[place]
    if subject.remote is not None:
        raise UsageError(f"{quoted(player)} is a program: it needs a debugger of its own")
    if sys.stdin is None or sys.stdin.closed:
        raise UsageError("standard input is closed: the debugger reads its commands there")
    watched = debugger.watch(subject)
    players_of_game = list(pairing.players)
    players_of_game[place] = watched
    a, b, *others = players_of_game
    pairing = replace(pairing, a=a, b=b, others=tuple(others))
    played = replay_of(game, named, pairing, PrintCapture(debugger.prints))
    if debugger.ply not in (None, *debugger.plies):
        moves = ", ".join(str(ply + 1 - first_ply) for ply in debugger.plies)
        raise UsageError(f"{quoted(player)} makes the moves {moves} of that game, not {move}")
    return replace(played, rules=pairing.game)
