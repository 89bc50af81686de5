"""Check what a game's positions say together: symmetries, possible winners, moves to search."""

from __future__ import annotations

import random
from collections.abc import Mapping

from arena.features.check.walk import ContractBreach, PositionWalk, WalkPosition
from arena.game import Outcome, Position, Side

#: The seed of games that are played out, and the most of them.
PLAYED_OUT_SEED, MAX_PLAYED_OUT = 1, 200


def symmetries(walk: PositionWalk) -> None:
    """Require that images have each other's moves and one canonical()."""
    for node in walk.sample:
        position = node.position
        orbit = {position, *(image for image, _ in position.images())}
        canonical = position.canonical()
        if canonical not in orbit:
            raise ContractBreach(
                f"canonical() is {canonical}: return one of images(), or the position", node.line
            )
        for image, where in position.images():
            if image.canonical() != canonical:
                raise ContractBreach(
                    f"its image {image} has another canonical(): return one for all images",
                    node.line,
                )
            if {image, *(second for second, _ in image.images())} != orbit:
                raise ContractBreach(
                    f"its image {image} has other images: yield every symmetry of the game",
                    node.line,
                )
            if (image.to_move, image.outcome()) != (position.to_move, position.outcome()):
                raise ContractBreach(
                    f"its image {image} has another turn or outcome: it is not an image", node.line
                )
            _require_moves(node, image, where)


def _require_moves(node: WalkPosition, image: Position, where: object) -> None:
    """Require that a move and its image lead to a position and its image."""
    position = node.position
    assert hasattr(where, "__getitem__")
    moves = {move: where[move] for move in position.legal_moves()}
    if sorted(moves.values()) != list(image.legal_moves()):
        problem = f"its moves go to {sorted(moves.values())}, but its image {image} has others:"
        raise ContractBreach(f"{problem} where[move] must be the move's image", node.line)
    for move, image_move in moves.items():
        after, other = position.play(move), image.play(image_move)
        if after.canonical() != other.canonical():
            message = f"move {move} does not lead to the image of move {image_move} at {image}"
            raise ContractBreach(message, node.line)


def can_win(walk: PositionWalk) -> None:
    """Require that a side that cannot win does not."""
    winners = _winners(walk)
    for node in walk.nodes:
        for side in winners[node.position]:
            if not node.position.can_win(side):
                raise ContractBreach(
                    f"can_win({side.name}) is False, but it wins later: return True if unsure",
                    node.line,
                )


def play_out(walk: PositionWalk) -> None:
    """Require that random games end as games can end."""
    winners, rng = _winners(walk), random.Random(PLAYED_OUT_SEED)
    for node in walk.sample[:: -(-len(walk.sample) // MAX_PLAYED_OUT)]:
        outcome = node.position.play_out(rng)
        if type(outcome) is not Outcome:
            raise ContractBreach(f"play_out() is {outcome!r}: return an arena.Outcome", node.line)
        over = node.position.outcome()
        if over not in (None, outcome):
            raise ContractBreach(
                f"play_out() is {outcome}, but the game is over: {over}", node.line
            )
        winner = outcome.winner
        if walk.is_complete and winner is not None and winner not in winners[node.position]:
            raise ContractBreach(
                f"play_out() says that {winner.name} wins, which it cannot", node.line
            )


def is_dead_draw(walk: PositionWalk) -> None:
    """Require that a side does not win after a dead draw."""
    winners = _winners(walk)
    for node in walk.unfinished:
        if winners[node.position] and node.position.is_dead_draw():
            side = min(winners[node.position])
            raise ContractBreach(
                f"is_dead_draw() is True, but {side.name} can win: return False if unsure",
                node.line,
            )


def plies_to_win(walk: PositionWalk) -> None:
    """Require that a side does not win sooner than it is said to."""
    winners = _winners(walk)
    for node in walk.unfinished:
        position = node.position
        for side, plies in winners[position].items():
            promised = position.plies_to_win(side)
            if promised > plies and position.can_win(side):
                message = f"plies_to_win({side.name}) is {promised}, but it wins in {plies}:"
                raise ContractBreach(f"{message} never return too many", node.line)


def _winners(walk: PositionWalk) -> dict[Position, dict[Side, int]]:
    """Return the sides that win in some walked continuation, each with the fewest plies."""
    winners: dict[Position, dict[Side, int]] = {}
    for node in reversed(walk.nodes):
        outcome = node.position.outcome()
        sides: dict[Side, int] = {}
        if outcome is not None and outcome.winner is not None:
            sides[outcome.winner] = 0
        for move in node.position.legal_moves():
            for side, plies in winners.get(node.position.play(move), {}).items():
                sides[side] = min(plies + 1, sides.get(side, plies + 1))
        winners[node.position] = sides
    return winners


def search_moves(walk: PositionWalk) -> None:
    """Require that they are legal moves, one of the best among them."""
    values = _values(walk) if walk.is_complete else {}
    for node in walk.unfinished:
        position, legal = node.position, node.position.legal_moves()
        moves = position.search_moves()
        if not moves or len(set(moves)) < len(moves) or not set(moves) <= set(legal):
            problem = (
                f"search_moves() is {moves}: return some of the legal moves {legal}, each once"
            )
            raise ContractBreach(problem, node.line)
        if values:
            best, offered = (
                max(_worth(values, position, move) for move in some) for some in (legal, moves)
            )
            if offered < best:
                raise ContractBreach(
                    f"search_moves() {moves} do not have one of the best moves", node.line
                )


def _worth(values: Mapping[Position, int], position: Position, move: int) -> int:
    """Return the value of the position after a move to the side that makes it."""
    after = position.play(move)
    return values[after] if after.to_move == position.to_move else -values[after]


def _values(walk: PositionWalk) -> dict[Position, int]:
    """Return values as in :mod:`arena.games.search`: more for a sooner win, negative for a loss."""
    values: dict[Position, int] = {}
    for node in reversed(walk.nodes):
        position, plies = node.position, walk.game.max_plies - len(node.line)
        outcome = position.outcome()
        if outcome is None:
            moves = position.legal_moves()
            values[position] = max(_worth(values, position, move) for move in moves)
        elif outcome.winner is None:
            values[position] = 0
        else:
            values[position] = plies + 1 if outcome.winner == position.to_move else -plies - 1
    return values
