"""Tournaments that end when a question is answered: any workers, any journal, anybody missing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations

import pytest

from arena.executors.processes import ProcessExecutor
from arena.executors.serial import SerialExecutor
from arena.fights import runs
from arena.fights.answering import QuestionRounds
from arena.fights.engines import CallsEngine
from arena.fights.openings import openings_of
from arena.fights.pairing import Pairing, RunSetting
from arena.fights.play import Interrupted
from arena.game import Position
from arena.match.record import PlayedPair
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.records.answers import Answered
from arena.records.played import Played
from arena.records.tournaments import TournamentResult
from arena.records.until import Until
from arena.rng import Stream
from tests.fights.executors import Interrupting
from tests.fights.test_dropouts import vanishing
from tests.fights.test_journal import Memory
from tests.fights.test_rounds import raising

BEST = RunSetting("round robin", until=Until("best", margin=0.1))
CLOSE = RunSetting("round robin", until=Until("best", margin=0.05))
ORDER = RunSetting("round robin", until=Until("order", margin=0.2))


def engines_of(
    catalogue: Catalogue, players: Sequence[str | PlayerInfo], cap: int = 400, openings: str = ""
) -> list[CallsEngine]:
    game = catalogue.game("tictactoe")
    infos = [catalogue.player(p) if isinstance(p, str) else p for p in players]
    book = openings_of(openings, game) if openings else None
    return [
        CallsEngine(Pairing(game, a, b, cap, 4, openings=book)) for a, b in combinations(infos, 2)
    ]


def play(
    engines: list[CallsEngine], setting: RunSetting = BEST, workers: int = 0
) -> TournamentResult:
    executor = ProcessExecutor(workers) if workers else SerialExecutor()
    played = runs.play(setting, engines, executor, rounds=rounds(engines, setting))
    assert isinstance(played, TournamentResult)
    return played


def rounds(engines: list[CallsEngine], setting: RunSetting = BEST) -> QuestionRounds:
    return QuestionRounds(setting, [engine.pairing for engine in engines])


def answer(played: Played) -> Answered:
    assert isinstance(played, TournamentResult)
    assert played.until is not None
    return played.until


FIELD = ("tictactoe2", "heuristic", "monkey", "tictactoe1")


def test_the_best_is_found_and_the_weak_play_each_other_less(catalogue: Catalogue) -> None:
    played = play(engines_of(catalogue, FIELD), CLOSE)
    result = answer(played)
    assert result.is_decided
    assert result.answer in (("tictactoe1",), ("tictactoe2",))
    assert "monkey" in result.groups[2]
    pairs = {fight.players: fight.pairs for fight in played.fights}
    assert pairs["heuristic", "monkey"] < pairs["tictactoe2", "tictactoe1"]
    assert result.games == sum(fight.total.games for fight in played.fights)
    assert [row.player for row in played.standings] == [own.player for own in result.players]


@pytest.mark.slow
def test_a_tournament_is_the_same_for_any_number_of_workers(catalogue: Catalogue) -> None:
    engines = engines_of(catalogue, FIELD)
    assert play(engines) == play(engines, workers=2)


@pytest.mark.parametrize("after", [0, 5, 40])
def test_a_tournament_goes_on_from_any_journal(catalogue: Catalogue, after: int) -> None:
    engines = engines_of(catalogue, FIELD)
    memory = Memory(len(engines))
    with pytest.raises(Interrupted) as stopped:
        runs.play(BEST, engines, Interrupting(after), journal=memory, rounds=rounds(engines))
    assert isinstance(stopped.value.partial, TournamentResult)
    assert answer(stopped.value.partial).reason == "interrupted"
    again = runs.play(BEST, engines, SerialExecutor(), journal=memory, rounds=rounds(engines))
    pairs: list[Sequence[PlayedPair]] = [memory.pairs(i) for i in range(len(engines))]
    pairings = [engine.pairing for engine in engines]
    assert again == play(engines)
    assert runs.recount(BEST, pairings, pairs, memory.gaps, rounds(engines)) == again


def test_who_never_starts_is_not_in_the_field(catalogue: Catalogue) -> None:
    played = play(engines_of(catalogue, [*FIELD, vanishing(0)]))
    result = answer(played)
    assert result.out == ("bot",)
    assert result.is_decided
    assert "bot" not in json.dumps(result.groups)
    assert answer(play(engines_of(catalogue, FIELD))).groups == result.groups
    assert played.standings[-1].rank is None


@pytest.mark.slow
def test_who_forfeits_every_game_leaves_the_field(catalogue: Catalogue) -> None:
    broken = PlayerInfo("broken", raising, stateless=True)
    result = answer(play(engines_of(catalogue, ["tictactoe1", "monkey", broken])))
    assert result.out == ("broken",)
    assert result.answer == ("tictactoe1",)


def test_players_that_repeat_their_games_are_not_told_apart(catalogue: Catalogue) -> None:
    players = [PlayerInfo(name, first_legal, stateless=True) for name in "abc"]
    result = answer(play(engines_of(catalogue, players)))
    assert not result.is_decided
    assert result.reason == "repeats"
    assert result.repeating == (("a", "b"), ("a", "c"), ("b", "c"))
    assert result.games < 200


def first_legal(position: Position, rng: Stream) -> int:
    return position.legal_moves()[0]


def test_openings_tell_apart_what_one_position_does_not(catalogue: Catalogue) -> None:
    weak = PlayerInfo("weak", first_legal, stateless=True)
    players: list[str | PlayerInfo] = ["tictactoe3", weak]
    result = answer(play(engines_of(catalogue, players, openings="random:2")))
    assert result.answer == ("tictactoe3",)
    through = answer(play(engines_of(catalogue, [weak, "monkey"], openings="all:1")))
    assert through.reason == "repeats"
    assert not through.repeating


def test_a_cap_leaves_a_question_open(catalogue: Catalogue) -> None:
    result = answer(play(engines_of(catalogue, FIELD, cap=5)))
    assert (result.decision, result.reason) == ("undecided", "cap")
    assert all(own.value is not None for own in result.players)


def test_an_order_names_everybody(catalogue: Catalogue) -> None:
    result = answer(play(engines_of(catalogue, FIELD), ORDER))
    assert result.is_decided
    assert sorted(result.answer) == sorted(FIELD)
    assert result.groups[-1] == ("monkey",)
    assert result.top is None


def test_the_groups_of_an_order_are_the_spans_of_its_ranks(catalogue: Catalogue) -> None:
    played = play(engines_of(catalogue, FIELD), ORDER)
    spans = {row.player: (row.rank_low, row.rank_high) for row in played.standings}
    place = 1
    for group in answer(played).groups:
        assert {spans[name] for name in group} == {(place, place + len(group) - 1)}
        place += len(group)
    assert (played.rank_intervals, played.cycles) == (None, None)
    assert played.ratings.rank_intervals is None
