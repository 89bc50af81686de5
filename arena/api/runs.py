"""Resume, show, export and verify the runs in a store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from arena.api.common import StoreLike, named_entrant, open_catalogue
from arena.api.fights import make_crew
from arena.api.options import USUAL, ResumeOptions
from arena.errors import UnknownName, UsageError, quoted
from arena.fights import runs
from arena.fights.engines import choose_engines
from arena.fights.pairing import Pairing
from arena.fights.runs import Played
from arena.game import Game
from arena.names import Named, canonical, names_a_file
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.listings import Listing
from arena.records.runs import Export, VerifyReport
from arena.rng import STREAMS
from arena.sandbox.settings import Isolation
from arena.signatures import complete, takes

if TYPE_CHECKING:
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
    """
    from arena.store.journal import Journal
    from arena.store.reading import find_run, pairings_of
    from arena.store.sql import Store

    chosen = complete(resume, options)
    changed_players = chosen["changed_players"]
    if changed_players not in CHANGED:
        raise UsageError(f"changed players: {quoted(changed_players)} is not one of {CHANGED}")
    catalogue = open_catalogue(chosen["catalogue"], chosen["isolation"])
    file = Store(store)
    stored = find_run(file, run, unfinished=run is None)
    game = _game(stored, catalogue)
    if stored.streams != STREAMS:
        raise UsageError(
            f"run {stored.number} of {quoted(file.name)} is from an arena under which the same seed"
            " gave other games: it can be shown and verified, but not resumed"
        )
    catalogue = _isolated_as_before(stored, catalogue)
    players = _players(stored, catalogue)
    changed = _changed(stored, players)
    if changed and changed_players == "refuse":
        raise UsageError(_refusal(file, stored, changed))
    crew = make_crew(catalogue, chosen["executor"], chosen["workers"])
    pairings = pairings_of(stored, game, players)
    with Journal(file, stored.number, pairings) as journal:
        if changed_players == "replay":
            journal.forget(changed, players)
        journal.begin_again()
        engines = choose_engines(pairings, "calls", crew)
        observers = catalogue.observers
        on_progress = chosen["on_progress"]
        return runs.play(stored.setting, engines, crew, on_progress, journal, observers)


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
    from arena.store.recount import reread
    from arena.store.sql import open_to_read

    file = open_to_read(store)
    stored = find_run(file, run)
    game = _game(stored, catalogue or load_catalogue())
    usual = stored.options.get("count_forfeits", "all")
    if count_forfeits not in (None, usual):
        if stored.setting.sprt is not None:
            raise UsageError(f"the test of run {stored.number} went by count forfeits {usual!r}")
        stored = replace(stored, options={**stored.options, "count_forfeits": count_forfeits})
    with file.read() as connection:
        return reread(connection, stored, game)


def stored_runs(store: StoreLike) -> Listing:
    """List the runs of a store."""
    from arena.store.reading import read_runs
    from arena.store.sql import open_to_read

    with open_to_read(store).read() as connection:
        rows = tuple(_row(run) for run in read_runs(connection))
    contest = ["contest"] if any(row["contest"] for row in rows) else []
    columns = ("run", "started", "schedule", "game", "played", "games", "state", *contest)
    return Listing("runs", rows, columns)


def export(
    store: StoreLike, numbers: Sequence[int] = (), catalogue: Catalogue | None = None
) -> Export:
    """Export runs with all their games, by default every run, as they are at one moment."""
    from arena.store.reading import read_games, read_runs
    from arena.store.sql import open_to_read

    with open_to_read(store).read() as connection:
        found = read_runs(connection, numbers)
        return Export(
            tuple(
                {
                    **_row(run),
                    "contest_text": _text(run),
                    **read_games(connection, run, _openings(run, catalogue)),
                }
                for run in found
            )
        )


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


def _openings(run: StoredRun, catalogue: Catalogue | None) -> list[Pairing]:
    """Return the pairings of a run if they have openings; only then its game must be known."""
    from arena.store.reading import pairings_of

    if "openings" not in run.options:
        return []
    return pairings_of(run, _game(run, catalogue or load_catalogue()))


