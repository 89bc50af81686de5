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
    from arena.features.browse.function import PLAYER_RESULTS, browse
    from arena.features.certify.certificates import certified as certified  # not for users
    from arena.features.certify.certificates import check_certificate, keeps_to, open_certificate
    from arena.features.certify.function import certify
    from arena.features.certify.walks import WALK_POSITIONS, walk
    from arena.features.check.function import MAX_ANSWER_SECONDS, ask, check, check_game
    from arena.features.contest.function import give_tokens, open_contest
    from arena.features.copy.function import copy_store
    from arena.features.debug.function import debug
    from arena.features.doctor.function import doctor
    from arena.features.exact.function import compare, exact, exact_tournament
    from arena.features.explain.function import EXPLAIN_POSITIONS, SOLVER_POSITIONS, explain
    from arena.features.export.function import export
    from arena.features.fight.function import (
        DEFAULT_CAP,
        DEFAULT_PAIRS,
        checked_fight,
        fight,
        sprt_fight,
        until_fight,
    )
    from arena.features.games.function import describe_game, installed_games
    from arena.features.hand_in.function import hand_in
    from arena.features.history.function import history
    from arena.features.import_.function import import_games
    from arena.features.methods.function import with_methods
    from arena.features.move.function import distribution, move, moves, value
    from arena.features.new.function import new
    from arena.features.plan.function import (
        DEFAULT_APART,
        DEFAULT_ERROR,
        DEFAULT_LOSS_RATE,
        DEFAULT_TRIAL_PAIRS,
        plan,
    )
    from arena.features.plan.tournaments import DEFAULT_DRAWS, plan_tournament
    from arena.features.play.function import sit
    from arena.features.play.seats import seat
    from arena.features.players.function import describe_player, installed_players
    from arena.features.plugins.function import describe_plugin, installed_plugins
    from arena.features.rate.function import Result, rate
    from arena.features.rate.stored import is_store as is_store  # not for users
    from arena.features.rate.stored import rate_stores
    from arena.features.regress.function import DEFAULT_BASELINE, regress
    from arena.features.replay.function import replay
    from arena.features.report.function import entrant_report, entrant_reports, report
    from arena.features.resume.function import CHANGED, resume
    from arena.features.resume.function import run_to_resume as run_to_resume  # not for users
    from arena.features.runs.function import stored_runs
    from arena.features.show.function import contest_of, show
    from arena.features.show.sheets import stored_sheet
    from arena.features.solve.function import solve
    from arena.features.sprt.function import sprt
    from arena.features.tournament.function import tournament
    from arena.features.train.function import (
        DEFAULT_FEATURES,
        DEFAULT_RATE,
        DEFAULT_START,
        DEFAULT_TRAINING_GAMES,
        MAX_GAMES_AT_ONCE,
        train,
    )
    from arena.features.verify.function import verify
    from arena.features.watch.function import watch
    from arena.inputs.contest_file import Contest, read_contest
    from arena.inputs.entrants import Entered, enter
    from arena.inputs.options import PlayOptions, SprtOptions, UntilOptions
    from arena.inputs.resolve import (
        DEFAULT_GAME,
        GameLike,
        IsolationLike,
        OpeningsLike,
        PlayerLike,
        StoreLike,
        get_game,
        get_player,
    )
    from arena.inputs.resolve import get_ruled_game as get_ruled_game  # not for users
    from arena.runs.sheets import SHEETS, sheet_of

#: The modules of names, below ``arena``.
_OFFERS = {
    "features.browse.function": "PLAYER_RESULTS browse",
    "features.certify.certificates": "certified check_certificate keeps_to open_certificate",
    "features.certify.function": "certify",
    "features.certify.walks": "WALK_POSITIONS walk",
    "features.check.function": "MAX_ANSWER_SECONDS ask check check_game",
    "features.contest.function": "give_tokens open_contest",
    "features.copy.function": "copy_store",
    "features.debug.function": "debug",
    "features.doctor.function": "doctor",
    "features.exact.function": "compare exact exact_tournament",
    "features.explain.function": "EXPLAIN_POSITIONS SOLVER_POSITIONS explain",
    "features.export.function": "export",
    "features.fight.function": "DEFAULT_CAP DEFAULT_PAIRS checked_fight fight sprt_fight until_fight",
    "features.games.function": "describe_game installed_games",
    "features.hand_in.function": "hand_in",
    "features.history.function": "history",
    "features.import_.function": "import_games",
    "features.methods.function": "with_methods",
    "features.move.function": "distribution move moves value",
    "features.new.function": "new",
    "features.plan.function": "DEFAULT_APART DEFAULT_ERROR DEFAULT_LOSS_RATE DEFAULT_TRIAL_PAIRS plan",
    "features.plan.tournaments": "DEFAULT_DRAWS plan_tournament",
    "features.play.function": "sit",
    "features.play.seats": "seat",
    "features.players.function": "describe_player installed_players",
    "features.plugins.function": "describe_plugin installed_plugins",
    "features.rate.function": "Result rate",
    "features.rate.stored": "is_store rate_stores",
    "features.regress.function": "DEFAULT_BASELINE regress",
    "features.replay.function": "replay",
    "features.report.function": "entrant_report entrant_reports report",
    "features.resume.function": "CHANGED resume run_to_resume",
    "features.runs.function": "stored_runs",
    "features.show.function": "contest_of show",
    "features.show.sheets": "stored_sheet",
    "features.solve.function": "solve",
    "features.sprt.function": "sprt",
    "features.tournament.function": "tournament",
    "features.train.function": "DEFAULT_FEATURES DEFAULT_RATE DEFAULT_START DEFAULT_TRAINING_GAMES MAX_GAMES_AT_ONCE train",
    "features.verify.function": "verify",
    "features.watch.function": "watch",
    "inputs.contest_file": "Contest read_contest",
    "inputs.entrants": "Entered enter",
    "inputs.options": "PlayOptions SprtOptions UntilOptions",
    "inputs.resolve": "DEFAULT_GAME GameLike IsolationLike OpeningsLike PlayerLike StoreLike get_game get_player get_ruled_game",
    "runs.sheets": "SHEETS sheet_of",
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


_HOMES = {name: module for module, names in _OFFERS.items() for name in names.split()}


if not TYPE_CHECKING:  # mypy would take any name for one of this module

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f"arena.{_HOMES[name]}"), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
