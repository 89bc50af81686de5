"""Cut a report down to one entrant: its own games, and of the others no more than those it met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.records.base import Json, Record
from arena.records.reports import EntrantReport, ReadResult, Report, ReportPart
from arena.records.thoughts import thoughts_from, thoughts_json
from arena.reports.names import players_of, shortened
from arena.rng import SECOND_SELF


def entrant_reports(report: Report) -> Iterator[EntrantReport]:
    """Yield the report of each entrant, in the order in which they stand."""
    results = [shortened(part.result).as_json() for part in report.parts]
    both = list(zip(report.parts, results, strict=True))
    names = dict.fromkeys(name for result in results for name in _names(result))
    for name in names:
        own = [_part(part, result, name) for part, result in both if name in _names(result)]
        yield EntrantReport(name, tuple(own))


def entrant_part(part: ReportPart, name: str) -> ReportPart:
    """Return one result, read from JSON, as an entrant may see it."""
    return _part(part, part.result.as_json(), name)


def _names(result: Json) -> dict[str, None]:
    rows = [row["player"] for row in result.get("standings", ())]
    return dict.fromkeys([*rows, *(n for fight in fights_of(result) for n in fight["players"])])


def fights_of(result: Json) -> list[Json]:
    """Return the fights of a result's JSON: those of a tournament, or the one that it is."""
    found: list[Json] = result.get("fights", [result])
    return found


def stored_players(result: Record) -> list[tuple[str, ...]]:
    """Return the players of each fight of a result, under the names that its store has."""
    return [tuple(name.removesuffix(SECOND_SELF) for name in both) for both in _pairings(result)]


def shown_players(result: Record) -> list[tuple[str, ...]]:
    """Return the players of each fight of a result, under the names that its page has."""
    return _pairings(shortened(result))


def _pairings(result: Record) -> list[tuple[str, ...]]:
    if isinstance(result, ReadResult):
        return [tuple(fight["players"]) for fight in fights_of(result.json)]
    names = iter(players_of(result))
    return list(zip(names, names, strict=True))


def _part(part: ReportPart, result: Json, name: str) -> ReportPart:
    """Return one result as an entrant may see it."""
    games = {tuple(fight["players"]): fight for fight in part.fights}
    fights, kept = [], []
    for stored, fight in zip(stored_players(part.result), fights_of(result), strict=True):
        if name not in fight["players"]:
            continue
        fights.append(_fight(fight, name))
        if stored in games:
            side = fight["players"].index(name)
            kept.append(_games(games[stored], stored[side], fight["players"]))
    rated = {row["player"]: row["elo"] for row in result.get("ratings", {}).get("players", ())}
    standing = [row for row in result.get("standings", ()) if row["player"] == name]
    own = {
        "schema": "arena.entrant-result/1",
        "game": result["game"],
        "seed": result["seed"],
        "schedule": result.get("schedule", "fight"),
        "entrants": len(_names(result)),
        "standing": standing[0] if standing else None,
        "elo": rated.get(name),
        "fights": fights,
    }
    return ReportPart(part.name, ReadResult(own), kept, part.rules)


#: The keys of a fight that an entrant sees as they are.
_SEEN = (
    "players",
    "game",
    "games",
    "total",
    "first",
    "second",
    "pentanomial",
    "interval",
    "score_low",
    "score_high",
)


def _fight(fight: Json, name: str) -> Json:
    """Return a fight without what its opponent alone should see."""
    reasons = {player: dict(why) for player, why in fight["forfeits"].items()}
    own = [game for game in fight["forfeited"] if game["player"] == name]
    seen = {key: fight[key] for key in _SEEN if key in fight}
    return {**seen, "forfeits": reasons, "forfeited": own}


def _games(fight: Json, name: str, shown: Sequence[str]) -> Json:
    """Return the games of a fight; of the opponent the moves alone, not what its code said."""
    return {"players": list(shown), "games": [_game(game, name) for game in fight["games"]]}


def _game(game: Json, name: str) -> Json:
    own = [side for side, player in enumerate(game["players"]) if player == name]
    thoughts = thoughts_from(game.get("thoughts", ()))
    message = game["message"] if game["forfeit_side"] in own else ""
    seen = ("game_id", "opening", "moves", "outcome", "forfeit_side", "reason")
    kept = thoughts_json((ply, said) for ply, said in thoughts if ply % 2 in own)
    printed = [said for said in game.get("printed", ()) if said["player"] == name]
    if printed:
        kept["printed"] = printed
    return {**{key: game.get(key) for key in seen}, "message": message, **kept}
