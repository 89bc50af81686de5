"""Play what is new in a league: the pairings of entrants that came or changed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack, cast

from arena.errors import UsageError, quoted
from arena.features.contest.function import strong_tier
from arena.features.contest.hand_ins import ContestRun, relocate
from arena.features.contest.setup import difference
from arena.features.copy.function import copy_store
from arena.features.league.acceptance import last_run, text_of
from arena.features.league.files import League, read_league
from arena.features.league.options import PlayLeagueOptions
from arena.features.league.publication import read_published
from arena.features.league.season import read_season, read_secret
from arena.features.resume.function import resume
from arena.features.tournament.function import arrange, play_arranged
from arena.inputs.options import TournamentOptions
from arena.inputs.resolve import open_catalogue
from arena.player.names import NamedSpec
from arena.plugin.catalogue import Catalogue
from arena.sandbox.settings import Isolation
from arena.signatures import complete, takes

if TYPE_CHECKING:
    from arena.records.played import Played


@takes(PlayLeagueOptions)
def play_league(
    store: str | os.PathLike[str],
    published: str | os.PathLike[str] | None = None,
    **options: Unpack[PlayLeagueOptions],
) -> Played:
    """Play what is missing of a league into a store, and return its standings.

    The store goes on from that in the ``published`` folder, if that is of the same season and the
    same file: a pairing whose two players did not change is not played again. With the ``secret``
    of the season all entrants play by its hidden seed, into a store of its own. A store that is
    there is continued. Players are isolated by tier ``bwrap`` or ``locked``, or by ``wasm`` if the
    file says so.

    Raises UsageError for a league that cannot be played, and for a store of another one.
    """
    options = complete(play_league, options)
    catalogue = open_catalogue(options["catalogue"])
    league = read_league(options["file"], catalogue)
    season = read_season(league.folder)
    secret, workers = options["secret"], options["workers"]
    seed = None if secret is None else read_secret(secret, season).seed
    isolation = league.contest.isolation.updated(Isolation(tier=strong_tier(league.contest)))
    catalogue = catalogue.isolated(isolation)
    target = Path(store)
    if not target.exists() and seed is None:
        before = read_published(published).store_of(season.season)
        if before is not None and text_of(last_run(before)) == league.contest.file.text:
            copy_store(before, target)
    if target.exists():
        return _go_on(target, league, seed, workers, catalogue)
    return _begin(target, league, seed, workers, catalogue)


def is_complete(store: str | os.PathLike[str]) -> bool:
    """Return whether all games of a store's last run are played, or forfeited unplayed."""
    return last_run(store).finished is not None


def _begin(
    store: Path, league: League, seed: int | None, workers: int | None, catalogue: Catalogue
) -> Played:
    players = [league.file, *(str(NamedSpec(*each)) for each in league.entrants.items())]
    options: dict[str, Any] = {"catalogue": catalogue, "store": str(store), "engine": "calls"}
    if seed is not None:
        options["seed"] = seed
    if workers is not None:
        options["workers"] = workers
    arranged = arrange(players, options=cast("TournamentOptions", options))
    return play_arranged(arranged)


def _go_on(
    store: Path, league: League, seed: int | None, workers: int | None, catalogue: Catalogue
) -> Played:
    """Go on with the run of a store, after a change of who plays."""
    run = last_run(store)
    if text_of(run) != league.contest.file.text or (seed is not None and run.seed != seed):
        problem = "it is that of another league, file or season: remove it, or name another one"
        raise UsageError(f"store {quoted(str(store))}: {problem}")
    playing = _at_its_place(store)
    change = difference(league.specs, playing)
    return resume(
        store,
        run.number,
        add=change.get("--add", ()),
        replace=change.get("--replace", ()),
        withdraw=change.get("--withdraw", ()),
        changed_players="replay",
        workers=workers,
        catalogue=catalogue,
    )


def _at_its_place(store: Path) -> dict[str, str]:
    """Tell the run of a store where the files of its players are on this machine.

    Return the specs of those that play, which are relative to the league.
    """
    from arena.store.sql import Store

    run = last_run(store)
    specs = {name: run.players[place].spec or name for name, place in run.names.items()}
    with Store(store).write() as connection:
        relocate(connection, ContestRun(run.number, specs, over=True), specs)
    return specs
