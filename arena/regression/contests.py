"""Plan the games: the opponents, the number of pairs, and the seed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from arena.errors import UsageError
from arena.fights.pairing import Pairing
from arena.game import Game
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.regression.baseline import Baseline, FrozenGames
from arena.regression.claims import PAIRS as CLAIM_PAIRS
from arena.regression.claims import Bound
from arena.regression.nonregression import NonRegression
from arena.regression.plan import Plan
from arena.regression.request import PAIRS, QUICK, SEED, Request
from arena.regression.sampled import Recording, Replayed
from arena.regression.study import Job


@dataclass(frozen=True)
class Contests:
    """Makes contests; an ArenaError if one cannot be held."""

    request: Request
    baseline: Baseline
    catalogue: Catalogue
    plan: Plan
    #: The test of every player whose games are compared; they share the level.
    test: NonRegression

    def bound(self, job: Job, claim: str, reason: str) -> Bound:
        """Return games that bound an unproved claim, equally many against each of the panel."""
        names = self.plan.panels.get(job.game.name) or [
            info.name for _, info in self.catalogue.players if info.plays(job.game)
        ]
        opponents = self._opponents(job.player, job.game, names)
        pairs = self._shortened(-(-CLAIM_PAIRS // len(opponents)))
        seed = SEED if self.request.seed is None else self.request.seed
        pairings = tuple(Pairing(job.game, job.player, b, pairs, seed) for b in opponents)
        return Bound(job.player.name, job.game, claim, reason, pairings)

    def rematch(self, player: PlayerInfo, game: Game) -> Replayed:
        """Return the games of the baseline again; for an update, those of the new one."""
        entry = self.baseline.games.get(game.name)
        old = entry.players.get(player.name) if entry else None
        before = old.against if isinstance(old, FrozenGames) else {}
        panel = self.plan.panels[game.name]
        if self.request.is_update:
            opponents = self._opponents(player, game, panel)
            most = max((len(recorded.points) for recorded in before.values()), default=PAIRS)
            seeds = {recorded.seed for recorded in before.values()} or {SEED}
            pairs = self.request.pairs or most
            seed = min(seeds) if self.request.seed is None else self.request.seed
            pairings = tuple(Pairing(game, player, b, pairs, seed) for b in opponents)
            return Recording(player.name, game, before, self.test, pairings, player.version)
        opponents = self._opponents(player, game, [name for name in panel if name in before])
        pairings = tuple(
            Pairing(game, player, b, self._shortened(len(old.points)), old.seed)
            for b in opponents
            for old in [before[b.name]]
        )
        return Replayed(player.name, game, before, self.test, pairings)

    def _shortened(self, pairs: int) -> int:
        return -(-pairs // QUICK) if self.request.is_quick else pairs

    def _opponents(self, player: PlayerInfo, game: Game, names: Iterable[str]) -> list[PlayerInfo]:
        found = [self.catalogue.player(name) for name in names if name != player.name]
        for opponent in found:
            opponent.require(game)
        if not found:
            raise UsageError(f"nobody else is on the panel at {game.name} to play {player.name}")
        return found
