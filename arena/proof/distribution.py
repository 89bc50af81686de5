"""The exact distribution over a stateless player's moves in a position.

The player is run once for every branch of its random choices: a scripted ``random.Random`` answers
each draw with the next value that has not been tried, and the probabilities of the branches are
added up as fractions.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, count
from typing import Any, NoReturn

from arena.errors import (
    CannotEnumerate,
    IllegalMove,
    PlayerFault,
    as_move,
    describe,
    is_stop,
    numeral,
)
from arena.game import Position
from arena.player import PlayerInfo

#: A player that needs more branches than this in one position is not enumerated.
MAX_BRANCHES = 10_000

#: A player may draw so often for one move.
MAX_DRAWS = 1000

#: A single draw may have this many values at most.
MAX_VALUES = 4096


class ScriptedRandom(random.Random):
    """Follows a path of answers, and beyond its end takes the first value of every draw.

    ``_randbelow`` is a private method of CPython's through which ``choice``, ``sample``,
    ``shuffle``, ``randrange`` and ``randint`` draw; a test pins that for every version.
    """

    def __init__(self, path: Sequence[int] = ()) -> None:
        super().__init__(0)
        self.follow(path)

    def follow(self, path: Sequence[int]) -> None:
        """Begin anew, on this path; whatever a player did to this object is forgotten."""
        vars(self).clear()
        self.gauss_next = None
        self._path = path
        #: For every draw so far: the value taken and the probabilities of all its values.
        self.draws: list[tuple[int, Sequence[Fraction]]] = []
        #: Why no distribution can come of this, even if the player catches the exception.
        self.refusal: CannotEnumerate | None = None

    def refuse(self, reason: str) -> NoReturn:
        """CannotEnumerate, now and when the player has answered."""
        self.refusal = CannotEnumerate(reason)
        raise self.refusal

    def draw(self, chances: Sequence[Fraction]) -> int:
        """One value of a draw whose values 0, 1, ... have these probabilities."""
        at = len(self.draws)
        if at >= MAX_DRAWS:
            self.refuse(f"it draws more than {MAX_DRAWS} times for one move")
        value = self._path[at] if at < len(self._path) else 0
        if value >= len(chances):
            self.refuse("it differs when it is run again with the same draws")
        self.draws.append((value, chances))
        return value

    def _randbelow(self, n: int) -> int:
        if n > MAX_VALUES:
            self.refuse(f"it draws one of {n} values at once (at most {MAX_VALUES})")
        return self.draw(_uniform(n))

    def getrandbits(self, k: int, /) -> int:
        """One of the 2**k values."""
        return self._randbelow(1 << k if 0 <= k < 64 else MAX_VALUES + 1)

    def choices(
        self,
        population: Any,
        weights: Iterable[Any] | None = None,
        *,
        cum_weights: Iterable[Any] | None = None,
        k: int = 1,
    ) -> list[Any]:
        """As ``random.choices``, which would draw a float."""
        if weights is not None:
            if cum_weights is not None:
                raise TypeError("choices takes weights or cumulative weights")
            cum_weights = accumulate(map(Fraction, weights))
        if cum_weights is None:
            return [population[self._randbelow(len(population))] for _ in range(k)]
        ends = list(map(Fraction, cum_weights))
        if len(ends) != len(population):
            raise ValueError("choices takes as many weights as there are things to choose from")
        chances = [(b - a) / ends[-1] for a, b in zip([Fraction(0), *ends], ends, strict=False)]
        possible = [i for i, chance in enumerate(chances) if chance > 0]
        positive = [chances[i] for i in possible]
        return [population[possible[self.draw(positive)]] for _ in range(k)]

    def sample(
        self, population: Sequence[Any], k: int, *, counts: Iterable[int] | None = None
    ) -> list[Any]:
        """As ``random.sample``, which draws again and again from a large population."""
        pool = list(population)
        if counts is not None:
            pool = [thing for thing, n in zip(pool, counts, strict=True) for _ in range(n)]
        if not 0 <= k <= len(pool):
            raise ValueError("sample larger than population or is negative")
        return [pool.pop(self._randbelow(len(pool))) for _ in range(k)]

    def random(self) -> float:
        """A float has too many values."""
        self.refuse("it draws a float")

    def seed(self, *_args: Any, **_kwargs: Any) -> None:
        """A seed that the player chooses makes draws that are not random."""
        if hasattr(self, "draws"):
            self.refuse("it seeds the generator it is given")

    def getstate(self) -> tuple[Any, ...]:
        """There is no state to get."""
        self.refuse("it reads the state of the generator it is given")

    def setstate(self, _state: tuple[Any, ...]) -> None:
        """A state that the player chooses makes draws that are not random."""
        self.refuse("it sets the state of the generator it is given")


def require_stateless(player: PlayerInfo) -> None:
    """CannotEnumerate if the player keeps state."""
    if not player.stateless:
        raise CannotEnumerate(f"{player.name} keeps state, so its moves have no distribution")


@cache
def _uniform(n: int) -> tuple[Fraction, ...]:
    return (Fraction(1, n),) * n


class NoRandom(ScriptedRandom):
    """Refuses every draw."""

    def __init__(self) -> None:
        super().__init__(())

    def draw(self, chances: Sequence[Fraction]) -> int:
        """CannotEnumerate, whatever is drawn."""
        self.refuse("draws at random")


def distribution(player: PlayerInfo, position: Position) -> dict[int, Fraction]:
    """The probability of every move that the player may make, ascending by move.

    The player's own ``distribution`` if it offers one, else by enumeration. CannotEnumerate says
    why neither works: a stateful player, a drawn float, too many branches, a player that does not
    do the same for the same draws, an exception, an illegal move, probabilities that do not add up
    to one.
    """
    require_stateless(player)
    try:
        found = find_distribution(player, position)
    except CannotEnumerate as error:
        fault = isinstance(error, PlayerFault)
        hint = "" if fault else "; it may offer distribution(position) itself"
        message = f"the moves of {player.name} at {position} cannot be enumerated: {error}{hint}"
        raise type(error)(message) from error
    return {move: found[move] for move in sorted(found) if found[move]}


def find_distribution(player: PlayerInfo, position: Position) -> dict[int, Fraction]:
    """The same in any order; the message of CannotEnumerate says the reason alone."""
    if player.distribution is not None:
        return _declared(player, position)
    return _enumerated(player, position)


def _declared(player: PlayerInfo, position: Position) -> dict[int, Fraction]:
    assert player.distribution is not None
    try:
        found = {move: Fraction(p) for move, p in player.distribution(position).items()}
    except CannotEnumerate:
        raise
    except BaseException as error:
        if is_stop(error):
            raise
        raise PlayerFault(f"its distribution raises {describe(error)}") from error
    for move in found:
        check_legal(position, move)
    total = sum(found.values(), Fraction(0))
    if total != 1 or min(found.values()) < 0:
        parts = (numeral(total.numerator), numeral(total.denominator))
        shown = "/".join(parts).removesuffix("/1")
        raise PlayerFault(f"its distribution adds up to {shown}, or has negative parts")
    return found


def _enumerated(player: PlayerInfo, position: Position) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    script, state = ScriptedRandom(), random.getstate()
    for branch in count(1):
        if branch > MAX_BRANCHES:
            raise CannotEnumerate(f"it has more than {MAX_BRANCHES} branches")
        move = _ask(player, position, script)
        draws = script.draws
        # The same draws once more: a player that looks at anything else is likely to differ.
        script.follow([value for value, _ in draws])
        if _ask(player, position, script) != move or script.draws != draws:
            raise CannotEnumerate("it differs when it is run again with the same draws")
        chance = Fraction(1)
        for value, chances in draws:
            chance *= chances[value]
        found[move] = found.get(move, Fraction(0)) + chance
        path = _next_path(draws)
        if path is None:
            break
        script.follow(path)
    if random.getstate() != state:
        raise CannotEnumerate("it draws from the global generator, not from its own")
    if sum(found.values()) != 1:
        raise CannotEnumerate("it differs when it is run again with the same draws")
    return found


def _next_path(draws: Sequence[tuple[int, Sequence[Fraction]]]) -> list[int] | None:
    """The last draw that has a value left takes it, and those after it start anew."""
    path = [value for value, _ in draws]
    while path and path[-1] + 1 == len(draws[len(path) - 1][1]):
        path.pop()
    return [*path[:-1], path[-1] + 1] if path else None


def _ask(player: PlayerInfo, position: Position, script: ScriptedRandom) -> int:
    try:
        answer = player.player(position, script)
    except CannotEnumerate:
        raise
    except BaseException as error:
        if is_stop(error):
            raise
        raise PlayerFault(f"it raises {describe(error)}") from error
    if script.refusal is not None:
        raise script.refusal
    return check_legal(position, answer)


def check_legal(position: Position, answer: Any) -> int:
    """The player's answer as a move; PlayerFault if it is none, or not legal."""
    try:
        move = as_move(answer)
        position.play(move)
    except IllegalMove as error:
        raise PlayerFault(f"it {error}" if "answered" in str(error) else str(error)) from error
    return move
