"""Show a record as a picture: the last board of a game, or the usual figure of another record."""

from __future__ import annotations

from arena.games.walk import walked
from arena.records.base import Record
from arena.records.explanations import Explanation
from arena.records.replays import ReplayReport
from arena.records.reports import Report
from arena.reports.plots import draw


def svg(record: Record) -> str:
    """Return the picture as the text of a file.

    Raises UsageError for a record without one, and for a figure without matplotlib.
    """
    if isinstance(record, Report) and len(record.parts) == 1:
        record = record.parts[0].result
    replay = record.game if isinstance(record, Explanation) else record
    if isinstance(replay, ReplayReport) and replay.rules is not None:
        return _last_board(replay)
    return draw(record, ".svg").decode()


def _last_board(replay: ReplayReport) -> str:
    rules = replay.rules
    assert rules is not None
    begin = rules.parse(replay.opening) if replay.opening else rules.start()
    moves = [rules.parse_move(text) for text in replay.moves]
    return walked(begin, moves, replay.departures).svg(last=moves[-1] if moves else None)
