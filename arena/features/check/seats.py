"""Check what games for more than two promise besides: their seats, and how one leaves."""

from __future__ import annotations

import random
from fractions import Fraction

from arena.errors import PositionError, describe
from arena.features.check.walk import PositionWalk, WalkPosition, require
from arena.game import CHANCE, Position
from arena.seats import MAX_SEATS

#: Positions from which each seat leaves.
MAX_LEFT = 200


def seats(walk: PositionWalk) -> None:
    """Require a number of seats that arena plays, each of which moves somewhere."""
    number = walk.game.seats
    bounds = f"seats is {number}: a game has 2 to {MAX_SEATS}"
    require(type(number) is int and 2 <= number <= MAX_SEATS, bounds)
    movers = {int(node.position.to_move) for node in walk.unfinished} - {CHANCE}
    still = sorted({*range(number)} - movers)
    idle = f"seat {still[0]} never moves: take it out of seats" if still else ""
    require(not still, idle)


def without(walk: PositionWalk) -> None:
    """Require that a game goes on to its end without a seat that leaves, or says that it cannot."""
    rng = random.Random(f"{walk.seed}/{walk.game.name}/without")
    unfinished = list(walk.unfinished)
    for node in rng.sample(unfinished, min(len(unfinished), MAX_LEFT)):
        for seat in range(walk.game.seats):
            rest = node.position.without(seat)
            if rest is not None:
                _require_end(walk, node, seat, rest, rng)


def _require_end(
    walk: PositionWalk, node: WalkPosition, seat: int, rest: Position, rng: random.Random
) -> None:
    """Play on at random, and require that the seat is left alone and the game ends and pays."""
    call, game = f"without({seat})", walk.game
    require(type(rest) is type(node.position), f"{call} is {rest!r}: return a position", node)
    _require_text(node, call, rest)
    for _ in range(game.max_plies):
        if rest.outcome() is not None:
            break
        mine = f"{call} leaves seat {seat} to move at {rest}: pass it over"
        require(rest.to_move != seat, mine, node)
        rest = rest.play(rng.choice(rest.legal_moves()))
    endless = f"the game goes on after max_plies, {game.max_plies}, when seat {seat} has left it"
    require(rest.outcome() is not None, endless, node)
    paid = rest.payoffs()
    least, most, _, total = game.payoffs
    seats = f"payoffs() is {paid} after {call}: return a tuple with a Fraction for each seat"
    whole = type(paid) is tuple and len(paid) == game.seats
    require(whole and all(type(share) is Fraction for share in paid or ()), seats, node)
    assert paid is not None
    in_range = all(least <= payoff <= most for payoff in paid)
    require(in_range, f"payoffs() is {paid} after {call}: game.payoffs has {least} to {most}", node)
    adds_up = total is None or sum(paid) == total
    require(adds_up, f"payoffs() adds up to {sum(paid)} after {call}, not to {total}", node)


def _require_text(node: WalkPosition, call: str, rest: Position) -> None:
    """Require that the text of a position without a seat leads back to it."""
    try:
        parsed = rest.game.parse(str(rest))
    except PositionError as error:
        parsed, problem = None, describe(error)
    else:
        problem = f"it is {parsed}"
    words = f"parse({str(rest)!r}) after {call}: {problem}; write the seats that left into the text"
    require(parsed == rest, words, node)
