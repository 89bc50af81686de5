"""Lay out what language models were asked for a move, and what they answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.player.purse import money
from arena.reports.page import Detail
from arena.reports.pages.prints import MARGIN

if TYPE_CHECKING:
    from arena.records.completions import Completion, MoveCompletion
    from arena.records.replays import ReplayReport


def asked_at(replay: ReplayReport, ply: int) -> list[str]:
    """Return what was asked and answered for a move. The questions are details."""
    lines: list[str] = []
    for _, at, completion in replay.completions:
        if at == ply:
            lines += [Detail(f"{MARGIN}> {line}") for line in completion.prompt.splitlines()]
            lines += [Detail(f"{MARGIN}({line})") for line in completion.reasoning.splitlines()]
            lines += [f"{MARGIN}{line}" for line in completion.answer.splitlines()]
            lines.append(f"{MARGIN}-- {spending_text(completion)}")
    return lines


def asked_last(replay: ReplayReport) -> list[str]:
    """Return what was asked and answered for a move that was not made."""
    ply = len(replay.moves)
    lines = asked_at(replay, ply)
    return [f"{replay.mover(ply)} was asked last:", *lines] if lines else []


def spending_text(completion: Completion | MoveCompletion) -> str:
    """Say what a request took, and what was wrong with the answer.

    >>> from arena.records.completions import Completion
    >>> spending_text(Completion("", "4", tokens_in=90, tokens_out=2, seconds=0.5))
    '90 tokens in, 2 out, 0.50 s'
    """
    words = []
    if completion.fault:
        words.append(f"{completion.fault}: {completion.problem}")
    if completion.tokens_in is not None:
        words.append(f"{completion.tokens_in:,} tokens in")
    if completion.tokens_out is not None:
        words.append(f"{completion.tokens_out:,} out")
    if completion.cost is not None:
        words.append(f"cost {money(completion.cost)}")
    if completion.seconds:
        words.append(f"{completion.seconds:.2f} s")
    return ", ".join(words)
