"""Players compared by games that pay: the fall is in the unit of the game."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import UsageError
from arena.features.regress.files import read_baseline, to_text
from arena.features.regress.nonregression import NonRegression, counted
from arena.features.regress.page import happened
from arena.features.regress.record import RegressionReport, RegressionVerdict
from arena.game import Observation
from arena.player import PlayerInfo
from arena.plugin.catalogue import Catalogue
from arena.records.paid import scale_of
from tests.conftest import Run
from tests.golden import Wording

KUHN = arena.get_game("kuhn")


def bets(observation: Observation, rng: random.Random) -> int:
    """Bet and call with any card: the most that it wins or loses."""
    return observation.legal_moves()[-1]


def folds(observation: Observation, rng: random.Random) -> int:
    """Never risk a chip more, whatever it holds."""
    return observation.legal_moves()[0]


BOT = PlayerInfo("bot", bets)


def check(player: PlayerInfo, file: Path, catalogue: Catalogue, **options: Any) -> RegressionReport:
    return arena.regress(
        [player], game="kuhn", panel=["monkey"], baseline=file, catalogue=catalogue,
        executor="serial", **options,
    )  # fmt: skip


@pytest.fixture
def recorded(tmp_path: Path, catalogue: Catalogue) -> Path:
    """Return a baseline of the bot against monkey."""
    file = tmp_path / "baseline.json"
    assert check(BOT, file, catalogue, update=True, n=600).written
    return file


@pytest.mark.slow
def test_a_baseline_has_the_payoffs_of_pairs_and_reads_back(
    recorded: Path, catalogue: Catalogue
) -> None:
    entry = json.loads(recorded.read_text())["games"]["kuhn"]["players"]["bot"]["against"]["monkey"]
    payoffs = [Fraction(word) for line in entry["payoffs"] for word in line.split()]
    fight = arena.fight(BOT, "monkey", 600, game="kuhn", seed=entry["seed"])
    assert fight.paid is not None
    assert sorted(payoffs) == [cell.a for cell in fight.paid.pairs for _ in range(cell.pairs)]
    assert to_text(read_baseline(recorded, catalogue)) == recorded.read_text()


@pytest.mark.slow
def test_a_player_that_has_not_changed_is_the_same(recorded: Path, catalogue: Catalogue) -> None:
    (comparison,) = check(BOT, recorded, catalogue).comparisons
    assert comparison.verdict == RegressionVerdict.SAME
    assert comparison.scale == scale_of(KUHN.payoffs)


def test_a_weaker_player_is_found_with_its_loss_in_chips(
    recorded: Path, catalogue: Catalogue, wording: Wording
) -> None:
    report = check(replace(BOT, player=folds), recorded, catalogue)
    (comparison,) = report.comparisons
    assert (report.exit_code, comparison.verdict) == (1, RegressionVerdict.WEAKER)
    assert comparison.fall is not None
    assert comparison.scale is not None
    (score,) = comparison.panel
    for player, expected in ((BOT, score.before), (replace(BOT, player=folds), score.after)):
        fight = arena.fight(player, "monkey", comparison.pairs, game="kuhn", seed=1)
        assert fight.paid is not None
        assert fight.paid.mean == comparison.scale.payoff(expected)
    assert comparison.fall.low < score.before - score.after < comparison.fall.high
    wording(happened(comparison), "chips")


def test_a_report_shows_payoffs(
    recorded: Path, run: Run, wording: Wording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(recorded.parent)
    Path("bot.py").write_text("def choose(view, rng):\n    return view.legal_moves()[-1]\n")
    words = ("regress", "bot=./bot.py", "--game", "kuhn", "--baseline", recorded.name)
    ran = run(*words)
    assert ran.code == 0
    assert "%" not in next(line for line in ran.out.splitlines() if line.startswith("bot"))
    wording(ran.out)


@pytest.mark.parametrize("payoffs", ["x", "1/0", "5", "-4.5", ""])
def test_payoffs_that_cannot_be_are_refused(
    recorded: Path, catalogue: Catalogue, payoffs: str, wording: Wording
) -> None:
    file = json.loads(recorded.read_text())
    file["games"]["kuhn"]["players"]["bot"]["against"]["monkey"]["payoffs"] = [payoffs]
    recorded.write_text(json.dumps(file))
    with pytest.raises(UsageError) as caught:
        read_baseline(recorded, catalogue)
    wording(str(caught.value).replace(str(recorded), "FILE"))


def test_whole_payoffs_are_tested_as_points_are() -> None:
    """A game that pays 0, 1/2 and 1 for a loss, a draw and a win has the differences of points."""
    rng = random.Random(1)
    differences = [rng.choice((-1, 0, 0, 1, 2)) for _ in range(300)]
    as_fractions = [Fraction(difference) for difference in differences]
    test = NonRegression(0.05, 0.05)
    assert test.of(as_fractions) == test.of(differences)
    assert counted(as_fractions) == counted(differences)
