"""Play a game in which chance moves, in which a seat does not see all, or which pays.

A seat is asked with its observation, and is told nothing else. Luck is that of the pair of games,
not that of the game: the k-th chance event of both draws from one stream. So both players get the
same deal, and the same dice as far as their games go the same way. With independent deals each
game has luck of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import lcm

from arena.core import twin
from arena.errors import IllegalMove, as_move
from arena.game import CHANCE, Position
from arena.games.contract import endless, payoffs_of, refused
from arena.match.record import GameRecord, forfeit_by
from arena.match.seats import Seat, fault
from arena.model.defaults import INDEPENDENT
from arena.player.faults import returned
from arena.player.prints import Prints
from arena.rng import drawn_below


def block_of(name: str) -> str:
    """Return the name of the games that have the luck of this one: its pair, or itself alone.

    >>> block_of("pig/monkey/hold/7/12.2"), block_of("pig/monkey/hold/7/independent/12.2")
    ('pig/monkey/hold/7/12', 'pig/monkey/hold/7/independent/12.2')
    """
    block, _, _ = name.rpartition(".")
    path, _, last = block.rpartition("/")[0].rpartition("/")
    is_alone = INDEPENDENT in (last, path.rpartition("/")[2] if last.startswith("@") else "")
    return name if is_alone else block or name


def play_unseen(
    position: Position,
    moves: list[int],
    limit: int,
    prints: Prints,
    seats: Sequence[Seat],
    block: str,
) -> GameRecord:
    """Play on from the position for this many moves at most. Note the moves as they are made."""
    events = 0
    for _ in range(limit):
        side = position.to_move
        if side == CHANCE:
            move = chance_move(position.chance_moves(), block, events)
            events += 1
            position = position.play(move)
        else:
            seat, observation = seats[side], position.observation(side)
            try:
                answer = seat.choose(observation, seat.rng)
            except BaseException as error:
                return fault(moves, side, error, seat.is_isolated)
            finally:
                if prints.is_due:
                    prints.take(side, len(moves))
            try:
                move = as_move(answer)
                if not observation.is_legal(move):
                    raise IllegalMove(f"{move} is not legal")
            except IllegalMove:
                return forfeit_by(
                    moves, side, "illegal", *returned(answer, observation, seat.function)
                )
            position = played(position, move)
        moves.append(move)
        outcome = position.outcome()
        if outcome is not None:
            payoffs = payoffs_of(position) if position.game.is_paid else None
            return GameRecord(tuple(moves), outcome, None, payoffs=payoffs)
    raise endless(position.game, position)


def played(position: Position, move: int) -> Position:
    """Return the position after a move that its observation lists. Raises GameFault otherwise."""
    try:
        return position.play(move)
    except IllegalMove:  # the observation lists a move that the position refuses
        refused(position, move)
        raise


@twin("loop.chance_move")
def chance_move(moves: Sequence[tuple[int, Fraction]], block: str, event: int) -> int:
    """Draw the move of a chance event, which has this number, from 0, among those of its game.

    Raises ValueError if the probabilities do not add up to 1.
    """
    name = f"{block}/luck/{event}"
    # In ints, for fractions take most of the time.
    shares = [(share.numerator, share.denominator) for _, share in moves]
    if shares.count((1, len(shares))) == len(shares) > 0:  # all equally likely, as mostly
        return moves[drawn_below(name, len(shares))][0]
    whole = lcm(*(denominator for _, denominator in shares))
    sums = list(accumulate(part * (whole // denominator) for part, denominator in shares))
    if sums[-1:] != [whole]:
        raise ValueError("the probabilities of chance do not add up to 1")
    drawn = drawn_below(name, whole)
    return next(move for (move, _), total in zip(moves, sums, strict=True) if drawn < total)
