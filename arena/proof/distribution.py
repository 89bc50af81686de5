"""Find the exact distribution over a stateless player's moves in a position.

Arena asks the player for its move as a game does, once for each possible result of its draws, and
adds up the probabilities of these branches as fractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from arena.clock import now
from arena.errors import (
    CannotEnumerate,
    Forfeited,
    GameFault,
    IllegalMove,
    NoAnswer,
    OutOfBudget,
    PlayerFault,
    StoreError,
    Unusable,
    VoidGame,
    as_move,
    describe,
    is_stop,
    numeral,
)
from arena.game import Position
from arena.games.contract import accuse, retrace
from arena.games.info_state import InfoState, require_legal, seat_of
from arena.match.seats import Seat, sit
from arena.player import PlayerInfo
from arena.player.faults import FUNCTION, Fault, raised, returned
from arena.proof import progress
from arena.proof.branches import (
    Branch,
    DrawRanges,
    Range,
    require_followed,
    size_of,
    stream_number,
    values_of,
)
from arena.rng import GLOBAL_RANDOM, Draw, SeenPart, Stream, global_state
from arena.tracing import TracedStream, noted

#: Arena does not enumerate a player that needs more branches in one position.
MAX_BRANCHES = 10_000

#: The terminal shows the progress of a position that takes longer.
MIN_SHOWN_SECONDS = 1.0

DIFFERS = "it differs when it is run again with the same draws"


class MoveQuestion(NamedTuple):
    """A question for a player's move, with the number that begins its stream."""

    number: int
    #: Whether its draws are traced.
    is_traced: bool = False
    #: Whether its draws are those of a branch that is known.
    is_planned: bool = False


def require_stateless(player: PlayerInfo) -> None:
    """Raise CannotEnumerate if the player keeps state."""
    if not player.stateless:
        raise CannotEnumerate(f"{player.name} keeps state, so its moves do not have a distribution")


def distribution(player: PlayerInfo, position: InfoState) -> dict[int, Fraction]:
    """Return the probability of every move that the player may make, ascending by move.

    Takes the player's own ``distribution`` if it declares one, else enumerates. Raises
    CannotEnumerate if neither works: for a stateful player, a float that it uses otherwise than in
    comparisons, too many branches, different moves for the same draws, an exception, an illegal
    move, or probabilities that do not add up to one.
    """
    require_stateless(player)
    try:
        if player.distribution is not None:
            return declared_distribution(player, position)
        return moves_of(find_branches(player, position, twice=True, shows_progress=True))
    except CannotEnumerate as error:
        raise about(error, player, position) from error


def distributions(player: PlayerInfo, positions: Sequence[InfoState]) -> list[dict[int, Fraction]]:
    """Return the distribution at each position.

    It takes half the time of as many calls of :func:`distribution`, and raises as that does: the
    state of the global generator is large, and compared only once.
    """
    require_stateless(player)
    if player.distribution is not None:
        return [distribution(player, position) for position in positions]
    before, results = global_state(), []
    for position in positions:
        try:
            results.append(moves_of(_branches(player, position, twice=True, shows_progress=False)))
        except CannotEnumerate as error:
            raise about(error, player, position) from error
    if global_state() != before:
        for position in positions:
            distribution(player, position)  # which names the position
        raise CannotEnumerate(GLOBAL_RANDOM, player.name)
    return results


def about(error: CannotEnumerate, player: PlayerInfo, position: InfoState) -> CannotEnumerate:
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


def declared_distribution(player: PlayerInfo, position: InfoState) -> dict[int, Fraction]:
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
        sum_text = "/".join(parts).removesuffix("/1")
        raise PlayerFault(f"its distribution adds up to {sum_text}, or has negative parts")
    return {move: chances[move] for move in sorted(chances) if chances[move]}


def find_branches(
    player: PlayerInfo,
    position: InfoState,
    twice: bool,
    shows_progress: bool = False,
    is_traced: bool = True,
) -> list[Branch]:
    """Return every branch of the player's draws at the position.

    ``twice`` asks the player again for each branch. With ``shows_progress`` the terminal
    shows how far it is. ``is_traced`` lets values that the player only compares share a branch.
    Raises CannotEnumerate with the reason alone.
    """
    before = global_state()
    branches = _branches(player, position, twice, shows_progress, is_traced)
    if global_state() != before:
        raise CannotEnumerate(GLOBAL_RANDOM)
    return branches


