"""Enumerate a player's moves position by position, and compare them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from arena.conformance.questions import AtPosition, Exam, Note
from arena.conformance.watch import arm
from arena.errors import CannotEnumerate, PlayerFault
from arena.game import Position
from arena.player import PlayerInfo
from arena.proof.branches import Branch
from arena.proof.distribution import branch_of, distribution, explore, moves_of, whole
from arena.sandbox.asking import MAX_QUESTIONS, Asking, asking

#: Positions to check for symmetry in a game that is not asked at every position.
SYMMETRY_SAMPLE = 50

Moves = Mapping[int, Fraction]


@dataclass
class Enumeration:
    """The findings from enumerating a player's moves."""

    #: Why enumeration was impossible; empty if it was possible.
    reason: str = ""
    #: Number of enumerated positions.
    positions: int = 0
    #: First position at which the player breaks the rules in some branch, and how.
    fault: tuple[str, str] | None = None
    #: First position at which the player has several moves.
    several: str = ""
    #: First position at which its declared distribution is not its own, and both.
    misdeclared: tuple[str, str] | None = None
    #: Positions that were compared with their images; the number that the player treats
    #: differently, and the first of these with that image.
    compared: int = 0
    asymmetric: int = 0
    example: tuple[str, str] | None = None


def enumerate_moves(exam: Exam, note: Note) -> Enumeration:
    """Enumerate a stateless player's moves at every position that it is asked at."""
    found = Enumeration()
    player = bounded(exam.player, exam.patience)
    known: dict[Position, Moves] = {}
    for position, moves in _distributions(exam, player, note):
        if isinstance(moves, PlayerFault):
            found.fault = found.fault or (str(position), moves.reason)
            found.reason = found.reason or moves.reason
            continue
        if isinstance(moves, CannotEnumerate):
            found.reason = moves.reason
            return found
        known[position] = moves
        if len(moves) > 1:
            found.several = found.several or str(position)
        _compare_with_declared(player, position, moves, found)
    found.positions = len(known)
    if not found.reason:
        _compare_images(exam, player, known, found)
    return found


def _distributions(
    exam: Exam, player: PlayerInfo, note: Note
) -> Iterator[tuple[Position, Moves | CannotEnumerate]]:
    """Yield the positions with the player's moves there, or why these are not known."""
    together = asking(player, exam.patience) if player.distribution is None else None
    if together is not None:
        positions = exam.positions
        for at in range(0, len(positions), MAX_QUESTIONS):
            note.value = at
            some = positions[at : at + MAX_QUESTIONS]
            yield from zip(some, _explored(together, some), strict=True)
        return
    for _, question in exam.numbered(note):
        if isinstance(question, AtPosition):
            try:
                yield question.position, distribution(player, question.position)
            except CannotEnumerate as error:
                yield question.position, error


def _explored(together: Asking, positions: Sequence[Position]) -> list[Moves | CannotEnumerate]:
    """Return the player's moves at these positions: each message has one question for each."""
    explorations = [explore(twice=True) for _ in positions]
    numbers = {at: next(exploration) for at, exploration in enumerate(explorations)}
    found: dict[int, Moves | CannotEnumerate] = {}
    while numbers:
        asked = list(numbers.items())
        answers = together([(positions[at], number) for at, number in asked], watch=False)
        for (at, number), answered in zip(asked, answers, strict=True):
            try:
                branch = branch_of(positions[at], number, answered.move, answered.draws)
                numbers[at] = explorations[at].send(branch)
                continue
            except StopIteration as done:
                found[at] = _moves(done.value)
            except CannotEnumerate as error:
                found[at] = error
            del numbers[at]
    return [found[at] for at in range(len(positions))]


def _moves(branches: list[Branch]) -> Moves | CannotEnumerate:
    try:
        return moves_of(whole(branches))
    except CannotEnumerate as error:
        return error


def bounded(player: PlayerInfo, patience: float) -> PlayerInfo:
    """Return the player with a time limit of ``patience`` seconds for every single call."""

    def limited(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            arm(patience)
            try:
                return function(*arguments)
            finally:
                arm(0)

        return call

    declared = player.distribution and limited(player.distribution)
    return replace(player, player=limited(player.player), distribution=declared, fresh=None)


def _compare_with_declared(
    player: PlayerInfo, position: Position, declared: Moves, found: Enumeration
) -> None:
    """Note the first position at which the player's declared distribution is not its own."""
    if player.distribution is None or found.misdeclared:
        return
    try:
        moves = distribution(replace(player, distribution=None), position)
    except CannotEnumerate:
        return  # the player may offer one for this reason
    if moves != declared:
        says, does = _text(position, declared), _text(position, moves)
        found.misdeclared = (str(position), f"it declares {says} at {position}, but plays {does}")


def _text(position: Position, moves: Moves) -> str:
    return ", ".join(f"{position.game.format_move(move)}: {p}" for move, p in moves.items())


def _compare_images(
    exam: Exam, player: PlayerInfo, known: Mapping[Position, Moves], found: Enumeration
) -> None:
    positions = exam.positions
    for position in positions if exam.is_complete else positions[:SYMMETRY_SAMPLE]:
        images = list(position.images())
        found.compared += bool(images)
        for image, where in images:
            moves = known[image] if image in known else distribution(player, image)
            if moves != {where[move]: chance for move, chance in known[position].items()}:
                found.asymmetric += 1
                found.example = found.example or (str(position), str(image))
                break
