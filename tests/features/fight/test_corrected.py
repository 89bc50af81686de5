"""``--luck corrected``, as its user sees it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest

import arena
from arena.errors import UsageError
from tests.conftest import Run
from tests.golden import Wording

#: Raises with the king, and draws otherwise.
HONEST = """
def choose(view, rng):
    moves = view.legal_moves()
    return moves[-1] if view.events[0][0] == "K" else rng.choice(moves)
"""

#: Forfeits with the jack at its first turn.
QUITS = """
def choose(view, rng):
    if view.events[0][0] == "J":
        raise ValueError("a jack")
    return view.legal_moves()[0]
"""


@pytest.fixture
def honest(tmp_path: Path) -> str:
    bot = tmp_path / "honest.py"
    bot.write_text(HONEST)
    return str(bot)


def test_the_page_shows_both_and_what_was_saved(run: Run, honest: str, wording: Wording) -> None:
    options = ("--game", "kuhn", "-n", "200", "--seed", "1", "--luck", "corrected")
    ran = run("fight", "cfr", f"honest={honest}", *options, "--isolation", "none")
    assert (ran.code, ran.err) == (0, "")
    wording(ran.out)


@pytest.mark.slow
def test_the_interval_is_narrower_and_holds_the_exact_payoff(honest: str) -> None:
    bot = f"honest={honest}"  # its path is not the same every time
    exact = arena.exact("cfr", bot, game="leduc", max_positions=10**6).payoffs
    assert exact is not None
    fight = arena.fight("cfr", bot, 300, game="leduc", seed=1, luck="corrected")
    assert fight.paid is not None
    assert fight.corrected is not None
    assert fight.payoff is not None
    assert fight.payoff.low < exact[0] < fight.payoff.high
    assert fight.corrected.terms == ("luck", "cfr")
    assert fight.corrected.saved is not None
    assert fight.corrected.saved > 2.5
    plain = arena.fight("cfr", bot, 300, game="leduc", seed=1)
    assert plain.paid == fight.corrected.raw
    assert plain.joint == fight.joint
    assert plain.payoff is not None
    assert fight.payoff.high - fight.payoff.low < 0.85 * (plain.payoff.high - plain.payoff.low)


def test_of_known_players_nothing_is_left_to_chance(wording: Wording) -> None:
    fight = arena.fight("cfr", "monkey", 30, game="kuhn", seed=1, luck="corrected")
    exact = arena.exact("cfr", "monkey", game="kuhn").payoffs
    assert exact is not None
    assert fight.paid is not None
    assert float(fight.paid.mean or 0) == pytest.approx(float(exact[0]), abs=1e-5)
    wording.line(str(fight), "arena exact cfr monkey")
    view = fight.reversed()
    assert view.paid is not None
    assert view.paid.mean == -(fight.paid.mean or 0)
    assert view.corrected is not None
    assert view.corrected.raw.mean == -(fight.corrected.raw.mean or 0)  # type: ignore[union-attr]


@pytest.mark.slow
def test_the_same_seed_is_the_same_for_any_number_of_workers(honest: str) -> None:
    one, two = (
        arena.fight("cfr", honest, 60, game="kuhn", seed=1, luck="corrected", workers=workers)
        for workers in (1, 2)
    )
    assert one == two


@pytest.mark.slow
def test_a_store_keeps_what_was_corrected(honest: str, tmp_path: Path, run: Run) -> None:
    store = tmp_path / "games.db"
    fight = arena.fight("cfr", honest, 40, game="kuhn", seed=1, luck="corrected", store=store)
    shown = run("show", str(store), "--format", "json")
    assert json.loads(shown.out) == json.loads(json.dumps(fight.as_json()))
    assert run("verify", str(store)).code == 0
    with closing(sqlite3.connect(store)) as connection, connection:
        [(options,)] = connection.execute("SELECT options FROM runs")
    luck = json.loads(options)["luck"]
    assert fight.corrected is not None
    assert (luck["value"], luck["digest"]) == ("cfr", fight.corrected.digest)


@pytest.mark.slow
def test_an_interrupted_run_goes_on_with_the_value_function_that_it_began_with(
    honest: str, tmp_path: Path
) -> None:
    store = tmp_path / "games.db"
    whole = arena.fight("cfr", honest, 40, game="kuhn", seed=1, luck="corrected", store=store)
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("DELETE FROM games WHERE pair > 25")
        connection.execute("UPDATE runs SET finished = NULL")
        connection.execute("UPDATE fights SET result = NULL")
    assert arena.resume(store) == whole
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("DELETE FROM games WHERE pair > 25")
        connection.execute("UPDATE runs SET finished = NULL")
        [(text,)] = connection.execute("SELECT options FROM runs")
        options = json.loads(text)
        options["luck"]["digest"] = "0" * 32
        connection.execute("UPDATE runs SET options = ?", (json.dumps(options),))
    with pytest.raises(UsageError, match=r"'cfr'.*0{8}"):
        arena.resume(store)


@pytest.mark.slow
def test_a_player_that_forfeits_gains_nothing_by_luck(tmp_path: Path) -> None:
    bot = tmp_path / "quits.py"
    bot.write_text(QUITS)
    fight = arena.fight("cfr", str(bot), 15, game="kuhn", seed=1, luck="corrected")
    assert fight.paid is not None
    assert fight.b.forfeits["exception"] > 0
    assert fight.paid.reach is not None
    assert fight.paid.reach > 4
    lost = arena.fight(
        "cfr", str(bot), 15, game="kuhn", seed=1, luck="corrected", count_forfeits="none"
    )
    assert lost.paid is not None
    assert (lost.paid.mean or 0) > (fight.paid.mean or 0)


@pytest.mark.slow
def test_tournaments_questions_and_tests_take_corrected_payoffs(honest: str) -> None:
    tournament = arena.tournament(
        ["cfr", "monkey", honest], 30, game="kuhn", seed=1, luck="corrected"
    )
    terms = {
        fight.players: fight.corrected and fight.corrected.terms for fight in tournament.fights
    }
    names = [player.player for player in tournament.standings]
    assert len(terms) == len(names) == 3
    assert ("luck", "cfr", "monkey") in terms.values()
    until = arena.until_fight(
        "cfr", "monkey", 200, game="kuhn", seed=1, luck="corrected", until="better"
    )
    plain = arena.until_fight("cfr", "monkey", 200, game="kuhn", seed=1, until="better")
    assert until.report.decision == "better"
    assert until.fight.joint.pairs < plain.fight.joint.pairs
    sprt = arena.sprt_fight(
        "cfr", "monkey", 200, game="kuhn", seed=1, luck="corrected", model="normalized", elo1=50
    )
    assert sprt.test.decision == "H1"


@pytest.mark.needs("highspy")
def test_a_solved_game_is_a_value_function(honest: str, tmp_path: Path) -> None:
    file = tmp_path / "kuhn.jsonl"
    arena.game_value("kuhn", certificate=file)
    fight = arena.fight(
        "cfr", honest, 60, game="kuhn", seed=1, luck="corrected", value=file, store=tmp_path / "s"
    )
    assert fight.corrected is not None
    assert fight.corrected.value == str(file)
    by_cfr = arena.fight("cfr", honest, 60, game="kuhn", seed=1, luck="corrected")
    assert by_cfr.corrected is not None
    assert by_cfr.corrected.digest != fight.corrected.digest
    assert by_cfr.corrected.raw == fight.corrected.raw


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("monkey", "monkey", "--luck", "corrected"), 2),
        (("monkey", "monkey", "--game", "pig", "--luck", "corrected"), 2),
        (("monkey", "monkey", "--game", "prisoners-dilemma-5", "--luck", "corrected"), 2),
        (("monkey", "monkey", "--game", "liars-dice-2-6", "--luck", "corrected"), 3),
        (("monkey", "monkey", "--game", "liars-dice-1-6", "--luck", "corrected"), 2),
        (("monkey", "monkey", "--game", "kuhn", "--value", "kuhn.jsonl"), 2),
        (("monkey", "monkey", "--game", "kuhn", "--luck", "corrected", "--value", "no"), 2),
        (("monkey", "monkey", "--game", "kuhn", "--luck", "good"), 2),
    ],
)
def test_a_mistake_is_one_line(
    run: Run, argv: tuple[str, ...], code: int, wording: Wording
) -> None:
    ran = run("fight", *argv, "-n", "1")
    assert (ran.code, ran.out) == (code, "")
    wording(ran.err)


def test_the_score_is_on_the_scale_of_the_payoffs() -> None:
    fight = arena.fight("cfr", "monkey", 30, game="kuhn", seed=1, luck="corrected")
    assert fight.paid is not None
    assert fight.paid.width == 4
    assert fight.score == pytest.approx(float(Fraction(1, 2) + (fight.paid.mean or 0) / 4))


@pytest.mark.slow
def test_ranks_compare_pairings_on_one_scale() -> None:
    """Each pairing has bounds of its own, and the true order is that of the exact payoffs."""
    names = ["cfr", "monkey", "cfr:iterations=2", "cfr:iterations=3"]
    exact = arena.exact_tournament(names, game="kuhn")
    true = [row.player for row in exact.standings]
    played = arena.tournament(names, 50, game="kuhn", seed=1, luck="corrected")
    assert [row.player for row in played.standings] == true
    for rank, name in enumerate(true, start=1):
        [row] = [row for row in played.standings if row.player == name]
        assert row.rank_low is not None
        assert row.rank_high is not None
        assert row.rank_low <= rank <= row.rank_high


def test_the_question_of_a_tournament_takes_payoffs_as_they_are() -> None:
    with pytest.raises(UsageError, match="--luck"):
        arena.tournament(
            ["cfr", "monkey", "other=monkey"], 30, game="kuhn", luck="corrected", until="best"
        )


@pytest.mark.slow
def test_where_nothing_can_be_corrected_it_says_so(
    tmp_path: Path, run: Run, wording: Wording
) -> None:
    bot = tmp_path / "rock.py"
    bot.write_text("def choose(view, rng):\n    return rng.choice(view.legal_moves())\n")
    names = (f"one={bot}", f"two={bot}")
    ran = run("fight", *names, "--game", "rock-paper-scissors-2", "-n", "2", "--luck", "corrected")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err, "--luck")
