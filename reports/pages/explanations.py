"""The page of a game with what its moves were worth."""

from __future__ import annotations

from collections.abc import Sequence

from arena.records.explanations import ExplainedMove, Explanation
from arena.reports.cells import Cell
from arena.reports.fitting import side_by_side
from arena.reports.page import Boards, Page, Table, page
from arena.reports.pages.forfeits import forfeit_of
from arena.reports.pages.replays import headline, verdict
from arena.reports.screen import PIPE


@page.register
def _(explanation: Explanation) -> Page:
    game, blunders = explanation.game, explanation.blunders
    marks = {number: " ??" for number, _ in blunders}
    captions = [
        f"{n}. {move}{marks.get(n, '')}" for n, move in enumerate(game.written or game.moves, 1)
    ]
    boards = list(zip(captions, game.pictures[1:], strict=True))
    return [
        headline(game),
        *forfeit_of(game),
        verdict(game),
        *(_told(number, move) for number, move in blunders),
        *_nothing(explanation),
        *_table(explanation),
        *_boards(boards),
        *_method(explanation),
    ]


def _boards(boards: Sequence[tuple[str, str]]) -> list[Boards]:
    rows = side_by_side(boards, PIPE.width)
    return [Boards("\n\n".join(rows), boards=boards)] if boards else []


def _table(explanation: Explanation) -> list[Table]:
    if not explanation.moves:
        return []
    rows = [_row(number, move) for number, move in enumerate(explanation.moves, 1)]
    return [Table(["", "player", "move", "worth before", "worth after"], rows, names=1)]


def _row(number: int, move: ExplainedMove) -> list[Cell]:
    mark = " ??" if move.gives_away else ""
    return [
        number,
        move.player,
        (move.written or move.move) + mark,
        move.before or "?",
        move.after or "?",
    ]


def _told(number: int, move: ExplainedMove) -> str:
    keep = "keeps" if len(move.better) == 1 else "keep"
    played = f"{number}. {move.player} plays {move.written or move.move}"
    better = ", ".join(move.better_written or move.better)
    kept = f": {better} {keep} it" if better else ""
    return f"{played} and gives {move.gives_away} away{kept}"


def _nothing(explanation: Explanation) -> list[str]:
    if explanation.blunders:
        return []
    if not explanation.moves:
        return ["no move was made, so there is nothing to explain"]
    known = all(move.gives_away is not None for move in explanation.moves)
    return ["no move gives anything away" + " that the search sees" * (not known)]


def _method(explanation: Explanation) -> list[str]:
    budget = explanation.budget
    if budget is None or not explanation.moves:
        return []
    solver = [explanation.solver][: bool(explanation.solver)]
    return [f"? where a search of {budget} positions for each move sees no end", *solver]
