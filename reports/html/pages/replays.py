"""Show one game on its board, and what its moves were worth where that is known."""

from __future__ import annotations

from typing import Any

from arena.game import Game
from arena.games.worth import blunder
from arena.records.base import Json, Record
from arena.records.explanations import ExplainedMove, Explanation
from arena.records.replays import ReplayReport
from arena.reports.html.document import Section, document
from arena.reports.html.packing import packed, run_of
from arena.reports.html.pages.plain import part_for_template
from arena.reports.page import Block, page

#: The one game of a page.
OPEN = "#g/1/1"


def html(record: Record, replay: ReplayReport, rules: Game) -> str:
    """Return the page of a record of a game; without boards of text, for the page draws them."""
    parts = [part for part in page(record) if not isinstance(part, Block)]
    if isinstance(record, ReplayReport):  # the other lines stand beside the boards
        parts = [parts[0], parts[-1]]
    first, second = replay.players
    game: Json = {**replay.as_json(), **_forfeit(replay), "game_id": None}
    if isinstance(record, Explanation):
        game["worths"] = [_said(move) for move in record.moves]
    run = run_of(rules, [(replay.players, [game])])
    sections = [Section("Result", "plain.html", {"parts": [part_for_template(p) for p in parts]})]
    title = f"{first} against {second} at {replay.game}"
    return document(title, "", sections, packed([run]), OPEN)


def _forfeit(replay: ReplayReport) -> dict[str, Any]:
    forfeit = replay.forfeit
    if forfeit is None:
        return {"reason": None}
    side = replay.players.index(forfeit.player)
    return {"reason": forfeit.reason, "message": forfeit.message, "forfeit_side": side}


def _said(move: ExplainedMove) -> str:
    """Return what a move was worth: from what to what, and what would have been better."""
    better = move.better_written or move.better
    return blunder(move.gives_away, better) if move.gives_away else move.after or ""
