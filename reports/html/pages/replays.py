"""Show one game on its board, and the worth of its moves."""

from __future__ import annotations

from dataclasses import replace

from arena.game import Game
from arena.games.worth import blunder
from arena.records.base import Record
from arena.records.explanations import ExplainedMove, Explanation
from arena.records.replays import ReplayReport
from arena.reports.cells import Cell
from arena.reports.html.document import Section, document
from arena.reports.html.packing import packed, packed_run
from arena.reports.html.pages.plain import part_for_template
from arena.reports.page import Block, Table, page
from arena.reports.pages.completions import spending_text
from arena.reports.single_games import replayed_game

#: The one game of a page.
OPEN = "#g/1/1"


def html(record: Record, replay: ReplayReport, rules: Game) -> str:
    """Return the page of a record of a game. It has no boards of text, because it draws them."""
    parts = [part for part in page(record) if not isinstance(part, Block)]
    if isinstance(record, ReplayReport):  # the other lines stand next to the boards
        parts = [parts[0], parts[-1]]
    game = replace(replayed_game(rules, replay), game_id="")  # the page has no other game
    if isinstance(record, Explanation):
        game = replace(game, worths=tuple(map(_worth, record.moves)))
    run = packed_run(rules, [(replay.players, [game])])
    sections = [Section("Result", "plain.html", {"parts": [part_for_template(p) for p in parts]})]
    if isinstance(record, ReplayReport):
        sections += _transcript(record)
    title = f"{' against '.join(replay.players)} at {replay.game}"
    return document(title, "", sections, packed([run]), OPEN)


def _transcript(replay: ReplayReport) -> list[Section]:
    """Return the section of what language models were asked and answered, if any were."""
    completions = replay.written_notes.completions
    if not completions:
        return []
    rows: list[list[Cell]] = [
        [each.move, each.player, each.prompt, each.reasoning, each.answer, spending_text(each)]
        for each in completions
    ]
    header = ["move", "player", "asked", "thought", "answered", "took"]
    if not any(each.reasoning for each in completions):
        header.remove("thought")
        rows = [[*row[:3], *row[4:]] for row in rows]
    table = part_for_template(Table(header, rows))
    return [Section("Transcript", "plain.html", {"parts": [table]})]


def _worth(move: ExplainedMove) -> str:
    """Return what a move was worth, and a better one."""
    better = move.better_written or move.better
    return blunder(move.gives_away, better) if move.gives_away else move.after or ""
