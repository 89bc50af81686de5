"""Read the games that a volunteer says it has played: fast where nothing happened but moves."""

from __future__ import annotations

from math import isfinite
from typing import Any

from arena.fights.engines import NO_RECORDS
from arena.game import Outcome
from arena.match.record import GameRecord, PlayedPair
from arena.model.codec import decode

#: What most games have besides moves, outcome and times, as JSON.
_PLAIN: list[Any] = [None, None, None, [], {}]

_OUTCOMES = {outcome.value: outcome for outcome in Outcome}


def pairs_from(value: Any, seconds: float, seats: int = 2) -> list[PlayedPair]:
    """Return what a volunteer played. Its games share the seconds in which it had the part.

    The seconds that it tells are not read, nor games of a void pair. Raises UsageError for anything
    else.
    """
    pairs = [*map(_pair, value)] if type(value) is list else decode(list[PlayedPair], value)
    none = NO_RECORDS if seats == 2 else ()
    pairs = [pair._replace(records=none) if pair.void else pair for pair in pairs]
    games = max(1, sum(len(pair.records) for pair in pairs))
    return [pair._replace(seconds=(seconds / games,) * len(pair.records)) for pair in pairs]


def _pair(value: Any) -> PlayedPair:
    if type(value) is list and len(value) == len(PlayedPair._fields):
        pair, games, _, void, withdrawn, opening, remembers = value
        types = [type(pair), type(games), type(opening), type(remembers)]
        is_plain = types == [int, list, str, list] and {*map(type, remembers)} == {str}
        if is_plain and void == "" and withdrawn is None:
            records = tuple(map(_game, games))
            return PlayedPair(pair, records, (), "", None, opening, tuple(remembers))
        value = [*value[:2], [], *value[3:]]
    return decode(PlayedPair, value)


def _game(value: Any) -> GameRecord:
    """Return a game, by its fields where it has no others than most games, or by the codec."""
    if type(value) is list and len(value) == len(GameRecord._fields):
        moves, outcome, forfeit, times, payoffs, luck, later, ended, notes = value
        if (
            type(moves) is list
            and {*map(type, moves)} <= {int}
            and type(outcome) is str
            and outcome in _OUTCOMES
            and type(times) is list
            and all(map(_are_times, times))
            and (ended is None or (type(ended) is float and isfinite(ended)))
            and [forfeit, payoffs, luck, later, notes] == _PLAIN
        ):
            seconds = tuple(map(tuple, times))
            return GameRecord(tuple(moves), _OUTCOMES[outcome], None, seconds, ended=ended)
    return decode(GameRecord, value)


def _are_times(side: Any) -> bool:
    """Return whether a list has the seconds, or the fuel, of moves: finite numbers and None."""
    return type(side) is list and all(
        time is None or type(time) is int or (type(time) is float and isfinite(time))
        for time in side
    )
