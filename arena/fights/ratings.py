"""Rate the players of fights, or of results from anywhere, on one scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from arena.records.base import Tally
from arena.records.fights import FightResult
from arena.records.ratings import Estimated, RatedPlayer, RatingTable
from arena.stats import bradley_terry
from arena.stats.meetings import Meeting

#: Decimals of a rating; Elo is not known that well anyway.
DIGITS = 4


def of_fights(
    fights: Sequence[FightResult], singles: Mapping[tuple[str, str], Tally] | None = None
) -> RatingTable:
    """Return the ratings from these fights, and from single games.

    ``singles`` has the games by the names of the first and the second side, from the first's view.

    Which pairs count is for each fight to say. They are the independent observations, and a fight
    that repeats two games has one of them. A fight whose games killed their workers counts for
    nobody.
    """
    counted = [fight for fight in fights if not fight.killed_workers]
    tallies: dict[str, Tally] = {name: Tally() for fight in fights for name in fight.players}
    for fight in counted:
        total = fight.counted_total
        for name, tally in zip(fight.players, (total, total.reversed()), strict=True):
            tallies[name] += tally
    for names, total in (singles or {}).items():
        for name, tally in zip(names, (total, total.reversed()), strict=True):
            tallies[name] = tallies.get(name, Tally()) + tally
    places = {name: place for place, name in enumerate(tallies)}
    meetings = [
        Meeting.of_pairs(
            places[fight.players[0]], places[fight.players[1]], fight.independent_joint
        )
        for fight in counted
    ]
    for (a, b), total in (singles or {}).items():
        counts = (total.losses, total.draws, total.wins)
        meetings.append(Meeting.of_games(places[a], places[b], counts, moved=1))
    table = _placed(of_meetings(tallies, meetings), missing_pairs(fights))
    changed = [fight for fight in counted if fight.counted != fight.joint]
    if not changed:
        return table
    pairs = sum(fight.forfeited_joint.pairs for fight in changed)
    said = f"in the ratings who forfeited in one of {pairs} pairs has lost both its games"
    return replace(table, statements=(*table.statements, said))


def missing_pairs(fights: Sequence[FightResult]) -> dict[str, int]:
    """Count for every player the pairs that it lacks and others have.

    A fight that killed its workers lacks all its pairs, for it counts for nobody. The games that an
    opponent left unplayed because it never started are missing to everybody alike, and not counted.
    """
    missing: dict[str, int] = {name: 0 for fight in fights for name in fight.players}
    for fight in fights:
        lacking = fight.planned if fight.killed_workers else max(0, fight.planned - fight.pairs)
        for own, other in (fight.both, fight.both[::-1]):
            if own.withdrawn is not None or other.withdrawn is None:
                missing[own.name] += lacking
    return missing


def _placed(table: RatingTable, missing: Mapping[str, int]) -> RatingTable:
    """Return the table with players that lack pairs below their group, without a rank."""
    groups: dict[int, list[RatedPlayer]] = {}
    for row in table.players:
        groups.setdefault(row.group, []).append(row)
    players: list[RatedPlayer] = []
    for number, rows in groups.items():
        players += _ranked([row for row in rows if not missing.get(row.player)], number)
        players += [replace(row, rank=None) for row in rows if missing.get(row.player)]
    return replace(table, players=tuple(players))


def of_meetings(tallies: Mapping[str, Tally], meetings: Sequence[Meeting]) -> RatingTable:
    """Rate these players; the meetings name them by their places."""
    names = list(tallies)
    found = bradley_terry.rate(names, meetings)
    players: list[RatedPlayer] = []
    for number, group in enumerate(found.groups, start=1):
        rows = [
            RatedPlayer(names[place], tallies[names[place]], _estimated(found.ratings[place]))
            for place in group
        ]
        players += _ranked(rows, number)
    return RatingTable(
        players=tuple(players),
        advantage=_estimated(found.advantage),
        draws=_estimated(found.draws),
        statements=found.statements,
        method=found.method,
    )


def _ranked(rows: Sequence[RatedPlayer], group: int) -> list[RatedPlayer]:
    """Order a group by rating; equal ratings share a rank."""
    ranked: list[RatedPlayer] = []
    for place, row in enumerate(sorted(rows, key=_order), start=1):
        rank = None if row.elo.value is None else place
        if ranked and rank and ranked[-1].elo.value == row.elo.value:
            rank = ranked[-1].rank
        ranked.append(replace(row, group=group, rank=rank))
    return ranked


def _estimated(found: bradley_terry.Parameter) -> Estimated:
    """Round the numbers, so that results do not show a machine's last digits."""

    def rounded(number: float | None) -> float | None:
        return None if number is None else round(number, DIGITS) + 0.0

    return Estimated(rounded(found.value), rounded(found.low), rounded(found.high), found.reason)


def _order(player: RatedPlayer) -> tuple[float, str]:
    return -(player.elo.value or 0.0), player.player
