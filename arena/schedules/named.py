"""Hold the schedules that plugins bring, and check each round that one of them makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from contextlib import suppress
from itertools import chain, islice
from typing import NamedTuple, TypeVar, cast

from arena.dataclass import dataclass
from arena.errors import (
    PluginError,
    UsageError,
    counted,
    describe,
    did_you_mean,
    is_stop,
    quoted,
    repr_of,
)
from arena.schedules import MAX_REMATCHES, Bye, Place, Schedule, ScheduledPairing, TournamentState
from arena.schedules.tables import ScheduledTable, TableSchedule, TablesState

StateT = TypeVar("StateT", TournamentState, TablesState)


class Round(NamedTuple):
    """A round to play."""

    pairings: tuple[ScheduledPairing, ...] = ()
    byes: tuple[str, ...] = ()


class TablePlan(NamedTuple):
    """A round of tables to play."""

    tables: tuple[ScheduledTable, ...] = ()
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
        schedule = self._make(text, argument)
        named = NamedSchedule(text, schedule, self.named(text))
        if not (named.takes_pairings or named.takes_tables):
            raise PluginError(f"{self.named(text)} became {repr_of(schedule)}")
        return named

    def _make(self, text: str, argument: str) -> Schedule:
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

    It ends, for no two entrants meet in more than ``MAX_REMATCHES`` pairings' pairs.
    """

    text: str
    schedule: Schedule
    #: Its name in messages.
    named: str

    def next_round(self, state: TournamentState) -> Round:
        """Return the next round, an empty one at the end.

        Raises PluginError if the schedule breaks its contract, and UsageError if it refuses these
        entrants before the first round.
        """
        number = len(state.rounds) + 1
        answer = self._ask(self.schedule, state, "pairings")
        items = [_item(item, state.pairs) for item in answer]
        wrong = [repr_of(item) for item, read in zip(answer, items, strict=True) if read is None]
        pairings = tuple(item for item in items if isinstance(item, ScheduledPairing))
        byes = tuple(item.player for item in items if isinstance(item, Bye))
        problem = f"{wrong[0]} is not a pairing" if wrong else _problem(pairings, byes, state)
        if problem:
            raise self._fault(number, problem)
        return Round(pairings, byes)

    @property
    def takes_pairings(self) -> bool:
        """Whether it schedules games for two."""
        return callable(self.schedule)

    @property
    def takes_tables(self) -> bool:
        """Whether it schedules games for more than two."""
        return callable(getattr(self.schedule, "tables", None))

    def next_tables(self, state: TablesState) -> TablePlan:
        """Return the next round of tables, an empty one at the end.

        It raises what :meth:`next_round` raises.
        """
        number = len(state.rounds) + 1
        answer = self._ask(cast("TableSchedule", self.schedule).tables, state, "tables")
        items = [_table_item(item, state) for item in answer]
        wrong = [repr_of(item) for item, read in zip(answer, items, strict=True) if read is None]
        tables = tuple(item for item in items if isinstance(item, ScheduledTable))
        byes = tuple(item.player for item in items if isinstance(item, Bye))
        if (
            problem := f"{wrong[0]} is not a table"
            if wrong
            else _table_problem(tables, byes, state)
        ):
            raise self._fault(number, problem)
        return TablePlan(tables, byes)

    def most_blocks(self, state: TablesState) -> int:
        """Return about how many blocks all rounds play, for displays."""
        method = getattr(self.schedule, "most_blocks", None)
        usual = state.blocks * (len(state.entrants) // state.seats)
        with suppress(Exception):
            return usual if method is None else max(0, int(method(state)))
        return usual

    def table_standings(self, state: TablesState) -> tuple[Place, ...] | None:
        """Return the places as :meth:`standings` does for pairings."""
        return self._places("table_standings", state)

    def _ask(
        self, schedule: Callable[[StateT], Iterable[object]], state: StateT, items: str
    ) -> list[object]:
        """Return the items of the schedule's answer, of an endless one the first that are wrong."""
        answer: object
        number = len(state.rounds) + 1
        try:
            answer = cast("object", schedule(state))
            if isinstance(answer, Iterable) and not isinstance(answer, str):
                return list(islice(answer, len(state.entrants) + 1))
        except BaseException as error:
            if is_stop(error) or (isinstance(error, UsageError) and not state.rounds):
                raise
            raise self._fault(number, describe(error)) from error
        raise self._fault(number, f"{repr_of(answer)} is not a list of {items}")

    @property
    def takes_late_entrants(self) -> bool:
        """Whether an entrant may come after the first round. A schedule may say ``False``."""
        return bool(getattr(self.schedule, "takes_late_entrants", True))

    @property
    def may_be_simulated(self) -> bool:
        """Whether it may be asked for the rounds of some hundred simulated tournaments."""
        return bool(getattr(self.schedule, "may_be_simulated", False))

    def most_pairs(self, state: TournamentState) -> int:
        """Return about how many pairs all rounds play, for displays.

        A schedule without a ``most_pairs(known)`` of its own is taken for a round robin.
        """
        method = getattr(self.schedule, "most_pairs", None)
        with suppress(Exception):
            return max(0, int(method(state))) if method is not None else _pairs_of_all(state)
        return _pairs_of_all(state)

    def standings(self, state: TournamentState) -> tuple[Place, ...] | None:
        """Return the places by the schedule's own custom, or None if it has none.

        Raises PluginError if the schedule breaks its contract.
        """
        return self._places("standings", state)

    def _places(self, name: str, state: TournamentState | TablesState) -> tuple[Place, ...] | None:
        method = getattr(self.schedule, name, None)
        if method is None:
            return None
        try:
            ranking = tuple(Place(*place) for place in method(state))
        except BaseException as error:
            if is_stop(error):
                raise
            raise PluginError(f"{self.named}: {name} raise {describe(error)}") from error
        if sorted(place.player for place in ranking) != sorted(state.entrants):
            raise PluginError(f"{self.named}: {name} do not have every entrant once")
        return ranking

    def _fault(self, number: int, problem: str) -> PluginError:
        return PluginError(f"{self.named}, round {number}: {problem}")


def _pairs_of_all(state: TournamentState) -> int:
    size = len(state.entrants)
    return state.pairs * size * (size - 1) // 2


def _item(item: object, pairs: int) -> ScheduledPairing | Bye | None:
    """Return an item of a round, None for anything that is not one."""
    match item:
        case Bye(str()):
            return item
        case (str(a), str(b)):
            return ScheduledPairing(a, b, pairs)
        case (str(a), str(b), int(number)) if type(number) is int and number > 0:
            return ScheduledPairing(a, b, number)
    return None


def _table_item(item: object, state: TablesState) -> ScheduledTable | Bye | None:
    """Return an item of a round of tables, None for anything that is not one."""
    match item:
        case Bye(str()):
            return item
        case ([*names], int(blocks)) if type(blocks) is int and blocks > 0 and _are_names(names):
            return ScheduledTable(tuple(map(str, names)), blocks)
        case [*names] if _are_names(names):
            return ScheduledTable(tuple(map(str, names)), state.blocks)
    return None


def _are_names(names: Sequence[object]) -> bool:
    return bool(names) and all(isinstance(name, str) for name in names)


def _table_problem(
    tables: Sequence[ScheduledTable], byes: Sequence[str], state: TablesState
) -> str:
    """Return why a round of tables cannot be played, or nothing if it can."""
    for table in tables:
        if len(table.players) != state.seats:
            return f"{counted(len(table.players), 'player')} for {state.seats} seats"
    names = [*chain.from_iterable(table.players for table in tables), *byes]
    if problem := _problem_of_names(names, state.entrants):
        return problem
    if not tables and (byes or not state.rounds):
        return "no player meets another"
    played: Counter[frozenset[str]] = Counter()
    for result in state.results():
        played[frozenset(result.players)] += result.blocks
    for table in tables:
        total = played[frozenset(table.players)] + table.blocks
        if total > MAX_REMATCHES * state.blocks:
            most = f"more than {MAX_REMATCHES} times {state.blocks}"
            return f"{', '.join(table.players)} are to play {total} blocks, {most}"
    return ""


def _problem_of_names(
    names: Iterable[str], entrants: Sequence[str], withdrawn: Container[str] = ()
) -> str:
    """Return who is in a round and cannot be, or nothing."""
    seen: set[str] = set()
    for name in names:
        if name not in entrants:
            return f"{quoted(name)} did not enter{did_you_mean(name, entrants)}"
        if name in withdrawn:
            return f"{quoted(name)} is withdrawn"
        if name in seen:
            return f"{quoted(name)} plays twice"
        seen.add(name)
    return ""


def _problem(
    pairings: Sequence[ScheduledPairing], byes: Sequence[str], state: TournamentState
) -> str:
    """Return why a round cannot be played, or nothing if it can."""
    for pairing in pairings:
        if pairing.a == pairing.b:
            return f"{quoted(pairing.a)} is to meet itself"
    names = [*chain.from_iterable(pairing[:2] for pairing in pairings), *byes]
    if problem := _problem_of_names(names, state.entrants, state.withdrawn):
        return problem
    if not pairings and (byes or (not state.rounds and len(state.present) > 1)):
        return "no player meets another"
    return _too_long(pairings, state)


def _too_long(pairings: Sequence[ScheduledPairing], state: TournamentState) -> str:
    """Return which pairing would have its players play too many pairs, or nothing if none does."""
    played: Counter[frozenset[str]] = Counter()
    for result in state.results():
        played[frozenset(result.both)] += result.pairs
    for a, b, pairs in pairings:
        total = played[frozenset((a, b))] + pairs
        if total > MAX_REMATCHES * state.pairs:
            most = f"more than {MAX_REMATCHES} times {state.pairs}"
            return f"{quoted(a)} and {quoted(b)} are to play {total} pairs, {most}"
    return ""
