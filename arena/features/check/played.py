"""Check a game as fights do: whatever they refuse, a check must find."""

from __future__ import annotations

from arena.errors import GameFault
from arena.features.check.walk import ContractBreach, PositionWalk
from arena.game import Game, Position
from arena.games.contract import examined, payoffs_of, tried


def played(walk: PositionWalk) -> None:
    """Require what arena requires of a game that it plays."""
    for node in walk.nodes:
        try:
            _examine(walk.game, node.position)
        except GameFault as fault:
            raise ContractBreach(str(fault), node.line) from fault
    try:
        tried(walk.game)
    except GameFault as fault:
        raise ContractBreach(str(fault)) from fault


def _examine(game: Game, position: Position) -> None:
    moves = examined(game, position)
    if not moves and game.is_paid:
        payoffs_of(position)
