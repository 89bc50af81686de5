"""``arena rate STORE``, ``history`` and ``evaluate`` at games that pay: Elo is of wins alone."""

from __future__ import annotations

import pytest

import arena
from arena.errors import UsageError
from arena.records.ratings import RatingTable
from tests.conftest import Run
from tests.golden import Wording

pytestmark = pytest.mark.usefixtures("in_a_folder_of_its_own")


def play(
    store: str, game: str, *names: str, n: int = 4, seed: int = 1
) -> arena.records.FightResult:
    a, b = names or ("step-1=monkey", "step-2=monkey")
    return arena.fight(a, b, n, game=game, seed=seed, store=store, executor="serial")


def rows(table: RatingTable) -> list[tuple[str, int, float | None]]:
    return [(row.player, row.tally.games, row.elo.value) for row in table.players]


def test_a_store_of_a_game_that_pays_is_refused_with_what_compares_its_players(
    run: Run, wording: Wording
) -> None:
    play("S", "kuhn")
    for words in (("rate", "S"), ("rate", "S", "--game", "kuhn"), ("history", "S", "--by", "step")):
        ran = run(*words)
        assert (ran.code, ran.out) == (2, "")
        assert "arena evaluate S" in ran.err
    play("S", "leduc")
    wording(run("rate", "S").err, "evaluate S")
    for game in ("kuhn", "leduc"):
        with pytest.raises(UsageError, match=f"^{game}: "):
            arena.rate_stores("S", game)


def test_games_that_pay_are_left_out_of_the_ratings_of_the_others(
    run: Run, wording: Wording
) -> None:
    play("S", "tictactoe")
    play("T", "tictactoe")
    play("T", "kuhn", n=50)
    alone, mixed = arena.rate_stores("S"), arena.rate_stores("T")
    assert rows(mixed) == rows(alone)
    assert mixed.statements[: len(alone.statements)] == alone.statements
    assert len(mixed.statements) == len(alone.statements) + 1
    wording(mixed.statements[-1], "kuhn")
    steps = run("history", "T", "--by", "step").out
    assert mixed.statements[-1] in steps
    play("T", "tictactoe-4")
    with pytest.raises(UsageError, match="tictactoe, tictactoe-4"):
        arena.rate_stores("T")


def test_a_result_that_pays_is_named_among_others() -> None:
    fights = [play("S", "tictactoe"), play("S", "kuhn")]
    with pytest.raises(UsageError, match=r"^kuhn: "):
        arena.rate(fights)


def test_a_file_of_results_that_pay_is_refused(run: Run, wording: Wording) -> None:
    for flags in (("fight", "monkey", "cfr"), ("tournament", "monkey", "cfr", "cfr:iterations=1")):
        words = (*flags, "-n", "2", "--game", "kuhn", "--format", "csv", "--output", "results.csv")
        assert run(*words).code == 0
        refused = run("rate", "results.csv")
        assert refused.code == 2
        wording(refused.err, "'results.csv'", " payoff")


def test_games_that_were_played_elsewhere_have_no_payoffs(run: Run) -> None:
    """The outcome says who got more: at leduc a loss of one chip counts as one of thirteen."""
    play("S", "leduc")
    assert run("export", "S", "--format", "pgn", "--output", "games.pgn").code == 0
    assert run("import", "games.pgn", "--store", "T").code == 0
    with pytest.raises(UsageError, match="leduc: "):
        arena.rate_stores("T")


@pytest.mark.needs("highspy")
def test_evaluate_leaves_out_games_without_their_payoffs(run: Run, wording: Wording) -> None:
    play("S", "leduc", "cfr:iterations=20", "monkey", n=40)
    alone = arena.evaluate_store("S")
    assert run("export", "S", "--format", "pgn", "--output", "games.pgn").code == 0
    assert run("import", "games.pgn", "--store", "T").code == 0
    with wording.raises(UsageError):
        arena.evaluate_store("T")
    both = arena.evaluate_store(["S", "T"])
    assert both.pairings == alone.pairings
    wording(both.statements[-1], "80")
