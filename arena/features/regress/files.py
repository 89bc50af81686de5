"""Read and write a baseline as a file: JSON with one line per position, for diffs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from pathlib import Path
from typing import Literal

from arena.dataclass import dataclass
from arena.errors import ArenaError, UsageError, quoted
from arena.features.regress.baseline import (
    Baseline,
    BaselinePairs,
    Frozen,
    FrozenGames,
    FrozenPolicy,
    GameBaseline,
    Points,
)
from arena.features.regress.policies import PolicyTable, format_moves, parse_moves, tabulate
from arena.files import read_json
from arena.fractions import fraction_of
from arena.game import Game
from arena.model.codec import decode
from arena.plugin.catalogue import Catalogue
from arena.records.base import Record
from arena.records.paid import scale_of_game
from arena.rng import SEED_LIMIT

#: Pairs a line, for diffs.
PAIRS_A_LINE, PAYOFFS_A_LINE = 80, 20


@dataclass(frozen=True)
class PolicyEntry(Record):
    """The policy of a player, as a file has it."""

    version: str
    method: Literal["policy"]
    #: The moves by position, as :func:`format_moves` writes them.
    policy: Mapping[str, str]


@dataclass(frozen=True)
class PairsEntry(Record):
    """The pairs against one opponent, as a file has them."""

    KEYS = "seed points? payoffs?"

    seed: int
    #: The digits of their points, :data:`PAIRS_A_LINE` a line.
    points: tuple[str, ...] = ()
    #: Where games pay, what all games of each pair or block paid, :data:`PAYOFFS_A_LINE` a line.
    payoffs: tuple[str, ...] = ()


@dataclass(frozen=True)
class GamesEntry(Record):
    """The results of a player, as a file has them."""

    version: str
    method: Literal["games"]
    against: Mapping[str, PairsEntry]


@dataclass(frozen=True)
class GameRoster(Record):
    """The players at one game, as a file has them."""

    version: int
    panel: tuple[str, ...]
    players: Mapping[str, PolicyEntry | GamesEntry]


@dataclass(frozen=True)
class BaselineFile(Record):
    """A baseline as a file has it, not yet compared with the rules of its games."""

    SCHEMA = "arena.baseline/1"
    KEYS = "specs? games"

    games: Mapping[str, GameRoster]
    #: Where the players come from whose names do not say it.
    specs: Mapping[str, str] = field(default_factory=dict)


def to_text(baseline: Baseline) -> str:
    """Return the file's content: the same for equal baselines."""
    games = {name: _game_entry(entry) for name, entry in sorted(baseline.games.items())}
    file = BaselineFile(games, dict(sorted(baseline.specs.items())))
    return json.dumps(file.as_json(), indent=1) + "\n"


def _game_entry(entry: GameBaseline) -> GameRoster:
    players = {name: _player_entry(f, entry) for name, f in sorted(entry.players.items())}
    return GameRoster(entry.game.version, tuple(sorted(entry.panel)), players)


def _player_entry(frozen: Frozen, entry: GameBaseline) -> PolicyEntry | GamesEntry:
    if isinstance(frozen, FrozenPolicy):
        lines = {str(p): format_moves(entry.game, moves) for p, moves in frozen.table.items()}
        return PolicyEntry(frozen.version, "policy", dict(sorted(lines.items())))
    against = {
        name: _pairs_entry(recorded, entry.game)
        for name, recorded in sorted(frozen.against.items())
    }
    return GamesEntry(frozen.version, "games", against)


def _pairs_entry(recorded: BaselinePairs, game: Game) -> PairsEntry:
    if not game.is_paid:
        return PairsEntry(recorded.seed, points=_wrapped(recorded.points, "", PAIRS_A_LINE))
    scale = scale_of_game(game)
    payoffs = [game.seats * scale.payoff(Fraction(points) / 4) for points in recorded.points]
    return PairsEntry(recorded.seed, payoffs=_wrapped(payoffs, " ", PAYOFFS_A_LINE))


