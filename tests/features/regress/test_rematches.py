"""Players that cannot be enumerated: the same pairs again, and a sequential test."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import UsageError
from arena.features.regress import comparison as comparison_module
from arena.features.regress.baseline import BaselinePairs
from arena.features.regress.nonregression import NonRegression
from arena.features.regress.record import RegressionReport, RegressionVerdict, in_words
from arena.features.regress.rematches import Rematch
from arena.features.regress.series import SeriesPairs
from arena.fights.pairing import Pairing
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.reports.tables import plain
from tests.golden import Wording
from tests.samples import few


class Shadow:
    """Plays near the opponent's last move, as examples/bots/remembers.py."""

    def start(self, game: Any, side: Any, rng: random.Random) -> None:
        self.rng, self.last = rng, -1

    def choose(self, position: Any) -> int:
        legal: tuple[int, ...] = position.legal_moves()
        if wins := self.wins(position):
            return wins[0]
        if self.last < 0:
            return self.rng.choice(legal)
        return min(legal, key=lambda move: abs(move - self.last))

    def wins(self, position: Any) -> tuple[int, ...]:
        result: tuple[int, ...] = position.winning_moves(position.to_move)
        return result

    def observe(self, move: int) -> None:
        self.last = move

    def finish(self, outcome: Any) -> None:
        pass


class Weakened(Shadow):
    """Does not see that it can win."""

    def wins(self, position: Any) -> tuple[int, ...]:
        return ()


class Noisy(Shadow):
    """Has a generator of its own, which no seed reaches."""

    def start(self, game: Any, side: Any, rng: random.Random) -> None:
        self.rng, self.last = random.Random(), -1


class Raising(Shadow):
    """Raises at its second move."""

    def choose(self, position: Any) -> int:
        if position.ply > 1:
            raise ZeroDivisionError("oh no")
        return super().choose(position)


def shadow(player: type[Shadow] = Shadow) -> PlayerInfo:
    return PlayerInfo("shadow", player, games=("tictactoe",), stateless=False)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, catalogue: Catalogue) -> Path:
    """Return a baseline with the games of Shadow."""
    file = tmp_path_factory.mktemp("sampled") / "baseline.json"
    report = arena.regress(
        [shadow()], game="tictactoe", panel=["monkey", "triples"], baseline=file, update=True,
        catalogue=catalogue,
    )  # fmt: skip
    shadows = [c for c in report.comparisons if c.player == "shadow"]
    assert [(c.verdict, c.pairs) for c in shadows] == [(RegressionVerdict.NEW, 1400)]
    return file


def check(player: PlayerInfo, file: Path, catalogue: Catalogue, **options: Any) -> RegressionReport:
    if "workers" not in options:
        options["executor"] = "serial"
    return arena.regress([player], game="tictactoe", baseline=file, catalogue=catalogue, **options)


@pytest.mark.slow
def test_a_player_that_has_not_changed_plays_the_same_pairs(
    recorded: Path, catalogue: Catalogue
) -> None:
    reports = [check(shadow(), recorded, catalogue, workers=workers) for workers in (1, 2)]
    assert reports[0].as_json() == reports[1].as_json()
    (comparison,) = reports[0].comparisons
    assert (reports[0].exit_code, comparison.verdict) == (0, RegressionVerdict.SAME)
    assert (comparison.differing, comparison.before) == (0, comparison.after)
    assert comparison.pairs < 200, "the test stops as soon as it is decided"
    assert {score.opponent for score in comparison.panel} == {"monkey", "triples"}


@pytest.mark.slow
def test_a_weaker_player_is_found_with_a_game_that_shows_it(
    recorded: Path, catalogue: Catalogue, catalogue_with: Callable[..., Catalogue], wording: Wording
) -> None:
    report = check(shadow(Weakened), recorded, catalogue)
    (comparison,) = report.comparisons
    assert (report.exit_code, comparison.verdict) == (1, RegressionVerdict.WEAKER)
    assert comparison.line is not None
    assert comparison.before is not None
    assert comparison.after is not None
    assert comparison.after < comparison.before
    fall = comparison.fall
    assert fall is not None
    assert 0 < fall.low < fall.value < fall.high < 1
    wording(comparison.message, f"{fall}", f"{comparison.pairs}")
    game_id = comparison.line.command.removeprefix("arena replay ")
    replayed = arena.replay(game_id, catalogue=catalogue_with(shadow(Weakened)))
    assert replayed.moves == tuple(step.move for step in comparison.line.steps)
    assert replayed.winner != "shadow"


