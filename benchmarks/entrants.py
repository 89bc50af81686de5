"""Write the files of sixty entrants of ten kinds, as a course hands them in.

Half of the kinds never pass the check of a hand-in. The others play.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

GAME = "tictactoe"

_RIGHT = '''
from functools import cache


@cache
def score(position):
    """Return what the side to move gets at best: 1, 0 or -1."""
    outcome = position.outcome()
    if outcome is not None:
        return 0 if outcome == "draw" else -1
    return max(-score(position.play(move)) for move in position.legal_moves())


def choose(position, rng):
    best = max(-score(position.play(move)) for move in position.legal_moves())
    return rng.choice([m for m in position.legal_moves() if -score(position.play(m)) == best])
'''
_WEAK = """
def choose(position, rng):
    moves = position.legal_moves()
    return moves[{number} % len(moves)] if rng.random() < 0.6 else rng.choice(moves)
"""
_CENTRE = """
def choose(position, rng):
    moves = position.legal_moves()
    return moves[len(moves) // 2]
"""
_HANGING = """
def choose(position, rng):
    while True:
        pass
"""
_CRASHING = """
def choose(position, rng):
    return position.legal_moves()[{number} + 8]
"""
_LYING = """
def choose(position, rng):
    return -{number} - 1
"""
_SLOW = """
import time


def choose(position, rng):
    time.sleep(0.002)
    return position.legal_moves()[{number} % 2 - 1]
"""
_FORKING = """
import os

while True:
    os.fork()


def choose(position, rng):
    return position.legal_moves()[0]
"""
_BROKEN = """
import a_library_that_nobody_has

def choose(position, rng)
    return position.legal_moves()[0]
"""

#: Each kind, and the files that such an entrant hands in one after the other.
KINDS: dict[str, Sequence[str]] = {
    "right": [_RIGHT],
    "weak": [_WEAK],
    "slow": [_SLOW],
    "identical": [_CENTRE],
    "improving": [_WEAK, _CENTRE, _RIGHT],
    "hanging": [_HANGING],
    "crashing": [_CRASHING, _CRASHING],
    "lying": [_LYING, _LYING],
    "forking": [_FORKING],
    "broken": [_BROKEN, _BROKEN],
}

#: Kinds whose last file passes.
PASSING = ("right", "weak", "slow", "identical", "improving")


class Entrant(NamedTuple):
    """Somebody who hands in."""

    name: str
    kind: str
    #: Its hand-ins, in order.
    files: tuple[bytes, ...]


def entrants(count: int) -> list[Entrant]:
    """Return so many entrants, as many of each kind as of any other if ten divides the count."""
    return [_entrant(number) for number in range(count)]


def _entrant(number: int) -> Entrant:
    kind = list(KINDS)[number % len(KINDS)]
    own = number // len(KINDS)
    files = tuple(text.replace("{number}", str(own)).encode() for text in KINDS[kind])
    return Entrant(f"{kind}-{own + 1}", kind, files)
