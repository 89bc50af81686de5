"""Make tables of what was played, one kind of row each: standings, pairings, or games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from arena.errors import UnknownName
from arena.fights.pairing import GameId
from arena.fights.runs import fights_of
from arena.inputs.options import SHEETS
from arena.model.columns import Column, Row, keyed_rows, visible
from arena.records.base import Json
from arena.records.tournaments import TournamentResult
from arena.reports.columns.fights import PAIRING, paired_rows
from arena.reports.columns.standings import placed_rows, standing_columns

if TYPE_CHECKING:
    from arena.records.listings import Listing
    from arena.records.observers import GameResult
    from arena.records.played import Played
    from arena.records.proofs import CheckedFight


#: The columns of games for people; other formats have more.
_GAME_COLUMNS = ("game", "winner", "reason", "plies", "moves")


def sheet_of(played: Played | CheckedFight, name: str, games: Iterable[GameResult] = ()) -> Listing:
    """Return one table of what was played: ``standings``, ``pairings`` or ``games``.

    A record has no single games: these come from elsewhere, as :func:`stored_sheet` has them.

    >>> from arena import fight
    >>> fought = fight("monkey", "triples", 5, seed=1)
    >>> [row["player"] for row in sheet_of(fought, "standings").rows]
    ['triples', 'monkey']
    """
    _require(name)
    fights = fights_of(played)
    if name == "games":
        results = sorted(games, key=lambda game: (game.fight, game.pair))
        return _listing(name, [_row_of_result(game) for game in results], _GAME_COLUMNS)
    if name == "pairings":
        return _declared(name, PAIRING, paired_rows(fights))
    if not isinstance(played, TournamentResult):
        from arena.fights.standings import tournament_of  # few fights have a sheet

        played = tournament_of(fights, "fight")
    rows = placed_rows(played)
    return _declared(name, standing_columns(rows), rows)


def _listing(name: str, rows: Sequence[Json], columns: Sequence[str]) -> Listing:
    from arena.records.listings import Listing

    return Listing(name, tuple(rows), tuple(columns), schema="arena.table/1")


def _declared(name: str, columns: Sequence[Column[Row]], rows: Sequence[Row]) -> Listing:
    headers = [column.key for column in visible(columns, "sheet", rows)]
    return _listing(name, keyed_rows(columns, rows), headers)


def _require(name: str) -> None:
    if name not in SHEETS:
        raise UnknownName("table", name, SHEETS)


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
    """Return the players and the winner, as every row of a game has them."""
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


def _row_of_result(game: GameResult) -> Json:
    forfeit = game.forfeit
    ended = {"reason": forfeit and forfeit.reason, "message": forfeit and forfeit.message}
    return row_of({**game.as_json(), **ended})
