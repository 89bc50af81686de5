"""Enumerate a player's moves position by position, and compare them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from arena.conformance.questions import AtPosition, Exam, Note
from arena.conformance.watch import arm
from arena.errors import CannotEnumerate, PlayerFault
from arena.faults import name_of
from arena.game import Position
from arena.player import PlayerInfo
from arena.proof.distribution import distribution

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
    for _, question in exam.numbered(note):
        if isinstance(question, AtPosition):
            try:
                moves = distribution(player, question.position)
            except PlayerFault as error:
                found.fault = found.fault or (str(question), error.placed(str(question)))
                found.reason = found.reason or error.reason
                continue
            except CannotEnumerate as error:
                found.reason = error.reason
                return found
            known[question.position] = moves
            if len(moves) > 1:
                found.several = found.several or str(question)
            _compare_with_declared(player, question.position, moves, found)
    found.positions = len(known)
    if not found.reason:
        _compare_images(exam, player, known, found)
    return found


def bounded(player: PlayerInfo, patience: float) -> PlayerInfo:
    """Return the player with a time limit of ``patience`` seconds for every single call."""

    def limited(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            arm(patience)
            try:
                return function(*arguments)
            finally:
                arm(0)

        call.__name__ = name_of(function)  # messages tell it
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
