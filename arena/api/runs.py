"""Resume, show, export and verify the runs in a store."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from arena.api.bars import with_bar
from arena.api.common import StoreLike, named_entrant, open_catalogue, require_clocks
from arena.api.fights import make_crew
from arena.api.growth import (
    Wanted,
    arrivals_of,
    grown,
    isolated_as_before,
    players_by_place,
    wanted_of,
)
from arena.api.options import USUAL, ResumeOptions
from arena.api.rounds import rounds_of
from arena.errors import ArenaError, UnknownName, UsageError, quoted
from arena.fights import runs
from arena.fights.choosing import choose_engines
from arena.fights.pairing import Setting
from arena.fights.scheduled import Scheduled
from arena.game import Game
from arena.player import PlayerInfo
from arena.player.names import Named, names_a_file
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.base import Json
from arena.records.history import History
from arena.records.listings import Listing
from arena.records.played import Played
from arena.records.runs import Export, VerifyReport
from arena.rng import STREAMS
from arena.signatures import complete, takes

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from arena.executors.base import Executor
    from arena.store.journal import Journal
    from arena.store.reading import StoredPlayer, StoredRun
    from arena.store.sql import Store

#: What ``resume`` may do with a player whose code has changed.
CHANGED = ("refuse", "keep", "replay")


@takes(ResumeOptions, USUAL)
def resume(
    store: StoreLike,
    run: int | None = None,
    **options: Unpack[ResumeOptions],
) -> Played:
    """Resume an interrupted run, and return what it would have returned.

    Without a number, the last run that is not complete, or if there is none the last. Exactly what
    is missing is played.
    UsageError if an arena played the run under which the same seed gave other games; if the code
    of a player has changed since, unless ``changed_players`` is ``keep``,
    which keeps the games of the old code, or ``replay``, which plays the fights of such players
    anew; and if another process plays the run. Players are kept apart and limited as they were,
    but for what the ``isolation`` says.

    A tournament may grow and shrink: players to ``add``, to ``replace`` others (``OLD=NEW``) and to
    ``withdraw``. The result is that of a tournament which began with the players of now; the games
    of who has left stay in the store and do not count.
    """
    from arena.store.growth import Arrival
    from arena.store.journal import Journal
    from arena.store.reading import absent_player, find_run, pairings_of
    from arena.store.sql import Store

    chosen = complete(resume, options)
    changed_players = chosen["changed_players"]
    if changed_players not in CHANGED:
        raise UsageError(f"changed players: {quoted(changed_players)} is not one of {CHANGED}")
    catalogue = open_catalogue(chosen["catalogue"], chosen["isolation"])
    number = run_to_resume(store, run)
    file = Store(store)
    with file.lock(number) as lock:
        stored = find_run(file, number)
        game = game_of(stored, catalogue)
        _require_streams(file, stored)
        wanted = wanted_of(stored, chosen)
        catalogue = isolated_as_before(stored, catalogue, [s for s, _ in wanted.arriving]).at(game)
        gone = {*wanted.withdrawn, *(stored.names[name] for name in stored.times.withdrawn)}
        players = _players(stored, catalogue, {*wanted.leaving, *gone})
        require_clocks(catalogue.isolation, players.values())
        changed = _changed(stored, players)
        if changed and changed_players == "refuse":
            raise UsageError(_refusal(file, stored, changed))
        crew = make_crew(catalogue, chosen["executor"], chosen["workers"])
        arrivals = arrivals_of(stored, wanted, catalogue, game)
        if changed_players == "replay":
            _require_replay(stored, changed)
            arrivals += [Arrival(players[place], place) for place in changed]
        begun = _begun(file, stored, game, catalogue, wanted)
        stored = grown(file, stored, arrivals, wanted.withdrawn, begun)
        here = [*players.values(), *(arrival.player for arrival in arrivals)]
        absent = (absent_player(stored.players[place]) for place in gone)
        players = players_by_place(stored, [*absent, *here])
        pairings = pairings_of(stored, game, players, plugins=catalogue.files)
        journal = Journal(file, number, pairings, stored.fights, lock)
        return _gone_on(stored, journal, catalogue, crew, chosen)


def run_to_resume(store: StoreLike, run: int | None = None) -> int:
    """Return the number of the run that :func:`resume` goes on with."""
    from arena.store.reading import find_run
    from arena.store.sql import open_to_read

    return find_run(open_to_read(store), run, unfinished=run is None).number


def _gone_on(
    stored: StoredRun,
    journal: Journal,
    catalogue: Catalogue,
    crew: Executor,
    chosen: ResumeOptions,
) -> Played:
    """Play what is missing of a run."""
    if not stored.setting.is_by_rounds:  # later rounds went by who was there
        journal.begin_again()
    engines = choose_engines(journal.pairings, "calls", crew)
    rounds = rounds_of(stored.setting, journal.pairings, catalogue, stored.times)
    observers = with_bar(catalogue.observers, chosen["progress"])
    on_progress = chosen["on_progress"]
    return runs.play(stored.setting, engines, crew, on_progress, journal, observers, rounds)


def _require_replay(stored: StoredRun, changed: Sequence[int]) -> None:
    """Raise UsageError if the fights of changed players cannot be played anew."""
    if changed and stored.setting.is_scheduled:
        names = ", ".join(stored.players[place].name for place in changed)
        kind = f"run {stored.number} is a {stored.setting.schedule}"
        raise UsageError(f"{kind}: its rounds went by the results of {names}; keep or withdraw it")


def _begun(
    file: Store, stored: StoredRun, game: Game, catalogue: Catalogue, wanted: Wanted
) -> int | None:
    """Return how many rounds have begun of a run that goes by a schedule, if players come or leave.

    Raises UsageError if somebody arrives too late for the schedule.
    """
    from arena.store.reading import pairings_of
    from arena.store.recount import rounds_begun

    if not stored.setting.is_scheduled or not (wanted.arriving or wanted.withdrawn):
        return None
    rounds = rounds_of(stored.setting, pairings_of(stored, game), catalogue, stored.times)
    assert isinstance(rounds, Scheduled)
    if wanted.arriving and not rounds.takes_late_entrants:
        kind = stored.setting.schedule
        raise UsageError(f"run {stored.number} is a {kind}: nobody enters it after it began")
    with file.read() as connection:
        return rounds_begun(connection, stored, game, rounds)


def _require_streams(file: Store, stored: StoredRun) -> None:
    if stored.streams != STREAMS:
        raise UsageError(
            f"run {stored.number} of {quoted(file.name)} is from an arena under which the same seed"
            " gave other games: it can be shown and verified, but not resumed"
        )


def show(
    store: StoreLike,
    run: int | None = None,
    catalogue: Catalogue | None = None,
    count_forfeits: str | None = None,
) -> Played:
    """Return what the command of a run showed, or would show by now.

    Without a number, the last run. Neither the players are needed nor do they play.
    ``count_forfeits`` is as for :func:`arena.fight`, by default as it was for the run; UsageError
    if a sequential test went by another.
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
    """List the runs of a store, and below them its nights of :func:`regress` and its imports."""
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
    change since the night before, in points per game.
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
    """Return the game of a run; UsageError if its rules have another version here."""
    game = catalogue.game(stored.game)
    if game.version != stored.game_version:
        raise UsageError(
            f"run {stored.number} was played by version {stored.game_version} of the rules of"
            f" {game.name}; this is version {game.version}"
        )
    return game


