"""Find the single games of a record, for formats that other programs read, and for HTML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from arena.dataclass import dataclass
from arena.errors import UsageError
from arena.game import Game, Outcome, Position, Side
from arena.games.walk import walked
from arena.player.names import split_protocol
from arena.records.base import Record
from arena.records.entrants import ForfeitedGame
from arena.records.exports import Export, ExportedGame, ExportedRun, ExternalGame
from arena.records.notes import NO_NOTES, GameNotes, notes_of
from arena.records.replays import ReplayReport
from arena.records.reports import ReportPart
from arena.reports.entrants import shown_players, stored_players
from arena.rng import without_self
from arena.seats import Departure, line_of


@dataclass(frozen=True)
class Timing:
    """The players of a game as they played it, and their times, by side."""

    #: The names that engines give themselves; empty for other players.
    engines: tuple[str, str]
    #: Their time controls, such as ``60+0.5``; empty without a clock.
    controls: tuple[str, str]
    #: Seconds of the game.
    seconds: float
    #: Seconds of the moves of the sides that have a clock; None for a move that has none.
    moves: tuple[Sequence[float | None], Sequence[float | None]] = ((), ())
    #: The seconds since 1970 at its end, if they are known.
    ended: float | None = None


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
    #: The names of the players by seat: the first and the second side.
    players: tuple[str, ...]
    event: str = ""
    #: The day, such as ``2026-11-22``.
    date: str = ""
    #: ``PAIR.1`` or ``PAIR.2``.
    round: str = ""
    #: Empty for a game that was played elsewhere.
    game_id: str = ""
    #: The side that lost without being beaten, the reason, and the message.
    forfeit: tuple[Side, str, str] | None = None
    #: The file's words on a game that was played elsewhere: its tags and its comments.
    tags: Mapping[str, str] | None = None
    comments: tuple[tuple[int, str], ...] = ()
    #: What players and engines added to it.
    notes: GameNotes = NO_NOTES
    #: What a store knows of how the game was played; None for another game.
    timing: Timing | None = None
    #: The worth of each move, if it was computed already.
    worths: tuple[str, ...] | None = None
    #: The seats that left a game for more than two, each after so many moves, and all forfeits as
    #: lines.
    departures: tuple[Departure, ...] = ()
    forfeits: tuple[str, ...] = ()
    #: What it paid to the seats, where that is more than who won.
    payoffs: tuple[Fraction, ...] | None = None

    def steps(self) -> Iterator[tuple[Position, int, Position]]:
        """Yield each move with the positions before and after it."""
        line = list(line_of(self.begin, self.moves, self.departures))
        yield from zip(line, self.moves, line[1:], strict=False)

    def end(self) -> Position:
        """Return the position after the last move."""
        return walked(self.begin, self.moves, self.departures)


def single_games(record: Record, style: str) -> Iterator[SingleGame]:
    """Yield the games of an export or a replay. Raises UsageError for another record."""
    if isinstance(record, ReplayReport) and record.rules is not None:
        _require_two(record.rules, style)
        yield replayed_game(record.rules, record)
        return
    if not isinstance(record, Export):
        raise UsageError(f"format {style} is for single games: arena export --format {style}")
    for run in record.runs:
        rules = _rules(record, run.game)
        _require_two(rules, style)
        for fight in run.all_fights:
            for game in fight.games:
                yield _game_of_run(rules, run, game)
    for imported in record.imports:
        for single in imported.games:
            yield _imported_game(_rules(record, single.game), single)


def _require_two(rules: Game, style: str) -> None:
    """Raise UsageError for a game that other programs have no words for."""
    if rules.seats > 2:
        raise UsageError(
            f"format {style} is for games of two, and {rules.name} has {rules.seats} seats: json"
            " has them"
        )


def _rules(record: Export, name: str) -> Game:
    if name not in record.rules:
        raise UsageError(f"game {name!r} is not installed, so that its games cannot be written")
    return record.rules[name]


def _game_of_run(rules: Game, run: ExportedRun, stored: ExportedGame) -> SingleGame:
    return replace(
        stored_game(rules, stored),
        event=run.contest or f"arena {run.schedule}",
        date=run.started[:10],
        timing=_timing(run, stored),
    )


def _timing(run: ExportedRun, stored: ExportedGame) -> Timing:
    """Return what a store knows of the times of a game of a run."""
    by_name = {player.name: player for player in run.players}
    players = [by_name[without_self(name)] for name in stored.players]
    engines = [(player.spec or player.name, player.version) for player in players]
    clocks = [player.limits.get("clock", "") for player in players]
    moves = stored.move_seconds or ((), ())
    return timing_of(engines, clocks, stored.seconds or 0.0, moves, stored.ended)


def timing_of(
    engines: Sequence[tuple[str, str]],
    controls: Sequence[str],
    seconds: float,
    moves: Sequence[Sequence[float | None]],
    ended: float | None,
) -> Timing:
    """Return the times of a game. ``engines`` are the specs of its players and their versions."""
    first, second = (version if split_protocol(spec) else "" for spec, version in engines)
    both = (moves[0], moves[1])
    return Timing((first, second), (controls[0], controls[1]), seconds, both, ended)


def _imported_game(rules: Game, stored: ExternalGame) -> SingleGame:
    tags = stored.tags
    return replace(
        _game_from(rules, stored),
        event=tags.get("Event", "?"),
        date=tags.get("Date", "????.??.??").replace(".", "-"),
        round=tags.get("Round", "?"),
        tags=tags,
        comments=stored.comments,
    )


def replayed_game(rules: Game, replay: ReplayReport) -> SingleGame:
    """Return the game of a replay."""
    outcome, forfeit = replay.outcome, replay.forfeit
    loser = Side.FIRST if outcome == Outcome.SECOND_WINS.value else Side.SECOND
    return SingleGame(
        game=rules,
        begin=rules.parse(replay.opening) if replay.opening else rules.start(),
        is_opening=bool(replay.opening),
        moves=tuple(map(rules.parse_move, replay.moves)),
        outcome=None if outcome is None else Outcome(outcome),
        players=replay.players,
        event="arena",
        date="????-??-??",
        round=(replay.game_id or "?").rpartition("/")[2],
        game_id=replay.game_id or "",
        forfeit=None
        if forfeit is None or rules.seats > 2
        else (loser, forfeit.reason, forfeit.message),
        notes=notes_of(replay),
        departures=tuple(replay.departures),
        forfeits=tuple(_forfeited(each) for each in replay.forfeits),
        payoffs=replay.payoffs,
    )


def _forfeited(forfeit: ForfeitedGame) -> str:
    return f"{forfeit.player} forfeits ({forfeit.reason}): {forfeit.message}"


def stored_game(rules: Game, stored: ExportedGame) -> SingleGame:
    """Return a game of a run that an export has."""
    side, players = stored.forfeit_side, stored.players
    return replace(
        _game_from(rules, stored),
        round=stored.game_id.rpartition("/")[2],
        game_id=stored.game_id,
        forfeit=None
        if side is None or rules.seats > 2
        else (Side(side), stored.reason or "", stored.message or ""),
        notes=stored.read(players),
        departures=tuple(stored.departures),
        forfeits=tuple(
            f"{players[each.seat]} forfeits ({each.reason}): {each.message}"
            for each in stored.forfeits
        ),
        payoffs=stored.payoffs,
    )


def _game_from(rules: Game, stored: ExportedGame | ExternalGame) -> SingleGame:
    """Return the moves, the players and the outcome of a game."""
    return SingleGame(
        game=rules,
        begin=rules.start() if stored.opening is None else rules.parse(stored.opening),
        is_opening=stored.opening is not None,
        moves=tuple(map(rules.parse_move, stored.moves)),
        outcome=_outcome_of(rules, stored.outcome),
        players=stored.players,
    )


def _outcome_of(rules: Game, outcome: str | None) -> Outcome | None:
    """Return the outcome of a stored game, which a game for more than two lacks."""
    if outcome is None:
        return Outcome.OVER if rules.seats > 2 else None
    return Outcome(outcome)


#: The players of a fight, and its games.
FightGames = tuple[Sequence[str], Sequence[SingleGame]]


def games_of_part(part: ReportPart, most: int) -> list[FightGames]:
    """Return the games of each fight of a result, at most this many, the lost ones first.

    Without its rules a result has none. The players have the names that the result shows.
    """
    stored_games: dict[tuple[str, ...], list[ExportedGame]] = {}
    for stored in part.fights if part.rules is not None else ():
        stored_games.setdefault(stored.players, []).extend(stored.games)
    games = [stored_games.get(players, []) for players in stored_players(part.result)]
    worst = sorted(
        (_weight(game), fight, place)
        for fight, fight_games in enumerate(games)
        for place, game in enumerate(fight_games)
    )[:most]
    singles: list[list[SingleGame]] = [[] for _ in games]
    for fight, place in sorted((fight, place) for _, fight, place in worst):
        assert part.rules is not None
        singles[fight].append(stored_game(part.rules, games[fight][place]))
    return list(zip(shown_players(part.result), singles, strict=True))


def number_of_games(part: ReportPart) -> int:
    """Count the games of a result that its store has."""
    return sum(len(fight.games) for fight in part.fights)


def _weight(game: ExportedGame) -> int:
    """Return 0 for a game that was forfeited, 1 for another that a player lost, 2 for a draw."""
    return 0 if game.reason else 2 if game.outcome == "draw" else 1