@pytest.mark.slow
def test_a_stronger_player_is_not_weaker_by_the_margin(
    tmp_path: Path, catalogue: Catalogue, wording: Wording
) -> None:
    file = tmp_path / "baseline.json"
    check(shadow(Weakened), file, catalogue, panel=["monkey"], update=True, n=100)
    report = check(shadow(), file, catalogue, margin=0.1)
    (comparison,) = report.comparisons
    assert (report.exit_code, comparison.verdict) == (0, RegressionVerdict.NO_WEAKER)
    wording(comparison.message, "0.1")
    assert comparison.fall is not None
    assert comparison.fall.low < comparison.fall.value < 0
    page = plain(report)
    assert in_words(RegressionVerdict.NO_WEAKER, "0.1") in page
    assert RegressionVerdict.NO_WEAKER not in page
    assert comparison.as_json()["verdict"] == "no weaker", "programs read the old value"
    assert comparison.as_json()["fall"] == comparison.fall.as_json()


@pytest.mark.slow
def test_noise_is_no_weakness(recorded: Path, catalogue: Catalogue) -> None:
    report = check(shadow(Noisy), recorded, catalogue, level=1e-6)
    assert report.exit_code in (0, 3)
    assert report.comparisons[0].differing > 0


@pytest.mark.slow
def test_too_few_pairs_leave_it_undecided_and_say_what_helps(
    tmp_path: Path, catalogue: Catalogue, wording: Wording
) -> None:
    file = tmp_path / "baseline.json"
    check(shadow(), file, catalogue, panel=["monkey"], update=True, n=70)
    report = check(shadow(), file, catalogue, margin=0.02)
    assert (report.exit_code, report.comparisons[0].verdict) == (3, RegressionVerdict.UNDECIDED)
    wording(report.comparisons[0].message, "--update -n")
    assert check(shadow(), file, catalogue).exit_code == 0


@pytest.mark.slow
def test_quick_is_a_larger_margin_and_half_the_pairs(recorded: Path, catalogue: Catalogue) -> None:
    report = check(shadow(), recorded, catalogue, quick=True)
    assert (report.exit_code, report.margin, report.quick) == (0, 0.1, True)
    assert report.comparisons[0].pairs < 100


@pytest.mark.slow
def test_a_player_that_raises_is_at_fault_and_shown(
    recorded: Path, catalogue: Catalogue, wording: Wording
) -> None:
    report = check(shadow(Raising), recorded, catalogue)
    assert report.exit_code == 4
    assert report.comparisons[0].line is not None
    wording(report.comparisons[0].line.forfeit, "ZeroDivisionError")


@pytest.mark.slow
def test_an_update_keeps_the_seed_and_the_pairs(
    recorded: Path, tmp_path: Path, catalogue: Catalogue
) -> None:
    file = tmp_path / "baseline.json"
    file.write_bytes(recorded.read_bytes())
    report = check(shadow(), file, catalogue, update=True)
    assert report.comparisons[0].verdict == RegressionVerdict.SAME
    assert file.read_bytes() == recorded.read_bytes()
    assert check(shadow(), file, catalogue, update=True, seed=2).written
    assert file.read_text().count('"seed": 2') == 2


@pytest.mark.slow
def test_a_policy_that_can_be_enumerated_no_more_is_compared_by_games(
    small_baseline: Path, catalogue: Catalogue
) -> None:
    player = catalogue.player("tictactoe1")

    def floats(position: Any, rng: random.Random) -> Any:
        float(rng.random())
        return player.player(position, rng)

    report = check(replace(player, player=floats), small_baseline, catalogue)
    (comparison,) = report.comparisons
    assert (report.exit_code, comparison.verdict) == (0, RegressionVerdict.NO_WEAKER)
    assert (comparison.method, comparison.margin) == ("games", 0.05)
    assert "float" in comparison.message


