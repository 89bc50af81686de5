"""A regression run as a whole: which players are checked, and what keeps it from being decided."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import CannotPlay, UnknownName, UsageError
from arena.features.regress.record import (
    FAILURES,
    ClaimCheck,
    Comparison,
    RegressionReport,
    RegressionVerdict,
)
from arena.game import Position
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.plugin.registry import RejectedPlugin
from tests.golden import Wording
from tests.samples import few
from tests.simple import last

Make = Callable[..., Catalogue]

#: The players of the small baseline.
SMALL = ("heuristic", "tictactoe1", "tictactoe2", "tictactoe3", "triples")


def raising(position: Position, rng: random.Random) -> int:
    raise ZeroDivisionError("oh no")


def ending(position: Position, rng: random.Random) -> int:
    os._exit(3)


def ending_late(position: Position, rng: random.Random) -> int:
    if rng.random() < 2 and position.ply > 3:
        os._exit(3)
    return position.legal_moves()[0]


def floating(position: Position, rng: random.Random) -> int:
    return position.legal_moves()[int(rng.random() * len(position.legal_moves()))]


def verdicts(report: RegressionReport) -> dict[str, RegressionVerdict]:
    return {f"{check.player} {check.what}": check.verdict for check in report.checks}


@pytest.mark.slow
def test_new_players_are_told_and_no_failure(small_baseline: Path, catalogue_with: Make) -> None:
    catalogue = catalogue_with(only=(*SMALL, "monkey"))
    report = arena.regress(
        game="tictactoe", baseline=small_baseline, catalogue=catalogue, executor="serial"
    )
    assert report.exit_code == 0
    assert verdicts(report)["monkey strength"] == RegressionVerdict.NEW
    assert verdicts(report)["triples policy"] == RegressionVerdict.SAME


@pytest.mark.slow
def test_a_player_that_is_gone_is_a_fault_and_leaves_with_an_update(
    small_baseline: Path, tmp_path: Path, catalogue_with: Make
) -> None:
    file = tmp_path / "baseline.json"
    file.write_bytes(small_baseline.read_bytes())
    rest = catalogue_with(only=SMALL, without=("heuristic",))
    report = arena.regress(baseline=file, catalogue=rest, executor="serial")
    (fault,) = report.failures
    assert (report.exit_code, fault.player, fault.verdict) == (
        4,
        "heuristic",
        RegressionVerdict.FAULT,
    )
    assert "unknown player 'heuristic'" in fault.message
    with pytest.raises(UnknownName):
        arena.regress(
            baseline=file, update=True, panel=["heuristic"], catalogue=rest, executor="serial"
        )
    names = ["triples", "tictactoe1"]
    assert arena.regress(
        baseline=file, update=True, panel=names, catalogue=rest, executor="serial"
    ).written
    assert '"heuristic"' not in file.read_text()


@pytest.mark.slow
@pytest.mark.parametrize(("player", "reason"), few([(raising, "oh no"), (ending, "exit code 3")]))
@pytest.mark.parametrize("update", few([False, True]))
def test_a_player_at_fault_stops_nobody_else(
    small_baseline: Path,
    tmp_path: Path,
    catalogue_with: Make,
    player: Any,
    reason: str,
    update: bool,
    wording: Wording,
) -> None:
    file = tmp_path / "baseline.json"
    file.write_bytes(small_baseline.read_bytes())
    bad = PlayerInfo("tictactoe1", player, games=("tictactoe",), claims=("never-loses:tictactoe",))
    catalogue = catalogue_with(bad, only=SMALL)
    report = arena.regress(baseline=file, update=update, catalogue=catalogue)
    assert report.exit_code == 4
    assert {check.player for check in report.failures} == {"tictactoe1"}
    assert len(report.failures) == 2
    assert all(reason in check.message for check in report.failures)
    assert file.read_bytes() == small_baseline.read_bytes()
    assert len(report.notes) == update
    for note in report.notes:
        wording(note)


@pytest.mark.slow
def test_a_newcomer_at_fault_keeps_nobody_else_from_the_baseline(
    tmp_path: Path, small_baseline: Path, catalogue_with: Make, wording: Wording
) -> None:
    file = tmp_path / "baseline.json"
    bad = PlayerInfo("newcomer", lambda position, rng: 9, games=("tictactoe",))
    catalogue = catalogue_with(bad, only=SMALL)
    file.write_bytes(small_baseline.read_bytes())
    report = arena.regress(["newcomer"], baseline=file, update=True, catalogue=catalogue)
    assert report.exit_code == 4
    assert file.read_bytes() == small_baseline.read_bytes()
    file.unlink()
    report = arena.regress(
        game="tictactoe", baseline=file, update=True, quick=True, catalogue=catalogue
    )
    assert (report.exit_code, report.written) == (4, True)
    wording(report.notes[-1])
    report = arena.regress(baseline=file, catalogue=catalogue)
    assert report.exit_code == 0
    assert {check.player for check in report.comparisons} >= {"heuristic", "triples"}


@pytest.mark.slow
def test_an_update_records_no_games_of_a_newcomer_that_broke_them_off(
    tmp_path: Path, catalogue_with: Make, wording: Wording
) -> None:
    file = tmp_path / "baseline.json"
    bad = PlayerInfo("newcomer", ending_late, games=("tictactoe",))
    catalogue = catalogue_with(bad, only=("triples",))
    report = arena.regress(
        game="tictactoe", panel=["triples"], baseline=file, update=True, n=5, catalogue=catalogue
    )
    assert (report.exit_code, report.written) == (4, True)
    wording(report.notes[-1])
    assert "newcomer" not in file.read_text()
    assert arena.regress(baseline=file, catalogue=catalogue).exit_code == 0


@pytest.mark.slow
def test_a_plugin_that_does_not_load_is_a_fault_unless_players_were_named(
    small_baseline: Path, catalogue_with: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where no project is whose plugins alone matter
    catalogue = replace(
        catalogue_with(only=SMALL),
        broken=[RejectedPlugin("carl", "carls", "ImportError: no module named 'x'")],
    )
    report = arena.regress(baseline=small_baseline, catalogue=catalogue, executor="serial")
    assert (report.exit_code, report.verdict) == (4, RegressionVerdict.FAULT)
    assert "plugin carl" in report.broken[0]
    named = arena.regress(
        ["triples"], baseline=small_baseline, catalogue=catalogue, executor="serial"
    )
    assert (named.exit_code, named.broken) == (0, ())


@pytest.mark.parametrize(
    "claim",
    few(
        [
            "always-wins:tictactoe",
            "never-loses:ludo",
            "never-loses:connect4",
        ]
    ),
)
def test_a_claim_that_cannot_be_checked_is_a_fault(
    small_baseline: Path, catalogue: Catalogue, claim: str, wording: Wording
) -> None:
    boaster = replace(catalogue.player("triples"), claims=(claim,))
    report = arena.regress(
        [boaster], baseline=small_baseline, catalogue=catalogue, executor="serial"
    )
    assert report.exit_code == 4
    assert [(c.claim, c.verdict) for c in report.claims] == [(claim, RegressionVerdict.FAULT)]
    wording(report.claims[0].message)
    here = arena.regress(
        [boaster], game="tictactoe", baseline=small_baseline, catalogue=catalogue, executor="serial"
    )
    assert (here.exit_code, here.claims) == (0, ())


def test_a_claim_at_a_game_too_large_is_bounded_or_refuted_by_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalogue_with: Make, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    claims = ("never-loses:tictactoe",)
    beaten = PlayerInfo("beaten", last, games=("tictactoe",))
    best = replace(catalogue_with().player("minimax"), claims=claims)
    worse = PlayerInfo("worse", floating, games=("tictactoe",), claims=claims)
    catalogue = catalogue_with(beaten, best, worse)
    monkeypatch.setattr("arena.features.regress.comparison.MAX_CLAIM_POSITIONS", 50)
    monkeypatch.setattr("arena.features.regress.play.CLAIM_PAIRS", 40)
    report = arena.regress(["minimax", "worse"], catalogue=catalogue, executor="serial")
    result = {check.player: check for check in report.claims}
    assert result["minimax"].verdict == RegressionVerdict.BOUNDED
    games = result["minimax"].games
    assert 80 <= games < 2 * (40 + len(list(catalogue.players)))  # as many with everybody
    assert result["minimax"].loss_bound == pytest.approx(1 - 0.05 ** (1 / games))
    wording(result["minimax"].message, f"{games}")
    assert result["worse"].verdict == RegressionVerdict.BROKEN
    line = result["worse"].line
    assert line is not None
    replayed = arena.replay(line.command.split()[-1], catalogue=catalogue)
    assert replayed.moves == tuple(step.move for step in line.steps)
    assert replayed.winner not in ("worse", None)
    assert report.exit_code == 1


@pytest.mark.slow
def test_a_stateful_player_without_chance_is_proved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalogue: Catalogue
) -> None:
    monkeypatch.chdir(tmp_path)

    class Perfect:
        def start(self, game: Any, side: Any, rng: Any) -> None:
            pass

        def choose(self, position: Any) -> Any:
            return catalogue.player("triples").player(position, None)

        def observe(self, move: int) -> None:
            pass

        def finish(self, outcome: Any) -> None:
            pass

    claims = ("never-loses:tictactoe",)
    player = PlayerInfo("perfect", Perfect, stateless=False, claims=claims)
    report = arena.regress([player], catalogue=catalogue, executor="serial")
    assert [(c.verdict, c.method) for c in report.claims] == [(RegressionVerdict.HOLDS, "proof")]


@pytest.mark.slow
def test_a_broken_claim_is_not_accepted_by_an_update(
    small_baseline: Path, tmp_path: Path, catalogue: Catalogue, mutate: Callable[[str], PlayerInfo]
) -> None:
    file = tmp_path / "baseline.json"
    file.write_bytes(small_baseline.read_bytes())
    report = arena.regress(
        [mutate("no block")], baseline=file, update=True, catalogue=catalogue, executor="serial"
    )
    assert (report.exit_code, report.written) == (1, False)
    assert file.read_bytes() == small_baseline.read_bytes()


@pytest.mark.slow
def test_a_weaker_player_is_accepted_by_an_update(
    small_baseline: Path, tmp_path: Path, catalogue: Catalogue, mutate: Callable[[str], PlayerInfo]
) -> None:
    file = tmp_path / "baseline.json"
    file.write_bytes(small_baseline.read_bytes())
    weaker = replace(mutate("no block"), claims=())
    assert (
        arena.regress([weaker], baseline=file, catalogue=catalogue, executor="serial").exit_code
        == 1
    )
    report = arena.regress(
        [weaker], baseline=file, update=True, catalogue=catalogue, executor="serial"
    )
    assert (report.exit_code, report.written, report.verdict) == (0, True, RegressionVerdict.WEAKER)
    assert (
        arena.regress([weaker], baseline=file, catalogue=catalogue, executor="serial").exit_code
        == 0
    )


def test_what_cannot_be_asked_for(
    small_baseline: Path, catalogue: Catalogue, wording: Wording
) -> None:
    def ask(*players: str, **options: Any) -> None:
        arena.regress(
            players, baseline=small_baseline, catalogue=catalogue, **options, executor="serial"
        )

    with wording.raises(UnknownName, match="'monkey'"):
        ask("monkye")
    with wording.raises(UsageError):
        ask("triples", "triples")
    with wording.raises(CannotPlay):
        ask("triples", game="connect4")
    with wording.raises(UsageError, match="'monkey'"):
        ask(panel=["monkey"])


@pytest.mark.slow
def test_a_player_in_a_file_is_compared_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalogue: Catalogue, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("from arena.players.triples import choose\n")
    arena.regress(
        ["./bot.py"], panel=["heuristic"], update=True, catalogue=catalogue, executor="serial"
    )
    assert arena.regress(["./bot.py"], catalogue=catalogue, executor="serial").exit_code == 0
    (tmp_path / "bot.py").unlink()
    report = arena.regress(catalogue=catalogue, executor="serial")
    assert report.exit_code == 4
    wording(report.failures[0].message)


@pytest.mark.slow
def test_a_policy_at_a_larger_game_is_compared_exactly(
    tmp_path: Path, catalogue: Catalogue
) -> None:
    """Where symmetries are looked for, which ask about positions that are in no table."""
    file, game, player = tmp_path / "baseline.json", "mnk-5-2-3", PlayerInfo("last", last)
    for update in (True, False):
        report = arena.regress(
            [player],
            game=game,
            panel=["minimax"],
            baseline=file,
            update=update,
            catalogue=catalogue,
            executor="serial",
        )
        assert report.exit_code == 0
    exact = arena.exact(player, "minimax", game=game, catalogue=catalogue)
    assert [score.after for score in report.comparisons[0].panel] == [exact.total.score]


@pytest.mark.parametrize("first", FAILURES)
@pytest.mark.parametrize("second", FAILURES)
def test_the_exit_code_is_that_of_the_worst(
    first: RegressionVerdict, second: RegressionVerdict
) -> None:
    report = RegressionReport(
        "b", (ClaimCheck("p", "g", "c", first, ""),), (Comparison("p", "g", second, ""),)
    )
    codes = {FAILURES[first], FAILURES[second]}
    assert report.exit_code == next(code for code in (1, 4, 3) if code in codes)
    accepted = (
        4 if report.verdict == RegressionVerdict.FAULT else 0
    )  # a fault is left out, not accepted
    assert replace(report, written=True).exit_code == accepted


def test_the_level_is_shared_by_the_comparisons_that_rest_on_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catalogue: Catalogue
) -> None:
    file = tmp_path / "baseline.json"
    players = [PlayerInfo(f"float{n}", floating, games=("tictactoe",)) for n in range(3)]
    arena.regress(
        players, game="tictactoe", panel=["triples"], baseline=file, update=True, n=10,
        catalogue=catalogue, executor="serial")  # fmt: skip
    alarms = []

    def remember(test: Any) -> None:
        alarms.append(test.false_alarm)

    monkeypatch.setattr(
        "arena.features.regress.nonregression.NonRegression.__post_init__", remember
    )
    report = arena.regress(
        players, baseline=file, level=0.03, catalogue=catalogue, executor="serial"
    )
    assert alarms[-1] == pytest.approx(0.01)
    assert (report.sampled, report.level) == (3, 0.03)
