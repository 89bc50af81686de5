"""Rate the players of fights, or of results from anywhere, on one scale."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from arena.errors import UnknownName, UsageError, quoted
from arena.fights.ranks import method_of
from arena.records.base import Tally
from arena.records.fights import FightResult
from arena.records.paid import NO_ELO
from arena.records.ratings import Estimated, RatedPlayer, RatingTable, ScaleFit
from arena.stats import bradley_terry
from arena.stats.pairings import PairingCounts
from arena.stats.ranks import rank_intervals, surely_better

if TYPE_CHECKING:
    from arena.fights import designs
    from arena.stats.cutoffs import AdaptiveDesign
    from arena.stats.one_scale import Misfit

#: Why a table has no intervals.
ADAPTIVE_GAMES = "the results chose the games"

#: Decimals of a rating; Elo is not known that well anyway.
RATING_DECIMALS = 4


_NONE = Estimated(None, reason=NO_ELO)

#: The ratings from games that pay.
UNRATED = RatingTable((), _NONE, _NONE, (NO_ELO,), method="none")


def of_fights(
    fights: Sequence[FightResult],
    singles: Mapping[tuple[str, str], Tally] | None = None,
    prior: float = 0.0,
    design: designs.ScheduleDesign | None = None,
) -> RatingTable:
    """Return the ratings from these fights, and from single games.

    ``singles`` has the games by the names of the first and the second side, from the first's view.

    Which pairs count is for each fight to say. They are the independent observations, and a fight
    that repeats two games has one of them. A fight whose games killed their workers counts for
    no player. ``prior`` is as for :func:`of_pairings`, and ``design`` tells how results chose the
    games.
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
    pairings = [
        PairingCounts.of_pairs(
            places[fight.players[0]], places[fight.players[1]], fight.independent_joint
        )
        for fight in counted
    ]
    for (a, b), total in (singles or {}).items():
        counts = (total.losses, total.draws, total.wins)
        pairings.append(PairingCounts.of_games(places[a], places[b], counts, moved=1))
    table = of_pairings(tallies, pairings, missing_pairs(fights), prior, _simulated(design, places))
    if any(fight.is_sequential for fight in counted):
        table = without_tests(table, "the results ended some fights")
    changed = [fight for fight in counted if fight.counted != fight.joint]
    if not changed:
        return table
    pairs = sum(fight.forfeited_joint.pairs for fight in changed)
    lost = f"a player that forfeited in one of {pairs} pairs has lost both its games"
    return replace(table, statements=(*table.statements, f"in the ratings {lost}"))


def _simulated(
    design: designs.ScheduleDesign | None, places: Mapping[str, int]
) -> AdaptiveDesign | None:
    """Return a tournament to be simulated with these places of the players."""
    if design is None:
        return None
    from arena.stats.cutoffs import AdaptiveDesign  # here, for NumPy takes long to import

    return AdaptiveDesign(partial(design.simulate, places), design.state.seed)


def without_tests(table: RatingTable, reason: str) -> RatingTable:
    """Leave out what takes the games as chosen beforehand, and say why.

    Where results choose who meets, as in a Swiss tournament, the spans of equal players are wrong
    too often.
    """
    players = tuple(replace(row, rank_low=None, rank_high=None) for row in table.players)
    statement = f"{reason}, so ratings give no spans of ranks, and one scale is not tested"
    return replace(
        table,
        players=players,
        rank_intervals=None,
        scale=None,
        statements=(*table.statements, statement),
    )


def without_intervals(table: RatingTable, reason: str = ADAPTIVE_GAMES) -> RatingTable:
    """Leave out the intervals, which take what was played as chosen beforehand, and say why."""

    def bare(estimated: Estimated) -> Estimated:
        return replace(estimated, low=None, high=None)

    return replace(
        table,
        players=tuple(replace(row, elo=bare(row.elo)) for row in table.players),
        advantage=bare(table.advantage),
        draws=bare(table.draws),
        statements=(*table.statements, f"{reason}, so ratings have no intervals"),
    )


class Anchor(NamedTuple):
    """A player whose rating is known on another scale."""

    player: str
    elo: float


def on_scale_of(table: RatingTable, anchor: Anchor) -> RatingTable:
    """Return the table with the anchor at its known rating, and its group moved with it.

    With a prior all groups are on one scale, and move together. Differences and intervals stay as
    they are. Raises UsageError for an anchor without a rating.
    """
    rows = {row.player: row for row in table.players}
    if anchor.player not in rows:
        raise UnknownName("anchor", anchor.player, rows)
    row = rows[anchor.player]
    if row.elo.value is None:
        raise UsageError(f"anchor {quoted(anchor.player)} has no rating: {row.elo.reason}")
    shift = anchor.elo - row.elo.value
    moved = [each for each in table.players if table.prior or each.group == row.group]
    players = tuple(
        replace(each, elo=_moved(each.elo, shift)) if each in moved else each
        for each in table.players
    )
    only = "; other groups have scales of their own" * (len(moved) < len(players))
    statement = (
        f"{anchor.player} is set to {anchor.elo:g} Elo, and the others with it{only}; the intervals"
        " are as without an anchor, and do not have the error of its known rating"
    )
    return replace(table, players=players, statements=(*table.statements, statement))


