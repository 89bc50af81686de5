"""Players compared by games: the pairs of the baseline are played again, under the same seeds.

The test looks at the difference of each pair, new points minus old. A player that has not changed
and takes all its chance from its generator plays the same games, all differences are 0, and no
opponent's luck can hide or feign a change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from arena.dataclass import dataclass
from arena.errors import counted
from arena.features.regress.baseline import BaselinePairs, FrozenGames, Points, points_of_pair
from arena.features.regress.drops import fixed_drop, stopped_drop
from arena.features.regress.nonregression import Decision, NonRegression
from arena.features.regress.record import Comparison, Fall, PanelScore, RegressionVerdict
from arena.features.regress.series import PAIRS_AT_ONCE, SeriesPairs
from arena.fights.pairing import Pairing
from arena.game import Game
from arena.player import PlayerInfo
from arena.records.paid import scale_of_game
from arena.stats.interval import score_interval


@dataclass(frozen=True)
class Rematch:
    """A player's pairs, and those of the baseline."""

    player: PlayerInfo
    game: Game
    before: Mapping[str, BaselinePairs]
    test: NonRegression
    pairings: tuple[Pairing, ...]
    #: Whether all pairs are played, for a new baseline; else the test may end them early.
    is_recording: bool
    #: The flag that asks for more pairs.
    more: str = "--update -n"

    def is_decided(self, played: SeriesPairs) -> bool:
        """Return whether the test accepts either hypothesis, or the player is at fault."""
        if played.faults:
            return True
        if self.is_recording:
            return False
        differences = [d for one in self._differences(played) for d in one]
        return self.test.of(differences).decision != "continue"

    def conclude(self, played: SeriesPairs) -> Comparison:
        """Compare the pairs, where the baseline has the same ones."""
        fault = played.failure
        names, seats = (self.player.name, self.game.name), self.game.seats
        at_table = seats if seats > 2 else None
        result = Comparison(*names, RegressionVerdict.FAULT, fault, "games", seats=at_table)
        if fault:
            return result
        if played.faults:
            message = f"it forfeited {len(played.faults)} of {counted(played.games, 'game')}"
            return replace(result, message=message, line=played.line(*played.faults[0]))
        if self.is_recording and not self._is_comparable():
            pairs = sum(map(len, played.points))
            message = f"{pairs} {result.noun}s were recorded, and there are none to compare with"
            return replace(result, verdict=RegressionVerdict.NEW, message=message, pairs=pairs)
        by_opponent = self._differences(played)
        differences = [d for one in by_opponent for d in one]
        state = self.test.of(differences)
        result = replace(
            result,
            panel=tuple(self._scores(played)),
            pairs=len(differences),
            differing=sum(map(bool, differences)),
            llr=state.test.llr,
            margin=self.test.margin,
            interval=_strength(played, by_opponent),
            scale=scale_of_game(self.game) if self.game.is_paid else None,
        )
        if result.differing:
            result = replace(result, fall=self._drop(differences, state))
        shows_drop = self.test.shows_drop(differences)
        verdict = _verdict(state, result, shows_drop)
        line = None
        if verdict == RegressionVerdict.WEAKER:
            index, pair = _worst(by_opponent)
            games = played.points[index][pair]
            line = played.line(index, pair + 1, games.index(min(games)))
        result = replace(result, verdict=verdict, line=line)
        return replace(result, message=self._message(result, state, differences))

    def _message(self, result: Comparison, state: Decision, differences: Sequence[Points]) -> str:
        """Return the finding with its interval, and then the hypothesis that the test accepts."""
        finding = f"none of {counted(result.pairs, result.noun)} ended differently"
        if result.fall is not None:
            differing = f"{result.differing} of which ended differently"
            what = "score" if result.scale is None else "payoff"
            finding = f"its {what} {result.finding}, {differing}"
        test, drop = state.test, result.in_unit(state.drop)
        ratio = f"log-likelihood ratio {test.llr:.2f}"
        if state.decision == "H1":
            slightly = ", but by less" if result.is_slightly_weaker else ""
            return f"{finding}; it is not weaker by {drop}{slightly} ({ratio})"
        if state.decision == "H0":
            return f"{finding}; the test prefers a fall by {drop} to no fall ({ratio})"
        bounds = f"{ratio} in {test.lower:.2f} to {test.upper:.2f}"
        if result.verdict == RegressionVerdict.WEAKER:
            open_ = f"whether it is by {drop} stays open ({bounds})"
            return f"{finding}; the interval excludes that it is as strong as it was; {open_}"
        each = -(-self.test.pairs_to_decide(differences) // len(self.pairings))
        return (
            f"{finding}; the test leaves open whether it is weaker by {drop} ({bounds}):"
            f" allow a larger --margin, or play more {result.noun}s against each opponent, about"
            f" {self.more} {each}"
        )

    def _drop(self, differences: Sequence[Points], state: Decision) -> Fall:
        if self.is_recording:
            return fixed_drop(differences)
        return stopped_drop(differences, state, PAIRS_AT_ONCE * len(self.pairings))

    def _differences(self, played: SeriesPairs) -> list[list[Points]]:
        """Return the new minus the old points of each pair, by opponent."""
        both = (
            zip(map(points_of_pair, points), self._old(played, i), strict=False)
            for i, points in enumerate(played.points)
        )
        return [[new - old for new, old in pairs] for pairs in both]

    def _old(self, played: SeriesPairs, index: int) -> tuple[Points, ...]:
        return self.before[played.opponent(index)].points

    def _scores(self, played: SeriesPairs) -> list[PanelScore]:
        """Return the points per game over the compared pairs."""
        scores = []
        for index, points in enumerate(played.points):
            both = list(zip(points, self._old(played, index), strict=False))
            if both:
                new, old = sum(points_of_pair(n) for n, _ in both), sum(o for _, o in both)
                games = 4 * len(both)
                scores.append(
                    PanelScore(played.opponent(index), Fraction(old) / games, Fraction(new) / games)
                )
        return scores

    def _is_comparable(self) -> bool:
        return all(
            pairing.b.name in self.before and self.before[pairing.b.name].seed == pairing.seed
            for pairing in self.pairings
        )

    def recorded(self, played: SeriesPairs) -> FrozenGames:
        """Return the entry of the new baseline."""
        against = {
            pairing.b.name: BaselinePairs(pairing.seed, tuple(map(points_of_pair, points)))
            for pairing, points in zip(self.pairings, played.points, strict=True)
        }
        return FrozenGames(self.player.version, against)


@dataclass(frozen=True)
class PolicyRematch:
    """A player's pairs, and those of its policy of the baseline, which is played too."""

    #: The comparison, without pairs of before.
    rematch: Rematch
    #: The pairings of the policy, in the order of those of the player.
    old: tuple[Pairing, ...]
    #: Why the policies are not compared.
    why: str

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """The pairings of the player, and then those of the policy."""
        return (*self.rematch.pairings, *self.old)

    def is_decided(self, played: SeriesPairs) -> bool:
        """Return whether the test accepts either hypothesis."""
        rematch, new = self._split(played)
        return rematch.is_decided(new)

    def conclude(self, played: SeriesPairs) -> Comparison:
        """Compare the player's pairs with the policy's."""
        rematch, new = self._split(played)
        check = rematch.conclude(new)
        return check if played.failure else replace(check, message=f"{check.message}; {self.why}")

    def _split(self, played: SeriesPairs) -> tuple[Rematch, SeriesPairs]:
        """Return the comparison with the pairs of before, and the player's pairs alone."""
        number = len(self.old)
        before = {
            pairing.b.name: BaselinePairs(pairing.seed, tuple(map(points_of_pair, points)))
            for pairing, points in zip(self.old, played.points[number:], strict=True)
        }
        new = SeriesPairs(self.rematch.pairings, failure=played.failure, seconds=played.seconds)
        new.points = played.points[:number]
        new.faults = [fault for fault in played.faults if fault.pairing < number]
        return replace(self.rematch, before=before), new


def _strength(
    played: SeriesPairs, compared: Sequence[Sequence[Points]]
) -> tuple[float, float] | None:
    """Return the 95 % interval of the mean score of the pairs that were compared.

    It takes them for pairs of one opponent, and their number for fixed beforehand
    (:func:`arena.stats.interval.score_interval`).
    """
    cells: dict[Points, int] = dict.fromkeys(range(5), 0)
    for points, compared_pairs in zip(played.points, compared, strict=True):
        for pair in points[: len(compared_pairs)]:
            total = points_of_pair(pair)
            cells[total] = cells.get(total, 0) + 1
    in_order = sorted(cells.items())
    scores = [float(points) / 4 for points, _ in in_order]
    return score_interval([count for _, count in in_order], scores=scores)


def _verdict(state: Decision, result: Comparison, shows_drop: bool) -> RegressionVerdict:
    """Return the verdict of the test, or of the interval where all pairs leave the test open."""
    if state.decision == "H1":
        return RegressionVerdict.NO_WEAKER if result.differing else RegressionVerdict.SAME
    is_excluded = shows_drop and result.fall is not None and result.fall.low > 0
    return (
        RegressionVerdict.WEAKER
        if state.decision == "H0" or is_excluded
        else RegressionVerdict.UNDECIDED
    )


def _worst(by_opponent: list[list[Points]]) -> tuple[int, int]:
    """Return the first opponent and pair, both from 0, with the largest drop."""
    return min(
        ((index, pair) for index, one in enumerate(by_opponent) for pair in range(len(one))),
        key=lambda place: by_opponent[place[0]][place[1]],
    )
