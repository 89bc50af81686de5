"""Whose ratings can be compared, and how that is said to a reader."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena.stats.connectivity import members, reachable, strong_groups
from arena.stats.meetings import Meeting

#: A sentence names at most so many players.
NAMED = 6


class Comparable:
    """Players in groups: within one, everybody took half a point or more from everybody else.

    Directly or through others: only within such a group are ratings finite (Ford 1957).
    """

    def __init__(self, names: Sequence[str], meetings: Sequence[Meeting]) -> None:
        self._names = names
        self._reach = reachable(len(names), _points_taken(meetings))
        met = [pair for m in meetings for pair in ((m.a, m.b), (m.b, m.a))]
        #: Those who met, directly or through others.
        self._parts = strong_groups(reachable(len(names), met))
        self._links = strong_groups(self._reach)
        self._linked = {player: group for group in self._links for player in group}
        self._group = dict(self._linked)
        self._order = [player for group in self._links for player in group]
        self._part = {player: part for part in self._parts for player in part}

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """All groups, of one player too; one comes before those that it won everything from."""
        return tuple(dict.fromkeys(self._group[player] for player in self._order))

    def split(self, drift: Sequence[float], tolerance: float) -> None:
        """Part players of one group whose ratings drift apart, the highest first."""
        self._order.sort(
            key=lambda player: (self._links.index(self._linked[player]), -drift[player])
        )
        for group in self._links:
            levels: list[list[int]] = []
            for player in sorted(group, key=lambda player: -drift[player]):
                if levels and drift[levels[-1][-1]] - drift[player] <= tolerance:
                    levels[-1].append(player)
                else:
                    levels.append([player])
            self._group |= {p: tuple(sorted(level)) for level in levels for p in level}

    @property
    def statements(self) -> tuple[str, ...]:
        """Why not all players are in one group, in sentences."""
        parts = [part for part in self._parts if len(part) > 1]
        said = [
            f"{self._listed(part)} met nobody else: their ratings compare only with each other"
            for part in parts
            if len(parts) > 1
        ]
        said += [self._placed(group) for group in self._links if group != self._part[group[0]]]
        said += [
            f"the results put no bound on how far apart {self._listed(group)} are"
            for group in self._links
            if group != self._group[group[0]]
        ]
        said += [f"{self._names[part[0]]} met nobody" for part in self._parts if len(part) == 1]
        return tuple(said)

    def group(self, player: int) -> tuple[int, ...]:
        """Everybody with whom a player compares, itself included."""
        return self._group[player]

    def within(self, meetings: Iterable[Meeting]) -> list[Meeting]:
        """The meetings that say something about ratings: of players of one group."""
        return [m for m in meetings if self._linked[m.a] == self._linked[m.b]]

    def reason(self, player: int) -> str:
        """Why a player has no rating, or with whom alone it compares; empty if with everybody."""
        group, part = self._group[player], self._part[player]
        if len(part) == 1:
            return "met nobody"
        if len(self._linked[player]) == 1:
            return self._results(group)
        if len(group) == 1:
            return "its distance from the others has no bound"
        others = [member for member in group if member != player]
        everybody = sum(len(part) for part in self._parts if len(part) > 1)
        return "" if len(group) == everybody else f"compares only with {self._listed(others)}"

    def _placed(self, group: tuple[int, ...]) -> str:
        results = f"{self._listed(group)} {self._results(group)}"
        if len(group) > 1:
            return f"{results} outside their group: their ratings compare only with each other"
        above, below = self._beside(group)
        bound = "bounds" if above and below else "lower bound" if above else "upper bound"
        return f"{results}: its rating has no {bound}"

    def _results(self, group: tuple[int, ...]) -> str:
        above, below = self._beside(group)
        if above and below:
            return "won everything from some and lost everything to others"
        return "lost everything" if above else "won everything"

    def _beside(self, group: tuple[int, ...]) -> tuple[bool, bool]:
        """Whether somebody won everything from the group, and it won everything from somebody."""
        here, players = group[0], range(len(self._names))
        above = any(self._reach[p] >> here & 1 for p in players if p not in group)
        below = any(p not in group for p in members(self._reach[here]))
        return above, below

    def _listed(self, players: Sequence[int]) -> str:
        named = [self._names[player] for player in players]
        if len(named) > NAMED:
            named[NAMED - 1 :] = [f"{len(named) - NAMED + 1} others"]
        return " and ".join(filter(None, (", ".join(named[:-1]), named[-1])))


def _points_taken(meetings: Iterable[Meeting]) -> Iterable[tuple[int, int]]:
    """Who took half a point or more from whom."""
    for meeting in meetings:
        points = {game.points for cell, _ in meeting.cells for game in cell}
        if points - {0}:
            yield meeting.a, meeting.b
        if points - {2}:
            yield meeting.b, meeting.a
