"""Calculate the exact result of a pairing: the probability of every outcome, and the payoffs.

All numbers are fractions. Each position passes the probability of reaching it on to its
successors, ply by ply from the start, until all of it has arrived at finished games.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from arena.dataclass import dataclass
from arena.game import CHANCE, POINTS, Game, Outcome, Position
from arena.games.contract import endless, payoffs_of
from arena.model.defaults import MAX_POSITIONS
from arena.player import pair_names
from arena.proof import progress
from arena.proof.limit import Limit
from arena.proof.policy import Policy
from arena.records.proofs import Chances, ExactResult
from arena.reports.cells import percent

#: Games of at most this many plies do not repay a check of symmetries.
MAX_TINY_PLIES = 9


def exact_result(
    a: Policy,
    b: Policy,
    limit: Limit | None = None,
    openings: Mapping[Position, Fraction] | None = None,
) -> ExactResult:
    """Return the exact result of a pairing in both starting orders. See :func:`exact_ends`."""
    a_first = exact_ends(a, b, limit, openings)
    b_first = exact_ends(b, a, limit, openings)
    game = a.game
    return ExactResult(
        game=game.name,
        game_version=game.version,
        players=pair_names(a.player.name, b.player.name),
        first=a_first.chances,
        second=b_first.chances.reversed(),
        unit=game.payoffs.unit if game.is_paid else "",
        positions=(a_first.positions, b_first.positions),
    )


def chances_of(outcomes: Mapping[Outcome, Fraction]) -> Chances:
    """Return the outcomes as the first player sees them."""
    return Chances(
        outcomes[Outcome.FIRST_WINS], outcomes[Outcome.DRAW], outcomes[Outcome.SECOND_WINS]
    )


@dataclass(frozen=True)
class Ends:
    """How games of two players end: the probability of each outcome, and of what is paid."""

    outcomes: Mapping[Outcome, Fraction]
    #: The probability of each list of payoffs by seat; none in a game without its own.
    paid: Mapping[tuple[Fraction, ...], Fraction]
    #: The positions that were walked.
    positions: int

    @property
    def chances(self) -> Chances:
        """The outcomes and the mean payoffs as the first player sees them."""
        chances = chances_of(self.outcomes)
        return replace(chances, payoffs=_means(self.paid)) if self.paid else chances


def _means(paid: Mapping[tuple[Fraction, ...], Fraction]) -> tuple[Fraction, Fraction]:
    first, second = (
        sum((chance * payoffs[seat] for payoffs, chance in paid.items()), Fraction(0))
        for seat in (0, 1)
    )
    return first, second


def exact_ends(
    first: Policy,
    second: Policy,
    limit: Limit | None = None,
    openings: Mapping[Position, Fraction] | None = None,
) -> Ends:
    """Return how games end in which ``first`` moves first.

    Games begin from each of the ``openings`` with its probability.

    In games that are not tiny, symmetric positions count as one if both players treat them alike:
    at every position that is reached, in all its images. Raises CannotEnumerate if a player's moves
    cannot be enumerated, and Undecided, with what is known so far, if that goes beyond the limit,
    by default MAX_POSITIONS.
    """
    limit = limit or Limit(MAX_POSITIONS)
    starts = openings or {first.game.start(): Fraction(1)}
    if merges(first.game):
        try:
            return _PlyWalk(first, second, limit, merge=True).ends(starts)
        except _NotSymmetric:
            pass
    return _PlyWalk(first, second, limit, merge=False).ends(starts)


def merges(game: Game) -> bool:
    """Return whether symmetric positions may count as one."""
    return game.max_plies > MAX_TINY_PLIES and not game.features


class _NotSymmetric(Exception):
    """A player treats a position and its image differently."""


class _PlyWalk:
    """A walk from ply to ply, and what has ended so far."""

    def __init__(self, first: Policy, second: Policy, limit: Limit, merge: bool) -> None:
        self._policies, self._limit, self._merge = (first, second), limit, merge
        self._game = first.game
        self._outcomes = dict.fromkeys(POINTS, Fraction(0))
        self._paid: dict[tuple[Fraction, ...], Fraction] = {}

    def ends(self, starts: Mapping[Position, Fraction]) -> Ends:
        """Return how games end that begin with these probabilities."""
        names = " against ".join(policy.player.name for policy in self._policies)
        what = f"{names} at {self._game.name}"
        level = dict(starts)
        reached = len(level)
        while level:
            deeper: dict[Position, Fraction] = {}
            for position, chance in level.items():
                for move, probability in self._moves(position, chance):
                    after = position.play(move)
                    if self._merge:
                        after = after.canonical()
                    deeper[after] = deeper.get(after, 0) + chance * probability
                progress.tell(reached + len(deeper), self._limit.positions, "positions", "at most")
                self._limit.require(reached + len(deeper), what, self._progress)
            reached += len(deeper)
            level = deeper
        return Ends(self._outcomes, self._paid, reached)

    def _moves(self, position: Position, chance: Fraction) -> Iterable[tuple[int, Fraction]]:
        """Return the moves that may be made with their probabilities. Note how a game ends."""
        outcome = position.outcome()
        if outcome is not None:
            self._outcomes[outcome] += chance
            if self._game.is_paid:
                paid = payoffs_of(position)
                self._paid[paid] = self._paid.get(paid, Fraction(0)) + chance
            return ()
        if position.ply >= self._game.max_plies:
            raise endless(self._game, position)
        seat = position.to_move
        if seat == CHANCE:
            return position.chance_moves()
        policy = self._policies[seat]
        if self._merge and not policy.is_symmetric_at(position):
            raise _NotSymmetric
        return policy(position.observation(seat)).items()

    def _progress(self) -> str:
        """Say how the games end that have ended, and what that makes of the payoff."""
        name = self._policies[0].player.name
        win, draw, loss = (
            percent(self._outcomes[one])
            for one in (Outcome.FIRST_WINS, Outcome.DRAW, Outcome.SECOND_WINS)
        )
        counts = f"moving first, {name} wins {win}, draws {draw} and loses {loss} so far"
        if not self._game.is_paid:
            return counts
        least, most, unit, _ = self._game.payoffs
        rest = 1 - sum(self._outcomes.values())
        gets = _means(self._paid)[0]
        low, high = (float(gets + rest * end) for end in (least, most))
        return f"{counts}, and gets {low:.3f} to {high:.3f} {unit} per game"
