"""Put what is known of moves into words, for terminals and pages alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from arena.features.play.hints import Hint
from arena.game import Position
from arena.proof.explaining import Proved, proved_worth

if TYPE_CHECKING:
    from arena.solver.values import Solver

#: Largest number of moves in a line.
MAX_MOVES_A_LINE = 20


def written(position: Position, moves: Sequence[int], most: int = MAX_MOVES_A_LINE) -> str:
    """Return the moves as people write them, the first ones if they are many."""
    more = f" and {len(moves) - most} more" if len(moves) > most > 1 else ""
    return " ".join(map(position.write_move, moves[:most])) + more


def grouped(position: Position, labels: Mapping[int, str]) -> Iterator[str]:
    """Yield a line for every label with the moves that have it."""
    groups: dict[str, list[int]] = {}
    for move, label in labels.items():
        groups.setdefault(label, []).append(move)
    return (f"{label}: {written(position, moves)}" for label, moves in groups.items())


def hinted(position: Position, hint: Hint) -> Iterator[str]:
    """Yield the moves by their value, the best first, and what minimax would play."""
    if any(value is not None for value in hint.values.values()):
        yield from grouped(position, {move: hint.words(move) for move in hint.values})
    if hint.advice is not None:
        yield f"minimax would play {written(position, hint.advice.moves)}: {hint.certainty()}"


def proved_lines(proved: Proved, solver: Solver, position: Position, hint: Hint) -> Iterator[str]:
    """Yield the moves that a certificate values, and what a solver says of those still open."""
    proved_texts = _worth_texts(position, position.legal_moves(), proved)
    lines = grouped(position, proved_texts) if proved_texts else iter(["nothing about these moves"])
    yield from (f"the certificate proves {line}" for line in lines)
    moves = [
        move for move, value in hint.values.items() if value is None and move not in proved_texts
    ]
    solver_texts = _worth_texts(position, moves, solver.value)
    yield from (f"the solver finds {line}" for line in grouped(position, solver_texts))
    rest = [move for move in moves if move not in solver_texts]
    if rest and solver.account:
        yield f"not known: {written(position, rest)}; {solver.account}"


def _worth_texts(position: Position, moves: Iterable[int], prove: Proved) -> dict[int, str]:
    """Return the worth of these moves that is told, as text."""
    worths = {move: proved_worth(position, move, prove) for move in moves}
    return {move: worth.text for move, worth in worths.items() if worth is not None}
