"""Compute ratings from all runs of one or several stores together."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from arena.errors import ArenaError, UsageError, counted, quoted
from arena.features.rate.function import anchored, refuse_prior, tables_anchored
from arena.features.rate.options import DEFAULT_PRIOR, RatedStoreOptions
from arena.features.rate.stored_games import StoredGames
from arena.fights import ratings
from arena.fights.choosing import engine_of
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import Pairing
from arena.fights.play import result_of
from arena.game import Game
from arena.inputs.resolve import StoreLike
from arena.match.record import PlayedPair
from arena.model.defaults import DEFAULT_COUNT_FORFEITS
from arena.player import stand_in
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.base import Tally
from arena.records.fights import FightResult
from arena.records.paid import NO_ELO
from arena.records.ratings import RatingTable
from arena.records.tables import TableRatingTable
from arena.runs.stored_runs import game_of
from arena.signatures import complete, takes
from arena.urls import without_passwords

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from arena.store.reading import StoredRun


@dataclass
class _StoredPairing:
    """All pairs of two players, each once."""

    names: tuple[str, str]
    pairs: dict[object, PlayedPair] = field(default_factory=dict)
    missing: int = 0
    is_sequential: bool = False


@takes(RatedStoreOptions)
def rate_stores(
    stores: Sequence[StoreLike] | StoreLike,
    game: str | None = None,
    count_forfeits: str | None = None,
    catalogue: Catalogue | None = None,
    prior: float = DEFAULT_PRIOR,
    anchor: tuple[str, float] | None = None,
) -> RatingTable | Any:
    """Rate the players of all runs of a store, or of several, as a tournament rates those of a run.

    Pairs are the observations. Games that two players repeat from run to run, and a game that two
    stores have, count once. A game that was played elsewhere is an observation of its own, between
    players of these names. A player whose code has changed is another one, named with its digest;
    the name alone is the newest. ``count_forfeits`` is by default as in the runs, and ``prior`` and
    ``anchor`` as for :func:`arena.rate`. Of a game for more than two the observations are blocks,
    and the ratings an ``arena.records.TableRatingTable``. A game for two with payoffs of its own is
    left out, because payoffs have no Elo. Raises UsageError if the runs are of several games and
    none is named, have no games, or are of games with payoffs alone.
    """
    complete(
        rate_stores,
        RatedStoreOptions(game=game, count_forfeits=count_forfeits, prior=prior, anchor=anchor),
    )
    stores = [stores] if isinstance(stores, str | os.PathLike) else stores
    fights = [fight for store in stores for fight in read_fights(store, game, catalogue)]
    singles, imported_games = imported_tallies(stores, game)
    paid = paid_games(fights, imported_games, catalogue)
    games = sorted(({fight.game.name for fight in fights} | imported_games) - {*paid})
    if paid and not games:
        raise _no_elo(paid, stores)
    if paid and len(games) == 1:
        table = rate_stores(stores, games[0], count_forfeits, catalogue, prior, anchor)
        left_out = f"without the games of {' and '.join(paid)}, because {NO_ELO}"
        return replace(table, statements=(*table.statements, left_out))
    if len(games) > 1:
        raise UsageError(f"the runs are of {', '.join(games)}: choose one with --game")
    if not singles and not any(fight.pairs for fight in fights):
        of_game = f" of {game}" if game else ""
        raise UsageError(
            f"there are no games{of_game} to rate in {', '.join(map(_quoted_name, stores))}"
        )
    counting = _counting(fights, count_forfeits)
    if fights and fights[0].game.seats > 2:
        refuse_prior(prior)
        if count_forfeits not in (None, DEFAULT_COUNT_FORFEITS):
            raise UsageError("--count-forfeits none is for games of two players")
        return _rated_tables(fights, _names(fights), anchor)
    results, statements = _merged(fights, counting)
    table = ratings.of_fights(results, singles, prior)
    if any(fight.is_chosen for fight in fights):
        table = _without_invalid(table)
    statements = (*statements, *imported_statements(singles))
    table = replace(table, statements=(*table.statements, *statements))
    return anchored(table, anchor)


def paid_games(
    fights: Iterable[StoredGames], imported: Iterable[str], catalogue: Catalogue | None
) -> list[str]:
    """Return the names of the games for two that pay something other than a win, draw or loss."""
    games = {fight.game.name: fight.game for fight in fights}
    for name in {*imported} - {*games}:
        with suppress(ArenaError):  # a game that is no longer installed
            games[name] = (catalogue or load_catalogue()).game(name)
    return sorted(name for name, game in games.items() if game.seats == 2 and game.is_paid)


def _no_elo(games: Sequence[str], stores: Sequence[StoreLike]) -> UsageError:
    """Return the error of ratings of games that pay, with the commands that do compare."""
    names = " ".join(shlex.quote(without_passwords(os.fspath(store))) for store in stores)
    of_game = f" --game {games[0]}" if len(games) > 1 else ""
    return UsageError(
        f"{' and '.join(games)}: {NO_ELO}; arena evaluate {names}{of_game} compares the players by"
        " what they are paid, and arena show has the payoffs of a run"
    )


def merged_results(
    fights: Sequence[StoredGames], count_forfeits: str | None
) -> tuple[list[FightResult], tuple[str, ...]]:
    """Return the fights of one game for two, one for each two players, with each pair once.

    Also return what a reader has to know of them. Raises UsageError if the runs count forfeits
    differently and ``count_forfeits`` does not choose.
    """
    return _merged(fights, _counting(fights, count_forfeits))


def _merged(
    fights: Sequence[StoredGames], counting: str
) -> tuple[list[FightResult], tuple[str, ...]]:
    names = _names(fights)
    pairings, duplicates = _pairings(fights, names)
    results = [_result(pairing, fights[0].game, counting) for pairing in pairings if pairing.pairs]
    return results, tuple(_stored_statements(names, duplicates))


def _counting(fights: Sequence[StoredGames], count_forfeits: str | None) -> str:
    settings = {fight.count_forfeits for fight in fights}
    if count_forfeits is None and len(settings) > 1:
        raise UsageError("the runs count forfeits differently: choose with --count-forfeits")
    return count_forfeits or next(iter(settings), "all")


def _rated_tables(
    fights: Sequence[StoredGames],
    names: dict[tuple[str, str], str],
    anchor: tuple[str, float] | None,
) -> TableRatingTable:
    """Rate the players of tables."""
    from arena.features.rate.stored_tables import rate_tables  # most stores have none

    table, duplicates = rate_tables(fights, names)
    statements = (*table.statements, *_stored_statements(names, duplicates, "block"))
    return tables_anchored(replace(table, statements=statements), anchor)


def _without_invalid(table: RatingTable) -> RatingTable:
    """Leave out tests and intervals, which do not hold if results chose the games of a run."""
    reason = "results chose the games of some runs"
    if table.rank_intervals is not None or table.scale is not None:
        table = ratings.without_tests(table, reason)
    return ratings.without_intervals(table, reason)


def _quoted_name(store: StoreLike) -> str:
    return quoted(without_passwords(str(store)))


def read_fights(
    store: StoreLike, game: str | None, catalogue: Catalogue | None
) -> Iterator[StoredGames]:
    """Read the fights of a store, or only those at one game."""
    from arena.store.reading import read_runs
    from arena.store.sql import open_to_read

    catalogue = catalogue or load_catalogue()
    wanted = catalogue.game(game).name if game is not None else None
    with open_to_read(store).read() as connection:
        for run in read_runs(connection):
            if wanted in (None, run.game):
                yield from _fights_of_run(connection, run, game_of(run, catalogue))


def imported_tallies(
    stores: Sequence[StoreLike], game: str | None
) -> tuple[dict[tuple[str, str], Tally], set[str]]:
    """Read the games that were played elsewhere, each once.

    Return their results by the names of the first and the second side, and the games' names.
    """
    from arena.store.imports import read_imported
    from arena.store.sql import open_to_read

    tallies: dict[tuple[str, str], Tally] = {}
    names, seen = set[str](), set[object]()
    for store in stores:
        with open_to_read(store).read() as connection:
            for row in read_imported(connection):
                key = row.game, row.opening, *row.moves, *sorted(row.tags.items())
                players = row.players
                if game not in (None, row.game) or key in seen or players[0] == players[1]:
                    continue
                seen.add(key)
                names.add(row.game)
                tallies[players] = tallies.get(players, Tally()) + _TALLIES[row.outcome]
    return tallies, names


_TALLIES = {"first": Tally(wins=1), "draw": Tally(draws=1), "second": Tally(losses=1)}


def imported_statements(singles: Mapping[tuple[str, str], Tally]) -> Iterator[str]:
    """Say how many games were played elsewhere, if any."""
    games = sum(tally.games for tally in singles.values())
    if games:
        yield f"{counted(games, 'game')} played elsewhere, by the names of the players there"


def _fights_of_run(connection: Connection, run: StoredRun, game: Game) -> Iterator[StoredGames]:
    """Yield the fights of a run that count: none that killed its workers."""
    from arena.store.reading import pairings_of, read_pairs
    from arena.store.recount import reread_fights

    results = reread_fights(connection, run, game)
    pairings = pairings_of(run, game)
    for stored, pairing, result in zip(run.fights, pairings, results, strict=True):
        if result.killed_workers or (run.setting.is_by_rounds and not result.pairs):
            continue
        last_pair = result.pairs + result.void // 2 if run.setting.aim else stored.pairs
        pairs = [
            pair
            for pair in read_pairs(connection, run.number, stored.number, pairing)
            if pair.pair <= last_pair
        ]
        missing = 0 if result.is_someone_withdrawn else result.planned - result.pairs
        yield StoredGames(
            players=tuple(run.players[place] for place in stored.seats),
            seed=run.seed,
            pairs=pairs,
            missing=missing,
            game=game,
            count_forfeits=pairing.count_forfeits,
            is_sequential=run.setting.aim is not None,
            is_chosen=run.setting.is_by_rounds,
            seatings=pairing.seatings,
        )


def _names(fights: Sequence[StoredGames]) -> dict[tuple[str, str], str]:
    """Return the name to show for each player, by its name and the digest of its code."""
    newest = {player.name: player.digest for fight in fights for player in fight.players}
    return {
        (p.name, p.digest): p.name if newest[p.name] == p.digest else f"{p.name} [{p.digest[:6]}]"
        for fight in fights
        for p in fight.players
    }


def _pairings(
    fights: Sequence[StoredGames], names: dict[tuple[str, str], str]
) -> tuple[list[_StoredPairing], int]:
    """Merge the pairs of the same two players. Also return how many pairs were duplicates."""
    pairings: dict[frozenset[str], _StoredPairing] = {}
    duplicates = 0
    for fight in fights:
        a, b = fight.named(names)
        players = a, b
        if players[0] == players[1]:
            continue  # a player against itself says nothing of its strength
        pairing = pairings.setdefault(frozenset(players), _StoredPairing(players))
        pairing.missing += fight.missing
        pairing.is_sequential |= fight.is_sequential
        for pair in fight.pairs:
            if pairing.names != players:
                records = pair.records[1], pair.records[0]
                pair = pair._replace(records=records, seconds=pair.seconds[::-1])
            key = fight.seed, pair.pair, players, pair.opening, pair.records
            duplicates += key in pairing.pairs
            pairing.pairs[key] = pair
    return list(pairings.values()), duplicates


def _result(stored: _StoredPairing, game: Game, count_forfeits: str) -> FightResult:
    a, b = map(stand_in, stored.names)
    pairs = len(stored.pairs) + stored.missing
    pairing = Pairing(game, a, b, pairs, 0, count_forfeits)
    result = result_of(PairCounts.of_pairs(stored.pairs.values()), engine_of(pairing))
    return replace(result, is_sequential=stored.is_sequential)


def _stored_statements(
    names: dict[tuple[str, str], str], duplicates: int, thing: str = "pair"
) -> Iterator[str]:
    older = [(name, label) for (name, _), label in names.items() if name != label]
    for name, label in older:
        yield f"{label} is earlier code of {name}"
    if duplicates:
        yield f"each of {duplicates} {thing}s that two runs have counts once"
