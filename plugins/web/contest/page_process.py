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
from typing import Any, TextIO

import arena
from arena.errors import ArenaError, describe
from arena.plugins.web.contest.rows import hand_in_of, ranking_of
from arena.plugins.web.paths import pathless
from arena.records.base import Json
from arena.records.exports import ExportedGame
from arena.records.fights import FightResult
from arena.records.reports import EntrantReport, EntrantResult, Report, ReportPart
from arena.records.tables import TableResult, TablesResult
from arena.records.tournaments import TournamentResult
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
        catalogue = arena.plugin.load_catalogue(setting["plugins"])
        for line in sys.stdin:
            _answer(json.loads(line), setting["store"], catalogue, answers)


def _answer(question: Json, store: str, catalogue: arena.plugin.Catalogue, answers: TextIO) -> None:
    try:
        answer = json.dumps(_ANSWERS[question.pop("ask")](store, catalogue, **question))
    except ArenaError as error:
        answer = json.dumps({"problem": str(error)})
    except Exception as error:
        answer = json.dumps({"problem": f"the page failed: {describe(error)}"})
    answers.write(answer + "\n")
    answers.flush()


def standings(store: str, catalogue: arena.plugin.Catalogue, run: int) -> Json:
    """Return the standings of a run so far, and the answer to its question."""
    return ranking_of(arena.show(store, run, catalogue)).as_json()


def games(
    store: str,
    catalogue: arena.plugin.Catalogue,
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
    public_report = pathless(Report(tuple(parts if is_own else map(_for_others, parts))))
    curve = [
        Point(part.name.partition(":")[0], score)
        for part in reversed(public_report.parts)
        if (score := entrants.score_of(part, entrant)) is not None
    ]
    return {
        "html": entrants.html(EntrantReport(entrant, public_report.parts), links, script, curve)
    }


def _named(part: ReportPart, entrant: str, place: int) -> ReportPart:
    """Return a part under the number of its hand-in, which is the folder of what played."""
    number = hand_in_of(part.name, entrant)
    name = "the contest's own player" if number is None else f"hand-in {number}"
    return replace(part, name=name if place == 0 else f"{name}: does not count any more")


def _for_others(part: ReportPart) -> ReportPart:
    assert isinstance(part.result, EntrantResult)
    silent = [replace(row, fight=_silent(row.fight)) for row in part.result.fights]
    tables = [replace(each, table=_silent_table(each.table)) for each in part.result.tables]
    fights = [
        replace(fight, games=tuple(map(_without_words, fight.games))) for fight in part.fights
    ]
    result = replace(part.result, fights=tuple(silent), tables=tuple(tables))
    return replace(part, result=result, fights=fights)


def _silent(fight: FightResult) -> FightResult:
    a, b = (replace(player, first_forfeit=None) for player in fight.both)
    return replace(fight, a=a, b=b)


def _silent_table(table: TableResult) -> TableResult:
    return replace(
        table, facts=tuple(replace(player, first_forfeit=None) for player in table.facts)
    )


def _without_words(game: ExportedGame) -> ExportedGame:
    forfeits = tuple(replace(each, message="", where="", remedy="") for each in game.forfeits)
    silent = replace(game, message="", where="", remedy="", forfeits=forfeits)
    return replace(silent, printed=(), thoughts=(), completions=())


def report(store: str, catalogue: arena.plugin.Catalogue, *, run: int, hides_seed: bool) -> Json:
    """Return the page of the whole run. It can hide the seed, which tells all draws."""
    whole = arena.report(store, runs=[run], catalogue=catalogue)
    text = html(pathless(whole))
    if hides_seed:
        [result] = (part.result for part in whole.parts)
        assert isinstance(result, TournamentResult | TablesResult)
        text = text.replace(str(result.seed), "that is hidden")
    return {"html": text}


def similar(
    store: str, catalogue: arena.plugin.Catalogue, *, contest: int, run: int | None
) -> Json:
    """Return groups of entrants with the same code, and of those that play alike.

    Code of strangers is read here: if that ends this process, the server begins another one.
    """
    groups = arena.plugin.similar_code(store, contest)
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
