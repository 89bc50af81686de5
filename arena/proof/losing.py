"""Find the shortest games that a player loses, among those that two players can play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from arena.game import WIN_FOR, Position, Side
from arena.games.worth import Worths
from arena.proof.lines import line_steps
from arena.proof.policy import Policy
from arena.records.proofs import ExactResult, LosingLine

#: Most positions of a search: the shortest loss mostly comes long before.
MAX_LOSS_POSITIONS = 20_000


def losing_lines(
    a: Policy, b: Policy, result: ExactResult, openings: Iterable[Position] = ()
) -> Iterator[LosingLine]:
    """Yield a shortest line for each player and each side on which it loses some games.

    ``result`` says where it does. Games begin from the ``openings``, or from the start. A
    search that takes more than MAX_LOSS_POSITIONS yields nothing.
    """
    starts = tuple(openings) or (a.game.start(),)
    for is_swapped, chances in ((False, result.first), (True, result.second)):
        first, second = (b, a) if is_swapped else (a, b)
        names = result.players[::-1] if is_swapped else result.players
        lost = (chances.win, chances.loss) if is_swapped else (chances.loss, chances.win)
        for side in Side:
            line = _shortest(first, second, side, starts) if lost[side] else None
            if line is not None:
                start, moves = line
                worths = Worths(start.game)
                steps = line_steps(start, moves, side, worths.gives_away)
                yield LosingLine(names[side], side.name.lower(), str(start) * bool(openings), steps)


def _shortest(
    first: Policy, second: Policy, loser: Side, starts: Iterable[Position]
) -> tuple[Position, list[int]] | None:
    """Return the start and the moves of a shortest loss, breadth first, or None without one."""
    lost = WIN_FOR[loser.other]
    before: dict[Position, tuple[Position, int] | None] = dict.fromkeys(starts)
    level = list(before)
    while level:
        deeper = []
        for position in level:
            outcome = position.outcome()
            if outcome == lost:
                return _path(position, before)
            for move in () if outcome else (second if position.to_move else first)(position):
                after = position.play(move)
                if after not in before:
                    before[after] = position, move
                    deeper.append(after)
            if len(before) > MAX_LOSS_POSITIONS:
                return None
        level = deeper
    return None


def _path(
    position: Position, before: dict[Position, tuple[Position, int] | None]
) -> tuple[Position, list[int]]:
    moves = []
    while (step := before[position]) is not None:
        position, move = step
        moves.append(move)
    return position, moves[::-1]
