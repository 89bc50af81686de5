"""Walk through all positions of a certificate ply by ply, in arrays.

The same walk writes, checks and indexes certificates: it asks for the moves, and refuses those that
do not prove the claim. Only the positions of two plies are in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from arena.arrays import Keys
from arena.certificates.head import Claim
from arena.certificates.key_rules import BLOCK_POSITIONS, KeyRules, several
from arena.errors import UsageError, quoted
from arena.game import Position
from arena.proof import progress
from arena.proof.checker import CertificateError

#: Returns the number of the chosen move among the safe moves of each position: of a ply, the keys
#: in ascending order, and the squares of their safe moves, two or more.
ChooseNumbers: TypeAlias = "Callable[[int, Keys, Keys], NDArray[np.uint8]]"

#: The most positions of a ply, before equal ones are merged: this many take two gigabytes.
MAX_PLY = 1 << 26


class SectionSize(NamedTuple):
    """The size of a section."""

    positions: int
    #: Positions at which the file records a move.
    recorded: int


def walk(rules: KeyRules, start: Position, claim: Claim, choose: ChooseNumbers) -> SectionSize:
    """Verify the claim of one side, by the moves that ``choose`` returns.

    Raises CertificateError, with a position, if they do not prove it, and UsageError if a ply has
    more than MAX_PLY positions.
    """
    keys = np.array([rules.key(start)], np.uint64)
    ply, side, plies_left = start.ply, int(start.to_move), start.game.max_plies - start.ply
    positions = recorded = plies = 0
    while len(keys):
        positions, plies = positions + len(keys), plies + 1
        progress.tell(plies, plies_left + 1, f"plies, {positions:,} positions")
        if not plies_left:
            _require_full(rules, keys, claim)
            choose(ply, keys[:0], keys[:0])
            break
        if side == claim.side:
            keys, number = _player_moves(rules, keys, ply, claim, choose)
            recorded += number
        else:
            if not plies - 1:
                _require_no_win(rules, keys, side)
            choose(ply, keys[:0], keys[:0])
            keys, over = _replies(rules, keys, side, min(plies_left, rules.moves))
            positions += over
            if over and not len(keys):  # the next ply has positions, all of them over
                choose(ply + 1, keys, keys)
        ply, side, plies_left = ply + 1, 1 - side, plies_left - 1
    return SectionSize(positions, recorded)


def _require_full(rules: KeyRules, keys: Keys, claim: Claim) -> None:
    """Refuse full boards where the side must win. Neither side has a line there."""
    if claim.wins:
        raise CertificateError(f"{claim}: the game is drawn at {_first_text(rules, keys)}")


def _require_no_win(rules: KeyRules, keys: Keys, side: int) -> None:
    """Refuse a start at which the opponent wins at once. Safe moves lead to no other such one."""
    if rules.winning(keys, side).any():
        raise CertificateError(f"the opponent wins at once at {_first_text(rules, keys)}")


def _player_moves(
    rules: KeyRules, keys: Keys, ply: int, claim: Claim, choose: ChooseNumbers
) -> tuple[Keys, int]:
    """Return the positions after the side's moves, and the number of those that it chose."""
    parts = [_safe(rules, block, claim) for block in blocks(keys)]
    going = np.concatenate([block for block, _ in parts])
    safe = np.concatenate([squares for _, squares in parts])
    two = several(safe)
    question_keys, among = going[two], safe[two]
    safe[two] = picked(rules, question_keys, among, choose(ply, question_keys, among), claim)
    return merged(children(rules, going, safe, claim.side)), len(question_keys)


def _safe(rules: KeyRules, keys: Keys, claim: Claim) -> tuple[Keys, Keys]:
    """Return the positions without a win at once, and the squares of their safe moves."""
    going = keys[rules.winning(keys, claim.side) == 0]
    safe = rules.safe(going, claim.side)
    if not safe.all():
        raise CertificateError(
            f"{claim}: no move is safe at {_first_text(rules, going[safe == 0])}"
        )
    return going, safe


def picked(
    rules: KeyRules, keys: Keys, among: Keys, numbers: NDArray[np.uint8], claim: Claim
) -> Keys:
    """Return the squares of these numbers among the squares of each position.

    Raises CertificateError for a number that is too large.
    """
    remaining = among.copy()
    for passed in range(int(numbers.max(initial=0))):
        more = np.flatnonzero(numbers > passed)
        remaining[more] &= remaining[more] - np.uint64(1)
    if not remaining.all():
        index = int(np.flatnonzero(remaining == 0)[0])
        position = _first_text(rules, keys[index:])
        raise CertificateError(
            f"{claim}: at {position} it has move {numbers[index]}, counted from 0,"
            f" of {int(among[index]).bit_count()} safe ones"
        )
    return remaining & -remaining


def _replies(rules: KeyRules, keys: Keys, side: int, most: int) -> tuple[Keys, int]:
    """Return the positions after all moves of the opponent, and the number that are over."""
    if len(keys) * most > MAX_PLY:
        raise UsageError(
            f"a ply has up to {len(keys) * most:,} positions, and more than {MAX_PLY:,} do not fit"
            " into the memory"
        )
    parts = [rules.replies(block, side) for block in blocks(keys)]
    going, losing = (np.concatenate(squares) for squares in zip(*parts, strict=True))
    over = merged(children(rules, keys, losing, side)) if losing.any() else losing[:0]
    return merged(children(rules, keys, going, side)), len(over)


def children(rules: KeyRules, keys: Keys, squares: Keys, side: int) -> Keys:
    """Return the positions after each of these moves, in as many ascending runs as moves."""
    parts = []
    for part in rules.each_move(squares):
        has = part != 0
        parts.append(rules.played(keys[has], part[has], side))
    return np.concatenate(parts)


def merged(keys: Keys) -> Keys:
    """Return each key once, ascending. A stable sort is quick for a few ascending runs."""
    keys.sort(kind="stable")
    is_new = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=is_new[1:])
    return keys[is_new]


def blocks(keys: Keys) -> Iterator[Keys]:
    """Yield the keys in blocks that fit the cache, or one empty block if there are none."""
    return (
        keys[start : start + BLOCK_POSITIONS]
        for start in range(0, max(1, len(keys)), BLOCK_POSITIONS)
    )


def _first_text(rules: KeyRules, keys: Keys) -> str:
    """Return the first position as text."""
    return quoted(str(rules.position(int(keys[0]))))
