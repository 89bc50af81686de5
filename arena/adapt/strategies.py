"""Strategies of the iterated prisoner's dilemma, in the form of the library Axelrod, as players.

A strategy is a class with ``strategy(opponent)``, which answers C or D and looks at its own
``history`` and at ``opponent.history``. Nothing here imports the library: a class of it brings its
own kinds of actions and histories, and any other class gets the letters ``"C"`` and ``"D"`` in
lists.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from arena.adapt.boards import shown_thing
from arena.errors import CannotPlay, NoMove, class_name
from arena.games.rounds import KIND, rounds_seen
from arena.player import StatefulPlayer

if TYPE_CHECKING:
    from arena.game import Game, Side
    from arena.games.view import View

#: Cooperate and defect, by the numbers of arena's moves.
_LETTERS = "CD"

#: Bits of the seed that a strategy gets for its own generator.
_SEED_BITS = 31


def axelrod(make: Callable[[], Any]) -> type[StatefulPlayer]:
    """Return a player of the prisoner's dilemma of a strategy's class, or of what makes a strategy.

    Each game has a strategy of its own. Its ``set_seed`` gets a seed that follows from the game,
    and its ``set_match_attributes`` the rounds, the payoffs and the noise, if it has such methods.
    With noise the histories have what was played, not what was meant. A strategy knows its opponent
    by ``opponent.history`` alone.

    >>> class Grudger:
    ...     history = []
    ...     def strategy(self, opponent):
    ...         return "D" if "D" in opponent.history else "C"
    >>> axelrod(Grudger).__name__
    'Grudger'
    """

    class StrategyPlayer(StatefulPlayer):
        """A strategy of the prisoner's dilemma."""

        def start(self, game: Game, side: Side, rng: random.Random) -> None:
            if KIND not in game.kinds:
                raise CannotPlay(f"a strategy of the dilemma does not play {game.name}")
            self._strategy = make()
            self._opponent = _Opponent()
            self._letters = _letters_of(self._strategy)
            self._told_rounds = 0
            _prepare(self._strategy, game, rng)
            _clear(self._strategy, self._opponent)

        def choose(self, view: View) -> Any:
            rounds = rounds_seen(view)
            for mine, theirs in rounds[self._told_rounds :]:
                self._tell(self._letters[mine], self._letters[theirs])
            self._told_rounds = len(rounds)
            answer = self._strategy.strategy(self._opponent)
            letter = getattr(answer, "name", answer)  # an Action's name is its letter
            if letter not in ("C", "D"):
                return NoMove(f"answered {shown_thing(answer)}, which is neither C nor D")
            return _LETTERS.index(letter)

        def _tell(self, mine: Any, theirs: Any) -> None:
            _append(self._strategy.history, mine, theirs)
            _append(self._opponent.history, theirs, mine)

    StrategyPlayer.__name__ = StrategyPlayer.__qualname__ = getattr(make, "__name__", "strategy")
    # As a named tuple does, so that it counts as its file's own, wherever the strategy is from.
    StrategyPlayer.__module__ = sys._getframe(1).f_globals.get("__name__", __name__)
    return StrategyPlayer


class MoveHistory(list[Any]):
    """The moves of a side, and how many of them are C and D."""

    @property
    def cooperations(self) -> int:
        """The number of times that the side cooperated."""
        return self.count("C")

    @property
    def defections(self) -> int:
        """The number of times that the side defected."""
        return self.count("D")


class _Opponent:
    """The opponent as a strategy sees it."""

    history: Any

    @property
    def cooperations(self) -> int:
        return int(self.history.cooperations)

    @property
    def defections(self) -> int:
        return int(self.history.defections)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"no {name!r}: a strategy knows its opponent by its history alone")


class _RoundPayoffs:
    """The payoffs of a round, as strategies ask for them."""

    def __init__(self, game: Any) -> None:
        self._matrix = game.matrix

    def RPST(self) -> tuple[int, int, int, int]:  # noqa: N802 (the library's name)
        """Return the reward, the punishment, what a side gets that cooperates alone, the most."""
        matrix = self._matrix
        return matrix[0, 0][0], matrix[1, 1][0], matrix[0, 1][0], matrix[1, 0][0]

    def score(self, pair: tuple[Any, Any]) -> tuple[int, int]:
        """Return the payoffs of both sides for the letters of both."""
        first, second = (_LETTERS.index(getattr(each, "name", each)) for each in pair)
        scores: tuple[int, int] = self._matrix[first, second]
        return scores


def _prepare(strategy: Any, game: Any, rng: random.Random) -> None:
    """Give a strategy its seed and what it may know of the match, if it asks for that."""
    if hasattr(strategy, "set_match_attributes"):
        rounds = game.max_plies // game.plies_of_round
        noise = getattr(game, "noise", 0) / 100
        strategy.set_match_attributes(length=rounds, game=_RoundPayoffs(game), noise=noise)
    if hasattr(strategy, "set_seed"):
        strategy.set_seed(rng.getrandbits(_SEED_BITS))


def _clear(strategy: Any, opponent: _Opponent) -> None:
    """Give both sides an empty history: the library's kind if the strategy has that."""
    history: Any = getattr(strategy, "history", None)
    if hasattr(history, "coplays"):
        opponent.history = type(history)()
        return
    if not callable(getattr(strategy, "strategy", None)):
        raise CannotPlay(f"a {class_name(strategy)} is no strategy: it has no strategy(opponent)")
    strategy.history, opponent.history = MoveHistory(), MoveHistory()


def _append(history: Any, mine: Any, theirs: Any) -> None:
    if hasattr(history, "coplays"):
        history.append(mine, theirs)
    else:
        history.append(mine)


def _letters_of(strategy: Any) -> tuple[Any, Any]:
    """Return what cooperates and what defects: the library's actions for a class of it."""
    library = sys.modules.get("axelrod.action")
    if library is None or not hasattr(getattr(strategy, "history", None), "coplays"):
        return "C", "D"
    return library.Action.C, library.Action.D
