"""Read the games of a store for people: all of a run, or one by its id."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Row

from arena.errors import UnknownName, UsageError, quoted
from arena.fights.pairing import GameId, fight_path, game_id
from arena.fractions import fraction_of
from arena.game import Game, Position
from arena.match.record import GameRecord
from arena.model.seatings import ROTATIONS, seating
from arena.player.names import name_meant
from arena.records.exports import ExportedFight, ExportedGame, PlayerChange
from arena.records.notes import by_name, written_notes
from arena.store.notes import StoredNotes, read_note
from arena.store.reading import (
    StoredFight,
    StoredRun,
    find_run,
    game_rows,
    legible,
    pairings_of,
    read_runs,
    record_of,
    seconds_of,
)
from arena.store.sql import Store
from arena.store.void import read_void


def find_game(connection: Connection, game: Game, named: GameId) -> GameRecord | None:
    """Return the record of the game of that id in the last run that has it.

    Its players may have the short names that tables show.
    """
    for run in reversed(read_runs(connection)):
        names = [player.name for player in run.players]
        players = tuple(name_meant(name, names) for name in named.players)
        if (run.game, run.seed) != (game.name, named.seed):
            continue
        for fight in (*run.fights, *reversed(run.past)):
            if tuple(run.players[place].name for place in fight.seats) != players:
                continue
            [pairing] = pairings_of(run, game, fights=[fight])
            how = named.engine, named.deals, named.seatings
            if (pairing.engine, pairing.deals, pairing.seatings) != how:
                continue
            opening = pairing.opening(named.pair) if named.pair <= fight.pairs else None
            if named.opening != ("" if opening is None else str(opening)):
                continue
            for row in game_rows(connection, run.number, fight.number):
                if (row.pair, row.half) == (named.pair, named.half + 1):
                    with legible(f"run {run.number}, fight {fight.number + 1}"):
                        return record_of(row, game)
    return None


def game_of_number(store: Store, number: int, rules: Callable[[str], Game]) -> str:
    """Return the id of a game of the last run by its number, from 1. Raises UsageError without."""
    run = find_run(store, None)
    with store.read() as connection:
        remaining = number
        for fight, pairing in zip(run.fights, pairings_of(run, rules(run.game)), strict=True):
            if 1 <= remaining <= fight.games:
                rows = game_rows(connection, run.number, fight.number)
                row = next(islice(rows, remaining - 1, None))
                return pairing.game_id(row.pair, row.half - 1)
            remaining -= fight.games
    games = sum(fight.games for fight in run.fights)
    raise UsageError(f"there is no game {number}: the last run of {quoted(store.name)} has {games}")


def fights_of_player(run: StoredRun, player: str) -> list[tuple[str, StoredRun]]:
    """Return the run with the fights of a player alone, and before it those of its earlier selves.

    Each comes with the spec of what played. The last that came stands first. Raises UsageError for
    a player that never was in the run.
    """
    names = dict.fromkeys(each.name for each in run.players)
    places = [place for place, each in enumerate(run.players) if each.name == player]
    if not places:
        raise UnknownName(f"player of run {run.number}", player, names)
    runs = []
    for place in reversed(places):
        fights = [f for f in (*run.fights, *run.past) if place in f.seats and f.games]
        spec = run.players[place].spec or player
        runs.append((spec, replace(run, fights=tuple(fights), past=())))
    return runs


def exported_changes(run: StoredRun) -> Iterator[PlayerChange]:
    """Yield the players that entered a run, were replaced or withdrawn."""
    for change in run.changes:
        replaced = None if change.replaces is None else run.players[change.replaces].name
        player = run.players[change.place].name
        yield PlayerChange(change.date, change.what, player, replaced, change.rounds)


def exported_fights(
    connection: Connection, run: StoredRun, fights: Sequence[StoredFight], game: Game | None
) -> Iterator[ExportedFight]:
    """Yield fights of a run, each with all its games. A run with openings needs its game."""
    void = read_void(connection, run, fights)
    pairings = pairings_of(run, game, fights=fights) if game is not None else []
    for place, fight in enumerate(fights):
        if run.setting.is_by_rounds and not (fight.games or void[place].void_pairs):
            continue  # no round asked for it
        names = tuple(run.players[place].name for place in fight.seats)
        seatings = run.options.get("seatings", ROTATIONS)
        path = fight_path(
            run.game, names, run.seed, run.engine(fight), run.options.get("deals", ""), seatings
        )
        with legible(path):
            games = []
            for row in game_rows(connection, run.number, fight.number):
                opening = pairings[place].opening(row.pair) if pairings else None
                games.append(_exported_game(row, path, names, opening, seatings))
        withdrawn = (player.withdrawn for player in void[place].players)
        yield ExportedFight(
            players=names,
            pairs=fight.pairs,
            void_pairs=tuple(void[place].void_pairs),
            withdrawn=dict(zip(names, withdrawn, strict=True)),
            games=tuple(games),
        )


def _exported_game(
    row: Row[Any], path: str, names: Sequence[str], opening: Position | None, seatings: str
) -> ExportedGame:
    sitting = tuple(names[place] for place in seating(len(names), seatings, row.half - 1))
    note = read_note(row.note)
    payoffs = None if row.payoffs is None else tuple(map(fraction_of, row.payoffs.split()))
    _require_seats(len(names), payoffs, note)
    if row.forfeit_side not in ((None,) if row.reason is None else range(len(names))):
        raise ValueError(f"seat {row.forfeit_side} forfeits")
    return ExportedGame(
        pair=row.pair,
        game_id=game_id(path, opening, row.pair, row.half - 1),
        opening=None if opening is None else str(opening),
        players=sitting,
        moves=tuple(row.moves.split()),
        outcome=row.outcome,
        forfeit_side=row.forfeit_side,
        reason=row.reason,
        message=row.message,
        seconds=seconds_of(row.seconds),
        payoffs=payoffs,
        where=note.where,
        remedy=note.remedy,
        move_seconds=note.measured or (),
        luck=note.luck,
        forfeits=note.forfeits,
        ended=note.ended,
        **by_name(written_notes(note, sitting)),
    )


def _require_seats(seats: int, payoffs: tuple[Fraction, ...] | None, note: StoredNotes) -> None:
    """Raise ValueError for payoffs or forfeits that are not those of these seats."""
    paid = payoffs or ()
    if len(paid) != seats and (paid or seats > 2):
        raise ValueError(f"the payoffs are {quoted(' '.join(map(str, paid)))}")
    if wrong := [each.seat for each in note.forfeits if not 0 <= each.seat < seats]:
        raise ValueError(f"seat {wrong[0]} forfeits")
