"""Enumerate a player's moves position by position, and compare them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from arena.errors import CannotEnumerate, PlayerFault
from arena.features.check.questions import QuestionCounter, Questionnaire, TrialAnswer
from arena.features.check.watch import arm
from arena.game import Position
from arena.games.info_state import InfoState
from arena.player import MoveChances, PlayerInfo
from arena.player.faults import name_of
from arena.proof import progress
from arena.proof.branches import Branch
from arena.proof.distribution import (
    branch_of,
    declared_distribution,
    distribution,
    explore,
    find_branches,
    is_untraceable,
    moves_of,
)
from arena.sandbox.queries import MAX_QUESTIONS as AT_ONCE
from arena.sandbox.queries import Queries, Query, open_queries

#: Positions to check for symmetry in a game that is not asked at every position.
SYMMETRY_SAMPLE = 50

#: Questions for all draws at the positions of an exam, and then at images of positions: a player
#: that draws from many values is not asked for all of them everywhere.
MAX_DRAWN_QUESTIONS, MAX_AT_IMAGES = 40_000, 10_000

#: Questions that positions have in all when their draws are enumerated at the same time.
MAX_QUESTIONS_AT_ONCE = 4_000


@dataclass
class Enumeration:
    """The findings from enumerating a player's moves."""

    #: Why enumeration was impossible; empty if it was possible.
    reason: str = ""
    #: Number of enumerated positions, and whether these are all of the exam's.
    positions: int = 0
    is_whole: bool = True
    #: First position at which the player breaks the rules in some branch, and how.
    fault: tuple[str, TrialAnswer] | None = None
    #: First position at which the player has several moves.
    several: str = ""
    #: First position at which its declared distribution is not its own, and both.
    misdeclared: tuple[str, str] | None = None
    #: Positions that were compared with their images; the number that the player treats
    #: differently, and the first of these with that image.
    compared: int = 0
    asymmetric: int = 0
    example: tuple[str, str] | None = None


def enumerate_moves(exam: Questionnaire, note: QuestionCounter) -> Enumeration:
    """Enumerate a stateless player's moves at the positions that it is asked at."""
    enumeration = Enumeration()
    player = bounded(exam.player, exam.patience)
    distributions: dict[InfoState, MoveChances] = {}
    positions, seen = exam.positions, 0
    note.value = 0
    for position, moves in _distributions(player, positions, exam.patience, MAX_DRAWN_QUESTIONS):
        seen += 1
        progress.tell(seen, len(positions), "positions, with every draw")
        note.value = min(seen, len(positions) - 1)  # the next, for the process that is at it
        if isinstance(moves, PlayerFault):
            enumeration.fault = enumeration.fault or (str(position), _failed(position, moves))
            enumeration.reason = enumeration.reason or moves.reason
            continue
        if isinstance(moves, CannotEnumerate):
            enumeration.reason = moves.reason
            return enumeration
        distributions[position] = moves
        if len(moves) > 1:
            enumeration.several = enumeration.several or str(position)
        _compare_with_declared(player, position, moves, enumeration)
    enumeration.positions, enumeration.is_whole = len(distributions), seen == len(positions)
    if not enumeration.reason:
        _compare_images(exam, player, distributions, enumeration)
    return enumeration


