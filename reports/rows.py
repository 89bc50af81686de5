"""Lay records out as rows under one header, for formats that know nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from importlib import import_module
from typing import Any

from arena.model.columns import flat_rows
from arena.records.answers import Answered, TournamentPlan
from arena.records.base import Json, Record
from arena.records.explanations import Explanation
from arena.records.exports import Export
from arena.records.fights import FightResult
from arena.records.history import History
from arena.records.listings import Details, Listing
from arena.records.methods import WithMethods
from arena.records.ratings import Plan, RatingTable
from arena.records.replays import ReplayReport
from arena.records.reports import Report
from arena.records.sequential import SprtFight, SprtReport
from arena.records.tournaments import TournamentResult
from arena.records.training import Training
from arena.records.until import UntilFight
from arena.reports.columns.fights import BY_SIDE, PAIRING, paired_rows, side_results
from arena.reports.columns.ratings import RATING
from arena.reports.names import fights_of
from arena.reports.page import Table, import_if_there, page

Rows = Sequence[Sequence[Any]]


@singledispatch
def flat(record: Record) -> Rows:
    """Return a header and the rows of a record; the first table of its page if none are here."""
    import_module("arena.reports.proof_rows")  # registers those of proofs
    room, _, module = type(record).__module__.rpartition(".")
    if room.startswith("arena.features.") and module == "record":
        import_if_there(f"{room}.rows")  # the record of a feature has its rows in the same folder
    own = flat.dispatch(type(record))
    if own is not flat.dispatch(object):
        return own(record)
    for part in page(record):
        if isinstance(part, Table):
            return [part.headers, *part.rows]
    raise TypeError(f"no table on the page of a {type(record).__name__}")


@flat.register
def _(answered: Answered) -> Rows:
    groups = {name: n for n, group in enumerate(answered.groups, start=1) for name in group}
    rows = [[own.player, own.value, groups.get(own.player)] for own in answered.players]
    return [["player", "value", "group"], *rows]


@flat.register
def _(explained: WithMethods) -> Rows:
    return flat(explained.record)


@flat.register
def _(fight: FightResult) -> Rows:
    return flat_rows(BY_SIDE, side_results(fight))


@flat.register
def _(played: SprtFight) -> Rows:
    header, *rows = flat(played.fight)
    test = played.test
    return [[*header, "llr", "decision"], *([*row, test.llr, test.decision] for row in rows)]


@flat.register
def _(played: UntilFight) -> Rows:
    header, *rows = flat(played.fight)
    ends = played.interval.ends if played.interval else ("", "")
    more = ["until", "decision", "score_low", "score_high"]
    own = [played.report.rule, played.report.decision, *ends]
    return [[*header, *more], *([*row, *own] for row in rows)]


@flat.register
def _(ratings: RatingTable) -> Rows:
    return flat_rows(RATING, ratings.players)


@flat.register
def _(plan: Plan) -> Rows:
    header = ["aim", "pairs", "games", "seconds", "accepts_h1", "reason"]
    return [header, *([test.as_json()[key] for key in header] for test in plan.tests)]


@flat.register
def _(plan: TournamentPlan) -> Rows:
    found = {key: value for key, value in plan.as_json().items() if key not in ("schema", "elos")}
    return [[*found], [*found.values()]]


@flat.register
def _(report: Report) -> Rows:
    columns = BY_SIDE[1:]
    header, *_ = flat_rows(columns, [])
    rows = [
        [part.name, *flat_rows(columns, [side_results(fight)[-1]])[1]]
        for part in report.parts
        for fight in fights_of(part.result)
    ]
    return [["from", *header], *rows]


@flat.register
def _(export: Export) -> Rows:
    header = ["run", "game", "seed", "game_id", "first", "second"]
    more = ["moves", "outcome", "reason", "message", "seconds"]
    return [
        [*header, *more, "winner", "plies", "pair", "a", "b"],
        *(
            [
                *(run["run"], run["game"], run["seed"], game["game_id"], *game["players"]),
                *(" ".join(game["moves"]), game["outcome"], game["reason"]),
                *(game["message"], game["seconds"], _winner(game), len(game["moves"])),
                *(_pair(game), *fight["players"]),
            ]
            for run in export.runs
            for fight in run["fights"]
            for game in fight["games"]
        ),
        *(
            [
                *("", game["game"], "", "", *game["players"]),
                *(" ".join(game["moves"]), game["outcome"], "", "", ""),
                *(_winner(game), len(game["moves"]), "", "", ""),
            ]
            for imported in export.imports
            for game in imported["games"]
        ),
    ]


def _winner(game: Json) -> str:
    """Return the name of the winner; empty for a draw, and a game that goes on."""
    names: tuple[str, str] = game["players"]
    return {"first": names[0], "second": names[1]}.get(game["outcome"], "")


def _pair(game: Json) -> int:
    return int(game["game_id"].rpartition("/")[2].partition(".")[0])


@flat.register
def _(tournament: TournamentResult) -> Rows:
    return flat_rows(PAIRING, paired_rows(tournament.fights))


@flat.register
def _(replay: ReplayReport) -> Rows:
    return [
        ["ply", "player", "move"],
        *([i + 1, replay.mover(i), move] for i, move in enumerate(replay.moves)),
    ]


@flat.register
def _(explanation: Explanation) -> Rows:
    return [
        ["ply", "player", "move", "before", "after", "gives_away", "better"],
        *(
            [i, m.player, m.move, *_known(m.before, m.after, m.gives_away), " ".join(m.better)]
            for i, m in enumerate(explanation.moves, 1)
        ),
    ]


def _known(*values: str | None) -> list[str]:
    """Return the values; a ``?`` for one that is not known, as in tables."""
    return ["?" if value is None else value or "nothing" for value in values]


@flat.register
def _(test: SprtReport) -> Rows:
    record = {key: value for key, value in test.as_json().items() if key != "reasons"}
    return [list(record), [_text(value) for value in record.values()]]


@flat.register
def _(training: Training) -> Rows:
    if training.curve:
        names = list(training.curve[0].scores)
        rows = [[p.games, *(p.scores[name] for name in names)] for p in training.curve]
        return [["games", *names], *rows]
    pairs = zip(training.first.items(), training.second.values(), strict=True)
    return [["weight", "first", "second"], *([name, w, v] for (name, w), v in pairs)]


@flat.register
def _(history: History) -> Rows:
    keys = list(history.rows[0]) if history.rows else []
    return [keys, *([row[key] for key in keys] for row in history.rows)]


@flat.register
def _(details: Details) -> Rows:
    return [list(details.row), list(map(_text, details.row.values()))]


@flat.register
def _(listing: Listing) -> Rows:
    keys = list(listing.rows[0]) if listing.rows else list(listing.columns)
    return [keys, *([_text(row[key]) for key in keys] for row in listing.rows)]


def _text(value: object) -> object:
    return " ".join(map(str, value)) if isinstance(value, (list, tuple)) else value
