"""Try whether the programs of a contest's file start, before anyone enters it."""

from __future__ import annotations

from typing import Any

from arena.errors import Forfeited, Unavailable, Withdrawn
from arena.game import CHANCE, Game
from arena.player import PlayerInfo
from arena.rng import Stream
from arena.sandbox.players import AbsentPlayer
from arena.sandbox.remote import Remote


def start_problem(player: PlayerInfo, game: Game) -> str:
    """Return why a player cannot be started, or an empty string if it can.

    A program is asked for one move, because arena's own protocol has no greeting: a program that
    ends before it reads its first question looks like one that thinks.
    """
    remote = player.remote
    if isinstance(remote, AbsentPlayer):
        return remote.problem
    if not isinstance(remote, Remote) or remote.spec.is_python:
        return ""  # it was started when it was named
    try:
        _ask_once(remote, game)
    except Withdrawn as error:
        return f"it cannot be started: {error.problem}"
    except (Forfeited, Unavailable):
        return ""  # it starts, whatever it then plays
    finally:
        remote.close()
    return ""


def _ask_once(remote: Remote, game: Game) -> None:
    position = game.start()
    while position.to_move == CHANCE:
        position = position.play(position.chance_moves()[0][0])
    side, program = position.to_move, remote()
    program.start(game, side, Stream())
    # Its process is given back when the game's player is forgotten.
    info_state: Any = position.observation(side) if game.features else position
    program.choose(info_state)
