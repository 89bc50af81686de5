"""The progress bar: on a terminal, of a command, and of nothing else."""

from __future__ import annotations

import io
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import arena
from arena.features.rate.stored_ratings import read_fights
from arena.fights.observers import _Score
from arena.fights.pair_counts import PairCounts
from arena.fights.pairing import Pairing
from arena.main import main
from arena.player import stand_in
from arena.plugin.manager import load_catalogue
from arena.plugins import progress
from arena.records.base import Tally
from arena.records.joint import Joint
from arena.records.observers import Progress, Run
from arena.records.sequential import Hypotheses, SprtLook
from arena.testing import FakeClock
from tests.golden import Wording


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def terminal_for(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Have a terminal as standard error; a fixture's would be pytest's own again in the test."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    return terminal


COMMAND = ("fight", "monkey", "triples", "-n", "40", "--seed", "1", "--executor", "serial")


def test_a_command_shows_a_bar_and_removes_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = terminal_for(monkeypatch)
    assert main(COMMAND) == 0
    shown = terminal.getvalue()
    assert "0/80" in shown
    assert "games/s" in shown
    assert shown.rpartition("\r")[2].strip() == "", "the line is empty at the end"
    assert progress._bar._bar is None
    assert "games" in capsys.readouterr().out


def shown_of(*scores: tuple[tuple[str, str], tuple[int, int, int]]) -> Progress:
    """Return the state of a run with the counts of these pairings, of two pairs each."""
    catalogue = load_catalogue()
    pairings = [
        Pairing(catalogue.game("tictactoe"), catalogue.player(a), catalogue.player(b), 2, 1)
        for (a, b), _ in scores
    ]
    score = _Score(pairings)
    for number, (_, (wins, draws, losses)) in enumerate(scores):
        counts = PairCounts(joint=Joint(ww=wins, dd=draws, ll=losses))
        counts.openings.add("", counts.joint, counts.joint)
        score.note(number, counts)
    return score.progress()


def test_the_bar_of_a_tournament_names_the_leader_and_what_is_played(wording: Wording) -> None:
    state = shown_of(
        (("monkey", "triples"), (0, 0, 1)),
        (("monkey", "minimax"), (0, 0, 2)),
        (("triples", "minimax"), (0, 1, 0)),
    )
    wording(progress._score(state, 3))


def test_the_bar_of_a_tournament_has_the_ratings_of_the_best() -> None:
    state = shown_of(
        (("monkey", "triples"), (0, 1, 3)),
        (("monkey", "minimax"), (1, 0, 4)),
        (("triples", "minimax"), (0, 4, 0)),
        (("tree", "minimax"), (0, 1, 5)),
    )
    shown = re.fullmatch(
        r"triples ([+]\d+), minimax ([+]\d+), monkey (-\d+)", progress.rated(state)
    )
    assert shown
    elos = [int(elo) for elo in shown.groups()]
    assert elos == sorted(elos, reverse=True)
    assert progress._score(state, 4, "a +1").startswith("Elo a +1, now ")
    assert progress.rated(shown_of((("monkey", "triples"), (1, 0, 0)))) == ""


def test_ratings_take_a_small_part_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    state = shown_of((("monkey", "triples"), (0, 1, 3)), (("monkey", "minimax"), (1, 0, 4)))
    fits = []
    with FakeClock() as clock:

        def slow(state: Progress) -> str:
            fits.append(clock.monotonic())
            clock.advance(0.5)
            return "x"

        monkeypatch.setattr(progress, "rated", slow)
        ratings = progress.LiveRatings()
        for _ in range(1000):
            assert ratings.best(state) == "x"
            clock.advance(0.1)
    assert 9 <= len(fits) <= 11


def test_the_bar_of_a_fight_says_whose_results_it_shows() -> None:
    state = shown_of((("monkey", "triples"), (1, 0, 0)))
    assert progress._score(state, 1) == "monkey 1.2-100.0 % anytime"
    assert progress._score(shown_of((("monkey", "triples"), (0, 0, 0))), 1) == ""
    assert progress._score(Progress(2, 9, Tally(2, 1, 0)), 0) == "checked players +2 =1 -0"


def test_a_command_without_a_terminal_shows_none(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(COMMAND) == 0
    assert capfd.readouterr().err == ""


def test_a_program_shows_none(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_for(monkeypatch)
    arena.fight("monkey", "triples", 40, seed=1, executor="serial")
    assert terminal.getvalue() == ""


@pytest.mark.slow
@pytest.mark.parametrize("players", [("monkey", "triples"), ("monkey", "triples", "lines")])
def test_a_program_that_asks_for_a_bar_has_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, players: tuple[str, ...]
) -> None:
    terminal = terminal_for(monkeypatch)
    for _ in range(2):  # which are the same: a run that is stored is not played again
        store = tmp_path / "s.db"
        arena.tournament(players, 5, seed=1, executor="serial", store=store, progress=True)
        shown = terminal.getvalue()
        assert f"0/{10 * len(players) * (len(players) - 1) // 2}" in shown
    assert shown.rpartition("\r")[2].strip() == "", "the line is empty at the end"


def test_an_error_removes_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal_for(monkeypatch)

    def interrupted(*_: object, **__: object) -> object:
        assert progress._bar._bar is not None
        raise KeyboardInterrupt

    monkeypatch.setattr("arena.fights.play._working", interrupted)
    assert main(COMMAND) == 130
    assert progress._bar._bar is None


def test_the_bar_of_a_sequential_test_has_its_ratio_bounds_and_end() -> None:
    look = SprtLook(100, 1.0, -2.94, 2.94)
    state = Progress(200, 9000, Tally(120, 0, 80), "anna", look=look, playing=("anna", "bert"))
    run = Run("fight", 1, sprt=Hypotheses(0, 10))
    assert progress._score(state, 1) == "LLR 1.00 in -2.94..2.94"
    assert progress._total(state, run) == 294
    assert progress._total(replace(state, look=replace(look, llr=0.001)), run) == 4500


def test_a_display_hears_what_the_test_sees() -> None:
    catalogue = load_catalogue()
    a, b = map(catalogue.player, ("monkey", "triples"))
    score = _Score([Pairing(catalogue.game("tictactoe"), a, b, 30, 1)], sprt=Hypotheses(0, 10))
    counts = PairCounts(joint=Joint(ww=12, dd=6, ll=2))
    counts.openings.add("", counts.joint, counts.joint)
    score.note(0, counts)
    look = score.progress().look
    assert look is not None
    expected = arena.sprt([2, 0, 6, 0, 12], elo0=0, elo1=10)
    assert look == SprtLook(20, expected.llr, expected.lower, expected.upper)


@pytest.mark.slow
def test_a_tournament_whose_games_pay_shows_payoffs_and_no_elo(tmp_path: Path) -> None:
    """Who wins more games at leduc may lose more chips."""
    names, store = ["monkey", "cfr:iterations=20", "cfr:iterations=1"], tmp_path / "games.db"
    played = arena.tournament(names, 40, game="leduc", seed=1, executor="serial", store=store)
    fights = list(read_fights(store, None, None))
    pairings = []
    for fight in fights:
        a, b = (stand_in(player.name) for player in fight.players)
        pairings.append(Pairing(fight.game, a, b, 40, 1))
    score = _Score(pairings)
    for number, fight in enumerate(fights):
        score.note(number, PairCounts.of_pairs(fight.pairs))
    state = score.progress()
    assert state.payoffs == tuple((r.player, float(r.payoff or 0)) for r in played.standings)
    assert state.leader == played.standings[0].player
    assert state.leader_tally == played.standings[0].tally
    assert state.scores == ()
    shown = progress._score(
        replace(state, playing=("a", "b")), 3, progress.LiveRatings().best(state)
    )
    assert shown.startswith(f"{state.leader} {state.payoffs[0][1]:.3f}, ")
    assert "Elo" not in shown
