"""Write a certificate from a strategy, which says the moves of a side.

A strategy for games of lines takes a ply and an array of keys, as docs/certificates.md defines
them, in ascending order, and returns the number of its move at each. For other games it takes a
position. It is asked where two moves or more are safe, at most MAX_AT_ONCE positions at once. The
walk refuses a move that is not safe, and a strategy that does not keep its claim.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena.arrays import Keys, KeyStrategy
from arena.certificates import plain
from arena.certificates.head import CertificateHead, Claim
from arena.certificates.key_rules import KeyRules, key_rules_of
from arena.certificates.stream import Writer, writing
from arena.certificates.walk import ChooseNumbers, SectionSize, walk
from arena.errors import UsageError
from arena.escape import ascii_line
from arena.game import Position
from arena.model.defaults import MAX_POSITIONS
from arena.proof.checker import CertificateError
from arena.proof.program import program

#: Positions at which a strategy is asked at once.
MAX_ASKED_AT_ONCE = 1 << 18

#: The most safe moves of a position whose move can be recorded: a byte has its number.
MAX_SAFE = 256

#: The move of a side at a position.
MoveAt = Callable[[Position], int]


def write_certificate(
    path: Path,
    start: Position,
    strategies: Mapping[Claim, KeyStrategy],
    source: str,
    assumes: str = "",
    head: CertificateHead | None = None,
) -> dict[Claim, SectionSize]:
    """Write the certificate of one claim, or of the two of a draw, by strategies for arrays.

    A ``head`` with these claims replaces the source and what it assumes. The file is there as a
    whole or not at all. Raises CertificateError, with a position, where a strategy does not prove
    its claim.
    """
    rules = key_rules_of(start.game)
    assert rules is not None
    head = head or head_of(start, tuple(strategies), source, assumes)
    with writing(path, head) as writer:
        return {
            claim: walk(rules, start, claim, _recording(rules, strategy, writer))
            for claim, strategy in strategies.items()
        }


def write_by_position(
    path: Path,
    start: Position,
    moves: Mapping[Claim, MoveAt],
    source: str,
    most: int = MAX_POSITIONS,
) -> dict[Claim, SectionSize]:
    """Write the same by functions of a position, for any game of at most ``most`` positions."""
    rules = key_rules_of(start.game)
    if rules is not None:
        strategies = {claim: _by_position(rules, move) for claim, move in moves.items()}
        return write_certificate(path, start, strategies, source)
    with writing(path, head_of(start, tuple(moves), source, "")) as writer:
        return {
            claim: SectionSize(
                *plain.walk(start, claim.side, claim.wins, _noting(move, writer), most)
            )
            for claim, move in moves.items()
        }


def head_of(
    start: Position, claims: tuple[Claim, ...], source: str, assumes: str
) -> CertificateHead:
    """Return the head of a certificate that this program writes."""
    game = start.game
    lines = map(ascii_line, (source, program(), assumes))
    return CertificateHead(game.name, game.version, str(start), claims, *lines)


def _recording(rules: KeyRules, strategy: KeyStrategy, writer: Writer) -> ChooseNumbers:
    """Return what asks a strategy for the moves of a ply, and writes them."""

    def choose(ply: int, keys: Keys, safe: Keys) -> NDArray[np.uint8]:
        numbers = np.zeros(len(keys), np.uint8)
        for start in range(0, len(keys), MAX_ASKED_AT_ONCE):
            part = slice(start, start + MAX_ASKED_AT_ONCE)
            moves = np.asarray(strategy(ply, keys[part])).astype(np.uint64)
            numbers[part] = _numbers(rules, keys[part], safe[part], moves)
        writer.moves(numbers.tobytes())
        return numbers

    return choose


def _numbers(rules: KeyRules, keys: Keys, safe: Keys, moves: Keys) -> NDArray[np.uint8]:
    """Return the number of each move among the safe ones. Raises CertificateError for another."""
    squares = rules.landing(rules.split(keys)[1], moves)
    wrong = np.flatnonzero(squares & safe == 0)
    if len(wrong):
        index = int(wrong[0])
        text = str(rules.position(int(keys[index])))
        raise CertificateError(f"move {moves[index]} loses at once or is not legal at {text!r}")
    numbers = np.zeros(len(keys), np.uint8)
    for part in rules.each_move(safe):
        numbers += (part != 0) & (part < squares)
    return numbers


def _by_position(rules: KeyRules, move: MoveAt) -> KeyStrategy:
    """Return the strategy that asks for one move after the other."""

    def strategy(_: int, keys: Keys) -> NDArray[np.uint64]:
        moves = [move(rules.position(key)) for key in keys.tolist()]
        return np.array(moves, np.uint64)

    return strategy


def _noting(move: MoveAt, writer: Writer) -> plain.ChooseSafe:
    """Return what asks for one move after the other, and writes those of a ply."""

    def choose(questions: plain.SafeMoves) -> bytes:
        numbers = bytearray()
        for position, safe in questions:
            answer = move(position)
            if answer not in safe:
                raise CertificateError(
                    f"move {position.game.format_move(answer)} loses at once at {str(position)!r}"
                )
            if len(safe) > MAX_SAFE:
                raise UsageError(f"{str(position)!r} has more than {MAX_SAFE} safe moves")
            numbers.append(safe.index(answer))
        writer.moves(bytes(numbers))
        return bytes(numbers)

    return choose
