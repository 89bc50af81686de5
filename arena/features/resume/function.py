"""Go on with runs of a store that were not completed, as they were or with other players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Unpack

from arena.errors import UsageError, quoted
from arena.features.resume.options import ResumeOptions
from arena.fights import runs
from arena.fights.choosing import choose_engines
from arena.fights.scheduled import ScheduleRounds
from arena.game import Game
from arena.inputs.resolve import StoreLike, open_catalogue, require_clocks
from arena.plugin.catalogue import Catalogue
from arena.records.played import Played
from arena.rng import STREAMS
from arena.runs.begin import open_executor
from arena.runs.changes import (
    PlayerChanges,
    arrivals_of,
    isolated_as_before,
    player_changes_of,
    players_by_place,
    record_changes,
)
from arena.runs.luck import as_corrected_before
from arena.runs.players_again import changed_players, players_again, what_changed
from arena.runs.progress_bar import with_bar
from arena.runs.resumption import resumed_alike
from arena.runs.rounds import rounds_of
from arena.runs.services import with_services
from arena.runs.stored_runs import game_of
from arena.runs.volunteers import keeping_parts
from arena.signatures import complete, takes

if TYPE_CHECKING:
    from arena.executors.base import Executor
    from arena.store.journal import StoreJournal
    from arena.store.reading import StoredRun
    from arena.store.sql import Store


#: What the user may do about players with other code.
_CHOICE = "; --changed-players keep goes on all the same, replay plays their fights again"


@takes(ResumeOptions)
def resume(
    store: StoreLike,
    run: int | None = None,
    **options: Unpack[ResumeOptions],
) -> Played:
    """Resume an interrupted run, and return what it would have returned.

    Without a number, the last run that is not complete, or if there is none the last. Exactly what
    is missing is played. Raises UsageError if an arena played the run under which the same seed
    gave other games; if the code of a player has changed since, unless ``changed_players`` is
    ``keep``, which keeps the games of the old code, or ``replay``, which plays the fights of such
    players again; and if another process plays the run. Players are isolated and limited as they
    were, but for what the ``isolation`` says.

    A tournament may grow and shrink: players to ``add``, to ``replace`` others (``OLD=NEW``) and to
    ``withdraw``. The result is that of a tournament which began with the players of now and with
    the run's engine; the games of a player that has left stay in the store and do not count. At a
    game for more than two, nor do games of tables that the schedule of the present players lacks.
    """
    from arena.store.journal import StoreJournal
    from arena.store.player_changes import Arrival
    from arena.store.reading import absent_player, find_run, pairings_of
    from arena.store.sql import Store

    options = complete(resume, options)
    catalogue = open_catalogue(options["catalogue"], options["isolation"])
    number = run_to_resume(store, run)
    file = Store(store)
    with file.lock(number) as lock:
        stored = find_run(file, number)
        game = game_of(stored, catalogue)
        _require_streams(file, stored)
        changes = player_changes_of(stored, options["add"], options["replace"], options["withdraw"])
        if changes.any:
            _require_changeable(stored, game)
        catalogue = isolated_as_before(
            stored, catalogue, [s for s, _ in changes.arriving]
        ).for_game(game)
        withdrawn = {*changes.withdrawn, *(stored.names[name] for name in stored.times.withdrawn)}
        players = players_again(stored, catalogue, {*changes.leaving, *withdrawn})
        require_clocks(catalogue.isolation, players.values())
        changed = changed_players(stored, players)
        if changed and options["changed_players"] == "refuse":
            raise UsageError(what_changed(file.name, stored, changed, players) + _CHOICE)
        executor = open_executor(catalogue, options["executor"], options["workers"])
        arrivals = arrivals_of(stored, changes, catalogue, game)
        if options["changed_players"] == "replay":
            _require_replay(stored, changed)
            arrivals += [Arrival(players[place], place) for place in changed]
        first_round = _rounds_begun(file, stored, game, catalogue, changes)
        stored = record_changes(file, stored, arrivals, changes.withdrawn, first_round)
        present = [*players.values(), *(arrival.player for arrival in arrivals)]
        absent = (absent_player(stored.players[place]) for place in withdrawn)
        players = players_by_place(stored, [*absent, *present])
        pairings = pairings_of(stored, game, players, plugins=catalogue.files)
        if "luck" in stored.options:
            gone = {stored.players[place].name for place in withdrawn}
            pairings = as_corrected_before(pairings, gone, catalogue.game)
        journal = StoreJournal(file, number, pairings, stored.fights, lock)
        executor = with_services(executor, pairings, options, store)
        return _play_missing(stored, journal, catalogue, executor, options)


def run_to_resume(store: StoreLike, run: int | None) -> int:
    """Return the number of the run that :func:`resume` goes on with."""
    from arena.store.reading import find_run
    from arena.store.sql import open_to_read

    return find_run(open_to_read(store), run, unfinished=run is None).number


def _play_missing(
    stored: StoredRun,
    journal: StoreJournal,
    catalogue: Catalogue,
    executor: Executor,
    options: ResumeOptions,
) -> Played:
    """Play what is missing of a run."""
    if not stored.setting.is_by_rounds:  # later rounds went by the players that were there
        journal.begin_again()
    executor = keeping_parts(executor, stored.setting, journal)
    engines = choose_engines(journal.pairings, "calls", executor)
    rounds = rounds_of(stored.setting, journal.pairings, catalogue, stored.times)
    observers = resumed_alike(with_bar(catalogue.observers, options["progress"]), options)
    if options["pgn"] is not None:
        from arena.runs.pgn_file import with_pgn  # few runs have one

        observers = with_pgn(observers, options["pgn"], journal.pairings, goes_on=True)
    on_progress = options["on_progress"]
    return runs.play(stored.setting, engines, executor, on_progress, journal, observers, rounds)


def _require_changeable(stored: StoredRun, game: Game) -> None:
    """Raise UsageError for a run that keeps the players that it has."""
    if "luck" in stored.options:
        raise UsageError(f"run {stored.number} corrects luck, so it keeps the players that it has")
    if game.seats > 2 and stored.setting.is_scheduled:
        kind = f"a {stored.setting.schedule} of tables"
        raise UsageError(f"run {stored.number} is {kind}: no player comes or leaves after it began")


def _require_replay(stored: StoredRun, changed: Sequence[int]) -> None:
    """Raise UsageError if the fights of changed players cannot be played again."""
    if changed and stored.setting.is_scheduled:
        names = ", ".join(stored.players[place].name for place in changed)
        kind = f"run {stored.number} is a {stored.setting.schedule}"
        raise UsageError(f"{kind}: its rounds went by the results of {names}; keep or withdraw it")


def _rounds_begun(
    file: Store, stored: StoredRun, game: Game, catalogue: Catalogue, changes: PlayerChanges
) -> int | None:
    """Return how many rounds have begun of a run that goes by a schedule, if players come or leave.

    Raises UsageError if a player arrives too late for the schedule.
    """
    from arena.store.reading import pairings_of
    from arena.store.recount import rounds_played

    if not stored.setting.is_scheduled or not changes.any:
        return None
    rounds = rounds_of(stored.setting, pairings_of(stored, game), catalogue, stored.times)
    assert isinstance(rounds, ScheduleRounds)
    if changes.arriving and not rounds.takes_late_entrants:
        kind = stored.setting.schedule
        raise UsageError(f"run {stored.number} is a {kind}: no player enters it after it began")
    with file.read() as connection:
        return rounds_played(connection, stored, game, rounds)


def _require_streams(file: Store, stored: StoredRun) -> None:
    if stored.streams != STREAMS:
        raise UsageError(
            f"run {stored.number} of {quoted(file.name)} is from an arena under which the same seed"
            " gave other games: it can be shown and verified, but not resumed"
        )
