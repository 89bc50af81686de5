"""Run the trials of a player, each in a process of its own, which the player may end."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import replace
from functools import partial
from types import ModuleType
from typing import NamedTuple, Self, TypeVar

from arena.dataclass import dataclass
from arena.errors import Forfeited, describe
from arena.features.check.enumeration import Enumeration, enumerate_moves
from arena.features.check.questions import QuestionCounter, Questionnaire, TrialAnswer
from arena.features.check.watch import TrialMonitor, arm
from arena.proof import progress
from arena.sandbox.cores import shared_with
from arena.sandbox.side_effects import Sighting

T = TypeVar("T")

#: Generators for further trials of a player whose moves cannot be enumerated.
OTHER_DRAWS = (1, 2)

#: A trial of an isolated player ends after this many games that it forfeits: each costs another
#: process, and these are enough to fix it.
MAX_FAULTS = 5

#: Environment variable with the hash seed of a new interpreter.
HASH_SEED = "PYTHONHASHSEED"

#: Hash seeds of two fresh interpreters; the second one puts sets into another order.
HASH_SEEDS = ("1", "2")


class TrialEnd(NamedTuple):
    """The result of a trial whose process ended: how, and at which question."""

    reason: str
    number: int
    #: The verdict, ``timeout``, ``budget`` or ``crash``, of a player that has its own process.
    verdict: str = "crash"
    #: The signal that killed the process, such as SIGKILL; empty if none did.
    killed_by: str = ""

    @classmethod
    def by(cls, lost: Forfeited, number: int) -> Self:
        """Return the result for a player that lost its own process."""
        return cls(str(lost), number, lost.reason, lost.killed_by)


class Unloadable(NamedTuple):
    """The result for a player that cannot be sent to a fresh interpreter, or be loaded there."""

    reason: str


class TrialFailure(NamedTuple):
    """The result of a first trial that was stopped: the answers up to the last fault."""

    answers: list[TrialAnswer]


@dataclass(frozen=True)
class FirstTrial:
    """The findings from asking everything once, without games if a position has a fault."""

    answers: list[TrialAnswer]
    sightings: dict[str, Sighting]
    #: Seconds of every answer, and where.
    times: list[tuple[float, str]]
    #: First question with other moves from another generator; then the first fault: its question,
    #: its generator, and the answer.
    varies: int | None = None
    fault: tuple[int, int, TrialAnswer] | None = None
    #: None for a stateful player.
    enumeration: Enumeration | None = None
    #: Why something of the player outlives a game; empty if nothing does.
    remembers: str = ""

    @property
    def faults(self) -> list[int]:
        """The questions to which the answer has a fault."""
        return [number for number, answer in enumerate(self.answers) if answer.fault]

    @property
    def is_in_vain(self) -> bool:
        """Whether the player never made a legal move."""
        return len(self.faults) == len(self.times)


def first_trial(exam: Questionnaire, note: QuestionCounter) -> FirstTrial | TrialFailure | TrialEnd:
    """Ask everything, then look for the distribution over the moves, then try other generators.

    The loss of a player's own process ends the trial: waiting for every answer of a silent player
    would take hours. So would a new process for every game of a player that always fails.
    """
    with shared_with(exam.player):
        remembers = exam.player.remembers  # afterwards it shows what is new
        watch = exam.watch()
        first = _ask_once(exam, note, watch)
        if not isinstance(first, FirstTrial) or first.is_in_vain:
            return first
        exam = exam.cut(len(first.answers))
        enumeration = enumerate_moves(exam, note) if exam.player.stateless else None
        first = replace(first, enumeration=enumeration)
        if enumeration is None or enumeration.reason or not enumeration.is_whole:
            first = _ask_others(exam, note, watch, first)
        if isinstance(first, TrialEnd):
            return first
        later = {check: Sighting(s.message, "") for check, s in exam.seen(watch).items()}
        remembers = remembers or exam.player.remembers
        return replace(first, sightings={**later, **first.sightings}, remembers=remembers)


def _ask_once(
    exam: Questionnaire, note: QuestionCounter, watch: TrialMonitor
) -> FirstTrial | TrialFailure | TrialEnd:
    answers: list[TrialAnswer] = []
    faults, positions = 0, len(exam.positions)
    for number, answer in exam.answers(note, watch, range(positions)):
        answers.append(answer)
        if watch.lost is not None:
            return TrialEnd.by(watch.lost, number)
        faults += bool(answer.fault)
    if not faults:
        for number, answer in exam.answers(note, watch, range(positions, len(exam.questions))):
            answers.append(answer)
            if watch.lost is not None:
                return TrialEnd.by(watch.lost, number)
            faults += bool(answer.fault)
            if faults == MAX_FAULTS and exam.player.remote is not None:
                return TrialFailure(answers)
    return FirstTrial(answers, exam.seen(watch), list(watch.answers))


def _ask_others(
    exam: Questionnaire, note: QuestionCounter, watch: TrialMonitor, first: FirstTrial
) -> FirstTrial | TrialEnd:
    """Ask the same with other generators, where that may tell something."""
    varies: int | None = None
    fault: tuple[int, int, TrialAnswer] | None = None
    for draw in OTHER_DRAWS if exam.player.stateless or exam.player.deterministic else ():
        for number, answer in exam.answers(note, watch, draw=draw):
            if watch.lost is not None:
                return TrialEnd.by(watch.lost, number)
            if varies is None and answer.moves != first.answers[number].moves:
                varies = number
            if answer.fault:
                fault = fault or (number, draw, answer)
    return replace(first, varies=varies, fault=fault)


def ask_all(exam: Questionnaire, order: Sequence[int], note: QuestionCounter) -> list[TrialAnswer]:
    """Return the answers to these questions in the order given, sorted as the questions are."""
    with shared_with(exam.player):
        answers = dict(exam.answers(note, exam.watch(), order))
    return [answers[number] for number in sorted(answers)]


def ask_fresh(
    pickled: bytes, order: Sequence[int], note: QuestionCounter
) -> list[TrialAnswer] | Unloadable:
    """Ask the same in an interpreter that has only just been started."""
    try:
        exam = pickle.loads(pickled)  # noqa: S301 (it was made a moment ago)
    except Exception as error:
        return Unloadable(f"a fresh interpreter cannot load it: {describe(error)}")
    return ask_all(exam, order, note)


def trial(
    work: Callable[[QuestionCounter], T], limit: float = 0, hash_seed: str | None = None
) -> T | TrialEnd:
    """Do work in a process of its own, and return what it returns.

    The process is a fresh interpreter if a hash seed is given.

    The work gets a note, whose ``value`` is the number of its question. ``limit`` is the time until
    its first question in seconds, 0 for any.
    """
    import multiprocessing

    from arena.executors.base import TaskFailed, TaskList
    from arena.executors.processes import ProcessExecutor

    method = None if hash_seed is None else "spawn"
    executor = ProcessExecutor(1, method, attempts=1)
    # A value that fork shares, and that spawn hands over.
    note: QuestionCounter = multiprocessing.get_context(method).RawValue("q", -1)
    with _fresh_interpreters(hash_seed) if hash_seed is not None else nullcontext():
        [(_, result)] = executor.run(
            partial(_work, work, limit, note, progress.is_on()), TaskList([0])
        )
    if isinstance(result, TaskFailed):
        return TrialEnd(result.reason, note.value, killed_by=result.killed_by)
    return result


def _work(
    work: Callable[[QuestionCounter], T],
    limit: float,
    note: QuestionCounter,
    tells: bool,
    _task: int,
) -> T:
    arm(limit)
    with (
        progress.display(tells),
        open(os.devnull, "w") as nowhere,
        redirect_stdout(nowhere),
    ):  # the watch sees prints
        return work(note)


@contextmanager
def _fresh_interpreters(hash_seed: str) -> Iterator[None]:
    """Give new interpreters this hash seed, and keep them from running the main script again.

    Else the script would check the player again there, unless it guards its last lines as
    multiprocessing asks. A player that it defines is not found.
    """
    before, main = os.environ.get(HASH_SEED), sys.modules["__main__"]
    os.environ[HASH_SEED] = hash_seed
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main
        del os.environ[HASH_SEED]
        if before is not None:
            os.environ[HASH_SEED] = before
