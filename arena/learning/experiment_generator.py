"""Propose the next problem, a board to play on from: the experiment generator.

It gets the hypothesis, as in the book: a generator might look for boards that are not known well.
These two do not.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from arena.games.mnk import MnkPosition
from arena.learning.hypothesis import Hypothesis

#: Proposes a board on which a move can be made.
Generator = Callable[[Hypothesis, random.Random], MnkPosition]


def empty(hypothesis: Hypothesis, _rng: random.Random) -> MnkPosition:
    """Return the board on which every game starts."""
    return hypothesis.features.game.start()


def randomly(hypothesis: Hypothesis, rng: random.Random) -> MnkPosition:
    """Return the board after some random moves, any number of them that leaves a move to make."""
    game = hypothesis.features.game
    while True:
        position = game.start()
        for _ in range(rng.randrange(game.max_plies)):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is None:
            return position


#: The generators by their names as options.
GENERATORS: dict[str, Generator] = {"empty": empty, "random": randomly}