def _wrapped(numbers: Sequence[Points], between: str, a_line: int) -> tuple[str, ...]:
    starts = range(0, len(numbers), a_line)
    return tuple(between.join(map(str, numbers[start : start + a_line])) for start in starts)


def read_baseline(path: Path, catalogue: Catalogue, *, outdated: bool = False) -> Baseline:
    """Read the baseline in a file. Raises UsageError, in one line, for any error in it.

    A game whose rules have changed since is an error too, unless ``outdated`` entries may be there:
    then they are left out.
    """
    try:
        return _baseline(decode(BaselineFile, read_json(path)), catalogue, outdated)
    except ArenaError as error:
        raise UsageError(f"baseline {quoted(str(path))}: {error}") from error


def _baseline(file: BaselineFile, catalogue: Catalogue, outdated: bool) -> Baseline:
    games = {}
    for name, entry in file.games.items():
        game = catalogue.game(name)
        if game.name != name:
            raise UsageError(f"game {quoted(name)} is called {game.name!r}")
        if entry.version == game.version:
            games[name] = _game(game, entry)
        elif not outdated:
            raise UsageError(
                f"it has version {entry.version} of {name}, which is at {game.version} now;"
                " write it again with --update"
            )
    return Baseline(games, file.specs)


def _game(game: Game, entry: GameRoster) -> GameBaseline:
    if len(set(entry.panel)) < len(entry.panel):
        raise UsageError(f"the panel of {game.name} is not a list of different names")
    players = {}
    for name, player in entry.players.items():
        try:
            players[name] = _frozen(game, player)
        except ArenaError as error:
            raise UsageError(f"{name} at {game.name}: {error}") from error
    return GameBaseline(game, entry.panel, players)


def _frozen(game: Game, entry: PolicyEntry | GamesEntry) -> Frozen:
    if isinstance(entry, PolicyEntry):
        return FrozenPolicy(entry.version, _table(game, entry.policy))
    return FrozenGames(
        entry.version, {name: _recorded(e, game) for name, e in entry.against.items()}
    )


def _table(game: Game, lines: Mapping[str, str]) -> PolicyTable:
    """Return the policy. Raises UsageError unless it covers exactly its own positions."""
    table: PolicyTable = {}
    for text, moves in lines.items():
        position = game.parse(text)
        if position in table or position.outcome() is not None:
            reason = "the game is over" if position.outcome() is not None else "it is there twice"
            raise UsageError(f"position {quoted(text)}: {reason}")
        try:
            table[position] = parse_moves(moves, position)
        except ArenaError as error:
            raise UsageError(f"position {quoted(text)}: {error}") from error
    try:
        policy = tabulate(table.__getitem__, game, len(table))
    except KeyError as missing:
        raise UsageError(f"there are no moves for {str(missing.args[0])!r}") from missing
    for position in table:
        if position not in policy:
            raise UsageError(f"position {str(position)!r} cannot occur with these moves")
    return policy


def _recorded(entry: PairsEntry, game: Game) -> BaselinePairs:
    if not 0 <= entry.seed < SEED_LIMIT:
        raise UsageError(f"seed {entry.seed} is not between 0 and {SEED_LIMIT - 1}")
    if game.is_paid:
        return BaselinePairs(entry.seed, _points_of(" ".join(entry.payoffs).split(), game))
    digits = "".join(entry.points)
    if not digits or not set(digits) <= set("01234"):
        raise UsageError("the points of its pairs are not digits from 0 to 4")
    return BaselinePairs(entry.seed, tuple(map(int, digits)))


def _points_of(words: Sequence[str], game: Game) -> tuple[Points, ...]:
    """Return the points of pairs that paid this."""
    scale = scale_of_game(game)
    try:
        points = [4 * scale.score(fraction_of(word) / game.seats) for word in words]
    except ValueError:
        raise UsageError("the payoffs of its pairs are not numbers") from None
    if not points or not all(0 <= each <= 4 for each in points):
        raise UsageError(f"the payoffs of its pairs are not those of pairs of {game.name}")
    return tuple(points)
