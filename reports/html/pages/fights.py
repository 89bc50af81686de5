"""Show a fight: its score from both sides, its pairs, its forfeits, and its test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.model.defaults import DEFAULT_ALPHA
from arena.records.base import Json
from arena.reports.cells import percent
from arena.reports.html.document import Section
from arena.reports.pages.fights import SHORT_KINDS, level, percentages


def parts(fight: Json, link: Any) -> tuple[str, str, list[Section]]:
    """Return the title, a line below it, and the sections."""
    a, b = fight["players"]
    seed, engine, games = fight["seed"], fight["engine"], fight["games"]
    subtitle = f"{games} games of {fight['game']}, seed {seed}, engine {engine}"
    values = {
        "facts": _facts(fight),
        "sides": _sides(fight),
        "a": a,
        "pairs": fight["pentanomial"],
        "link": link(0),
        "test": fight.get("sprt"),
    }
    sections = [Section("Result", "fight.html", values), *forfeits([fight], link)]
    return f"{a} against {b}", subtitle, sections


def score_of(tally: Json) -> float | None:
    """Return the points per game, None without games."""
    games = tally["wins"] + tally["draws"] + tally["losses"]
    return (tally["wins"] + tally["draws"] / 2) / games if games else None


def pairing(fight: Json, link: str | None) -> dict[str, Any]:
    """Return a row of the table of pairings."""
    (a, b), kind, interval = fight["players"], fight.get("interval", ""), _interval(fight)
    return {
        **fight["total"],
        "a": a,
        "b": b,
        "games": fight["games"],
        "score": score_of(fight["total"]),
        "interval": f"{interval}, {SHORT_KINDS.get(kind, kind)}" if interval else "-",
        "first": score_of(fight["first"]),
        "second": score_of(fight["second"]),
        "pentanomial": fight["pentanomial"],
        "link": link,
    }


def forfeits(fights: Sequence[Json], link: Any) -> list[Section]:
    """Return the section of the forfeits, none without any."""
    rows = []
    for place, fight in enumerate(fights):
        firsts = {game["player"]: game for game in fight["forfeited"]}
        for player, reasons in fight["forfeits"].items():
            if not sum(reasons.values()):
                continue
            first, games = firsts.get(player, {}), link(place)
            number = str(first.get("game_id")).rpartition("/")[2]
            rows.append(
                {
                    "player": player,
                    "opponent": next(name for name in fight["players"] if name != player),
                    "reasons": ", ".join(f"{why} {n}" for why, n in reasons.items()),
                    "message": first.get("message", ""),
                    "where": first.get("where", ""),
                    "remedy": first.get("remedy", ""),
                    "link": games and first and f"{games}/{number}",
                }
            )
    return [Section("Forfeits", "forfeits.html", {"rows": rows})] if rows else []


def _facts(fight: Json) -> list[tuple[str, str]]:
    a, b = fight["players"]
    total, interval = fight["total"], _interval(fight)
    score = score_of(total)
    facts = [
        (f"score of {a}", "-" if score is None else percent(score)),
        (f"{a} won", str(total["wins"])),
        ("drawn", str(total["draws"])),
        (f"{b} won", str(total["losses"])),
    ]
    if interval:
        alpha = (fight.get("until") or {}).get("alpha") or DEFAULT_ALPHA
        facts.insert(1, (level(fight["interval"], alpha), interval))
    return facts


def _interval(fight: Json) -> str:
    """Return the ends of the interval of A's score; empty without one, as in an older file."""
    low, high = fight.get("score_low"), fight.get("score_high")
    return "" if low is None or high is None else percentages((low, high))


def _sides(fight: Json) -> list[tuple[str, Json, float | None]]:
    sides = (("moving first", "first"), ("moving second", "second"), ("total", "total"))
    return [(name, fight[key], score_of(fight[key])) for name, key in sides]
