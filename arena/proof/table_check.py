"""Check players against their tables in the first pairs of a fight through tables.

A table holds a player's answers to questions, not its moves in games. So the players play the first
pairs themselves, which count like the others. A move without a probability in the table shows that
the table is not the player's, and so do frequencies that the table makes all but impossible.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from arena.errors import PlayerFault
from arena.game import Position
from arena.games.display import Line
from arena.match.record import PlayedPair
from arena.proof.policy import Policy
from arena.proof.witness import TableLookup, Witness
from arena.records.deviations import Deviation
from arena.records.proofs import IMPOSSIBLE

if TYPE_CHECKING:
    from arena.proof.tables import CompiledTree, Leaves


def checked_leaves(
    trees: tuple[CompiledTree, CompiledTree],
    policies: tuple[Policy, Policy],
    path: str,
    pairs: Iterable[PlayedPair],
) -> Leaves:
    """Return the leaves at which the games of these pairs of the fight ``path`` ended.

    Raises PlayerFault if a player does not play as its table says, or a pair was not played.
    """
    import numpy as np

    from arena.proof.tables import leaf_of

    a, b = policies
    witness = Witness(a.game, (a.player.name, b.player.name), (_table(a), _table(b)))
    leaves: tuple[list[int], list[int]] = ([], [])
    for played in witness.watch(pairs, path):
        if played.withdrawn is not None:
            seat, problem = played.withdrawn
            raise PlayerFault(f"{policies[seat].player.name} cannot be started: {problem}")
        if played.void:
            raise PlayerFault(f"check pair {played.pair} is void: {played.void}")
        _require(witness.deviations)
        for half, record in enumerate(played.records):
            first, second = policies[::-1] if half else policies
            leaves[half].append(leaf_of(trees[half], first, second, record.moves))
    for player, policy in enumerate(policies):
        p_value = witness.p_value(player)
        if p_value < IMPOSSIBLE:
            raise PlayerFault(
                f"{policy.player.name} did not play as its table says: its moves have other"
                f" frequencies in {witness.games} games (p {p_value:.0e})"
            )
    return np.array(leaves[0], np.int32), np.array(leaves[1], np.int32)


def _table(policy: Policy) -> TableLookup:
    def table(position: Position, _: Line) -> Mapping[int, Fraction]:
        return policy(position)

    return table


def _require(deviations: Sequence[Deviation | None]) -> None:
    for deviation in filter(None, deviations):  # the first deviation of each player
        raise PlayerFault(f"{deviation.player} did not play as its table says: {deviation}")
