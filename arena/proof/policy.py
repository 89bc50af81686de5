"""A stateless player at one game as a table of its moves' probabilities, filled on demand."""

from __future__ import annotations

from fractions import Fraction

from arena.errors import CannotEnumerate
from arena.game import Game, Position
from arena.player import PlayerInfo
from arena.proof.distribution import distribution, require_stateless


class Policy:
    """The distribution over a player's moves, found once for each position that is asked for."""

    def __init__(self, player: PlayerInfo, game: Game) -> None:
        player.require(game)
        require_stateless(player)
        self.player, self.game = player, game
        self._known: dict[Position, dict[int, Fraction]] = {}
        #: Why there is no distribution in a position that was asked for.
        self.refusal: CannotEnumerate | None = None

    def __call__(self, position: Position) -> dict[int, Fraction]:
        """The probability of every move that the player may make, ascending by move."""
        known = self._known.get(position)
        if known is None:
            known = self._known[position] = self._find(position)
        return known

    def _find(self, position: Position) -> dict[int, Fraction]:
        try:
            return distribution(self.player, position)
        except CannotEnumerate as error:
            self.refusal = error
            raise

    def is_symmetric_at(self, position: Position) -> bool:
        """Whether it treats every image of the position as it treats the position.

        What it does at the images is not kept: only one of them is reached, as the position.
        """
        moves = self(position)
        return all(
            self._find(image) == {where[m]: p for m, p in moves.items()}
            for image, where in position.images()
        )
