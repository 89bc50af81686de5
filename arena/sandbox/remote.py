"""The player that the arena sees when another process plays."""

from __future__ import annotations

import random
from contextlib import nullcontext
from fractions import Fraction

from arena.dataclass import dataclass
from arena.errors import CannotEnumerate, Forfeited, PlayerFault
from arena.game import Position
from arena.sandbox.cores import one_core
from arena.sandbox.pool import Pool
from arena.sandbox.remote_player import ProgramPlayer, PythonPlayer, RemotePlayer
from arena.sandbox.wire import protocol
from arena.sandbox.wire.languages import FRAMES


class Remote(Pool):
    """Makes the stateful players of a spec: each plays one game."""

    def __call__(self, fresh: bool = True) -> RemotePlayer:
        """Return a player for one game. ``fresh`` executes the code of a file again."""
        return PythonPlayer(self, fresh) if self.spec.is_python else ProgramPlayer(self, fresh)


@dataclass(frozen=True)
class RemoteChoice:
    """The function of a stateless player in another process, outside of a game."""

    remote: Remote

    def __call__(self, position: Position, rng: random.Random) -> int:
        """Return its move. Raises Forfeited if it makes none."""
        player = self.remote(fresh=False)
        with one_core() if self.remote.shares_core else nullcontext():
            player.start(position.game, position.to_move, rng)
            return player.choose(position)


@dataclass(frozen=True)
class RemoteDistribution:
    """The distribution that an installed player in another process declares."""

    remote: Remote

    def __call__(self, position: Position) -> dict[int, Fraction]:
        """Return its moves with their probabilities. It raises as a player here does."""
        try:
            with one_core():
                return self._ask(position)
        except Forfeited as error:
            raise PlayerFault(str(error)) from None

    def _ask(self, position: Position) -> dict[int, Fraction]:
        process = self.remote.take_for(position.game)
        try:
            question = FRAMES.tell(protocol.distribution(1, position))
            answer, _ = process.ask(1, question, self.remote.limits.game_time)
            distribution = protocol.read_distribution(answer, position.game)
        except CannotEnumerate:
            self.remote.give_back(process)
            raise
        except BaseException:
            process.end()
            raise
        self.remote.give_back(process)
        return distribution
