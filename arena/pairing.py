"""A pairing: who meets whom at what under which seed, and the ids of its games."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import quote, unquote

from arena.errors import UnknownName, UsageError, quoted
from arena.game import Game
from arena.player import PlayerInfo, pair_names
from arena.results import COUNT_FORFEITS, Hypotheses, Json
from arena.rng import SEED_LIMIT

_GAME_ID = re.compile(
    r"([^/]+)/([^/]+)/([^/]+)/([0-9]{1,19})/(table/)?([1-9][0-9]{0,15})\.([12])", re.ASCII
)


@dataclass(frozen=True)
class Pairing:
    """Two players who meet under a seed, for a number of pairs."""

    game: Game
    a: PlayerInfo
    b: PlayerInfo
    pairs: int
    seed: int
    #: Whether statistics count ``all`` pairs, or ``none`` of those with a forfeit.
    count_forfeits: str = "all"

    def __post_init__(self) -> None:
        if self.pairs < 1:
            raise UsageError(f"a fight needs at least 1 pair, not {self.pairs}")
        if not 0 <= self.seed < SEED_LIMIT:
            raise UsageError(f"seed {self.seed} is not between 0 and {SEED_LIMIT - 1}")
        if self.count_forfeits not in COUNT_FORFEITS:
            raise UnknownName("choice of forfeits to count", self.count_forfeits, COUNT_FORFEITS)
        self.a.require(self.game)
        self.b.require(self.game)

    @property
    def names(self) -> tuple[str, str]:
        """The players' names in results."""
        return pair_names(self.a.name, self.b.name)

    @property
    def options(self) -> Json:
        """The fields beside those that every pairing has, where they are not usual."""
        usual = {"count_forfeits": "all"}
        return {name: value for name in usual if (value := getattr(self, name)) != usual[name]}

    @property
    def path(self) -> str:
        """The start of the ids of all its games."""
        return path_of(self.game.name, self.a.name, self.b.name, self.seed)


def path_of(game: str, a: str, b: str, seed: int) -> str:
    """The start of the ids of all games between two players of these names.

    >>> path_of("tictactoe", "./bot.py", "monkey", 7)
    'tictactoe/.%2Fbot.py/monkey/7'
    """
    names = (quote(name, safe="", errors="surrogateescape") for name in (game, a, b))
    return "/".join([*names, str(seed)])


@dataclass(frozen=True)
class Setting:
    """What a run makes of its pairings."""

    #: ``fight``, ``round robin`` or ``gauntlet``.
    schedule: str
    #: What a sequential test of a fight decides between, None if all pairs are to be played.
    sprt: Hypotheses | None = None


class GameId(NamedTuple):
    """What a game's id says; ``GAME/A/B/SEED/PAIR.1`` in text, ``.2`` for B moving first.

    The id of a game that was played through tables has ``table/`` before the pair.
    """

    game: str
    a: str
    b: str
    seed: int
    engine: str
    pair: int
    swapped: bool

    @classmethod
    def parse(cls, text: str) -> GameId:
        """Read an id; UsageError if it is none."""
        match = _GAME_ID.fullmatch(text)
        if match is None:
            raise UsageError(
                f"{quoted(text)} is no file and no game id: an id is GAME/A/B/SEED/PAIR.1,"
                " or .2 if B moved first"
            )
        game, a, b = map(_unquote, match.groups()[:3])
        seed, table, pair, half = match.groups()[3:]
        engine = "table" if table else "calls"
        return cls(game, a, b, int(seed), engine, int(pair), half == "2")


def _unquote(name: str) -> str:
    return unquote(name, errors="surrogateescape")
