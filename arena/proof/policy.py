"""Tabulate the probabilities of a stateless player's moves at one game, on demand."""

from __future__ import annotations

from fractions import Fraction

from arena.errors import CannotEnumerate
from arena.game import Game, Position
from arena.games.contract import endless
from arena.player import PlayerInfo
from arena.proof.branches import Branch
from arena.proof.confirming import confirm
from arena.proof.distribution import (
    about,
    distribution,
    find_branches,
    moves_of,
    require_stateless,
)


class Policy:
    """The distribution over the moves of a player, computed once for each position."""

    def __init__(self, player: PlayerInfo, game: Game) -> None:
        player.require(game)
        require_stateless(player)
        self.player, self.game = player, game
        self._chances: dict[Position, dict[int, Fraction]] = {}
        #: The positions that :meth:`confirm` still has to ask again.
        self._unconfirmed: dict[Position, list[Branch]] = {}
        self._is_confirmed_later = player.distribution is None and not player.is_trusted
        #: Why a position has no distribution.
        self.refusal: CannotEnumerate | None = None

    def __call__(self, position: Position) -> dict[int, Fraction]:
        """Return the probability of every move that the player may make, ascending by move."""
        chances = self._chances.get(position)
        if chances is None:
            chances = self._chances[position] = self._find(position)
        return chances

    def _find(self, position: Position) -> dict[int, Fraction]:
        if position.ply >= self.game.max_plies:
            raise endless(self.game, position)
        try:
            if not self._is_confirmed_later:
                return distribution(self.player, position)
            return self._find_once(position)
        except CannotEnumerate as error:
            self.refusal = error
            raise

    def _find_once(self, position: Position) -> dict[int, Fraction]:
        try:
            branches = find_branches(self.player, position, twice=False)
        except CannotEnumerate as error:
            raise about(error, self.player, position) from error
        self._unconfirmed[position] = branches
        return moves_of(branches)

    def confirm(self) -> None:
        """Ask an untrusted player once more for everything.

        Raises CannotEnumerate if it does something else now. Arena asks it in a new process, in
        shuffled order and along whole games: the player must repeat its moves where nothing looks
        like an enumeration.
        """
        branches, self._unconfirmed = self._unconfirmed, {}
        try:
            confirm(self.player, self.game, branches)
        except CannotEnumerate as error:
            self.refusal = error
            raise

    def is_symmetric_at(self, position: Position) -> bool:
        """Return whether the player treats every image of the position as it treats the position.

        The moves at the images are not kept: only one image is reached, as the position.
        """
        moves = self(position)
        return all(
            self._find(image) == {where[m]: p for m, p in moves.items()}
            for image, where in position.images()
        )