@pytest.mark.slow
def test_a_policy_with_too_many_draws_is_compared_by_games(
    small_baseline: Path, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparison_module, "MAX_POLICY_BRANCHES", 100)
    (comparison,) = check(
        catalogue.player("tictactoe1"), small_baseline, catalogue, n=20, panel=["triples"]
    ).comparisons
    assert (comparison.method, comparison.pairs) == ("games", 20)
    assert "more than 100 results" in comparison.message
    assert {score.opponent for score in comparison.panel} == {"triples"}


@pytest.mark.slow
def test_a_player_whose_slips_cannot_be_enumerated_is_found_weaker_by_games(
    small_baseline: Path, catalogue: Catalogue
) -> None:
    player = catalogue.player("tictactoe1")

    def slips(position: Any, rng: random.Random) -> Any:
        if float(rng.random()) < 0.3:
            return position.legal_moves()[-1]
        return player.player(position, rng)

    reports = [
        check(replace(player, player=slips), small_baseline, catalogue, workers=workers)
        for workers in (1, 2)
    ]
    assert reports[0].as_json() == reports[1].as_json()
    (comparison,) = reports[0].comparisons
    assert (reports[0].exit_code, comparison.verdict) == (1, RegressionVerdict.WEAKER)
    assert comparison.line is not None
    assert comparison.fall is not None
    assert comparison.fall.low > 0


def test_a_fall_whose_interval_excludes_none_is_a_finding(wording: Wording) -> None:
    player = PlayerInfo("player", Shadow, stateless=False)
    pairing = Pairing(arena.get_game("tictactoe"), player, arena.get_player("monkey"), 1400, 1)
    falls = [-1] * 500 + [1] * 400 + [0] * 500
    random.Random(1).shuffle(falls)
    played = SeriesPairs((pairing,))
    played.points = [[(1 + (fall > 0), 1 - (fall < 0)) for fall in falls]]
    before = {"monkey": BaselinePairs(1, (2,) * 1400)}
    for margin, verdict in ((0.05, RegressionVerdict.NO_WEAKER), (0.03, RegressionVerdict.WEAKER)):
        rematch = Rematch(
            player, pairing.game, before, NonRegression(margin, 0.05), (pairing,), False
        )
        comparison = rematch.conclude(played)
        assert comparison.verdict == verdict
        assert comparison.fall is not None
        assert 0 < comparison.fall.low < comparison.fall.high < 0.06
        assert comparison.is_slightly_weaker == (verdict == RegressionVerdict.NO_WEAKER)
        wording(comparison.message, "0.0")


def noisy_differences(rng: random.Random, fall: float) -> list[int]:
    """Pairs of two players that win, draw and lose at random, one of them worse by the fall."""
    new = [sum(rng.random() < 0.5 - fall for _ in range(4)) for _ in range(3000)]
    old = [sum(rng.random() < 0.5 for _ in range(4)) for _ in range(3000)]
    return [a - b for a, b in zip(new, old, strict=True)]


@pytest.mark.slow
@pytest.mark.parametrize(("fall", "wrong"), [(0.0, "H0"), (0.1, "H1")])
def test_the_errors_of_the_test_are_as_rare_as_it_says(fall: float, wrong: str) -> None:
    """With both at 5 %, 100 trials have fewer than 12 errors but once in two hundred times."""
    rng, test, errors = random.Random(7), NonRegression(0.1, 0.05), 0
    for _ in range(100):
        differences = noisy_differences(rng, fall)
        stops = (test.of(differences[:n]).decision for n in range(20, 3000, 40))
        errors += next((stop for stop in stops if stop != "continue"), "") == wrong
    assert errors < 12


def test_a_collapse_is_found_within_a_few_pairs() -> None:
    """Also where the level is shared by ten comparisons."""
    assert NonRegression(0.02, 0.005).of([-4] * 30).decision == "H0"
    assert NonRegression(0.02, 0.005).of([0] * 150).decision == "H1"
    assert NonRegression(0.02, 0.005).of([0] * 140).decision == "continue"


@pytest.mark.parametrize(("margin", "level"), few([(0, 0.05), (0.02, 0), (1, 0.05), (0.02, 0.95)]))
def test_margins_and_levels_that_cannot_be(
    margin: float, level: float, built_in: Path, wording: Wording
) -> None:
    with wording.raises(UsageError):
        arena.regress(baseline=built_in, margin=margin, level=level)
