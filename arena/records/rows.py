"""Declare the JSON objects that functions build as dicts: the rows of lists, and runs with games.

A key whose name is a word of Python, such as ``from``, is declared in a call, with its meaning.
"""

from __future__ import annotations

from typing import Annotated, NotRequired, TypedDict

from arena.records.base import Json
from arena.records.exports import ListedRun

Source = TypedDict(
    "Source", {"from": Annotated[str, "The distribution and its version, or the file"]}
)
MaybeSource = TypedDict(
    "MaybeSource",
    {"from": NotRequired[Annotated[str, "The distribution and its version, or the file"]]},
)
ImportNumber = TypedDict(
    "ImportNumber", {"import": Annotated[int, "The number of the import in the store, from 1"]}
)


class GameEntry(MaybeSource):
    """A game, or a family of games."""

    #: A template if all games are listed, such as ``mnk-{m}-{n}-{k}``.
    name: str
    summary: str
    #: The rules in sentences, empty if it has none; this key, those below and ``from`` only
    #: if one game is named.
    guide: NotRequired[str]
    #: Such as ``7 by 6``.
    board: NotRequired[str]
    seats: NotRequired[int]
    #: Its most moves.
    longest_game: NotRequired[int]
    #: Such as ``lines-3-3``; a player may declare kinds as well as names.
    kinds: NotRequired[list[str]]
    first_moves: NotRequired[list[str]]
    #: The text of the first position.
    start: NotRequired[str]
    #: The installed players of it.
    players: NotRequired[list[str]]
    #: Such as ``triples never-loses:tictactoe``.
    claims: NotRequired[list[str]]
    #: The template that its name is of.
    template: NotRequired[str]
    #: The version of the rules.
    version: NotRequired[int]


class PlayerEntry(MaybeSource):
    """A player that is installed."""

    name: str
    version: str
    #: The distribution of Python that it comes with.
    distribution: str
    #: Patterns of games that it plays.
    games: list[str]
    deterministic: bool | None
    #: Whether it keeps nothing from one move to the next.
    stateless: bool | None
    #: Such as ``never-loses:tictactoe``.
    claims: list[str]
    summary: str
    #: None if it takes none.
    options: str | None
    #: Whether it is out of "all players"; this key, ``batch`` and ``from`` only if one is named.
    only_named: NotRequired[bool]
    #: Whether it offers many moves at once.
    batch: NotRequired[bool]


class ProtocolEntry(TypedDict):
    """A way to name players that are not installed."""

    name: str
    #: How a player is named, such as ``uci:COMMAND``.
    form: str
    #: Patterns of games that its players can play.
    games: list[str]
    summary: str


class PluginEntry(Source):
    """A plugin that is installed."""

    name: str
    #: The distribution of Python that it comes with.
    package: str
    version: str
    file: str
    hooks: list[str]
    #: Such as ``player minimax``.
    offers: list[str]


class BrokenPlugin(TypedDict):
    """A plugin that was left out."""

    plugin: str
    package: str
    error: str


class ListedRegressionRun(TypedDict):
    """A regression run of a store, in a list."""

    #: Its number in the store, from 1.
    run: int
    #: UTC.
    date: str
    verdict: str
    players: list[str]
    #: The commit that was checked; ``unknown`` if an older arena did not keep it.
    commit: str
    arena_version: str
    python_version: str
    machine: str


class ListedImport(ImportNumber):
    """A file of games that were played elsewhere, in a list."""

    #: UTC.
    date: str
    file: str
    #: Games that the store took.
    games: int


class PlayedRow(TypedDict):
    """The players, the winner and the moves of a game."""

    #: The player that moved first; it and the second only of two.
    first: NotRequired[str]
    second: NotRequired[str]
    #: None for a draw.
    winner: str | None
    #: In words.
    result: str
    #: The position that it began from; None for the start.
    opening: str | None
    #: Moves.
    plies: int
    #: In the game's notation, with blanks between.
    moves: str


class GameRow(PlayedRow):
    """A game of a run."""

    #: The id of the game.
    game: str
    #: A and B only of two players.
    a: NotRequired[str]
    b: NotRequired[str]
    #: From 1.
    pair: int
    #: The reason of a forfeit; None without one.
    reason: str | None
    message: str | None
    #: ``resign`` or ``draw``, if the engines' scores ended the game.
    adjudicated: str | None


class BrowsedGame(GameRow):
    """A game of a store, in a list."""

    #: From 1.
    n: int
    run: int
    seconds: float | None
    #: The places, from 1, of the moves that are chance's, in a game with luck.
    chance: NotRequired[list[int]]
    #: The exact payoff of each seat, in a game with payoffs of its own.
    payoffs: NotRequired[list[str]]
    #: Of more than two players: all of them by seat, and who forfeited.
    players: NotRequired[list[str]]
    forfeited: NotRequired[list[str]]


class ImportedRow(ImportNumber, PlayedRow):
    """A game that was played elsewhere, in a list."""

    #: In the file.
    line: int
    game: str


class HistoryRow(TypedDict):
    """A verdict of a regression run. A value that an older arena did not keep is ``unknown``."""

    #: The number of the regression run.
    run: int
    #: UTC.
    date: str
    commit: str
    version: str
    game: str
    check: str
    verdict: str
    #: The verdict in words.
    outcome: str
    #: An exact fraction.
    score: str | None
    #: In words.
    strength: str
    #: The ends of the 95 % interval of the score.
    low: float | None
    high: float | None
    #: In words.
    interval: str
    #: The change of the score since the regression run before.
    change: float | None
    #: Whether the opponents are others than in the regression run before.
    other_panel: bool
    #: The digest of its code.
    code: str
    arena_version: str
    message: str


class GamePattern(TypedDict):
    """A pattern by which players declare games, such as ``lines-*``."""

    pattern: str
    #: The players that declare it, and protocols with a colon, as ``uci:``.
    players: list[str]


class Games(TypedDict):
    """The games that are installed, or one of them."""

    games: list[GameEntry]
    #: Patterns of the names or kinds of games; only if all games are listed.
    patterns: NotRequired[list[GamePattern]]


class Players(TypedDict):
    """The players that are installed, or one of them."""

    players: list[PlayerEntry]
    #: The protocols that name players which are not installed; missing if one player is named.
    protocols: NotRequired[list[ProtocolEntry]]
    #: Plugins that were left out.
    broken: NotRequired[list[BrokenPlugin]]


class Plugins(TypedDict):
    """The plugins that are installed, or one of them."""

    plugins: list[PluginEntry]
    #: Plugins that were left out.
    broken: NotRequired[list[BrokenPlugin]]


class Runs(TypedDict):
    """The runs of a store."""

    runs: list[ListedRun]
    #: The runs of ``arena regress``.
    regression_runs: list[ListedRegressionRun]
    #: Games that were played elsewhere, from files.
    imports: NotRequired[list[ListedImport]]


class Browsed(TypedDict):
    """Games of a store."""

    games: list[BrowsedGame]
    #: Games that were played elsewhere.
    imported: NotRequired[list[ImportedRow]]
    #: Where the players come from whose names do not say it.
    specs: NotRequired[dict[str, str]]


class Sheet(TypedDict):
    """One of three tables, as ``--table`` names it."""

    #: The columns of ``--format csv``.
    standings: NotRequired[list[Json]]
    #: The columns of ``--format csv``.
    pairings: NotRequired[list[Json]]
    games: NotRequired[list[GameRow]]
