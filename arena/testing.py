"""Assert facts about a player or a game in its tests, without pytest.

Each assertion proves what it can and samples the rest, and its failure says what went wrong.
:mod:`arena.pytest_plugin` offers the assertions as fixtures of the same names. A failure shows the
line of the test that called it, and no frame of arena's.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from fractions import Fraction
from functools import wraps
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar, cast

import arena
from arena import clock
from arena.errors import ArenaError, CannotEnumerate, counted
from arena.features.check.record import CheckReport, Level
from arena.game import Position
from arena.games.walk import walked
from arena.inputs.resolve import DEFAULT_GAME, GameLike, PlayerLike
from arena.player.clients import Turn
from arena.player.clocks import Clocks
from arena.records.fights import FightResult
from arena.records.thoughts import Thought
from arena.stats.interval import score_interval
from arena.stats.sprt import sprt

__all__ = [
    "FakeClock",
    "ScriptedPlayer",
    "ScriptedTalk",
    "at_least_as_strong_as",
    "check_game",
    "check_player",
    "never_loses",
    "scores_against",
    "turn_at",
]

#: Has pytest leave the frames of this module out of what it shows.
__tracebackhide__ = True

P = ParamSpec("P")
Returned = TypeVar("Returned")

#: Larger games are sampled, not enumerated.
MAX_EXACT_POSITIONS = 100_000

#: Number and seed of the pairs where a proof is impossible.
DEFAULT_TEST_PAIRS = 2000
DEFAULT_TEST_SEED = 1


def assertion(function: Callable[P, Returned]) -> Callable[P, Returned]:
    """Let an error of arena's begin where a test called the function."""

    @wraps(function)
    def asserted(*arguments: P.args, **options: P.kwargs) -> Returned:
        try:
            return function(*arguments, **options)
        except ArenaError as error:
            raise error.with_traceback(None) from None  # it names the line of the player

    return asserted


class ScriptedPlayer:
    """Answer with these in turn: a player whose game a test decides.

    It raises an answer that is an exception, and gives any other as it stands, legal or not.  It
    knows its place by the ply, so that every game begins with its first answer. The sides must
    alternate.

    AssertionError if it is asked for more answers than it has.

    >>> row = ScriptedPlayer(0, 1, 2)
    >>> arena.fight(row, ScriptedPlayer(3, 4, 5), 1).total.wins
    1
    """

    def __init__(self, *answers: object) -> None:
        self.answers = answers

    def __call__(self, position: Position, rng: random.Random) -> Any:
        """Return the answer of this player's turn."""
        turn = position.ply // 2
        if turn >= len(self.answers):
            raise AssertionError(f"a script of {len(self.answers)} answers is over at {position}")
        answer = self.answers[turn]
        if issubclass(type(answer), BaseException):
            raise cast("BaseException", answer)
        return answer


class ScriptedTalk:
    """Stand for a program in the tests of a client (:class:`arena.plugin.Client`).

    It says these lines in turn.

    AssertionError if it is heard more often than it has lines.

    >>> talk = ScriptedTalk("readyok")
    >>> talk.say("isready")
    >>> talk.hear(), talk.said
    ('readyok', ['isready'])
    """

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        #: The lines that the client said.
        self.said: list[str] = []
        #: The client's notes on the program's moves.
        self.thoughts: list[Thought] = []

    def say(self, *lines: str) -> None:
        """Note lines of the client."""
        self.said += lines

    def hear(self) -> str:
        """Return the next line."""
        assert self.lines, f"nothing is left to hear after {self.said}"
        return self.lines.pop(0)

    def require_silence(self) -> None:
        """Do nothing: a script never speaks out of turn."""

    def note(self, thought: Thought) -> None:
        """Keep a thought in ``thoughts``."""
        self.thoughts.append(thought)


def turn_at(
    start: Position, *moves: int, seconds: float = 2.0, clocks: Clocks | None = None
) -> Turn:
    """Return the question for a move after these, for the tests of an :class:`arena.plugin.Client`.

    >>> from arena.plugin import mnk_game
    >>> turn_at(mnk_game(3, 3, 3).start(), 4, 0).position
    <tictactoe o___x____, x to move>
    """
    position = walked(start, moves)
    return Turn(position.game, position, position.to_move, start, moves, seconds, clocks)


class FakeClock:
    """Stand for the time of this process, as arena reads it, within a ``with``.

    It moves when a test says so, and when a program pauses. The results of other processes stay
    what it is.

    >>> with FakeClock() as fake:
    ...     before = clock.now()
    ...     fake.advance(2.5)
    ...     clock.sleep(1)
    ...     clock.now() - before
    3.5
    """

    def __init__(self) -> None:
        self._seconds = 0.0

    def advance(self, seconds: float) -> None:
        """Move the clock on by this many seconds."""
        self._seconds += seconds

    def monotonic(self) -> float:
        """Return the seconds that went by."""
        return self._seconds

    sleep = advance

    def __enter__(self) -> Self:
        self._before, clock.source = clock.source, self
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        clock.source = self._before