def history(store: StoreLike, player: str, game: str | None = None) -> Listing:
    """List the verdicts of a store's regression runs on a player, the oldest first."""
    from arena.store.nights import read_history
    from arena.store.sql import open_to_read

    rows = tuple(read_history(open_to_read(store), player, game))
    return Listing("history", rows, ("date", "game", "check", "outcome", "strength"))


def verify(store: StoreLike, catalogue: Catalogue | None = None) -> VerifyReport:
    """Check a store: the file, every game by the rules, every total; no player is run."""
    from arena.store import verify as checking
    from arena.store.sql import open_to_read

    return checking.verify(open_to_read(store), catalogue or load_catalogue())


def _game(stored: StoredRun, catalogue: Catalogue) -> Game:
    game = catalogue.game(stored.game)
    if game.version != stored.game_version:
        raise UsageError(
            f"run {stored.number} was played by version {stored.game_version} of the rules of"
            f" {game.name}; this is version {game.version}"
        )
    return game


def _players(stored: StoredRun, catalogue: Catalogue) -> list[PlayerInfo]:
    """Return the players of a run; a tournament goes on without those whose files do not load."""
    is_fight, players = stored.setting.schedule == "fight", []
    for player in stored.players:
        named = Named(player.name, player.spec or player.name)
        try:
            if is_fight:
                players.append(catalogue.named_player(named, player.file))
            else:
                players.append(named_entrant(named, catalogue, player.file))
        except UnknownName as error:
            raise UsageError(
                f"player {quoted(player.name)} of run {stored.number} is not here: it came from"
                f" {_origin(player)}"
            ) from error
    return players


def _origin(player: StoredPlayer) -> str:
    """Where a player is from that an installed plugin, or one in a file, offered."""
    if names_a_file(player.package):
        return f"the plugin {player.package}: add -p {player.package} before the command"
    return f"{player.package} {player.version}".strip()


def _isolated_as_before(stored: StoredRun, catalogue: Catalogue) -> Catalogue:
    """Return the catalogue with the isolation and limits of the run's earlier games.

    What it says of this itself stands. UnknownName for a limit of a player that the run has not.
    """
    names = [canonical(player.name) for player in stored.players]
    for name in catalogue.isolation.players:
        if name not in names:
            raise UnknownName(f"player of run {stored.number}", name, names)
    isolations = {}
    for player in stored.players:
        before = Isolation.from_limits({"tier": player.isolation or "none", **player.limits})
        isolations[player.name] = before.updated(catalogue.isolation.of(player.name))
    return catalogue.isolated(Isolation(players=isolations))


def _changed(stored: StoredRun, players: Sequence[PlayerInfo]) -> list[int]:
    """Return the places of the players with changed code."""
    from arena.store.code import code_digest

    return [
        place
        for place, (before, now) in enumerate(zip(stored.players, players, strict=True))
        if before.digest != code_digest(now)
    ]


def _refusal(file: Store, stored: StoredRun, changed: Sequence[int]) -> str:
    names = ", ".join(stored.players[place].name for place in changed)
    return (
        f"the code of {names} has changed since run {stored.number} of {quoted(file.name)} began;"
        " --changed-players keep goes on all the same, replay plays the fights of such players anew"
    )


def _row(run: StoredRun) -> dict[str, object]:
    planned = 2 * sum(fight.pairs for fight in run.fights)
    return {
        "run": run.number,
        "started": run.started,
        "finished": run.finished,
        "state": "open" if run.finished is None else "complete",
        "schedule": run.setting.schedule + " by SPRT" * (run.setting.sprt is not None),
        "game": run.game,
        "game_version": run.game_version,
        "seed": run.seed,
        "contest": run.setting.contest and run.setting.contest.name,
        "players": len(run.players),
        "played": sum(fight.games for fight in run.fights),
        "games": planned,
        "arena_version": run.arena_version,
        "python_version": run.python_version,
        "machine": run.machine,
    }
