"""Find out whether one game AI is stronger than another.

>>> import arena
>>> print(arena.fight("tictactoe3", "tictactoe3", n=2, seed=1).headline)
Draw: 4, tictactoe3 wins: 0, tictactoe3#2 wins: 0
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.api import (
        Contest,
        Entered,
        PlayOptions,
        Result,
        ask,
        browse,
        certify,
        check,
        check_certificate,
        check_game,
        checked_fight,
        compare,
        contest_of,
        copy_store,
        debug,
        describe_game,
        describe_player,
        describe_plugin,
        distribution,
        doctor,
        enter,
        entrant_report,
        entrant_reports,
        exact,
        exact_tournament,
        explain,
        export,
        fight,
        get_game,
        get_player,
        give_tokens,
        hand_in,
        history,
        import_games,
        installed_games,
        installed_players,
        installed_plugins,
        keeps_to,
        move,
        moves,
        new,
        open_certificate,
        open_contest,
        plan,
        plan_tournament,
        rate,
        rate_stores,
        read_contest,
        regress,
        replay,
        report,
        resume,
        seat,
        sheet_of,
        show,
        sit,
        solve,
        sprt,
        sprt_fight,
        stored_runs,
        stored_sheet,
        tournament,
        train,
        until_fight,
        value,
        verify,
        walk,
        watch,
        with_methods,
    )
    from arena.certificates.index import CertificateIndex
    from arena.cli.output import Output, add_output
    from arena.errors import (
        ArenaError,
        CannotPlay,
        Forfeited,
        GameFault,
        IllegalMove,
        MoveError,
        PluginError,
        PositionError,
        UnknownName,
        UsageError,
        quoted,
    )
    from arena.executors.base import Executor, TaskFailed, TaskList, Tasks
    from arena.features.check.record import Answers, CheckReport
    from arena.features.contest.conductor import Conductor
    from arena.features.contest.hosted import HostedContest
    from arena.features.contest.packages import Refused
    from arena.features.contest.tokens import Identity
    from arena.features.copy.record import Copied, CopyReport
    from arena.features.doctor.record import Diagnosis
    from arena.features.export.record import Export
    from arena.features.hand_in.record import ContestStatus, HandIn
    from arena.features.import_.record import ImportReport
    from arena.features.new.record import Scaffold
    from arena.features.play.sitting import Sitting
    from arena.features.regress.record import RegressionReport
    from arena.features.solve.record import SolveReport
    from arena.features.verify.record import VerifyReport
    from arena.features.watch.record import Watched, WatchedGame, WatchedPlayer
    from arena.fights.play import Interrupted
    from arena.game import Game, Outcome, Position, Side
    from arena.games.boards import Boards, PositionBatch
    from arena.games.mnk import MnkGame, MnkPosition, mnk_game
    from arena.inputs.hand_in_rules import HandInRules
    from arena.match import Seat
    from arena.match.refereed import RefereedGame, Verdict
    from arena.pictures.diagram import Diagram
    from arena.player import PlayerInfo, StatefulPlayer
    from arena.player.batches import BatchRandom, Single
    from arena.player.clients import Client, Talk, Turn
    from arena.player.clocks import Clocks
    from arena.player.kinds import decimal, one_of, read_options, whole
    from arena.plugin.catalogue import Catalogue
    from arena.plugin.commands import Commands
    from arena.plugin.manager import load_catalogue
    from arena.plugin.markers import hookimpl
    from arena.plugin.registers import (
        ExecutorRegister,
        GameRegister,
        PlayerRegister,
        ProtocolRegister,
        ReportRegister,
        ScheduleRegister,
    )
    from arena.records.answers import Answered, TournamentPlan
    from arena.records.base import Record, Tally
    from arena.records.explanations import Explanation
    from arena.records.fights import FightResult
    from arena.records.history import History
    from arena.records.listings import Details, Listing
    from arena.records.methods import Explained, Method
    from arena.records.observers import GameResult, Progress, Run
    from arena.records.played import Played
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
    from arena.records.replays import ReplayReport
    from arena.records.reports import EntrantReport, Report
    from arena.records.sequential import SprtFight, SprtReport
    from arena.records.theorems import PlayerTheorem, ProvedClaim, Theorem, WalkedSide
    from arena.records.thoughts import Thought
    from arena.records.tournaments import TournamentResult
    from arena.records.training import Training
    from arena.records.until import UntilFight, UntilReport
    from arena.reports.page import Block, Table, page, table
    from arena.sandbox.settings import Isolation, read_command
    from arena.sandbox.together import CannotRun, Ended, run_together
    from arena.schedules import (
        Bye,
        Known,
        Meeting,
        MeetingResult,
        Place,
        RoundResult,
        Schedule,
        places,
    )

__all__ = ["Agreement", "Answered", "Answers", "ArenaError", "BatchRandom", "Block", "Boards"]
__all__ += ["Bye", "CannotPlay", "CannotRun", "Catalogue", "Certificate", "CertificateIndex"]
__all__ += ["CheckReport", "CheckedCertificate", "CheckedFight", "Client", "Clocks", "Commands"]
__all__ += ["Conductor", "Contest", "ContestStatus", "Copied", "CopyReport", "Details", "Diagnosis"]
__all__ += ["Diagram", "Ended", "Entered", "EntrantReport", "ExactResult", "ExactTournament"]
__all__ += ["Executor", "ExecutorRegister", "Explained", "Explanation", "Export", "FightResult"]
__all__ += ["Forfeited", "Game", "GameFault", "GameRegister", "GameResult", "HandIn", "HandInRules"]
__all__ += ["History", "HostedContest", "Identity", "IllegalMove", "ImportReport", "Interrupted"]
__all__ += ["Isolation", "Known", "Listing", "Meeting", "MeetingResult", "Method", "MnkGame"]
__all__ += ["MnkPosition", "MoveError", "MoveReport", "Outcome", "Output", "Place", "Plan"]
__all__ += ["PlayOptions", "Played", "PlayerInfo", "PlayerRegister", "PlayerTheorem", "PluginError"]
__all__ += ["Position", "PositionBatch", "PositionError", "Progress", "ProtocolRegister"]
__all__ += ["ProvedClaim", "RatingTable", "Record", "RefereedGame", "Refused", "RegressionReport"]
__all__ += ["ReplayReport", "Report", "ReportRegister", "Result", "RoundResult", "Run", "Scaffold"]
__all__ += ["Schedule", "ScheduleRegister", "Seat", "Side", "Single", "Sitting", "SolveReport"]
__all__ += ["SprtFight", "SprtReport", "StatefulPlayer", "Table", "Talk", "Tally", "TaskFailed"]
__all__ += ["TaskList", "Tasks", "Theorem", "Thought", "TournamentPlan", "TournamentResult"]
__all__ += ["Training", "Turn", "UnknownName", "UntilFight", "UntilReport", "UsageError", "Verdict"]
__all__ += ["VerifyReport", "WalkedSide", "Watched", "WatchedGame", "WatchedPlayer", "add_output"]
__all__ += ["ask", "browse", "certify", "check", "check_certificate", "check_game", "checked_fight"]
__all__ += ["compare", "contest_of", "copy_store", "debug", "decimal", "describe_game"]
__all__ += ["describe_player", "describe_plugin", "distribution", "doctor", "enter"]
__all__ += ["entrant_report", "entrant_reports", "exact", "exact_tournament", "explain", "export"]
__all__ += ["fight", "get_game", "get_player", "give_tokens", "hand_in", "history", "hookimpl"]
__all__ += ["import_games", "installed_games", "installed_players", "installed_plugins", "keeps_to"]
__all__ += ["load_catalogue", "mnk_game", "move", "moves", "new", "one_of", "open_certificate"]
__all__ += ["open_contest", "page", "places", "plan", "plan_tournament", "quoted", "rate"]
__all__ += ["rate_stores", "read_command", "read_contest", "read_options", "regress", "replay"]
__all__ += ["report", "resume", "run_together", "seat", "sheet_of", "show", "sit", "solve", "sprt"]
__all__ += ["sprt_fight", "stored_runs", "stored_sheet", "table", "tournament", "train"]
__all__ += ["until_fight", "value", "verify", "walk", "watch", "whole", "with_methods"]

#: The modules of names that are not of ``arena.api``.
_MODULES = {
    "certificates.index": "CertificateIndex",
    "cli.output": "Output add_output",
    "errors": "ArenaError CannotPlay Forfeited GameFault IllegalMove MoveError PluginError PositionError UnknownName UsageError quoted",
    "executors.base": "Executor TaskFailed TaskList Tasks",
    "features.check.record": "Answers CheckReport",
    "features.contest.conductor": "Conductor",
    "features.contest.hosted": "HostedContest",
    "features.contest.packages": "Refused",
    "features.contest.tokens": "Identity",
    "features.copy.record": "Copied CopyReport",
    "features.doctor.record": "Diagnosis",
    "features.export.record": "Export",
    "features.hand_in.record": "ContestStatus HandIn",
    "features.import_.record": "ImportReport",
    "features.new.record": "Scaffold",
    "features.play.sitting": "Sitting",
    "features.regress.record": "RegressionReport",
    "features.solve.record": "SolveReport",
    "features.verify.record": "VerifyReport",
    "features.watch.record": "Watched WatchedGame WatchedPlayer",
    "fights.play": "Interrupted",
    "game": "Game Outcome Position Side",
    "games.boards": "Boards PositionBatch",
    "games.mnk": "MnkGame MnkPosition mnk_game",
    "inputs.hand_in_rules": "HandInRules",
    "match": "Seat",
    "match.refereed": "RefereedGame Verdict",
    "pictures.diagram": "Diagram",
    "player": "PlayerInfo StatefulPlayer",
    "player.batches": "BatchRandom Single",
    "player.clients": "Client Talk Turn",
    "player.clocks": "Clocks",
    "player.kinds": "decimal one_of read_options whole",
    "plugin.catalogue": "Catalogue",
    "plugin.commands": "Commands",
    "plugin.manager": "load_catalogue",
    "plugin.markers": "hookimpl",
    "plugin.registers": "ExecutorRegister GameRegister PlayerRegister ProtocolRegister"
    " ReportRegister ScheduleRegister",
    "records.answers": "Answered TournamentPlan",
    "records.base": "Record Tally",
    "records.explanations": "Explanation",
    "records.fights": "FightResult",
    "records.history": "History",
    "records.listings": "Details Listing",
    "records.methods": "Explained Method",
    "records.observers": "GameResult Progress Run",
    "records.played": "Played",
    "records.proofs": "Agreement Certificate CheckedCertificate CheckedFight ExactResult ExactTournament MoveReport",
    "records.ratings": "Plan RatingTable",
    "records.replays": "ReplayReport",
    "records.reports": "EntrantReport Report",
    "records.sequential": "SprtFight SprtReport",
    "records.theorems": "PlayerTheorem ProvedClaim Theorem WalkedSide",
    "records.thoughts": "Thought",
    "records.tournaments": "TournamentResult",
    "records.training": "Training",
    "records.until": "UntilFight UntilReport",
    "reports.page": "Block Table page table",
    "sandbox.settings": "Isolation read_command",
    "sandbox.together": "CannotRun Ended run_together",
    "schedules": "Bye Known Meeting MeetingResult Place RoundResult Schedule places",
}
#: Modules for people who write players, or bring them.
_SUBMODULES = ("adapt", "openspiel", "testing")
_HOMES = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    # Imports on demand: a plugin needs a marker, a player's process the rules of a game.
    if name in _SUBMODULES:
        return import_module(f"{__name__}.{name}")
    if name == "__version__":
        from importlib.metadata import version  # which takes a while

        return version("proving-arena")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES.get(name, 'api')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
