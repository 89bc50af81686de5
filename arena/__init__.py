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
        PlayOptions,
        Result,
        certify,
        check,
        check_certificate,
        check_game,
        checked_fight,
        compare,
        distribution,
        doctor,
        exact,
        exact_tournament,
        export,
        fight,
        get_game,
        get_player,
        history,
        installed_games,
        installed_players,
        installed_plugins,
        keeps_to,
        move,
        moves,
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
    from arena.fights.runs import Played
    from arena.game import Game, Outcome, Position, Side
    from arena.player import PlayerInfo, StatefulPlayer
    from arena.plugin.markers import hookimpl
    from arena.records.checks import CheckReport
    from arena.records.fights import FightResult
    from arena.records.isolation import Diagnosis
    from arena.records.listings import Listing
    from arena.records.proofs import (
        Agreement,
        Certificate,
        CheckedCertificate,
        CheckedFight,
        ExactResult,
        ExactTournament,
        MoveReport,
    )
    from arena.records.ratings import Plan, RatingTable
    from arena.records.regression import RegressionReport
    from arena.records.replays import ReplayReport
    from arena.records.runs import Export, VerifyReport
    from arena.records.sequential import SprtFight, SprtReport
    from arena.records.tournaments import TournamentResult
    from arena.records.training import Training
    from arena.sandbox.settings import Isolation

__all__ = [
    "Agreement",
    "ArenaError",
    "Certificate",
    "CheckReport",
    "CheckedCertificate",
    "CheckedFight",
    "Diagnosis",
    "ExactResult",
    "ExactTournament",
    "Export",
    "FightResult",
    "Game",
    "Interrupted",
    "Isolation",
    "Listing",
    "MoveReport",
    "Outcome",
    "Plan",
    "PlayOptions",
    "Played",
    "PlayerInfo",
    "Position",
    "RatingTable",
    "RegressionReport",
    "ReplayReport",
    "Result",
    "Side",
    "SprtFight",
    "SprtReport",
    "StatefulPlayer",
    "TournamentResult",
    "Training",
    "VerifyReport",
    "certify",
    "check",
    "check_certificate",
    "check_game",
    "checked_fight",
    "compare",
    "distribution",
    "doctor",
    "exact",
    "exact_tournament",
    "export",
    "fight",
    "get_game",
    "get_player",
    "history",
    "hookimpl",
    "installed_games",
    "installed_players",
    "installed_plugins",
    "keeps_to",
    "move",
    "moves",
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
    "Agreement": "records.proofs",
    "ArenaError": "errors",
    "Certificate": "records.proofs",
    "CheckReport": "records.checks",
    "CheckedCertificate": "records.proofs",
    "CheckedFight": "records.proofs",
    "Diagnosis": "records.isolation",
    "ExactResult": "records.proofs",
    "ExactTournament": "records.proofs",
    "Export": "records.runs",
    "FightResult": "records.fights",
    "Game": "game",
    "Interrupted": "fights.play",
    "Isolation": "sandbox.settings",
    "Listing": "records.listings",
    "MoveReport": "records.proofs",
    "Outcome": "game",
    "Plan": "records.ratings",
    "Played": "fights.runs",
    "PlayerInfo": "player",
    "Position": "game",
    "RatingTable": "records.ratings",
    "RegressionReport": "records.regression",
    "ReplayReport": "records.replays",
    "Side": "game",
    "SprtFight": "records.sequential",
    "SprtReport": "records.sequential",
    "StatefulPlayer": "player",
    "TournamentResult": "records.tournaments",
    "Training": "records.training",
    "VerifyReport": "records.runs",
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
