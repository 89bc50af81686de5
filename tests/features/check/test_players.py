"""The conformance check of players: who passes, and what is found in those that do not."""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import arena
from arena import testing
from arena.errors import CannotPlay, PlayerFault
from arena.features.check import repetition, traits
from arena.features.check.questions import Questionnaire, reachable, sampled
from arena.features.check.record import CheckReport, Finding, Level
from arena.features.check.remedies import REMEDIES
from arena.features.check.trials import ask_all, trial
from arena.game import Position
from arena.games.mnk import mnk_game
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.plugin.manager import load_catalogue
from tests.features.check import bad_players as bad
from tests.golden import Wording
from tests.samples import few

TICTACTOE = arena.get_game("tictactoe")
BUILT_IN = [
    name
    for name, info in load_catalogue().players
    if info.package == "proving-arena" and info.plays(TICTACTOE)
]


def checked(player: PlayerInfo, **options: Any) -> CheckReport:
    options = {"seed": 1, "positions": 40, "patience": 5.0, **options}
    return arena.check(player, **options)


def finding_of(report: CheckReport, check: str) -> Finding:
    return next(finding for finding in report.findings if finding.check == check)


@pytest.fixture
def without_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Copy this process instead of starting an interpreter, which takes most of the time."""

    def ask(exam: Questionnaire, order: Sequence[int], hash_seed: str) -> Any:
        return trial(partial(ask_all, exam, order))

    monkeypatch.setattr(repetition, "_ask_elsewhere", ask)


@pytest.mark.parametrize(
    "name",
    [
        name if name in ("monkey", "tictactoe3") else pytest.param(name, marks=pytest.mark.slow)
        for name in BUILT_IN
    ],
)
def test_every_built_in_player_conforms(name: str) -> None:
    report = testing.check_player(name, positions=20)
    assert not report.at(Level.WARNING)
    if arena.get_player(name).claims:
        assert "proved" in finding_of(report, "claims").message


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "game"),
    [("monkey", "connect4"), ("monkey", "mnk-9-9-5"), ("minimax", "mnk-3-2-2")],
)
@pytest.mark.usefixtures("without_fresh")
def test_built_in_players_conform_at_other_games(name: str, game: str) -> None:
    testing.check_player(name, game=game, positions=100)


@pytest.mark.slow
def test_every_position_of_a_small_game_is_asked_for(wording: Wording) -> None:
    report = testing.check_player("triples")
    wording(report.extent, "4520", "10")
    wording(finding_of(report, "legal moves").message, "4520")
    assert finding_of(report, "deterministic").level == Level.PASS
    wording(finding_of(report, "symmetric").message, "793", "4520")


#: What is found in which player: the check, its level, and a part of what it says.
FOUND: list[tuple[Any, str, Level, str]] = [
    (bad.is_async, "kind", Level.FAIL, "async function"),
    (bad.Async, "kind", Level.FAIL, "async function"),
    (bad.generates, "kind", Level.FAIL, "generator"),
    (bad.generates_later, "kind", Level.FAIL, "generator"),
    (bad.exits, "process", Level.FAIL, "ended with exit code 7 at _"),
    (
        bad.corner_always,
        "legal moves",
        Level.FAIL,
        "corner_always returned 0, a taken square; the legal",
    ),
    (
        bad.rarely_illegal,
        "legal moves",
        Level.FAIL,
        "rarely_illegal returned 99; the legal moves are",
    ),
    (
        bad.raises_late,
        "legal moves",
        Level.FAIL,
        "it raises ZeroDivisionError: late (bad_players.py:",
    ),
    (
        bad.floats_badly,
        "legal moves",
        Level.FAIL,
        "floats_badly returned -1; the legal moves are",
    ),
    (bad.answers_text, "legal moves", Level.FAIL, "answers_text returned '"),
    (bad.IllegalLater, "legal moves", Level.FAIL, ", a taken square; the legal moves are"),
    (bad.tampers_with_the_rules, "position", Level.FAIL, "it changes MnkGame.k"),
    (bad.patches_the_class, "position", Level.FAIL, "it changes MnkPosition.cheat"),
    (bad.draws_globally, "global random", Level.FAIL, "the state of the global random"),
    (bad.draws_from_numpy, "global random", Level.FAIL, "the state of numpy.random"),
    (bad.answers_numpy, "plain ints", Level.WARNING, "it answers with int64, not int, at"),
    (bad.prints, "output", Level.WARNING, "it prints 'thinking about _"),
    (bad.unseeded, "same seed", Level.FAIL, "the same seed gives another answer"),
    (bad.unseeded, "stateless", Level.SKIPPED, "the same seed does not give"),
    (bad.counts, "stateless", Level.FAIL, "earlier questions change its answer"),
    (bad.Learns, "separate games", Level.FAIL, "earlier questions change its answer"),
]


#: What a finding tells the author to write, at its end.
WRITE = {
    "position": ". position.play(move) returns another position to try moves on",
    "global random": ". Draw from rng, its second argument: rng.choice(moves)",
    "plain ints": ". Return int(move)",
    "output": ". arena replay shows it; leave it out in the end",
    "memory": ". Keep what lasts a game in a class with start and choose",
    "same seed": ". Draw from rng alone, not from the time, id() or another generator",
    "stateless": ". Keep nothing between two calls, or write a class with start and choose",
    "separate games": ". Begin every game afresh in start(game, side, rng)",
    "fresh process": ". Sort a set before going through it; hash() of a text differs",
    "deterministic": ". Leave deterministic=True out, or draw nothing",
    "distribution": ". Return the probability of every move that choose may make",
    "games": ". Leave the game out of games=, or mend the player",
    "claims": ". Leave the claim out, or mend the player",
}


def test_every_remedy_is_tested() -> None:
    assert {check for check, _ in REMEDIES} == WRITE.keys()


@pytest.mark.slow
def test_memory_beyond_a_game_is_found_and_its_remedy_mends_it(
    tmp_path: Path, wording: Wording
) -> None:
    moves = "return position.legal_moves()[0]\n"
    leaves = f"import sys\ndef choose(position, rng):\n    sys.games = 1\n    {moves}"
    follows = (
        "class Bot:\n"
        "    def start(self, game, side, rng):\n        self.games = 1\n"
        f"    def choose(self, position):\n        {moves}"
    )
    bot = tmp_path / "bot.py"
    bot.write_text(leaves)
    finding = finding_of(arena.check(str(bot), seed=1, positions=20), "memory")
    assert finding.level == Level.WARNING
    wording(finding.message)
    bot.write_text(follows)
    report = arena.check(str(bot), seed=1, positions=20)
    assert report.conforms
    assert "memory" not in {finding.check for finding in report.findings}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "check", "level", "message"),
    FOUND,
    ids=[f"{function.__name__}-{check}" for function, check, _, _ in FOUND],
)
@pytest.mark.usefixtures("without_fresh")
def test_a_broken_promise_is_found(function: Any, check: str, level: Level, message: str) -> None:
    # All branches of one position are as many as those of forty positions of the others.
    positions = 1 if function is bad.rarely_illegal else 40
    report = checked(bad.player(function), positions=positions)
    finding = finding_of(report, check)
    assert finding.level == level
    assert message in finding.message
    is_bad = level in (Level.FAIL, Level.WARNING)
    assert finding.message.endswith(WRITE.get(check, "") if is_bad else "")
    assert bool(finding.reproduction) == (level != Level.SKIPPED)
    assert report.conforms == (level == Level.WARNING)


@pytest.mark.slow
@pytest.mark.parametrize("function", [bad.first_free, bad.floats, bad.Quiet, bad.Brief])
@pytest.mark.usefixtures("without_fresh")
def test_players_that_keep_every_promise_conform(function: Any) -> None:
    report = testing.check_player(bad.player(function), positions=100)
    assert not report.at(Level.WARNING)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no such timers")
def test_a_player_that_hangs_is_given_up(without_fresh: None) -> None:
    finding = finding_of(checked(bad.player(bad.hangs), patience=0.3), "process")
    assert finding.level == Level.FAIL
    assert " 0.3 s" in finding.message


def raises_a_semicolon(position: Position, rng: random.Random) -> int:
    raise ValueError("cannot be enumerated: one; two")


@pytest.mark.slow
def test_the_whole_message_of_an_exception_is_shown(without_fresh: None) -> None:
    finding = finding_of(checked(PlayerInfo("raiser", raises_a_semicolon)), "legal moves")
    text = "it raises ValueError: cannot be enumerated: one; two (test_players.py:"
    assert finding.message.startswith(text)


@pytest.mark.slow
def test_an_order_of_hashes_is_found_in_fresh_interpreters(wording: Wording) -> None:
    finding = finding_of(checked(bad.player(bad.by_hash)), "fresh process")
    assert finding.level == Level.FAIL
    wording(finding.message)
    assert finding.message.endswith(WRITE["fresh process"])


def test_a_player_that_cannot_be_pickled_gets_a_warning() -> None:
    def local(position: Any, rng: Any) -> int:
        return int(position.legal_moves()[0])

    report = checked(bad.player(local))
    assert report.conforms
    assert finding_of(report, "pickling").level == Level.WARNING
    assert "local object" in finding_of(report, "pickling").message
    assert finding_of(report, "fresh process").level == Level.SKIPPED


@pytest.mark.slow
def test_a_player_of_the_main_script_cannot_be_loaded_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
    wording: Wording,
) -> None:
    main = sys.modules["__main__"]
    monkeypatch.setattr(main, "mine", bad.floats, raising=False)
    monkeypatch.setattr(bad.floats, "__module__", "__main__")
    monkeypatch.setattr(bad.floats, "__qualname__", "mine")
    report = checked(bad.player(bad.floats))
    wording(finding_of(report, "pickling").message)
    assert sys.modules["__main__"] is main


@pytest.mark.parametrize(
    ("function", "traits", "check", "level", "message"),
    few([
        (bad.floats, {"deterministic": True}, "deterministic", Level.FAIL, "another generator"),
        (bad.Quiet, {"deterministic": True}, "deterministic", Level.FAIL, "another generator"),
        (bad.first_free, {"deterministic": True}, "deterministic", Level.PASS, "declared"),
        (bad.first_free, {}, "deterministic", Level.SKIPPED, "though true wherever"),
        (bad.first_free, {"distribution": bad.lies}, "distribution", Level.FAIL, "but plays 1: 1"),
        (bad.first_free, {"claims": ("never-loses:tictactoe",)}, "claims", Level.FAIL, "refuted"),
        (bad.floats, {"claims": ("never-loses:tictactoe",)}, "claims", Level.FAIL, "it loses game"),
        (bad.first_free, {"claims": ("never-loses:shogi",)}, "claims", Level.FAIL, "not installed"),
        (bad.floats, {"claims": ("never-loses:mnk-1-1-1",)}, "claims", Level.FAIL, "game 1.2"),
    ], 4),
)  # fmt: skip
@pytest.mark.usefixtures("without_fresh")
def test_declared_traits_are_put_to_the_test(
    function: Any, traits: dict[str, Any], check: str, level: Level, message: str
) -> None:
    finding = finding_of(checked(bad.player(function, **traits)), check)
    assert finding.level == level
    assert message in finding.message
    assert finding.message.endswith(WRITE[check]) == (level == Level.FAIL)


def test_a_claim_that_cannot_be_proved_is_a_warning(
    without_fresh: None, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr(traits, "MAX_CLAIM_POSITIONS", 10)
    report = checked(arena.get_player("triples"))
    finding = finding_of(report, "claims")
    assert finding.level == Level.WARNING
    wording(finding.message, "100")
    assert not finding.message.endswith(WRITE["claims"])


@pytest.mark.usefixtures("without_fresh")
def test_other_games_that_are_declared_are_tried(wording: Wording) -> None:
    info = bad.player(small_boards_only, package="somebody", games=("tictactoe", "mnk-*"))
    finding = finding_of(checked(info), "games")
    assert finding.level == Level.FAIL
    wording(finding.message, "ValueError")
    assert finding.message.endswith(WRITE["games"])
    assert finding.reproduction.startswith("arena replay mnk-4-3-3/small_boards_only/monkey/1/1.")


def small_boards_only(position: Any, rng: Any) -> int:
    if len(str(position)) > 9:
        raise ValueError("a large board")
    return int(position.legal_moves()[0])


def test_what_keeps_a_player_from_being_checked_is_its_fault(
    catalogue: Catalogue, wording: Wording
) -> None:
    with wording.raises(PlayerFault, match="FileNotFoundError"):
        checked(bad.player(bad.CannotStart))
    with wording.raises(PlayerFault):
        checked(bad.player(bad.EndsAtStart))
    with pytest.raises(CannotPlay):
        arena.check("triples", game="connect4", catalogue=catalogue)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")  # NumPy has threads
def test_the_assertion_names_every_failure_and_warns_of_the_rest(wording: Wording) -> None:
    with wording.raises(AssertionError) as caught:
        testing.check_player(bad.corner_always, positions=30)
    wording(str(caught.value), "corner_always", "get_game", "'tictactoe'")
    with pytest.warns(UserWarning, match="output: .* 'thinking about"):
        testing.check_player(bad.prints, positions=10)


@pytest.mark.slow
@pytest.mark.usefixtures("without_fresh")
def test_a_reproduction_in_python_does_what_was_found() -> None:
    import random

    finding = finding_of(checked(bad.player(bad.tampers_with_the_rules)), "position")
    assert "tampers_with_the_rules(arena.get_game('tictactoe').parse(" in finding.reproduction
    finding = finding_of(checked(bad.player(bad.floats_badly)), "legal moves")
    names = {"arena": arena, "random": random, "floats_badly": bad.floats_badly}
    if finding.reproduction.startswith("floats_badly"):
        assert eval(finding.reproduction, names) == -1
    else:
        assert eval(finding.reproduction, names).a.forfeits


def test_positions_are_all_or_a_sample() -> None:
    game = mnk_game(3, 3, 3)
    every = reachable(game, 4520)
    assert every is not None
    assert len(set(every)) == 4520
    assert reachable(game, 4519) is None
    some = sampled(game, 1, 50)
    assert len(set(some)) == 50
    assert set(some) < set(every)
    assert some == sampled(game, 1, 50) != sampled(game, 2, 50)


@pytest.mark.slow
def test_the_time_a_move_takes_is_told_on_request_only(without_fresh: None) -> None:
    info = bad.player(bad.first_free)
    finding = finding_of(checked(info, timed=True), "time")
    assert finding.level == Level.INFO
    assert "99th percentile" in finding.message
    assert checked(info).findings == checked(info).findings
    assert "time" not in {f.check for f in checked(info).findings}
