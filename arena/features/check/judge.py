"""Turn the trials of a player into findings."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

from arena.features.check.enumeration import Enumeration
from arena.features.check.questions import AtPosition, Questionnaire, TrialAnswer, TrialQuestion
from arena.features.check.recipes import recipe_to_ask, recipe_to_check, recipe_to_move
from arena.features.check.record import Finding, Level
from arena.features.check.trials import FirstTrial, TrialEnd, TrialFailure
from arena.features.check.watch import ALARM
from arena.rng import GLOBAL_RANDOM
from arena.sandbox.words import WASM


def ended(exam: Questionnaire, end: TrialEnd, check: str = "process") -> Finding:
    """Return the failure of a player whose process ended."""
    question = exam.questions[end.number] if end.number >= 0 else None
    process = "its process was" if end.killed_by else "its process"
    subjects = dict.fromkeys(("timeout", "memory"), "it gives")
    subjects |= dict.fromkeys(("budget", "protocol", "off-turn"), "it")
    how = f"{subjects.get(end.verdict, process)} {end.reason}"
    if end.killed_by == ALARM:
        how = f"it gives no answer within {exam.patience:g} s"
    fault = "timeout" if end.killed_by == ALARM else end.verdict
    if question is None:
        return Finding(check, Level.FAIL, how, recipe_to_check(exam), fault)
    recipe = recipe_to_ask(exam, question)
    return Finding(check, Level.FAIL, f"{how} at {question}", recipe, fault, _position(question))


def first(exam: Questionnaire, trial: FirstTrial) -> Iterator[Finding]:
    """Judge the first trial: the process, the moves, and what else was seen."""
    answers = (
        "its process lives" if trial.faults else "it answers every time, and its process lives"
    )
    yield Finding("process", Level.PASS, answers)
    yield legal(exam, trial)
    yield from _without_legal_moves(exam, trial) if trial.is_in_vain else seen(exam, trial)
    if trial.remembers not in ("", GLOBAL_RANDOM):  # which has a finding of its own
        yield Finding("memory", Level.WARNING, f"may outlive a game: {trial.remembers}")


def stopped(exam: Questionnaire, trial: TrialEnd | TrialFailure) -> Iterator[Finding]:
    """Judge a first trial that did not get to its end."""
    if isinstance(trial, TrialEnd):
        yield ended(exam, trial)
    else:
        yield Finding("process", Level.PASS, "its process lives")
        yield from _failing(exam, trial)


def legal(exam: Questionnaire, first: FirstTrial) -> Finding:
    """Check for a legal move wherever the player was asked, for every draw if enumerable."""
    enumeration = first.enumeration
    if first.faults:
        number = first.faults[0]
        often = f"{len(first.faults)} of {_number(exam, len(first.answers))}"
        return _illegal(exam, exam.questions[number], first.answers[number], often)
    if enumeration is not None and enumeration.fault:
        position, answer = enumeration.fault
        message = answer.fault
        if position not in message:
            message = f"{message} at {position}"
        recipe = recipe_to_move(exam, position)
        return _failed("legal moves", message, recipe, answer, position)
    if first.fault:
        number, draw, answer = first.fault
        return _illegal(exam, exam.questions[number].other(draw), answer)
    if enumeration is None:
        return Finding("legal moves", Level.PASS, f"at all {len(first.times)} turns of its games")
    where = f"at {'all ' if exam.is_complete else ''}{len(exam.positions)} positions"
    drawn = "three draws each" if enumeration.reason else "for every draw"
    if not enumeration.reason and not enumeration.is_whole:
        drawn = f"three draws each, for every draw at {enumeration.positions}"
    return Finding("legal moves", Level.PASS, f"{where}, {drawn}")


def _failing(exam: Questionnaire, trial: TrialFailure) -> Iterator[Finding]:
    """Return the failure of a player that stopped the trial, and how often it failed until then."""
    faults = [number for number, answer in enumerate(trial.answers) if answer.fault]
    question, answer = exam.questions[faults[0]], trial.answers[faults[0]]
    positions = len(exam.positions)
    played, games = len(trial.answers) - positions, len(exam.questions) - positions
    often = f"{len(faults)} of the first {played} of {games} games"
    yield _illegal(exam, question, answer, often)
    yield Finding("the rest", Level.SKIPPED, "it fails too often: fix that first")


def _without_legal_moves(exam: Questionnaire, first: FirstTrial) -> Iterator[Finding]:
    """Report what was seen of a player that never makes a legal move: nothing else can be said."""
    for finding in seen(exam, first):
        yield finding if finding.level != Level.PASS else _nothing(finding.check)
    separate = "stateless" if exam.player.stateless else "separate games"
    yield from map(_nothing, ("same seed", separate, "fresh process", "deterministic"))


def _nothing(check: str) -> Finding:
    return Finding(check, Level.SKIPPED, "no legal answer to judge")


def _number(exam: Questionnaire, answers: int) -> str:
    positions = len(exam.positions)
    return f"{answers} positions" if answers <= positions else f"{answers - positions} games"


def _illegal(
    exam: Questionnaire, question: TrialQuestion, answer: TrialAnswer, often: str = ""
) -> Finding:
    where = "" if isinstance(question, AtPosition) else f" (in {question})"
    count = f"; it fails at {often}" if often else ""
    message = f"{answer.fault}{where}{count}"
    recipe = recipe_to_ask(exam, question)
    return _failed("legal moves", message, recipe, answer, answer.position)


def _failed(check: str, message: str, recipe: str, answer: TrialAnswer, position: str) -> Finding:
    """Return the finding about an answer with a fault."""
    fault, remedy = answer.verdict, answer.remedy
    return Finding(check, Level.FAIL, message, recipe, fault, position, answer.until, remedy)


def _position(question: TrialQuestion) -> str:
    """Return the position that a question asks at. A game tells its moves instead."""
    return str(question) if isinstance(question, AtPosition) else ""


#: Sightings during a trial: the level of each, and the message without one.
_SEEN = {
    "position": (Level.FAIL, "it leaves positions and games alone"),
    "global random": (Level.FAIL, "it draws from its own generator only"),
    "plain ints": (Level.WARNING, "its moves are ints"),
    "output": (Level.WARNING, "it prints nothing"),
}


def seen(exam: Questionnaire, first: FirstTrial) -> Iterator[Finding]:
    """Report sightings during the trial, where arena can watch the player."""
    if exam.player.isolation == WASM:
        for check in _SEEN:
            yield Finding(check, Level.PASS, "a module reaches nothing but its own memory")
        return
    if not exam.is_looked_at:
        for check in _SEEN:
            yield Finding(check, Level.SKIPPED, "arena does not look into programs: test it there")
        return
    texts = {str(q): q for q in exam.questions if isinstance(q, AtPosition)}
    for check, (level, good) in _SEEN.items():
        sighting = first.sightings.get(check)
        if sighting is None:
            yield Finding(check, Level.PASS, good, answers=len(first.answers))
            continue
        question = texts.get(sighting.position)
        recipe = recipe_to_ask(exam, question) if question else recipe_to_check(exam)
        yield Finding(check, level, sighting.message, recipe, position=sighting.position)


def declared(exam: Questionnaire, first: FirstTrial) -> Iterator[Finding]:
    """Check that the traits are true that the player declares."""
    yield _deterministic(exam, first)
    enumeration = first.enumeration
    if exam.player.distribution is None or enumeration is None:
        return
    if enumeration.misdeclared:
        position, message = enumeration.misdeclared
        yield Finding("distribution", Level.FAIL, message, recipe_to_move(exam, position))
    elif not enumeration.reason:
        yield Finding("distribution", Level.PASS, "as declared, where that can be compared")


def _deterministic(exam: Questionnaire, first: FirstTrial) -> Finding:
    name, enumeration = "deterministic", first.enumeration
    is_exact = enumeration is not None and not enumeration.reason
    several = enumeration.several if enumeration is not None else ""
    varies = None if first.varies is None else exam.questions[first.varies]
    where = several or (str(varies) if varies is not None else "")
    if not exam.player.deterministic:
        hint = "" if where or not is_exact else ", though true wherever arena asked it"
        return Finding(name, Level.SKIPPED, f"not declared{hint}")
    if not where:
        how = "one move everywhere" if is_exact else "the same moves with other generators"
        return Finding(name, Level.PASS, f"declared: {how}")
    recipe = recipe_to_move(exam, several) if several else recipe_to_check(exam)
    return Finding(
        name,
        Level.FAIL,
        f"declared, but another generator changes its move at {where}",
        recipe,
    )


def facts(exam: Questionnaire, first: FirstTrial, timed: bool) -> Iterator[Finding]:
    """Report what is neither good nor bad: enumeration, symmetry, and the time per move."""
    enumeration = first.enumeration
    if enumeration is None:
        yield Finding("enumerable", Level.INFO, "not by position: it keeps state")
    elif enumeration.reason:
        yield Finding("enumerable", Level.INFO, f"no: {enumeration.reason}")
    else:
        number = enumeration.positions
        yield Finding("enumerable", Level.INFO, f"exact probabilities at {number} positions")
        yield _symmetry(exam, enumeration)
    if timed:
        yield _time(first)


def _symmetry(exam: Questionnaire, enumeration: Enumeration) -> Finding:
    name, number = "symmetric", enumeration.compared
    if not number:
        return Finding(name, Level.INFO, "the game has no symmetries")
    if enumeration.example is None:
        return Finding(name, Level.INFO, f"yes, at {number} positions")
    position, image = enumeration.example
    message = f"no: at {enumeration.asymmetric} of {number} positions, such as {position}"
    if image != position:
        message = f"{message} and its image {image}"
    return Finding(name, Level.INFO, message, recipe_to_move(exam, position))


def _time(first: FirstTrial) -> Finding:
    """Report the median and the 99th percentile of a move, and where the slowest one was."""
    times = sorted(seconds for seconds, _ in first.times)
    percentile = times[min(len(times) - 1, len(times) * 99 // 100)]
    slowest, where = max(first.times)
    message = (
        f"{_microseconds(median(times))} a move, 99th percentile {_microseconds(percentile)},"
        f" slowest {_microseconds(slowest)} at {where}"
    )
    return Finding("time", Level.INFO, message, "")


def _microseconds(seconds: float) -> str:
    return f"{1e6 * seconds:,.0f} us"
