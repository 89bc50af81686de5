"""``arena.evaluate_store``: the matrix of a store, and every method with its intervals."""

from __future__ import annotations

import random
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.errors import UsageError
from arena.features.evaluate.record import EvaluatedPlayer
from arena.player import PlayerInfo
from arena.records import Evaluation
from arena.stats.interval import Z95
from arena.stats.ranks import critical_value
from tests.features.evaluate.stores import THREE, circle, play, record
from tests.golden import Wording

pytestmark = [
    pytest.mark.usefixtures("in_a_folder_of_its_own"),
    pytest.mark.needs("highspy"),
]

#: The moves of rock, paper, scissors in OpenSpiel's order.
RPS = ("rock", "paper", "scissors")

#: The methods whose numbers are weights that add up to 1.
WEIGHTS = ("nash", "alpha_rank", "lottery")


def rows(evaluation: Evaluation) -> dict[str, EvaluatedPlayer]:
    return {row.player: row for row in evaluation.players}


def above(evaluation: Evaluation, method: str) -> set[tuple[str, str]]:
    (orders,) = (each for each in evaluation.told_apart if each.method == method)
    return {*orders.above}


def test_three_in_a_circle_are_level_and_named() -> None:
    record("S", circle())
    evaluation = arena.evaluate_store("S")
    for row in evaluation.players:
        for method in WEIGHTS:
            number = getattr(row, method)
            assert number.value == pytest.approx(1 / 3, abs=1e-4)
            assert number.low <= number.value <= number.high
        assert row.against_nash.value == 0.5
        assert (row.ranked_pairs.value, row.ranked_pairs.low, row.ranked_pairs.high) == (1, 1, 3)
    assert all(not orders.above for orders in evaluation.told_apart)
    (one,) = evaluation.cycles
    assert (one.players, one.scores, one.is_sure) == (THREE, (0.8, 0.8, 0.8), True)
    # Of a sure circle of three the lottery by signs is known, whatever the margins are.
    assert all(
        (row.lottery.low, row.lottery.high) == (0.3333, 0.3334) for row in evaluation.players
    )


@pytest.mark.needs("open_spiel")
def test_rock_paper_scissors_itself_has_a_sure_cycle() -> None:
    def leaning(move: int) -> Any:
        def choose(position: Any, rng: random.Random) -> int:
            return move if rng.random() < 0.8 else rng.randrange(3)

        return choose

    players = [PlayerInfo(name, leaning(move)) for move, name in enumerate(RPS)]
    play("S", *players, game="openspiel:matrix_rps", n=60)
    evaluation = arena.evaluate_store("S")
    (one,) = evaluation.cycles
    assert one.is_sure
    assert one.players == ("paper", "rock", "scissors")
    assert all(0 < row.nash.low < 1 / 3 < row.nash.high < 1 for row in evaluation.players)


def test_a_circle_that_may_be_chance_is_possible() -> None:
    record("S", circle(11, 9))
    (one,) = arena.evaluate_store("S").cycles
    assert (one.players, one.is_sure) == (THREE, False)


def test_sure_wins_over_all_make_points() -> None:
    record("S", {("a", "b"): (90, 0, 10), ("a", "c"): (95, 0, 5), ("b", "c"): (85, 5, 10)})
    evaluation = arena.evaluate_store("S")
    assert [row.player for row in evaluation.players] == ["a", "b", "c"]
    for method in WEIGHTS:
        ends = [
            (number.value, number.low, number.high)
            for number in (getattr(row, method) for row in evaluation.players)
        ]
        assert ends == [(1, 1, 1), (0, 0, 0), (0, 0, 0)]
        assert above(evaluation, method) == {("a", "b"), ("a", "c")}
    assert [row.ranked_pairs.low for row in evaluation.players] == [1, 2, 3]
    assert [row.ranked_pairs.high for row in evaluation.players] == [1, 2, 3]
    assert above(evaluation, "ranked_pairs") == {("a", "b"), ("a", "c"), ("b", "c")}
    assert evaluation.cycles == ()


def test_the_matrix_has_the_scores_and_the_band_of_all_pairings() -> None:
    record("S", {("a", "b"): (60, 20, 20), ("b", "c"): (50, 0, 50), ("c", "a"): (30, 0, 70)})
    evaluation = arena.evaluate_store("S")
    assert evaluation.entries == 3
    assert evaluation.critical_value == pytest.approx(critical_value(3), abs=1e-4)
    assert evaluation.critical_value > Z95
    (pairing,) = (each for each in evaluation.pairings if {each.a, each.b} == {"a", "b"})
    score, low, high = pairing.score, pairing.low, pairing.high
    if pairing.a == "b":
        score, low, high = 1 - score, 1 - high, 1 - low
    assert score == pytest.approx(0.7)
    margin = critical_value(3) * (0.64 / 4 / 100) ** 0.5  # about: the variance of win, draw, loss
    assert low == pytest.approx(0.7 - margin, abs=0.03)
    assert high == pytest.approx(0.7 + margin, abs=0.03)


