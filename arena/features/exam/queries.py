"""Ask a player the questions of an exam."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from arena.errors import CannotEnumerate, PlayerFault
from arena.executors.base import Executor, TaskFailed, TaskList
from arena.executors.serial import SerialExecutor
from arena.executors.threads import ThreadExecutor
from arena.features.exam.record import Answer
from arena.game import Game
from arena.games.info_state import InfoState, seat_of
from arena.inputs.service_options import DEFAULT_IN_FLIGHT, ServiceOptions
from arena.match.seats import sit
from arena.player import PlayerInfo
from arena.player.prints import PrintCapture, Prints
from arena.player.purse import Purse
from arena.proof import progress
from arena.proof.distribution import ask_seat, distribution, fault_of
from arena.records.spending import NO_SPENDING, Spending
from arena.rng import named_stream
from arena.runs.services import within_budget
from arena.sandbox.cores import shared_with
from arena.trees.examining import ValuedQuestion


@dataclass(frozen=True)
class Paper:
    """The questions of an exam, by what is asked: how often each was drawn, or its probability."""

    game: Game
    seed: int
    questions: Mapping[InfoState, ValuedQuestion]
    weights: Mapping[InfoState, Fraction]
    #: The largest regret that a question can bring, also one that was not drawn.
    most: Fraction
    is_whole: bool

    @property
    def total(self) -> Fraction:
        """The sum of the weights."""
        return sum(self.weights.values(), Fraction(0))


def answers_of(
    player: PlayerInfo, paper: Paper, purse: Purse, options: ServiceOptions
) -> tuple[dict[InfoState, Answer], Spending]:
    """Return the player's answer to each question, and what that cost.

    One that arena mostly waits for gets many questions at once. Raises OutOfBudget if the purse
    does not suffice.
    """
    executor: Executor = SerialExecutor()
    if getattr(player.remote, "is_waited_for", False):
        executor = within_budget(ThreadExecutor(options["in_flight"] or DEFAULT_IN_FLIGHT), purse)
    questions = list(paper.questions.values())
    answers: dict[int, Answer] = {}
    spent = NO_SPENDING
    with shared_with(player):
        results = executor.run(_ExamTask(player, paper), TaskList(range(len(questions))))
        for number, result in results:
            assert not isinstance(result, TaskFailed)
            answers[number], cost = result
            spent += cost
            progress.tell(len(answers), len(questions), f"questions asked of {player.name}")
    return {each.info_state: answers[number] for number, each in enumerate(questions)}, spent


class _ExamTask:
    """Asks a player the question of a number."""

    def __init__(self, player: PlayerInfo, paper: Paper) -> None:
        self._player, self._paper = player, paper
        self._questions = list(paper.questions.values())

    def __call__(self, number: int) -> tuple[Answer, Spending]:
        paper, player = self._paper, self._player
        path = f"{paper.game.name}/exam/{paper.seed}/{player.name}/{number}"
        with PrintCapture(Prints()) as prints:
            answer = _answer(player, self._questions[number], path)
        prints.take(0, 0)
        spent = [Spending.of(completion) for *_, completion in prints.completions]
        return answer, sum(spent, NO_SPENDING)


def _answer(player: PlayerInfo, question: ValuedQuestion, path: str) -> Answer:
    """Return the answer to a question. A fault costs as much as the worst move.

    An installed player without state answers with the probabilities of its moves, where these can
    be enumerated. Another is asked once.
    """
    info_state, write = question.info_state, question.info_state.game.format_move
    nothing = Fraction(0)
    answer = Answer(str(info_state), None, write(question.best), regret=nothing, right=nothing)
    if player.stateless and player.is_trusted:
        try:
            chances = distribution(player, info_state)
        except PlayerFault as error:
            return replace(answer, regret=question.most, fault=error.reason)
        except CannotEnumerate:
            pass
        else:
            costs = {move: p * question.regret(move) for move, p in chances.items()}
            move = max(costs, key=lambda move: (costs[move], chances[move]))
            regret = sum(costs.values(), Fraction(0))
            right = sum((p for move, p in chances.items() if not costs[move]), Fraction(0))
            return replace(
                answer, move=write(move), chance=chances[move], regret=regret, right=right
            )
    try:
        move = _ask(player, info_state, path)
    except PlayerFault as error:
        return replace(answer, regret=question.most, fault=error.reason)
    regret = question.regret(move)
    return replace(answer, move=write(move), regret=regret, right=Fraction(not regret))


def _ask(player: PlayerInfo, info_state: InfoState, path: str) -> int:
    """Return the move of a player that sits down for this question. Raises PlayerFault."""
    try:
        seat = sit(player, info_state.game, seat_of(info_state), named_stream(path))
    except BaseException as error:
        raise fault_of(error) from error
    return ask_seat(seat, info_state, is_planned=True)[0]
