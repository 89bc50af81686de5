"""Follow a player through all positions that can occur against any opponent, ply by ply.

A position takes 16 bytes: its key, and the squares of all moves that the player may make there.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from arena.arrays import Keys
from arena.certificates.answer_folder import AnswerFolder
from arena.certificates.head import Claim
from arena.certificates.key_rules import KeyRules
from arena.certificates.queries import Ask
from arena.certificates.walk import blocks, children, merged
from arena.game import Game, Side
from arena.proof import progress
from arena.proof.limit import Limit


@dataclass
class Tour:
    """The positions that occur with the player on one side."""

    rules: KeyRules
    side: Side
    #: By ply: the keys of positions that go on, and the squares of the moves made there.
    plies: list[tuple[Keys, Keys]] = field(default_factory=list)
    #: Number of all positions, with finished ones.
    positions: int = 1
    #: The moves of a shortest game that the player loses; None without one.
    losing: tuple[int, ...] | None = None
    #: Whether some game ends with a full board.
    draws: bool = False

    def moves(self, ply: int, keys: Keys) -> NDArray[np.uint64]:
        """Return the first of the player's moves at each position: a strategy to be recorded."""
        ply_keys, squares = self.plies[ply]
        moves = squares[np.searchsorted(ply_keys, keys)]
        first = moves & -moves
        numbers = np.zeros(len(keys), np.uint64)
        for number, part in enumerate(self.rules.each_move(self.rules.full | moves)):
            numbers[part & first != 0] = number
        return numbers

    def holds(self, claim: Claim) -> bool:
        """Return whether all games keep a claim of this side."""
        return self.losing is None and not (claim.wins and self.draws)

    def progress(self) -> str:
        """Say what is known before the end."""
        return f"the player has not lost after {len(self.plies)} plies"

    def line_to(self, key: int, square: int) -> tuple[int, ...]:
        """Return moves from the start to the last position, of this key, and by this square."""
        line = [self._move(square)]
        for ply in reversed(range(len(self.plies) - 1)):
            keys, squares = self.plies[ply]
            for number, part in enumerate(self.rules.each_move(squares)):
                leads = (part != 0) & (self.rules.played(keys, part, ply & 1) == np.uint64(key))
                if leads.any():
                    key = int(keys[leads][0])
                    line.append(number)
                    break
        return tuple(reversed(line))

    def _move(self, square: int) -> int:
        squares = self.rules.each_move(np.array([square], np.uint64))
        return next(number for number, part in enumerate(squares) if part[0])


def tour(
    game: Game, rules: KeyRules, side: Side, ask: Ask, limit: Limit, saved: AnswerFolder | None
) -> Tour:
    """Walk until the player has lost, or all positions are known.

    Raises CannotEnumerate where the player's moves cannot be found, and Undecided beyond the limit.
    """
    result = Tour(rules, side)
    keys = np.array([rules.key(game.start())], np.uint64)
    for ply in range(game.max_plies):
        if not len(keys):
            break
        mover = ply & 1
        squares = None if saved is None else saved.load(side, ply, keys)
        if squares is None:
            squares = ask(keys) if mover == side else rules.landings(rules.split(keys)[1])
            if saved is not None:
                saved.keep(side, ply, keys, squares)
        result.plies.append((keys, squares))
        ending = np.concatenate([rules.ending(part, mover) for part in blocks(keys)]) & squares
        if ending.any() and (mover == side) == rules.misere:
            index = int(np.flatnonzero(ending)[0])
            ending_squares = int(ending[index])
            result.losing = result.line_to(int(keys[index]), ending_squares & -ending_squares)
        over = merged(children(rules, keys, ending, mover))
        keys = merged(children(rules, keys, squares & ~ending, mover))
        result.positions += len(over) + len(keys)
        progress.tell(result.positions, limit.positions, "positions", "at most")
        if result.losing is not None:
            break
        limit.require(result.positions, f"the walk at {game.name}", result.progress)
    result.draws = bool(len(keys))
    return result
