"""Sit down at a board: people and players, move by move."""

from __future__ import annotations

from collections.abc import Sequence

from arena.features.play.session import PERSON
from arena.features.play.sitting import Sitting
from arena.inputs.options import SEEDS
from arena.inputs.resolve import (
    DEFAULT_GAME,
    GameLike,
    PlayerLike,
    get_game_for_two,
    get_player,
    open_catalogue,
    require_clocks,
)
from arena.kinds import checked
from arena.plugin.catalogue import Catalogue
from arena.rng import fresh_seed


def sit(
    first: PlayerLike = PERSON.name,
    second: PlayerLike = PERSON.name,
    *,
    game: GameLike = DEFAULT_GAME,
    seed: int | None = None,
    moves: Sequence[str] = (),
    winners: Sequence[int | None] = (),
    catalogue: Catalogue | None = None,
) -> Sitting:
    """Return a board with two sides. ``person`` is a human, whose moves the caller makes.

    The players have played ``moves`` again, of a game that was left, and ``winners`` are those of
    the games before it. Raises UsageError if a player does not repeat its moves, and CannotPlay if
    it does not play the game.

    >>> sitting = sit("person", "minimax", seed=1)
    >>> sitting.make(4)
    >>> sitting.let_play()
    >>> sitting.session.asks_person
    True
    """
    catalogue = open_catalogue(catalogue)
    rules = get_game_for_two(game, "arena play", catalogue)
    x, o = (PERSON if one == PERSON.name else get_player(one, catalogue) for one in (first, second))
    for player in (x, o):
        player.require(rules)
    require_clocks(catalogue.isolation, [player for player in (x, o) if player is not PERSON])
    seed = fresh_seed() if seed is None else checked("seed", SEEDS, seed)
    return Sitting(rules, (x, o), seed, list(map(rules.parse_move, moves)), winners)
