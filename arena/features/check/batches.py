"""Check ``choose_batch``: the same moves in any company, and the distribution of ``choose``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, cast

from arena.clock import now
from arena.errors import CannotEnumerate
from arena.features.check import judge
from arena.features.check.questions import QuestionCounter, Questionnaire
from arena.features.check.recipes import recipe_to_check, recipe_to_move
from arena.features.check.record import Finding, Level
from arena.features.check.trials import TrialEnd, trial
from arena.fights.lockstep import PositionList
from arena.game import Position
from arena.games.boards import Boards, has_boards
from arena.player.batches import BLOCK, BatchMoves, Draws, Failure, ask, ask_alone
from arena.proof.distribution import distribution
from arena.rng import named_stream
from arena.stats.chisquare import chi_square_sf
from arena.stats.goodness import MIN_EXPECTED

#: Positions that are asked in company and alone: the last block of them is filled up.
ASKED_POSITIONS = BLOCK + 44

#: Positions at which moves are drawn again and again, and how often by blocks.
DRAWN_POSITIONS = 8
BLOCKS = 4

#: A smaller probability of the moves counts as another distribution.
ALPHA = 1e-6

_LEGAL, _COMPANY, _SAME = "batch: legal", "batch: company", "batch: moves"


def check_batch(exam: Questionnaire, timed: bool) -> list[Finding]:
    """Return the findings about what a player offers besides ``choose``."""
    if not exam.positions:
        return []
    findings = trial(partial(_findings, exam, timed))
    return [judge.ended(exam, findings, "batch")] if isinstance(findings, TrialEnd) else findings


def _findings(exam: Questionnaire, timed: bool, _note: QuestionCounter) -> list[Finding]:
    step = max(1, len(exam.positions) // ASKED_POSITIONS)
    positions = cast("list[Position]", exam.positions[::step][:ASKED_POSITIONS])
    many = _many(exam, positions)
    draws = Draws(f"{exam.seed}/check", 0, len(positions))
    alone = [_alone(exam, many, draws, index) for index in range(len(positions))]
    findings = [_legal(exam, positions, alone)]
    if findings[0].level == Level.PASS:
        findings += [_company(exam, many, draws, cast("list[int]", alone)), _moves(exam, positions)]
    return [*findings, _time(exam, many, draws)] if timed else findings


def _many(exam: Questionnaire, positions: Sequence[Position]) -> Boards | PositionList:
    if has_boards(exam.game):
        return Boards.of(cast("Any", exam.game), positions)
    return PositionList(positions)


def _alone(exam: Questionnaire, many: Any, draws: Draws, index: int) -> int | Failure:
    import numpy as np

    assert exam.player.choose_batch is not None
    return ask_alone(exam.player.choose_batch, many, draws, np.arange(len(many)), index)


def _legal(
    exam: Questionnaire, positions: Sequence[Position], alone: Sequence[int | Failure]
) -> Finding:
    """Check that every answer is a legal move."""
    for position, move in zip(positions, alone, strict=True):
        recipe = recipe_to_check(exam)
        if isinstance(move, Failure):
            return Finding(_LEGAL, Level.FAIL, f"{move.fault.message} at {position}", recipe)
        if not position.is_legal(move):
            message = f"choose_batch returned {move} at {position}, which is not a legal move"
            return Finding(_LEGAL, Level.FAIL, message, recipe)
    return Finding(_LEGAL, Level.PASS, f"at {len(positions)} positions, each asked alone")


def _company(exam: Questionnaire, many: Any, draws: Draws, alone: Sequence[int]) -> Finding:
    """Check that a position gets its move in any company, at any place, and in a filled block."""
    import numpy as np

    size = len(many)
    orders = {
        "among others": np.arange(size),
        "among others in another order": np.arange(size)[::-1],
        "in a block that is filled up": np.arange(size // 3),
    }
    for company, order in orders.items():
        answers = _ask(exam, many.take(order), draws, order)
        for index, move in zip(order.tolist(), answers.moves.tolist(), strict=True):
            if move != alone[index] or answers.failures:
                message = f"another move {company} than alone, at {many[index]}"
                return Finding(_COMPANY, Level.FAIL, message, recipe_to_check(exam))
    return Finding(_COMPANY, Level.PASS, "the same moves alone, among others, in a filled block")


def _ask(exam: Questionnaire, many: Any, draws: Draws, games: Any) -> BatchMoves:
    assert exam.player.choose_batch is not None
    return ask(exam.player.choose_batch, many, draws, games)


def _moves(exam: Questionnaire, positions: Sequence[Position]) -> Finding:
    """Check that both functions draw from one distribution."""
    import numpy as np

    some = positions[:: max(1, len(positions) // DRAWN_POSITIONS)][:DRAWN_POSITIONS]
    draws = Draws(f"{exam.seed}/check/drawn", 0, BLOCKS * BLOCK)
    for position in some:
        games = np.arange(BLOCKS * BLOCK)
        many = _many(exam, [position]).take(np.zeros(len(games), np.int64))
        batch = Counter(_ask(exam, many, draws, games).moves.tolist())
        if _probability(batch, *_expected(exam, position)) < ALPHA / len(some):
            message = f"choose and choose_batch draw from different distributions at {position}"
            return Finding(_SAME, Level.FAIL, message, recipe_to_move(exam, str(position)))
    often = f"{BLOCKS * BLOCK} draws each at {len(some)} positions"
    return Finding(_SAME, Level.PASS, f"distributed as those of choose: {often}")


def _expected(exam: Questionnaire, position: Position) -> tuple[dict[int, float], int]:
    """Return the moves of ``choose`` with their probabilities, or how often each was drawn.

    The number is how many were drawn, 0 for probabilities.
    """
    try:
        exact = distribution(exam.player, position)
    except CannotEnumerate:
        drawn = Counter(
            exam.player.player(position, named_stream(f"{exam.seed}/check/{position}/{turn}"))
            for turn in range(BLOCK)
        )
        return {move: number / BLOCK for move, number in drawn.items()}, BLOCK
    return {move: float(chance) for move, chance in exact.items()}, 0


def _probability(batch: Counter[int], chances: dict[int, float], drawn: int) -> float:
    """Return the probability of moves at least as far from the expected ones, by chi-square.

    The chances of ``drawn`` moves are shares: then it is the test of two samples. Moves that are
    expected too seldom are one cell.
    """
    number = batch.total()
    if not drawn and not batch.keys() <= chances.keys():
        return 0.0
    cells: dict[int, list[float]] = {}
    for move in batch.keys() | chances.keys():
        seen, chance = batch[move], chances.get(move, 0.0)
        pooled = (seen + drawn * chance) / (number + drawn) if drawn else chance
        least = pooled * min(number, drawn or number)
        cell = cells.setdefault(move if least >= MIN_EXPECTED else -1, [0.0, 0.0, 0.0])
        for place, value in enumerate((seen, drawn * chance, pooled)):
            cell[place] += value
    statistic = sum(
        (seen - total * pooled) ** 2 / (total * pooled)
        for cell in cells.values()
        for seen, total, pooled in ((cell[0], number, cell[2]), (cell[1], drawn, cell[2]))
        if total * pooled
    )
    return chi_square_sf(statistic, len(cells) - 1)


def _time(exam: Questionnaire, many: Any, draws: Draws) -> Finding:
    """Report the time of a position in full blocks, and whether one by one is quicker."""
    import numpy as np

    order = np.arange(BLOCK) % len(many)
    block = many.take(order)
    start = now()
    _ask(exam, block, draws, order)
    between = now()
    for turn, position in enumerate(_each(block)):
        exam.player.player(position, named_stream(f"{exam.seed}/check/time/{turn}"))
    batch, single = (between - start) / BLOCK, (now() - between) / BLOCK
    message = f"{1e6 * batch:,.1f} us a position by choose_batch, {1e6 * single:,.1f} by choose"
    slower = batch > single
    level, why = (Level.WARNING, ": it is slower") if slower else (Level.INFO, "")
    return Finding("batch: time", level, message + why, recipe_to_check(exam) if slower else "")


def _each(many: Any) -> Iterator[Position]:
    return (many[index] for index in range(len(many)))
