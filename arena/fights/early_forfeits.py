"""Judge players by their first games: one that forfeits them all for one reason plays no more.

A player's first games are those of its first pairs in the order in which a run plays its pairs.
A game that the opponent forfeits says nothing of a player: one that forfeits half of its first
games or more, for one reason, does not pass if its opponents forfeit all the others.

While all of them are forfeits, the queue hands out no other pair of the player's: so nothing that
is played is ever taken back, and the outcome does not depend on which worker is quicker. A player
that does not pass forfeits every other game unplayed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.fights.chunks import Chunk
from arena.fights.counting import counts_of
from arena.fights.counts import Counts
from arena.fights.dropouts import Dropouts
from arena.fights.pairing import Pairing
from arena.fights.schedule import turns
from arena.match.record import PlayedPair
from arena.records.entrants import FIRST_PAIRS


@dataclass
class _ForfeitStreak:
    """The state of a player's first games while they are all forfeits."""

    #: How many of its first pairs are not known yet.
    remaining: int = FIRST_PAIRS
    #: How many of its known games it forfeited itself, and why.
    lost: int = 0
    reason: str = ""
    #: The pair and the place in its round of the first of the known forfeits, and its message.
    first: tuple[int, int, str] | None = None
    #: How many games are known.
    played: int = 0

    def goes_on(self, counts: Counts, side: int, place: int) -> bool:
        """Take in more of the games. Return whether all were forfeits, its own for one reason."""
        player, games = counts.players[side], counts.games_a_pair * counts.pairs
        lost = player.forfeits.total()
        reasons = {*player.forfeits, *filter(None, [self.reason])}
        # A forfeit of one of more than two players does not end the game for the others.
        for_two = counts.players[1 - side].forfeits.total() if len(counts.players) == 2 else 0
        if lost + for_two < games or len(reasons) > 1:
            return False
        self.remaining -= counts.pairs
        self.played += games
        self.lost += lost
        game = player.first_forfeit
        if game is not None:
            [self.reason] = reasons
            assert game.record is not None
            first = (game.pair, place, game.record.forfeits[-1].message)
            self.first = first if self.first is None else min(self.first, first)
        return self.remaining > 0 or self.has_failed

    @property
    def has_failed(self) -> bool:
        """Whether all games are known, and half of them or more are its own forfeits."""
        return not self.remaining and self.lost >= FIRST_PAIRS

    @property
    def games(self) -> str:
        """Its forfeits, in words."""
        if self.lost == self.played:
            return f"its first {self.played} games"
        return f"{self.lost} of its first {self.played} games, its opponents the others"


def first_places(pairings: Sequence[Pairing], order: Sequence[int]) -> list[tuple[int, ...]]:
    """Return for every fight how many of its first pairs are among A's first ones, B's and so on.

    ``order`` has the places of the pairings that are played by calls, in their order in a round. No
    player forfeits the games of others. A player with no more pairs than its first ones has zero
    of them, because no game could be left unplayed.
    """
    players = [tuple(map(id, pairing.players)) for pairing in pairings]
    planned: Counter[int] = Counter()
    for fight in order:
        planned.update(dict.fromkeys(players[fight], pairings[fight].pairs))
    remaining = {player: FIRST_PAIRS * (pairs > FIRST_PAIRS) for player, pairs in planned.items()}
    places = [[0] * len(each) for each in players]
    pairs = [min(pairing.pairs, FIRST_PAIRS) for pairing in pairings]
    for pair, fight in turns(pairs, order):
        for side, player in enumerate(players[fight]):
            if remaining[player]:
                places[fight][side] = pair
        for player in {*players[fight]}:
            remaining[player] = max(0, remaining[player] - 1)
    return list(map(tuple, places))


class EarlyForfeits:
    """Follow a run: say what may be played now, and which players have not passed.

    ``order`` is as for :func:`first_places`. If it is empty, all players pass.
    """

    def __init__(self, pairings: Sequence[Pairing], order: Sequence[int]) -> None:
        self._pairings = pairings
        self._players = [tuple(map(id, pairing.players)) for pairing in pairings]
        self._firsts = first_places(pairings, order)
        self._order = {fight: place for place, fight in enumerate(order)}
        self._trials = {
            player: _ForfeitStreak()
            for players, firsts in zip(self._players, self._firsts, strict=True)
            for player, first in zip(players, firsts, strict=True)
            if first
        }
        #: Whether some player did not pass.
        self.has_failed = False

    def stop(self, fight: int, pairs: range) -> int:
        """Return the end of those of the next pairs of a fight that may be played now.

        A player on trial plays pair by pair, so that all workers can take part in its trial.
        """
        firsts = [
            first
            for player, first in zip(self._players[fight], self._firsts[fight], strict=True)
            if player in self._trials
        ]
        return pairs.start + (pairs.start <= min(firsts)) if firsts else pairs.stop

    def give_up(self, fight: int, dropped: Iterable[range]) -> None:
        """Pass the players of whose first pairs some will not be played."""
        start = min((pairs.start for pairs in dropped), default=FIRST_PAIRS + 1)
        for player, first in zip(self._players[fight], self._firsts[fight], strict=True):
            if start <= first:
                self._trials.pop(player, None)

    def resume_from(self, fight: int, played: Iterable[PlayedPair], dropouts: Dropouts) -> None:
        """Take in the pairs that an earlier part of the run has played."""
        for pair in played:
            if pair.pair > max(self._firsts[fight]):
                return
            chunk = Chunk(fight, pair.pair, pair.pair + 1)
            self.judge(chunk, counts_of(self._pairings[fight], [pair]), dropouts)

    def judge(self, chunk: Chunk, counts: Counts, dropouts: Dropouts) -> None:
        """Pass players, or put them out, by a result."""
        fight = chunk.pairing
        seats = {player: side for side, player in enumerate(self._players[fight])}
        for player, side in seats.items():
            trial = self._trials.get(player)
            if trial is None or chunk.start > self._firsts[fight][side]:
                continue
            is_whole = counts.pairs == chunk.pairs
            if not is_whole or not trial.goes_on(counts, side, self._order[fight]):
                del self._trials[player]
            elif trial.has_failed:
                self._fail(player, trial, dropouts)

    def _fail(self, player: int, trial: _ForfeitStreak, dropouts: Dropouts) -> None:
        del self._trials[player]
        assert trial.first is not None
        why = f"{trial.games} ({trial.reason}: {trial.first[2]})"
        self.has_failed = True
        dropouts.put_out(player, why)


def total_forfeiters(pairings: Sequence[Pairing], totals: Sequence[Counts]) -> dict[int, str]:
    """Return the players that forfeited all their games, at least the first, for one reason.

    The players are named by their identities, each with its forfeits in words.
    """
    games: Counter[int] = Counter()
    forfeits: dict[int, Counter[str]] = {}
    messages: dict[int, str] = {}
    for pairing, counts in zip(pairings, totals, strict=True):
        if not counts.pairs:
            continue
        for player, side_counts in zip(pairing.players, counts.players, strict=True):
            games[id(player)] += counts.games_a_pair * counts.pairs
            forfeits.setdefault(id(player), Counter()).update(side_counts.forfeits)
            record = side_counts.first_forfeit and side_counts.first_forfeit.record
            if record is not None and record.forfeit is not None:
                messages.setdefault(id(player), record.forfeits[-1].message)
    return {
        key: f"all of its first {count} games ({next(iter(forfeits[key]))}: {messages[key]})"
        for key, count in games.items()
        if count >= 2 * FIRST_PAIRS and len(forfeits[key]) == 1 and forfeits[key].total() == count
    }
