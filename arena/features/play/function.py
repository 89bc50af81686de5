"""Sit down at a board: people and players, move by move."""

from __future__ import annotations

from typing import Unpack

from arena.errors import UsageError
from arena.features.play.options import SitOptions
from arena.features.play.sitting import Sitting
from arena.inputs.resolve import (
    PlayerLike,
    get_player,
    get_ruled_game,
    open_catalogue,
    require_clocks,
)
from arena.player.human import HUMAN
from arena.rng import fresh_seed
from arena.signatures import complete, takes


@takes(SitOptions)
def sit(
    first: PlayerLike = HUMAN.name,
    second: PlayerLike = HUMAN.name,
    *others: PlayerLike,
    **options: Unpack[SitOptions],
) -> Sitting:
    """Return a board with a player, or a human, at each side. ``person`` is a human, whose moves
    the caller makes.

    The players have played ``moves`` again, of a game that was left, and ``winners`` are those of
    the games before it. Raises UsageError if a player does not repeat its moves, and CannotPlay if
    it does not play the game.

    >>> sitting = sit("person", "minimax", seed=1)
    >>> sitting.make(4)
    >>> sitting.let_play()
    >>> sitting.session.asks_person
    True
    """
    options = complete(sit, options)
    catalogue = open_catalogue(options["catalogue"])
    rules = get_ruled_game(options["game"], catalogue)
    named = (first, second, *others)
    if len(named) != rules.seats:
        raise UsageError(f"{rules.name} has {rules.seats} seats, not {len(named)}")
    players = tuple(HUMAN if one == HUMAN.name else get_player(one, catalogue) for one in named)
    for player in players:
        player.require(rules)
    require_clocks(catalogue.isolation, [player for player in players if player is not HUMAN])
    seed = fresh_seed() if options["seed"] is None else options["seed"]
    moves = list(map(rules.parse_move, options["moves"]))
    return Sitting(rules, players, seed, moves, options["winners"])