def test_a_real_tournament_is_evaluated_as_its_score_sheet_says() -> None:
    played = play("S", "tictactoe3", "monkey", "lines", n=30)
    evaluation = arena.evaluate_store("S")
    scores = {fight.players: fight.score for fight in played.fights}
    for pairing in evaluation.pairings:
        score = scores.get((pairing.a, pairing.b))
        expected = 1 - scores[pairing.b, pairing.a] if score is None else score
        assert pairing.score == pytest.approx(expected, abs=1e-4)
        assert pairing.low <= pairing.score <= pairing.high
    assert evaluation.players[-1].player == "monkey"
    assert {("tictactoe3", "monkey"), ("lines", "monkey")} <= above(evaluation, "ranked_pairs")
    assert evaluation.games == ("tictactoe",)
    assert evaluation.statements == ()


def test_a_copy_of_a_store_counts_once_and_its_name_may_be_a_path() -> None:
    play("S", "tictactoe3", "monkey", "lines")
    shutil.copy("S", "T")
    once, both = arena.evaluate_store(Path("S")), arena.evaluate_store(["S", "T"])
    assert once.players == both.players
    assert both.statements != ()


def test_a_pairing_that_was_never_played_is_not_known(wording: Wording) -> None:
    play("S", "tictactoe3", "monkey", n=30)
    play("S", "lines", "monkey", n=30)
    evaluation = arena.evaluate_store("S")
    (gap,) = (each for each in evaluation.pairings if not each.is_played)
    assert ({gap.a, gap.b}, gap.score, gap.low, gap.high) == ({"tictactoe3", "lines"}, 0.5, 0, 1)
    assert evaluation.entries == 2
    assert ("tictactoe3", "monkey") in above(evaluation, "ranked_pairs")
    assert not {("tictactoe3", "lines"), ("lines", "tictactoe3")} & above(
        evaluation, "ranked_pairs"
    )
    wording(evaluation.statements[-1], "1 pairing", "lines and tictactoe3")


def test_games_that_results_ended_have_wider_intervals(wording: Wording) -> None:
    play("S", "tictactoe3", "monkey", "lines", n=40)
    arena.until_fight(
        "tictactoe3", "monkey", store="T", seed=1, executor="serial", n=40, until="better"
    )
    fixed, ended = arena.evaluate_store("S", game="tictactoe"), arena.evaluate_store("T")
    assert fixed.statements == ()
    wording(ended.statements[-1], "1 pairing")


def test_a_run_that_was_cut_short_counts_by_intervals_that_hold_at_every_look(
    wording: Wording,
) -> None:
    play("S", "tictactoe3", "monkey", n=30)
    whole = arena.evaluate_store("S")
    play("S", "tictactoe3", "lines", n=30)
    with closing(sqlite3.connect("S")) as database, database:
        database.execute("DELETE FROM games WHERE run = 2 AND pair > 20")
    evaluation = arena.evaluate_store("S")
    assert whole.statements == ()
    wording(list(evaluation.statements))


def test_players_of_earlier_code_are_others() -> None:
    for seed, move in enumerate((0, -1)):
        code = f"def choose(position, rng):\n    return position.legal_moves()[{move}]\n"
        Path("bot.py").write_text(code)
        play("S", "bot=./bot.py", "monkey", seed=seed, isolation="none")
    names = sorted(row.player for row in arena.evaluate_store("S").players)
    assert len(names) == 3
    assert names[1].startswith("bot [")


def test_names_with_marks_of_formats_are_shown_as_they_are() -> None:
    name = "<b>x|*_`y`"
    record("S", {(name, "b"): (5, 0, 5), ("b", "c"): (5, 0, 5)})
    evaluation = arena.evaluate_store("S")
    assert name in str(evaluation)
    evaluation.save("page.html")
    assert name not in Path("page.html").read_text()
    assert "&lt;b&gt;x" in Path("page.html").read_text()


@pytest.mark.parametrize(
    ("results", "options"),
    [
        ({("a", "a"): (1, 1, 1)}, {}),
        ({("a", "b"): (1, 1, 1)}, {"game": "connect4"}),
        ({("a", "b"): (1, 1, 1)}, {"by": "game"}),
        ({("a", "b"): (1, 1, 1)}, {"by": "task"}),
        ({("a", "b"): (1, 1, 1)}, {"by": "game", "game": "tictactoe"}),
        ({("a", "b"): (1, 1, 1)}, {"count_forfeits": "some"}),
        ({(f"p{i}", f"p{i + 1}"): (1, 0, 0) for i in range(60)}, {}),
    ],
    ids=["one player", "other game", "one task", "by task", "by and game", "forfeits", "many"],
)
def test_what_cannot_be_evaluated_is_said(
    results: dict[tuple[str, str], tuple[int, int, int]],
    options: dict[str, Any],
    wording: Wording,
) -> None:
    record("S", results)
    with wording.raises(UsageError):
        arena.evaluate_store("S", **options)


def test_tables_of_more_than_two_are_refused(wording: Wording) -> None:
    arena.table_tournament(
        ["wary", "monkey", "b=monkey"], 1, game="snakes-3", seed=1, store="S", executor="serial"
    )
    with wording.raises(UsageError, match="snakes-3"):
        arena.evaluate_store("S")


def test_without_highs_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    record("S", circle())
    monkeypatch.setitem(sys.modules, "highspy", None)
    with wording.raises(UsageError, match="proving-arena\\[solve\\]"):
        arena.evaluate_store("S")
