"""Enumerate a player's moves position by position, and compare them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import Any

from arena.errors import CannotEnumerate, PlayerFault
from arena.features.check.questions import Exam, Note
from arena.features.check.watch import arm
from arena.game import Position
from arena.player import PlayerInfo
from arena.player.faults import name_of
from arena.proof import progress
from arena.proof.branches import Branch
from arena.proof.distribution import (
    branch_of,
    declared_distribution,
    distribution,
    explore,
    find_branches,
    moves_of,
)
from arena.sandbox.asking import MAX_QUESTIONS as AT_ONCE
from arena.sandbox.asking import Asking, asking

#: Positions to check for symmetry in a game that is not asked at every position.
SYMMETRY_SAMPLE = 50

#: Questions for all draws at the positions of an exam, and then at images of positions: a player
#: that draws from many values is not asked for all of them everywhere.
MAX_DRAWN_QUESTIONS, MAX_AT_IMAGES = 40_000, 10_000

#: Questions that positions have in all when their draws are enumerated at the same time.
MAX_QUESTIONS_AT_ONCE = 4_000

Moves = Mapping[int, Fraction]


@dataclass
class Enumeration:
    """The findings from enumerating a player's moves."""

    #: Why enumeration was impossible; empty if it was possible.
    reason: str = ""
    #: Number of enumerated positions, and whether these are all of the exam's.
    positions: int = 0
    is_whole: bool = True
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
    """Enumerate a stateless player's moves at the positions that it is asked at."""
    found = Enumeration()
    player = bounded(exam.player, exam.patience)
    known: dict[Position, Moves] = {}
    positions, seen = exam.positions, 0
    note.value = 0
    for position, moves in _distributions(player, positions, exam.patience, MAX_DRAWN_QUESTIONS):
        seen += 1
        progress.tell(seen, len(positions), "positions, with every draw")
        note.value = min(seen, len(positions) - 1)  # the next, for the process that is at it
        if isinstance(moves, PlayerFault):
            found.fault = found.fault or (str(position), moves.placed(str(position)))
            found.reason = found.reason or moves.reason
            continue
        if isinstance(moves, CannotEnumerate):
            found.reason = moves.reason
            return found
        known[position] = moves
        if len(moves) > 1:
            found.several = found.several or str(position)
        _compare_with_declared(player, position, moves, found)
    found.positions, found.is_whole = len(known), seen == len(positions)
    if not found.reason:
        _compare_images(exam, player, known, found)
    return found


def _distributions(
    player: PlayerInfo, positions: Sequence[Position], patience: float, most: int
) -> Iterator[tuple[Position, Moves | CannotEnumerate]]:
    """Yield positions with the player's moves there, or why these are not known.

    Stops after about ``most`` questions.
    """
    together = asking(player, patience) if player.distribution is None else None
    at, size = 0, 1
    while at < len(positions) and most > 0:
        if together is None:
            found = [_found_here(player, positions[at])]
        else:
            found = _explored(together, positions[at : at + size], most)
        for position, branches in zip(positions[at:], found, strict=False):
            asked = 2 * len(branches) if isinstance(branches, list) else 1
            most -= asked
            size = min(
                max(MAX_QUESTIONS_AT_ONCE // asked, 1), AT_ONCE
            )  # the next have about as many branches
            yield position, moves_of(branches) if isinstance(branches, list) else branches
        at += len(found) or len(positions)


def _found_here(player: PlayerInfo, position: Position) -> list[Branch] | Moves | CannotEnumerate:
    """Return the player's branches, the moves that it declares, or why these are not known."""
    try:
        if player.distribution is not None:
            return declared_distribution(player, position)
        return find_branches(player, position, twice=True)
    except CannotEnumerate as error:
        return error


def _explored(
    together: Asking, positions: Sequence[Position], most: int
) -> list[list[Branch] | Moves | CannotEnumerate]:
    """Return the player's branches at these positions: each message has one question for each.

    Returns fewer if not all are known after ``most`` questions.
    """
    explorations = [explore(twice=True, at_once=AT_ONCE) for _ in positions]
    numbers = {at: next(exploration) for at, exploration in enumerate(explorations)}
    found: dict[int, list[Branch] | Moves | CannotEnumerate] = {}
    while numbers and most > 0:
        asked = [(positions[at], number) for at, some in numbers.items() for number in some]
        most -= len(asked)
        answers = together(asked, watch=False)
        for at, some in list(numbers.items()):
            given = list(zip(some, islice(answers, len(some)), strict=True))
            try:
                branches = [branch_of(positions[at], n, a.move, a.draws) for n, a in given]
                numbers[at] = explorations[at].send(branches)
                continue
            except StopIteration as done:
                found[at] = done.value
            except CannotEnumerate as error:
                found[at] = error
            del numbers[at]
    return [found[at] for at in range(min(numbers, default=len(positions)))]


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
    exam: Exam, player: PlayerInfo, known: dict[Position, Moves], found: Enumeration
) -> None:
    positions = list(known) if exam.is_complete else list(known)[:SYMMETRY_SAMPLE]
    images = {position: list(position.images()) for position in positions}
    others = {image: None for some in images.values() for image, _ in some if image not in known}
    asked = _distributions(player, list(others), exam.patience, MAX_AT_IMAGES)
    known.update((image, moves) for image, moves in asked if isinstance(moves, Mapping))
    for position, some in images.items():
        if not some or any(image not in known for image, _ in some):
            continue
        found.compared += 1
        for image, where in some:
            moves = {where[move]: chance for move, chance in known[position].items()}
            if known[image] != moves:
                found.asymmetric += 1
                found.example = found.example or (str(position), str(image))
                break
