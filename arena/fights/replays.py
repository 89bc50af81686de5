"""Show single games: as a record, and as a file that is read again."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

from arena.dataclass import dataclass
from arena.errors import ArenaError, UsageError, quoted
from arena.fights.forfeits import forfeited_games
from arena.files import MAX_FILE_BYTES, parse_json, read_bytes
from arena.game import WIN_FOR, Game, Outcome, Position, as_seat
from arena.games.display import picture_after, written_line
from arena.match.adjudication import Judge
from arena.match.by_referee import paid_by_referee, problem_by_referee
from arena.match.record import Forfeit, GameRecord
from arena.match.table import payoffs_after
from arena.model.codec import decode
from arena.plugin.catalogue import Catalogue
from arena.records.adjudication import NO_ADJUDICATION, Adjudication
from arena.records.base import Record
from arena.records.notes import NO_NOTES, GameNotes, WrittenNotes, by_name
from arena.records.replays import ReplayReport
from arena.records.thoughts import Thoughts
from arena.seats import Departure, chance_places, line_of


class PlayedGame(NamedTuple):
    """A game as it was played, or as far as it went."""

    moves: Sequence[int]
    #: None if it goes on.
    outcome: Outcome | None
    #: Its forfeits in their order, one at most in a game for two.
    forfeits: Sequence[Forfeit] = ()
    notes: GameNotes = NO_NOTES

    @classmethod
    def of(cls, record: GameRecord) -> Self:
        """Return a finished game."""
        return cls(record.moves, record.outcome, record.forfeits, record.notes)

    @property
    def departures(self) -> list[Departure]:
        """The seats that left a game for more than two, each after so many moves."""
        return [(each.ply, int(each.side)) for each in self.forfeits if each.ply is not None]


def report_of(
    game: Game,
    players: Sequence[str],
    played: PlayedGame,
    *,
    game_id: str | None,
    seed: int | None,
    opening: Position | None = None,
) -> ReplayReport:
    """Return a game with the picture after each move. The outcome of one that goes on is None."""
    moves, outcome, forfeits, *_ = played
    begin = game.start() if opening is None else opening
    positions = list(line_of(begin, moves, played.departures))
    described = forfeited_games(game_id, players, forfeits, moves, begin)
    return ReplayReport(
        game_id=game_id,
        game=game.name,
        game_version=game.version,
        seed=seed,
        players=tuple(players),
        opening="" if opening is None else str(opening),
        movers=tuple(int(position.to_move) for position in positions),
        moves=tuple(map(game.format_move, moves)),
        pictures=(positions[0].picture(), *map(picture_after, positions[1:], moves)),
        written=written_line(begin, moves) if not played.departures else (),
        outcome=outcome and outcome.value,
        payoffs=_payoffs(positions[-1], played) if outcome else None,
        **by_name(played.notes),
        forfeit=described[0] if described else None,
        forfeits=described if game.seats > 2 else (),
    )


def _payoffs(end: Position, played: PlayedGame) -> tuple[Fraction, ...] | None:
    """Return what a game paid that ended there, None if games pay nothing of their own."""
    game, out = end.game, [int(each.side) for each in played.forfeits]
    if not game.is_paid:
        return None
    if (paid := paid_by_referee(game, played.notes.referee, out)) is not None:
        return paid
    if game.seats == 2 or not out:
        return game.forfeit_payoffs(out[0]) if out else end.payoffs()
    return payoffs_after(game, end.payoffs(), out)


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
            if self.forfeiting is not None:
                return f"side {self.forfeiting} forfeits without a reason"
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
    #: The number of moves before it, in a game for more than two.
    ply: int | None = None


@dataclass(frozen=True)
class GameFile(WrittenNotes):
    """A game as a file has it, not yet compared with the rules."""

    SCHEMA = ReplayReport.SCHEMA
    KEYS = (
        "game players moves chance outcome game_version opening! forfeit forfeits payoffs seed"
        " game_id printed referee adjudicated thoughts completions"
    )

    game: str
    players: tuple[str, ...]
    #: In the game's notation.
    moves: tuple[str, ...]
    #: None for a game that goes on.
    outcome: Literal["first", "second", "draw", "over"] | None = None
    #: None in a file that is older than versions of rules.
    game_version: int | None = None
    opening: str = ""
    forfeit: FileForfeit | None = None
    #: All forfeits, and the payoffs, of a game for more than two.
    forfeits: tuple[FileForfeit, ...] = ()
    payoffs: tuple[Fraction, ...] | None = None
    seed: int | None = None
    game_id: str | None = None
    #: The places, from 1, of the moves that are chance's. A file need not have them.
    chance: tuple[int, ...] = ()

    def lost_by(self) -> tuple[Forfeit, ...]:
        """Return the forfeits with their sides. Raises UsageError if a player does not play."""
        forfeits = self.forfeits or (() if self.forfeit is None else (self.forfeit,))
        return tuple(map(self._with_side, forfeits))

    def _with_side(self, forfeit: FileForfeit) -> Forfeit:
        if forfeit.player not in self.players:
            raise UsageError(f"{quoted(forfeit.player)} forfeits and does not play")
        place = self.players.index(forfeit.player)
        side = as_seat(place, len(self.players))
        words = forfeit.reason, forfeit.message, forfeit.where, forfeit.remedy
        return Forfeit(side, *words, forfeit.ply)

    def require_adjudication(self) -> None:
        """Raise UsageError if it does not have the outcome that ends it by scores."""
        if self.adjudicated and len(self.players) > 2:
            raise UsageError("a game for more than two is not adjudicated")
        outcomes = {"": (self.outcome,), "resign": ("first", "second"), "draw": ("draw",)}
        if self.outcome not in outcomes[self.adjudicated]:
            raise UsageError(f"it is {self.outcome!r} and adjudicated by {self.adjudicated!r}")


def _problem_of(read: GameFile, begin: Position, forfeits: Sequence[Forfeit]) -> str | None:
    """Return what the rules say against a game in a file, None if nothing."""
    if begin.game.seats > 2:
        from arena.fights.table_replays import NotedTable, problem_of_table  # few are

        noted = NotedTable(read.moves, forfeits, read.payoffs, read.referee, read.outcome)
        return problem_of_table(begin, noted)
    by_rules = None if read.adjudicated else read.outcome  # the file lacks the option's numbers
    lost = (int(forfeits[0].side), forfeits[0].reason) if forfeits else (None, None)
    problem = NotedGame(begin, read.moves, by_rules, *lost).problem()
    out = [int(each.side) for each in forfeits]
    return problem or problem_by_referee(begin.game, read.referee, read.moves, out)


def replay_from(record: Any, catalogue: Catalogue) -> ReplayReport:
    """Read the JSON of a game and check it by the rules. Raises UsageError, without its name."""
    read = decode(GameFile, record)
    game = catalogue.game(read.game)
    if read.game_version not in (None, game.version):
        raise UsageError(
            f"it was played by version {read.game_version} of the rules of {game.name};"
            f" this is version {game.version}"
        )
    forfeits, begin = read.lost_by(), game.parse(read.opening) if read.opening else None
    read.require_adjudication()
    if len(read.players) != game.seats:
        raise UsageError(f"{game.name} has {game.seats} seats, and {len(read.players)} play")
    problem = _problem_of(read, begin or game.start(), forfeits)
    if problem is not None:
        raise UsageError(problem)
    moves = [game.parse_move(move) for move in read.moves]
    departures = [(each.ply, int(each.side)) for each in forfeits if each.ply is not None]
    chance = chance_places(begin or game.start(), moves, departures)
    if read.chance not in ((), chance):
        raise UsageError(f"chance makes the moves {list(chance)}, not {list(read.chance)}")
    outcome = None if read.outcome is None else Outcome(read.outcome)
    notes = read.read(read.players)
    if notes.thoughts and (late := notes.thoughts[-1][0]) >= len(moves):
        raise UsageError(f"it has a thought on move {late + 1} and {len(moves)} moves")
    played = PlayedGame(moves, outcome, forfeits, notes)
    return report_of(
        game, read.players, played, game_id=read.game_id, seed=read.seed, opening=begin
    )
