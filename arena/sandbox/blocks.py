"""Ask a player in a process of its own for the moves of a block of positions with one message."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext, suppress

from arena.errors import Forfeited, Spoilt, Withdrawn
from arena.game import Position
from arena.match.record import not_again
from arena.player.batches import BatchRandom, ChooseElsewhere
from arena.sandbox.asking import MAX_SENDINGS
from arena.sandbox.barred import hinted
from arena.sandbox.cores import one_core
from arena.sandbox.remote import Remote
from arena.sandbox.wire import protocol
from arena.sandbox.wire.blocks import Bits, question, read_moves
from arena.sandbox.wire.languages import FRAMES

#: The most draws for a move.
MAX_DRAWS = 1 << 10


class RemoteBatch(ChooseElsewhere):
    """The ``choose_batch`` of a player in another process: a block has the time of one move."""

    def __init__(self, remote: Remote) -> None:
        self._remote = remote
        #: This many draws were enough until now.
        self._turns = 1
        self._has_answered = False

    def __call__(self, positions: Sequence[Position], rng: BatchRandom) -> list[int]:
        """Return its moves. Raises Forfeited if it makes none.

        Raises Withdrawn if it cannot be started, and Spoilt if the machine is too busy.
        """
        drawn = [rng.bits() for _ in range(self._turns)]
        while (moves := self._answer(positions, drawn)) is None:
            if len(drawn) >= MAX_DRAWS:
                problem = f"choose_batch draws more than {MAX_DRAWS:,} times for a move"
                raise Forfeited("exception", problem)
            drawn += [rng.bits() for _ in drawn[:]]
            self._turns = len(drawn)
        return moves

    def certain(self, positions: Sequence[Position]) -> list[int] | None:
        """Return its moves if it draws nothing; None if it does. Raises as a call does."""
        return self._answer(positions, ())

    def _answer(self, positions: Sequence[Position], drawn: Sequence[Bits]) -> list[int] | None:
        with one_core() if self._remote.shares_core else nullcontext():
            for _ in range(MAX_SENDINGS - 1):
                with suppress(Spoilt):
                    return self._asked(positions, drawn)
            return self._asked(positions, drawn)

    def _asked(self, positions: Sequence[Position], drawn: Sequence[Bits]) -> list[int] | None:
        remote, limits = self._remote, self._remote.limits
        try:
            process = remote.take(anew=False)
        except Withdrawn as error:
            if self._has_answered:  # it has played, and leaves before it loses
                raise Forfeited("crash", not_again(error.problem)) from None
            raise
        try:
            told = FRAMES.tell(question(1, positions, drawn))
            answer, _ = process.ask(1, told, min(limits.move_time, limits.game_time))
            moves = read_moves(answer)
        except Forfeited as error:
            if error.reason in protocol.ADMITTED:  # its process is as it was
                remote.give_back(process)
            else:
                process.end()
            raise hinted(error, remote.tier) from None
        except BaseException:
            process.end()
            raise
        self._has_answered = True
        remote.give_back(process)
        return moves
