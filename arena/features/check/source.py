"""Read the file of a player for code that runs and never does what its author meant.

Such code raises nothing, so no question to the player shows it.
"""

from __future__ import annotations

import os
from functools import partial

from arena.errors import UsageError
from arena.features.check.questions import QuestionCounter, Questionnaire
from arena.features.check.record import Finding, Level
from arena.features.check.trials import TrialEnd, trial
from arena.files import read_bytes
from arena.player.silent_mistakes import MAX_SOURCE, SilentMistake, silent_mistakes

#: The most mistakes that are reported.
MAX_MISTAKES = 5


def source(exam: Questionnaire) -> list[Finding]:
    """Return a warning for each silent mistake in the file of a Python player."""
    path, colon, function = exam.player.file.rpartition(":")
    path = path if colon and function.isidentifier() else exam.player.file
    if not path or exam.player.command:
        return []
    mistakes = trial(partial(_read, path))  # what a file has may end the process that parses it
    if isinstance(mistakes, TrialEnd):
        return []
    name = os.path.basename(path)
    return [
        Finding("source", Level.WARNING, f"{name}:{line}: {text}")
        for line, text in mistakes[:MAX_MISTAKES]
    ]


def _read(path: str, _note: QuestionCounter) -> list[SilentMistake]:
    try:
        return silent_mistakes(read_bytes(path, MAX_SOURCE))
    except (UsageError, SyntaxError, ValueError, RecursionError, MemoryError):
        return []  # to load it is another check
