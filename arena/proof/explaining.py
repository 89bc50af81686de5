"""Explain a game: what each of its moves was worth under perfect play."""

from __future__ import annotations

from collections.abc import Mapping

from arena.game import Game, Position
from arena.games.search import is_small
from arena.proof.values import describe, difference, known_values, sign
from arena.records.explanations import ExplainedMove, Explanation
from arena.records.replays import ReplayReport

#: Positions that a search looks at for each move of a game that is not small: a tenth of a second.
BUDGET = 20_000


def explain(game: Game, replay: ReplayReport, budget: int = BUDGET) -> Explanation:
    """Return the values of all moves of a game that was played, or as many as a search finds.

    Small games (see :func:`arena.games.search.is_small`) are solved whatever it takes.
    """
    position = game.parse(replay.opening) if replay.opening else game.start()
    moves = []
    for text in replay.moves:
        move = game.parse_move(text)
        moves.append(_explained(replay.players[position.to_move], position, move, budget))
        position = position.play(move)
    return Explanation(replay, tuple(moves), None if is_small(game) else budget)


def _explained(player: str, position: Position, move: int, budget: int) -> ExplainedMove:
    values = known_values(position, budget)
    best, after, name = _best(values), values[move], position.game.format_move
    gives_away = None if best is None or after is None else difference(best, after)
    kept = [one for one, value in values.items() if value is not None and gives_away]
    return ExplainedMove(
        player=player,
        move=name(move),
        before=None if best is None else describe(best),
        after=None if after is None else describe(after),
        gives_away=gives_away,
        better=tuple(name(one) for one in kept if sign(values[one] or 0) == sign(best or 0)),
    )


def _best(values: Mapping[int, int | None]) -> int | None:
    """Return the value of the best move, in plies; None where an unknown one may be the best."""
    known = [value for value in values.values() if value is not None]
    best = max(known, key=_rank, default=None)
    return best if best is not None and (best > 0 or len(known) == len(values)) else None


def _rank(value: int) -> float:
    """Put the soonest win first and the soonest loss last."""
    return 1 / value if value else 0.0