def _distributions(
    player: PlayerInfo, positions: Sequence[InfoState], patience: float, most: int
) -> Iterator[tuple[InfoState, MoveChances | CannotEnumerate]]:
    """Yield positions with the player's moves there, or why these are not known.

    Stops after about ``most`` questions.
    """
    queries = open_queries(player, patience) if player.distribution is None else None
    start, size = 0, 1
    while start < len(positions) and most > 0:
        if queries is None:
            answers = [_branches(player, positions[start])]
        else:
            answers = _explore_all(queries, positions[start : start + size], most)
        for position, branches in zip(positions[start:], answers, strict=False):
            questions = 2 * len(branches) if isinstance(branches, list) else 1
            most -= questions
            size = min(
                max(MAX_QUESTIONS_AT_ONCE // questions, 1), AT_ONCE
            )  # the next have about as many branches
            yield position, moves_of(branches) if isinstance(branches, list) else branches
        start += len(answers) or len(positions)


def _branches(
    player: PlayerInfo, position: InfoState
) -> list[Branch] | MoveChances | CannotEnumerate:
    """Return the player's branches, the moves that it declares, or why these are not known."""
    try:
        if player.distribution is not None:
            return declared_distribution(player, position)
        return find_branches(player, position, twice=True)
    except CannotEnumerate as error:
        return error


def _failed(position: InfoState, fault: PlayerFault) -> TrialAnswer:
    text = fault.placed(str(position))
    return TrialAnswer("", text, fault.verdict, fault.remedy)


def _explore_all(
    queries: Queries, positions: Sequence[InfoState], most: int
) -> list[list[Branch] | MoveChances | CannotEnumerate]:
    """Return the player's branches at these positions: each message has one question for each.

    Returns fewer if not all are known after ``most`` questions.
    """
    explorations = [explore(twice=True, at_once=AT_ONCE, is_traced=True) for _ in positions]
    pending = {index: next(exploration) for index, exploration in enumerate(explorations)}
    traced = set(pending)
    results: dict[int, list[Branch] | MoveChances | CannotEnumerate] = {}
    while pending and most > 0:
        batch = [
            Query(positions[i], each.number, each.is_traced)
            for i, questions in pending.items()
            for each in questions
        ]
        most -= len(batch)
        answers = queries(batch, watch=False)
        for index, questions in list(pending.items()):
            replies = list(zip(questions, islice(answers, len(questions)), strict=True))
            try:
                branches = [branch_of(positions[index], q, a.move, a.draws) for q, a in replies]
                pending[index] = explorations[index].send(branches)
                continue
            except StopIteration as done:
                results[index] = done.value
            except CannotEnumerate as error:
                if index in traced and is_untraceable(error):
                    traced.remove(index)
                    explorations[index] = explore(twice=True, at_once=AT_ONCE)
                    pending[index] = next(explorations[index])
                    continue
                results[index] = error
            del pending[index]
    return [results[index] for index in range(min(pending, default=len(positions)))]


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
    player: PlayerInfo, position: InfoState, declared: MoveChances, enumeration: Enumeration
) -> None:
    """Note the first position at which the player's declared distribution is not its own."""
    if player.distribution is None or enumeration.misdeclared:
        return
    try:
        moves = distribution(replace(player, distribution=None), position)
    except CannotEnumerate:
        return  # the player may offer one for this reason
    if moves != declared:
        says, does = _text(position, declared), _text(position, moves)
        message = f"it declares {says} at {position}, but plays {does}"
        enumeration.misdeclared = str(position), message


def _text(position: InfoState, moves: MoveChances) -> str:
    return ", ".join(f"{position.game.format_move(move)}: {p}" for move, p in moves.items())


def _compare_images(
    exam: Questionnaire,
    player: PlayerInfo,
    moves_at: dict[InfoState, MoveChances],
    enumeration: Enumeration,
) -> None:
    board_positions = [position for position in moves_at if isinstance(position, Position)]
    positions = board_positions if exam.is_complete else board_positions[:SYMMETRY_SAMPLE]
    images = {position: list(position.images()) for position in positions}
    others = {image: None for some in images.values() for image, _ in some if image not in moves_at}
    answers = _distributions(player, list(others), exam.patience, MAX_AT_IMAGES)
    moves_at.update((image, moves) for image, moves in answers if isinstance(moves, Mapping))
    for position, some in images.items():
        if not some or any(image not in moves_at for image, _ in some):
            continue
        enumeration.compared += 1
        for image, where in some:
            moves = {where[move]: chance for move, chance in moves_at[position].items()}
            if moves_at[image] != moves:
                enumeration.asymmetric += 1
                enumeration.example = enumeration.example or (str(position), str(image))
                break
