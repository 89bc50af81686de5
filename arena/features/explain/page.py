"""Lay out a game with what its moves were worth."""

from __future__ import annotations

from collections.abc import Sequence

from arena.model.columns import CSV, Column, flat_rows
from arena.records.explanations import ExplainedMove, Explanation
from arena.reports.fitting import side_by_side
from arena.reports.page import BoardRow, Page, Rows, Table, declared_table, flat, page
from arena.reports.pages.forfeits import forfeit_of
from arena.reports.pages.replays import headline, verdict
from arena.reports.screen import PIPE


@page.register
def _explanation_page(explanation: Explanation) -> Page:
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
        *(_blunder_line(number, move) for number, move in blunders),
        *_nothing(explanation),
        *_table(explanation),
        *_boards(boards),
        *_method(explanation),
    ]


def _boards(boards: Sequence[tuple[str, str]]) -> list[BoardRow]:
    rows = side_by_side(boards, PIPE.width)
    return [BoardRow("\n\n".join(rows), boards=boards)] if boards else []


#: The columns of a move, with its number from 1.
EXPLAINED_MOVE: tuple[Column[tuple[int, ExplainedMove]], ...] = (
    Column("ply", lambda row: row[0], title=""),
    Column("player", lambda row: row[1].player, is_name=True),
    Column("move", lambda row: row[1].move, CSV),
    Column("move", lambda row: _written_move(row[1]), ("page",)),
    Column("before", lambda row: _worth(row[1].before), title="worth before"),
    Column("after", lambda row: _worth(row[1].after), title="worth after"),
    Column("gives_away", lambda row: _worth(row[1].gives_away), CSV),
    Column("better", lambda row: " ".join(row[1].better), CSV),
)


def _written_move(move: ExplainedMove) -> str:
    return (move.written or move.move) + (" ??" if move.gives_away else "")


def _worth(worth: str | None) -> str:
    """Return the worth of a move, or a ``?`` if no search sees it."""
    return "?" if worth is None else worth or "nothing"


def _table(explanation: Explanation) -> list[Table]:
    if not explanation.moves:
        return []
    return [declared_table(EXPLAINED_MOVE, [*enumerate(explanation.moves, 1)])]


@flat.register
def _explanation_rows(explanation: Explanation) -> Rows:
    return flat_rows(EXPLAINED_MOVE, [*enumerate(explanation.moves, 1)])


def _blunder_line(number: int, move: ExplainedMove) -> str:
    keep = "keeps" if len(move.better) == 1 else "keep"
    played = f"{number}. {move.player} plays {move.written or move.move}"
    better = ", ".join(move.better_written or move.better)
    rest = f": {better} {keep} it" if better else ""
    return f"{played} and gives {move.gives_away} away{rest}"


def _nothing(explanation: Explanation) -> list[str]:
    if explanation.blunders:
        return []
    if not explanation.moves:
        return ["no move was made, so there is nothing to explain"]
    is_exact = all(move.gives_away is not None for move in explanation.moves)
    return ["no move gives anything away" + " that the search sees" * (not is_exact)]


def _method(explanation: Explanation) -> list[str]:
    budget = explanation.budget
    if budget is None or not explanation.moves:
        return []
    solver = [explanation.solver][: bool(explanation.solver)]
    return [f"? where a search of {budget} positions for each move sees no end", *solver]
