"""Show single games: as a record, and as a file that is read again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, NamedTuple

from arena.dataclass import dataclass
from arena.errors import ArenaError, UsageError, quoted
from arena.fights.forfeits import forfeited_game
from arena.files import MAX_FILE_BYTES, parse_json, read_bytes
from arena.game import WIN_FOR, Game, Outcome, Position, Side
from arena.games.display import picture_after, written_line
from arena.match.adjudication import Judge
from arena.match.record import Forfeit
from arena.model.codec import decode
from arena.plugin.catalogue import Catalogue
from arena.records.adjudication import NO_ADJUDICATION, Adjudication
from arena.records.base import Record
from arena.records.prints import Printed, PrintedText
from arena.records.refereed import Refereed
from arena.records.replays import ReplayReport
from arena.records.thoughts import MoveThought, Thoughts, thoughts_by_ply

#: The moves, the outcome and the forfeit of a game: a GameRecord, or the same of one that goes on.
Played = tuple[Sequence[int], Outcome | None, Forfeit | None]


def report_of(
    game: Game,
    players: tuple[str, str],
    played: Played,
    *,
    game_id: str | None,
    seed: int | None,
    opening: Position | None = None,
    printed: tuple[Printed, ...] = (),
) -> ReplayReport:
    """Return a game with the picture after each move. The outcome of one that goes on is None."""
    moves, outcome, forfeit = played
    positions = [game.start() if opening is None else opening]
    for move in moves:
        positions.append(positions[-1].play(move))
    return ReplayReport(
        game_id=game_id,
        game=game.name,
        game_version=game.version,
        seed=seed,
        players=players,
        opening="" if opening is None else str(opening),
        movers=tuple(int(position.to_move) for position in positions),
        moves=tuple(map(game.format_move, moves)),
        pictures=(positions[0].picture(), *map(picture_after, positions[1:], moves)),
        written=written_line(positions[0], moves),
        outcome=outcome and outcome.value,
        payoffs=_payoffs(positions[-1], forfeit) if outcome else None,
        printed=printed,
        forfeit=forfeit
        and forfeited_game(game_id, players[forfeit.side], forfeit, positions[0], moves),
    )


def _payoffs(end: Position, forfeit: Forfeit | None) -> tuple[Fraction, ...] | None:
    """Return what a game paid that ended there, None if games pay nothing of their own."""
    game = end.game
    if not game.is_paid:
        return None
    return end.payoffs() if forfeit is None else game.forfeit_payoffs(forfeit.side)


class NotedGame(NamedTuple):
    """A game as it was noted, not yet compared with the rules."""

    begin: Position
    moves: Sequence[str]
    #: The value of an outcome, None for a game that goes on.
    outcome: str | None
    #: The number of the side that lost without being beaten, and why; None if neither did.
    forfeiting: int | None
    reason: str | None
    #: ``resign`` or ``draw`` if scores ended it, and the scores.
    adjudicated: str = ""
    thoughts: Thoughts = ()

    def problem(self, adjudication: Adjudication = NO_ADJUDICATION) -> str | None:
        """Return what the rules say against it, None if nothing.

        The ``adjudication`` may have ended it before they do.
        """
        position = self.begin
        scores = {ply + position.ply: thought for ply, thought in self.thoughts}
        judge = Judge(adjudication, (scores, scores))
        for ply, text in enumerate(self.moves, start=1):
            try:
                judge.see(position.to_move, position.ply)
                position = position.play(position.game.parse_move(text))
            except ArenaError as error:
                return f"move {ply}: {error}"
        ended, how = position.outcome(), ""
        if self.reason is None:
            if ended is None and (ending := judge.ending(position)) is not None:
                ended, how = ending
            if how != self.adjudicated:
                return f"its scores end it by {how or 'nothing'!r}, not by {self.adjudicated!r}"
            noted, by_rules = _in_words(self.outcome), _in_words(ended and ended.value)
            return None if noted == by_rules else f"it is {noted!r}, by the rules {by_rules!r}"
        if ended is not None:
            return f"a forfeit ({self.reason}) after the game was over"
        if self.forfeiting not in (0, 1) or self.outcome != WIN_FOR[not self.forfeiting].value:
            noted = _in_words(self.outcome)
            return f"it is {noted!r} by a forfeit of side {self.forfeiting}"
        return None


def _in_words(outcome: str | None) -> str:
    return "not over" if outcome is None else outcome


def read_replay(path: Path, catalogue: Catalogue, line: int | None = None) -> ReplayReport:
    """Read the game in a file and check it by the rules. Raises UsageError for any error.

    A file may have a game a ``line``, counted from 1.
    """
    try:
        return replay_from(_game_in(path, line), catalogue)
    except ArenaError as error:
        raise UsageError(f"game {quoted(str(path))}: {error}") from error


def _game_in(path: Path, line: int | None) -> Any:
    content = read_bytes(path, MAX_FILE_BYTES)
    lines = content.splitlines()
    if line is not None:
        if not 1 <= line <= len(lines):
            raise UsageError(f"there is no line {line}: it has {len(lines)}")
        return parse_json(lines[line - 1])
    try:
        return parse_json(content)
    except UsageError:
        if len(lines) > 1 and _is_json(lines[0]):
            problem = f"it has {len(lines)} lines, each a game: name one, as {path}:1"
            raise UsageError(problem) from None
        raise


def _is_json(line: bytes) -> bool:
    try:
        parse_json(line)
    except UsageError:
        return False
    return True


@dataclass(frozen=True)
class FileForfeit(Record):
    """The forfeit of a game in a file."""

    player: str
    reason: str
    message: str
    #: Files did not always have these.
    where: str = ""
    remedy: str = ""


@dataclass(frozen=True)
class GameFile(Record):
    """A game as a file has it, not yet compared with the rules."""

    SCHEMA = ReplayReport.SCHEMA
    KEYS = (
        "game players moves outcome game_version opening! forfeit seed game_id printed referee"
        " adjudicated thoughts"
    )

    game: str
    players: tuple[str, str]
    #: In the game's notation.
    moves: tuple[str, ...]
    #: None for a game that goes on.
    outcome: Literal["first", "second", "draw"] | None = None
    #: None in a file that is older than versions of rules.
    game_version: int | None = None
    opening: str = ""
    forfeit: FileForfeit | None = None
    seed: int | None = None
    game_id: str | None = None
    printed: tuple[PrintedText, ...] = ()
    referee: Refereed | None = None
    adjudicated: Literal["", "resign", "draw"] = ""
    thoughts: tuple[MoveThought, ...] = ()

    def lost_by(self) -> Forfeit | None:
        """Return the forfeit with its side. Raises UsageError if its player does not play."""
        forfeit = self.forfeit
        if forfeit is None:
            return None
        if forfeit.player not in self.players:
            raise UsageError(f"{quoted(forfeit.player)} forfeits and does not play")
        side = Side(self.players.index(forfeit.player))
        return Forfeit(side, forfeit.reason, forfeit.message, forfeit.where, forfeit.remedy)

    def require_adjudication(self) -> None:
        """Raise UsageError if it does not have the outcome that ends it by scores."""
        outcomes = {"": (self.outcome,), "resign": ("first", "second"), "draw": ("draw",)}
        if self.outcome not in outcomes[self.adjudicated]:
            raise UsageError(f"it is {self.outcome!r} and adjudicated by {self.adjudicated!r}")

    def thoughts_by_ply(self) -> Thoughts:
        """Return the thoughts. Raises UsageError if one is on a move that was not made."""
        thoughts, moves = thoughts_by_ply(self.thoughts), len(self.moves)
        if thoughts and thoughts[-1][0] >= moves:
            raise UsageError(f"it has a thought on move {thoughts[-1][0] + 1} and {moves} moves")
        return thoughts


def replay_from(record: Any, catalogue: Catalogue) -> ReplayReport:
    """Read the JSON of a game and check it by the rules. Raises UsageError, without its name."""
    read = decode(GameFile, record)
    game = catalogue.game(read.game)
    if read.game_version not in (None, game.version):
        raise UsageError(
            f"it was played by version {read.game_version} of the rules of {game.name};"
            f" this is version {game.version}"
        )
    forfeit, begin = read.lost_by(), game.parse(read.opening) if read.opening else None
    lost = (int(forfeit.side), forfeit.reason) if forfeit else (None, None)
    read.require_adjudication()
    by_rules = None if read.adjudicated else read.outcome  # the file lacks the option's numbers
    problem = NotedGame(begin or game.start(), read.moves, by_rules, *lost).problem()
    if problem is not None:
        raise UsageError(problem)
    moves = [game.parse_move(move) for move in read.moves]
    outcome = None if read.outcome is None else Outcome(read.outcome)
    report = report_of(
        game,
        read.players,
        (moves, outcome, forfeit),
        game_id=read.game_id,
        seed=read.seed,
        opening=begin,
        printed=tuple(each.printed(read.players) for each in read.printed),
    )
    return replace(
        report,
        referee=read.referee,
        thoughts=read.thoughts_by_ply(),
        adjudicated=read.adjudicated,
    )
