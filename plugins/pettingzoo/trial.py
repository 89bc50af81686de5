"""Try an environment before it is a game: whether it is the same again and its seed matters."""

from __future__ import annotations

import random
from typing import NamedTuple

from arena.errors import UsageError, quoted
from arena.plugins.pettingzoo.naming import USUAL_SEEDS, EnvironmentName
from arena.plugins.pettingzoo.stage import NotTheSame, Scene, Stage

#: Moves of a trial game, and the seeds with which it is played.
_PLIES, _SEEDS = 60, 8


class EnvironmentTraits(NamedTuple):
    """The facts about an environment that a game needs before it makes one."""

    seats: int
    #: The number of moves, those of chance not among them.
    actions: int
    #: The number of seeds; 1 for a game without luck.
    seeds: int


def traits_of(named: EnvironmentName) -> EnvironmentTraits:
    """Play an environment for a while. Raises UsageError if a seed does not decide its games."""
    stage = Stage(named)
    if not _is_same_again(stage):
        raise UsageError(
            f"game {quoted(named.name)} does not play the same again from the same seed and moves,"
            " so no result of it could be repeated"
        )
    seeds = named.seeds or (USUAL_SEEDS if _differs_by_seed(stage) else 1)
    return EnvironmentTraits(len(stage.agents), stage.actions, seeds)


def _is_same_again(stage: Stage) -> bool:
    """Return whether a game goes on in the same way if other moves are tried in between."""
    try:
        alone, beside = (
            [_line(stage, seed, tries) for seed in range(_SEEDS)] for tries in (False, True)
        )
        return alone == beside
    except NotTheSame:
        return False


def _differs_by_seed(stage: Stage) -> bool:
    return len({tuple(_line(stage, seed, tries=False)) for seed in range(_SEEDS)}) > 1


def _line(stage: Stage, seed: int, tries: bool) -> list[tuple[object, ...]]:
    """Return what a game of random moves shows. ``tries`` also makes another move each time."""
    rng = random.Random(0)
    scene = stage.begin(seed)
    facts = [_facts(scene)]
    while scene.legal and len(facts) < _PLIES:
        move, other = rng.choice(scene.legal), rng.choice(scene.legal)
        if tries:
            stage.after(scene, other)
        scene = stage.after(scene, move)
        facts.append(_facts(scene))
    return facts


def _facts(scene: Scene) -> tuple[object, ...]:
    return scene.seat, scene.legal, scene.seen, scene.paid
