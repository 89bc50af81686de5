"""Say how a contest stands: the rows of its standings, whatever its game pays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from arena.game import Payoffs
from arena.model.defaults import DEFAULT_ALPHA
from arena.plugins.web.contest.ladder import rungs
from arena.plugins.web.paths import without_paths
from arena.records.answers import Valued
from arena.records.base import Record
from arena.records.contests import ContestRanking, ContestRow
from arena.records.entrant_limits import EntrantLimits, limits_of
from arena.records.entrants import PlayerResult
from arena.records.paid import Scale, scale_of
from arena.records.tables import TablesResult, TableStanding
from arena.records.tournaments import Standing, TournamentResult


def ranking_of(result: Record) -> ContestRanking:
    """Return the standings of a run so far, and the answer to its question."""
    if isinstance(result, TablesResult):
        return _of_tables(result)
    assert isinstance(result, TournamentResult)
    return _of_tournament(result)


def hand_in_of(spec: str, entrant: str) -> int | None:
    """Return the number of a hand-in by the folder of what plays, or None for another player."""
    folder = Path(spec).parent
    is_hand_in = folder.parent.name == entrant and folder.name.isdecimal()
    return int(folder.name) if is_hand_in else None


def _of_tournament(result: TournamentResult) -> ContestRanking:
    until = result.until
    is_order = until is not None and until.top is None
    values = {} if until is None else {valued.player: valued for valued in until.players}
    # Other ranks than those of an order hold at the end alone.
    limits = {} if is_order else limits_of(result)
    paid = result.fights[0].paid
    scale = None
    if paid is not None:
        scale = scale_of(Payoffs(paid.least, paid.most, paid.unit, paid.total))
    hand_ins = _hand_ins(player for fight in result.fights for player in fight.both)
    # Where one wins what no other loses, ranks hold at the end alone.
    is_watched = paid is None or paid.total is not None
    has_ranks = is_order or not (is_watched or result.unfinished)
    ladder = [row.player for row in result.standings if hand_ins.get(row.player) is None]
    reached = rungs(ladder, result.fights)
    rows = [
        replace(
            _row(row, has_ranks, limits.get(row.player), scale),
            **_value(values.get(row.player), scale),
            hand_in=hand_ins.get(row.player),
            rung=_pathless(reached.get(row.player)),
        )
        for row in result.standings
    ]
    return ContestRanking(
        game=result.game,
        games=sum(fight.total.games for fight in result.fights),
        rule="" if until is None else until.rule,
        decided=until is not None and until.is_decided,
        alpha=DEFAULT_ALPHA if until is None or not is_order else until.alpha,
        is_watched=is_watched,
        rows=tuple(rows),
    )


def _of_tables(result: TablesResult) -> ContestRanking:
    """Return the standings of tables. Their ranks and intervals hold when all blocks are played."""
    is_over = not any(table.unfinished for table in result.tables)
    hand_ins = _hand_ins(player for table in result.tables for player in table.entrants)
    rows = [_seated(row, is_over, hand_ins.get(row.player)) for row in result.standings]
    return ContestRanking(game=result.game, games=result.games, rows=tuple(rows))


def _hand_ins(players: Iterable[PlayerResult]) -> dict[str, int | None]:
    specs = {player.name: player.spec for player in players}
    return {name: hand_in_of(spec, name) for name, spec in specs.items()}


def _row(
    row: Standing, has_ranks: bool, limits: EntrantLimits | None, scale: Scale | None
) -> ContestRow:
    """Return a row with limits that hold when it is shown, as its own do if it ``has_ranks``."""
    tally = row.tally
    ranks = (row.rank_low, row.rank_high) if has_ranks else (None, None)
    low, high = ranks if limits is None else limits.ranks
    value_low, value_high = (None, None) if limits is None else limits.value
    counts = (None, None, None) if scale else (tally.wins, tally.draws, tally.losses)
    wins, draws, losses = counts
    return ContestRow(
        player=without_paths(row.player),
        rank=row.rank,
        low=low,
        high=high,
        value=None,
        value_low=_in_unit(value_low, scale),
        value_high=_in_unit(value_high, scale),
        games=tally.games,
        wins=wins,
        draws=draws,
        losses=losses,
        score=tally.score if scale is None else _number(row.payoff),
        forfeits=row.forfeits,
    )


def _pathless(player: str | None) -> str | None:
    return None if player is None else without_paths(player)


def _number(payoff: Fraction | None) -> float | None:
    return None if payoff is None else float(payoff)


def _value(valued: Valued | None, scale: Scale | None) -> dict[str, Any]:
    """Return what the question of a tournament knows of an entrant."""
    if valued is None or valued.value is None:
        return {}
    names = ("value", "value_low", "value_high")
    values = (valued.value, valued.low, valued.high)
    return {name: _in_unit(value, scale) for name, value in zip(names, values, strict=True)}


def _in_unit(score: float | None, scale: Scale | None) -> float | None:
    """Return a score as the payoff that it stands for, in a game with payoffs of its own."""
    if score is None or scale is None:
        return score
    return float(scale.worst) + score * float(scale.width)


def _seated(row: TableStanding, is_over: bool, hand_in: int | None) -> ContestRow:
    return ContestRow(
        player=without_paths(row.player),
        rank=row.rank,
        low=row.rank_low,
        high=row.rank_high,
        value=None,
        value_low=row.low if is_over else None,
        value_high=row.high if is_over else None,
        games=row.games,
        wins=None,
        draws=None,
        losses=None,
        score=row.payoff,
        forfeits=row.forfeits,
        place=row.place,
        hand_in=hand_in,
    )
