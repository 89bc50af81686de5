"""Play strategies from a file: ``solved:FILE`` and ``best-response:FILE``."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path

from arena.certificates.strategies import StrategyFile, read_strategies
from arena.errors import UsageError, quoted
from arena.games.info_state import InfoState, seat_of
from arena.player import PlayerInfo
from arena.plugin.manager import load_catalogue


@dataclass(frozen=True)
class FromFile:
    """A function of what a seat knows: the moves of a file.

    A file of a solved game says nothing where its own strategy never is. One of a best response
    says nothing, besides, where the player never lets it get that it responds to: there it makes
    the first legal move.
    """

    path: str
    #: The files of plugins that may offer the game.
    plugins: tuple[str, ...] = ()

    def __call__(self, info_state: InfoState, rng: random.Random) -> int:
        """Draw a move with the probabilities of the file."""
        rest = Fraction(rng.random())
        for move, share in self.distribution(info_state).items():
            rest -= share
            if rest < 0:
                return move
        return move  # the probabilities add up to 1, so no draw gets here

    def distribution(self, info_state: InfoState) -> Mapping[int, Fraction]:
        """Return the probability of each move of the file."""
        listed = self.file.tables[seat_of(info_state)].get(str(info_state))
        if listed is not None:
            return {self.file.game.parse_move(name): share for name, share in listed.items()}
        if self.file.head.against is None:
            raise UsageError(f"{self.path} has no moves at {quoted(str(info_state))}")
        return {info_state.legal_moves()[0]: Fraction(1)}

    @cached_property
    def file(self) -> StrategyFile:
        """The strategies, which the first look reads."""
        return read_strategies(Path(self.path), load_catalogue(self.plugins).game)

    def __reduce__(self) -> tuple[type[FromFile], tuple[str, tuple[str, ...]]]:
        """Leave the moves out: every process reads the file itself."""
        return FromFile, (self.path, self.plugins)


def solved_player(name: str, path: str, plugins: tuple[str, ...]) -> PlayerInfo:
    """Return the player of a solved game. Raises an ArenaError for another file."""
    player = FromFile(path, plugins)
    head = player.file.head
    if head.low is None:
        raise UsageError(f"{name} has the best responses to {head.against}: best-response:{path}")
    value = f"{head.low}" if head.low == head.high else f"{head.low} to {head.high}"
    return _player(name, player, f"solved: the first seat gets {value}")


def best_response_player(name: str, path: str, plugins: tuple[str, ...]) -> PlayerInfo:
    """Return the player of best responses. Raises an ArenaError for another file."""
    player = FromFile(path, plugins)
    if player.file.head.against is None:
        raise UsageError(f"{name} has the strategies of a solved game: solved:{path}")
    return _player(name, player, f"the best response to {player.file.head.against}")


def _player(name: str, player: FromFile, summary: str) -> PlayerInfo:
    file = player.file
    sure = all(len(moves) == 1 for table in file.tables for moves in table.values())
    return PlayerInfo(
        name,
        player,
        (file.game.name,),
        deterministic=sure,
        distribution=player.distribution,
        summary=summary,
    )
