"""Examine players: each is asked once at every question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Unpack

from arena.certificates.equilibrium import check_strategies
from arena.certificates.strategies import StrategyTable, is_strategies, read_strategies
from arena.errors import Undecided, UsageError, quoted
from arena.features.exam.options import MAX_EXAM_POSITIONS, ExamOptions
from arena.features.exam.queries import Paper, answers_of
from arena.features.exam.record import Answer, Difference, Exam, Exams
from arena.features.solve.valuing import MAX_WALKED_HISTORIES
from arena.game import Game
from arena.games.info_state import InfoState
from arena.inputs.resolve import (
    PlayerLike,
    get_game_for_two,
    get_player,
    guarded,
    open_catalogue,
    require_list,
)
from arena.proof import progress
from arena.proof.limit import Limit
from arena.records.spending import NO_SPENDING, Spending
from arena.rng import fresh_seed
from arena.runs.services import prepare_services
from arena.signatures import complete, takes
from arena.stats.interval import score_interval
from arena.trees.effort import require_few
from arena.trees.examining import (
    Examiner,
    OpenExaminer,
    PlainExaminer,
    SealedExaminer,
    ValuedQuestion,
    all_questions,
    drawn_questions,
)
from arena.trees.sequences import Behavior
from arena.trees.solution import require_solvable, solve

#: A game of at most so many positions is looked through for all its questions.
MAX_WHOLE_POSITIONS = 20_000

#: Drawn decisions for each question, most of which are none, after which an exam is given up.
MAX_DRAWN_RATIO = 100

#: The largest gap between the bounds of an equilibrium, in parts of the range of payoffs.
MAX_GAP = Fraction(1, 1000)

#: Answers that are shown.
MAX_WORST = 10


@takes(ExamOptions)
def exam(player: PlayerLike, **options: Unpack[ExamOptions]) -> Exam:
    """Ask a player once at each question of an exam, and return how much its answers cost.

    A question is a decision of a game of random moves whose moves are not all worth the same. The
    seed decides which are drawn, so that two players sit the same exam. Raises Undecided for a game
    whose moves cannot be valued: before it begins, where an estimate shows that.

    >>> exam("minimax", seed=1).regret
    0.0
    """
    return guarded(partial(_exams, (player,), complete(exam, options)), player).exams[0]


@takes(ExamOptions)
def exams(players: Sequence[PlayerLike], **options: Unpack[ExamOptions]) -> Exams:
    """Let several players sit the same exam, see :func:`exam`, and compare them."""
    options = complete(exams, options)
    require_list(players, "an exam")
    if not players:
        raise UsageError("an exam takes a player")
    return guarded(partial(_exams, tuple(players), options), *players)


def _exams(players: Sequence[PlayerLike], options: ExamOptions) -> Exams:
    catalogue = open_catalogue(options["catalogue"], options["isolation"])
    game = get_game_for_two(options["game"], "arena exam", catalogue)
    infos = [get_player(player, catalogue) for player in players]
    if names := [name for name, n in Counter(info.name for info in infos).items() if n > 1]:
        raise UsageError(f"player {quoted(names[0])} is named twice: name one of them: other=NAME")
    for info in infos:
        info.require(game)
    paper = _paper(game, options, catalogue.game)
    regrets: dict[str, dict[InfoState, Answer]] = {}
    spent: dict[str, Spending] = {}
    purse = prepare_services(infos, options, store=None)
    for info in infos:
        regrets[info.name], spent[info.name] = answers_of(info, paper, purse, options)
    marked = [_marked(name, answers, paper, spent[name]) for name, answers in regrets.items()]
    marked.sort(key=lambda each: (each.exact, each.player))
    return Exams(
        tuple(marked),
        tuple(_difference(a.player, b.player, regrets, paper) for a, b in combinations(marked, 2)),
    )


def _paper(game: Game, options: ExamOptions, game_named: Callable[[str], Game]) -> Paper:
    """Draw the questions, or take all of a small game."""
    seed = fresh_seed() if options["seed"] is None else options["seed"]
    examiner = _examiner(game, options, game_named)
    every = all_questions(game, examiner, MAX_WHOLE_POSITIONS)
    if every is not None and not every:
        raise UsageError(f"game {quoted(game.name)} has no question: all moves are worth the same")
    pays = game.payoffs
    most = Fraction(pays.most) - Fraction(pays.least)
    if every is not None:
        most = max(each.question.most for each in every)
    if every is not None and len(every) <= options["questions"]:
        questions = {each.question.info_state: each.question for each in every}
        weights = {each.question.info_state: each.weight for each in every}
        return Paper(game, seed, questions, weights, most, is_whole=True)
    number, limit = options["questions"], Limit(10**9, options["max_seconds"])
    drawn, questions = Counter[InfoState](), dict[InfoState, ValuedQuestion]()
    what = f"the exam at {game.name}"
    for looked, question in enumerate(drawn_questions(game, examiner, f"{game.name}/exam/{seed}")):
        limit.require(looked, what)
        if question is not None:
            drawn[question.info_state] += 1
            questions[question.info_state] = question
        progress.tell(drawn.total(), number, "questions drawn")
        if drawn.total() == number:
            break
        if looked > MAX_DRAWN_RATIO * number:
            raise Undecided(
                f"{what} finds {drawn.total()} questions among {looked:,} decisions: more"
                " --max-positions value more moves"
            )
    weights = {info_state: Fraction(times) for info_state, times in drawn.items()}
    return Paper(game, seed, questions, weights, most, is_whole=False)


def _examiner(game: Game, options: ExamOptions, game_named: Callable[[str], Game]) -> Examiner:
    file, most = options["certificate"], options["max_positions"]
    has_secrets = game.start().has_secrets
    if file is not None and not has_secrets:
        raise UsageError(
            "--certificate values moves of games with secrets: elsewhere a certificate has one move"
            " for a position, and an exam values all of them by a search"
        )
    if not game.features:
        return PlainExaminer(most or MAX_EXAM_POSITIONS)
    require_solvable(game)
    limit = Limit(most or MAX_WALKED_HISTORIES, options["max_seconds"])
    if file is None:
        require_few(game, limit, f"the exam at {game.name}")
    if not has_secrets:
        return OpenExaminer(game, limit)
    if file is not None:
        first, second = _from_file(Path(file), game, game_named, limit)
        return SealedExaminer(game, (first, second), limit)
    first, second = (strategy.__getitem__ for strategy in solve(game, limit).strategies)
    return SealedExaminer(game, (first, second), limit)


def _from_file(
    path: Path, game: Game, game_named: Callable[[str], Game], limit: Limit
) -> tuple[Behavior, Behavior]:
    """Return the strategies of a file, once it is verified."""
    if not is_strategies(path):
        raise UsageError(
            f"certificate {quoted(str(path))}: it has no strategies: arena solve GAME --certificate"
            " FILE writes them at a game with luck or secrets"
        )
    file = read_strategies(path, game_named)
    if file.game != game:
        raise UsageError(f"certificate {quoted(str(path))} is one of {file.game.name}")
    low, high = check_strategies(file, limit.positions)
    pays = game.payoffs
    if high - low > MAX_GAP * (Fraction(pays.most) - Fraction(pays.least)):
        raise UsageError(
            f"certificate {quoted(str(path))} proves only {float(low):.4f} to {float(high):.4f}:"
            " its strategies are no equilibrium, which an exam goes by"
        )
    first, second = (_behavior(game, table) for table in file.tables)
    return first, second


def _behavior(game: Game, table: StrategyTable) -> Behavior:
    def moves(seen: InfoState) -> dict[int, Fraction]:
        return {game.parse_move(name): share for name, share in table[str(seen)].items()}

    return moves


def _marked(name: str, answers: Mapping[InfoState, Answer], paper: Paper, spent: Spending) -> Exam:
    """Return the mean regret with its interval, and the answers that cost most."""
    total = paper.total
    regrets = {question: answer.regret for question, answer in answers.items()}
    mean = sum((regrets[each] * weight for each, weight in paper.weights.items()), Fraction(0))
    right = sum((w * answers[each].right for each, w in paper.weights.items()), Fraction(0))
    low, high = _interval(regrets, paper, Fraction(0))
    dearest = sorted(answers, key=lambda each: -regrets[each] * paper.weights[each])
    dearest.sort(key=lambda each: -regrets[each])
    return Exam(
        player=name,
        game=paper.game.name,
        game_version=paper.game.version,
        unit=paper.game.payoffs.unit,
        seed=paper.seed,
        questions=len(answers) if paper.is_whole else int(total),
        distinct=len(answers),
        is_whole=paper.is_whole,
        regret=float(mean / total),
        low=low,
        high=high,
        exact=mean / total,
        right=float(right / total),
        faults=sum(bool(answer.fault) for answer in answers.values()),
        worst=tuple(
            replace(answers[each], picture=each.picture(), svg=each.svg())
            for each in dearest[:MAX_WORST]
            if regrets[each]
        ),
        spent=None if spent == NO_SPENDING else spent,
    )


def _interval(
    regrets: Mapping[InfoState, Fraction], paper: Paper, least: Fraction
) -> tuple[float, float]:
    """Return the 95 % interval of a mean between ``least`` and the largest possible regret.

    Drawn questions are independent. With all questions of a game there is nothing to estimate.
    """
    total = paper.total
    mean = sum((regrets[each] * w for each, w in paper.weights.items()), Fraction(0)) / total
    if paper.is_whole:
        return float(mean), float(mean)
    width = paper.most - least
    counts: dict[Fraction, int] = {Fraction(0): 0, Fraction(1): 0}
    for question, weight in paper.weights.items():
        score = (regrets[question] - least) / width
        counts[score] = counts.get(score, 0) + int(weight)
    scores = sorted(counts)
    ends = score_interval([counts[s] for s in scores], scores=[float(s) for s in scores])
    assert ends is not None
    low, high = (float(least) + float(width) * end for end in ends)
    return low, high


def _difference(
    a: str, b: str, answers: Mapping[str, Mapping[InfoState, Answer]], paper: Paper
) -> Difference:
    """Compare two players question by question."""
    less = {each: answers[b][each].regret - answers[a][each].regret for each in paper.weights}
    mean = sum((less[each] * weight for each, weight in paper.weights.items()), Fraction(0))
    low, high = _interval(less, paper, -paper.most)
    return Difference(a, b, float(mean / paper.total), low, high)
