"""Check a store: the file, every game by the rules, every total. No player runs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from typing import Any

from sqlalchemy import JSON, Connection, select

from arena.errors import ArenaError, counted
from arena.features.verify.record import Divergence, VerifyReport
from arena.fights.pairing import Pairing, RunSetting, path_from
from arena.fights.replays import NotedGame
from arena.fights.table_replays import NotedTable, problem_of_table
from arena.fractions import fraction_of
from arena.game import Game, Position
from arena.games.walk import walked
from arena.match.by_referee import paid_by_referee, problem_by_referee, referee_seed
from arena.plugin.catalogue import Catalogue
from arena.records.base import Json
from arena.records.exports import ExternalGame
from arena.records.fought import Fought
from arena.store import schema
from arena.store.imports import problem_of, read_imported
from arena.store.notes import StoredNotes, read_note, seat_forfeit
from arena.store.reading import (
    StoredFight,
    StoredRun,
    game_rows,
    legible,
    pairings_of,
    read_runs,
)
from arena.store.recount import reread_fights
from arena.store.sql import Store


def verify(store: Store, catalogue: Catalogue) -> VerifyReport:
    """Check that the store is as arena wrote it. The report names the first divergence."""
    stored, imported, parts = list[StoredRun](), 0, list[str]()
    with store.read() as connection:
        divergence = next(
            (Divergence(None, *part) for part in store.database.damage(connection)), None
        )
        try:
            stored = [] if divergence else read_runs(connection)
            for run in stored:
                divergence = divergence or _first_of(connection, run, catalogue)
                parts += [_run_text(run)] if divergence is None else []
            for game in () if divergence else read_imported(connection):
                imported += 1
                divergence = divergence or _foreign(game, catalogue)
            if divergence is None:
                _read_reports(connection)
        except schema.Unreadable as error:
            divergence = Divergence(None, "file", str(error))
    if imported and divergence is None:
        parts.append(f"{counted(imported, 'game')} that were played elsewhere")
    games = sum(map(_games_of, stored)) + imported
    return VerifyReport(store.name, len(stored), games, divergence, checked_parts=tuple(parts))


def _read_reports(connection: Connection) -> None:
    """Read what is JSON in regression runs and contests. Raises Unreadable if a value is not."""
    for table in (schema.regression_runs, schema.conducted, schema.hand_ins):
        columns = [column for column in table.c if isinstance(column.type, JSON)]
        with legible(table.name):
            connection.execute(select(*columns)).all()


def _games_of(run: StoredRun) -> int:
    return sum(fight.games for fight in (*run.fights, *run.past))


def _run_text(run: StoredRun) -> str:
    """Say what a run has that was checked."""
    fights = counted(len(run.fights) + len(run.past), "fight")
    games = counted(_games_of(run), "game")
    return f"run {run.number} at {run.game}, version {run.game_version}: {fights}, {games}"


def _first_of(connection: Connection, run: StoredRun, catalogue: Catalogue) -> Divergence | None:
    try:
        return next(_check(connection, run, catalogue), None)
    except (ArenaError, schema.Unreadable) as error:
        return Divergence(run.number, "run", str(error))


def _foreign(game: ExternalGame, catalogue: Catalogue) -> Divergence | None:
    """Return the rules' objection to a game that was played elsewhere."""
    try:
        problem = problem_of(game, catalogue.game(game.game))
    except ArenaError as error:
        problem = str(error)
    where = f"imported game of {' and '.join(game.players)}, line {game.line}"
    return None if problem is None else Divergence(None, where, problem)


def _check(connection: Connection, run: StoredRun, catalogue: Catalogue) -> Iterator[Divergence]:
    game = catalogue.game(run.game)
    if game.version != run.game_version:
        problem = f"played by version {run.game_version} of the rules; this is {game.version}"
        yield Divergence(run.number, "run", problem)
        return
    fights = *run.fights, *run.past
    for fight, pairing in zip(fights, pairings_of(run, game, fights=fights), strict=True):
        if fight.games:
            yield from _check_games(connection, run, fight, pairing)
    yield from _check_totals(connection, run, game)


def _check_games(
    connection: Connection, run: StoredRun, fight: StoredFight, pairing: Pairing
) -> Iterator[Divergence]:
    """Check every game of a fight by the rules, and every pair for being whole."""
    rows_of_fight = game_rows(connection, run.number, fight.number)
    for pair, rows in groupby(rows_of_fight, lambda row: row.pair):
        halves = list(rows)
        is_ours = pair in range(1, fight.pairs + 1)
        path = path_from(pairing.path, pairing.opening(pair) if is_ours else None)
        games = list(range(1, pairing.games_a_pair + 1))
        if [row.half for row in halves] != games or not is_ours:
            where = f"{path}/{pair}.{halves[0].half}"
            yield Divergence(run.number, where, "its pair is not whole, or not one of the fight")
        for row in halves:
            problem = _problem(pairing, pairing.begin(pair), row)
            if problem is not None:
                yield Divergence(run.number, f"{path}/{pair}.{row.half}", problem)


