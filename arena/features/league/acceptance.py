"""Say whether a store of a league may be published. No player runs, and no word of it is believed.

The job that played may have been broken out of. Its store must hold by the rules, be complete, be
of the league's file and of the code of its entrants, and have every game that was published between
players that did not change.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arena.errors import ArenaError, quoted
from arena.features.league.files import League
from arena.features.league.publication import LeagueFolder
from arena.features.verify.function import verify
from arena.inputs.resolve import StoreLike
from arena.player import stand_in
from arena.player.names import names_a_file
from arena.plugin.catalogue import Catalogue
from arena.sandbox.settings import Spec
from arena.sandbox.side_modules import find_side_modules

if TYPE_CHECKING:
    from arena.records.exports import ExportedGame, StoredPlayer
    from arena.store.reading import StoredRun

#: Most characters of a divergence: it may repeat results as a whole.
MAX_DIVERGENCE = 300

#: A pairing: the names of its players with the digests of their code.
PairingKey = tuple[tuple[str, str], ...]


def problems_of_store(
    store: StoreLike,
    league: League,
    published: LeagueFolder,
    catalogue: Catalogue,
    *,
    season: str = "",
    seed: int | None = None,
) -> list[str]:
    """Return why a store is not one to publish, the first reason alone, or nothing.

    ``seed`` is the hidden one of a season, by default that of the league's file if it has one.
    """
    try:
        return [*_problems(store, league, published, catalogue, season, seed)][:1]
    except ArenaError as error:
        return [f"the store cannot be read: {error}"]


def _problems(
    store: StoreLike,
    league: League,
    published: LeagueFolder,
    catalogue: Catalogue,
    season: str,
    seed: int | None,
) -> Iterator[str]:
    report = verify(store, catalogue)
    if report.divergence is not None:
        problem = f"{report.divergence.where}: {report.divergence.problem}"
        yield f"the store does not hold: {problem[:MAX_DIVERGENCE]}"
    if report.runs != 1:
        yield f"the store has {report.runs} runs, and that of a league has one"
        return
    run = last_run(store)
    yield from _problems_of_run(run, league, league.contest.options.get("seed", seed), seed)
    yield from _problems_of_players(run, league)
    before = published.store_of(season)
    if before is not None and text_of(last_run(before)) == text_of(run):
        yield from _lost_games(before, store, catalogue)


def last_run(store: StoreLike) -> StoredRun:
    """Return the last run of a store."""
    from arena.store.reading import find_run
    from arena.store.sql import open_to_read

    return find_run(open_to_read(store), None)


def text_of(run: StoredRun) -> str:
    """Return the text of the contest's file that a run began with, empty without one."""
    return "" if run.setting.contest is None else run.setting.contest.text


def _problems_of_run(
    run: StoredRun, league: League, usual: int | None, hidden: int | None
) -> Iterator[str]:
    if text_of(run) != league.contest.file.text:
        yield f"its run was played by another {Path(league.file).name}"
    if run.finished is None:
        yield "its run is not complete"
    wanted = usual if hidden is None else hidden
    if wanted is not None and run.seed != wanted:
        yield "its run has another seed"


def _problems_of_players(run: StoredRun, league: League) -> Iterator[str]:
    specs = league.specs
    if other := sorted({*run.names} ^ {*specs}):
        yield f"its run and the league differ in player {quoted(other[0])}"
        return
    for name, place in run.names.items():
        player, spec = run.players[place], specs[name]
        if not names_a_file(spec):
            if (player.spec or name) != spec:
                yield f"player {quoted(name)} is not {quoted(spec)} in its run"
        elif player.digest not in _digests(name, spec, player):
            yield f"player {quoted(name)} has other code in its run"


def _digests(name: str, spec: str, player: StoredPlayer) -> set[str]:
    """Return the digests that the code of a file may have: with the modules next to it, or alone.

    It is alone where the file does not load. Nothing of it runs.
    """
    from arena.sandbox.players import AbsentPlayer
    from arena.store.code import code_digest

    path = Path(os.path.abspath(spec))
    if not path.is_file():
        return set()
    digests = set()
    for modules in (find_side_modules(path), ()):
        files = tuple(map(str, Spec(name, file=str(path), files=modules).readable))
        facts = {"version": player.version, "isolation": player.isolation}
        absent = AbsentPlayer(name, "")
        digests.add(code_digest(stand_in(name, code=files, remote=absent, **facts)))
    return digests


def _lost_games(before: StoreLike, store: StoreLike, catalogue: Catalogue) -> Iterator[str]:
    """Yield a game that was published, whose players did not change, and that is other now."""
    games = games_by_pairing(store, catalogue)
    for key, published in games_by_pairing(before, catalogue).items():
        if key not in games:
            continue
        present = {game.game_id: game for game in games[key]}
        for game in published:
            if present.get(game.game_id) != game:
                yield f"the published game {game.game_id} is not in it as it was"


def games_by_pairing(
    store: StoreLike, catalogue: Catalogue
) -> dict[PairingKey, Sequence[ExportedGame]]:
    """Return the games of the pairings of a store that count, by their players and their code."""
    from arena.runs.stored_runs import games_of_run
    from arena.store.sql import open_to_read

    run = last_run(store)
    games: dict[PairingKey, Sequence[ExportedGame]] = {}
    digests = digests_of(run)
    with open_to_read(store).read() as connection:
        for fight in games_of_run(connection, run, catalogue).fights:
            games[key_of(fight.players, digests)] = fight.games
    return games


def digests_of(run: StoredRun) -> dict[str, str]:
    """Return the digests of the code of those that play in a run, by their names."""
    return {name: run.players[place].digest for name, place in run.names.items()}


def key_of(players: Sequence[str], digests: Mapping[str, str]) -> PairingKey:
    """Return a pairing as :func:`games_by_pairing` names it."""
    return tuple(sorted((name, digests[name]) for name in players))
