"""Count what language models were asked, and what that cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from arena.dataclass import dataclass
from arena.records.base import Record
from arena.records.completions import Completion


@dataclass(frozen=True)
class Spending(Record):
    """The requests of a language model in some games, and what they took. Sums of it make sense."""

    KEYS = "requests recorded moves faults tokens_in tokens_out uncounted cost unpriced seconds"

    #: Requests that got an answer, and how many of these answers were recorded before.
    requests: int = 0
    recorded: int = 0
    #: Answers with a legal move.
    moves: int = 0
    #: The other answers, and requests without an answer, by what was wrong.
    faults: Mapping[str, int] = field(default_factory=dict)
    #: Tokens of the requests that the server counted.
    tokens_in: int = 0
    #: Tokens of their answers.
    tokens_out: int = 0
    #: Answers whose tokens the server did not count.
    uncounted: int = 0
    #: The cost of the answers with a price, recorded ones included.
    cost: Fraction = Fraction(0)
    #: Answers without a price.
    unpriced: int = 0
    #: Seconds of all answers, one after the other.
    seconds: float = field(default=0.0, compare=False)

    @classmethod
    def of(cls, completion: Completion) -> Spending:
        """Return what one request took."""
        fault, is_answer = completion.fault, completion.answered
        counted = None not in (completion.tokens_in, completion.tokens_out)
        return cls(
            requests=int(is_answer),
            recorded=int(completion.is_recorded),
            moves=int(not fault),
            faults={fault: 1} if fault else {},
            tokens_in=completion.tokens_in or 0,
            tokens_out=completion.tokens_out or 0,
            uncounted=int(is_answer and not counted),
            cost=completion.cost or Fraction(0),
            unpriced=int(is_answer and completion.cost is None),
            seconds=completion.seconds,
        )

    def __add__(self, other: Spending) -> Spending:
        """Return what both took together."""
        return Spending(
            self.requests + other.requests,
            self.recorded + other.recorded,
            self.moves + other.moves,
            dict(sorted((Counter(self.faults) + Counter(other.faults)).items())),
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.uncounted + other.uncounted,
            self.cost + other.cost,
            self.unpriced + other.unpriced,
            self.seconds + other.seconds,
        )


#: The spending of a player that is no language model.
NO_SPENDING = Spending()