@assertion
def check_player(
    player: PlayerLike,
    *,
    game: GameLike = DEFAULT_GAME,
    seed: int = DEFAULT_TEST_SEED,
    positions: int | None = None,
) -> CheckReport:
    """Raise AssertionError with every failure of ``arena check``. Warn with every warning.

    ``positions`` is the number of positions to ask at, by default all of a small game.

    >>> check_player("triples", positions=50).conforms
    True
    """
    return _passed(arena.check(player, game=game, seed=seed, positions=positions))


@assertion
def check_game(game: GameLike, *, seed: int = DEFAULT_TEST_SEED) -> CheckReport:
    """Check a game against the contract of :mod:`arena.game`, as :func:`check_player` does.

    >>> check_game("mnk-3-2-2").conforms
    True
    """
    return _passed(arena.check_game(game, seed=seed))


def _passed(report: CheckReport) -> CheckReport:
    failures = report.at(Level.FAIL)
    if failures:
        raise AssertionError("\n".join([report.headline, *map(str, failures)]))
    for finding in report.at(Level.WARNING):
        warnings.warn(f"{report.player or report.game}: {finding}", stacklevel=4)
    return report


@assertion
def never_loses(player: PlayerLike, *, game: GameLike = DEFAULT_GAME) -> None:
    """Raise AssertionError with the shortest losing line, if the player can lose.

    Raises CannotEnumerate where that cannot be proved: a bound from games would be another
    assertion.

    >>> never_loses("triples")
    """
    certificate = arena.certify(player, game=game)
    for name, side in (("first", certificate.first), ("second", certificate.second)):
        if side.losing_line is not None:
            line = " ".join(step.move for step in side.losing_line)
            headline = f"{certificate.player} loses moving {name}, by {line}"
            raise AssertionError(f"{headline}\n{certificate}")


@assertion
def scores_against(
    player: PlayerLike,
    opponent: PlayerLike,
    at_least: float | Fraction,
    *,
    game: GameLike = DEFAULT_GAME,
    pairs: int = DEFAULT_TEST_PAIRS,
    seed: int = DEFAULT_TEST_SEED,
) -> None:
    """Raise AssertionError unless a player's expected score, from 0 to 1, is at least this.

    The score is exact if both players can be enumerated. Else the assertion plays pairs, and fails
    only if the 95 % interval of the score lies below.

    >>> scores_against("tictactoe3", "monkey", at_least=0.96)
    """
    score = _score(player, opponent, game, pairs, seed)
    if isinstance(score, FightResult):
        _assert_sampled(score, at_least)
        return
    if score < at_least:
        raise AssertionError(
            f"the exact score is {float(score):.4f} ({score}), less than {float(at_least):.4f}"
        )


def _score(
    player: PlayerLike, opponent: PlayerLike, game: GameLike, pairs: int, seed: int
) -> Fraction | FightResult:
    """Return the expected score, or a fight where that is unknown.

    Deterministic players show that by playing the same two games again and again.
    """
    try:
        return arena.exact(
            player, opponent, game=game, max_positions=MAX_EXACT_POSITIONS
        ).total.score
    except CannotEnumerate:
        result = arena.fight(player, opponent, pairs, game=game, seed=seed)
    return result.total.points / result.total.games if result.repeats else result


def _assert_sampled(result: FightResult, at_least: float | Fraction) -> None:
    interval = score_interval(result.pentanomial)
    if interval is None or interval[1] < at_least:
        raise AssertionError(
            f"the score over {counted(result.pairs, 'pair')} is {result.total.score}, its interval"
            f" {interval}, less than {float(at_least):.4f}; seed {result.seed}\n{result}"
        )


@assertion
def at_least_as_strong_as(
    player: PlayerLike,
    other: PlayerLike,
    *,
    game: GameLike = DEFAULT_GAME,
    margin: float = 20,
    pairs: int = DEFAULT_TEST_PAIRS,
    seed: int = DEFAULT_TEST_SEED,
) -> None:
    """Raise AssertionError if a player is weaker than another in their games.

    It is exact if both can be enumerated: the expected score must be at least 1/2. Else it plays
    pairs, and fails if a sequential test accepts that the player is ``margin`` Elo weaker rather
    than equally strong (5 % errors), or cannot decide.

    >>> at_least_as_strong_as("minimax", "tictactoe1")
    """
    score = _score(player, other, game, pairs, seed)
    if isinstance(score, FightResult):
        test = sprt(score.pentanomial, -margin, 0)
        if test.decision != "H1":
            verdict = "is weaker" if test.decision == "H0" else "may be weaker"
            raise AssertionError(
                f"{score.players[0]} {verdict} than {score.players[1]}: log-likelihood ratio"
                f" {test.llr} over {counted(score.pairs, 'pair')}, seed {seed}\n{score}"
            )
        return
    if score < Fraction(1, 2):
        raise AssertionError(f"the exact score is {float(score):.4f} ({score}), less than a half")
