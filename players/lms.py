"""A player that learned to play: ``arena train lms --seed 1`` made the weights beside this file.

It looks one move ahead and takes the board that its linear function of a few features values most.
Chance decides between equals. ``lms:FILE`` plays by the weights of another file.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.games.mnk import MnkPosition
from arena.player import PlayerInfo
from arena.plugin.markers import hookimpl
from arena.plugin.registers import PlayerRegister

if TYPE_CHECKING:
    from arena.learning.performance_system import Performer
    from arena.player.batches import BatchRandom

#: Weights that come with arena.
WEIGHTS_FILE = Path(__file__).with_name("lms.json")


def choose(position: MnkPosition, rng: random.Random) -> int:
    """Move to the board that it values most."""
    return shipped()(position, rng)


def choose_batch(positions: Any, rng: BatchRandom, performer: Performer | None = None) -> Any:
    """Move to the boards that it values most, at many positions at once."""
    from arena.learning.boards import best_moves

    performer = performer or shipped()
    return rng.choice(best_moves(performer.hypothesis, positions))


@cache
def shipped() -> Performer:
    """Return the player with the weights that come with arena."""
    return _performer(WEIGHTS_FILE)


def options(info: PlayerInfo, text: str) -> PlayerInfo:
    """FILE.json, the weights."""
    performer = _performer(text)
    return replace(
        info,
        player=performer,
        choose_batch=partial(choose_batch, performer=performer),
        code=(text,),
    )


def _performer(file: str | Path) -> Performer:
    # The import waits until it plays, so that the list of players need not wait.
    from arena.learning.performance_system import Performer
    from arena.learning.weights import read_weights

    return Performer(read_weights(file))


@hookimpl
def arena_register_players(register: PlayerRegister) -> None:
    register("lms", choose, games="tictactoe", options=options, choose_batch=choose_batch)
