"""Make tables of what was played, one kind of row each: standings, pairings, or games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from arena.errors import UnknownName
from arena.fights.runs import fights_of
from arena.inputs.options import SHEETS
from arena.model.columns import Column, Row, keyed_rows, visible
from arena.records.exports import ExportedGame
from arena.records.notes import by_name
from arena.records.tables import TablesResult
from arena.records.tournaments import TournamentResult
from arena.reports.columns.fights import paired_rows, pairing_columns
from arena.reports.columns.games import RunGame, game_columns
from arena.reports.columns.standings import placed_rows, standing_columns
from arena.reports.columns.tables import AT_TABLE, AtTable, seated_columns, seated_rows

if TYPE_CHECKING:
    from arena.records.listings import Listing
    from arena.records.observers import GameResult
    from arena.records.played import Played
    from arena.records.proofs import CheckedFight


def sheet_of(played: Played | CheckedFight, name: str, games: Iterable[GameResult] = ()) -> Listing:
    """Return one table of what was played: ``standings``, ``pairings`` or ``games``.

    A record has no single games. Pass them as ``games``, as :func:`stored_sheet` does.

    >>> from arena import fight
    >>> fought = fight("monkey", "triples", 5, seed=1)
    >>> [row["player"] for row in sheet_of(fought, "standings").rows]
    ['triples', 'monkey']
    """
    require_sheet(name)
    fights = fights_of(played)
    if name == "games":
        results = sorted(games, key=lambda game: (game.fight, game.pair))
        game_list = [RunGame(_stored_form(game)) for game in results]
        return sheet(name, game_columns(game_list), game_list)
    if isinstance(played, TablesResult):
        return _sheet_of_tables(played, name)
    if name == "pairings":
        return sheet(name, pairing_columns(fights), paired_rows(fights))
    if not isinstance(played, TournamentResult):
        from arena.fights.standings import tournament_of  # few fights have a sheet

        played = tournament_of(fights, "fight")
    rows = placed_rows(played)
    return sheet(name, standing_columns(rows, played.unit), rows)


def _sheet_of_tables(played: TablesResult, name: str) -> Listing:
    """Return the standings of tables, or a row for each player at each."""
    if name == "standings":
        seated = seated_rows(played)
        return sheet(name, seated_columns(played.unit, seated), seated)
    rows = [AtTable(n, row) for n, table in enumerate(played.tables, 1) for row in table.rows]
    return sheet(name, AT_TABLE, rows)


def sheet(name: str, columns: Sequence[Column[Row]], rows: Sequence[Row]) -> Listing:
    """Return the table of this name."""
    from arena.records.listings import Listing

    headers = tuple(column.key for column in visible(columns, "sheet", rows))
    return Listing(name, tuple(keyed_rows(columns, rows)), headers, schema="arena.table/1")


def require_sheet(name: str) -> None:
    """Raise UnknownName unless a table has this name."""
    if name not in SHEETS:
        raise UnknownName("table", name, SHEETS)


def _stored_form(game: GameResult) -> ExportedGame:
    """Return a game as an export has it."""
    forfeit = game.forfeit
    return ExportedGame(
        pair=game.pair,
        game_id=game.game_id,
        opening=game.opening or None,
        players=game.players,
        moves=game.moves,
        outcome=game.outcome,
        reason=None if forfeit is None else forfeit.reason,
        message=None if forfeit is None else forfeit.message,
        chance=game.chance,
        payoffs=game.payoffs,
        **by_name(game.written_notes),
    )
