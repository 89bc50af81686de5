"""Append the games of a run to a file of PGN while it plays."""

from __future__ import annotations

import os
from collections.abc import Container, Sequence
from dataclasses import replace
from io import TextIOWrapper

from arena.clock import timestamp
from arena.errors import UsageError, one_line
from arena.fights.pairing import Pairing
from arena.files import naming
from arena.game import Outcome, Side
from arena.plugin.observers import Observer, Observers
from arena.records.notes import notes_of
from arena.records.observers import GameResult, Run
from arena.reports.pgn import written
from arena.reports.single_games import SingleGame, Timing, timing_of

#: How the line of the tag with a game's id begins.
_ID = '[GameId "'


def with_pgn(
    observers: Observers,
    file: str | os.PathLike[str] | None,
    pairings: Sequence[Pairing],
    goes_on: bool = False,
) -> Observers:
    """Return the observers of a run, and the file that its games are appended to, if it has one.

    A run that ``goes_on`` leaves out the games that the file has already. Raises UsageError for a
    file that does not open.
    """
    if file is None:
        return observers
    if pairings[0].others:
        raise UsageError(f"PGN is for games of two, and {pairings[0].game.name} has more seats")
    if not isinstance(file, str | os.PathLike):
        raise UsageError(f"a PGN file is a path, not {one_line(repr(file))}")
    with naming("PGN file", file):
        try:
            stream = open(file, "a", encoding="utf-8", newline="\n")  # noqa: SIM115 (as long as it plays)
        except ValueError as error:  # a null character
            raise UsageError("is not the name of a file") from error
    games = PgnFile(stream, pairings, _ids_in(file) if goes_on else ())
    write = Observer("pgn", "arena_game_end", games.write, ("game", "run"))
    end = Observer("pgn", "arena_run_end", stream.close, ())
    members = (*observers.members, write, end)
    return replace(observers, members=members)


def _ids_in(file: str | os.PathLike[str]) -> set[str]:
    """Return the ids of the games that a file has."""
    with open(file, encoding="utf-8", errors="replace") as lines:
        return {line[len(_ID) : -3] for line in lines if line.startswith(_ID)}


class PgnFile:
    """Writes the games of these pairings, each as soon as it is its turn."""

    def __init__(
        self, stream: TextIOWrapper, pairings: Sequence[Pairing], written: Container[str]
    ) -> None:
        self._stream, self._written = stream, written
        self._rules = pairings[0].game
        self._players = {
            name: player
            for each in pairings
            for name, player in zip(each.names, (each.a, each.b), strict=True)
        }
        self._date = timestamp()[:10]

    def write(self, game: GameResult, run: Run) -> None:
        """Append a game, and let other programs read it."""
        if game.game_id in self._written:
            return
        self._stream.write(written(self._single(game, run)))
        self._stream.flush()

    def _single(self, game: GameResult, run: Run) -> SingleGame:
        rules, forfeit, outcome = self._rules, game.forfeit, Outcome(game.outcome)
        first, second = game.players
        loser = Side.FIRST if outcome is Outcome.SECOND_WINS else Side.SECOND
        return SingleGame(
            game=rules,
            begin=rules.parse(game.opening) if game.opening else rules.start(),
            is_opening=bool(game.opening),
            moves=tuple(map(rules.parse_move, game.moves)),
            outcome=outcome,
            players=(first, second),
            event=f"arena {run.schedule}",
            date=self._date,
            round=game.game_id.rpartition("/")[2],
            game_id=game.game_id,
            forfeit=None if forfeit is None else (loser, forfeit.reason, forfeit.message),
            notes=notes_of(game),
            timing=self._timing(game),
        )

    def _timing(self, game: GameResult) -> Timing:
        """Return what is known of the times of a game, from its players here."""
        players = [self._players[name] for name in game.players]
        engines = [(player.spec or player.name, player.version) for player in players]
        clocks = [dict(player.limits).get("clock", "") for player in players]
        return timing_of(engines, clocks, game.seconds, game.move_seconds, game.ended)
