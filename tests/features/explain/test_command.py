"""``arena explain`` as its user sees it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import arena
from tests.golden import Wording

if TYPE_CHECKING:
    from tests.conftest import Run

BOT = "def choose(position, rng):\n    return rng.choice(position.legal_moves())\n"
HERE = ("--isolation", "none")
LOST = "tictactoe/monkey/triples/7/1.1"


def test_the_blunder_and_the_better_move_are_named(run: Run, wording: Wording) -> None:
    ran = run("explain", LOST)
    assert (ran.code, ran.err) == (0, "")
    wording(ran.out.splitlines()[2])
    assert max(map(len, ran.out.splitlines())) <= 80


@pytest.mark.slow
def test_a_saved_game_is_explained_too(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    assert run("replay", LOST, "--format", "json", "--output", str(file)).code == 0
    assert run("explain", str(file)).out == run("explain", LOST).out


@pytest.mark.slow
def test_a_stored_game_is_explained_without_its_players(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text(BOT)
    run("fight", "./bot.py", "triples", "-n", "1", "--seed", "1", "--store", "s.db", *HERE)
    game = "tictactoe/.%2Fbot.py/triples/1/1.1"
    played = run("explain", game, *HERE).out
    Path("bot.py").unlink()
    assert run("explain", game, "--store", "s.db").out == played
    assert run("explain", "1", "--store", "s.db").out == played
    assert run("explain", game[:-1] + "3", "--store", "s.db").code == 2


def test_json_has_the_keys_of_the_game_and_a_value_for_every_move(run: Run) -> None:
    played = json.loads(run("replay", LOST, "--format", "json").out)
    record = json.loads(run("explain", LOST, "--format", "json").out)
    assert record["schema"] == "arena.explanation/1"
    assert [move["move"] for move in record["moves"]] == played["moves"]
    assert {key: record[key] for key in played if key not in ("schema", "moves")} == {
        key: played[key] for key in played if key not in ("schema", "moves")
    }


@pytest.mark.parametrize(
    "game",
    ["nothing", "tictactoe/nobody/monkey/7/1.1"],
)
def test_a_wrong_name_is_one_line(run: Run, game: str, wording: Wording) -> None:
    ran = run("explain", game)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    wording(ran.err)


def test_a_file_with_a_game_a_line_takes_a_number(
    run: Run, tmp_path: Path, wording: Wording
) -> None:
    games = [run("replay", f"{LOST[:-1]}{half}", "--format", "json").out for half in (1, 2)]
    file = tmp_path / "games.jsonl"
    file.write_text("".join(json.dumps(json.loads(game)) + "\n" for game in games))
    ran = run("explain", str(file))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "games.jsonl:1" in ran.err
    assert run("explain", f"{file}:1").out == run("explain", LOST).out
    wording(run("explain", f"{file}:3").err)


def test_a_game_without_moves_is_a_sentence(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bot.py").write_text("def choose(position, rng):\n    return 9\n")
    ran = run("explain", "tictactoe/.%2Fbot.py/monkey/1/1.1", "--isolation", "none")
    wording(ran.out)
    assert "worth" not in ran.out


def test_csv_tells_unknown_from_nothing(run: Run) -> None:
    [_, *solved] = csv.reader(io.StringIO(run("explain", LOST, "--format", "csv").out))
    assert [row[5] for row in solved] == ["nothing"] * 4 + ["a draw", "nothing"]
    large = run(
        "explain", "mnk-7-7-5/monkey/monkey/1/1.1", "--max-positions", "5", "--format", "csv"
    )
    [_, *unknown] = csv.reader(io.StringIO(large.out))
    assert unknown[0][3:6] == ["?", "?", "?"]


def test_an_explanation_prints_as_its_page(run: Run) -> None:
    assert f"{arena.explain(LOST)}\n" == run("explain", LOST).out


def test_a_wrong_keyword_gets_a_hint(wording: Wording) -> None:
    explain: Any = arena.explain
    with wording.raises(TypeError, match="'max_positions'"):
        explain(LOST, max_position=3)


@pytest.mark.parametrize("name", ["max_positions", "solver_positions"])
@pytest.mark.parametrize("number", [0, -1])
def test_a_search_of_no_positions_is_refused(
    name: str, number: int, run: Run, wording: Wording
) -> None:
    options: dict[str, Any] = {name: number}
    with wording.raises(arena.UsageError, match=rf"^{name} .*{number}$"):
        arena.explain(LOST, **options)
    ran = run("explain", LOST, f"--{name.replace('_', '-')}={number}")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
