"""Hold the schedules that plugins bring, and check each round that one of them makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from typing import NamedTuple, cast

from arena.errors import PluginError, UsageError, describe, did_you_mean, is_stop, quoted, shown
from arena.schedules import MAX_MEETINGS, Bye, Known, Meeting, Place, Schedule


class Round(NamedTuple):
    """A round to play."""

    meetings: tuple[Meeting, ...] = ()
    byes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ScheduleKind:
    """A schedule that a plugin offers under a word."""

    word: str
    #: Called with what stands after the colon, empty for nothing.
    make: Callable[[str], Schedule]
    #: The argument after the colon, as help shows it; empty for none.
    argument: str = ""
    summary: str = ""
    #: The plugin that brings it.
    plugin: str = ""

    @property
    def written(self) -> str:
        """How it is written: ``swiss:R``."""
        return f"{self.word}:{self.argument}" if self.argument else self.word

    def read(self, text: str) -> NamedSchedule:
        """Return the schedule of a text such as ``swiss:5``.

        Raises UsageError for a text that says too much or too little, and PluginError if the plugin
        fails.
        """
        _, colon, argument = text.partition(":")
        if bool(argument) != bool(self.argument) or bool(colon) != bool(self.argument):
            raise UsageError(f"schedule {quoted(text)} is written {self.written}")
        schedule = self._made(text, argument)
        if not callable(schedule):
            raise PluginError(f"{self.named(text)} became {shown(schedule)}")
        return NamedSchedule(text, schedule, self.named(text))

    def _made(self, text: str, argument: str) -> Schedule:
        try:
            return self.make(argument)
        except UsageError:
            raise
        except BaseException as error:
            if is_stop(error):
                raise
            raise PluginError(f"{self.named(text)} cannot be made: {describe(error)}") from error

    def named(self, text: str) -> str:
        """Return what messages call the schedule."""
        return f"schedule {quoted(text)} of plugin {self.plugin}"


@dataclass(frozen=True)
class NamedSchedule:
    """A schedule, whose rounds are checked, and the text that names it.

    It ends, for no two entrants meet in more than ``MAX_MEETINGS`` meetings' pairs.
    """

    text: str
    schedule: Schedule
    #: Its name in messages.
    named: str

    def next_round(self, known: Known) -> Round:
        """Return the next round, an empty one at the end.

        Raises PluginError if the schedule breaks its contract, and UsageError if it refuses these
        entrants before the first round.
        """
        number = len(known.rounds) + 1
        answer = self._asked(known, number)
        items = [_item(item, known.pairs) for item in answer]
        wrong = [shown(item) for item, read in zip(answer, items, strict=True) if read is None]
        meetings = tuple(item for item in items if isinstance(item, Meeting))
        byes = tuple(item.player for item in items if isinstance(item, Bye))
        problem = f"{wrong[0]} is not a meeting" if wrong else _problem(meetings, byes, known)
        if problem:
            raise self._fault(number, problem)
        return Round(meetings, byes)

    def _asked(self, known: Known, number: int) -> list[object]:
        """Return the items of the schedule's answer, of an endless one the first that are wrong."""
        answer: object
        try:
            answer = cast("object", self.schedule(known))
            if isinstance(answer, Iterable) and not isinstance(answer, str):
                return list(islice(answer, len(known.entrants) + 1))
        except BaseException as error:
            if is_stop(error) or (isinstance(error, UsageError) and not known.rounds):
                raise
            raise self._fault(number, describe(error)) from error
        raise self._fault(number, f"{shown(answer)} is not a list of meetings")

    @property
    def takes_late_entrants(self) -> bool:
        """Whether an entrant may come after the first round; a schedule may say ``False``."""
        return bool(getattr(self.schedule, "takes_late_entrants", True))

    @property
    def may_be_simulated(self) -> bool:
        """Whether it may be asked for the rounds of some hundred simulated tournaments."""
        return bool(getattr(self.schedule, "may_be_simulated", False))

    def most_pairs(self, known: Known) -> int:
        """Return about how many pairs all rounds play, for displays.

        A schedule without a ``most_pairs(known)`` of its own is taken for a round robin.
        """
        method = getattr(self.schedule, "most_pairs", None)
        with suppress(Exception):
            return max(0, int(method(known))) if method is not None else _everybody(known)
        return _everybody(known)

    def standings(self, known: Known) -> tuple[Place, ...] | None:
        """Return the places by the schedule's own custom; None if it has none.

        Raises PluginError if the schedule breaks its contract.
        """
        method = getattr(self.schedule, "standings", None)
        if method is None:
            return None
        try:
            ranking = tuple(Place(*place) for place in method(known))
        except BaseException as error:
            if is_stop(error):
                raise
            raise PluginError(f"{self.named}: standings raise {describe(error)}") from error
        if sorted(place.player for place in ranking) != sorted(known.entrants):
            raise PluginError(f"{self.named}: standings do not have every entrant once")
        return ranking

    def _fault(self, number: int, problem: str) -> PluginError:
        return PluginError(f"{self.named}, round {number}: {problem}")


def _everybody(known: Known) -> int:
    size = len(known.entrants)
    return known.pairs * size * (size - 1) // 2


def _item(item: object, pairs: int) -> Meeting | Bye | None:
    """Return an item of a round, None for anything that is not one."""
    match item:
        case Bye(str()):
            return item
        case (str(a), str(b)):
            return Meeting(a, b, pairs)
        case (str(a), str(b), int(number)) if type(number) is int and number > 0:
            return Meeting(a, b, number)
    return None


def _problem(meetings: Sequence[Meeting], byes: Sequence[str], known: Known) -> str:
    """Return why a round cannot be played; nothing if it can."""
    for meeting in meetings:
        if meeting.a == meeting.b:
            return f"{quoted(meeting.a)} is to meet itself"
    seen: set[str] = set()
    for name in [*chain.from_iterable(meeting[:2] for meeting in meetings), *byes]:
        if name not in known.entrants:
            return f"{quoted(name)} did not enter{did_you_mean(name, known.entrants)}"
        if name in known.withdrawn:
            return f"{quoted(name)} is withdrawn"
        if name in seen:
            return f"{quoted(name)} plays twice"
        seen.add(name)
    if not meetings and (byes or (not known.rounds and len(known.present) > 1)):
        return "no player meets another"
    return _too_long(meetings, known)


def _too_long(meetings: Sequence[Meeting], known: Known) -> str:
    """Return which meeting would have its players play too many pairs; nothing if none does."""
    played: Counter[frozenset[str]] = Counter()
    for result in known.results():
        played[frozenset(result.both)] += result.pairs
    for a, b, pairs in meetings:
        total = played[frozenset((a, b))] + pairs
        if total > MAX_MEETINGS * known.pairs:
            most = f"more than {MAX_MEETINGS} times {known.pairs}"
            return f"{quoted(a)} and {quoted(b)} are to play {total} pairs, {most}"
    return ""
