"""Resume, show, export and verify the runs in a store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from arena.api.common import StoreLike
from arena.api.rounds import rounds_of
from arena.errors import ArenaError, UsageError
from arena.fights.pairing import Setting
from arena.game import Game
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.base import Json
from arena.records.history import History
from arena.records.listings import Listing
from arena.records.played import Played
from arena.records.runs import Export, VerifyReport

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from arena.store.reading import StoredRun


def show(
    store: StoreLike,
    run: int | None = None,
    catalogue: Catalogue | None = None,
    count_forfeits: str | None = None,
) -> Played:
    """Return what the command of a run showed, or would show by now.

    Without a number, the last run. Neither the players are needed nor do they play.
    ``count_forfeits`` is as for :func:`arena.fight`, by default as it was for the run. Raises
    UsageError if a sequential test went by another.
    """
    from arena.store.reading import find_run
    from arena.store.sql import open_to_read

    file = open_to_read(store)
    with file.read() as connection:
        return shown(connection, find_run(file, run), catalogue or load_catalogue(), count_forfeits)


def shown(
    connection: Connection,
    stored: StoredRun,
    catalogue: Catalogue,
    count_forfeits: str | None = None,
) -> Played:
    """Return the record of a run that was read."""
    from arena.store.reading import pairings_of
    from arena.store.recount import reread

    game = game_of(stored, catalogue)
    usual = stored.options.get("count_forfeits", "all")
    if count_forfeits not in (None, usual):
        if stored.setting.aim is not None:
            raise UsageError(f"the test of run {stored.number} went by count forfeits {usual!r}")
        stored = replace(stored, options={**stored.options, "count_forfeits": count_forfeits})
    rounds = rounds_of(stored.setting, pairings_of(stored, game), catalogue, stored.times)
    return reread(connection, stored, game, catalogue.files, rounds)


def stored_runs(store: StoreLike) -> Listing:
    """List the runs of a store, and below them its runs of :func:`regress` and its imports."""
    from arena.store.imports import read_imports
    from arena.store.nights import read_nights
    from arena.store.reading import read_runs
    from arena.store.sql import open_to_read

    with open_to_read(store).read() as connection:
        rows = tuple(_row(run) for run in read_runs(connection))
        found = tuple(read_nights(connection))
        files = tuple(read_imports(connection))
    title = "Nights of arena regress; see: arena history PLAYER"
    nights = Listing("nights", found, ("night", "date", "verdict", "players"), title=title)
    contest = ["contest"] if any(row["contest"] for row in rows) else []
    columns = ("run", "started", "schedule", "game", "played", "games", "state", *contest)
    title = "Games that were played elsewhere, from files"
    imports = Listing("imports", files, ("import", "date", "file", "games"), title=title)
    return Listing("runs", rows, columns, more=(nights, *([imports] if files else [])))


def export(
    store: StoreLike, numbers: Sequence[int] = (), catalogue: Catalogue | None = None
) -> Export:
    """Export runs with all their games, as they are at one moment.

    By default every run, and the games that were played elsewhere.
    """
    from arena.store.imports import read_imported, read_imports
    from arena.store.reading import read_runs
    from arena.store.sql import open_to_read

    catalogue = catalogue or load_catalogue()
    with open_to_read(store).read() as connection:
        runs = tuple(exported(connection, run, catalogue) for run in read_runs(connection, numbers))
        imports = tuple(
            {**found, "games": list(read_imported(connection, found["import"]))}
            for found in ([] if numbers else read_imports(connection))
        )
    names = {run["game"] for run in runs} | {g["game"] for i in imports for g in i["games"]}
    return Export(runs, imports, _rules(names, catalogue))


def exported(connection: Connection, run: StoredRun, catalogue: Catalogue) -> Json:
    """Return a run that was read, with all its games."""
    from arena.store.games import read_games

    games = read_games(connection, run, _game_of_openings(run, catalogue))
    return {**_row(run), "contest_text": _text(run), **games}


def _rules(names: Iterable[str], catalogue: Catalogue) -> dict[str, Game]:
    """Return the games of these names that are installed."""
    found = {}
    for name in names:
        with suppress(ArenaError):
            found[name] = catalogue.game(name)
    return found


def contest_of(store: StoreLike, run: int | None = None) -> str:
    """Return the text of the contest's file that a run was played by, as it was then.

    Without a number, the last run. Raises UsageError for a run without such a file.
    """
    from arena.store.reading import find_run
    from arena.store.sql import open_to_read

    stored = find_run(open_to_read(store), run)
    if stored.setting.contest is None:
        raise UsageError(f"run {stored.number} was not played by a contest's file")
    return stored.setting.contest.text


def _text(run: StoredRun) -> str | None:
    return run.setting.contest and run.setting.contest.text


def _game_of_openings(run: StoredRun, catalogue: Catalogue | None) -> Game | None:
    """Return the game of a run if it has openings; only then it must be known."""
    if "openings" not in run.options:
        return None
    return game_of(run, catalogue or load_catalogue())


def history(store: StoreLike, player: str, game: str | None = None) -> History:
    """Return the verdicts of a store's regression runs on a player, the oldest first.

    Each has the commit and the version of the player, its strength with a 95 % interval, and the
    change since the regression run before, in points per game.
    """
    from arena.store.nights import read_history
    from arena.store.sql import open_to_read

    return History(player, tuple(read_history(open_to_read(store), player, game)))


def verify(store: StoreLike, catalogue: Catalogue | None = None) -> VerifyReport:
    """Check a store: the file, every game by the rules, every total; no player is run."""
    from arena.store import verify as checking
    from arena.store.sql import open_to_read

    return checking.verify(open_to_read(store), catalogue or load_catalogue())


def game_of(stored: StoredRun, catalogue: Catalogue) -> Game:
    """Return the game of a run. Raises UsageError if its rules have another version here."""
    game = catalogue.game(stored.game)
    if game.version != stored.game_version:
        raise UsageError(
            f"run {stored.number} was played by version {stored.game_version} of the rules of"
            f" {game.name}; this is version {game.version}"
        )
    return game


def _row(run: StoredRun) -> dict[str, object]:
    played = sum(fight.games for fight in run.fights)
    planned: int | None = 2 * sum(fight.pairs for fight in run.fights)
    if run.setting.is_by_rounds:  # a fight there has as many pairs as its rounds ask for
        planned = None if run.finished is None else played
    return {
        "run": run.number,
        "started": run.started,
        "finished": run.finished,
        "state": _state(run),
        "schedule": _schedule(run.setting),
        "game": run.game,
        "game_version": run.game_version,
        "seed": run.seed,
        "contest": run.setting.contest and run.setting.contest.name,
        "players": len(run.names),
        "played": played,
        "games": planned,
        "arena_version": run.arena_version,
        "python_version": run.python_version,
        "machine": run.machine,
    }


def _schedule(setting: Setting) -> str:
    """Return the schedule of a run, and what ends it early."""
    until = f" until {setting.until}" if setting.until else ""
    return setting.schedule + " by SPRT" * (setting.sprt is not None) + until


def _state(run: StoredRun) -> str:
    if run.finished is None:
        return "open"
    withdrawn = len(run.withdrawn & set(run.names.values()))
    return "complete" + f", {withdrawn} withdrawn" * bool(withdrawn)