def _branches(
    player: PlayerInfo,
    position: InfoState,
    twice: bool,
    shows_progress: bool,
    is_traced: bool = True,
) -> list[Branch]:
    """Return the branches. The caller watches the global generator.

    What cannot be traced is asked for value by value: the code of a player may need a true int.
    """
    if is_traced:
        try:
            return _explored(player, position, twice, shows_progress, is_traced=True)
        except CannotEnumerate as error:
            if not is_untraceable(error):
                raise
    return _explored(player, position, twice, shows_progress, is_traced=False)


def _explored(
    player: PlayerInfo, position: InfoState, twice: bool, shows_progress: bool, is_traced: bool
) -> list[Branch]:
    exploration = explore(twice, is_traced=is_traced)
    questions, answers, began_at = next(exploration), 0, now()
    while True:
        # A quick position would hide how many positions the caller has seen.
        if shows_progress and now() - began_at > MIN_SHOWN_SECONDS:
            progress.tell(answers, MAX_BRANCHES * (1 + twice), "answers", "at most")
        answers += len(questions)
        try:
            questions = exploration.send([_ask(player, position, each) for each in questions])
        except StopIteration as done:
            branches: list[Branch] = done.value
            return branches


def explore(
    twice: bool, at_once: int = 1, is_traced: bool = False
) -> Generator[list[MoveQuestion], list[Branch], list[Branch]]:
    """Ask once for every branch: each answer shows the draws at which others fork off.

    Yields this many questions, takes the branches that the player answers with, and returns all
    branches. ``twice`` asks again for each, without tracing. Raises CannotEnumerate.
    """
    complete: list[Branch] = []
    waiting: list[DrawRanges] = [()]
    while waiting:
        paths = [waiting.pop() for _ in range(min(at_once, len(waiting)))]
        answers = yield [MoveQuestion(_number_in(path), is_traced) for path in paths]
        branches = list(map(_within, answers, paths))
        for path, branch in zip(paths, branches, strict=True):
            waiting += _forks(path, branch)
        if len(waiting) > MAX_BRANCHES or len(complete) + len(branches) > MAX_BRANCHES:
            raise CannotEnumerate(f"it has more than {MAX_BRANCHES} branches")
        if twice:
            repetitions = yield [
                MoveQuestion(_number_of(branch), is_planned=True) for branch in branches
            ]
            if not all(map(_is_repeated, branches, repetitions)):
                raise CannotEnumerate(DIFFERS)
        complete += branches
    times = Counter(branch.chance for branch in complete)
    if sum(chance * number for chance, number in times.items()) != 1:
        raise CannotEnumerate(DIFFERS)
    return complete


def _is_repeated(branch: Branch, repetition: Branch) -> bool:
    """Return whether a player that was asked again has drawn and moved as before."""
    return (branch.move, branch.plain_draws) == (repetition.move, repetition.plain_draws)


def _within(branch: Branch, path: DrawRanges) -> Branch:
    """Return the part of a branch that lies within the path on which the player was asked.

    A player may use a value in one branch that it only compares, or never looks at, in another. So
    a path can have single values where the branch has a range. Raises CannotEnumerate if nothing of
    the branch lies there, or if the player drew otherwise.
    """
    draws = list(branch.draws)
    if len(draws) < len(path):
        raise CannotEnumerate(DIFFERS)
    for index, (seen, whole) in enumerate(zip(branch.path, path, strict=False)):
        low, high = max(seen.low, whole.low), min(seen.high, whole.high)
        if seen.draw != whole.draw or low >= high:
            raise CannotEnumerate(DIFFERS)
        part = draws[index]
        if isinstance(part, SeenPart):
            draws[index] = part._replace(low=low, high=high)
    return branch._replace(draws=tuple(draws))


def _forks(path: DrawRanges, branch: Branch) -> Iterator[DrawRanges]:
    """Yield the other paths within a path: together with the branch they are all of it.

    The draws of a path are those of an earlier branch up to where it forks off. So for values that
    the branch has not seen at one of them, the later ones of the path still follow.
    """
    seen = branch.path
    for index, values in enumerate(seen):
        whole = path[index] if index < len(path) else _all_values(values.draw)
        is_used = values.draw == branch.draws[index]
        for others in whole.without(values, is_used):
            yield (*seen[:index], others, *path[index + 1 :])


def _all_values(draw: Draw) -> Range:
    size = size_of(draw) if isinstance(draw, int) else len(draw)
    return Range(draw, 0, size)


def _number_in(path: DrawRanges) -> int:
    """Return a number that begins a stream with draws along a path."""
    return stream_number((values.draw, values.a_value()) for values in path)


