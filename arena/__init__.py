"""Find out whether one game AI is stronger than another.

>>> import arena
>>> print(arena.fight("tictactoe3", "tictactoe3", n=2, seed=1))
Draw: 4, tictactoe3 wins: 0, tictactoe3#2 wins: 0
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.api import (
        browse,
        certify,
        check,
        compare,
        debug,
        distribution,
        doctor,
        exact,
        exact_tournament,
        explain,
        export,
        fight,
        get_game,
        get_player,
        history,
        keeps_to,
        plan,
        rate,
        regress,
        replay,
        resume,
        show,
        sprt,
        sprt_fight,
        stored_runs,
        tournament,
        train,
        value,
        verify,
    )
    from arena.errors import ArenaError
    from arena.fights.play import Interrupted
    from arena.game import Game, Outcome, Position, Side
    from arena.player import PlayerInfo, StatefulPlayer
    from arena.plugin.markers import hookimpl
    from arena.records.checks import CheckReport
    from arena.records.fights import FightResult
    from arena.records.proofs import Certificate, ExactResult
    from arena.records.tournaments import TournamentResult
    from arena.sandbox.settings import Isolation

__all__ = [
    "ArenaError",
    "Certificate",
    "CheckReport",
    "ExactResult",
    "FightResult",
    "Game",
    "Interrupted",
    "Isolation",
    "Outcome",
    "PlayerInfo",
    "Position",
    "Side",
    "StatefulPlayer",
    "TournamentResult",
    "browse",
    "certify",
    "check",
    "compare",
    "debug",
    "distribution",
    "doctor",
    "exact",
    "exact_tournament",
    "explain",
    "export",
    "fight",
    "get_game",
    "get_player",
    "history",
    "hookimpl",
    "keeps_to",
    "plan",
    "rate",
    "regress",
    "replay",
    "resume",
    "show",
    "sprt",
    "sprt_fight",
    "stored_runs",
    "tournament",
    "train",
    "value",
    "verify",
]

#: Where names come from that are not of ``arena.api``.
_HOMES = {
    "ArenaError": "errors",
    "Certificate": "records.proofs",
    "CheckReport": "records.checks",
    "ExactResult": "records.proofs",
    "FightResult": "records.fights",
    "Game": "game",
    "Interrupted": "fights.play",
    "Isolation": "sandbox.settings",
    "Outcome": "game",
    "PlayerInfo": "player",
    "Position": "game",
    "Side": "game",
    "StatefulPlayer": "player",
    "TournamentResult": "records.tournaments",
    "hookimpl": "plugin.markers",
}


def __getattr__(name: str) -> object:
    # Imported when asked for: a plugin needs a marker, a player's process the rules of a game.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES.get(name, 'api')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
