"""Walk through the protocol of a program, step by step, as its client has it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from arena.errors import Forfeited
from arena.features.check.questions import Questionnaire
from arena.features.check.record import Finding, Level
from arena.player.clients import ProtocolStep
from arena.player.names import split_protocol
from arena.sandbox.process import PlayerProcess
from arena.sandbox.remote import Remote


def walk_protocol(exam: Questionnaire) -> Iterator[Finding]:
    """Yield a finding for every step up to the first that fails.

    It yields nothing for a player that is not a program, or whose protocol has no steps.
    """
    player = exam.player
    address = split_protocol(player.spec or player.name)
    if not isinstance(player.remote, Remote) or player.remote.spec.is_python or address is None:
        return
    process = player.remote.start()
    try:
        assert process.client is not None
        for step in process.client.steps(exam.game):
            level, message = _take(process, step, exam.patience)
            yield Finding(f"{address.protocol}: {step.name}", level, message)
            if level == Level.FAIL:
                return
    finally:
        process.end()


def _take(process: PlayerProcess, step: ProtocolStep, patience: float) -> tuple[Level, str]:
    """Return what comes of a step, in words."""
    try:
        problem, seconds = process.converse(partial(step.take, process.talk), patience)
    except Forfeited as error:
        return Level.FAIL, str(error)
    if problem:
        return Level.FAIL, problem
    if seconds > step.seconds:
        return Level.WARNING, f"took {seconds:.2f} s, with {step.seconds:g} s on its clock"
    return Level.PASS, "as the protocol has it"
