"""Find the exact distribution over a stateless player's moves in a position.

Arena asks the player for its move as a game does, once for each possible result of its draws, and
adds up the probabilities of these branches as fractions.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from fractions import Fraction
from typing import Any

from arena.errors import (
    CannotEnumerate,
    Forfeited,
    GameFault,
    IllegalMove,
    NoAnswer,
    PlayerFault,
    VoidGame,
    as_move,
    describe,
    is_stop,
    numeral,
)
from arena.game import Position
from arena.games.contract import accuse, retrace
from arena.match import Seat, sit
from arena.player import PlayerInfo
from arena.player.faults import FUNCTION, Fault, raised, returned
from arena.proof import progress
from arena.proof.branches import Branch, chances_of, stream_number, values_of
from arena.rng import GLOBAL_RANDOM, Draw, Stream

#: Arena does not enumerate a player that needs more branches in one position.
MAX_BRANCHES = 10_000

DIFFERS = "it differs when it is run again with the same draws"

#: Draws and their values, from the first on.
Path = tuple[tuple[Draw, int], ...]


def require_stateless(player: PlayerInfo) -> None:
    """Raise CannotEnumerate if the player keeps state."""
    if not player.stateless:
        raise CannotEnumerate(f"{player.name} keeps state, so its moves do not have a distribution")


def distribution(player: PlayerInfo, position: Position) -> dict[int, Fraction]:
    """Return the probability of every move that the player may make, ascending by move.

    Takes the player's own ``distribution`` if it declares one, else enumerates. Raises
    CannotEnumerate if neither works: for a stateful player, a drawn float, too many branches,
    different moves for the same draws, an exception, an illegal move, or probabilities that do not
    add up to one.
    """
    require_stateless(player)
    try:
        if player.distribution is not None:
            return declared_distribution(player, position)
        return moves_of(find_branches(player, position, twice=True, shows_progress=True))
    except CannotEnumerate as error:
        raise about(error, player, position) from error


def distributions(player: PlayerInfo, positions: Sequence[Position]) -> list[dict[int, Fraction]]:
    """Return the distribution at each position.

    It takes half the time of as many calls of :func:`distribution`, and raises as that does: the
    state of the global generator is large, and compared only once.
    """
    require_stateless(player)
    if player.distribution is not None:
        return [distribution(player, position) for position in positions]
    before, results = random.getstate(), []
    for position in positions:
        try:
            results.append(moves_of(_branches(player, position, twice=True, shows_progress=False)))
        except CannotEnumerate as error:
            raise about(error, player, position) from error
    if random.getstate() != before:
        for position in positions:
            distribution(player, position)  # which names the position
        raise CannotEnumerate(GLOBAL_RANDOM, player.name)
    return results


def about(error: CannotEnumerate, player: PlayerInfo, position: Position) -> CannotEnumerate:
    """Return the error with the player and the position."""
    placed = type(error)(error.reason, player.name, str(position))
    if isinstance(error, PlayerFault) and isinstance(placed, PlayerFault):
        placed.remedy = error.remedy
    return placed


def moves_of(branches: Sequence[Branch]) -> dict[int, Fraction]:
    """Return the probability of every move of these branches, ascending by move."""
    chances: dict[int, Fraction] = {}
    for branch in sorted(branches, key=lambda branch: branch.move):
        before = chances.get(branch.move)
        chances[branch.move] = branch.chance if before is None else before + branch.chance
    return chances


def declared_distribution(player: PlayerInfo, position: Position) -> dict[int, Fraction]:
    """Return the probabilities that the player itself declares, ascending by move.

    Raises PlayerFault if they are not those of legal moves, or do not add up to one.
    """
    assert player.distribution is not None
    try:
        chances = {move: Fraction(p) for move, p in player.distribution(position).items()}
    except CannotEnumerate:
        raise
    except BaseException as error:
        if is_stop(error):
            raise
        raise PlayerFault(f"its distribution raises {describe(error)}") from error
    for move in chances:
        check_legal(position, move, "distribution")
    total = sum(chances.values(), Fraction(0))
    if total != 1 or min(chances.values()) < 0:
        parts = (numeral(total.numerator), numeral(total.denominator))
        shown = "/".join(parts).removesuffix("/1")
        raise PlayerFault(f"its distribution adds up to {shown}, or has negative parts")
    return {move: chances[move] for move in sorted(chances) if chances[move]}


def find_branches(
    player: PlayerInfo, position: Position, twice: bool, shows_progress: bool = False
) -> list[Branch]:
    """Return every branch of the player's draws at the position.

    ``twice`` asks the player again for each branch. With ``shows_progress`` the terminal
    shows how far it is. Raises CannotEnumerate with the reason alone.
    """
    before = random.getstate()
    branches = _branches(player, position, twice, shows_progress)
    if random.getstate() != before:
        raise CannotEnumerate(GLOBAL_RANDOM)
    return branches


def _branches(
    player: PlayerInfo, position: Position, twice: bool, shows_progress: bool
) -> list[Branch]:
    """Return the branches. The caller watches the global generator."""
    exploration = explore(twice)
    numbers, answers = next(exploration), 0
    while True:
        if shows_progress:
            progress.tell(answers, MAX_BRANCHES * (1 + twice), "answers", "at most")
        answers += len(numbers)
        try:
            numbers = exploration.send([_ask(player, position, number) for number in numbers])
        except StopIteration as done:
            branches: list[Branch] = done.value
            return branches


def explore(twice: bool, at_once: int = 1) -> Generator[list[int], list[Branch], list[Branch]]:
    """Ask once for every branch: each answer shows the draws at which others fork off.

    Yields the numbers of the streams for this many questions, takes the branches that the player
    answers with, and returns all branches. ``twice`` asks again for each. Raises CannotEnumerate.
    """
    complete: list[Branch] = []
    waiting: list[Path] = [()]
    while waiting:
        paths = [waiting.pop() for _ in range(min(at_once, len(waiting)))]
        branches = yield [stream_number(path) for path in paths]
        for path, branch in zip(paths, branches, strict=True):
            waiting += _forks(path, branch)
        if len(waiting) > MAX_BRANCHES or len(complete) + len(branches) > MAX_BRANCHES:
            raise CannotEnumerate(f"it has more than {MAX_BRANCHES} branches")
        if twice and (yield list(map(_number_of, branches))) != branches:
            raise CannotEnumerate(DIFFERS)
        complete += branches
    times = Counter(branch.chance for branch in complete)
    if sum(chance * number for chance, number in times.items()) != 1:
        raise CannotEnumerate(DIFFERS)
    return complete


def _forks(path: Path, branch: Branch) -> Iterator[Path]:
    """Yield the other paths that fork off from a branch after its own path."""
    drawn = tuple(zip(branch.draws, branch.values, strict=True))
    if drawn[: len(path)] != path:
        raise CannotEnumerate(DIFFERS)
    for index in range(len(path), len(drawn)):
        draw, drawn_value = drawn[index]
        chances = chances_of(draw)
        others = (v for v, chance in enumerate(chances) if chance and v != drawn_value)
        yield from ((*drawn[:index], (draw, value)) for value in others)


def _number_of(branch: Branch) -> int:
    return stream_number(zip(branch.draws, branch.values, strict=True))


def branch_of(
    position: Position, number: int, move: int | Forfeited, draws: Sequence[Draw]
) -> Branch:
    """Return the branch that an answer with the stream of that number is. Raises as ask_seat."""
    for draw in draws:
        chances_of(draw)
    if isinstance(move, Forfeited):
        raise fault_of(move)
    return Branch(tuple(draws), values_of(number, draws), check_legal(position, move))


def ask_again(player: PlayerInfo, position: Position, branch: Branch) -> Branch:
    """Ask the player once more, with the draws of a branch."""
    return _ask(player, position, _number_of(branch))


def _ask(player: PlayerInfo, position: Position, number: int) -> Branch:
    stream = Stream()
    stream.begin(number)
    try:
        seat = sit(player, position.game, position.to_move, stream, fresh=False)
    except BaseException as error:
        raise fault_of(error) from error
    move, draws = ask_seat(seat, position)
    return Branch(draws, values_of(number, draws), move)


def ask_seat(seat: Seat, position: Position) -> tuple[int, tuple[Draw, ...]]:
    """Return the player's move, and its draws for it.

    Raises PlayerFault if the player raises or its move is not legal, and GameFault if the game is
    at fault. Raises CannotEnumerate if arena cannot follow a draw: a fault after such a draw cannot
    be reproduced.
    """
    before = len(seat.rng.draws)
    try:
        answer = seat.choose(position, seat.rng)
    except BaseException as error:
        if not is_stop(error):
            accuse(error)  # a fault of the game is not the player's
            retrace(position.game, position, ())
        fault = fault_of(error)
        if isinstance(fault, PlayerFault):
            _drawn_since(seat, before)
        raise fault from error
    draws = _drawn_since(seat, before)
    return check_legal(position, answer, seat.function), draws


def _drawn_since(seat: Seat, before: int) -> tuple[Draw, ...]:
    """Return the draws after the first ``before``. Raises CannotEnumerate if one cannot be
    followed.
    """
    try:
        draws = tuple(seat.rng.draws[before:])
        for draw in draws:
            chances_of(draw)
    except (AttributeError, TypeError, ValueError) as error:  # a player may have changed it
        raise CannotEnumerate("it changes the generator it is given") from error
    return draws


def fault_of(error: BaseException) -> BaseException:
    """Return the fault behind an exception of the code of a player. Ctrl-C passes through."""
    kind = type(error)  # isinstance() would ask a foreign exception for its __class__
    if issubclass(kind, (CannotEnumerate, GameFault, VoidGame)) or is_stop(error):
        return error
    if issubclass(kind, Forfeited) and isinstance(error, Forfeited):
        if error.reason == "timeout":
            return NoAnswer(str(error))
        return _fault(error.reason, Fault(str(error), error.where, error.remedy))
    return _fault("exception", raised(error))


def _fault(reason: str, fault: Fault) -> PlayerFault:
    """Return the fault of a player as an exception whose text is a sentence."""
    problem = fault.placed
    if reason == "exception":
        problem = f"it raises {problem}"
    error = PlayerFault(f"it {problem}" if problem.startswith("answered") else problem)
    error.remedy = fault.remedy
    return error


def check_legal(position: Position, answer: Any, function: str = FUNCTION) -> int:
    """Return the player's answer as a move. Raises PlayerFault if it is not a legal one.

    ``function`` names the function that returned it.
    """
    try:
        move = as_move(answer)
        position.play(move)
    except IllegalMove as error:
        retrace(position.game, position, ())
        raise _fault("illegal", returned(answer, position, function)) from error
    return move
