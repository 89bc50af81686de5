"""Show single games: as a record, and as a file that is read again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from arena.errors import ArenaError, UsageError, quoted
from arena.fights.forfeits import forfeited_game
from arena.files import MAX_FILE_BYTES, field_of, parse_json, read_bytes, require_schema, texts_of
from arena.game import WIN_FOR, Game, Outcome, Position, Side
from arena.games.display import picture_after, written_line
from arena.match.adjudication import Judge
from arena.match.record import Forfeit
from arena.plugin.catalogue import Catalogue
from arena.records.adjudication import BY_SCORES, NO_ADJUDICATION, Adjudication
from arena.records.prints import Printed
from arena.records.refereed import Refereed
from arena.records.replays import ReplayReport
from arena.records.thoughts import Thoughts, thoughts_from

REPLAY_SCHEMA = "arena.replay/1"

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
        printed=printed,
        forfeit=forfeit
        and forfeited_game(game_id, players[forfeit.side], forfeit, positions[0], moves),
    )


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


def replay_from(record: Any, catalogue: Catalogue) -> ReplayReport:
    """Read the JSON of a game and check it by the rules. Raises UsageError, without its name."""
    require_schema(record, REPLAY_SCHEMA)
    game = catalogue.game(field_of(record, "game", str))
    version = record.get("game_version", game.version)  # it was not always noted
    if version != game.version:
        raise UsageError(
            f"it was played by version {quoted(str(version))} of the rules of {game.name};"
            f" this is version {game.version}"
        )
    players, moves = texts_of(record, "players"), texts_of(record, "moves")
    if len(players) != 2:
        raise UsageError(f"it has {len(players)} players, not 2")
    forfeit = None if record.get("forfeit") is None else _forfeit(record, players)
    outcome = record.get("outcome")
    if outcome not in (None, *(possible.value for possible in Outcome)):
        raise UsageError(f"its outcome is {quoted(str(outcome))}, which is not an outcome")
    opening = field_of(record, "opening", str) if record.get("opening") else ""
    begin = game.parse(opening) if opening else None
    lost = (int(forfeit.side), forfeit.reason) if forfeit else (None, None)
    adjudicated = _adjudicated(record, outcome)
    by_rules = None if adjudicated else outcome  # the file does not have the numbers of the option
    problem = NotedGame(begin or game.start(), moves, by_rules, *lost).problem()
    if problem is not None:
        raise UsageError(problem)
    seed, game_id = record.get("seed"), record.get("game_id")
    report = report_of(
        game,
        (players[0], players[1]),
        (
            [game.parse_move(move) for move in moves],
            None if outcome is None else Outcome(outcome),
            forfeit,
        ),
        game_id=game_id if isinstance(game_id, str) else None,
        seed=seed if isinstance(seed, int) else None,
        opening=begin,
        printed=_printed(record, players),
    )
    return replace(
        report,
        referee=_referee(record),
        thoughts=_thoughts(record, len(moves)),
        adjudicated=adjudicated,
    )


def _adjudicated(record: Any, outcome: str | None) -> str:
    """Read how scores ended a game of that outcome. Return an empty text if they did not."""
    rule = record.get("adjudicated", "")
    outcomes = {"": (outcome,), "resign": ("first", "second"), "draw": ("draw",)}
    if rule not in ("", *BY_SCORES) or outcome not in outcomes[rule]:
        raise UsageError(f"it is {outcome!r} and adjudicated by {quoted(str(rule))}")
    return str(rule)


def _referee(record: Any) -> Refereed | None:
    """Read what a referee said, of a game that has one."""
    try:
        return Refereed.read(record.get("referee"))
    except (TypeError, ValueError, LookupError):
        raise UsageError("what its referee said cannot be read") from None


def _thoughts(record: Any, moves: int) -> Thoughts:
    """Read what engines said of this many moves, of a game that has it."""
    try:
        thoughts = thoughts_from(record.get("thoughts", ()))
    except (TypeError, ValueError, LookupError):
        raise UsageError("its thoughts cannot be read") from None
    if thoughts and thoughts[-1][0] >= moves:
        raise UsageError(f"it has a thought on move {thoughts[-1][0] + 1} and {moves} moves")
    return thoughts


def _printed(record: Any, players: Sequence[str]) -> tuple[Printed, ...]:
    """Read what was printed, of a game that has it."""
    printed = []
    for entry in record.get("printed", ()):
        name, move = field_of(entry, "player", str), field_of(entry, "move", int)
        if name not in players:
            raise UsageError(f"{quoted(name)} printed something and does not play")
        text, lines = field_of(entry, "text", str), field_of(entry, "lines", int)
        is_cut = entry.get("cut") is True
        printed.append(Printed(players.index(name), move - 1, text, lines, is_cut))
    return tuple(printed)


def _forfeit(record: Any, players: Sequence[str]) -> Forfeit:
    forfeit = field_of(record, "forfeit", dict)
    name = field_of(forfeit, "player", str)
    if name not in players:
        raise UsageError(f"{quoted(name)} forfeits and does not play")
    side = Side(players.index(name))
    texts = (forfeit.get("where"), forfeit.get("remedy"))  # files did not always have them
    where, remedy = (text if isinstance(text, str) else "" for text in texts)
    reason, message = field_of(forfeit, "reason", str), field_of(forfeit, "message", str)
    return Forfeit(side, reason, message, where, remedy)
