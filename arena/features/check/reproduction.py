"""Ask a player the same question of an exam again, to show a finding."""

from __future__ import annotations

from collections import Counter
from functools import partial

from arena.features.check import judge
from arena.features.check.questions import AtPosition, QuestionCounter, Questionnaire, TrialAnswer
from arena.features.check.record import Answers
from arena.features.check.trials import TrialEnd, trial
from arena.games.info_state import InfoState
from arena.player import PlayerInfo
from arena.proof.distribution import require_stateless
from arena.sandbox.players import with_checks
from arena.sandbox.side_effects import Sighting


def ask_again(
    player: PlayerInfo, position: InfoState, seed: int, times: int, patience: float
) -> Answers:
    """Ask this many times, each in a process of its own, as the check of this seed does.

    Raises CannotEnumerate if the player keeps state.
    """
    require_stateless(player)
    player.require(position.game)
    question = AtPosition(position)
    exam = Questionnaire(with_checks(player), position.game, seed, (question,), False, patience)
    moves, faults, noticed = Counter[str](), Counter[str](), dict[str, None]()
    for _ in range(times):
        result = trial(partial(_once, exam))
        if isinstance(result, TrialEnd):
            faults[judge.ended(exam, result).message] += 1
            continue
        answer, sightings = result
        if answer.fault:
            faults[answer.fault] += 1
        else:
            moves[answer.moves] += 1
        noticed |= dict.fromkeys(sighting.message for sighting in sightings.values())
    return Answers(
        game=position.game.name,
        player=player.name,
        position=str(position),
        picture=position.picture(),
        seed=seed,
        moves=dict(sorted(moves.items())),
        faults=dict(sorted(faults.items())),
        noticed=tuple(noticed),
    )


def _once(
    exam: Questionnaire, note: QuestionCounter
) -> tuple[TrialAnswer, dict[str, Sighting]] | TrialEnd:
    watch = exam.watch()
    [(number, answer)] = exam.answers(note, watch)
    if watch.lost is not None:
        return TrialEnd.by(watch.lost, number)
    return answer, exam.seen(watch)
