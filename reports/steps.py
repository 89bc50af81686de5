"""Show a game move by move, with the board after each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.records.proofs import LineStep
from arena.reports.page import Block, MarkBoard, Picture


def moves_of(line: Iterable[LineStep]) -> str:
    """Return the moves of a line as people write them, with blanks between."""
    return " ".join(step.written or step.move for step in line)


def steps(
    player: str, line: Sequence[LineStep], opponent: str = "the opponent"
) -> list[str | Block]:
    """Return each move with its player, the value that it loses, and the board."""
    parts: list[str | Block] = []
    for ply, step in enumerate(line, start=1):
        mover = player if step.by_player else "chance" if step.by_chance else opponent
        mistake = f", which gives away {step.gave_away}" if step.gave_away else ""
        caption = f"{ply}. {mover} plays {step.written or step.move}{mistake}"
        pictures = [Picture(step.svg, caption)] if step.svg else []
        parts += [caption, MarkBoard(step.picture, pictures)]
    return parts
