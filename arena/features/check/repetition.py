"""Ask a player again, in another process, in another order and in a fresh interpreter."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator, Sequence
from functools import partial

from arena.dataclass import dataclass
from arena.errors import describe
from arena.features.check import judge
from arena.features.check.questions import Questionnaire, TrialAnswer
from arena.features.check.recipes import recipe_to_ask, recipe_to_check
from arena.features.check.record import Finding, Level
from arena.features.check.trials import (
    HASH_SEED,
    HASH_SEEDS,
    TrialEnd,
    Unloadable,
    ask_all,
    ask_fresh,
    trial,
)
from arena.player_file.plugin import dumps

#: Positions and games that are repeated in a game too large for all its positions.
REPEATED = 200

#: How often a command repeats a question that gets different answers under one seed.
ASKED_TIMES = 10

#: Answers to a repetition, or why there are none.
RepeatedAnswers = Sequence[TrialAnswer] | TrialEnd | Unloadable


def check_repetition(exam: Questionnaire, answers: Sequence[TrialAnswer]) -> Iterator[Finding]:
    """Check that other processes and another order get the same answers as at first.

    One trial in a fresh interpreter, in another order, is enough if all answers come again. Only if
    one does not, further trials tell what changes it.
    """
    order = exam.sample(len(exam.questions) if exam.is_complete else REPEATED)
    compare = _AnswerComparison(exam, order)
    once = [answers[number] for number in order]
    repetition = _ask_elsewhere(exam, compare.shuffled, _other_hash_seed())
    same = compare("same seed", once, repetition, "the same seed gives another answer")
    separate = "stateless" if exam.player.stateless else "separate games"
    if same.level == Level.PASS:
        yield same
        yield compare(separate, once, repetition)
        yield Finding("pickling", Level.PASS, "it can be sent to another process")
        yield compare("fresh process", once, repetition)
        return
    findings = list(_one_by_one(compare, answers, separate))
    failed = any(finding.level == Level.FAIL for finding in findings)
    if not failed and not isinstance(repetition, Unloadable):
        findings[0] = same  # it differs now and then
    yield from findings


def _ask_elsewhere(exam: Questionnaire, order: Sequence[int], hash_seed: str) -> RepeatedAnswers:
    """Ask in an interpreter that has only just been started."""
    try:
        pickled = dumps(exam.under(hash_seed))
    except Exception as error:
        return Unloadable(f"it cannot be pickled: {describe(error)}")
    return trial(partial(ask_fresh, pickled, order), 0, hash_seed)


def _other_hash_seed() -> str:
    """Return a hash seed that is not that of this process."""
    return next(seed for seed in HASH_SEEDS if seed != os.environ.get(HASH_SEED))


def _one_by_one(
    compare: _AnswerComparison, answers: Sequence[TrialAnswer], separate: str
) -> Iterator[Finding]:
    """Check another process, then another order as well, then fresh interpreters."""
    exam = compare.exam
    whole = _AnswerComparison(exam, range(len(answers)))
    repetition = trial(partial(ask_all, exam, whole.order))
    same = whole("same seed", answers, repetition, "the same seed gives another answer")
    yield same
    if same.level == Level.FAIL:
        for name in (separate, "fresh process"):
            yield Finding(name, Level.SKIPPED, "the same seed does not give the same answers")
        return
    once = [answers[number] for number in compare.order]
    repetition = trial(partial(ask_all, exam, compare.shuffled))
    yield compare(separate, once, repetition, "earlier questions change its answer")
    yield from _fresh(compare, once)


@dataclass(frozen=True)
class _AnswerComparison:
    """A comparison of answers to the same questions."""

    exam: Questionnaire
    #: Places of these questions in the exam.
    order: Sequence[int]

    @property
    def shuffled(self) -> list[int]:
        """The places in another order."""
        return random.Random(self.exam.seed).sample(self.order, len(self.order))

    def __call__(
        self, name: str, once: Sequence[TrialAnswer], repetition: RepeatedAnswers, problem: str = ""
    ) -> Finding:
        """Return a failure with the first question that got another answer, else a pass."""
        if isinstance(repetition, TrialEnd):
            return judge.ended(self.exam, repetition, name)
        if isinstance(repetition, Unloadable):
            return Finding(name, Level.FAIL, repetition.reason, _pickling(self.exam))
        for number, one, two in zip(self.order, once, repetition, strict=True):
            if one.differs(two):
                question = self.exam.questions[number]
                message = f"{problem} at {question}: {_short(one)} and then {_short(two)}"
                return Finding(name, Level.FAIL, message, self._recipe(name, number))
        return Finding(name, Level.PASS, f"{len(self.order)} answers came again{_HOW[name]}")

    def _recipe(self, name: str, number: int) -> str:
        if name != "same seed":
            return recipe_to_check(self.exam)  # a single question does not show it
        return recipe_to_ask(self.exam, self.exam.questions[number], ASKED_TIMES)


#: How answers were repeated, by the name of the finding.
_HOW = {
    "same seed": " in another process",
    "stateless": " in another order",
    "separate games": " in another order",
    "fresh process": " in fresh interpreters",
}


def _fresh(compare: _AnswerComparison, once: Sequence[TrialAnswer]) -> Iterator[Finding]:
    """Check that new interpreters, which order sets in their own ways, get the same answers."""
    exam, name = compare.exam, "fresh process"
    one, two = (_ask_elsewhere(exam, compare.order, seed) for seed in HASH_SEEDS)
    if isinstance(one, Unloadable):
        yield Finding("pickling", Level.WARNING, one.reason, _pickling(exam))
        yield Finding(name, Level.SKIPPED, "it cannot be sent to another process")
        return
    yield Finding("pickling", Level.PASS, "it can be sent to another process")
    if isinstance(one, TrialEnd):
        yield judge.ended(exam, one, name)
        return
    between = compare(name, one, two, f"another {HASH_SEED} changes its answer")
    if between.level == Level.PASS:
        between = compare(name, once, one, "a fresh interpreter changes its answer")
    yield between


def _pickling(exam: Questionnaire) -> str:
    return f"pickle.loads(pickle.dumps({exam.player.name}))"


def _short(answer: TrialAnswer) -> str:
    return answer.moves if not answer.fault else f"{answer.moves} ({answer.fault})".strip()
