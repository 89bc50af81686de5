"""Tables of what was played, one kind of row each: standings, pairings, or games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from arena.errors import UnknownName
from arena.fights.pairing import GameId
from arena.fights.runs import fights_of
from arena.inputs.options import SHEETS
from arena.records.base import Json
from arena.records.intervals import interval_json

if TYPE_CHECKING:
    from arena.records.fights import FightResult
    from arena.records.listings import Listing
    from arena.records.observers import GameResult
    from arena.records.played import Played
    from arena.records.proofs import CheckedFight
    from arena.records.tournaments import TournamentResult


#: The columns of each for people; other formats have more.
_COLUMNS = {
    "standings": ("rank", "player", "games", "wins", "draws", "losses", "score", "elo"),
    "pairings": (
        *("a", "b", "games", "wins", "draws", "losses", "score"),
        *("score_low", "score_high", "interval"),
    ),
    "games": ("game", "winner", "reason", "plies", "moves"),
}


def sheet_of(played: Played | CheckedFight, name: str, games: Iterable[GameResult] = ()) -> Listing:
    """Return one table of what was played: ``standings``, ``pairings`` or ``games``.

    A record has no single games: these come from elsewhere, as :func:`stored_sheet` has them.

    >>> from arena import fight
    >>> fought = fight("monkey", "triples", 5, seed=1)
    >>> [row["player"] for row in sheet_of(fought, "standings").rows]
    ['triples', 'monkey']
    """
    _require(name)
    columns = _COLUMNS[name]
    fights = fights_of(played)
    if name == "games":
        found = sorted(games, key=lambda game: (game.fight, game.pair))
        rows = [_observed(game) for game in found]
    elif name == "pairings":
        rows = [*map(_pairing, fights)]
    else:
        from arena.records.tournaments import TournamentResult

        if not isinstance(played, TournamentResult):
            from arena.fights.standings import tournament_of  # few fights have a sheet

            played = tournament_of(fights, "fight")
        rows = [*_standings(played)]
        columns = (*columns[:2], *played.standings[0].marks, *columns[2:])
    return _listing(name, rows, columns)


def _listing(name: str, rows: Sequence[Json], columns: Sequence[str]) -> Listing:
    from arena.records.listings import Listing

    return Listing(name, tuple(rows), tuple(columns), schema="arena.table/1")


def _require(name: str) -> None:
    if name not in SHEETS:
        raise UnknownName("table", name, SHEETS)


def _standings(tournament: TournamentResult) -> Iterator[Json]:
    ratings = {row.player: row for row in tournament.ratings.players}
    for row in tournament.standings:
        rated = ratings.get(row.player)
        standing = row.as_json()
        marks = standing.pop("marks", {})
        yield {
            "rank": None if row.missing and not row.marks else standing.pop("rank"),
            "player": standing.pop("player"),
            "games": standing.pop("games"),
            "points": float(row.tally.points),
            **marks,
            **{key: value for key, value in standing.items() if key != "rank"},
            "elo": rated and rated.elo.value,
            "elo_low": rated and rated.elo.low,
            "elo_high": rated and rated.elo.high,
            "group": rated and rated.group,
        }


def _pairing(fight: FightResult) -> Json:
    a, b = fight.players
    own, other = (sum(player.forfeits.values()) for player in fight.both)
    return {
        "a": a,
        "b": b,
        "pairs": fight.pairs,
        "games": fight.total.games,
        **fight.total.as_json(),
        "score": fight.total.score,
        **_interval(fight),
        **{f"first_{key}": value for key, value in fight.first.as_json().items()},
        **{f"second_{key}": value for key, value in fight.second.as_json().items()},
        "a_forfeits": own,
        "b_forfeits": other,
        "void": fight.void,
        "not_played": fight.not_played,
        "distinct_games": fight.distinct_games,
    }


def _interval(fight: FightResult) -> Json:
    found = interval_json(fight.interval)
    ends = (found["score_low"], found["score_high"])
    low, high = (None if end is None else round(end, 4) for end in ends)
    return {"score_low": low, "score_high": high, "interval": found["interval"]}


def row_of(game: Json) -> Json:
    """Return the row of a game that an export has."""
    first, second = game["players"]
    named = GameId.parse(game["game_id"])
    return {
        "game": game["game_id"],
        "a": second if named.swapped else first,
        "b": first if named.swapped else second,
        "pair": named.pair,
        **outcome_of(game),
        "reason": game["reason"],
        "message": game["message"],
        "adjudicated": game.get("adjudicated"),
        **moves_of(game),
    }


def outcome_of(game: Json) -> Json:
    """Return who played and who won, as every row of a game has it."""
    first, second = game["players"]
    winner = {"first": first, "second": second}.get(game["outcome"])
    return {
        "first": first,
        "second": second,
        "winner": winner,
        "result": "draw" if winner is None else f"{winner} wins",
    }


def moves_of(game: Json) -> Json:
    """Return where a game began and its moves, as every row of a game has them."""
    return {
        "opening": game["opening"],
        "plies": len(game["moves"]),
        "moves": " ".join(game["moves"]),
    }


def _observed(game: GameResult) -> Json:
    forfeit = game.forfeit
    ended = {"reason": forfeit and forfeit.reason, "message": forfeit and forfeit.message}
    return row_of({**game.as_json(), **ended})
