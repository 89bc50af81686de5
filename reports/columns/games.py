"""Declare the columns of single games, as an export has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from arena.model.columns import CSV, Column, Format
from arena.records.exports import ExportedGame, ExportedRun, ExternalGame
from arena.reports.cells import cell
from arena.seats import ended_word, winner_of

_FIGURES: tuple[Format, ...] = ("csv", "data")
_TABLES: tuple[Format, ...] = ("sheet", "data")
_COUNTED: tuple[Format, ...] = ("csv", *_TABLES)


class RunGame(NamedTuple):
    """A game, and the run that it belongs to."""

    game: ExportedGame | ExternalGame
    #: None for a game that was played elsewhere.
    run: ExportedRun | None = None

    @property
    def number(self) -> tuple[int | None, str]:
        """The number of the pair, None without one, and ``1`` or ``2`` for the game in it."""
        pair, _, place = getattr(self.game, "game_id", "").rpartition("/")[2].partition(".")
        return (int(pair) if pair else None), place

    @property
    def pairing(self) -> tuple[str | None, str | None]:
        """A and B of two players. A moves second in the second game of a pair."""
        pair, place = self.number
        if pair is None or len(self.game.players) > 2:
            return None, None
        first, second = self.game.players
        return (second, first) if place == "2" else (first, second)

    @property
    def marked_moves(self) -> list[str]:
        """The moves, those of chance in parentheses."""
        chance = {*self.game.chance}
        moves = enumerate(self.game.moves, start=1)
        return [f"({move})" if place in chance else move for place, move in moves]

    @property
    def payoffs(self) -> tuple[Fraction, ...] | None:
        """The payoff of each seat, None in a game without any."""
        return getattr(self.game, "payoffs", None)

    @property
    def winner(self) -> str | None:
        """The name of the winner; see winner_of."""
        return winner_of(self.game.players, self.game.outcome, self.payoffs)

    @property
    def result(self) -> str:
        """The winner in words, or that there is none."""
        return f"{self.winner} wins" if self.winner else ended_word(len(self.game.players))


def game_rows(run: ExportedRun) -> Iterator[RunGame]:
    """Yield the games of the fights of a run that count."""
    return (RunGame(game, run) for fight in run.fights for game in fight.games)


def _in_game(key: str) -> Callable[[RunGame], Any]:
    return lambda row: getattr(row.game, key, None)


def _in_run(key: str) -> Callable[[RunGame], Any]:
    return lambda row: row.run and getattr(row.run, key)


def _joined(key: str) -> Callable[[RunGame], str]:
    return lambda row: " ".join(map(str, getattr(row.game, key, None) or ()))


def _game_of(row: RunGame) -> str | None:
    """Return the name of the rules."""
    return row.run.game if row.run else getattr(row.game, "game", None)


#: The columns of a game. CSV has the name of its rules under ``game``, other formats its id.
PLAYED_GAME: tuple[Column[RunGame], ...] = (
    Column("run", _in_run("number"), CSV),
    Column("game", _game_of, CSV),
    Column("seed", _in_run("seed"), CSV),
    Column("game_id", _in_game("game_id"), title="game"),
    Column("game", _in_game("game_id"), _TABLES),
    Column("a", lambda row: row.pairing[0], _FIGURES),
    Column("b", lambda row: row.pairing[1], _FIGURES),
    Column("pair", lambda row: row.number[0], _FIGURES),
    Column("first", lambda row: row.game.players[0], _FIGURES),
    Column("second", lambda row: row.game.players[1], _FIGURES),
    Column("outcome", _in_game("outcome")),
    Column("winner", formats=_COUNTED),
    Column("result", formats=("data",)),
    Column("reason", _in_game("reason"), ("page", *_COUNTED), cell, title="forfeit"),
    Column("message", _in_game("message"), _FIGURES),
    Column("adjudicated", _in_game("adjudicated"), ("data",)),
    Column("seconds", _in_game("seconds"), CSV),
    Column("opening", _in_game("opening"), ("data",)),
    Column("plies", lambda row: len(row.game.moves), _COUNTED),
    Column("moves", lambda row: " ".join(row.marked_moves), ("page",)),
    Column("moves", lambda row: " ".join(row.game.moves), _COUNTED),
)

#: Those of games for more than two.
TABLE_GAME: tuple[Column[RunGame], ...] = (
    *(column for column in PLAYED_GAME if column.key not in ("a", "b", "first", "second")),
    Column("players", lambda row: ", ".join(row.game.players), ("page", *_COUNTED)),
    Column("payoffs", _joined("payoffs"), ("page", *_COUNTED)),
)


#: Those of games with payoffs of their own, and of games with luck. ``chance`` has the places of
#: its moves, from 1.
_PAID = Column[RunGame]("payoffs", _joined("payoffs"), ("page", *_COUNTED))
_CHANCE = Column[RunGame]("chance", _joined("chance"), _COUNTED)


def game_columns(rows: Sequence[RunGame]) -> Sequence[Column[RunGame]]:
    """Return the columns of these games, of two players or of more."""
    is_table = any(len(row.game.players) > 2 for row in rows)
    columns = [*(TABLE_GAME if is_table else PLAYED_GAME)]
    if not is_table and any(row.payoffs is not None for row in rows):
        columns.append(_PAID)
    if any(row.game.chance for row in rows):
        columns.append(_CHANCE)
    return columns


#: The columns of a game that was played elsewhere.
IMPORTED = tuple(
    column
    for column in PLAYED_GAME
    if column.key in ("first", "second", "winner", "result", "opening", "plies", "moves")
)
