"""A game of arena as an environment of PettingZoo, and a policy trained there as a player.

    env = arena.pettingzoo.env("leduc")

An agent observes ``{"observation": array, "action_mask": array}``, as those of PettingZoo's classic
games do; :mod:`arena.plugins.pettingzoo.encoding` says what the array is. All rewards come at the
end: the payoffs, or of a game that is won, drawn or lost 1, 0 and -1. A file ``trained.py`` with
these lines is a player, ``./trained.py:Player``:

    from arena.pettingzoo import as_player

    def policy(observation):
        return int(scores(observation["observation"], observation["action_mask"]).argmax())

    Player = as_player(policy)
"""

from __future__ import annotations

from typing import Any

from arena.errors import UsageError, quoted
from arena.games.repeated import RepeatedGame
from arena.inputs.resolve import GameLike, get_ruled_game
from arena.plugins.pettingzoo.library import library
from arena.plugins.pettingzoo.policies import as_player as as_player
from arena.plugins.pettingzoo.policies import observed as observed


def env(game: GameLike, *, max_cycles: int | None = None, render_mode: str | None = None) -> Any:
    """Return a game as an environment that PettingZoo's wrappers check.

    After ``max_cycles`` moves of every seat all agents are truncated. A move that is not legal ends
    the game with the least payoff for its agent. ``render_mode="ansi"`` draws the position.
    """
    the_game = get_ruled_game(game)
    library()  # a file with a player needs none
    from pettingzoo.utils import wrappers

    from arena.plugins.pettingzoo.environment import GameEnv

    environment = GameEnv(the_game, max_cycles, render_mode)
    legal_only = wrappers.TerminateIllegalWrapper(environment, illegal_reward=environment.worst)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(legal_only))


def parallel_env(
    game: GameLike, *, max_cycles: int | None = None, render_mode: str | None = None
) -> Any:
    """Return a game in which all move at once, such as ``prisoners-dilemma-100``, in parallel form.

    Raises UsageError for a game in which they move in turn.
    """
    the_game = get_ruled_game(game)
    if not isinstance(the_game, RepeatedGame):
        raise UsageError(f"the seats of {quoted(the_game.name)} do not all move at once")
    environment = env(the_game, max_cycles=max_cycles, render_mode=render_mode)
    from pettingzoo.utils.conversions import aec_to_parallel

    return aec_to_parallel(environment)
