"""``arena replay``, as its user sees it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import arena
from tests.cli.examples import EXAMPLES
from tests.conftest import Run
from tests.golden import Wording


def test_replay_shows_every_board(run: Run) -> None:
    out = run(*EXAMPLES["replay"]).out
    record = json.loads(run(*EXAMPLES["replay"], "--format", "json").out)
    assert record["players"] == ["monkey", "tictactoe3"]
    assert out.count("---+---+---") == 2 * (len(record["moves"]) + 1)
    assert out.rstrip().endswith("wins" if record["winner"] else "Draw")


@pytest.mark.slow
def test_a_forfeit_says_how_to_see_it_and_the_replay_does(
    run: Run, tmp_path: Path, wording: Wording
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position, rng):\n    return 0\n")
    out = run("fight", str(bot), "triples", "-n", "3", "--seed", "1").out
    wording.line(out, "(illegal 6)")
    game_id = out.split("arena replay ")[1].split()[0]
    assert out.count(game_id) == 1
    replayed = run("replay", game_id).out
    assert f"{bot} forfeits (illegal) at x" in replayed
    wording.line(replayed, "choose returned 0")


@pytest.mark.slow
def test_a_number_with_a_store_is_a_game_of_its_last_run(run: Run, tmp_path: Path) -> None:
    store = str(tmp_path / "games.db")
    run("tournament", "monkey", "triples", "lines", "-n", "2", "--seed", "1", "--store", store)
    run("fight", "monkey", "tictactoe1", "-n", "1", "--seed", "2")  # the last result here
    shown = [
        json.loads(run("replay", str(number), "--store", store, "--format", "json").out)["game_id"]
        for number in range(1, 13)
    ]
    [stored] = arena.export(store).as_json()["runs"]
    assert shown == [game["game_id"] for fight in stored["fights"] for game in fight["games"]]
    for number in ("0", "13"):
        ran = run("replay", number, "--store", store)
        assert (ran.code, "has 12" in ran.err) == (2, True)


def test_a_word_that_is_no_game_names_those_that_are(run: Run, wording: Wording) -> None:
    wording(run("replay", "last-win").err, "last-loss")


def test_a_game_is_shown_as_a_seat_knew_it(run: Run, wording: Wording) -> None:
    named = ("replay", "kuhn/cfr/monkey/1/1.1", "--seen-by")
    ran = run(*named, "second")
    assert (ran.code, ran.err) == (0, "")
    wording(ran.out)
    first, second = (
        json.loads(run(*named, side, "--format", "json").out) for side in ("first", "second")
    )
    assert first["schema"] == "arena.seen-game/1"
    cards = [record["views"][-1]["observation"].split()[1] for record in (first, second)]
    whole = json.loads(run(*named[:2], "--format", "json").out)
    assert cards == whole["moves"][:2]
    for own, other, record in zip(cards, cards[::-1], (first, second), strict=True):
        seen = [view["observation"] for view in record["views"]]
        assert any(own in text.split() for text in seen)
        assert not any(other in text.split() for text in seen)
    assert whole["payoffs"] == second["payoffs"]


def test_where_nothing_is_hidden_no_seat_has_a_view(run: Run) -> None:
    ran = run("replay", "tictactoe/monkey/monkey/1/1.1", "--seen-by", "first")
    assert (ran.code, ran.out) == (2, "")
    assert "hides nothing" in ran.err


def test_a_seat_that_the_game_lacks_has_no_view(run: Run, wording: Wording) -> None:
    ran = run("replay", "kuhn/cfr/monkey/1/1.1", "--seen-by", "3")
    assert (ran.code, ran.out) == (2, "")
    wording(ran.err, "kuhn", "3")


@pytest.mark.slow
def test_each_seat_of_a_table_has_its_view(run: Run) -> None:
    run("fight", "monkey", "a=monkey", "b=monkey", "-n", "1", "--seed", "1", "--game", "snakes-3")
    for seat in (1, 2, 3):
        ran = run("replay", "1", "--seen-by", str(seat), "--format", "json")
        assert ran.code == 0, ran.err
        record = json.loads(ran.out)
        assert (record["seat"], len(record["players"])) == (seat - 1, 3)
        assert record["views"]
    assert " 4" in run("replay", "1", "--seen-by", "4").err
