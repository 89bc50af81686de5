"""Find the ratings that compare, and those that the results alone do not bound."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.stats.connectivity import members, reachable, strong_groups
from arena.stats.pairings import PairingCounts

#: A sentence names at most this many players; at most this many sentences name groups.
MAX_NAMED_PLAYERS = 6

#: By whether a player lost every game to some others, and won every game against some.
_RESULTS = {
    (False, True): "won every game",
    (True, False): "lost every game",
    (True, True): "won every game against some players and lost every game to others",
}

#: How only the prior bounds ratings with these results: of one player, of a group.
_BOUNDS = {
    (False, True): ("gives {its} an upper bound", "bounds how far ahead they are"),
    (True, False): ("gives {its} a lower bound", "bounds how far behind they are"),
    (True, True): ("bounds {its}", "bounds how far apart they are"),
}


class Comparable:
    """The players in groups that met, and in levels that took points from each other.

    Within a level each player took half a point or more from each other one, directly or through
    others. Only there the likelihood alone has finite ratings (Ford, American Mathematical Monthly
    64, 1957). Between levels the prior keeps them finite.
    """

    def __init__(
        self, names: Sequence[str], pairings: Sequence[PairingCounts], prior: bool = False
    ) -> None:
        """``prior`` says whether imagined games connect the groups."""
        self._names, self._prior = names, prior
        played = [pair for m in pairings for pair in ((m.a, m.b), (m.b, m.a))]
        #: The players that met, directly or through others; the largest group first.
        self.groups = tuple(strong_groups(reachable(len(names), played)))
        self._group = {player: group for group in self.groups for player in group}
        self._reach = reachable(len(names), _points_taken(pairings))
        self._levels = strong_groups(self._reach)
        self._level = {player: level for level in self._levels for player in level}

    @property
    def statements(self) -> tuple[str, ...]:
        """The limits of the ratings, in sentences."""
        rated = [group for group in self.groups if len(group) > 1]
        unmet = [group[0] for group in self.groups if len(group) == 1]
        sentences = []
        if len(rated) > 1:
            sentences.append(
                f"the players are in {len(rated)} groups that did not meet: ratings compare only"
                " within a group" + "; only the prior puts the groups on one scale" * self._prior
            )
        sentences += self._unbounded(rated)
        if unmet:
            sentences.append(f"{self._listed(unmet)} {self._unmet}")
        return tuple(sentences)

    def reason(self, player: int) -> str:
        """Return why a player has no rating or a limited one, and an empty text for any other."""
        group, level = self._group[player], self._level[player]
        if len(group) == 1:
            return self._unmet
        reasons = []
        if len(group) < len(self._names) - sum(len(group) == 1 for group in self.groups):
            others = [member for member in group if member != player]
            reasons.append(f"compares only with {self._listed(others)}")
        if len(level) == 1:
            reasons.append(_RESULTS[self._beside(level)])
        return "; ".join(reasons)

    @property
    def _unmet(self) -> str:
        return "played no game that counts" + ": only the prior gives a rating" * self._prior

    def _unbounded(self, groups: Iterable[tuple[int, ...]]) -> list[str]:
        """Say which levels only the prior keeps near the others."""
        parted = [level for group in groups for level in self._parted(group)]
        single: dict[tuple[bool, bool], list[int]] = {}
        for level in parted:
            if len(level) == 1:
                single.setdefault(self._beside(level), []).extend(level)
        sentences = []
        for beside, players in single.items():
            its = "its rating" if len(players) == 1 else "their ratings"
            bound = _BOUNDS[beside][0].format(its=its)
            sentences.append(f"{self._listed(players)} {_RESULTS[beside]}: only the prior {bound}")
        several = [level for level in parted if len(level) > 1]
        for level in several[:MAX_NAMED_PLAYERS]:
            beside = self._beside(level)
            sentences.append(
                f"{self._listed(level)} {_RESULTS[beside]} outside their group: only the prior"
                f" {_BOUNDS[beside][1]}"
            )
        more = len(several[MAX_NAMED_PLAYERS:])
        return sentences + [f"the same holds of {more} more groups of players"] * bool(more)

    def _parted(self, group: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Return the levels of a group to report: the smaller of two is enough."""
        levels = list(dict.fromkeys(self._level[player] for player in group))
        levels.sort(key=self._levels.index)
        if len(levels) == 2:
            return [min(levels, key=len)]
        return levels if len(levels) > 2 else []

    def _beside(self, level: tuple[int, ...]) -> tuple[bool, bool]:
        """Tell whether the level lost every game to some player, and won every one against some."""
        member = level[0]
        above = any(
            self._reach[player] >> member & 1
            for player in self._group[member]
            if player not in level
        )
        below = any(player not in level for player in members(self._reach[member]))
        return above, below

    def _listed(self, players: Sequence[int]) -> str:
        named = [self._names[player] for player in players]
        if len(named) > MAX_NAMED_PLAYERS:
            named[MAX_NAMED_PLAYERS - 1 :] = [f"{len(named) - MAX_NAMED_PLAYERS + 1} others"]
        return " and ".join(filter(None, (", ".join(named[:-1]), named[-1])))


def _points_taken(pairings: Iterable[PairingCounts]) -> Iterable[tuple[int, int]]:
    """List pairs of which the first took half a point or more from the second."""
    for pairing in pairings:
        points = {game.points for cell, _ in pairing.cells for game in cell}
        if points - {0}:
            yield pairing.a, pairing.b
        if points - {2}:
            yield pairing.b, pairing.a
