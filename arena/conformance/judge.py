"""Turn the trials of a player into findings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from statistics import median

from arena.conformance.enumeration import Enumeration
from arena.conformance.questions import Answer, AtPosition, Exam, Question
from arena.conformance.shown import ask_again, check_again, move_at
from arena.conformance.trials import Ended, Failing, FirstTrial
from arena.conformance.watch import ALARMED
from arena.records.checks import Finding, Level


def ended(exam: Exam, end: Ended, check: str = "process") -> Finding:
    """Return the failure of a player whose process ended."""
    question = exam.questions[end.at] if end.at >= 0 else None
    said = {"timeout": "it gives ", "budget": "it "}.get(end.verdict, "its process ")
    how = f"{said}{end.reason}".replace("process killed", "process was killed")
    if end.reason == ALARMED:
        how = f"it gives no answer within {exam.patience:g} s"
    if question is None:
        return Finding(check, Level.FAIL, how, check_again(exam))
    return Finding(check, Level.FAIL, f"{how} at {question}", ask_again(exam, question))


def legal(exam: Exam, first: FirstTrial) -> Finding:
    """Check for a legal move wherever the player was asked, for every draw if enumerable."""
    faults = [(q, a) for q, a in zip(exam.questions, first.answers, strict=True) if a.fault]
    enumeration = first.enumeration
    if enumeration is not None and enumeration.fault:
        position, message = enumeration.fault
        if position not in message:
            message = f"{message} at {position}"
        return Finding("legal moves", Level.FAIL, message, move_at(exam, position))
    if not faults and first.fault:
        at, draw, answer = first.fault
        faults = [(exam.questions[at].other(draw), answer)]
    if faults:
        return _illegal(exam, *faults[0])
    if enumeration is None:
        return Finding("legal moves", Level.PASS, f"at all {len(first.times)} turns of its games")
    where = f"at {'all ' if exam.is_complete else ''}{len(exam.positions)} positions"
    drawn = "three draws each" if enumeration.reason else "for every draw"
    if not enumeration.reason and not enumeration.is_whole:
        drawn = f"three draws each, for every draw at {enumeration.positions}"
    return Finding("legal moves", Level.PASS, f"{where}, {drawn}")


def failing(exam: Exam, trial: Failing) -> Iterator[Finding]:
    """Return the failure of a player that stopped the trial, and how often it failed until then."""
    asked, positions = len(trial.answers), len(exam.positions)
    faults = [at for at, answer in enumerate(trial.answers) if answer.fault]
    first = _illegal(exam, exam.questions[faults[0]], trial.answers[faults[0]])
    planned = f"{positions} positions" if asked <= positions else f"{len(exam.questions)} questions"
    often = f"it fails at {len(faults)} of the first {asked} of {planned}"
    yield replace(first, message=f"{first.message}; {often}")
    yield Finding("the rest", Level.SKIPPED, "it fails too often: fix that first")


def _illegal(exam: Exam, question: Question, answer: Answer) -> Finding:
    where = "" if isinstance(question, AtPosition) else f" (in {question})"
    return Finding("legal moves", Level.FAIL, f"{answer.fault}{where}", ask_again(exam, question))


#: Sightings during a trial: the level of each, and the message without one.
_SEEN = {
    "position": (Level.FAIL, "it leaves positions and games alone"),
    "global random": (Level.FAIL, "it draws from its own generator only"),
    "plain ints": (Level.WARNING, "its moves are ints"),
    "output": (Level.WARNING, "it prints nothing"),
}


def seen(exam: Exam, first: FirstTrial) -> Iterator[Finding]:
    """Report sightings during the trial, where arena can watch the player."""
    if not exam.is_looked_at:
        for check in _SEEN:
            yield Finding(check, Level.SKIPPED, "a program does it where arena does not look")
        return
    texts = {str(q): q for q in exam.questions if isinstance(q, AtPosition)}
    for check, (level, good) in _SEEN.items():
        sighting = first.sightings.get(check)
        if sighting is None:
            yield Finding(check, Level.PASS, good)
            continue
        question = texts.get(sighting.position, exam.questions[0])
        yield Finding(check, level, sighting.message, ask_again(exam, question))


def declared(exam: Exam, first: FirstTrial) -> Iterator[Finding]:
    """Check that the traits are true that the player declares."""
    yield _deterministic(exam, first)
    enumeration = first.enumeration
    if exam.player.distribution is None or enumeration is None:
        return
    if enumeration.misdeclared:
        position, message = enumeration.misdeclared
        yield Finding("distribution", Level.FAIL, message, move_at(exam, position))
    elif not enumeration.reason:
        yield Finding("distribution", Level.PASS, "as declared, where that can be compared")


def _deterministic(exam: Exam, first: FirstTrial) -> Finding:
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
    if several:
        shown = move_at(exam, several)
    else:
        assert varies is not None
        shown = ask_again(exam, varies)
    return Finding(
        name, Level.FAIL, f"declared, but another generator changes its move at {where}", shown
    )


def facts(exam: Exam, first: FirstTrial, timed: bool) -> Iterator[Finding]:
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


def _symmetry(exam: Exam, enumeration: Enumeration) -> Finding:
    name, number = "symmetric", enumeration.compared
    if not number:
        return Finding(name, Level.INFO, "the game has no symmetries")
    if enumeration.example is None:
        return Finding(name, Level.INFO, f"yes, at {number} positions")
    position, image = enumeration.example
    message = f"no: at {enumeration.asymmetric} of {number} positions, such as {position}"
    if image != position:
        message = f"{message} and its image {image}"
    return Finding(name, Level.INFO, message, move_at(exam, position))


def _time(first: FirstTrial) -> Finding:
    """Report the median and the 99th percentile of a move, and where the slowest one was."""
    times = sorted(seconds for seconds, _ in first.times)
    at = times[min(len(times) - 1, len(times) * 99 // 100)]
    slowest, where = max(first.times)
    message = (
        f"{_microseconds(median(times))} a move, 99th percentile {_microseconds(at)},"
        f" slowest {_microseconds(slowest)} at {where}"
    )
    return Finding("time", Level.INFO, message, "")


def _microseconds(seconds: float) -> str:
    return f"{1e6 * seconds:,.0f} us"
