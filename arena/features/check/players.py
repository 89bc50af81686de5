"""Issue the conformance certificate of a player: run its trials and judge them."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from arena.errors import PlayerFault, describe, is_stop
from arena.features.check import judge
from arena.features.check.protocols import walk_protocol
from arena.features.check.questions import Questionnaire
from arena.features.check.recipes import recipe_to_move
from arena.features.check.record import CheckReport, Finding, Level
from arena.features.check.remedies import with_remedy
from arena.features.check.repetition import check_repetition
from arena.features.check.source import source
from arena.features.check.traits import check_claims, check_games
from arena.features.check.trials import FirstTrial, TrialEnd, first_trial, trial
from arena.game import Game, as_seat
from arena.player import PlayerInfo
from arena.player.names import is_engine
from arena.rng import Stream


def check_player(
    exam: Questionnaire,
    *,
    timed: bool = False,
    other_games: Sequence[Game] = (),
    claimed: Mapping[str, Game] | None = None,
) -> CheckReport:
    """Return every finding about the player of an exam, as docs/check.md lists them.

    Try it in ``other_games`` too, and test its claims that have a game in ``claimed``. Raises
    PlayerFault if it does not start.
    """
    game = exam.game
    findings = [_check_kind(exam)]
    mistakes = source(exam)
    if findings[0].level == Level.PASS:
        _require_start(exam)
        findings += walk_protocol(exam)
        first = trial(partial(first_trial, exam))
        if isinstance(first, FirstTrial):
            exam = exam.cut(len(first.answers))
            findings += judge.first(exam, first)
            if not first.is_in_vain:
                findings += check_repetition(exam, first.answers)
                findings += judge.declared(exam, first)
                findings += _batch(exam, timed)
                findings += check_games(exam, other_games)
                findings += check_claims(exam, claimed or {})
                findings += judge.facts(exam, first, timed)
        else:
            findings += judge.stopped(exam, first)
    engine = is_engine(exam.player.spec or exam.player.name)
    remedied = tuple(with_remedy(finding, engine) for finding in [*findings, *mistakes])
    return CheckReport(exam.player.name, game.name, game.version, exam.seed, exam.extent, remedied)


def _batch(exam: Questionnaire, timed: bool) -> list[Finding]:
    if exam.player.choose_batch is None or exam.game.features:  # there it is never asked
        return []
    from arena.features.check.batches import check_batch  # batches alone need NumPy

    return check_batch(exam, timed)


def _check_kind(exam: Questionnaire) -> Finding:
    problem = _kind_problem(exam.player)
    if problem:
        return Finding("kind", Level.FAIL, problem, recipe_to_move(exam, str(exam.game.start())))
    return Finding("kind", Level.PASS, _kind(exam.player))


def _kind(player: PlayerInfo) -> str:
    return "a function of position and rng" if player.stateless else "keeps state during a game"


def _kind_problem(player: PlayerInfo) -> str:
    """Return what is wrong with the player's kind of function, if a call would not give a move."""
    choose: Any = player.player
    if not player.stateless and isinstance(choose, type):
        choose = getattr(choose, "choose", choose)
    for function in (choose, getattr(choose, "__call__", choose)):  # noqa: B004 (of instances)
        if inspect.iscoroutinefunction(function):
            return "it is an async function: a player returns its move (def, not async def)"
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            return "it is a generator: a player returns its move (return, not yield)"
    return ""


def _require_start(exam: Questionnaire) -> None:
    """Raise PlayerFault if a stateful player cannot begin a game."""
    if exam.player.stateless:
        return
    problem = trial(partial(_start, exam), exam.patience)
    if isinstance(problem, TrialEnd):
        problem = problem.reason
    if problem:
        raise PlayerFault(f"{exam.player.name} cannot be started: {problem}")


def _start(exam: Questionnaire, _note: Any) -> str:
    try:
        for seat in range(exam.game.seats):
            exam.player.player().start(exam.game, as_seat(seat, exam.game.seats), Stream())
    except BaseException as error:
        if is_stop(error):
            raise
        return describe(error)
    return ""
