"""A regression run proves of a player only what holds in its own games."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import arena
from arena.features.regress.comparison import compare_job
from arena.features.regress.plan import PlayerExam
from arena.features.regress.record import RegressionVerdict
from arena.player import PlayerInfo
from arena.players import triples
from arena.plugin.catalogue import Catalogue
from tests.golden import Wording
from tests.simple import last, perfect_moves, uniform

Make = Callable[..., Catalogue]

CLAIMS = ("never-loses:tictactoe",)

HONEST = "from arena.players.triples import choose as perfect\n\n\ndef choose(position, rng):\n"
#: Counts the games where a module that is executed anew cannot: 450 are more than the player is
#: asked again for its moves, and fewer than the trial adds to that.
TURNS = """
import sys

sys.loads = getattr(sys, "loads", 0) + 1
"""


def test_a_claim_does_not_hold_if_a_player_does_not_play_as_it_declares(
    catalogue_with: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    liar = PlayerInfo("liar", last, claims=CLAIMS, distribution=perfect_moves)
    report = arena.regress(["liar"], catalogue=catalogue_with(liar), executor="serial")
    (check,) = report.failures
    assert (report.exit_code, check.verdict, check.player) == (1, RegressionVerdict.BROKEN, "liar")
    assert re.search(r" \d at [xo_]{9} .*\btictactoe/liar/", check.message)


@pytest.mark.slow
def test_the_game_that_refutes_a_claim_can_be_played_again(catalogue_with: Make) -> None:
    liar = PlayerInfo("liar", last, claims=CLAIMS, distribution=perfect_moves)
    (check,) = compare_job(PlayerExam(liar, arena.get_game("tictactoe"), CLAIMS)).claims
    game_id = check.message.rpartition(" ")[2]
    assert "/liar/monkey/" in game_id
    replayed = arena.replay(game_id, catalogue=catalogue_with(liar))
    messages = check.message.split()
    played, position = messages[messages.index("at") - 1], messages[messages.index("at") + 1]
    start = arena.get_game("tictactoe").start()
    positions = [start]
    for move in replayed.moves:
        positions.append(positions[-1].play(start.game.parse_move(move)))
    assert replayed.moves[list(map(str, positions)).index(position)] == played


@pytest.mark.slow
def test_frequencies_that_are_not_the_declared_ones_refute_a_claim(wording: Wording) -> None:
    lazy = PlayerInfo("lazy", last, claims=CLAIMS, distribution=uniform)
    (check,) = compare_job(PlayerExam(lazy, arena.get_game("tictactoe"), CLAIMS)).claims
    assert check.verdict == RegressionVerdict.BROKEN
    wording(check.message, "400")


@pytest.mark.slow
@pytest.mark.parametrize("is_declared", [True, False])
def test_an_honest_claim_holds_and_only_a_declared_one_needs_games(is_declared: bool) -> None:
    honest = PlayerInfo("honest", triples.choose, claims=CLAIMS)
    if is_declared:
        honest = replace(honest, distribution=perfect_moves)
    (check,) = compare_job(PlayerExam(honest, arena.get_game("tictactoe"), CLAIMS)).claims
    assert check.verdict == RegressionVerdict.HOLDS
    assert check.games == (400 if is_declared else 0)
    assert check.message.endswith(" 400 real games agree" if is_declared else "723 positions")


@pytest.mark.slow
def test_a_file_that_turns_after_many_games_is_told_from_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    bot = tmp_path / "bot.py"
    bot.write_text(HONEST + "    return perfect(position, rng)\n")
    names = ["heuristic", "tictactoe1"]
    arena.regress(["./bot.py"], panel=names, update=True, isolation="process")
    before = (tmp_path / "arena-baseline.json").read_text()
    bot.write_text(
        TURNS + HONEST + "    if sys.loads > 450:\n        return position.legal_moves()[-1]\n"
        "    return perfect(position, rng)\n"
    )
    for update in (False, True):
        report = arena.regress(["./bot.py"], update=update, isolation="process")
        (check,) = report.failures
        assert (report.exit_code, check.verdict) == (1, RegressionVerdict.BROKEN)
        wording(check.message)
        assert (tmp_path / "arena-baseline.json").read_text() == before
    assert not hasattr(sys, "loads")
