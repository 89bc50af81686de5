"""Hold the answer of a tournament to the question that it was played for."""

from __future__ import annotations

from arena.dataclass import dataclass
from arena.records.base import Record

#: The reasons for an undecided answer.
CAP, REPEATS, INTERRUPTED = "cap", "repeats", "interrupted"


@dataclass(frozen=True)
class Valued(Record):
    """An entrant's value, which the question is about."""

    player: str
    #: The mean of its scores against each other entrant of the field; None outside the field.
    value: float | None
    #: The ends of the value's 95 % interval for this entrant alone, at all looks together; None
    #: outside the field.
    low: float | None = None
    high: float | None = None
    #: For ``order``, the best and the worst rank that the games leave it, and the entrants that it
    #: is surely above, by value; None and none otherwise.
    rank_low: int | None = None
    rank_high: int | None = None
    above: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answered(Record):
    """A question about the entrants of a tournament, and what the games answer."""

    SCHEMA = "arena.until/1"

    #: The question as it is written, such as ``top:3``.
    rule: str
    margin: float
    alpha: float
    #: The most pairs of a pairing.
    cap: int
    #: ``decided`` or ``undecided``.
    decision: str
    #: The reason if it is undecided, ``cap``, ``repeats`` or ``interrupted``; empty if decided.
    reason: str
    #: The entrants that are named as the best: no other is better than one of them by more than the
    #: margin. While it is undecided, those that surely belong there. For ``order`` all, the best
    #: first.
    answer: tuple[str, ...]
    #: Groups of entrants, the best first. For ``best`` and ``top:K`` these are the answer, those
    #: that may belong to it, and those that surely do not. For ``order`` each is surely above the
    #: next. Entrants of one group need not be equal: ``above`` of an entrant says which are told
    #: apart.
    groups: tuple[tuple[str, ...], ...]
    #: The pairings that play the same games again and again.
    repeating: tuple[tuple[str, str], ...]
    #: The entrants that left the field, because they cannot be started or forfeited all their
    #: games.
    out: tuple[str, ...]
    rounds: int
    games: int
    players: tuple[Valued, ...]

    @property
    def is_decided(self) -> bool:
        """Whether the question is answered."""
        return self.decision == "decided"

    @property
    def told_apart(self) -> list[tuple[str, str]]:
        """The pairs of an order of which the first is surely above the second."""
        return [(row.player, below) for row in self.players for below in row.above]

    @property
    def has_chain(self) -> bool:
        """Whether a group has entrants that are told apart: those between them are not."""
        groups = [set(group) for group in self.groups]
        return any({a, b} <= group for a, b in self.told_apart for group in groups)

    @property
    def top(self) -> int | None:
        """The number of the best that were asked for, or None for the order."""
        word, _, number = self.rule.partition(":")
        return None if word == "order" else int(number or 1)


@dataclass(frozen=True)
class TournamentPlan(Record):
    """The number of games that a question takes, by simulated tournaments."""

    SCHEMA = "arena.tournament-plan/1"

    rule: str
    margin: float
    alpha: float
    #: The most pairs of a pairing.
    cap: int
    #: The ratings that were assumed, and the share of draws between equal players.
    elos: tuple[float, ...]
    draws: float
    seed: int
    #: Simulated tournaments, and those of them that answered the question.
    tournaments: int
    decided: int
    #: Games of a tournament: the mean, and the least and the most of the middle 80 %.
    games: int
    games_low: int
    games_high: int
    #: Rounds of a tournament, on average.
    rounds: int


@dataclass(frozen=True)
class AuditShare(Record):
    """The share of a volunteer's parts to play again, for a number of its parts."""

    parts: int
    #: How many of them are forged at least.
    forged: int
    share: float


@dataclass(frozen=True)
class VolunteerPlan(Record):
    """The share of what volunteers send that must be played again to catch a forger."""

    SCHEMA = "arena.volunteer-plan/1"

    #: The share of its parts that a volunteer forges, and the probability of catching it.
    forges: float
    confidence: float
    shares: tuple[AuditShare, ...]
    #: Seconds of a process that a part takes.
    part_seconds: float