def _moved(elo: Estimated, shift: float) -> Estimated:
    value, low, high = (
        None if number is None else round(number + shift, RATING_DECIMALS)
        for number in (elo.value, elo.low, elo.high)
    )
    return replace(elo, value=value, low=low, high=high)


def missing_pairs(fights: Sequence[FightResult]) -> dict[str, int]:
    """Count for every player the pairs that it lacks and others have.

    A fight that killed its workers lacks all its pairs, for it counts for neither player. The games
    that an opponent left unplayed because it never started are missing to all alike, and not
    counted.
    """
    missing: dict[str, int] = {name: 0 for fight in fights for name in fight.players}
    for fight in fights:
        lacking = fight.planned if fight.killed_workers else max(0, fight.planned - fight.pairs)
        for player, opponent in (fight.both, fight.both[::-1]):
            if player.withdrawn is not None or opponent.withdrawn is None:
                missing[player.name] += lacking
    return missing


def of_pairings(
    tallies: Mapping[str, Tally],
    pairings: Sequence[PairingCounts],
    missing: Mapping[str, int] | None = None,
    prior: float = 0.0,
    design: AdaptiveDesign | None = None,
) -> RatingTable:
    """Rate these players. The pairings name them by their places.

    Players that lack pairs come below their group, without a rank. ``prior`` is the number of
    imagined games of each player, and ``design`` is simulated for the intervals, see
    :func:`arena.stats.bradley_terry.rate`. Without a simulation of it there are no intervals.
    """
    names = list(tallies)
    fit = bradley_terry.rate(names, pairings, prior, design)
    better = {(names[a], names[b]) for a, b in surely_better(fit.differences)}
    lacking = missing or {}
    players: list[RatedPlayer] = []
    for number, group in enumerate(fit.groups, start=1):
        rows = [
            RatedPlayer(names[p], tallies[names[p]], _estimated(fit.ratings[p]), number)
            for p in group
        ]
        alone = len(group) == 1  # then nothing but a prior rates it
        unranked = [row for row in rows if alone or lacking.get(row.player)]
        players += _ranked([row for row in rows if row not in unranked], better)
        players += sorted(unranked, key=_order)
    table = RatingTable(
        players=tuple(players),
        advantage=_estimated(fit.advantage),
        draws=_estimated(fit.draws),
        statements=fit.statements,
        method=fit.method,
        prior=prior,
        rank_intervals=method_of(fit.differences, len(better), fit.observations),
        compared_by=fit.compared_by,
        scale=_scale(fit.scale),
    )
    return table if design is None or fit.method == "simulated" else without_intervals(table)


def _ranked(rows: Sequence[RatedPlayer], better: Iterable[tuple[str, str]]) -> list[RatedPlayer]:
    """Order a group by rating. Equal ratings share a rank."""
    ranked: list[RatedPlayer] = []
    intervals = rank_intervals([row.player for row in rows], better)
    for place, row in enumerate(sorted(rows, key=_order), start=1):
        if row.elo.value is None:
            ranked.append(row)
            continue
        tied = ranked and ranked[-1].elo.value == row.elo.value
        low, high = intervals[row.player]
        rank = ranked[-1].rank if tied else place
        ranked.append(replace(row, rank=rank, rank_low=low, rank_high=high))
    return ranked


def _scale(misfit: Misfit | None) -> ScaleFit | None:
    if misfit is None:
        return None
    unexplained = None if misfit.unexplained is None else round(misfit.unexplained, RATING_DECIMALS)
    p_value = float(f"{misfit.p_value:.{RATING_DECIMALS}g}")
    return ScaleFit(round(misfit.chi_square, RATING_DECIMALS), misfit.freedom, p_value, unexplained)


def _estimated(parameter: bradley_terry.Parameter) -> Estimated:
    """Round the numbers, so that results do not show a machine's last digits."""

    def rounded(number: float | None) -> float | None:
        return None if number is None else round(number, RATING_DECIMALS) + 0.0

    return Estimated(
        rounded(parameter.value), rounded(parameter.low), rounded(parameter.high), parameter.reason
    )


def _order(player: RatedPlayer) -> tuple[float, str]:
    return -(player.elo.value or 0.0), player.player
