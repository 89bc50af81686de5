"""Explain a game: what each of its moves was worth under perfect play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import NamedTuple

from arena.game import Game, Position
from arena.games.search import is_small
from arena.games.worth import describe, difference, sign, word
from arena.proof import progress
from arena.proof.values import known_values
from arena.records.explanations import ExplainedMove, Explanation
from arena.records.replays import ReplayReport

#: Positions that a search looks at for each move of a game that is not small: a tenth of a second.
MAX_MOVE_POSITIONS = 20_000


#: Returns 1, 0 or -1 for what a position is worth to the side to move, None where it is open.
Proved = Callable[[Position], int | None]


def unknown(_: Position) -> None:
    """Prove nothing."""


class Worth(NamedTuple):
    """The worth of a move or of a position."""

    sign: int
    #: Plies to the win or the loss; 0 for a draw, and where they are not known.
    plies: int

    @property
    def text(self) -> str:
        """``win in 3``, or ``win`` where the plies are not known."""
        return describe(self.sign * self.plies) if self.plies else word(self.sign)


def explain(
    game: Game,
    replay: ReplayReport,
    budget: int = MAX_MOVE_POSITIONS,
    proved: Proved = unknown,
    solved: Proved = unknown,
) -> Explanation:
    """Return the values of all moves of a game that was played, or as many as a search finds.

    Small games (see :func:`arena.games.search.is_small`) are solved whatever it takes. In others
    ``proved`` tells what a certificate proves, and ``solved``, which takes a while, is asked where
    nothing else tells what a move was worth, and what would have been better than a blunder.
    """
    position = game.parse(replay.opening) if replay.opening else game.start()
    played = []
    for text in replay.moves:
        played.append((position, game.parse_move(text)))
        position = position.play(played[-1][1])
    moves: list[ExplainedMove] = []
    for position, move in reversed(played):  # late positions are soon solved, and help with others
        progress.tell(len(moves), len(played), "moves of the game valued")
        player = replay.players[position.to_move]
        moves.append(_explained(player, position, move, budget, proved, solved))
    return Explanation(replay, tuple(reversed(moves)), None if is_small(game) else budget)


def worths(position: Position, budget: int, proved: Proved) -> dict[int, Worth | None]:
    """Return what each move is worth, None where neither a search nor a certificate knows it."""
    values: dict[int, Worth | None] = {}
    for move, value in known_values(position, budget).items():
        if value is not None:
            values[move] = Worth(sign(value), abs(value))
        else:
            values[move] = proved_worth(position, move, proved)
    return values


def proved_worth(position: Position, move: int, proved: Proved) -> Worth | None:
    """Return what a certificate proves of a move, or None if it proves nothing."""
    after = position.play(move)
    value = proved(after)
    if value is None:
        return None
    mine = value if after.to_move == position.to_move else -value
    return Worth(mine, 0)


def _explained(
    player: str, position: Position, move: int, budget: int, proved: Proved, solved: Proved
) -> ExplainedMove:
    values, name = worths(position, budget, proved), position.game.format_move
    if values[move] is None:
        values[move] = proved_worth(position, move, solved)
    best, after = _best(position, values, (proved, solved)), values[move]
    gives_away = None if best is None or after is None else difference(best.sign, after.sign)
    for other in [m for m, worth in values.items() if gives_away and worth is None]:
        values[other] = proved_worth(position, other, solved)
    keeping = [m for m, worth in values.items() if worth and best and worth.sign == best.sign]
    better = keeping if gives_away else []
    return ExplainedMove(
        player=player,
        move=name(move),
        before=None if best is None else best.text,
        after=None if after is None else after.text,
        gives_away=gives_away,
        better=tuple(map(name, better)),
        written=position.write_move(move),
        better_written=tuple(map(position.write_move, better)),
    )


def _best(
    position: Position, worth_of_moves: Mapping[int, Worth | None], tellers: Sequence[Proved]
) -> Worth | None:
    """Return the worth of the best move, or None where an unknown one may be the best."""
    known_worths = [worth for worth in worth_of_moves.values() if worth is not None]
    best = max(known_worths, key=_rank, default=None)
    if best is not None and (best.sign > 0 or len(known_worths) == len(worth_of_moves)):
        return best
    values = (teller(position) for teller in tellers)
    value = next((value for value in values if value is not None), None)
    return None if value is None else Worth(value, 0)


def _rank(worth: Worth) -> tuple[int, float]:
    """Put the soonest win first and the soonest loss last.

    One of which the plies are not known may be the soonest win, or the latest loss.
    """
    return worth.sign, -worth.sign * (worth.plies or (inf if worth.sign < 0 else 0))
