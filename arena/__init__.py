"""Find out whether one game AI is stronger than another.

>>> import arena
>>> print(arena.fight("tictactoe3", "tictactoe3", n=2, seed=1))
Draw: 4, tictactoe3 wins: 0, tictactoe3#2 wins: 0
"""

from arena.api import (
    certify,
    check,
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
from arena.checked import CheckReport
from arena.errors import ArenaError
from arena.game import Game, Outcome, Position, Side
from arena.markers import hookimpl
from arena.player import PlayerInfo, StatefulPlayer
from arena.proved import Certificate, ExactResult
from arena.results import FightResult, TournamentResult

__all__ = [
    "ArenaError",
    "Certificate",
    "CheckReport",
    "ExactResult",
    "FightResult",
    "Game",
    "Outcome",
    "PlayerInfo",
    "Position",
    "Side",
    "StatefulPlayer",
    "TournamentResult",
    "certify",
    "check",
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