def _number_of(branch: Branch) -> int:
    return stream_number(zip(branch.draws, branch.values, strict=True))


def branch_of(
    position: InfoState, question: MoveQuestion, move: int | Forfeited, draws: Sequence[Draw]
) -> Branch:
    """Return the branch that an answer to a question is. Raises as ask_seat."""
    for draw in () if question.is_planned else draws:
        require_followed(draw)
    if isinstance(move, Forfeited):
        raise fault_of(move)
    return Branch(tuple(draws), values_of(question.number, draws), check_legal(position, move))


def is_untraceable(error: CannotEnumerate) -> bool:
    """Return whether a player may be enumerated value by value, for its code needs a true int."""
    return error.reason != DIFFERS and not isinstance(error, NoAnswer)


def is_repeated(player: PlayerInfo, position: InfoState, branch: Branch) -> bool:
    """Ask the player once more with the draws of a branch. Return whether it does the same."""
    return _is_repeated(
        branch, _ask(player, position, MoveQuestion(_number_of(branch), is_planned=True))
    )


#: Unused streams, those that trace and the others: to make one takes as long as to ask.
_idle: dict[bool, list[Stream]] = {False: [], True: []}


def _ask(player: PlayerInfo, position: InfoState, question: MoveQuestion) -> Branch:
    idle = _idle[question.is_traced]
    kind = TracedStream if question.is_traced else Stream
    stream = idle.pop() if idle else kind()
    stream.begin(question.number)
    try:
        seat = sit(player, position.game, seat_of(position), stream, fresh=False)
    except BaseException as error:
        raise fault_of(error) from error
    move, draws = ask_seat(seat, position, question.is_planned)
    idle.append(stream)  # while it was in use, a player that asks another one got another stream
    return Branch(draws, values_of(question.number, draws), move)


def ask_seat(
    seat: Seat, position: InfoState, is_planned: bool = False
) -> tuple[int, tuple[Draw, ...]]:
    """Return the player's move, and its draws for it.

    Raises PlayerFault if the player raises or its move is not legal, and GameFault if the game is
    at fault. Raises CannotEnumerate if arena cannot follow a draw: a fault after such a draw cannot
    be reproduced. With ``is_planned`` arena knows the draws, and need not follow them.
    """
    before = len(seat.rng.draws)
    try:
        answer = seat.choose(position, seat.rng)
    except BaseException as error:
        if not is_stop(error):
            accuse(error)  # a fault of the game is not the player's
            _retrace(position)
        fault = fault_of(error)
        if isinstance(fault, PlayerFault):
            _drawn_since(seat, before, is_planned)
        raise fault from error
    _drawn_since(seat, before, is_planned)
    move = check_legal(position, answer, seat.function)
    # Once more: a traced number is used when it becomes a move.
    return move, _drawn_since(seat, before, is_planned)


def _drawn_since(seat: Seat, before: int, is_planned: bool) -> tuple[Draw, ...]:
    """Return the draws after the first ``before``.

    Raises CannotEnumerate if one cannot be followed and the draws are not planned.
    """
    try:
        draws = tuple(noted(seat.rng.draws[before:]))
        for draw in () if is_planned else draws:
            require_followed(draw)
    except (AttributeError, TypeError, ValueError) as error:  # a player may have changed it
        raise CannotEnumerate("it changes the generator it is given") from error
    return draws


#: The exceptions with which no player breaks its contract.
_NO_FAULTS = (CannotEnumerate, GameFault, OutOfBudget, StoreError, Unusable, VoidGame)


def fault_of(error: BaseException) -> BaseException:
    """Return the fault behind an exception of the code of a player. Ctrl-C passes through."""
    kind = type(error)  # isinstance() would ask a foreign exception for its __class__
    if issubclass(kind, _NO_FAULTS) or is_stop(error):
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
    error.remedy, error.verdict = fault.remedy, reason
    return error


def check_legal(position: InfoState, answer: Any, function: str = FUNCTION) -> int:
    """Return the player's answer as a move. Raises PlayerFault if it is not a legal one.

    ``function`` names the function that returned it.
    """
    try:
        move = as_move(answer)
        require_legal(position, move)
    except IllegalMove as error:
        _retrace(position)
        raise _fault("illegal", returned(answer, position, function)) from error
    return move


def _retrace(info_state: InfoState) -> None:
    """Raise GameFault if the position of a question breaks the contract."""
    if isinstance(info_state, Position):
        retrace(info_state.game, info_state, ())
