"""Find the single games of a record, for the formats of games that other programs read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from arena.errors import UsageError
from arena.game import Game, Outcome, Position, Side
from arena.games.walk import walked
from arena.records.base import Json, Record
from arena.records.exports import Export
from arena.records.replays import ReplayReport
from arena.records.thoughts import Thoughts, thoughts_from


@dataclass(frozen=True)
class SingleGame:
    """One game with its rules."""

    game: Game
    #: The position before the first move, and whether it is an opening.
    begin: Position
    is_opening: bool
    moves: tuple[int, ...]
    #: None for a game that goes on.
    outcome: Outcome | None
    #: The names of the first and the second side.
    players: tuple[str, str]
    event: str = ""
    #: The day, such as ``2026-11-22``.
    date: str = ""
    #: ``PAIR.1`` or ``PAIR.2``.
    round: str = ""
    #: Empty for a game that was played elsewhere.
    game_id: str = ""
    #: The side that lost without being beaten, why, and what is known of it.
    forfeit: tuple[Side, str, str] | None = None
    #: The file's words on a game that was played elsewhere: its tags and its comments.
    tags: Mapping[str, str] | None = None
    comments: tuple[tuple[int, str], ...] = ()
    #: The thoughts of engines on their moves.
    thoughts: Thoughts = ()

    def steps(self) -> Iterator[tuple[Position, int, Position]]:
        """Yield each move with the positions before and after it."""
        position = self.begin
        for move in self.moves:
            after = position.play(move)
            yield position, move, after
            position = after

    def end(self) -> Position:
        """Return the position after the last move."""
        return walked(self.begin, self.moves)


def single_games(record: Record, style: str) -> Iterator[SingleGame]:
    """Yield the games of an export or a replay. Raises UsageError for another record."""
    if isinstance(record, ReplayReport) and record.rules is not None:
        yield _replayed(record.rules, record)
        return
    if not isinstance(record, Export):
        raise UsageError(f"format {style} is for single games: arena export --format {style}")
    for run in record.runs:
        rules = _rules(record, run["game"])
        for fight in (*run["fights"], *run.get("left_out", ())):
            for game in fight["games"]:
                yield _played_here(rules, run, game)
    for imported in record.imports:
        for game in imported["games"]:
            yield _played_elsewhere(_rules(record, game["game"]), game)


def _rules(record: Export, name: str) -> Game:
    if name not in record.rules:
        raise UsageError(f"game {name!r} is not installed, so that its games cannot be written")
    return record.rules[name]


def _played_here(game: Game, run: Json, played: Json) -> SingleGame:
    side = played["forfeit_side"]
    return replace(
        _bare(game, played),
        event=run["contest"] or f"arena {run['schedule']}",
        date=run["started"][:10],
        round=played["game_id"].rpartition("/")[2],
        game_id=played["game_id"],
        forfeit=None if side is None else (Side(side), played["reason"], played["message"] or ""),
    )


def _played_elsewhere(game: Game, played: Json) -> SingleGame:
    tags = played["tags"]
    return replace(
        _bare(game, played),
        event=tags.get("Event", "?"),
        date=tags.get("Date", "????.??.??").replace(".", "-"),
        round=tags.get("Round", "?"),
        tags=tags,
        comments=tuple(played["comments"]),
    )


def _replayed(game: Game, replay: ReplayReport) -> SingleGame:
    bare, forfeit = _bare(game, replay.as_json()), replay.forfeit
    loser = Side.FIRST if bare.outcome is Outcome.SECOND_WINS else Side.SECOND
    return replace(
        bare,
        event="arena",
        date="????-??-??",
        round=(replay.game_id or "?").rpartition("/")[2],
        game_id=replay.game_id or "",
        forfeit=None if forfeit is None else (loser, forfeit.reason, forfeit.message),
    )


def _bare(game: Game, played: Json) -> SingleGame:
    """Return what every stored game has."""
    opening, (first, second) = played["opening"], played["players"]
    return SingleGame(
        game=game,
        begin=game.start() if opening is None else game.parse(opening),
        is_opening=opening is not None,
        moves=tuple(map(game.parse_move, played["moves"])),
        outcome=None if played["outcome"] is None else Outcome(played["outcome"]),
        players=(first, second),
        thoughts=thoughts_from(played.get("thoughts", [])),
    )
