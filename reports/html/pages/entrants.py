"""Show the results of one entrant, for its author: its games, and the players that it met."""

from __future__ import annotations

from typing import Any

from arena.records.base import Json
from arena.records.reports import EntrantReport, ReportPart
from arena.reports.cells import Cell, percent, rank_cell
from arena.reports.html.document import Links, Section, document
from arena.reports.html.packing import MAX_PAGE_GAMES, packed, run_of
from arena.reports.html.pages.fights import forfeits, pairing, score_of
from arena.reports.html.pages.plain import part_for_template
from arena.reports.html.pages.reports import kept_games, link_to, missing
from arena.reports.html.pages.tournaments import rating_ends
from arena.reports.page import Table

#: Most texts of a page that the entrant printed.
MAX_PRINTED = 50


def html(report: EntrantReport, links: Links = (), more: str = "") -> str:
    """Return the page of an entrant; a server adds ``links`` to its other pages, and a script."""
    room, runs, sections = MAX_PAGE_GAMES, [], []
    for number, part in enumerate(report.parts, 1):
        fights = kept_games(part, room)
        kept = sum(len(games) for _, games in fights)
        room -= kept
        runs.append(run_of(part.rules, fights) if part.rules is not None and kept else {})
        if len(report.parts) > 1:
            sections.append(Section(_title(part), is_part=True))
        sections += _parts(part.result.as_json(), report.player, link_to(number, fights))
        sections += [*_printed(part), *missing(part, kept)]
    subtitle = ", ".join(dict.fromkeys(map(_title, report.parts)))
    games = packed(runs) if any(runs) else ""
    return document(report.player, subtitle, sections, games, links=links, more=more)


def _printed(part: ReportPart) -> list[Section]:
    """Return the section of what the entrant printed, if it printed anything."""
    rows: list[list[Cell]] = []
    for fight in part.fights:
        for game in fight["games"]:
            number = str(game["game_id"]).rpartition("/")[2]
            against = " \u2013 ".join(fight["players"])
            printed = game.get("printed", ())
            rows += [
                [f"{against}, {number}", said["move"], said["text"].rstrip()] for said in printed
            ]
    if not rows:
        return []
    more = f"the first {MAX_PRINTED} of {len(rows)}" if len(rows) > MAX_PRINTED else ""
    table = part_for_template(Table(["game", "move", "text"], rows[:MAX_PRINTED]))
    return [Section("Printed", "plain.html", {"parts": [table]}, lead=more)]


def _title(part: ReportPart) -> str:
    found = part.result.as_json()
    return f"{found['schedule']} at {found['game']} ({part.name})"


def _parts(result: Json, player: str, link: Any) -> list[Section]:
    turned = [
        fight if fight["players"][0] == player else _turned(fight) for fight in result["fights"]
    ]
    rows = [pairing(fight, link(place)) for place, fight in enumerate(turned)]
    return [
        Section("Result", "facts.html", {"facts": _facts(result, turned)}),
        *forfeits(result["fights"], link),
        Section("Opponents", "pairings.html", {"rows": rows}, lead=_LEAD),
    ]


_LEAD = "A is the entrant of this page: its score in all games, moving first and moving second."


def _facts(result: Json, fights: list[Json]) -> list[tuple[str, str]]:
    standing, elo = result["standing"], result["elo"]
    total = {key: sum(f["total"][key] for f in fights) for key in ("wins", "draws", "losses")}
    score = score_of(total)
    facts = [("score", "-" if score is None else percent(score))]
    facts += [(name, str(total[key])) for name, key in _COUNTS]
    if standing is not None and standing["rank"] is not None:
        facts.insert(0, ("rank", f"{standing['rank']} of {result['entrants']}"))
        if standing.get("rank_low") is not None:
            ranks = rank_cell(standing["rank_low"], standing.get("rank_high"))
            facts.insert(1, ("ranks that are possible", str(ranks)))
    if elo is not None and elo["value"] is not None:
        facts += [
            ("Elo", f"{elo['value']:.0f}".replace("-", "\u2212")),
            ("95 % interval", rating_ends(elo)),
        ]
    return facts


_COUNTS = (("won", "wins"), ("drawn", "draws"), ("lost", "losses"))


def _turned(fight: Json) -> Json:
    """Return a fight from the view of its second player."""
    low, high = fight.get("score_low"), fight.get("score_high")
    return {
        **fight,
        "players": fight["players"][::-1],
        "total": _other(fight["total"]),
        "first": _other(fight["second"]),
        "second": _other(fight["first"]),
        "pentanomial": fight["pentanomial"][::-1],
        "score_low": None if high is None else 1 - high,
        "score_high": None if low is None else 1 - low,
    }


def _other(tally: Json) -> Json:
    return {"wins": tally["losses"], "draws": tally["draws"], "losses": tally["wins"]}
