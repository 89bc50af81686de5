"""Kuhn poker in which a seat learns what it should not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arena.game import Game, Observation
from arena.games.kuhn import Kuhn, KuhnPosition


class Seen(Observation):
    """An observation with whatever a game puts into it. Its events are all that it compares."""

    def __init__(self, position: KuhnPosition, seat: int, /, **more: Any) -> None:
        view = KuhnPosition.observation(position, seat)
        self.events, self._game, self._seat = view.events, view.game, seat
        self.moves: tuple[int, ...] = more.pop("moves", view.moves)
        self.text: str = more.pop("text", str(view))
        self.digest: int = more.pop("digest", hash(view))
        vars(self).update(more)

    @property
    def game(self) -> Game:
        return self._game

    @property
    def seat(self) -> int:
        return self._seat

    def legal_moves(self) -> tuple[int, ...]:
        return self.moves

    def __eq__(self, other: object) -> bool:
        facts = [(o.seat, o.events, bool(o.moves)) for o in (self, other) if isinstance(o, Seen)]
        return len(facts) == 2 and facts[0] == facts[1]

    def __hash__(self) -> int:
        return self.digest

    def __str__(self) -> str:
        return self.text


def secret(position: KuhnPosition, seat: int) -> int:
    """Return the card of the other seat, 0 before it has one."""
    cards = position.moves[:2]
    return cards[1 - seat] if len(cards) > 1 - seat else 0


def leaking(observe: Callable[[KuhnPosition, int], Observation]) -> Game:
    """Return Kuhn poker with other observations."""

    class LeakingPosition(KuhnPosition):
        def observation(self, seat: int) -> Any:
            return observe(self, seat)

    class Leaking(Kuhn):
        def start(self) -> KuhnPosition:
            return LeakingPosition(self)

    return Leaking()
