"""Calculate the exact result of a pairing: the probability of every outcome, as fractions.

Each position passes the probability of reaching it on to its successors, ply by ply from the start,
until all of it has arrived at finished games.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from arena.game import Outcome, Position
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
    """Return the exact result of a pairing in both starting orders. See :func:`exact_outcomes`."""
    a_first, of_a = exact_outcomes(a, b, limit, openings)
    b_first, of_b = exact_outcomes(b, a, limit, openings)
    return ExactResult(
        game=a.game.name,
        game_version=a.game.version,
        players=pair_names(a.player.name, b.player.name),
        first=chances_of(a_first),
        second=chances_of(b_first).reversed(),
        positions=(of_a, of_b),
    )


def chances_of(outcomes: Mapping[Outcome, Fraction]) -> Chances:
    """Return the outcomes as the first player sees them."""
    return Chances(
        outcomes[Outcome.FIRST_WINS], outcomes[Outcome.DRAW], outcomes[Outcome.SECOND_WINS]
    )


def exact_outcomes(
    first: Policy,
    second: Policy,
    limit: Limit | None = None,
    openings: Mapping[Position, Fraction] | None = None,
) -> tuple[dict[Outcome, Fraction], int]:
    """Return the probability of each outcome when ``first`` moves first, and the positions walked.

    Games begin from each of the ``openings`` with its probability.

    In games that are not tiny, symmetric positions count as one if both players treat them alike:
    at every position that is reached, in all its images. Raises CannotEnumerate if a player's moves
    cannot be enumerated, and Undecided, with what is known by then, if that goes beyond the limit,
    by default MAX_POSITIONS.
    """
    limit = limit or Limit(MAX_POSITIONS)
    starts = openings or {first.game.start(): Fraction(1)}
    if first.game.max_plies > MAX_TINY_PLIES:
        try:
            return _walk(first, second, limit, starts, merge=True)
        except _NotSymmetric:
            pass
    return _walk(first, second, limit, starts, merge=False)


class _NotSymmetric(Exception):
    """A player treats a position and its image differently."""


def _walk(
    first: Policy,
    second: Policy,
    limit: Limit,
    starts: Mapping[Position, Fraction],
    merge: bool,
) -> tuple[dict[Outcome, Fraction], int]:
    outcomes = dict.fromkeys(Outcome, Fraction(0))
    what = f"{first.player.name} against {second.player.name} at {first.game.name}"
    level = dict(starts)
    reached = len(level)
    while level:
        deeper: dict[Position, Fraction] = {}
        for position, chance in level.items():
            outcome = position.outcome()
            if outcome is not None:
                outcomes[outcome] += chance
                continue
            policy = second if position.to_move else first
            if merge and not policy.is_symmetric_at(position):
                raise _NotSymmetric
            for move, probability in policy(position).items():
                after = position.play(move)
                if merge:
                    after = after.canonical()
                deeper[after] = deeper.get(after, 0) + chance * probability
            progress.tell(reached + len(deeper), limit.positions, "positions", "at most")
            limit.require(reached + len(deeper), what, lambda: _progress(first, outcomes))
        reached += len(deeper)
        level = deeper
    return outcomes, reached


def _progress(first: Policy, outcomes: Mapping[Outcome, Fraction]) -> str:
    """Say how the games end that have ended."""
    win, draw, loss = (
        percent(outcomes[one]) for one in (Outcome.FIRST_WINS, Outcome.DRAW, Outcome.SECOND_WINS)
    )
    return f"moving first, {first.player.name} wins {win}, draws {draw} and loses {loss} by then"
