"""Rate all players of a table at once, in Elo, with intervals that respect pairs.

The model is Davidson's (:mod:`arena.stats.davidson`), fitted by penalised likelihood
(:mod:`arena.stats.firth`). So every player that met another has a finite rating, even one that won
every game. Players that met, directly or through others, are a group: ratings compare within it.
Every function is total.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from math import exp, log
from typing import TYPE_CHECKING

from arena.dataclass import dataclass
from arena.stats.comparable import Comparable
from arena.stats.connectivity import cycles_differ
from arena.stats.pairings import PairingCounts, pooled

if TYPE_CHECKING:
    from arena.stats.cutoffs import AdaptiveDesign
    from arena.stats.estimates import RatingInterval, TableEstimates
    from arena.stats.one_scale import Misfit

#: Elo in a natural logarithm of odds.
ELO = 400 / log(10)

#: Larger tables get Wald's intervals: profiles of this many players take long, and differ by
#: little.
MAX_PROFILED = 100

#: Tables of more games get Wald's intervals too: rounding hides by how much the likelihood falls.
MAX_PROFILED_GAMES = 1e9

#: Larger tables are not rated: a fit takes the cube of the number of players.
MAX_PLAYERS = 1000

#: Reasons why a table has no ratings.
NO_GAMES = "no game counts"
TOO_MANY_PLAYERS = f"more than {MAX_PLAYERS} players are not rated"
ROUGH = "the numbers of games are too large or too different for ratings"


@dataclass(frozen=True)
class Parameter:
    """A value and its 95 % interval, None where it is not estimated."""

    value: float | None
    low: float | None = None
    high: float | None = None
    #: Why a number is None, or what limits it.
    reason: str = ""


@dataclass(frozen=True)
class Ratings:
    """The parameters of a table of results."""

    #: Elo, in the order of the players; the mean is zero in every group of two or more.
    ratings: tuple[Parameter, ...]
    #: Elo that moving first is worth.
    advantage: Parameter
    #: Davidson's nu: even players draw nu / (2 + nu) of their games.
    draws: Parameter
    #: The players that compare with each other, the largest group first.
    groups: tuple[tuple[int, ...], ...]
    #: Sentences that a reader of the table has to know.
    statements: tuple[str, ...]
    #: Method of the intervals: ``profile``, ``simulated`` for profiles with simulated cut-offs, or
    #: ``wald``.
    method: str
    #: How much stronger a player of a group is than another, in standard errors.
    differences: Mapping[tuple[int, int], float] = field(default_factory=dict)
    #: How these were found: ``likelihood ratio`` or ``wald``.
    compared_by: str = "wald"
    #: The independent observations that went in.
    observations: float = 0.0
    #: How well one scale fits; None where no pairing is left to tell.
    scale: Misfit | None = None


def rate(
    names: Sequence[str],
    pairings: Iterable[PairingCounts],
    prior: float = 0.0,
    design: AdaptiveDesign | None = None,
) -> Ratings:
    """Rate the players by all their pairings.

    With a ``prior`` above zero each player has also scored half of this many imagined games against
    an average player. They put all players on one scale, those too that met no other, and tell
    nothing about draws. Only the prior tells ratings of different groups apart. With a ``design``
    the intervals of the ratings allow for how results chose the games (:mod:`arena.stats.cutoffs`).

    >>> table = rate(["a", "b"], [PairingCounts.of_games(0, 1, (9, 0, 91))])
    >>> [round(rating.value) for rating in table.ratings]
    [197, -197]
    """
    pools = pooled(len(names), pairings)
    if len(names) > MAX_PLAYERS:
        return _too_many(len(names))
    comparable = Comparable(names, pools, bool(prior))
    edges = [(m.a, m.b, moved) for m in pools for moved in sorted(_orders(m))]
    advantage = cycles_differ(len(names), edges)
    method = _method(names, pools)
    fitted = _estimates(comparable.groups, pools, advantage, method, prior, design)
    numbers = fitted.intervals if fitted else {}
    players = range(len(names))
    return Ratings(
        tuple(_parameter(numbers.get(place), comparable.reason(place)) for place in players),
        _parameter(numbers.get(len(names)), _about_advantage(pools, advantage)),
        _nu(numbers.get(len(names) + 1), pools),
        comparable.groups,
        comparable.statements + (ROUGH,) * bool(pools and not numbers),
        "simulated" if fitted and fitted.is_simulated else method,
        *_facts(fitted),
        _scale(comparable.groups, pools, fitted),
    )


def _too_many(players: int) -> Ratings:
    nothing = Parameter(None, reason=TOO_MANY_PLAYERS)
    alone = tuple((player,) for player in range(players))
    return Ratings((nothing,) * players, nothing, nothing, alone, (TOO_MANY_PLAYERS,), "wald")


def _method(names: Sequence[str], pools: Sequence[PairingCounts]) -> str:
    games = sum(times * len(cell) for pairing in pools for cell, times in pairing.cells)
    return "profile" if len(names) <= MAX_PROFILED and games <= MAX_PROFILED_GAMES else "wald"


def _estimates(
    groups: Sequence[tuple[int, ...]],
    pools: Sequence[PairingCounts],
    advantage: bool,
    method: str,
    prior: float,
    design: AdaptiveDesign | None,
) -> TableEstimates | None:
    """Return what was estimated, or None without a fit."""
    if not pools:
        return None
    from arena.stats.estimates import estimates  # here, for NumPy takes long to import

    profiled = method == "profile"
    return estimates(groups, pools, advantage, profiled=profiled, prior=prior, design=design)


def _facts(fitted: TableEstimates | None) -> tuple[Mapping[tuple[int, int], float], str, float]:
    """Return the last fields of the ratings."""
    if fitted is None:
        return {}, "wald", 0.0
    compared_by = "likelihood ratio" if fitted.compared_by_likelihood else "wald"
    return fitted.differences, compared_by, fitted.observations


def _scale(
    groups: Sequence[tuple[int, ...]], pools: Sequence[PairingCounts], fitted: TableEstimates | None
) -> Misfit | None:
    if fitted is None:
        return None
    from arena.stats.one_scale import misfit_of  # here, for NumPy takes long to import

    return misfit_of(groups, pools, fitted.point)


def _parameter(interval: RatingInterval | None, reason: str) -> Parameter:
    """Return a number in Elo, or why it is missing."""
    if interval is None:
        return Parameter(None, reason=reason or ROUGH)
    low, high = (None if end is None else ELO * end for end in (interval.low, interval.high))
    return Parameter(ELO * interval.value, low, high, reason or _unbounded(interval))


def _nu(interval: RatingInterval | None, pools: Sequence[PairingCounts]) -> Parameter:
    """Return nu, without a bound on one side if all games or none were drawn."""
    if interval is None:
        return Parameter(None, reason=ROUGH if pools else NO_GAMES)
    low, high = (None if end is None else exp(end) for end in (interval.low, interval.high))
    drawn = {game.points == 1 for pairing in pools for cell, _ in pairing.cells for game in cell}
    if drawn == {False}:
        return Parameter(exp(interval.value), 0.0, high, "no game was drawn")
    if drawn == {True}:
        return Parameter(exp(interval.value), low, None, "every game was drawn")
    return Parameter(exp(interval.value), low, high, _unbounded(interval))


def _unbounded(interval: RatingInterval) -> str:
    """Say which ends of an interval are missing."""
    ends = [
        name for name, end in (("lower", interval.low), ("upper", interval.high)) if end is None
    ]
    return f"the results put no {' or '.join(ends)} bound on it" if ends else ""


def _orders(pairing: PairingCounts) -> set[int]:
    return {game.moved for cell, _ in pairing.cells for game in cell}


def _about_advantage(pools: Sequence[PairingCounts], is_estimated: bool) -> str:
    """Say why the advantage is not estimated or has no bound."""
    if not pools:
        return NO_GAMES
    games = [game for pairing in pools for cell, _ in pairing.cells for game in cell if game.moved]
    if not games:
        return "which player moved first is not known"
    if not is_estimated:
        return "no two players met in both orders, so it cannot be told from strength"
    results = {game.moved * (game.points - 1) for game in games}
    if results == {1}:
        return "moving first won every game"
    return "moving first lost every game" if results == {-1} else ""
