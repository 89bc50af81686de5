"""Plan how many games of volunteers to play again."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from arena.kinds import SHARES, Number, Whole, check_value
from arena.model.defaults import VOLUNTEER_PART_SECONDS
from arena.records.answers import AuditShare, VolunteerPlan
from arena.stats.binomial import loss_bound

#: The numbers of parts that a plan shows if the user names none.
DEFAULT_PART_COUNTS = (100, 1_000, 10_000, 100_000)

#: The share of its parts that a volunteer may forge, and how many parts it may play.
FORGED = Number(0, 1)
PART_COUNTS = Whole(1, 10**12)


def plan_volunteers(
    forges: float, parts: Sequence[int] = DEFAULT_PART_COUNTS, confidence: float = 0.95
) -> VolunteerPlan:
    """Plan the share of a volunteer's parts to play again, if it forges this share of all of them.

    Each part is chosen independently, so k forged ones all escape with probability (1 - s)^k. The
    share s makes that 1 - ``confidence``. One forged part at least is assumed.

    >>> [round(each.share, 4) for each in plan_volunteers(0.01, (100, 10_000)).shares]
    [0.95, 0.0295]
    """
    check_value("forges", FORGED, forges)
    check_value("confidence", SHARES, confidence)
    shares = []
    for number in parts:
        check_value("parts", PART_COUNTS, number)
        forged = max(1, ceil(forges * number - 1e-9))
        shares.append(AuditShare(number, forged, loss_bound(forged, confidence)))
    return VolunteerPlan(forges, confidence, tuple(shares), VOLUNTEER_PART_SECONDS)
