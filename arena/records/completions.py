"""Hold what language models were asked for their moves, and what they answered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from arena.dataclass import dataclass
from arena.errors import UsageError
from arena.records.base import Record


class Completion(NamedTuple):
    """One request to a language model, and the answer or why there is none."""

    #: The message that is new in this request.
    prompt: str
    answer: str = ""
    #: What the model thought before it answered, where the server tells.
    reasoning: str = ""
    #: Why there is no move in it, in one word, and in words; empty if there is one.
    fault: str = ""
    problem: str = ""
    #: Tokens of all messages of the request and of the answer, None if the server does not count.
    tokens_in: int | None = None
    tokens_out: int | None = None
    #: What it cost, None if that is not known.
    cost: Fraction | None = None
    #: Seconds from the request to the end of the answer.
    seconds: float = 0.0
    #: Whether the answer was recorded before, and no request was made now.
    is_recorded: bool = False

    @property
    def answered(self) -> bool:
        """Whether the model answered at all."""
        return self.is_recorded or self.seconds > 0

    def require_sense(self) -> None:
        """Raise UsageError for a negative number."""
        numbers = self.tokens_in, self.tokens_out, self.cost, self.seconds
        if any(number is not None and number < 0 for number in numbers):
            raise UsageError("a completion has a negative number")


#: The completions of a game, each with the seat and the number of moves before its own.
Completions = tuple[tuple[int, int, Completion], ...]


@dataclass(frozen=True)
class MoveCompletion(Record):
    """One request to a language model for a move, as JSON has it."""

    player: str
    #: The number of the move, from 1.
    move: int
    #: The message that is new in this request.
    prompt: str
    answer: str
    #: What the model thought before it answered, where the server tells.
    reasoning: str
    #: The reason why there is no move in it, in one word; empty if there is one.
    fault: str
    #: The same in words.
    problem: str
    #: Tokens of all messages of the request; None if the server does not count.
    tokens_in: int | None
    #: Tokens of the answer.
    tokens_out: int | None
    #: The cost, None if it is not known.
    cost: Fraction | None
    #: Seconds from the request to the end of the answer.
    seconds: float
    #: Whether the answer was recorded before, and no request was made now.
    recorded: bool

    @property
    def completion(self) -> Completion:
        """The completion alone."""
        return Completion(
            self.prompt,
            self.answer,
            self.reasoning,
            self.fault,
            self.problem,
            self.tokens_in,
            self.tokens_out,
            self.cost,
            self.seconds,
            self.recorded,
        )


def move_completions(
    players: Sequence[str], completions: Iterable[tuple[int, int, Completion]]
) -> tuple[MoveCompletion, ...]:
    """Return completions as JSON has them, of players in the order of seats."""
    return tuple(MoveCompletion(players[seat], ply + 1, *each) for seat, ply, each in completions)


def completions_from(players: Sequence[str], entries: Iterable[MoveCompletion]) -> Completions:
    """Return the completions that JSON has. Raises UsageError if they make no sense."""
    completions = []
    for entry in entries:
        if entry.player not in players:
            raise UsageError("a completion is of no player of the game")
        seat = players.index(entry.player)
        completions.append((seat, entry.move - 1, entry.completion))
    require_completions(completions)
    return tuple(completions)


def require_completions(completions: Iterable[tuple[int, int, Completion]]) -> None:
    """Raise UsageError unless the completions make sense."""
    for seat, ply, each in completions:
        if seat < 0 or ply < 0:
            raise UsageError("a completion is of no seat or move")
        each.require_sense()
