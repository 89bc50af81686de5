"""Hold the games of one fight of a stored run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from arena.game import Game
from arena.match.record import PlayedPair

if TYPE_CHECKING:
    from arena.records.exports import StoredPlayer


class StoredGames(NamedTuple):
    """One fight of a run: its players, its seed, and its pairs that count.

    At a table of more than two the pairs are blocks.
    """

    players: tuple[StoredPlayer, ...]
    seed: int
    pairs: Sequence[PlayedPair]
    #: Number of missing pairs.
    missing: int
    game: Game
    count_forfeits: str
    #: Whether a test of its results ended it.
    is_sequential: bool
    #: Whether results chose which games of the run were played.
    is_chosen: bool
    #: The orders in which the players sit down.
    seatings: str

    def named(self, names: Mapping[tuple[str, str], str]) -> tuple[str, ...]:
        """Return the names to show of its players."""
        return tuple(names[player.name, player.digest] for player in self.players)
