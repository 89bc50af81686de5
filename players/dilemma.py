"""Strategies for the prisoner's dilemma, as in Axelrod, "The evolution of cooperation" (1984).

Each looks at what both sides played in the rounds before. Where there is noise, that need not be
what they meant to play.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from arena.games.rounds import COOPERATE, DEFECT, KIND, rounds_seen
from arena.kinds import decimal
from arena.plugin.markers import hookimpl
from arena.plugin.registers import PlayerRegister

if TYPE_CHECKING:
    from arena.games.view import View


def always_cooperate(view: View, rng: random.Random) -> int:
    """Cooperate in every round."""
    return COOPERATE


def always_defect(view: View, rng: random.Random) -> int:
    """Defect in every round."""
    return DEFECT


def tit_for_tat(view: View, rng: random.Random) -> int:
    """Cooperate first, then do what the opponent did in the last round."""
    rounds = rounds_seen(view)
    return rounds[-1].theirs if rounds else COOPERATE


def grim(view: View, rng: random.Random) -> int:
    """Cooperate until the opponent defects once, then defect for ever."""
    return DEFECT if any(played.theirs == DEFECT for played in rounds_seen(view)) else COOPERATE


def pavlov(view: View, rng: random.Random) -> int:
    """Cooperate first, and whenever both sides did the same in the last round."""
    rounds = rounds_seen(view)
    return DEFECT if rounds and rounds[-1].own != rounds[-1].theirs else COOPERATE


def random_p(view: View, rng: random.Random, p: float = 0.5) -> int:
    """Cooperate with probability p."""
    return COOPERATE if rng.random() < p else DEFECT


@hookimpl
def arena_register_players(register: PlayerRegister) -> None:
    register("always-cooperate", always_cooperate, games=KIND, deterministic=True)
    register("always-defect", always_defect, games=KIND, deterministic=True)
    register("tit-for-tat", tit_for_tat, games=KIND, deterministic=True)
    register("grim", grim, games=KIND, deterministic=True)
    register("pavlov", pavlov, games=KIND, deterministic=True)
    register("random-p", random_p, games=KIND, options={"p": decimal(0, 1)})
