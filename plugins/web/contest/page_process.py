"""The process that reads the store of a contest for its pages, so that the server never waits.

The first line on its input says which store. Every further one asks for something. Each answer is a
line of JSON. An entrant sees no seed: a seed tells all draws. The process ends when its input does.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

import arena
from arena.errors import ArenaError, describe
from arena.model.defaults import DEFAULT_ALPHA
from arena.plugins.web.paths import pathless, without_paths
from arena.records.answers import Valued
from arena.records.base import Json
from arena.records.fights import FightResult
from arena.records.reports import EntrantReport, EntrantResult, Report, ReportPart
from arena.records.tournaments import Standing, TournamentResult
from arena.records.watched import Limits, limits_of
from arena.reports.html.pages import entrants
from arena.reports.html.report import html
from arena.reports.html.trends import Point

#: How much less of a processor the pages get than the server.
NICE = 5


def main() -> None:
    """Answer what stands on the input, line by line."""
    os.nice(NICE)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    with suppress(KeyboardInterrupt, BrokenPipeError):
        setting = json.loads(sys.stdin.readline())
        catalogue = arena.load_catalogue(setting["plugins"])
        for line in sys.stdin:
            _answer(json.loads(line), setting["store"], catalogue, answers)


def _answer(question: Json, store: str, catalogue: arena.Catalogue, answers: TextIO) -> None:
    try:
        answer = _ANSWERS[question.pop("ask")](store, catalogue, **question)
    except ArenaError as error:
        answer = {"problem": str(error)}
    except Exception as error:
        answer = {"problem": f"the page failed: {describe(error)}"}
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


def standings(store: str, catalogue: arena.Catalogue, run: int) -> Json:
    """Return the standings of a run so far, and the answer to its question."""
    result = arena.show(store, run, catalogue)
    assert isinstance(result, TournamentResult)
    until = result.until
    is_order = until is not None and until.top is None
    specs = {player.name: player.spec for fight in result.fights for player in fight.both}
    values = {} if until is None else {valued.player: valued for valued in until.players}
    # Other ranks than those of an order hold at the end alone.
    limits = {} if is_order else limits_of(result)
    rows = [_row(row, is_order, limits.get(row.player)) for row in result.standings]
    return {
        "game": result.game,
        "games": sum(fight.total.games for fight in result.fights),
        "rule": "" if until is None else until.rule,
        "decided": until is not None and until.is_decided,
        "alpha": DEFAULT_ALPHA if until is None or not is_order else until.alpha,
        "rows": [
            {
                **row,
                **_value(values.get(standing.player)),
                "hand_in": _number(specs.get(standing.player) or "", standing.player),
            }
            for row, standing in zip(rows, result.standings, strict=True)
        ],
    }


def _row(row: Standing, is_watched: bool, limits: Limits | None) -> Json:
    """Return a row with limits that hold at every look, as its own do if it ``is_watched``."""
    tally = row.tally
    ranks = (row.rank_low, row.rank_high) if is_watched else (None, None)
    low, high = ranks if limits is None else limits.ranks
    value_low, value_high = (None, None) if limits is None else limits.value
    return {
        "player": without_paths(row.player),
        "rank": row.rank,
        "low": low,
        "high": high,
        "value": None,
        "value_low": value_low,
        "value_high": value_high,
        "games": tally.games,
        **tally.as_json(),
        "score": tally.score,
        "forfeits": row.forfeits,
    }


def _value(valued: Valued | None) -> Json:
    """Return what the question of a tournament knows of an entrant."""
    if valued is None or valued.value is None:
        return {}
    return {"value": valued.value, "value_low": valued.low, "value_high": valued.high}


def games(
    store: str,
    catalogue: arena.Catalogue,
    *,
    run: int,
    entrant: str,
    is_own: bool,
    links: list[tuple[str, str]],
    script: str,
) -> Json:
    """Return the page of an entrant's games, for others without what its code said."""
    report = arena.entrant_report(store, entrant, run, catalogue=catalogue)
    parts = [_named(part, entrant, place) for place, part in enumerate(report.parts) if part.fights]
    shown = pathless(Report(tuple(parts if is_own else map(_for_others, parts))))
    curve = [
        Point(part.name.partition(":")[0], score)
        for part in reversed(shown.parts)
        if (score := entrants.score_of(part, entrant)) is not None
    ]
    return {"html": entrants.html(EntrantReport(entrant, shown.parts), links, script, curve)}


def _named(part: ReportPart, entrant: str, place: int) -> ReportPart:
    """Return a part under the number of its hand-in, which is the folder of what played."""
    number = _number(part.name, entrant)
    name = "the contest's own player" if number is None else f"hand-in {number}"
    return replace(part, name=name if place == 0 else f"{name}: does not count any more")


def _number(spec: str, entrant: str) -> int | None:
    """Return the number of a hand-in by the folder of what plays, or None for another player."""
    folder = Path(spec).parent
    is_hand_in = folder.parent.name == entrant and folder.name.isdecimal()
    return int(folder.name) if is_hand_in else None


def _for_others(part: ReportPart) -> ReportPart:
    assert isinstance(part.result, EntrantResult)
    silent = [replace(row, fight=_silent(row.fight)) for row in part.result.fights]
    fights = [
        {**fight, "games": [_without_words(game) for game in fight["games"]]}
        for fight in part.fights
    ]
    return replace(part, result=replace(part.result, fights=tuple(silent)), fights=fights)


def _silent(fight: FightResult) -> FightResult:
    a, b = (replace(player, first_forfeit=None) for player in fight.both)
    return replace(fight, a=a, b=b)


def _without_words(game: Json) -> Json:
    shown = {key: game[key] for key in game if key not in ("printed", "thoughts")}
    return {**shown, "message": ""}


def report(store: str, catalogue: arena.Catalogue, *, run: int, hides_seed: bool) -> Json:
    """Return the page of the whole run. It can hide the seed, which tells all draws."""
    whole = arena.report(store, runs=[run], catalogue=catalogue)
    text = html(pathless(whole))
    if hides_seed:
        [result] = (part.result for part in whole.parts)
        assert isinstance(result, TournamentResult)
        text = text.replace(str(result.seed), "that is hidden")
    return {"html": text}


def similar(store: str, catalogue: arena.Catalogue, *, contest: int, run: int | None) -> Json:
    """Return groups of entrants with the same code, and of those that play alike.

    Code of strangers is read here: if that ends this process, the server begins another one.
    """
    groups = arena.similar_code(store, contest)
    parts = () if run is None else arena.report(store, runs=[run], catalogue=catalogue).parts
    alike = [group for part in parts for group in part.identical]
    return {
        "code": [[[each.entrant, each.number] for each in group] for group in groups],
        "play": [[list(group.players), group.positions] for group in alike],
    }


_ANSWERS: dict[str, Any] = {
    "standings": standings,
    "games": games,
    "report": report,
    "similar": similar,
}


if __name__ == "__main__":
    main()
