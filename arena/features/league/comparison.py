"""Compare a store of a league with the published one: ranks, new pairings, forfeits."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Unpack, cast

from arena.errors import counted
from arena.features.league.acceptance import (
    PairingKey,
    digests_of,
    games_by_pairing,
    key_of,
    last_run,
    problems_of_store,
)
from arena.features.league.files import read_league
from arena.features.league.options import LeagueOptions
from arena.features.league.publication import read_published
from arena.features.league.record import (
    CHANGED_ENTRANT,
    NEW_ENTRANT,
    REMOVED_ENTRANT,
    LeagueComparison,
    LeaguePairing,
    LeagueRow,
)
from arena.features.league.season import read_season
from arena.features.show.function import show
from arena.inputs.resolve import open_catalogue
from arena.signatures import complete, takes

if TYPE_CHECKING:
    from arena.records.fights import FightResult
    from arena.records.tournaments import Standing, TournamentResult


@takes(LeagueOptions)
def compare_league(
    store: str | os.PathLike[str],
    published: str | os.PathLike[str] | None = None,
    **options: Unpack[LeagueOptions],
) -> LeagueComparison:
    """Compare a store of the league with the one in the ``published`` folder.

    The store is accepted only if it could be published: the ``problems`` of the result say why it
    is not. No player runs.
    """
    options = complete(compare_league, options)
    catalogue = open_catalogue(options["catalogue"])
    league = read_league(options["file"], catalogue)
    season = read_season(league.folder).season
    before = read_published(published)
    problems = problems_of_store(store, league, before, catalogue, season=season)
    game = league.contest.options.get("game", "")
    if problems:
        return LeagueComparison(str(game), "", {}, (), (), (), tuple(problems))
    now = cast("TournamentResult", show(store, catalogue=catalogue))
    digests, old_rows = digests_of(last_run(store)), {}
    old_digests: Mapping[str, str] = {}
    old_pairings: Collection[PairingKey] = ()
    if (old_store := before.store_of(season)) is not None:
        old = cast("TournamentResult", show(old_store, catalogue=catalogue))
        old_rows = {row.player: row for row in old.standings}
        old_digests = digests_of(last_run(old_store))
        old_pairings = games_by_pairing(old_store, catalogue)
    installed = {name for name in digests if name not in league.entrants}
    entrants = {
        name: change
        for name, change in _changes(old_digests, digests).items()
        if name not in installed
    }
    fresh = [name for name, change in entrants.items() if change != REMOVED_ENTRANT]
    return LeagueComparison(
        now.game,
        now.unit,
        entrants,
        tuple(_rows(old_rows, {row.player: row for row in now.standings})),
        tuple(
            _pairing(_seen_by(fight, fresh))
            for fight in now.fights
            if key_of(fight.players, digests) not in old_pairings
        ),
        tuple(_faults(now.fights, fresh)),
    )


def _changes(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    """Return the changes from digests of code to others, by name.

    >>> _changes({"a": "1", "b": "1", "c": "1"}, {"a": "1", "b": "2", "d": "1"})
    {'b': 'changed', 'd': 'new', 'c': 'removed'}
    """
    changes = {
        name: NEW_ENTRANT if name not in old else CHANGED_ENTRANT
        for name, digest in new.items()
        if old.get(name) != digest
    }
    return changes | {name: REMOVED_ENTRANT for name in old if name not in new}


def _rows(old: Mapping[str, Standing], new: Mapping[str, Standing]) -> Iterator[LeagueRow]:
    for name in [*new, *(name for name in old if name not in new)]:
        was, now = old.get(name), new.get(name)
        ranks = [None if row is None else row.shown_rank for row in (was, now)]
        values = [None if row is None else value_of(row) for row in (was, now)]
        yield LeagueRow(name, ranks[0], ranks[1], values[0], values[1])


def value_of(row: Standing) -> float | None:
    """Return what decides the rank of a player: its payoff per game, or else its score."""
    return row.score if row.payoff is None else float(row.payoff)


def _seen_by(fight: FightResult, names: Collection[str]) -> FightResult:
    """Return a fight as the one of its players sees it that is named."""
    a, b = fight.players
    return fight.reversed() if b in names and a not in names else fight


def _pairing(fight: FightResult) -> LeaguePairing:
    names, games = (fight.players[0], fight.players[1]), fight.total.games
    if (payoff := fight.payoff) is not None:
        return LeaguePairing(names, games, payoff.payoff, payoff.low, payoff.high)
    interval = fight.interval
    if interval is None:
        return LeaguePairing(names, games, None, None, None)
    return LeaguePairing(names, games, interval.score, interval.low, interval.high)


def _faults(fights: Collection[FightResult], names: Collection[str]) -> Iterator[str]:
    """Yield what entrants forfeited, and why one was withdrawn."""
    for name in names:
        facts = [player for fight in fights for player in fight.both if player.name == name]
        withdrawn = next((each.withdrawn for each in facts if each.withdrawn is not None), None)
        if withdrawn is not None:
            yield f"{name} cannot be started: {withdrawn}"
            continue
        reasons: Counter[str] = Counter()
        for player in facts:
            reasons.update(player.forfeits)
        if reasons:
            listed = ", ".join(f"{reason} {count}" for reason, count in reasons.items())
            yield f"{name} forfeited {counted(reasons.total(), 'game')} ({listed})"
