"""Call what the commands do as functions; the command line calls these and prints their records.

A player is named as on the command line (``monkey``, ``./bot.py:choose``), or given as a PlayerInfo
or as a function ``choose(position, rng)``. Every function takes a ``catalogue``, by default all
that is installed, and who has players play an ``isolation``, which is how files and programs are
isolated: a tier by name, as ``--isolation`` takes it, or an Isolation with limits.

A name's module is imported when somebody asks for the name, so that no command pays for another.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.api.certificates import certified as certified  # not for users
    from arena.api.certificates import check_certificate, keeps_to, open_certificate
    from arena.api.checks import MAX_ANSWER_SECONDS, ask, check, check_game
    from arena.api.common import (
        DEFAULT_GAME,
        GameLike,
        IsolationLike,
        OpeningsLike,
        PlayerLike,
        StoreLike,
        get_game,
        get_player,
    )
    from arena.api.common import get_ruled_game as get_ruled_game  # not for users
    from arena.api.contests import Contest, read_contest
    from arena.api.copies import copy_store
    from arena.api.debugging import debug
    from arena.api.entrants import Entered, enter
    from arena.api.explanations import EXPLAIN_POSITIONS, SOLVER_POSITIONS, explain
    from arena.api.fights import (
        DEFAULT_CAP,
        DEFAULT_PAIRS,
        checked_fight,
        fight,
        sprt_fight,
        tournament,
        until_fight,
    )
    from arena.api.games import PLAYER_RESULTS, browse
    from arena.api.handing import hand_in
    from arena.api.hosting import give_tokens, open_contest
    from arena.api.imports import import_games
    from arena.api.isolation import doctor
    from arena.api.listings import (
        describe_game,
        describe_player,
        describe_plugin,
        installed_games,
        installed_players,
        installed_plugins,
    )
    from arena.api.methods import with_methods
    from arena.api.options import PlayOptions, SprtOptions, UntilOptions
    from arena.api.plans import DEFAULT_DRAWS, plan_tournament
    from arena.api.positions import distribution, move, moves, value
    from arena.api.proofs import certify, compare, exact, exact_tournament
    from arena.api.ratings import (
        DEFAULT_APART,
        DEFAULT_ERROR,
        DEFAULT_LOSS_RATE,
        DEFAULT_TRIAL_PAIRS,
        Result,
        plan,
        rate,
    )
    from arena.api.regression import DEFAULT_BASELINE, regress
    from arena.api.replays import replay
    from arena.api.reports import entrant_report, entrant_reports, report
    from arena.api.resuming import CHANGED, resume
    from arena.api.resuming import run_to_resume as run_to_resume  # not for users
    from arena.api.runs import (
        contest_of,
        export,
        history,
        show,
        stored_runs,
        verify,
    )
    from arena.api.scaffolds import new
    from arena.api.seats import seat
    from arena.api.sequential import sprt
    from arena.api.sheets import SHEETS, sheet_of, stored_sheet
    from arena.api.sittings import sit
    from arena.api.solutions import solve
    from arena.api.stored_ratings import is_store as is_store  # not for users
    from arena.api.stored_ratings import rate_stores
    from arena.api.training import (
        DEFAULT_FEATURES,
        DEFAULT_RATE,
        DEFAULT_START,
        DEFAULT_TRAINING_GAMES,
        MAX_GAMES_AT_ONCE,
        train,
    )
    from arena.api.walks import WALK_POSITIONS, walk
    from arena.api.watching import watch

#: The modules of this package, and the names that each of them offers.
_OFFERS = {
    "certificates": (
        "certified",
        "check_certificate",
        "keeps_to",
        "open_certificate",
    ),
    "checks": (
        "MAX_ANSWER_SECONDS",
        "ask",
        "check",
        "check_game",
    ),
    "common": (
        "DEFAULT_GAME",
        "GameLike",
        "IsolationLike",
        "OpeningsLike",
        "PlayerLike",
        "StoreLike",
        "get_game",
        "get_ruled_game",
        "get_player",
    ),
    "contests": (
        "Contest",
        "read_contest",
    ),
    "debugging": ("debug",),
    "entrants": (
        "Entered",
        "enter",
    ),
    "explanations": (
        "EXPLAIN_POSITIONS",
        "SOLVER_POSITIONS",
        "explain",
    ),
    "fights": (
        "DEFAULT_CAP",
        "DEFAULT_PAIRS",
        "checked_fight",
        "fight",
        "sprt_fight",
        "tournament",
        "until_fight",
    ),
    "games": ("PLAYER_RESULTS", "browse"),
    "handing": ("hand_in",),
    "hosting": ("give_tokens", "open_contest"),
    "imports": ("import_games",),
    "isolation": ("doctor",),
    "listings": (
        "describe_game",
        "describe_player",
        "describe_plugin",
        "installed_games",
        "installed_players",
        "installed_plugins",
    ),
    "methods": ("with_methods",),
    "positions": (
        "distribution",
        "move",
        "moves",
        "value",
    ),
    "options": (
        "PlayOptions",
        "SprtOptions",
        "UntilOptions",
    ),
    "plans": ("DEFAULT_DRAWS", "plan_tournament"),
    "proofs": (
        "certify",
        "compare",
        "exact",
        "exact_tournament",
    ),
    "replays": ("replay",),
    "walks": ("WALK_POSITIONS", "walk"),
    "watching": ("watch",),
    "reports": ("entrant_report", "entrant_reports", "report"),
    "ratings": (
        "DEFAULT_APART",
        "DEFAULT_ERROR",
        "DEFAULT_LOSS_RATE",
        "DEFAULT_TRIAL_PAIRS",
        "Result",
        "plan",
        "rate",
    ),
    "regression": (
        "DEFAULT_BASELINE",
        "regress",
    ),
    "resuming": ("CHANGED", "resume", "run_to_resume"),
    "runs": (
        "contest_of",
        "export",
        "history",
        "show",
        "stored_runs",
        "verify",
    ),
    "sequential": ("sprt",),
    "sheets": ("SHEETS", "sheet_of", "stored_sheet"),
    "solutions": ("solve",),
    "copies": ("copy_store",),
    "scaffolds": ("new",),
    "seats": ("seat",),
    "sittings": ("sit",),
    "stored_ratings": ("is_store", "rate_stores"),
    "training": (
        "DEFAULT_FEATURES",
        "DEFAULT_TRAINING_GAMES",
        "DEFAULT_RATE",
        "DEFAULT_START",
        "MAX_GAMES_AT_ONCE",
        "train",
    ),
}

__all__ = [
    "CHANGED",
    "DEFAULT_APART",
    "DEFAULT_BASELINE",
    "DEFAULT_CAP",
    "DEFAULT_DRAWS",
    "DEFAULT_ERROR",
    "DEFAULT_FEATURES",
    "DEFAULT_GAME",
    "DEFAULT_LOSS_RATE",
    "DEFAULT_PAIRS",
    "DEFAULT_RATE",
    "DEFAULT_START",
    "DEFAULT_TRAINING_GAMES",
    "DEFAULT_TRIAL_PAIRS",
    "EXPLAIN_POSITIONS",
    "MAX_ANSWER_SECONDS",
    "MAX_GAMES_AT_ONCE",
    "PLAYER_RESULTS",
    "SHEETS",
    "SOLVER_POSITIONS",
    "WALK_POSITIONS",
    "Contest",
    "Entered",
    "GameLike",
    "IsolationLike",
    "OpeningsLike",
    "PlayOptions",
    "PlayerLike",
    "Result",
    "SprtOptions",
    "StoreLike",
    "UntilOptions",
    "ask",
    "browse",
    "certify",
    "check",
    "check_certificate",
    "check_game",
    "checked_fight",
    "compare",
    "contest_of",
    "copy_store",
    "debug",
    "describe_game",
    "describe_player",
    "describe_plugin",
    "distribution",
    "doctor",
    "enter",
    "entrant_report",
    "entrant_reports",
    "exact",
    "exact_tournament",
    "explain",
    "export",
    "fight",
    "get_game",
    "get_player",
    "give_tokens",
    "hand_in",
    "history",
    "import_games",
    "installed_games",
    "installed_players",
    "installed_plugins",
    "keeps_to",
    "move",
    "moves",
    "new",
    "open_certificate",
    "open_contest",
    "plan",
    "plan_tournament",
    "rate",
    "rate_stores",
    "read_contest",
    "regress",
    "replay",
    "report",
    "resume",
    "seat",
    "sheet_of",
    "show",
    "sit",
    "solve",
    "sprt",
    "sprt_fight",
    "stored_runs",
    "stored_sheet",
    "tournament",
    "train",
    "until_fight",
    "value",
    "verify",
    "walk",
    "watch",
    "with_methods",
]


_HOMES = {name: module for module, names in _OFFERS.items() for name in names}


if not TYPE_CHECKING:  # mypy would take any name for one of this module

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
