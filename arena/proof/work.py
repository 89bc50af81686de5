"""Refuse a calculation that would not end, before it begins, by an estimate of its work."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import compress
from typing import NamedTuple

from arena.clock import now
from arena.errors import Undecided
from arena.game import WIN_FOR, Game, Position, Side
from arena.games.display import Line
from arena.player import PlayerInfo
from arena.proof.estimate import MAX_LINES, PositionEstimate, about, estimate, ways_to
from arena.proof.limit import Limit
from arena.proof.outcome import merges as may_merge
from arena.proof.policy import Policy

#: Seconds that a calculation may be estimated to take without a limit of the user's.
MAX_ESTIMATED_SECONDS = 3600.0

#: Seconds of questions to each player from which an estimate is made.
MAX_ASKING_SECONDS = 2.0

#: This many of the games that an estimate has seen lost are played again by the player.
MAX_REPLAYED = 20

#: This many answers do not take long enough for an estimate of their time.
MAX_QUICK_ANSWERS = 100_000

#: The moves that a player may make at a position, after the moves that led there.
PlayerMoves = Callable[[Position, tuple[int, ...]], Mapping[int, object]]


@dataclass
class Questions:
    """Moves of players by side, None for any opponent, and how long their answers took.

    Chance makes all of its moves, like any opponent.
    """

    by_side: Mapping[Side, PlayerMoves | None]
    #: The sides whose players the calculation asks as the estimate does, which takes as long.
    timed: Collection[Side] = tuple(Side)
    #: Whether some answers are not the player's, which takes too long.
    is_guess: bool = False
    #: The seconds of each side's answers, and their number.
    seconds: dict[Side, float] = field(default_factory=lambda: dict.fromkeys(Side, 0.0))
    questions: dict[Side, int] = field(default_factory=lambda: dict.fromkeys(Side, 0))

    def __call__(self, position: Position, line: tuple[int, ...]) -> Sequence[int]:
        """Return the moves that may be made at a position.

        After MAX_ASKING_SECONDS of its own questions a player is taken to have one move at each.
        """
        ask = self.by_side.get(position.to_move)
        if ask is None:
            return position.legal_moves()
        if self.seconds[position.to_move] > MAX_ASKING_SECONDS:
            self.is_guess = True
            return position.legal_moves()[sum(line) % len(position.legal_moves()) :][:1]
        started_at = now()
        moves = list(ask(position, line))
        self.seconds[position.to_move] += now() - started_at
        self.questions[position.to_move] += 1
        return moves

    def seconds_for(self, positions: float) -> float:
        """Return about how long the answers at this many positions take."""
        each = sum(self.seconds[side] / max(1, self.questions[side]) for side in self.timed)
        return each * positions / len(self.by_side)


class TooManyLines(NamedTuple):
    """Why a calculation is not begun, and the games of the estimate."""

    reason: str
    games: tuple[tuple[Position, Line], ...]


def refused(
    starts: Sequence[Position], questions: Questions, limit: Limit, merges: bool = False
) -> TooManyLines | None:
    """Return why a calculation about players is not begun, or None if it may be within the limit.

    ``merges`` says that symmetric positions count as one there.
    """
    images = 1 + len(list(starts[0].images())) if merges else 1
    most = _all(tuple(starts)).positions / images
    if most <= limit.positions and (most <= MAX_QUICK_ANSWERS or not questions.timed):
        return None
    sample = estimate(starts, questions)
    positions, seconds = sample.positions / images, questions.seconds_for(sample.positions / images)
    longest = MAX_ESTIMATED_SECONDS if limit.seconds is None else limit.seconds
    least = "about" if questions.is_guess else "at least"
    finding = f"an estimate finds {least} {about(positions)} positions"
    if positions > limit.positions:
        return TooManyLines(f"{finding}, and --max-positions is {limit.positions:,}", sample.games)
    if seconds > longest:
        time = f"whose answers take {about(seconds)} s, and --max-seconds is {longest:,.0f}"
        return TooManyLines(f"{finding}, {time}", sample.games)
    if sample.lines > MAX_LINES and ways_to(starts[0]) is None:
        return TooManyLines(f"an estimate finds {about(sample.lines)} lines of play", sample.games)
    return None


@cache
def _all(starts: tuple[Position, ...]) -> PositionEstimate:
    """Return how many positions all moves lead to."""
    return estimate(starts)


def require_few_between(
    a: Policy,
    b: Policy,
    limit: Limit,
    openings: Mapping[Position, Fraction] | None,
    merges: bool,
    hint: str,
) -> None:
    """Raise Undecided if the exact result of a pairing takes more than the limit.

    ``merges`` says that symmetric positions count as one in games that are not tiny. Otherwise they
    are in arrays, for which players with ``choose_batch`` answer in no time. ``hint`` ends the
    message.
    """
    sides: dict[Side, PlayerMoves | None] = {
        Side.FIRST: lambda p, _: a(p.observation(0)),
        Side.SECOND: lambda p, _: b(p.observation(1)),
    }
    slow = [merges or policy.player.choose_batch is None for policy in (a, b)]
    questions = Questions(sides, timed=tuple(compress(Side, slow)))
    starts = list(openings or [a.game.start()])
    refusal = refused(starts, questions, limit, merges and may_merge(a.game))
    if refusal is not None:
        what = f"{a.player.name} against {b.player.name} at {a.game.name}"
        raise Undecided(f"{what} is not begun: {refusal.reason}{hint}")


def require_few_to_certify(player: PlayerInfo, game: Game, limit: Limit, hint: str) -> None:
    """Raise Undecided if a walk with the player on one side takes more than the limit.

    ``hint`` ends the message. A player that keeps state is asked once the walk has begun: what a
    line costs is not what a position costs.
    """
    player.require(game)
    for side in Side if player.stateless else ():
        refusal = _refused_to_walk(player, game, side, limit)
        if refusal is not None:
            raise Undecided(f"{_to_certify(player, game)} is not begun: {refusal.reason}{hint}")


def require_few_to_walk(
    player: PlayerInfo, game: Game, side: Side, limit: Limit, hint: str
) -> tuple[int, ...] | None:
    """Do the same for one side, but return a game that the estimate has seen it lose, if any."""
    refusal = _refused_to_walk(player, game, side, limit)
    if refusal is None:
        return None
    lost = WIN_FOR[side.other]
    policy = Policy(player, game)
    games = sorted((line for end, line in refusal.games if end.outcome() == lost), key=len)
    for line in games[:MAX_REPLAYED]:
        if _plays(policy, side, line):
            return line
    raise Undecided(f"{_to_certify(player, game)} is not begun: {refusal.reason}{hint}")


def _plays(policy: Policy, side: Side, line: tuple[int, ...]) -> bool:
    """Return whether all moves of a side in a game are ones that its player may make."""
    position = policy.game.start()
    for move in line:
        if position.to_move == side and move not in policy(position):
            return False
        position = position.play(move)
    return True


def _to_certify(player: PlayerInfo, game: Game) -> str:
    return f"the certificate of {player.name} at {game.name}"


def _refused_to_walk(
    player: PlayerInfo, game: Game, side: Side, limit: Limit
) -> TooManyLines | None:
    policy = Policy(player, game)
    moves: dict[Side, PlayerMoves | None]
    moves = {side: lambda position, _: policy(position), side.other: None}
    timed = () if player.shows_batches else (side,)
    return refused([game.start()], Questions(moves, timed), limit)
