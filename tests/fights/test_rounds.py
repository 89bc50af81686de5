"""Rounds: what they play depends on the results alone, and goes on from any journal."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from itertools import combinations

import pytest

from arena.executors.base import Result, Task, TaskFailed, Tasks
from arena.executors.processes import ProcessExecutor
from arena.executors.serial import SerialExecutor
from arena.fights import runs
from arena.fights.counts import Counts
from arena.fights.engines import CallsEngine
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import Pairing, RunSetting
from arena.fights.play import Interrupted
from arena.fights.rounds import FightGoal, RoundRule, of_two, recount
from arena.fights.standings import tournament_of
from arena.game import Position
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.records.entrants import UNPLAYED
from arena.records.fought import Fought
from arena.records.played import Played
from arena.records.tournaments import TournamentResult
from arena.rng import Stream
from tests.fights.executors import Interrupting
from tests.fights.test_dropouts import vanishing
from tests.fights.test_journal import Memory

SETTING = RunSetting("round robin")


class Closest:
    """Two pairs for all, then three more for the fight that is closest; four rounds."""

    def __init__(self, fights: int) -> None:
        self.lasts = [0] * fights
        self.most_pairs = 2 * fights + 9
        self.fault = ""
        #: What was asked for, round by round.
        self.asked: list[list[FightGoal]] = []

    def next_round(self, totals: Sequence[Counts]) -> list[FightGoal]:
        if len(self.asked) == 4:
            return []
        playing = [i for i, counts in enumerate(totals) if not withdrawn(counts)]
        if self.asked:
            playing = sorted(playing, key=lambda i: (abs(margin(totals[i])), i))[:1]
        for fight in playing:
            self.lasts[fight] += 3 if self.asked else 2
        self.asked.append([FightGoal(fight, self.lasts[fight]) for fight in playing])
        return self.asked[-1]

    def result(self, fights: Sequence[Fought]) -> TournamentResult:
        return tournament_of(of_two(fights), f"{len(self.asked)} rounds")


def withdrawn(counts: Counts) -> bool:
    return any(player.withdrawn is not None for player in counts.players)


def margin(counts: Counts) -> int:
    assert isinstance(counts, PairCounts)
    return counts.joint.total.wins - counts.joint.total.losses


def engines_of(players: Sequence[PlayerInfo], catalogue: Catalogue) -> list[CallsEngine]:
    game = catalogue.game("tictactoe")
    return [CallsEngine(Pairing(game, a, b, 30, 4)) for a, b in combinations(players, 2)]


@pytest.fixture
def engines(catalogue: Catalogue) -> list[CallsEngine]:
    names = ("tictactoe2", "triples", "monkey", "tictactoe1")
    return engines_of([catalogue.player(name) for name in names], catalogue)


@pytest.mark.slow
def test_a_round_follows_from_the_results_for_any_number_of_workers(
    engines: list[CallsEngine],
) -> None:
    rounds = [Closest(len(engines)) for _ in range(3)]
    results = [
        runs.play(SETTING, engines, SerialExecutor(), rounds=rounds[0]),
        runs.play(SETTING, engines, ProcessExecutor(1), rounds=rounds[1]),
        runs.play(SETTING, engines, ProcessExecutor(3), rounds=rounds[2]),
    ]
    assert results[0] == results[1] == results[2]
    assert rounds[0].asked == rounds[1].asked == rounds[2].asked
    assert isinstance(results[0], TournamentResult)
    assert [fight.pairs for fight in results[0].fights] == rounds[0].lasts
    assert [fight.planned for fight in results[0].fights] == rounds[0].lasts


@pytest.mark.slow
@pytest.mark.parametrize("after", [0, 1, 3, 7, 9])
def test_a_tournament_goes_on_from_any_journal(engines: list[CallsEngine], after: int) -> None:
    whole = runs.play(SETTING, engines, SerialExecutor(), rounds=Closest(len(engines)))
    memory = Memory(len(engines))
    again = Closest(len(engines))
    with pytest.raises(Interrupted):
        runs.play(SETTING, engines, Interrupting(after), journal=memory, rounds=again)
    assert memory.results == []
    partial = recounted(engines, memory)
    assert isinstance(partial, TournamentResult)
    pairs = sum(len(memory.pairs(fight)) for fight in range(len(engines)))
    assert sum(fight.pairs for fight in partial.fights) == pairs
    again = Closest(len(engines))
    resumed = runs.play(SETTING, engines, ProcessExecutor(2), journal=memory, rounds=again)
    assert resumed == recounted(engines, memory) == whole


def recounted(engines: list[CallsEngine], memory: Memory) -> Played:
    pairs = [memory.pairs(fight) for fight in range(len(engines))]
    pairings = [engine.pairing for engine in engines]
    return runs.recount(SETTING, pairings, pairs, memory.gaps, Closest(len(engines)))


def test_a_fight_that_no_round_asks_for_is_not_in_the_record(engines: list[CallsEngine]) -> None:
    course = RoundRule(OnlyTheFirst(), engines)
    assert recount(course) == [course.answer()[0]]
    assert [*course.answer()] == [0]


class OnlyTheFirst(Closest):
    """Asks for one pair of the first fight."""

    def __init__(self) -> None:
        super().__init__(1)

    def next_round(self, totals: Sequence[Counts]) -> list[FightGoal]:
        self.asked.append([FightGoal(0, 1)] if not self.asked else [])
        return self.asked[-1]


def test_who_never_starts_is_left_out_of_later_rounds_also_when_resumed(
    catalogue: Catalogue,
) -> None:
    players = [catalogue.player("monkey"), vanishing(0), catalogue.player("triples")]
    engines = engines_of(players, catalogue)
    memory, rounds = Memory(len(engines)), Closest(len(engines))
    played = runs.play(SETTING, engines, SerialExecutor(), journal=memory, rounds=rounds)
    assert isinstance(played, TournamentResult)
    assert [*played.withdrawn] == ["bot"]
    assert [goal.fight for goals in rounds.asked[1:] for goal in goals] == [1, 1, 1]
    again = Closest(len(engines))
    resumed = runs.play(SETTING, engines, Idle(), journal=memory, rounds=again)
    assert resumed == played
    assert again.asked == rounds.asked


class Idle:
    """An executor that has nothing to do."""

    def run(
        self, work: Callable[[Task], Result], tasks: Tasks[Task]
    ) -> Generator[tuple[Task, Result | TaskFailed], None, None]:
        assert tasks.next_task() is None
        yield from ()


def test_who_leaves_in_the_middle_forfeits_the_rest_of_its_round(catalogue: Catalogue) -> None:
    players = [catalogue.player("monkey"), vanishing(4), catalogue.player("triples")]
    rounds = Closest(3)
    played = runs.play(SETTING, engines_of(players, catalogue), SerialExecutor(), rounds=rounds)
    assert isinstance(played, TournamentResult)
    own = [player for fight in played.fights for player in fight.both if player.name == "bot"]
    assert sum(player.forfeits.get("crash", 0) for player in own) == 4
    assert [fight.pairs for fight in played.fights] == rounds.lasts


def test_who_forfeits_all_its_first_games_forfeits_the_others_unplayed(
    catalogue: Catalogue,
) -> None:
    broken = PlayerInfo("broken", raising, stateless=True)
    engines = engines_of([catalogue.player("monkey"), broken], catalogue)
    played = runs.play(SETTING, engines, SerialExecutor(), rounds=Steps(3, 10))
    assert isinstance(played, TournamentResult)
    [fight] = played.fights
    assert fight.b.forfeits == {"exception": 20, UNPLAYED: 40}


def raising(position: Position, rng: Stream) -> int:
    raise ValueError("no move")


class Steps(Closest):
    """Asks for some pairs of the only fight, so many times."""

    def __init__(self, rounds: int, pairs: int) -> None:
        super().__init__(1)
        self.rounds, self.step = rounds, pairs

    def next_round(self, totals: Sequence[Counts]) -> list[FightGoal]:
        if len(self.asked) == self.rounds:
            return []
        self.asked.append([FightGoal(0, self.step * (len(self.asked) + 1))])
        return self.asked[-1]
