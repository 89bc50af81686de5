"""Stand for a human among players."""

from __future__ import annotations

import random
from typing import NoReturn

from arena.game import Position
from arena.player import PlayerInfo


def _refuse_choice(_position: Position, _rng: random.Random) -> NoReturn:
    raise AssertionError("a human's moves are made with Session.make")


#: A human: users write its name where they would name a player.
HUMAN = PlayerInfo("person", _refuse_choice)