def _players(
    stored: StoredRun, catalogue: Catalogue, leaving: Container[int] = ()
) -> dict[int, PlayerInfo]:
    """Return the players of a run by their places, without those who leave it.

    A tournament goes on without those whose files do not load.
    """
    is_fight, players = stored.setting.schedule == "fight", {}
    for name, place in stored.names.items():
        if place in leaving:
            continue
        player = stored.players[place]
        named = Named(name, player.spec or name)
        try:
            if is_fight:
                players[place] = catalogue.named_player(named, player.file)
            else:
                players[place] = named_entrant(named, catalogue, player.file)
        except UnknownName as error:
            raise UsageError(
                f"player {quoted(name)} of run {stored.number} is not here: it came from"
                f" {_origin(player)}"
            ) from error
    return players


def _origin(player: StoredPlayer) -> str:
    """Where a player is from that an installed plugin, or one in a file, offered."""
    if names_a_file(player.package):
        return f"the plugin {player.package}: add -p {player.package} before the command"
    return f"{player.package} {player.version}".strip()


def _changed(stored: StoredRun, players: Mapping[int, PlayerInfo]) -> list[int]:
    """Return the places of the players with changed code."""
    from arena.store.code import code_digest

    return [
        place
        for place, player in players.items()
        if stored.players[place].digest != code_digest(player)
    ]


def _refusal(file: Store, stored: StoredRun, changed: Sequence[int]) -> str:
    names = ", ".join(stored.players[place].name for place in changed)
    return (
        f"the code of {names} has changed since run {stored.number} of {quoted(file.name)} began;"
        " --changed-players keep goes on all the same, replay plays the fights of such players anew"
    )


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
