"""The check of players at games with luck and secrets: they are asked with observations."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import arena
from arena.features.check.questions import reachable, sampled
from arena.features.check.record import Level
from arena.game import Observation, Position
from tests.features.check.test_players import checked, finding_of
from tests.golden import Wording

KUHN, PIG = arena.get_game("kuhn"), arena.get_game("pig")


def folds(observation: Observation, rng: random.Random) -> int:
    """Break none of the promises."""
    return observation.legal_moves()[0]


def errs_with_a_king(observation: Observation, rng: random.Random) -> int:
    """Play what is no move, with a king."""
    return 99 if "K" in str(observation) else observation.legal_moves()[0]


def peeks(observation: Observation, rng: random.Random) -> int:
    """Ask for the position, which a seat does not have."""
    return observation.position.legal_moves()[0]  # type: ignore[attr-defined, no-any-return]


def test_a_player_is_asked_at_every_information_set_once() -> None:
    observations = reachable(KUHN, 10_000)
    assert observations is not None
    assert len(observations) == 12
    assert len(set(observations)) == 12
    for observation in observations:
        assert isinstance(observation, Observation)
        assert observation.legal_moves()


def test_where_nothing_is_hidden_a_player_is_asked_with_positions_and_never_for_chance() -> None:
    for position in sampled(PIG, 1, 100):
        assert isinstance(position, Position)
        assert position.to_move >= 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["monkey", "cfr"])
def test_a_player_that_keeps_the_contract_conforms(name: str, wording: Wording) -> None:
    report = checked(arena.get_player(name), game="kuhn")
    assert report.conforms
    wording(report.extent, "12", "10", "monkey")
    wording(finding_of(report, "enumerable").message, "12")


@pytest.mark.slow
def test_a_file_is_asked_in_its_process(tmp_path: Path, wording: Wording) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(observation, rng):\n    return observation.legal_moves()[0]\n")
    report = checked(arena.get_player(str(bot)), game="kuhn")
    assert report.conforms
    wording(finding_of(report, "enumerable").message, "12")


def test_an_illegal_move_is_found_with_the_observation(wording: Wording) -> None:
    report = checked(arena.get_player(errs_with_a_king), game="kuhn")
    finding = finding_of(report, "legal moves")
    assert finding.level == Level.FAIL
    wording(finding.message, "99")
    wording(finding.reproduction, "parse_observation")


def test_a_player_that_asks_for_the_position_fails(wording: Wording) -> None:
    report = checked(arena.get_player(peeks), game="kuhn")
    assert not report.conforms
    wording(finding_of(report, "legal moves").message, "position")


@pytest.mark.slow
def test_the_command_of_a_finding_asks_again(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(observation, rng):\n    return 99\n")
    report = checked(arena.get_player(str(bot)), game="kuhn")
    text = next(str(observations) for observations in reachable(KUHN, 10_000) or ())
    assert f"'{text}'" in finding_of(report, "legal moves").reproduction
    answers = arena.plugin.ask(str(bot), text, game="kuhn", seed=1)
    assert not answers.moves
    assert sum(answers.faults.values()) == 1


def test_a_player_with_batches_is_asked_alone() -> None:
    info = arena.PlayerInfo("folds", folds, choose_batch=lambda *_: 1 / 0)
    assert checked(info, game="kuhn").conforms
