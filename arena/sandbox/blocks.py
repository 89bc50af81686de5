"""Ask a player in a process of its own for the moves of a block of positions with one message."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

from arena.errors import Forfeited, Unavailable, VoidGame, Withdrawn
from arena.game import Position
from arena.match.record import not_again
from arena.player.batches import BatchRandom, ChooseElsewhere
from arena.sandbox.cores import one_core
from arena.sandbox.denied_hints import with_hint
from arena.sandbox.queries import MAX_SENDINGS
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

        Raises Withdrawn if it cannot be started, and VoidGame if the machine is too busy.
        """
        draws = [rng.bits() for _ in range(self._turns)]
        while (moves := self._answer(positions, draws)) is None:
            if len(draws) >= MAX_DRAWS:
                problem = f"choose_batch draws more than {MAX_DRAWS:,} times for a move"
                raise Forfeited("exception", problem)
            draws += [rng.bits() for _ in draws[:]]
            self._turns = len(draws)
        return moves

    def certain(self, positions: Sequence[Position]) -> list[int] | None:
        """Return its moves if it draws nothing, or None if it does. Raises as a call does."""
        return self._answer(positions, ())

    def _answer(self, positions: Sequence[Position], draws: Sequence[Bits]) -> list[int] | None:
        with one_core() if self._remote.shares_core else nullcontext():
            for _ in range(MAX_SENDINGS - 1):
                try:
                    return self._ask(positions, draws)
                except Unavailable:  # whoever plays the game waits
                    raise
                except VoidGame:
                    continue
            return self._ask(positions, draws)

    def _ask(self, positions: Sequence[Position], draws: Sequence[Bits]) -> list[int] | None:
        remote, limits = self._remote, self._remote.limits
        try:
            process = remote.take_for(positions[0].game, fresh=False)
        except Withdrawn as error:
            if self._has_answered:  # it has played, and leaves before it loses
                raise Forfeited("crash", not_again(error.problem)) from None
            raise
        try:
            message = FRAMES.tell(question(1, positions, draws))
            answer, _ = process.ask(1, message, min(limits.move_time, limits.game_time))
            moves = read_moves(answer)
        except Forfeited as error:
            if error.reason in protocol.ADMITTED:  # its process is as it was
                remote.give_back(process)
            else:
                process.end()
            raise with_hint(error, remote.tier, remote.spec) from None
        except BaseException:
            process.end()
            raise
        self._has_answered = True
        remote.give_back(process)
        return moves
