"""Cut a report down to one entrant: its games, and of the others those that it played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from arena.records.all_tables import tables_of
from arena.records.base import Record
from arena.records.entrants import PlayerResult
from arena.records.exports import ExportedFight, ExportedGame
from arena.records.fights import FightResult
from arena.records.fought import Fought
from arena.records.ratings import Estimated
from arena.records.reports import (
    EntrantFight,
    EntrantReport,
    EntrantResult,
    EntrantTable,
    Report,
    ReportPart,
)
from arena.records.sequential import SprtFight
from arena.records.tables import TableResult, TableRow, TablesResult, TableStanding
from arena.records.tournaments import Standing, TournamentResult
from arena.records.until import UntilFight
from arena.reports.names import fights_of, players_of, shortened
from arena.rng import without_self


def entrant_reports(report: Report) -> Iterator[EntrantReport]:
    """Yield the report of each entrant, in the order in which they stand."""
    both = [(part, shortened(part.result)) for part in report.parts]
    names = dict.fromkeys(name for _, result in both for name in _names(result))
    for name in names:
        entrant_parts = [
            _part(part, result, name) for part, result in both if name in _names(result)
        ]
        yield EntrantReport(name, tuple(entrant_parts))


def entrant_part(part: ReportPart, name: str) -> ReportPart:
    """Return one result as an entrant may see it, under the names of the result."""
    return _part(part, part.result, name)


def _names(result: Record) -> dict[str, None]:
    rows = result.standings if isinstance(result, TournamentResult | TablesResult) else ()
    return dict.fromkeys([*(row.player for row in rows), *players_of(result)])


def stored_players(result: Record) -> list[tuple[str, ...]]:
    """Return the players of each fight of a result, under the names that its store has."""
    return [tuple(map(without_self, fight.players)) for fight in _fought(result)]


def shown_players(result: Record) -> list[tuple[str, ...]]:
    """Return the players of each fight of a result, under the names that its page has."""
    renamed = result if isinstance(result, EntrantResult) else shortened(result)
    return [tuple(fight.players) for fight in _fought(renamed)]


def _fought(result: Record) -> Sequence[Fought]:
    """Return the fights of a result, or its tables."""
    return fights_of(result) or tables_of(result)


def _part(part: ReportPart, result: Record, name: str) -> ReportPart:
    """Return one result as an entrant may see it."""
    stored_fights = {fight.players: fight for fight in part.fights}
    fought = _fought(result)
    entrant_fights, entrant_tables, games_of_entrant = [], [], []
    for stored, fight in zip(stored_players(part.result), fought, strict=True):
        if name not in fight.players:
            continue
        side = fight.players.index(name)
        if isinstance(fight, TableResult):
            row = _row(result, fight, side)
            entrant_tables.append(EntrantTable(_table(fight, name), row))
        elif isinstance(fight, FightResult):
            whole = result if isinstance(result, SprtFight | UntilFight) else fight
            entrant_fights.append(EntrantFight(_fight(fight, name), whole.interval))
        if stored in stored_fights:
            games_of_entrant.append(_games(stored_fights[stored], stored[side], fight.players))
    standing, elo = _place(result, name)
    entrant_result = EntrantResult(
        fought[0].game,
        fought[0].seed,
        getattr(result, "schedule", "fight"),
        len(_names(result)),
        standing,
        elo,
        tuple(entrant_fights),
        tuple(entrant_tables),
    )
    return ReportPart(part.name, entrant_result, games_of_entrant, part.rules)


def _row(result: Record, table: TableResult, place: int) -> TableRow:
    """Return the results of a player at a table. An entrant may have watched them."""
    if isinstance(result, EntrantResult):
        return next(each.row for each in result.tables if each.table == table)
    return table.rows[place]


def _place(result: Record, name: str) -> tuple[Standing | TableStanding | None, Estimated | None]:
    """Return the standing of an entrant and its rating, as far as the result has them."""
    elo: Iterator[Estimated]
    if isinstance(result, TablesResult):
        rated = () if result.ratings is None else result.ratings.players
        elo = (Estimated(row.elo, row.low, row.high) for row in rated if row.player == name)
    elif isinstance(result, TournamentResult):
        elo = (row.elo for row in result.ratings.players if row.player == name)
    else:
        return None, None
    return next(row for row in result.standings if row.player == name), next(elo, None)


def _fight(fight: FightResult, name: str) -> FightResult:
    """Return a fight without what its opponent alone should see."""
    a, b = (_facts(player, name) for player in fight.both)
    return replace(fight, a=a, b=b)


def _table(table: TableResult, name: str) -> TableResult:
    """Return a table without what the others alone should see."""
    return replace(table, facts=tuple(_facts(player, name) for player in table.facts))


def _facts(player: PlayerResult, name: str) -> PlayerResult:
    return PlayerResult(
        player.name,
        forfeits=player.forfeits,
        first_forfeit=player.first_forfeit if player.name == name else None,
        forfeited_alone=player.forfeited_alone,
    )


def _games(fight: ExportedFight, name: str, shown_names: Sequence[str]) -> ExportedFight:
    """Return the games of a fight, of the opponent the moves alone and no output of its code."""
    games = tuple(_game(game, name) for game in fight.games)
    return ExportedFight(tuple(shown_names), fight.pairs, (), {}, games)


def _game(game: ExportedGame, name: str) -> ExportedGame:
    seats = {seat for seat, player in enumerate(game.players) if player == name}
    return ExportedGame(
        pair=game.pair,
        game_id=game.game_id,
        opening=game.opening,
        players=game.players,
        moves=game.moves,
        outcome=game.outcome,
        forfeit_side=game.forfeit_side,
        reason=game.reason,
        message=game.message if game.forfeit_side in seats else "",
        payoffs=game.payoffs,
        forfeits=tuple(
            replace(each, message=each.message if each.seat in seats else "", where="", remedy="")
            for each in game.forfeits
        ),
        printed=tuple(each for each in game.printed if each.player == name),
        thoughts=tuple(
            each for each in game.thoughts if (each.move - 1) % len(game.players) in seats
        ),
    )
