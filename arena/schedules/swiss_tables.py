"""Schedule a Swiss tournament of tables: equal scores sit together, and new faces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations

from arena.errors import UsageError, counted
from arena.schedules import Bye, Place, places
from arena.schedules.tables import ScheduledTable, TablesState


def next_tables(state: TablesState) -> list[ScheduledTable | Bye]:
    """Return the next round: tables of the entrants in the order of their scores, then the byes.

    In the first round the entrants are dealt out by seeds, so that the best do not meet yet. Later,
    players change places between tables as long as fewer sit together again, or equally many
    do and the squared differences of the scores at a table become less. Those sit out that have
    done so least often, and of these those with the lowest scores.
    """
    scores = state.scores()
    seeds = {name: seed for seed, name in enumerate(state.entrants)}
    rests = Counter(name for each in state.rounds for name in each.byes)
    order = sorted(state.entrants, key=lambda name: (-scores[name], seeds[name]))
    number = len(order) // state.seats
    idle = len(order) - number * state.seats
    last = sorted(order, key=lambda name: (rests[name], scores[name], -seeds[name]))[:idle]
    field = [name for name in order if name not in last]
    if state.rounds:
        tables = [field[start : start + state.seats] for start in range(0, len(field), state.seats)]
        _improve(tables, scores, met(state))
    else:
        tables = [field[start::number] for start in range(number)]
    seated = [tuple(sorted(table, key=seeds.__getitem__)) for table in tables]
    return [*(ScheduledTable(table, state.blocks) for table in seated), *map(Bye, last)]


def require_rounds(rounds: int, state: TablesState) -> None:
    """Raise UsageError for more rounds than let players sit with others that are new to them."""
    most = len(state.entrants) - 1
    if not state.rounds and rounds > most:
        can = f"{counted(len(state.entrants), 'entrant')} can play {counted(most, 'round')}"
        raise UsageError(f"swiss:{rounds} is too long: {can} at tables")


def met(state: TablesState) -> Counter[frozenset[str]]:
    """Count how often every two have sat together."""
    return Counter(
        frozenset(both) for table in state.results() for both in combinations(table.players, 2)
    )


def standings(state: TablesState) -> tuple[Place, ...]:
    """Return the places by points, then Buchholz: the points of all with whom a player sat."""
    scores = state.scores()
    buchholz = dict.fromkeys(state.entrants, Fraction(0))
    for table in state.results():
        total = sum((scores[name] for name in table.players), Fraction(0))
        for name in table.players:
            buchholz[name] += total - scores[name]
    marks = {name: {"points": scores[name], "buchholz": buchholz[name]} for name in state.entrants}
    order = sorted(state.entrants, key=lambda name: [-mark for mark in marks[name].values()])
    return places([(name, marks[name], tuple(marks[name].values())) for name in order])


#: How many sit together again, and the squared differences of scores, at one table or several.
_Cost = tuple[int, Fraction]


def _cost(
    table: Sequence[str], scores: Mapping[str, Fraction], pair_counts: Counter[frozenset[str]]
) -> _Cost:
    repeats, spread = 0, Fraction(0)
    for one, other in combinations(table, 2):
        repeats += pair_counts[frozenset((one, other))]
        spread += (scores[one] - scores[other]) ** 2
    return repeats, spread


def _improve(
    tables: list[list[str]], scores: Mapping[str, Fraction], pair_counts: Counter[frozenset[str]]
) -> None:
    """Swap two players of different tables as long as that lowers the cost."""
    costs = [_cost(table, scores, pair_counts) for table in tables]
    goes_on = True
    while goes_on:
        goes_on = False
        for one, other in combinations(range(len(tables)), 2):
            for place in range(len(tables[one])):
                for other_place in range(len(tables[other])):
                    new = [[*tables[one]], [*tables[other]]]
                    new[0][place], new[1][other_place] = new[1][other_place], new[0][place]
                    changed = [_cost(table, scores, pair_counts) for table in new]
                    if _sum(changed) < _sum([costs[one], costs[other]]):
                        tables[one], tables[other] = new
                        costs[one], costs[other] = changed
                        goes_on = True


def _sum(costs: Sequence[_Cost]) -> _Cost:
    return sum(repeats for repeats, _ in costs), sum((spread for _, spread in costs), Fraction(0))
