"""Look the moves of a certificate up, and what it proves of a position.

Opening an index verifies the certificate: what does not prove its claims has no index.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena.arrays import Keys
from arena.certificates import plain
from arena.certificates.checking import noted, recorded, start_of
from arena.certificates.head import DRAW, Claim
from arena.certificates.key_rules import KeyRules, key_rules_of, several
from arena.certificates.stream import reading
from arena.certificates.walk import ChooseNumbers, picked, walk
from arena.files import naming
from arena.game import Game, Position, Side
from arena.model.defaults import MAX_POSITIONS
from arena.player import PlayerInfo

#: Bits of a key by which the positions of a ply are sorted into parts; the others are kept.
_LOW = 32

#: The index that was opened last, by its file.
_OPEN: dict[tuple[str, int, int, int], CertificateIndex] = {}

#: Positions to look at for what a certificate proves of one.
_MAX_POSITIONS = 5_000


class _Ply:
    """The moves of one ply: 5 bytes for each position."""

    def __init__(self, keys: Keys, moves: NDArray[np.uint8]) -> None:
        high = keys >> np.uint64(_LOW)
        parts = int(high[-1]) + 2 if len(keys) else 1
        self._starts = np.searchsorted(high, np.arange(parts, dtype=np.uint64)).astype(np.uint32)
        self._low, self._moves = keys.astype(np.uint32), moves

    def move(self, key: int) -> int | None:
        """Return the move at the position of that key, or None without one."""
        part, low = key >> _LOW, key & (1 << _LOW) - 1
        if part + 1 >= len(self._starts):
            return None
        begin, end = int(self._starts[part]), int(self._starts[part + 1])
        index = begin + int(self._low[begin:end].searchsorted(low))
        return int(self._moves[index]) if index < end and self._low[index] == low else None

    def moves(self, keys: Keys) -> tuple[NDArray[np.bool_], NDArray[np.uint8]]:
        """Return where there is a move at the positions of these keys, and the moves there."""
        high = np.arange(len(self._starts) - 1, dtype=np.uint64) << np.uint64(_LOW)
        ply_keys = np.repeat(high, np.diff(self._starts)) | self._low
        index = np.minimum(np.searchsorted(ply_keys, keys), len(ply_keys) - 1)
        has = ply_keys[index] == keys
        return has, self._moves[index[has]]

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""
        return int(self._starts.nbytes + self._low.nbytes + self._moves.nbytes)


class CertificateIndex:
    """The moves of a verified certificate, by position."""

    def __init__(self, path: Path, games: Callable[[str], Game]) -> None:
        with reading(path) as (head, reader):
            start = start_of(head, games)
            self.head, self.game, self._rules = head, start.game, key_rules_of(start.game)
            self._plies: dict[tuple[Side, int], _Ply] = {}
            self._texts: dict[tuple[Side, int], dict[bytes, int]] = {}
            for claim in head.claims:
                if self._rules is None:
                    recorder = self._noting(noted(reader, claim), claim)
                    plain.walk(start, claim.side, claim.wins, recorder, MAX_POSITIONS)
                else:
                    read = recorded(self._rules, reader, claim)
                    walk(self._rules, start, claim, self._keeping(self._rules, read, claim))
            reader.finish()

    @property
    def nbytes(self) -> int:
        """The memory that the arrays take."""
        return sum(ply.nbytes for ply in self._plies.values())

    def move(self, position: Position) -> int | None:
        """Return the recorded move at a position of this game, or None if none is recorded."""
        side, ply = position.to_move, position.ply
        if self._rules is None:
            return self._texts.get((side, ply), {}).get(str(position).encode())
        level = self._plies.get((side, ply))
        return None if level is None else level.move(self._rules.key(position))

    def answer(self, position: Position) -> int | None:
        """Return the move that the certificate has for a position, by its record or by the rules.

        The rules show a win at once, and a move that is the only safe one. None where the
        certificate says nothing.
        """
        number = self.move(position)
        if number is not None:
            return number
        wins = [move for move in position.legal_moves() if _wins(position, move)]
        if wins:
            return wins[0]
        safe = [move for move in position.legal_moves() if plain.is_safe(position, move)]
        return safe[0] if len(safe) == 1 else None

    def squares(self, keys: Keys) -> Keys:
        """Return the squares of the moves of :meth:`answer` at positions of one ply, by their keys.

        A square is 0 where the certificate says nothing.
        """
        rules = self._rules
        assert rules is not None
        occupied = rules.split(keys)[1]
        ply = int(occupied[0]).bit_count()
        side = Side(ply & 1)
        wins, safe = rules.winning(keys, side), rules.safe(keys, side)
        safe[several(safe)] = 0
        squares: Keys = np.where(wins != 0, wins & -wins, safe)
        level = self._plies.get((side, ply))
        if level is not None:
            has, moves = level.moves(keys)
            squares[has] = rules.landing(occupied[has], moves.astype(np.uint64))
        return squares

    def moves_of(self, position: Position) -> tuple[int, ...]:
        """Return the moves by which a player keeps to the certificate at a position.

        A player keeps to it by any win at once, and by any move on a side of which nothing is
        claimed. The result is empty where the certificate says nothing.
        """
        if all(claim.side != position.to_move for claim in self.head.claims):
            return tuple(position.legal_moves())
        number = self.move(position)
        if number is None:
            wins = tuple(move for move in position.legal_moves() if _wins(position, move))
            if wins:
                return wins
            number = self.answer(position)
        return () if number is None else (number,)

    def proves(self, position: Position) -> tuple[Claim, ...]:
        """Return the claims that the certificate proves of a position."""
        claims = self.head.claims if position.game == self.game else ()
        return tuple(claim for claim in claims if _Proof(self, claim).holds(position))

    def value(self, position: Position) -> int | None:
        """Return 1, 0 or -1 for a win, a draw or a loss of the side to move, or None if it is
        open.
        """
        claims = self.proves(position)
        for claim in claims:
            if claim.wins:
                return 1 if claim.side == position.to_move else -1
        return 0 if claims == DRAW else None

    def _keeping(self, rules: KeyRules, choose: ChooseNumbers, claim: Claim) -> ChooseNumbers:
        """Return what asks ``choose``, and keeps its moves."""

        def keep(ply: int, keys: Keys, safe: Keys) -> NDArray[np.uint8]:
            numbers = choose(ply, keys, safe)
            if len(keys):
                squares = picked(rules, keys, safe, numbers, claim)
                moves = np.zeros(len(keys), np.uint8)
                for number, part in enumerate(rules.each_move(rules.full | squares)):
                    moves[part & squares != 0] = number
                self._plies[claim.side, ply] = _Ply(keys, moves)
            return numbers

        return keep

    def _noting(self, choose: plain.ChooseSafe, claim: Claim) -> plain.ChooseSafe:
        def note(questions: plain.SafeMoves) -> bytes:
            numbers = bytes(choose(questions))
            for (position, safe), number in zip(questions, numbers, strict=True):
                if number < len(safe):
                    texts = self._texts.setdefault((claim.side, position.ply), {})
                    texts[str(position).encode()] = safe[number]
            return numbers

        return note


class _Proof:
    """Follows a claim from a position to positions of the certificate."""

    def __init__(self, index: CertificateIndex, claim: Claim) -> None:
        self._index, self._claim, self._remaining = index, claim, _MAX_POSITIONS

    def holds(self, position: Position) -> bool:
        """Return whether the certificate proves the claim here, as far as it takes few looks."""
        self._remaining -= 1
        outcome, side = position.outcome(), self._claim.side
        if outcome is not None:
            return outcome.winner == side or (outcome.winner is None and not self._claim.wins)
        if self._remaining < 0:
            return False
        if position.to_move != side:
            return all(self.holds(position.play(move)) for move in position.legal_moves())
        if self._index.move(position) is not None:
            return True
        move = self._index.answer(position)
        return move is not None and self.holds(position.play(move))


def _wins(position: Position, move: int) -> bool:
    outcome = position.play(move).outcome()
    return outcome is not None and outcome.winner == position.to_move


def index_of(player: PlayerInfo) -> CertificateIndex | None:
    """Return the certificate whose moves a player plays, or None for another player."""
    index = getattr(player.player, "index", None)
    return index if isinstance(index, CertificateIndex) else None


def open_index(path: Path, games: Callable[[str], Game]) -> CertificateIndex:
    """Return the index of a file. It is the same one as long as the file is the same.

    Raises CertificateError if the file does not prove its claims, UsageError if it cannot be read.
    """
    with naming("certificate", path):
        status = os.stat(path)
    stamp = (str(path.absolute()), status.st_mtime_ns, status.st_size, status.st_ino)
    if stamp not in _OPEN:
        _OPEN.clear()  # one is large
        _OPEN[stamp] = CertificateIndex(path, games)
        _give_back()
    return _OPEN[stamp]


def _give_back() -> None:
    """Give the memory that the check took back to the machine, where the C library keeps it."""
    import ctypes

    with suppress(OSError, AttributeError, TypeError):  # only glibc has that function
        ctypes.CDLL(None).malloc_trim(0)
