"""Read the runs of a store: as records, as rows of a list, and with all their games."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from arena.errors import UsageError
from arena.fights.pairing import RunSetting
from arena.game import Game
from arena.model.defaults import DEFAULT_COUNT_FORFEITS
from arena.model.seatings import ROTATIONS, games_a_block
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from arena.records.exports import ExportedRun, ListedRun
from arena.records.played import Played
from arena.runs.rounds import rounds_of

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from arena.store.reading import StoredRun


def record_of_run(
    connection: Connection,
    stored: StoredRun,
    catalogue: Catalogue,
    count_forfeits: str | None = None,
) -> Played:
    """Return the record of a run that was read."""
    from arena.store.reading import pairings_of
    from arena.store.recount import reread

    game = game_of(stored, catalogue)
    recorded = stored.options.get("count_forfeits", DEFAULT_COUNT_FORFEITS)
    if count_forfeits not in (None, recorded):
        if game.seats > 2:
            raise UsageError(f"run {stored.number} has tables: count forfeits is for games of two")
        if stored.setting.aim is not None:
            problem = f"the test of run {stored.number} went by count forfeits {recorded!r}"
            raise UsageError(problem)
        stored = replace(stored, options={**stored.options, "count_forfeits": count_forfeits})
    rounds = rounds_of(stored.setting, pairings_of(stored, game), catalogue, stored.times)
    return reread(connection, stored, game, catalogue.files, rounds)


def games_of_run(connection: Connection, run: StoredRun, catalogue: Catalogue) -> ExportedRun:
    """Return a run that was read, with all its games."""
    from arena.store.games import exported_changes, exported_fights

    game = _game_of_openings(run, catalogue)
    return ExportedRun(
        **_facts(run),
        contest_text=_contest_text(run),
        options=run.options,
        players=run.players,
        fights=tuple(exported_fights(connection, run, run.fights, game)),
        changes=tuple(exported_changes(run)),
        left_out=tuple(exported_fights(connection, run, run.past, game)),
    )


def _contest_text(run: StoredRun) -> str | None:
    return run.setting.contest and run.setting.contest.text


def _game_of_openings(run: StoredRun, catalogue: Catalogue | None) -> Game | None:
    """Return the game of a run if it has openings. No other run needs it."""
    if "openings" not in run.options:
        return None
    return game_of(run, catalogue or load_catalogue())


def game_of(stored: StoredRun, catalogue: Catalogue) -> Game:
    """Return the game of a run. Raises UsageError if its rules have another version here."""
    game = catalogue.game(stored.game)
    if game.version != stored.game_version:
        raise UsageError(
            f"run {stored.number} was played by version {stored.game_version} of the rules of"
            f" {game.name}; this is version {game.version}"
        )
    return game


def listed_run(run: StoredRun) -> ListedRun:
    """Return the row of a run in a list."""
    return ListedRun(**_facts(run), players=len(run.names))


def _facts(run: StoredRun) -> dict[str, Any]:
    """Return the fields of a :class:`RunFacts`."""
    played = sum(fight.games for fight in run.fights)
    seatings = run.options.get("seatings", ROTATIONS)
    planned: int | None = sum(
        games_a_block(len(fight.seats), seatings) * fight.pairs for fight in run.fights
    )
    if run.setting.is_by_rounds:  # its fights have as many pairs as its rounds ask for
        planned = None if run.finished is None else played
    return {
        "number": run.number,
        "started": run.started,
        "finished": run.finished,
        "state": _state(run),
        "schedule": _schedule(run.setting),
        "game": run.game,
        "game_version": run.game_version,
        "seed": run.seed,
        "contest": run.setting.contest and run.setting.contest.name,
        "played": played,
        "games": planned,
        "arena_version": run.arena_version,
        "python_version": run.python_version,
        "machine": run.machine,
    }


def _schedule(setting: RunSetting) -> str:
    """Return the schedule of a run, and what ends it early."""
    until = f" until {setting.until}" if setting.until else ""
    return setting.schedule + " by SPRT" * (setting.sprt is not None) + until


def _state(run: StoredRun) -> str:
    if run.finished is None:
        return "open"
    withdrawn = len(run.withdrawn & set(run.names.values()))
    return "complete" + f", {withdrawn} withdrawn" * bool(withdrawn)
