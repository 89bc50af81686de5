"""Play the moves of a certificate: ``certified:FILE``."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from arena.certificates.index import CertificateIndex, open_index
from arena.game import Position
from arena.player import PlayerInfo
from arena.plugin.manager import load_catalogue
from arena.proof.values import known_values

#: Positions to search for a move where the certificate says nothing.
MAX_FALLBACK_POSITIONS = 30_000


@dataclass(frozen=True)
class CertificatePlayer:
    """A function of a position: the certificate's move, or else that of a search."""

    path: str
    #: The files of plugins that may offer the game.
    plugins: tuple[str, ...] = ()

    def __call__(self, position: Position, rng: random.Random) -> int:
        """Play the moves of a certificate, and search where it has none."""
        move = self.index.answer(position)
        return searched(position) if move is None else move

    def account(self, position: Position) -> str:
        """Say where the move at a position comes from."""
        if self.index.answer(position) is None:
            return "by a search: the certificate has no move for the position"
        if self.index.move(position) is None:
            return "by the rules: it wins at once, or every other move loses at once"
        return "by the certificate"

    @cached_property
    def index(self) -> CertificateIndex:
        """The moves. The first look verifies the file."""
        return open_index(Path(self.path), load_catalogue(self.plugins).game)

    def __reduce__(self) -> tuple[type[CertificatePlayer], tuple[str, tuple[str, ...]]]:
        """Leave the moves out: every process opens the file itself."""
        return CertificatePlayer, (self.path, self.plugins)


def searched(position: Position) -> int:
    """Return the move that a search finds best: it wins soonest, else is not known to lose, else
    loses latest. The position's estimate decides between equals.
    """
    side = -1 if position.to_move else 1
    values = known_values(position, MAX_FALLBACK_POSITIONS)

    def rank(move: int) -> tuple[float, int]:
        value = values[move]
        return 1 / value if value else 0.0, side * position.play(move).estimate()

    return max(values, key=rank)


def player_of(name: str, path: str, plugins: tuple[str, ...]) -> PlayerInfo:
    """Return the player of a certificate. Raises an ArenaError for a file that proves nothing."""
    player = CertificatePlayer(path, plugins)
    claims = " and ".join(map(str, player.index.head.claims))
    games = (player.index.game.name,)
    return PlayerInfo(name, player, games, deterministic=True, summary=f"certified: {claims}")
