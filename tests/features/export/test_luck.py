"""Exports, replays and PGN say which moves are chance's, and what a game paid."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.game import Outcome
from arena.records.notes import GameNotes
from arena.records.thoughts import Thought
from arena.reports.pgn import written
from arena.reports.single_games import SingleGame, Timing
from tests import schemas
from tests.conftest import Run

pytestmark = pytest.mark.usefixtures("in_a_folder_of_its_own")

#: The moves of chance, by their words, in games whose players have other words.
WORDS = {
    "kuhn": "[JQK]",
    "leduc": "[JQK][12]",
    "pig": "[1-6]",
    "liars-dice-1-2": "hand-[12]",
    "snakes-3": None,
}


def played(game: str, n: int = 3) -> list[dict[str, Any]]:
    names = ("monkey", "b=monkey", "c=monkey") if game == "snakes-3" else ("monkey", "b=monkey")
    play = arena.table_tournament if len(names) > 2 else arena.tournament
    play(names, n, game=game, seed=4, store="S", executor="serial")
    return [
        g for run in arena.export("S").as_json()["runs"] for f in run["fights"] for g in f["games"]
    ]


def by_rules(game: str, record: dict[str, Any]) -> list[int]:
    """Return the seats that moved, -1 for chance."""
    rules = arena.get_game(game)
    position, movers = rules.start(), []
    for move in record["moves"]:
        movers.append(int(position.to_move))
        position = position.play(rules.parse_move(move))
    return movers


@pytest.mark.slow
@pytest.mark.parametrize("game", WORDS)
def test_an_export_marks_the_moves_of_chance_and_its_csv_has_them_and_payoffs(
    run: Run, game: str
) -> None:
    records = played(game)
    exported = run("export", "S", "--format", "json").out
    assert schemas.problems(json.loads(exported)) == []
    rows = list(csv.DictReader(io.StringIO(run("export", "S", "--format", "csv").out)))
    listed = json.loads(run("browse", "S", "--format", "json").out)
    assert schemas.problems(listed) == []
    for record, row, one in zip(records, rows, listed["games"], strict=True):
        movers = by_rules(game, record)
        chance = [place for place, seat in enumerate(movers, 1) if seat < 0]
        assert record["chance"] == one["chance"] == chance
        assert row["chance"].split() == [*map(str, chance)]
        if (words := WORDS[game]) is not None:
            is_word = [re.fullmatch(words, move) is not None for move in record["moves"]]
            assert is_word == [seat < 0 for seat in movers]
        assert row.get("payoffs", "").split() == record.get("payoffs", [])
        assert one.get("payoffs") == record.get("payoffs")
        assert ("payoffs" in record) is (game != "pig")


def test_a_game_without_luck_has_neither(run: Run) -> None:
    [first, *_] = played("tictactoe")
    assert not {"chance", "payoffs"} & {*first}
    header = run("export", "S", "--format", "csv").out.partition("\n")[0].split(",")
    assert not {"chance", "payoffs"} & {*header}
    assert "chance" not in arena.replay(first["game_id"], players=["b=monkey"]).as_json()


@pytest.mark.slow
@pytest.mark.parametrize("game", ["kuhn", "leduc", "pig"])
def test_a_replay_says_which_moves_are_chance_s_and_is_read_again(game: str) -> None:
    for record in played(game, n=1):
        replay = arena.replay(record["game_id"], store="S")
        facts = replay.as_json()
        assert facts["chance"] == record["chance"]
        assert schemas.problems(facts) == []
        file = Path("game.json")
        file.write_text(json.dumps(facts))
        assert arena.replay(str(file)).as_json() == facts
        older = {key: value for key, value in facts.items() if key != "chance"}
        file.write_text(json.dumps(older))
        assert arena.replay(str(file)).as_json() == facts
        file.write_text(json.dumps({**facts, "chance": facts["chance"][1:]}))
        with pytest.raises(arena.UsageError, match=r"'game\.json'.* \[.*\].* \["):
            arena.replay(str(file))


@pytest.mark.slow
def test_the_games_of_a_run_are_the_same_while_it_runs_and_later(run: Run) -> None:
    flags = ("--table", "games", "--format", "json")
    output = run("fight", "monkey", "cfr", "--game", "kuhn", "-n", "2", "--store", "S", *flags).out
    shown = run("show", "S", *flags).out
    assert json.loads(output)["games"] == json.loads(shown)["games"]
    assert [row["chance"] for row in json.loads(output)["games"]] == ["1 2"] * 4


def movers_of(text: str) -> Iterator[int]:
    """Yield the seats that moved by what PGN says: 0 after ``1.``, 1 after ``1...`` or a 0.

    Raises AssertionError for numbers that are out of order.
    """
    words = re.findall(r"\{[^}]*\}|\S+", text)[:-1]
    number, seat, last = 0, 0, 1
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if re.fullmatch(r"\d+\.+", word):
            seat = int(word.endswith("..."))
            assert int(word.rstrip(".")) == number + (seat <= last)
            number = int(word.rstrip("."))
        elif following == "{chance}":
            yield -1
        elif word != "{chance}":
            yield seat
            last, seat = seat, 1


@pytest.mark.slow
@pytest.mark.parametrize("game", ["kuhn", "leduc", "pig", "liars-dice-1-2", "tictactoe"])
def test_pgn_numbers_the_moves_of_players_alone_and_is_read_again(run: Run, game: str) -> None:
    records = played(game)
    assert run("export", "S", "--format", "pgn", "--output", "games.pgn").code == 0
    written = Path("games.pgn").read_text()
    for record, text in zip(records, re.findall(r"\n\n((?:[^\[\n].*\n?)+)", written), strict=True):
        assert [*movers_of(text)] == by_rules(game, record)
    assert run("import", "games.pgn", "--store", "T").code == 0
    assert run("export", "T", "--format", "pgn").out == written
    [imported] = arena.export("T").as_json()["imports"]
    for record, again in zip(records, imported["games"], strict=True):
        assert again["moves"] == record["moves"]
        assert again.get("chance") == record.get("chance")
    assert schemas.problems(json.loads(run("export", "T", "--format", "json").out)) == []


def test_the_table_puts_the_moves_of_chance_into_parentheses(run: Run) -> None:
    records = played("kuhn", n=1)
    lines = run("export", "S", "--format", "table").out.splitlines()[-2:]
    for record, line in zip(records, lines, strict=True):
        first, second, *others = record["moves"]
        assert f" ({first}) ({second}) {' '.join(others)} " in line


def test_a_move_of_chance_takes_no_time_from_a_clock() -> None:
    rules = arena.get_game("kuhn")
    moves = tuple(map(rules.parse_move, ("K", "J", "bet", "pass")))
    thoughts = tuple((ply, Thought(score=0)) for ply in (2, 3))
    timing = Timing(("", ""), ("60", "60"), 3.0, ((1.0,), (2.0,)))
    players, outcome = ("anna", "bert"), Outcome.FIRST_WINS
    game = SingleGame(
        rules,
        rules.start(),
        False,
        moves,
        outcome,
        players,
        notes=GameNotes(thoughts=thoughts),
        timing=timing,
    )
    assert re.findall(r"tl=\d+s", written(game)) == ["tl=59s", "tl=58s"]


def test_a_game_that_breaks_the_rules_is_exported_unmarked() -> None:
    first, *_ = played("kuhn", n=1)
    with sqlite3.connect("S") as store:
        store.execute("UPDATE games SET moves = 'K K bet' WHERE pair = 1 AND half = 1")
    one, other = arena.export("S").as_json()["runs"][0]["fights"][0]["games"]
    assert (one["moves"], "chance" in one, other["chance"]) == (["K", "K", "bet"], False, [1, 2])
    assert first["chance"] == [1, 2]
