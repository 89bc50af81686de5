"""Choose opponents that a certified player meets in real games."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from arena.game import Game, Outcome, Position, Side
from arena.player import PlayerInfo

if TYPE_CHECKING:
    from arena.proof.walk import ProofWalk


def wander(position: Position, rng: random.Random) -> int:
    """Draw any legal move, as the monkey does: its name lets the user replay the games."""
    return rng.choice(position.legal_moves())


RANDOM = PlayerInfo("monkey", wander)


def best_response(walks: Sequence[ProofWalk]) -> PlayerInfo:
    """Return the opponent with the best expected score. ``walks`` go by the player's side."""
    return PlayerInfo("best-response", partial(_BestResponse, walks), stateless=False)


class _BestResponse:
    """An opponent that draws among its best moves, and any move where the player left its table."""

    def __init__(self, walks: Sequence[ProofWalk]) -> None:
        self._walks = walks

    def start(self, _game: Game, side: Side, rng: random.Random) -> None:
        self._walk, self._rng = self._walks[side.other], rng
        self._line: list[int] = []

    def choose(self, position: Any) -> int:
        best = self._walk.best_responses(position, tuple(self._line))
        move: int = self._rng.choice(best or position.legal_moves())
        self._line.append(move)
        return move

    def observe(self, move: int) -> None:
        self._line.append(move)

    def finish(self, outcome: Outcome) -> None:
        """Ignore the outcome: the next game has a new opponent."""
