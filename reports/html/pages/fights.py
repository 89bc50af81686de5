"""Show a fight: its score from both sides, its pairs, its forfeits, and its test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from arena.model.defaults import DEFAULT_ALPHA
from arena.records.entrants import ForfeitedGame
from arena.records.fights import FightResult
from arena.records.fought import Fought
from arena.records.intervals import ScoreInterval
from arena.records.proofs import CheckedFight
from arena.records.sequential import SprtFight
from arena.records.until import UntilFight
from arena.reports.cells import payoff_cell, payoff_ends, percent, percentages
from arena.reports.columns.fights import (
    BY_SIDE,
    INTERVAL,
    PAIR_POINTS,
    PAIRING,
    FightRow,
    level,
    pairing_columns,
    side_results,
    titled,
)
from arena.reports.columns.payoffs import PAID, paid_rows
from arena.reports.html.document import GamesLink, PageParts, Section
from arena.reports.html.tables import Grid, grid_of_rows

#: The records of one fight.
OneFight = FightResult | SprtFight | UntilFight | CheckedFight

#: Most pairings or tables in a whole list, and those of a longer one. A cross table has all
#: pairings.
MAX_PAIRINGS, FEW_PAIRINGS = 500, 200

#: The columns of the pairs of a fight.
_PAIRS = [column for column in PAIRING if column.key in (*PAIR_POINTS, "pentanomial")]


def parts(record: OneFight, link: GamesLink) -> PageParts:
    """Return the title, a line below it, and the sections."""
    fight = record if isinstance(record, FightResult) else record.fight
    interval = fight.interval if isinstance(record, CheckedFight) else record.interval
    alpha = record.report.alpha if isinstance(record, UntilFight) else DEFAULT_ALPHA
    a, b = fight.players
    values: dict[str, object] = {
        "facts": _facts(fight, interval, alpha),
        "by_side": _by_side(fight, interval),
        "pairs": None
        if fight.paid is not None
        else grid_of_rows(_PAIRS, [[FightRow(fight, fight)]], "pairs", is_sortable=False),
        "a": a,
        "link": link(0),
        "test": None,
    }
    if isinstance(record, SprtFight):
        values |= {"test": record.test, "path": record.path}
    subtitle = (
        f"{fight.total.games} games of {fight.game}, seed {fight.seed}, engine {fight.engine}"
    )
    sections = [Section("Result", "fight.html", values), *forfeits([fight], link)]
    return f"{a} against {b}", subtitle, sections


def _by_side(fight: FightResult, interval: ScoreInterval | None) -> Grid:
    """Return the results by whether A moved first."""
    if fight.paid is None:
        columns = titled(BY_SIDE, a_moves=fight.players[0])
        return grid_of_rows(columns, [side_results(fight)], "by side", is_sortable=False)
    rows = paid_rows(fight, fight.paid.in_unit(interval))
    columns_of_paid = titled(PAID, per_game=f"{fight.paid.unit} per game", interval=INTERVAL)
    return grid_of_rows(columns_of_paid, [rows], "by side", is_sortable=False)


def pairings(
    title: str, lead: str, rows: Sequence[FightRow], links: Sequence[str | None]
) -> Section:
    """Return the section of the table of pairings."""
    columns = pairing_columns([row.fight for row in rows])
    table = grid_of_rows(columns, [rows], "pairings", {"games": links})
    values = {"table": table, "is_paid": any(row.fight.paid is not None for row in rows)}
    return Section(title, "pairings.html", values, lead=lead)


class _Forfeits(NamedTuple):
    """The forfeits of a player in a fight."""

    player: str
    opponent: str
    reasons: str
    first: ForfeitedGame | None
    #: The address of the first.
    link: str | None


def forfeits(fights: Sequence[Fought], link: GamesLink) -> list[Section]:
    """Return the section of the forfeits, none without any."""
    rows = [row for place, fight in enumerate(fights) for row in _forfeits(fight, link(place))]
    return [Section("Forfeits", "forfeits.html", {"rows": rows})] if rows else []


def _forfeits(fight: Fought, games: str | None) -> Iterator[_Forfeits]:
    for player in fight.entrants:
        if not any(player.forfeits.values()):
            continue
        first = player.first_forfeit
        number = "" if first is None else str(first.game_id).rpartition("/")[2]
        yield _Forfeits(
            player.name,
            ", ".join(other.name for other in fight.entrants if other is not player),
            ", ".join(f"{reason} {count}" for reason, count in player.forfeits.items()),
            first,
            f"{games}/{number}" if games and number else None,
        )


def _facts(
    fight: FightResult, interval: ScoreInterval | None, alpha: float
) -> list[tuple[str, str]]:
    (a, b), total = fight.players, fight.total
    payoff = None if fight.paid is None else fight.paid.in_unit(interval)
    if fight.paid is not None and payoff is not None:
        return [
            (f"{fight.paid.unit} per game of {a}", payoff_cell(payoff.payoff)),
            (level(payoff.kind, alpha), payoff_ends(payoff)),
        ]
    sure = [] if interval is None else [(level(interval.kind, alpha), percentages(interval))]
    return [
        (f"score of {a}", percent(total.score)),
        *sure,
        (f"{a} won", str(total.wins)),
        ("drawn", str(total.draws)),
        (f"{b} won", str(total.losses)),
    ]
