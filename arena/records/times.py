"""Hold the time that players took for their moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import NamedTuple, Protocol

from arena.dataclass import dataclass
from arena.records.base import Record

#: Significant digits of the seconds that are counted, so that long runs have few different ones.
SECONDS_DIGITS = 3


@dataclass(frozen=True)
class TimeUse(Record):
    """Seconds or fuel of a player's moves: half of the moves took the median at most."""

    moves: int
    median: float
    p99: float
    most: float


def rounded(move_times: Iterable[float | None]) -> Counter[float]:
    """Count seconds, rounded to three digits, and leave out moves that were not measured.

    Fuel is whole, and rounded up: as much is enough for the move.

    >>> rounded([0.012344, 0.012339, None])
    Counter({0.0123: 2})
    >>> rounded([1234001, 1240000])
    Counter({1240000.0: 2})
    """
    return Counter(_rounded(amount) for amount in move_times if amount is not None)


def _rounded(amount: float) -> float:
    if not isinstance(amount, int):
        return float(f"{amount:.{SECONDS_DIGITS}g}")
    unit = 10 ** max(0, len(str(amount)) - SECONDS_DIGITS)
    return float(-(-amount // unit) * unit)


def use_of(move_times: Mapping[float, int]) -> TimeUse | None:
    """Return the time use of this many moves of each of these seconds, or None without any.

    A quantile is the least number of seconds that this share of the moves did not exceed.

    >>> use_of({0.1: 98, 0.2: 2})
    TimeUse(moves=100, median=0.1, p99=0.2, most=0.2)
    """
    moves = sum(move_times.values())
    if not moves:
        return None
    median, p99, most = (_quantile(move_times, -(-moves * share // 100)) for share in (50, 99, 100))
    return TimeUse(moves, median, p99, most)


def _quantile(move_times: Mapping[float, int], rank: int) -> float:
    """Return the seconds of the move of that rank, from 1, by time."""
    for seconds, moves in sorted(move_times.items()):
        rank -= moves
        if rank <= 0:
            return seconds
    raise ValueError("there are fewer moves")


class TimedPlayer(Protocol):
    """A player whose moves may have been measured."""

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def clock(self) -> str:
        """Its time control, or empty without one."""

    @property
    def move_times(self) -> Mapping[float, int]:
        """Number of its moves by the seconds that they took, or the fuel."""

    @property
    def engine(self) -> str:
        """The engine that counted its fuel, empty where seconds were counted."""


class PlayerTimes(NamedTuple):
    """The time control of a player, and how many of its moves took this many seconds.

    If there is an engine, they took this much of its fuel.
    """

    clock: str
    move_times: Counter[float]
    engine: str = ""


def times_of(players: Iterable[TimedPlayer]) -> dict[str, PlayerTimes]:
    """Return by name the times of the players that have any, summed over all their fights."""
    times: dict[str, PlayerTimes] = {}
    for player in players:
        if player.clock or player.move_times:
            entry = times.setdefault(
                player.name, PlayerTimes(player.clock, Counter(), player.engine)
            )
            entry.move_times.update(player.move_times)
    return times


@dataclass(frozen=True)
class TimesByPlayer(Record):
    """The clocks of players and the time or the fuel that they took, by name."""

    KEYS = "clocks? time_use? fuel_use? fuel_engines?"

    #: The time control of each player that has one, such as ``60+0.5``.
    clocks: Mapping[str, str]
    #: The seconds that players took for their moves.
    time_use: Mapping[str, TimeUse]
    #: The fuel that WebAssembly modules took for theirs.
    fuel_use: Mapping[str, TimeUse] = field(default_factory=dict)
    #: The engines that counted it, with their versions.
    fuel_engines: Mapping[str, str] = field(default_factory=dict)


def times_by_player(players: Iterable[TimedPlayer]) -> TimesByPlayer:
    """Return the clocks and the time use of the players that have any."""
    times = times_of(players)
    clocks = {name: each.clock for name, each in times.items() if each.clock}
    uses = {name: use_of(each.move_times) for name, each in times.items()}
    measured = {name: use for name, use in uses.items() if use is not None}
    seconds = {name: use for name, use in measured.items() if not times[name].engine}
    fuel = {name: use for name, use in measured.items() if times[name].engine}
    return TimesByPlayer(clocks, seconds, fuel, {name: times[name].engine for name in fuel})
