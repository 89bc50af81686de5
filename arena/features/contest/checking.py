"""Check a hand-in: ``arena check`` in a process of its own, behind the walls of the contest."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from arena.clock import now
from arena.errors import ArenaError, UsageError
from arena.features.contest.hosted import HostedContest
from arena.features.contest.packages import HandInRefused
from arena.features.contest.processes import Process
from arena.features.contest.setup import check_command
from arena.features.hand_in.record import CANNOT_LOAD, PASSED, REFUSED, TOO_LONG, HandIn
from arena.files import parse_json
from arena.player.names import NamedSpec
from arena.records.base import Json

#: How the lines begin in which arena complains.
_COMPLAINT = "arena: "

#: A name of a file that a command may have as it is.
_PLAIN_NAME = re.compile(r"\w[\w.-]*")

#: How a complaint begins that is about what was handed in, and does not name its entrant.
_OF_HAND_IN = "isolation wasm is for "

#: How a complaint begins that blames the machine.
_OF_MACHINE = ("isolation ", "the machine ", "this machine ")


class CannotCheck(ArenaError):
    """The machine, or arena itself, kept a check from its verdict: it says nothing of a hand-in."""


class EntryCheck(NamedTuple):
    """The result of a check: the state, the report if there is one, or else a line."""

    state: str
    report: Json | None = None
    problem: str = ""


async def check(contest: HostedContest, hand_in: HandIn, lock: int) -> None:
    """Check a hand-in and note what came of it. A check that is cancelled leaves it as it was.

    So does one that raises CannotCheck, because the fault is none of the hand-in's.
    """
    began = now()
    try:
        laid_out = await asyncio.to_thread(contest.laid_out, hand_in)
    except HandInRefused as error:  # another arena took it
        verdict = EntryCheck(REFUSED, problem=str(error))
    else:
        player = NamedSpec(hand_in.entrant, str(laid_out.player))
        process = await Process.start(check_command(contest.setup, player, laid_out.data), lock)
        try:
            in_time = await process.wait(contest.rules.check_seconds)
        finally:
            await asyncio.shield(process.end())
        if in_time:
            verdict = _verdict(process, hand_in.entrant, laid_out.player, hand_in.filename)
        else:
            limit = contest.rules.check_seconds
            verdict = EntryCheck(REFUSED, problem=f"{TOO_LONG} {limit} s")
    state, report, problem = verdict
    seconds = now() - began
    await asyncio.to_thread(contest.finalize, hand_in, state, report, problem, seconds)


def _verdict(process: Process, entrant: str, player: Path, filename: str) -> EntryCheck:
    """Return the result of a check that has ended, with the file's name as its author calls it.

    Raises CannotCheck if there is none: only a report, or a complaint of the player, is a verdict.
    """
    names = _own_names(player, filename)
    if process.code in (0, 1) and process.output:
        try:
            report = parse_json(process.output)
        except UsageError as error:
            return EntryCheck(REFUSED, problem=f"the report of its check {error}")
        return EntryCheck(REFUSED if process.code else PASSED, _with(names, report))
    # A long path is cut where it is quoted, so what is left of it would not be found.
    named = re.compile(rf"'{re.escape(entrant)}=[^']*'")
    message = named.sub(f"'{entrant}'", process.complaint.removeprefix(_COMPLAINT))
    problem = _with(names, message) or f"its process ended with code {process.code}"
    if _is_of_machine(problem, entrant):
        raise CannotCheck(problem)
    return EntryCheck(REFUSED, problem=problem)


def _is_of_machine(problem: str, entrant: str) -> bool:
    """Return whether a complaint is about the machine or arena, and not about the entrant."""
    from arena.sandbox.process import SCARCE

    out_of_room = tuple(f" cannot be started: {os.strerror(number)}" for number in SCARCE)
    if problem.startswith(_OF_HAND_IN):
        return False
    if problem.startswith(_OF_MACHINE) or problem.endswith(out_of_room):
        return True
    is_named = re.search(rf"(?<!\w){re.escape(entrant)}(?!\w)", problem) is not None
    return not (is_named or problem.startswith(CANNOT_LOAD))


def _own_names(player: Path, filename: str) -> dict[str, str]:
    """Return what stands for the server's paths in texts for the author, in order.

    A single file is laid out under another name than its author's, where a command that shows a
    fault would not find it.
    """
    is_single = Path(filename).suffix == player.suffix and bool(_PLAIN_NAME.fullmatch(filename))
    names = {str(player): filename} if is_single else {}
    return {**names, f"{player.parent}/": "", str(player.parent): "."}


def _with(names: Mapping[str, str], value: Any) -> Any:
    """Return a value of JSON whose texts have these names in place of others."""
    if isinstance(value, str):
        for before, after in names.items():
            value = value.replace(before, after)
        return value
    if isinstance(value, list):
        return [_with(names, item) for item in value]
    if isinstance(value, dict):
        return {key: _with(names, item) for key, item in value.items()}
    return value
