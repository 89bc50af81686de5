"""Try and prove the games and claims that a player declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from arena.errors import CannotEnumerate
from arena.features.check import judge
from arena.features.check.enumeration import bounded
from arena.features.check.questions import (
    InGame,
    QuestionCounter,
    Questionnaire,
    TrialQuestion,
    games_of,
)
from arena.features.check.recipes import recipe_to_ask, recipe_to_certify
from arena.features.check.record import Finding, Level
from arena.features.check.trials import TrialEnd, trial
from arena.game import Game
from arena.proof.certificate import certify
from arena.proof.limit import MAX_CLAIM_POSITIONS, Limit
from arena.records.proofs import Certificate

#: Pairs of games that a claim must survive if it cannot be proved.
EXAM_CLAIM_PAIRS = 50


def check_games(exam: Questionnaire, games: Sequence[Game]) -> Iterator[Finding]:
    """Check that the player also plays other games that it declares."""
    name = "games"
    if not games:
        yield Finding(name, Level.SKIPPED, "no other game is declared")
        return
    for game in games:
        questions = games_of(game, 1)
        other_exam = replace(exam, game=game, questions=questions)
        fault = trial(partial(_first_fault, other_exam))
        if isinstance(fault, TrialEnd):
            yield judge.ended(other_exam, fault, name)
            return
        if fault is not None:
            number, message = fault
            message = f"declared, but at {game.name}: {message}"
            yield Finding(name, Level.FAIL, message, recipe_to_ask(other_exam, questions[number]))
            return
    yield Finding(name, Level.PASS, f"plays {', '.join(game.name for game in games)} as well")


def _first_fault(exam: Questionnaire, note: QuestionCounter) -> tuple[int, str] | None:
    """Return which question has the first fault, and the fault."""
    watch = exam.watch()
    for number, question in exam.numbered(note):
        answer = exam.ask(question, watch)
        if answer.fault:
            return number, answer.fault
    return None


def check_claims(exam: Questionnaire, claimed: Mapping[str, Game]) -> Iterator[Finding]:
    """Prove or refute every claim. Test in games a claim that cannot be proved."""
    if not exam.player.claims:
        yield Finding("claims", Level.SKIPPED, "none is declared")
    for claim in exam.player.claims:
        if claim not in claimed:
            message = f"{claim} is about a game that is not installed"
            yield Finding("claims", Level.FAIL, message, "arena games")
            continue
        game = claimed[claim]
        if game.seats > 2:
            message = f"{claim} has {game.seats} seats: claims are of games for two"
            yield Finding("claims", Level.FAIL, message)
            continue
        questions = games_of(game, EXAM_CLAIM_PAIRS)
        claim_exam = replace(exam, game=game, questions=questions)
        result = trial(partial(_prove, claim_exam))
        if isinstance(result, TrialEnd):
            yield judge.ended(claim_exam, result, "claims")
        elif isinstance(result, Certificate):
            yield _proved(claim_exam, claim, result)
        else:
            reason, number = result
            yield _tested(claim_exam, claim, reason, None if number is None else questions[number])


def _prove(exam: Questionnaire, note: QuestionCounter) -> Certificate | tuple[str, int | None]:
    """Return a certificate, or why there is none and which question is the first lost game."""
    player = exam.player
    try:
        if player.stateless:
            player = bounded(player, exam.patience)
        return certify(player, exam.game, Limit(MAX_CLAIM_POSITIONS))
    except CannotEnumerate as error:
        reason = error.reason
    watch = exam.watch()
    for number, question in exam.numbered(note):
        assert isinstance(question, InGame)
        if question.is_lost(exam.player, exam.seed, watch):
            return reason, number
    return reason, None


def _proved(exam: Questionnaire, claim: str, certificate: Certificate) -> Finding:
    sides = {"first": certificate.first, "second": certificate.second}
    for moving, side in sides.items():
        if side.losing_line is not None:
            line = " ".join(step.move for step in side.losing_line)
            message = f"{claim} is refuted: it loses moving {moving}, by {line}"
            recipe = recipe_to_certify(exam.player, exam.game)
            return Finding("claims", Level.FAIL, message, recipe)
    positions = sum(side.positions for side in sides.values())
    return Finding("claims", Level.PASS, f"{claim}: proved, {positions} positions")


def _tested(exam: Questionnaire, claim: str, reason: str, lost: TrialQuestion | None) -> Finding:
    if lost is not None:
        recipe = recipe_to_ask(exam, lost)
        return Finding("claims", Level.FAIL, f"{claim} is refuted: it loses {lost}", recipe)
    message = f"{claim}: no loss in {len(exam.questions)} games, but not proved: {reason}"
    recipe = recipe_to_certify(exam.player, exam.game)
    return Finding("claims", Level.WARNING, message, recipe)