def _problem(pairing: Pairing, position: Position, row: Any) -> str | None:
    """Return the rules' objection to a stored game from this position, or None."""
    if not isinstance(row.moves, str):
        return "its moves are not text"
    moves = row.moves.split()
    with legible(f"the note of pair {row.pair}"):
        note = read_note(row.note)
        scores = note.adjudicated, note.thoughts
    if note.referee and note.referee.seed != referee_seed(pairing.game_id(row.pair, row.half - 1)):
        return f"its referee had the seed {note.referee.seed}, which is another game's"
    if pairing.others:
        return _problem_of_table(position, moves, note, row)
    noted = NotedGame(position, moves, row.outcome, row.forfeit_side, row.reason, *scores)
    problem = noted.problem(pairing.adjudication)
    if problem is None and row.reason is None:
        problem = problem_by_referee(pairing.game, note.referee, moves, ())
    if problem is None and pairing.game.is_paid and row.reason is None:
        paid = paid_by_referee(pairing.game, note.referee, ())
        end = walked(position, map(pairing.game.parse_move, moves))
        problem = _problem_of_payoffs(paid or end.payoffs(), row)
    return problem


def _problem_of_table(
    position: Position, moves: Sequence[str], note: StoredNotes, row: Any
) -> str | None:
    """Return the rules' objection to a stored game for more than two, or None."""
    forfeits = [*map(seat_forfeit, note.forfeits)]
    first = (int(forfeits[0].side), forfeits[0].reason) if forfeits else (None, None)
    if (row.forfeit_side, row.reason) != first:
        return f"its first forfeit is {row.forfeit_side}, {row.reason}, and by its note {first}"
    if row.outcome is not None:
        return f"it is {row.outcome!r}, and games for more than two have payoffs alone"
    try:
        payoffs = None if row.payoffs is None else [*map(fraction_of, row.payoffs.split())]
    except (AttributeError, ValueError):
        return f"its payoffs are {row.payoffs!r}"
    return problem_of_table(position, NotedTable(moves, forfeits, payoffs, note.referee))


def _problem_of_payoffs(paid: Sequence[Fraction] | None, row: Any) -> str | None:
    """Return how the payoffs of a stored game differ from those by the rules, or None."""
    by_rules = None if paid is None else " ".join(map(str, paid))
    if row.payoffs == by_rules:
        return None
    return f"it paid {row.payoffs}, by the rules {by_rules}"


def _check_totals(connection: Connection, run: StoredRun, game: Game) -> Iterator[Divergence]:
    """Check the stored results of a finished run against its games."""
    if not run.fights:
        return
    counted = reread_fights(connection, run, game)
    for stored, fight in zip(run.fights, counted, strict=True):
        if stored.result is not None:
            yield from _check_result(run.number, stored.result, fight)
        elif run.finished is not None and not fight.is_someone_withdrawn and fight.planned:
            names = " against ".join(fight.players)
            yield Divergence(
                run.number, names, "the run is complete, but this fight does not have a result"
            )
    for stored in run.past:
        if stored.result is not None:
            setting = run.setting if run.setting.is_by_rounds else RunSetting("fight")
            alone = replace(run, setting=setting, fights=(stored,))
            [fight] = reread_fights(connection, alone, game)
            yield from _check_result(run.number, stored.result, fight)


#: What a result says of players that games do not tell.
_OF_PLAYERS = frozenset(("remembers",))


def _check_result(run: int, noted: Json, fight: Fought) -> Iterator[Divergence]:
    """Check a stored result, in which one of an older arena may lack keys."""
    derived = json.loads(json.dumps(fight.as_json()))
    keys = sorted(noted.keys() - _OF_PLAYERS)
    for key in [key for key in keys if not _agree(noted[key], derived.get(key))]:
        problem = f"{key} is {noted[key]} in its result, {derived.get(key)} by its games"
        yield Divergence(run, " against ".join(fight.players), problem)


def _agree(noted: Any, derived: Any) -> bool:
    """Return whether a noted value is the found one, which may have keys of a later arena."""
    if isinstance(noted, dict) and isinstance(derived, dict):
        noted = {key: value for key, value in noted.items() if key not in _OF_PLAYERS}
        return all(key in derived and _agree(value, derived[key]) for key, value in noted.items())
    if isinstance(noted, list) and isinstance(derived, list):
        return len(noted) == len(derived) and all(map(_agree, noted, derived))
    return bool(noted == derived)
