"""A stateless player at one game as a table of its moves' probabilities, filled on demand."""

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
    """The distribution over a player's moves, found once for each position that is asked for."""

    def __init__(self, player: PlayerInfo, game: Game) -> None:
        player.require(game)
        require_stateless(player)
        self.player, self.game = player, game
        self._known: dict[Position, dict[int, Fraction]] = {}
        #: What :meth:`confirm` is still to ask for once more.
        self._unconfirmed: dict[Position, list[Branch]] = {}
        self._is_confirmed_later = player.distribution is None and not player.is_trusted
        #: Why there is no distribution in a position that was asked for.
        self.refusal: CannotEnumerate | None = None

    def __call__(self, position: Position) -> dict[int, Fraction]:
        """The probability of every move that the player may make, ascending by move."""
        known = self._known.get(position)
        if known is None:
            known = self._known[position] = self._find(position)
        return known

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
        """Ask a player that is not trusted once more for all that it was asked for.

        Raises CannotEnumerate if it does something else now. It is asked in a new process, in
        shuffled order and along whole games: what it did while it was enumerated it has to do where
        nothing looks like an enumeration.
        """
        branches, self._unconfirmed = self._unconfirmed, {}
        try:
            confirm(self.player, self.game, branches)
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
