"""Show a tournament: standings with ratings, the cross table, every pairing, and the forfeits."""

from __future__ import annotations

from typing import Any

from arena.records.base import Json
from arena.reports.cells import percent, rank_cell
from arena.reports.figures import BEYOND
from arena.reports.html.charts import Scale
from arena.reports.html.document import Section
from arena.reports.html.pages.fights import forfeits, pairing, score_of


def parts(tournament: Json, link: Any) -> tuple[str, str, list[Section]]:
    """Return the title, a line below it, and the sections."""
    fights, standings = tournament["fights"], tournament["standings"]
    games = sum(fight["games"] for fight in fights)
    subtitle = (
        f"{tournament['schedule']} of {len(standings)} players, {games} games,"
        f" seed {tournament['seed']}"
    )
    links = [link(place) for place in range(len(fights))]
    most = len(fights) if len(fights) <= MAX_PAIRINGS else FEW_PAIRINGS
    shown = list(zip(fights, links, strict=True))[:most]
    rows = [pairing(fight, own) for fight, own in shown]
    rest = f" These are the first {len(rows)} of {len(fights)}." * (len(rows) < len(fights))
    linked = any(own is not None for own in links)
    sections = [
        Section("Standings", "standings.html", _standings(tournament)),
        Section("Cross table", "cross.html", {"rows": _cross(tournament, links), "linked": linked}),
        *forfeits(fights, link),
        Section("Pairings", "pairings.html", {"rows": rows}, lead=_PAIRINGS + rest),
    ]
    return f"Tournament at {tournament['game']}", subtitle, sections


def _standings(tournament: Json) -> dict[str, Any]:
    rated = {row["player"]: row for row in tournament["ratings"]["players"]}
    marks = _marks(tournament["standings"])
    asked = tournament.get("until") or {"players": []}
    values = {own["player"]: own["value"] for own in asked["players"]}
    by_group: dict[int, list[dict[str, Any]]] = {}
    for standing in tournament["standings"]:
        rating = rated.get(standing["player"])
        row = {**standing, "elo": rating["elo"] if rating else _UNRATED}
        row["ends"] = rating_ends(row["elo"])
        row["marks"] = [_mark(standing.get("marks", {}).get(name)) for name in marks]
        if values:
            value = values.get(standing["player"])
            row["marks"].append("-" if value is None else percent(value))
        row["ranks"] = rank_cell(standing.get("rank_low"), standing.get("rank_high"))
        if row["rank"] is None:
            row["rank"] = "-"
        by_group.setdefault(rating["group"] if rating else 0, []).append(row)
    groups = [{"rows": rows, "scale": _scale(rows)} for _, rows in sorted(by_group.items())]
    every = [row for rows in by_group.values() for row in rows]
    return {
        "groups": groups,
        "marks": [*(name.replace("_", " ") for name in marks), *["value"][: bool(values)]],
        "ranks": any(row.get("rank_low") is not None for row in every),
        "intervals": any(row["elo"][end] is not None for row in every for end in ("low", "high")),
        "forfeits": any(row["forfeits"] for row in every),
        "games_column": len({row["games"] for row in every}) > 1,
    }


#: Most pairings in a whole list, and those of a longer one: the cross table has them all.
MAX_PAIRINGS, FEW_PAIRINGS = 500, 200

_PAIRINGS = "The score of A in all games, and in those in which it moved first and second."
_UNRATED = {"value": None, "low": None, "high": None, "reason": ""}


def _marks(standings: list[Json]) -> list[str]:
    """Return the marks that decide ranks by the custom of the schedule, in order."""
    return list(dict.fromkeys(name for row in standings for name in row.get("marks", {})))


def _mark(mark: float | str | None) -> str:
    if mark is None:
        return "-"
    return mark if isinstance(mark, str) else f"{mark:g}"


def _scale(rows: list[dict[str, Any]]) -> Scale:
    """Return the scale of a group: its ratings, and its intervals as far as they are not huge."""
    values = [row["elo"]["value"] for row in rows if row["elo"]["value"] is not None]
    spread = max(values, default=0.0) - min(values, default=0.0) or 100.0
    ends = [row["elo"][end] for row in rows for end in ("low", "high")]
    least, most = min(values, default=0.0), max(values, default=0.0)
    near = [
        min(max(end, least - BEYOND * spread), most + BEYOND * spread)
        for end in ends
        if end is not None
    ]
    return Scale([*values, *near], 0.0)


def rating_ends(elo: Json) -> str:
    """Return the ends of a rating's interval in words, or why there are none."""
    low, high = elo["low"], elo["high"]
    if low is not None and high is not None:
        return f"{low:.0f} to {high:.0f}".replace("-", "\u2212")
    known = [f"from {low:.0f}"] if low is not None else []
    known += [f"to {high:.0f}"] if high is not None else []
    return ", ".join(known) or elo["reason"] or "-"


def _cross(tournament: Json, links: list[str | None]) -> list[dict[str, Any]]:
    names = [standing["player"] for standing in tournament["standings"]]
    met: dict[tuple[str, str], tuple[Json, str | None]] = {}
    for fight, link in zip(tournament["fights"], links, strict=True):
        a, b = fight["players"]
        total = fight["total"]
        turned = {"wins": total["losses"], "draws": total["draws"], "losses": total["wins"]}
        met[a, b], met[b, a] = (
            (_sum(met.get((a, b)), total), link),
            (
                _sum(met.get((b, a)), turned),
                link,
            ),
        )
    return [
        {"player": row, "cells": [_cell(met.get((row, column)), column) for column in names]}
        for row in names
    ]


def _sum(before: tuple[Json, str | None] | None, tally: Json) -> Json:
    """Return the sum of two tallies: players may meet more than once."""
    if before is None:
        return tally
    return {key: before[0][key] + tally[key] for key in ("wins", "draws", "losses")}


def _cell(found: tuple[Json, str | None] | None, opponent: str) -> dict[str, Any] | None:
    if found is None or (score := score_of(found[0])) is None:
        return None
    counts = [found[0][key] for key in ("wins", "draws", "losses")]
    wdl = "\u2013".join(map(str, counts))
    return {"score": score, "tally": counts, "wdl": wdl, "link": found[1], "opponent": opponent}
